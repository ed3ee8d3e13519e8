"""Histograms of times in words: names of their bins, and within what time how many lie."""

from collections.abc import Sequence
from itertools import accumulate, pairwise

SECOND, MINUTE = 1_000, 60_000


def time_text(milliseconds: int) -> str:
    """Return a time in the unit that people would say it in."""
    for unit, name in ((MINUTE, "min"), (SECOND, "s")):
        if milliseconds >= unit and milliseconds % (unit // 10) == 0:
            return f"{milliseconds / unit:g} {name}"
    return f"{milliseconds} ms"


def bin_names(edges: Sequence[int]) -> list[str]:
    """Return the names of the bins between rising edges in milliseconds, and of those at both ends."""
    between = [f"{time_text(low)} to {time_text(high)}" for low, high in pairwise(edges)]
    return [f"under {time_text(edges[0])}", *between, f"{time_text(edges[-1])} or more"]


def within(edges: Sequence[int], counts: Sequence[int], share: float) -> str:
    """Return under what time a share of all counted times lies, as far as the bins tell.

    Args:
        edges: milliseconds, rising.
        counts: one more than there are edges.
        share: of 1.
    """
    total = sum(counts)
    for edge, reached in zip(edges, accumulate(counts), strict=False):
        if total and reached >= share * total:
            return f"under {time_text(edge)}"
    return f"{time_text(edges[-1])} or more"
