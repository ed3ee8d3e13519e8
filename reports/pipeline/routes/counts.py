"""Counts of verdicts by rule, router and pair of sites, with the first failing row of each: tables that add up."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pyarrow as pa

from mqconform.reports.pipeline.routes.enterprise import CompiledEnterprise
from mqconform.reports.pipeline.routes.judging import FAIL, PASS, VERDICTS, Judged

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
RULE, REGISTER, SOURCE, PAIR, NAMED = range(5)
"""What a ``thing`` is, as text: the code of a rule; 0 for rows that rest on the register; the number of a source, one
behind the last for those that the directory does not know; of two sites the source's times sites plus the
destination's; a text in the column ``router``, which is counted instead of sources."""


def summed(*parts: pa.Table) -> pa.Table:
    """Return the sums of tables with the columns ``COUNTED``, by their keys, in the order in which these first come."""
    keys = [name for name in parts[0].column_names if name not in COUNTED.names]
    grouped = pa.concat_tables(parts).group_by(keys, use_threads=False)
    sums = grouped.aggregate([*((name, "sum") for name in VERDICTS), ("first", "min")])
    return sums.select([*keys, *(f"{name}_sum" for name in VERDICTS), "first_min"]).rename_columns(
        [*keys, *COUNTED.names]
    )


def merged(counts: pa.Table, other: pa.Table) -> pa.Table:
    """Return the sums of what two splits add up to."""
    total = summed(counts, other)
    named = np.flatnonzero(np.asarray(total["what"]) == NAMED)[MOST_ROUTERS:]
    if len(named):
        names = total["thing"].to_numpy().copy()
        names[named] = OTHERS
        total = summed(total.set_column(total.column_names.index("thing"), "thing", pa.array(names, pa.string())))
    return total


def counts_of(
    enterprise: CompiledEnterprise, batch: pa.RecordBatch, judged: Judged, split: int, before: int
) -> pa.Table:
    """Return what rows of a split add up to, after ``before`` others: ``what``, ``version``, ``thing``, ``COUNTED``."""
    rows = np.arange(before, before + batch.num_rows, dtype=np.int64)
    places = (judged.version.astype(np.int64) << SPLIT_BITS | split) << ROW_BITS | rows
    first = np.where(judged.verdict == FAIL, places, NOWHERE)
    parts = []
    for what, version, chosen, things in _things(enterprise, batch, judged):
        coded = pa.array(things).dictionary_encode()
        codes, size, width = coded.indices.to_numpy().astype(np.int64), len(coded.dictionary), len(VERDICTS)
        counts = np.bincount(codes * width + judged.verdict[chosen], minlength=size * width).reshape(size, width)
        lowest, failing = np.full(size, NOWHERE), np.flatnonzero(first[chosen] < NOWHERE)
        np.minimum.at(lowest, codes[failing], first[chosen][failing])
        keys = [pa.array(np.full(size, key)) for key in (what, version)]
        columns = (pa.array(column, pa.int64()) for column in (*counts.T, lowest))
        names = ["what", "version", "thing", *COUNTED.names]
        parts.append(pa.table([*keys, coded.dictionary.cast(pa.string()), *columns], names))
    return pa.concat_tables(parts)


def _things(
    enterprise: CompiledEnterprise, batch: pa.RecordBatch, judged: Judged
) -> Iterator[tuple[int, int, Any, Any]]:
    """Yield what is counted, of which version, in which rows, and the thing in each of these."""
    yield RULE, 0, slice(None), judged.rule
    yield REGISTER, 0, judged.by_register, np.zeros(np.count_nonzero(judged.by_register), np.int64)
    named = "router" in batch.schema.names and not pa.types.is_null(batch.schema.field("router").type)
    if named:
        yield NAMED, 0, slice(None), batch.column("router").cast(pa.string()).fill_null(NAMELESS)
    for version, compiled in enumerate(enterprise.versions):
        chosen = np.flatnonzero(judged.version == version)
        source, sites = judged.source[chosen], compiled.sites + 1
        if not named:
            yield SOURCE, version, chosen, np.where(source < 0, len(compiled.oracle.identifiers), source)
        if compiled.sites > MOST_SITES:
            chosen = chosen[judged.verdict[chosen] != PASS]
        here, there = (compiled.site_of[ends[chosen]].astype(np.int64) for ends in (judged.source, judged.destination))
        yield PAIR, version, chosen, here * sites + there


def place_in(first: int) -> tuple[int, int, int]:
    """Return the version, the split and the row of a place."""
    return first >> SPLIT_BITS + ROW_BITS, first >> ROW_BITS & (1 << SPLIT_BITS) - 1, first & (1 << ROW_BITS) - 1
