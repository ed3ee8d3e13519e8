"""A crash, a hang or a broken protocol in words: headlined as such, and not as a violation of what was being asked."""

import re
from collections.abc import Iterable, Iterator
from signal import Signals
from typing import Final

from mqconform.harness.records import results
from mqconform.harness.records.case import Case
from mqconform.harness.records.printable import visible

SHELL_OF_SIGNAL: Final = 128
"""What a shell adds to the number of the signal that ended its command."""
_ENDING: Final = re.compile(r"killed by (\w+)|exit status (\d+)")


def crash_text(cases: Iterable[Case | results.Case]) -> str:
    """Return all headlines, empty where the implementation neither ended nor hung nor broke the protocol."""
    return "; ".join(text for _, text, _ in headlines(cases))


def headlines(cases: Iterable[Case | results.Case]) -> Iterator[tuple[str, str, str]]:
    """Yield for each kind of such cases its word, the first case and how many more there are, and the first reason."""
    kinds: dict[str, list[Case | results.Case]] = {}
    for case in cases:
        if is_crash(case):
            kinds.setdefault(_word(case.reason), []).append(case)
    for word, (first, *others) in kinds.items():
        more = f", and in {len(others)} more case{'s' if len(others) > 1 else ''}" if others else ""
        yield word, f"the implementation {_what(first.reason)} in case {visible(first.id)}{more}", first.reason


def is_crash(case: Case | results.Case) -> bool:
    """Tell whether the implementation ended, hung or broke the protocol in a case."""
    return case.crashed and bool(case.reason)


def _word(reason: str) -> str:
    kind = reason.partition(":")[0]
    return {"exited": "CRASHED", "exception": "CRASHED", "deadline": "HUNG"}.get(kind, "PROTOCOL BROKEN")


def _what(reason: str) -> str:
    match _word(reason):
        case "HUNG":
            return "did not answer in time"
        case "PROTOCOL BROKEN":
            return "broke the IUT protocol"
        case "CRASHED" if reason.startswith("exception"):
            return "raised an exception"
    ending = _ENDING.search(reason)
    if ending is None:
        return "ended"
    number = Signals.__members__.get(ending[1] or "", int(ending[2] or 0) - SHELL_OF_SIGNAL)
    if number not in [*Signals]:
        return f"ended: {ending[0]}"
    return f"ended with signal {number:d} ({Signals(number).name})"
