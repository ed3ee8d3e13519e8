"""Counts of verdicts by rule, router and pair of sites, made while rows are judged, with a failing row of each router.

Counts are arrays by the numbers of machines and sites: adding a row to them costs some 10 ns, grouping with Arrow 80.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Octets
from mqconform.reports.pipeline.routes import verdicts
from mqconform.reports.pipeline.routes.enterprise import CompiledEnterprise
from mqconform.reports.pipeline.routes.judging import Judged

MOST_SITES: Final = 2_048
"""Sites up to which all rows are counted by pair of sites; of more, only rows that did not pass."""
MOST_ROUTERS: Final = 200_000
"""Different texts in a column ``router`` that are counted apart; what comes after them is counted together."""
OTHERS: Final = "(others)"
NAMELESS: Final = "(none)"

NOWHERE: Final = np.iinfo(np.int64).max
"""Place of the first failing row where there is none."""
COUNTED: Final = pa.schema([(name, pa.int64()) for name in (*verdicts.VERDICTS, "first")])
"""Columns of a table of counts, after its keys: rows of each verdict, and the place of the first that failed."""

SPLIT_BITS, ROW_BITS = 20, 36
"""A place is a version, a split and a row in it, so that the lowest is the first row under the earliest version."""


class Grid:
    """Counts of some things by verdict, and where the first failing row of each is.

    Attributes:
        counts: things x verdicts.
        first: places of rows; empty where nobody asks for them.
    """

    def __init__(self, things: int, number: type[Any], *, placed: bool = False) -> None:
        self.counts = np.zeros((things, len(verdicts.VERDICTS)), dtype=number)
        self.first = np.full(things if placed else 0, NOWHERE, dtype=np.int64)

    def __getstate__(self) -> dict[str, Any]:
        """Return what is written into a file: most counts of one split fit into an octet."""
        smallest = np.min_scalar_type(int(self.counts.max(initial=0)))
        return {"counts": self.counts.astype(smallest), "first": self.first}

    def add(self, things: Any, verdict: Octets, places: Int64s | None = None) -> None:
        """Count rows: of each the thing, the verdict and, where failures are placed, its place."""
        flat = self.counts.reshape(-1)
        np.add.at(flat, things.astype(np.int64) * len(verdicts.VERDICTS) + verdict, flat.dtype.type(1))
        if places is not None:
            failing = np.flatnonzero(verdict == verdicts.FAIL)
            np.minimum.at(self.first, things[failing], places[failing])


def summed(parts: Sequence[pa.Table], *keys: str) -> pa.Table:
    """Return the sums of tables with the columns ``COUNTED``, by keys, in the order in which these first come."""
    grouped = pa.concat_tables(parts).group_by([*keys], use_threads=False)
    sums = grouped.aggregate([*((name, "sum") for name in verdicts.VERDICTS), ("first", "min")])
    return sums.select([*keys, *(f"{name}_sum" for name in verdicts.VERDICTS), "first_min"]).rename_columns(
        [*keys, *COUNTED.names]
    )


def counted(keys: dict[str, Any], counts: Any, first: Any) -> pa.Table:
    """Return counts in the order of ``VERDICTS``, things x verdicts, as a table for ``summed``."""
    columns = [pa.array(column, pa.int64()) for column in (*np.asarray(counts, dtype=np.int64).T, first)]
    return pa.table(keys | dict(zip(COUNTED.names, columns, strict=True)))


class Counts:
    """What a split, or all of them, adds up to.

    Attributes:
        rules: by rule.
        routers: for each version by number of the source; the last is for sources that the directory does not know.
        pairs: for each version by source's site times sites plus destination's, where there are not too many.
        sparse: where there are: tables of pairs with rows that did not pass.
        named: a table of the texts in the column ``router``, empty where there is none.
    """

    def __init__(self, sizes: Iterable[tuple[int, int]], number: type[Any] = np.int32) -> None:
        self.sizes = tuple(sizes)
        self.rules = Grid(len(verdicts.RULES), np.int64)
        self.routers = [Grid(machines + 1, number, placed=True) for machines, _ in self.sizes]
        dense = ((sites + 1) ** 2 if sites <= MOST_SITES else 0 for _, sites in self.sizes)
        self.pairs = [Grid(pairs, number) for pairs in dense]
        self.sparse = [pa.schema([("pair", pa.int64()), *COUNTED]).empty_table() for _ in self.sizes]
        self.named = pa.schema([("router", pa.string()), *COUNTED]).empty_table()
        self.by_register = self.rows = 0

    def add(self, enterprise: CompiledEnterprise, batch: pa.RecordBatch, judged: Judged, split: int) -> None:
        """Count a batch of a split."""
        rows = np.arange(self.rows, self.rows + batch.num_rows, dtype=np.int64)
        places = (judged.version.astype(np.int64) << SPLIT_BITS | split) << ROW_BITS | rows
        self.rules.add(judged.rule, judged.verdict)
        for version, compiled in enumerate(enterprise.versions):
            chosen: Any = np.flatnonzero(judged.version == version) if enterprise.dated else slice(None)
            verdict, source = judged.verdict[chosen], judged.source[chosen]
            sources = np.where(source < 0, self.sizes[version][0], source)
            self.routers[version].add(sources, verdict, places[chosen])
            self._add_pairs(version, compiled.site_of, source, judged.destination[chosen], verdict)
        if "router" in batch.schema.names and not pa.types.is_null(batch.schema.field("router").type):
            by_row = np.equal.outer(judged.verdict, range(len(verdicts.VERDICTS)))
            first = np.where(judged.verdict == verdicts.FAIL, places, NOWHERE)
            names = batch.column("router").cast(pa.string()).fill_null(NAMELESS)
            self._add_named(counted({"router": names}, by_row, first))
        self.by_register += int(np.count_nonzero(judged.by_register))
        self.rows += batch.num_rows

    def _add_pairs(self, version: int, site_of: Int32s, source: Int32s, destination: Int32s, verdict: Octets) -> None:
        sites = self.sizes[version][1] + 1
        if sites > MOST_SITES + 1:
            bad = np.flatnonzero(verdict != verdicts.PASS)
            source, destination, verdict = source[bad], destination[bad], verdict[bad]
        pairs = site_of[source].astype(np.int64) * sites + site_of[destination]
        if sites <= MOST_SITES + 1:
            self.pairs[version].add(pairs, verdict)
        else:
            by_row = np.equal.outer(verdict, range(len(verdicts.VERDICTS)))
            added = counted({"pair": pairs}, by_row, np.full(len(pairs), NOWHERE))
            self.sparse[version] = summed([self.sparse[version], added], "pair")

    def _add_named(self, counts: pa.Table) -> None:
        self.named = summed([self.named, counts], "router")
        if len(self.named) > MOST_ROUTERS:
            names = self.named.column("router")[:MOST_ROUTERS].to_pylist() + [OTHERS] * (len(self.named) - MOST_ROUTERS)
            self.named = summed([self.named.set_column(0, "router", pa.array(names))], "router")

    def merge(self, other: "Counts") -> None:
        """Add what another split adds up to."""
        grids = (self.rules, *self.routers, *self.pairs), (other.rules, *other.routers, *other.pairs)
        for mine, its in zip(*grids, strict=True):
            mine.counts += its.counts
            np.minimum(mine.first, its.first, out=mine.first)
        self.sparse = [summed(pair, "pair") for pair in zip(self.sparse, other.sparse, strict=True)]
        self._add_named(other.named)
        self.by_register += other.by_register
        self.rows += other.rows


def place_in(first: int) -> tuple[int, int, int]:
    """Return the version, the split and the row of a place."""
    return first >> SPLIT_BITS + ROW_BITS, first >> ROW_BITS & (1 << SPLIT_BITS) - 1, first & (1 << ROW_BITS) - 1


def counts_for(enterprise: CompiledEnterprise) -> Counts:
    """Return empty counts for one split of an enterprise's decisions."""
    return Counts((len(version.oracle.identifiers), version.sites) for version in enterprise.versions)
