"""Counts of verdicts by rule, router and pair of sites, with a failing row of each router; row groups add up."""

from typing import Any, Final

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Octets
from mqconform.reports.pipeline.routes.enterprise import CompiledEnterprise
from mqconform.reports.pipeline.routes.judging import FAIL, PASS, RULES, VERDICTS, Judged

MOST_SITES: Final = 2_048
"""Sites up to which all rows are counted by pair of sites; of more, only rows that did not pass."""
MOST_ROUTERS: Final = 200_000
"""Different texts in a column ``router`` that are counted apart; what comes after them is counted together."""
OTHERS: Final = "(others)"
NAMELESS: Final = "(none)"
NOWHERE: Final = np.iinfo(np.int64).max
"""Place of the first failing row where there is none."""
COUNTED: Final = pa.schema([(name, pa.int64()) for name in (*VERDICTS, "first")])
"""Columns of a table of counts, after its keys: rows of each verdict, and the place of the first that failed."""
SPLIT_BITS, ROW_BITS = 20, 36
"""A place is a version, a split and a row in it, so that the lowest is the first row under the earliest version."""

Key = tuple[str, int]
"""What is counted, and under which version."""
BY_RULE: Final[Key] = ("rules", 0)
NAMED: Final[Key] = ("router", 0)


def summed(*parts: pa.Table) -> pa.Table:
    """Return the sums of tables with the columns ``COUNTED``, by their keys, in the order in which these first come."""
    keys = [name for name in parts[0].column_names if name not in COUNTED.names]
    grouped = pa.concat_tables(parts).group_by(keys, use_threads=False)
    sums = grouped.aggregate([*((name, "sum") for name in VERDICTS), ("first", "min")])
    return sums.select([*keys, *(f"{name}_sum" for name in VERDICTS), "first_min"]).rename_columns(
        [*keys, *COUNTED.names]
    )


def counted(keys: dict[str, Any], counts: Any, first: Any) -> pa.Table:
    """Return counts in the order of ``VERDICTS``, things x verdicts, as a table for ``summed``."""
    columns = [pa.array(column, pa.int64()) for column in (*np.asarray(counts, dtype=np.int64).T, first)]
    return pa.table(keys | dict(zip(COUNTED.names, columns, strict=True)))


class Counts:
    """What a split, or all of them, adds up to.

    Attributes:
        grids: things x verdicts, of rules by their codes; of each version ``routers`` by number of the source, the last
            for sources that the directory does not know, and ``pairs`` by source's site times sites plus destination's.
        first: for each version the place of the first failing row of each router.
        tables: of ``NAMED``, texts in the column ``router``, and ``pairs`` where there are too many for a grid.
    """

    def __init__(self) -> None:
        self.grids: dict[Key, Any] = {}
        self.first: dict[int, Any] = {}
        self.tables: dict[Key, pa.Table] = {}
        self.by_register = self.rows = 0

    def __getstate__(self) -> dict[str, Any]:
        """Return what a task sends: most counts of one split fit into an octet."""
        small = {key: grid.astype(np.min_scalar_type(int(grid.max(initial=0)))) for key, grid in self.grids.items()}
        return self.__dict__ | {"grids": small}

    def add(self, enterprise: CompiledEnterprise, batch: pa.RecordBatch, judged: Judged, split: int) -> None:
        """Count rows of a split."""
        rows = np.arange(self.rows, self.rows + batch.num_rows, dtype=np.int64)
        places = (judged.version.astype(np.int64) << SPLIT_BITS | split) << ROW_BITS | rows
        self._tally(BY_RULE, judged.rule, judged.verdict, len(RULES))
        for version, compiled in enumerate(enterprise.versions):
            chosen: Any = np.flatnonzero(judged.version == version) if enterprise.dated else slice(None)
            columns = (judged.verdict, judged.source, judged.destination, places)
            verdict, source, destination, place = (column[chosen] for column in columns)
            machines, sites = len(compiled.oracle.identifiers), compiled.sites + 1
            routers, failing = np.where(source < 0, machines, source), verdict == FAIL
            self._tally(("routers", version), routers, verdict, machines + 1)
            first = self.first.setdefault(version, np.full(machines + 1, NOWHERE))
            np.minimum.at(first, routers[failing], place[failing])
            pairs = compiled.site_of[source].astype(np.int64) * sites + compiled.site_of[destination]
            if compiled.sites <= MOST_SITES:
                self._tally(("pairs", version), pairs, verdict, sites**2)
            else:
                bad = verdict != PASS
                self._sum(("pairs", version), {"pair": pairs[bad]}, verdict[bad], np.full(bad.sum(), NOWHERE))
        if "router" in batch.schema.names and not pa.types.is_null(batch.schema.field("router").type):
            names = batch.column("router").cast(pa.string()).fill_null(NAMELESS)
            self._sum(NAMED, {"router": names}, judged.verdict, places)
        self.by_register += int(np.count_nonzero(judged.by_register))
        self.rows += batch.num_rows

    def _tally(self, key: Key, things: Any, verdict: Octets, size: int) -> None:
        width = len(VERDICTS)
        counts = np.bincount(things.astype(np.int64) * width + verdict, minlength=size * width)
        self.grids[key] = counts.reshape(size, width) + self.grids.get(key, 0)

    def _sum(self, key: Key, keys: dict[str, Any], verdict: Octets, places: Any) -> None:
        first = np.where(verdict == FAIL, places, NOWHERE)
        self._add(key, counted(keys, np.equal.outer(verdict, range(len(VERDICTS))), first))

    def _add(self, key: Key, table: pa.Table) -> None:
        total = summed(self.tables[key], table) if key in self.tables else summed(table)
        if key == NAMED and len(total) > MOST_ROUTERS:
            names = total.column("router")[:MOST_ROUTERS].to_pylist() + [OTHERS] * (len(total) - MOST_ROUTERS)
            total = summed(total.set_column(0, "router", pa.array(names)))
        self.tables[key] = total

    def merge(self, other: "Counts") -> None:
        """Add what another split adds up to."""
        for key, grid in other.grids.items():
            self.grids[key] = np.add(grid, self.grids.get(key, 0), dtype=np.int64)
        for version, first in other.first.items():
            self.first[version] = np.minimum(first, self.first.get(version, NOWHERE))
        for key, table in other.tables.items():
            self._add(key, table)
        self.by_register += other.by_register
        self.rows += other.rows


def place_in(first: int) -> tuple[int, int, int]:
    """Return the version, the split and the row of a place."""
    return first >> SPLIT_BITS + ROW_BITS, first >> ROW_BITS & (1 << SPLIT_BITS) - 1, first & (1 << ROW_BITS) - 1
