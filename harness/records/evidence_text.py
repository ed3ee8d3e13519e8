"""Crashes and time lines in words, for terminals and for formats that have nothing but text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from signal import Signals
from typing import Final

from mqconform.harness.records import results
from mqconform.harness.records.case import Case
from mqconform.harness.records.printable import visible
from mqconform.harness.records.results import Moment

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


BEFORE: Final = 6
"""Rows before the contradiction that a short time line has."""
AFTER: Final = 1
MARK: Final = "> "
"""How the line begins of what was not allowed."""
WIDEST: Final = 60
"""Characters to which a column is widened; a longer text in it moves what follows."""
Row = tuple[str, ...]


def timeline_lines(moments: Sequence[Moment]) -> list[str]:
    """Return a line for each row, and one for what was allowed below the row that was not; all characters visible."""
    rows = [_row(moment) for moment in moments]
    if not rows:
        return []
    widths = [min(WIDEST, max(map(len, column))) for column in zip(*rows, strict=True)]
    return [line for moment, row in zip(moments, rows, strict=True) for line in _lines(moment, row, widths)]


def short_timeline_lines(moments: Sequence[Moment]) -> list[str]:
    """Return the lines around the first contradiction, or the last ones where there is none."""
    place = next((at for at, moment in enumerate(moments) if moment.allowed), len(moments) - 1)
    first, end = max(0, place - BEFORE), place + 1 + AFTER
    lines = timeline_lines(moments[first:end])
    before = [f"  ... {first} {'row' if first == 1 else 'rows'} before"] if first else []
    return [*before, *lines]


def _row(moment: Moment) -> Row:
    return f"{moment.at:g} s", visible(moment.who), visible(moment.what), visible(moment.answer)


def _lines(moment: Moment, row: Row, widths: Sequence[int]) -> Iterator[str]:
    first, *others = (text.ljust(width) for text, width in zip(row, widths, strict=True))
    mark = MARK if moment.allowed else " " * len(MARK)
    yield f"{mark}{first.strip().rjust(widths[0])}  {'  '.join(others)}".rstrip()
    if moment.allowed:
        against = f"; against {', '.join(moment.rules)}" if moment.rules else ""
        yield f"{' ' * (len(MARK) + widths[0] + 2)}allowed: {visible(' or '.join(moment.allowed))}{against}"
