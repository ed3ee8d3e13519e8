"""The audit of deliveries as functions from DataFrame to DataFrame."""

from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Final

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it

from mqconform.reports.pipeline.deliveries.judging import judge_streams
from mqconform.reports.pipeline.deliveries.tables import ENTRY_COLUMNS, STREAM_DDL
from mqconform.reports.pipeline.problems import UnusableInput

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

KEY: Final = "stream_key"
"""A hash of the stream's name."""
CHUNK: Final = 500_000
"""Entries that are judged at once, at least, where a partition has as many; a stream is never divided."""


def ordered_log(log: "DataFrame") -> "DataFrame":
    """Return a log with ``ENTRY_COLUMNS``, ``order_known`` and ``KEY``, each stream in order in one partition.

    Streams are sorted by a hash of their names, as comparing numbers costs far less than comparing names; the entries
    of streams that happen to have the same hash are mixed, each in its own order.

    Entries are ordered by ``time`` and then by ``position``, as far as there are such columns. A time is a number, or
    a text that Spark reads as a timestamp.

    Raises:
        UnusableInput: a column is missing.
    """
    missing = [name for name in ("stream", "event", "message", "sequence") if name not in log.columns]
    order = [name for name in ("time", "position") if name in log.columns]
    if missing or not order:
        what = f"column {', '.join(missing)} is missing" if missing else "neither column time nor position is there"
        raise UnusableInput(f"the delivery log: {what}; the columns are {', '.join(log.columns) or 'none'}")
    keys = [key for name in order for key in _keys(log, name)]
    known = keys[0].isNotNull()
    for key in keys[1:]:
        known = known & key.isNotNull()
    shaped = log.select(
        *(_shaped(log, name) for name in ENTRY_COLUMNS),
        F.xxhash64("stream").alias(KEY),
        known.alias("order_known"),
        *(key.alias(f"order_{place}") for place, key in enumerate(keys)),
    )
    placed = shaped.repartition(KEY).sortWithinPartitions(KEY, *(f"order_{place}" for place in range(len(keys))))
    return placed.select(*ENTRY_COLUMNS, "order_known", KEY)


def judged_streams(ordered: "DataFrame", *, healed: bool) -> "DataFrame":
    """Return a row of ``STREAM`` for each stream of an ``ordered_log`` (page, sections 2 to 4).

    Args:
        ordered: what ``ordered_log`` gives.
        healed: whether the log goes on until everything had arrived: what never did is lost then.
    """

    def judge(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for whole in whole_streams(batches):
            yield from judge_streams(whole, healed=healed).to_batches()

    return ordered.mapInArrow(judge, STREAM_DDL)


def whole_streams(batches: Iterable[pa.RecordBatch], chunk: int = CHUNK) -> Iterator[pa.Table]:
    """Join batches into tables of at least ``chunk`` entries that end where a stream ends."""
    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        if rows >= chunk and batch.num_rows:
            cut = _first_of_another(batch, waiting[-1].column(KEY)[-1].as_py())
            if cut < batch.num_rows:
                yield pa.Table.from_batches([*waiting, batch.slice(0, cut)])
                waiting, rows, batch = [], 0, batch.slice(cut)  # noqa: PLW2901 - the rest of it
        if batch.num_rows:
            waiting.append(batch)
            rows += batch.num_rows
    if waiting:
        yield pa.Table.from_batches(waiting)


def findings_of_streams(streams: "DataFrame") -> "DataFrame":
    """Return a row for each listed finding: ``stream`` and the fields of ``FINDING``."""
    return streams.select("stream", F.inline("findings"))


def by_requirement(streams: "DataFrame") -> "DataFrame":
    """Return how often each requirement was found violated, in how many streams: from rows of ``STREAM``."""
    found = findings_of_streams(streams).groupBy("requirement", "finding", "role")
    return found.agg(F.count("*").alias("found"), F.countDistinct("stream").alias("streams"))


def totals(streams: "DataFrame") -> "DataFrame":
    """Return one row: sums over all streams, and how many have which verdict."""
    sums = [F.coalesce(F.sum(name), F.lit(0)).alias(name) for name in ("entries", "deliveries", "unusable", "found")]
    verdicts = [F.count_if(F.col("verdict") == one).alias(one) for one in ("pass", "fail", "inconclusive")]
    return streams.agg(F.count("*").alias("streams"), *sums, *verdicts)


def _first_of_another(batch: pa.RecordBatch, last: int) -> int:
    others = np.flatnonzero(batch.column(KEY).to_numpy() != last)
    return int(others[0]) if len(others) else batch.num_rows


def _shaped(log: "DataFrame", name: str) -> "Column":
    kind = "bigint" if name in {"sequence", "previous"} else "string"
    if name not in log.columns:
        return F.lit(None).cast(kind).alias(name)
    return F.col(name).try_cast(kind).alias(name)


def _keys(log: "DataFrame", name: str) -> list["Column"]:
    """Return what entries are ordered by: numbers of eight octets, which sort many times faster than decimals."""
    column = F.col(name)
    if name == "position":
        return [column.try_cast("bigint")]
    if log.schema["time"].dataType.typeName() != "string":
        return [column]
    number = F.when(F.contains(column, F.lit(":")), None).otherwise(column.try_cast("decimal(38,9)"))
    micros = F.unix_micros(column.try_cast("timestamp"))
    after = F.pmod(micros, F.lit(10**6))
    seconds = F.floor(number).try_cast("bigint"), ((micros - after) / 10**6).cast("bigint")
    fraction = (F.pmod(number, F.lit(Decimal(1))) * 10**9).cast("bigint"), after * 1_000
    return [F.coalesce(*seconds), F.coalesce(*fraction)]
