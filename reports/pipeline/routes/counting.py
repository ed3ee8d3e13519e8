"""Counts of verdicts by number of what they are counted for, small enough to be summed by the million rows a second."""

from typing import Any, Final, Self

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s, Octets, compiled
from mqconform.reports.pipeline.routes import verdicts

OTHERS: Final = len(verdicts.VERDICTS) - 1
"""Verdicts other than ``PASS``, which is the first of them."""


class VerdictCounts:
    """How many rows there are of each thing, and how many of them did not pass.

    Nearly all rows pass: keeping what is added for each of them apart from the rest leaves it in the processor's cache.

    Attributes:
        rows: rows of each thing, shape (things,).
        others: of those, which failed and which are inconclusive, shape (things, 2).
    """

    def __init__(self, things: int, number: type[Any] = np.int32) -> None:
        self.rows = np.zeros(things, dtype=number)
        self.others = np.zeros((things, OTHERS), dtype=number)

    def __getstate__(self) -> tuple[Any, Any, Any]:
        """Return what is written into a file: most counts of one split fit into an octet, and most rows pass."""
        flat = self.others.ravel()
        places = np.flatnonzero(flat)
        return self.rows.astype(np.min_scalar_type(int(self.rows.max(initial=0)))), places, flat[places]

    def __setstate__(self, state: tuple[Any, Any, Any]) -> None:
        """Take in what was read from a file."""
        self.rows, places, counts = state
        self.others = np.zeros((len(self.rows), OTHERS), dtype=counts.dtype)
        self.others.ravel()[places] = counts

    def add(self, other: Self) -> None:
        """Add what was counted of the same things."""
        self.rows += other.rows
        self.others += other.others

    @property
    def by_verdict(self) -> Int64s:
        """Counts in the order of ``VERDICTS``, shape (things, 3)."""
        return self.of(slice(None))

    def of(self, things: Any) -> Int64s:
        """Return the counts of some things, in the order of ``VERDICTS``."""
        others = self.others[things].astype(np.int64)
        passed = self.rows[things].astype(np.int64) - others.sum(axis=1)
        return np.concatenate([passed[:, None], others], axis=1)

    @property
    def not_passed(self) -> Any:
        """Numbers of what has rows that did not pass."""
        return np.flatnonzero(self.others.any(axis=1))


@compiled
def count_verdicts(  # noqa: PLR0913, PLR0917 - one pass over two columns into three tables
    verdict: Octets, rule: Octets, source: Int32s, rules: Int64s, rows: Int32s, others: Int32s, first: Flags
) -> None:
    """Count rows by rule and by source, and mark the first that failed of each source that had none before.

    Args:
        verdict: places in ``VERDICTS``.
        rule: places in ``RULES``.
        source: numbers of machines; a negative one is counted in the last place.
        rules: by rule and verdict.
        rows: as in ``VerdictCounts``, by source.
        others: likewise.
        first: what is marked, all false.
    """
    unknown = len(rows) - 1
    for row in range(len(verdict)):
        code = verdict[row]
        router = source[row] if source[row] >= 0 else unknown
        rules[rule[row], code] += 1
        rows[router] += 1
        if code:
            first[row] = code == 1 and others[router, 0] == 0
            others[router, code - 1] += 1


@compiled
def count_pairs(  # noqa: PLR0913, PLR0917 - one pass over three columns into two tables
    verdict: Octets, source: Int32s, destination: Int32s, site_of: Int32s, rows: Int32s, others: Int32s
) -> None:
    """Count rows by the pair of their machines' sites.

    Args:
        verdict: places in ``VERDICTS``.
        source: numbers of machines, negative ones count from the end of ``site_of``.
        destination: likewise.
        site_of: the site of each machine; the largest number is for those of none.
        rows: as in ``VerdictCounts``, by source's site times sites plus destination's site.
        others: likewise.
    """
    sites = int(np.sqrt(len(rows)) + 0.5)
    for row in range(len(verdict)):
        code = verdict[row]
        pair = site_of[source[row]] * sites + site_of[destination[row]]
        rows[pair] += 1
        if code:
            others[pair, code - 1] += 1
