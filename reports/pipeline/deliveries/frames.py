"""A delivery log as Spark reads it, for whatever cannot be read in only one way: shaped, and handed on by its tasks."""

import pickle
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it

from mqconform.reports.pipeline.deliveries.handing import Batch, hand_on
from mqconform.reports.pipeline.deliveries.tables import ENTRY_COLUMNS, NUMBERS
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.storage import Place

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

ROWS_TOGETHER: Final = 2**18
"""Entries that are handed on at once."""


def shaped_log(log: "DataFrame") -> "DataFrame":
    """Return a log with ``ENTRY_COLUMNS``, ``order_known``, and ``order_0`` and so on, which tell its order.

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
    return log.select(
        *(_shaped(log, name) for name in ENTRY_COLUMNS),
        known.alias("order_known"),
        *(key.alias(f"order_{place}") for place, key in enumerate(keys)),
    )


def handed_on(log: "DataFrame", buckets: int, staging: Place) -> list[Batch]:
    """Hand the entries of a ``shaped_log`` on; return which batches there are.

    Args:
        log: the entries.
        buckets: among how many buckets the streams are divided.
        staging: where tasks write them.
    """

    def write(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        pa.set_cpu_count(1)  # Spark gives a task one core
        context = TaskContext.get()
        assert context is not None, "this runs in a task"
        number = context.partitionId()
        found = hand_on(_together(batches), buckets, staging, number)
        report = [pa.array([number], pa.int32()), pa.array([pickle.dumps(found)], pa.binary())]
        yield pa.RecordBatch.from_arrays(report, ["number", "batches"])

    rows = log.mapInArrow(write, "number int, batches binary").collect()
    return [batch for row in sorted(rows, key=_number) for batch in pickle.loads(row["batches"])]  # noqa: S301 - ours


def _number(row: Any) -> int:
    number: int = row["number"]
    return number


def _together(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Join batches, which Spark makes small."""
    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        waiting.append(batch)
        if sum(one.num_rows for one in waiting) >= ROWS_TOGETHER:
            yield pa.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting)


def _shaped(log: "DataFrame", name: str) -> "Column":
    kind = "bigint" if name in NUMBERS else "string"
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
