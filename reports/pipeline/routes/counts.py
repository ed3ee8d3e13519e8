"""Counts of verdicts by rule, router and pair of sites, with the first failing row of each: what tasks add up.

Things that are counted are numbers, so that millions of rows and of pairs add up in arrays; only routers with a column
of their own are texts.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Int64s
from mqconform.reports.pipeline.routes.enterprise import CompiledEnterprise, CompiledVersion
from mqconform.reports.pipeline.routes.judging import FAIL, PASS, VERDICTS, Judged

MOST_SITES: Final = 2_048
"""Sites up to which all rows are counted by pair of sites; of more, only rows that did not pass."""
MOST_ROUTERS: Final = 200_000
"""Different texts in a column ``router`` that are counted apart; what comes after them is counted together."""
OTHERS: Final = "(others)"
NAMELESS: Final = "(none)"
NOWHERE: Final = np.iinfo(np.int64).max
"""Place of the first failing row where there is none."""
SPLIT_BITS, ROW_BITS = 20, 36
"""A place is a version, a split and a row in it, so that the lowest is the first row under the earliest version."""
RULE, REGISTER, SOURCE, PAIR, NAMED, ROWS = range(6)
"""What is counted: codes of rules; 0 for rows that rest on the register; numbers of sources, one behind the last for
those that the directory does not know; pairs of sites, the source's times sites plus the destination's, of rows that
did not pass; texts in the column ``router``, which is counted instead of sources; rows by pair of sites."""


class Tally(NamedTuple):
    """How often things have each verdict."""

    things: Any
    """The things, each once: an array of numbers, or an Arrow array of texts."""
    counts: Int64s
    """Of each thing the rows of each verdict, in the order of ``VERDICTS``."""
    first: Int64s
    """Of each thing the place of the first row that failed, ``NOWHERE`` without."""


Counts = dict[tuple[int, int], Any]
"""What is counted, and under which version of the directory -> its tally; of ``ROWS`` a number for each pair."""
NOTHING_COUNTED: Final = Tally(np.zeros(0, np.int64), np.zeros((0, len(VERDICTS)), np.int64), np.zeros(0, np.int64))


def _coded(things: Any) -> tuple[Any, Int64s]:
    """Return candidates for the different things, and which of them each is."""
    if isinstance(things, pa.Array):
        coded = things.dictionary_encode()
        return coded.dictionary, coded.indices.to_numpy()
    size = int(things.max()) + 1 if len(things) else 0
    if size > 4 * len(things):  # few things: sorted first, and not counted at places of their own
        return np.unique(things, return_inverse=True)
    return np.arange(size), things


def _tally(things: Any, sums: Sequence[Int64s], first: Int64s) -> Tally:
    """Return the tally of those things that were counted at all."""
    counted = np.flatnonzero(np.bitwise_or.reduce(sums))
    return Tally(things.take(pa.array(counted)) if isinstance(things, pa.Array) else things[counted],
                 np.stack([column[counted] for column in sums], axis=1), first[counted])  # fmt: skip


def tally_of(things: Any, verdicts: Any, places: Int64s) -> Tally:
    """Return the tally of rows: the thing of each, its verdict, and its place where it failed."""
    different, codes = _coded(things)
    size, width = len(different), len(VERDICTS)
    counts = np.bincount(codes.astype(np.int64) * width + verdicts, minlength=size * width).reshape(size, width)
    return _tally(different, [*counts.T], _lowest(size, codes, places))


def added(*tallies: Tally) -> Tally:
    """Return the sum of tallies."""
    if len(tallies) == 1:
        return tallies[0]
    things = [tally.things for tally in tallies]
    texts = any(isinstance(some, pa.Array) for some in things)
    different, codes = _coded(pa.concat_arrays(things) if texts else np.concatenate(things))
    size, counts = len(different), np.concatenate([tally.counts for tally in tallies])
    sums = [np.bincount(codes, column, size).astype(np.int64) for column in counts.T]  # exact: far below 2**53 rows
    return _tally(different, sums, _lowest(size, codes, np.concatenate([tally.first for tally in tallies])))


def _lowest(size: int, codes: Int64s, places: Int64s) -> Int64s:
    lowest, failing = np.full(size, NOWHERE), np.flatnonzero(places < NOWHERE)
    np.minimum.at(lowest, codes[failing], places[failing])
    return lowest


def merged(*counts: Counts) -> Counts:
    """Return the sums of what batches or splits add up to."""
    keys = dict.fromkeys(key for some in counts for key in some)
    found = {key: [some[key] for some in counts if key in some] for key in keys}
    total: Counts = {key: sum(some) if key[0] == ROWS else added(*some) for key, some in found.items()}
    named = total.get((NAMED, 0))
    if named is not None and len(named.things) > MOST_ROUTERS:
        others = pa.array([OTHERS] * (len(named.things) - MOST_ROUTERS))
        total[NAMED, 0] = added(named._replace(things=pa.concat_arrays([named.things[:MOST_ROUTERS], others])))
    return total


def counts_of(enterprise: CompiledEnterprise, batch: pa.RecordBatch, judged: Judged, split: int, before: int) -> Counts:
    """Return what rows of a split add up to, after ``before`` others."""
    rows = np.arange(before, before + batch.num_rows, dtype=np.int64)
    places = (judged.version.astype(np.int64) << SPLIT_BITS | split) << ROW_BITS | rows
    first = np.where(judged.verdict == FAIL, places, NOWHERE)
    counts: Counts = {
        (what, version): tally_of(things, judged.verdict[chosen], first[chosen])
        for what, version, chosen, things in _things(enterprise, batch, judged)
    }
    for version, compiled in enumerate(enterprise.versions):
        if compiled.sites <= MOST_SITES:
            pairs = _pairs(compiled, judged, _rows_of(enterprise, judged, version))
            counts[ROWS, version] = np.bincount(pairs, minlength=(compiled.sites + 1) ** 2)
    return counts


def _rows_of(enterprise: CompiledEnterprise, judged: Judged, version: int) -> Any:
    return np.flatnonzero(judged.version == version) if len(enterprise.versions) > 1 else slice(None)


def _pairs(version: CompiledVersion, judged: Judged, rows: Any) -> Int64s:
    here, there = (version.site_of[ends[rows]].astype(np.int64) for ends in (judged.source, judged.destination))
    pairs: Int64s = here * (version.sites + 1) + there
    return pairs


def _things(
    enterprise: CompiledEnterprise, batch: pa.RecordBatch, judged: Judged
) -> Iterator[tuple[int, int, Any, Any]]:
    """Yield what is counted, of which version, in which rows, and the thing in each of these."""
    yield RULE, 0, slice(None), judged.rule
    yield REGISTER, 0, judged.by_register, np.zeros(np.count_nonzero(judged.by_register), np.int64)
    named = "router" in batch.schema.names and not pa.types.is_null(batch.schema.field("router").type)
    if named:
        yield NAMED, 0, slice(None), batch.column("router").cast(pa.string()).fill_null(NAMELESS)
    apart = np.flatnonzero(judged.verdict != PASS)
    for version, compiled in enumerate(enterprise.versions):
        chosen = _rows_of(enterprise, judged, version)
        source = judged.source[chosen]
        if not named:
            yield SOURCE, version, chosen, np.where(source < 0, len(compiled.oracle.identifiers), source)
        own = apart[judged.version[apart] == version] if len(enterprise.versions) > 1 else apart
        yield PAIR, version, own, _pairs(compiled, judged, own)


def place_in(first: int) -> tuple[int, int, int]:
    """Return the version, the split and the row of a place."""
    return first >> SPLIT_BITS + ROW_BITS, first >> ROW_BITS & (1 << SPLIT_BITS) - 1, first & (1 << ROW_BITS) - 1
