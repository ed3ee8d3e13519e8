"""Counts of verdicts by rule, router and pair of sites, with the first row of each: what tasks add up."""

from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mqconform.reference.mqbr.bulk_compiled import Int64s
from mqconform.reports.pipeline.routes.enterprise import CompiledEnterprise
from mqconform.reports.pipeline.routes.judging import PASS, Judged

MOST_SITES: Final = 2_048
"""Sites up to which all rows are counted by pair of sites; of more, only rows that did not pass."""
MOST_ROUTERS: Final = 200_000
"""Different texts in a column ``router`` that are counted apart; what comes after them is counted together."""
OTHERS: Final = "(others)"
NAMELESS: Final = "(none)"
SPLIT_BITS, ROW_BITS = 20, 36
"""A place is a version, a split and a row in it, so that the lowest is the first row under the earliest version."""
RULES, SOURCES, ROUTERS, PAIRS = "rules", "sources", "routers", "pairs"
KEYS: Final = {
    RULES: ("rule", "by_register"),
    SOURCES: ("version", "source"),
    ROUTERS: ("router",),
    PAIRS: ("version", "pair"),
}
"""What is counted: codes of rules; numbers of sources, or texts in a column ``router`` where there is one; pairs of
sites, the source's times all sites plus the destination's, of rows that did not pass."""


class Counts(NamedTuple):
    """What rows add up to."""

    tables: dict[str, pa.Table]
    """By what is counted: its ``KEYS``, a ``verdict``, its rows (``count``), and the place of the ``first`` of them."""
    rows: dict[int, Int64s]
    """Under each version of few sites: rows by pair."""


def _summed(what: str, *tables: pa.Table) -> pa.Table:
    keys = [*KEYS[what], "verdict"]
    grouped = pa.concat_tables(tables).group_by(keys, use_threads=False)
    return grouped.aggregate([("count", "sum"), ("first", "min")]).rename_columns([*keys, "count", "first"])


def merged(*counts: Counts) -> Counts:
    """Return the sums of what batches or splits add up to."""
    tables = {what: [some.tables[what] for some in counts if what in some.tables] for what in KEYS}
    sums = {what: _summed(what, *some) for what, some in tables.items() if some}
    if ROUTERS in sums and len(names := sums[ROUTERS]["router"].unique()) > MOST_ROUTERS:
        is_early = pc.is_in(sums[ROUTERS]["router"], value_set=names[:MOST_ROUTERS])
        router = pc.if_else(is_early, sums[ROUTERS]["router"], OTHERS)
        sums[ROUTERS] = _summed(ROUTERS, sums[ROUTERS].set_column(0, "router", router))
    rows: dict[int, Int64s] = {}
    for some in counts:
        for version, counted in some.rows.items():
            rows[version] = rows[version] + counted if version in rows else counted
    return Counts(sums, rows)


def counts_of(enterprise: CompiledEnterprise, batch: pa.RecordBatch, judged: Judged, split: int, before: int) -> Counts:
    """Return what rows of a split add up to, after ``before`` others."""
    rows = np.arange(before, before + batch.num_rows, dtype=np.int64)
    places = (judged.version.astype(np.int64) << SPLIT_BITS | split) << ROW_BITS | rows

    def table(what: str, chosen: Any, *keys: Any) -> pa.Table:
        verdict, first = judged.verdict[chosen], places[chosen]
        counted = dict(zip(KEYS[what], keys, strict=True)) | {"verdict": verdict, "count": np.ones_like(first)}
        return _summed(what, pa.table(counted | {"first": first}))

    every = slice(None)
    tables, by_pair = {RULES: table(RULES, every, judged.rule, judged.by_register)}, {}
    if "router" in batch.schema.names and not pa.types.is_null(batch.schema.field("router").type):
        tables[ROUTERS] = table(ROUTERS, every, batch.column("router").cast(pa.string()).fill_null(NAMELESS))
    else:
        tables[SOURCES] = table(SOURCES, every, judged.version, judged.source)
    apart = []
    for version, compiled in enumerate(enterprise.versions):
        own = np.flatnonzero(judged.version == version) if len(enterprise.versions) > 1 else rows - before
        here, there = (compiled.site_of[ends[own]].astype(np.int64) for ends in (judged.source, judged.destination))
        pairs, some = here * (compiled.sites + 1) + there, np.flatnonzero(judged.verdict[own] != PASS)
        if compiled.sites <= MOST_SITES:
            by_pair[version] = np.bincount(pairs, minlength=(compiled.sites + 1) ** 2)
        apart.append(table(PAIRS, own[some], np.full(len(some), version, np.int32), pairs[some]))
    return Counts(tables | {PAIRS: pa.concat_tables(apart)}, by_pair)


def place_in(first: int) -> tuple[int, int, int]:
    """Return the version, the split and the row of a place."""
    return first >> SPLIT_BITS + ROW_BITS, first >> ROW_BITS & (1 << SPLIT_BITS) - 1, first & (1 << ROW_BITS) - 1
