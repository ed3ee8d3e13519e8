"""Time lines as aligned text, for terminals and for formats that have nothing but text."""

from collections.abc import Iterator, Sequence
from typing import Final

from mqconform.harness.records.printable import visible
from mqconform.harness.records.results import Moment

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
