"""A crash or a hang in words: it is headlined as one, and not as a violation of what was being asked about."""

import re
from collections.abc import Iterable
from signal import Signals
from typing import Final

from mqconform.harness.records import results
from mqconform.harness.records.case import Case
from mqconform.harness.records.printable import visible

SHELL_OF_SIGNAL: Final = 128
"""What a shell adds to the number of the signal that ended its command."""
_ENDING: Final = re.compile(r"killed by (\w+)|exit status (\d+)")


def crash_text(cases: Iterable[Case | results.Case]) -> str:
    """Return how the implementation ended or hung, in which case first and in how many, empty where it did not."""
    crashes = [case for case in cases if is_crash(case)]
    if not crashes:
        return ""
    first, *others = crashes
    more = f", and in {len(others)} more case{'s' if len(others) > 1 else ''}" if others else ""
    return f"the implementation {_what(first.reason)} in case {visible(first.id)}{more}"


def is_crash(case: Case | results.Case) -> bool:
    """Tell whether the implementation ended or hung in a case."""
    return case.crashed and case.reason.startswith(("exited: ", "deadline: "))


def _what(reason: str) -> str:
    if reason.startswith("deadline"):
        return "did not answer in time"
    ending = _ENDING.search(reason)
    if ending is None:
        return "ended"
    number = Signals.__members__.get(ending[1] or "", int(ending[2] or 0) - SHELL_OF_SIGNAL)
    if number not in [*Signals]:
        return f"ended: {ending[0]}"
    return f"ended with signal {number:d} ({Signals(number).name})"
