"""Delivery logs from DataFrame to DataFrame: shaped and judged."""

from decimal import Decimal
from typing import TYPE_CHECKING, Final

import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reports.pipeline.deliveries.judging import NUMBERS, STREAM, in_order, judge_streams
from mqconform.reports.pipeline.groups import judge_groups
from mqconform.reports.pipeline.problems import without_columns

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

STREAM_VERDICTS: Final = from_arrow_schema(STREAM)
"""One stream: entries, deliveries, entries that could not be used, what was found, the verdict, and each finding."""

ENTRY_COLUMNS: Final = ("stream", "event", "message", "sequence", "previous", "position", "time")
"""Columns of a delivery log; ``previous`` may be missing or null, and one of the last two has to be there."""
ORDERING: Final = ("time", "position")
"""By what entries of a stream are ordered: by time, then by position, as far as a log has them."""
ROW: Final = "_row_in_its_file"
"""Where a log comes from files, orders entries of the same time and position."""
_NUMBER, _MICROS = "number_of_time", "micros_of_time"


def with_order(rows: "DataFrame") -> "DataFrame":
    """Return rows of files with ``ROW``, which has their order within each file."""
    return rows.withColumn(ROW, F.monotonically_increasing_id())


def shaped_log(log: "DataFrame") -> "DataFrame":
    """Return a log with ``ENTRY_COLUMNS`` and its sort keys ``order_0`` and so on, null where the order is not known.

    Entries are ordered by ``time`` and then by ``position``, as far as there are such columns. A time is a number, or
    a text that Spark reads as a timestamp.

    Raises:
        UnusableInput: a column is missing.
    """
    missing = [name for name in ENTRY_COLUMNS[:4] if name not in log.columns]
    if missing or not set(log.columns).intersection(ORDERING):
        raise without_columns("the delivery log", missing, "neither column time nor position is there", log.columns)
    timed = _with_times(log)
    keys = [key for name in ORDERING if name in log.columns for key in _keys(log, name)]
    keys += [F.col(ROW)] if ROW in log.columns else []
    named = (key.alias(f"order_{place}") for place, key in enumerate(keys))
    return timed.select(*(_shaped(log, name) for name in ENTRY_COLUMNS), *named)


def judge_deliveries(log: "DataFrame", *, healed: bool = False, begun: bool = False) -> "DataFrame":
    """Return a row of ``STREAM_VERDICTS`` for each stream of a delivery log (docs/exactly-once.md, sections 2 to 4).

    Spark brings the entries of a stream together; ``findings`` lists what is wrong at which entry.

    Args:
        log: ``stream``, ``event``, ``message``, ``sequence``, optionally ``previous``, and ``time`` or ``position``.
        healed: whether the log has the streams from their beginning until everything had arrived: what never did is
            lost then.
        begun: whether it has them from their beginning.

    Raises:
        UnusableInput: a column is missing, or the log is a stream of Spark's.
    """

    def judge(entries: pa.Table) -> pa.Table:
        return judge_streams(in_order(entries), healed=healed, begun=begun)

    return judge_groups(shaped_log(log), ("stream",), judge, STREAM_VERDICTS)


def findings_of(streams: "DataFrame") -> "DataFrame":
    """Return a row for each listed finding of what ``judge_deliveries`` gives: ``stream`` and where and what it is."""
    return streams.select("stream", F.inline("findings"))


def _shaped(log: "DataFrame", name: str) -> "Column":
    kind = "bigint" if name in NUMBERS else "string"
    if name not in log.columns:
        return F.lit(None).cast(kind).alias(name)
    return F.col(name).try_cast(kind).alias(name)


def _with_times(log: "DataFrame") -> "DataFrame":
    """Add what a text ``time`` says, as a number or in microseconds, so that keys made of it read it once."""
    if not _is_text(log, "time"):
        return log
    time, number = F.col("time"), F.col(_NUMBER)
    numbered = log.withColumn(_NUMBER, F.when(~F.contains(time, F.lit(":")), time.try_cast("decimal(38,9)")))
    return numbered.withColumn(_MICROS, F.when(number.isNull(), F.unix_micros(time.try_cast("timestamp"))))


def _keys(log: "DataFrame", name: str) -> list["Column"]:
    """Return what entries are ordered by: numbers of eight octets, which sort many times faster than decimals."""
    if name == "position":
        return [F.col(name).try_cast("bigint")]
    if not _is_text(log, name):
        return [F.col(name)]
    number, after = F.col(_NUMBER), F.pmod(F.col(_MICROS), F.lit(10**6))
    seconds = F.floor(number).try_cast("bigint"), F.expr(f"({_MICROS} - pmod({_MICROS}, 1000000)) div 1000000")
    fraction = (F.pmod(number, F.lit(Decimal(1))) * 10**9).cast("bigint"), after * 1_000
    return [F.coalesce(*seconds), F.coalesce(*fraction)]


def _is_text(log: "DataFrame", name: str) -> bool:
    return name in log.columns and log.schema[name].dataType.typeName() == "string"
