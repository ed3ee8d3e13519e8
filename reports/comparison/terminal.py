"""A comparison for a reader at a terminal."""

from collections.abc import Iterator

from mqconform.harness.records.printable import shortened, visible
from mqconform.reports.comparison.change import Cause, Change
from mqconform.reports.comparison.compare import Comparison, by_weight

LONGEST = 300
MOST = 50
"""Changes of one cause that are listed; JSON has all."""


def text(comparison: Comparison) -> str:
    """Return the comparison as lines of text; what an implementation sent is made visible."""
    return "\n".join(_lines(comparison)) + "\n"


def _lines(comparison: Comparison) -> Iterator[str]:
    for remark in comparison.remarks:
        yield f"note: {visible(remark)}"
    if comparison.differences:
        yield "the runs differ in"
        yield from (f"  {safe_text(difference)}" for difference in comparison.differences)
    for cause in comparison.counts():
        yield ""
        yield cause.value.upper()
        changes = by_weight(comparison, cause)
        yield from map(_line, changes[:MOST])
        if len(changes) > MOST:
            yield f"  and {len(changes) - MOST} more, all of them with --format json"
    yield ""
    yield totals(comparison)


def totals(comparison: Comparison) -> str:
    """Return how many changes there are of each cause, on one line."""
    counted = ", ".join(f"{number} {cause.value}" for cause, number in comparison.counts().items())
    return f"changes: {counted or 'none'}"


def _line(change: Change) -> str:
    formerly = f" (was {safe_text(change.formerly)})" if change.formerly else ""
    return f"  {change.kind:<11} {safe_text(change.id)}{formerly}: {arrow(change)}; {safe_text(change.detail)}"


def arrow(change: Change) -> str:
    """Return what the verdict was and is."""
    match change.cause:
        case Cause.NEW:
            return change.after
        case Cause.REMOVED:
            return f"was {change.before}"
        case _ if change.before == change.after:
            return f"still {change.after}"
        case _:
            return f"{change.before or 'absent'} -> {change.after or 'absent'}"


def safe_text(original: str) -> str:
    """Return text of whatever origin, visible and not too long."""
    return shortened(visible(original), LONGEST)
