"""Delivery logs from DataFrame to DataFrame: shaped and judged."""

from decimal import Decimal
from functools import reduce
from operator import and_
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reference.history import streams_compiled
from mqconform.reference.history.streams import NOT_RECORDED, Columns, Finding, Kind
from mqconform.reference.mqbr.bulk_compiled import Flags, Int64s
from mqconform.reports.pipeline.arrow_columns import integers, whole
from mqconform.reports.pipeline.entry import MOMENT, NUMBER, VALUE, check_entry, column_of, judge_groups
from mqconform.reports.pipeline.problems import ROW
from mqconform.reports.shapes import columns

NUMBERS: Final = ("sequence", "previous")
"""Which columns of a log are integers; all others are texts."""
_ENTRY: Final = ("event", "message", "sequence", "previous", "position", "time")
FINDING: Final = pa.struct(
    columns("finding! requirement! role! event message sequence:int64 previous:int64 position time")
)
"""One thing that is wrong at one entry."""
COUNTS: Final = ("entries", "deliveries", "unusable", "found", "undecided")
STREAM: Final = columns(
    "stream entries:int64! deliveries:int64! unusable:int64! found:int64! undecided:int64! verdict! findings!",
    findings=pa.list_(FINDING),
)
"""One stream: how many entries and deliveries it has, how many entries could not be used, what was found, and how many
entries are wrong only if the stream begins in the log, which the log does not tell."""
SHOWN_OF_A_STREAM: Final = 1_000
"""Findings of one stream that are listed; all are counted."""
PASS, FAIL, INCONCLUSIVE = "pass", "fail", "inconclusive"

_NAMING_A_MESSAGE: Final = [int(kind) for kind in (Kind.ENQUEUED, Kind.SENT, Kind.ACCEPTED, Kind.DISCARDED)]
_NUMBERED: Final = [int(kind) for kind in (Kind.SENT, Kind.ACCEPTED, Kind.REJECTED, Kind.ACKNOWLEDGED, Kind.RELEASED)]
_NUMBERED_MESSAGES: Final = _NUMBERED[:3]
FIRST_NUMBER: Final = 1
"""What a stream without it in its log has sent before."""
GREATEST_NUMBER: Final = 2**53
"""Sequence numbers have 32 bits; what is far beyond is not a number of a log."""


def judge_streams(log: pa.Table, *, healed: bool, begun: bool) -> pa.Table:
    """Return a row of ``STREAM`` for each stream (page, sections 2 to 4); see ``judge_deliveries``.

    The entries have ``ENTRY_COLUMNS`` and ``order_known``. Those of one stream follow one another, as they occurred.
    """
    names, stream = _numbered(log.column("stream"))
    entries, messages, usable = _entries(log, stream)
    findings, undecided = np.zeros(log.num_rows, np.int64), np.zeros(len(names), np.int64)
    used = Columns(*(column[usable] for column in entries))
    findings[usable] = streams_compiled.findings_of(used, len(names), messages, healed=healed, begun=True)
    if not (begun or healed):
        sure = streams_compiled.findings_of(used, len(names), messages, healed=False, begun=False)
        undecided = _undecided(used, (findings[usable] & ~sure) > 0, len(names))
        findings[usable] = sure
    accepted = usable & (entries.kind == int(Kind.ACCEPTED))
    return _stream_rows(log, (names, stream), (usable, accepted), findings, undecided)


def _undecided(log: Columns, entries: Flags, streams: int) -> Int64s:
    """Return how many of some entries each stream has; none where it ran before the log, as its numbers show."""
    first = (log.number == FIRST_NUMBER) & np.isin(log.kind, _NUMBERED_MESSAGES)
    may_begin = np.bincount(log.stream[first], minlength=streams) > 0
    return np.where(may_begin, np.bincount(log.stream[entries], minlength=streams), 0)


def _numbered(column: Any) -> tuple[pa.Array, Int64s]:
    """Return the values of a column in order of appearance, null as well, and the number of each row's value."""
    encoded = whole(column).dictionary_encode(null_encoding="encode")
    return encoded.dictionary, encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)


def _entries(log: pa.Table, stream: Int64s) -> tuple[Columns, int, Flags]:
    """Return the entries in numbers, how many messages they name, and which can be used."""
    kinds = pc.index_in(whole(log.column("event")), value_set=pa.array([kind.word for kind in Kind], pa.string()))
    kind = np.asarray(pc.fill_null(kinds, -1), dtype=np.int64) + 1
    (number, has_number), (previous, has_previous) = (integers(log.column(name)) for name in NUMBERS)
    named = np.asarray(log.column("message").is_valid())
    texts, text = _numbered(log.column("message"))
    messages, message = _numbered(pa.array(stream * (len(texts) + 1) + text))
    naming = np.isin(kind, _NAMING_A_MESSAGE)
    usable = (
        (kind > 0)
        & np.asarray(log.column("stream").is_valid())
        & np.asarray(pc.fill_null(log.column("order_known"), fill_value=False))
        & (named | ~naming)
        & (has_number | ~np.isin(kind, _NUMBERED))
        & np.logical_and.reduce([(value >= 0) & (value <= GREATEST_NUMBER) for value in (number, previous)])
    )
    previous = np.where(has_previous, previous, NOT_RECORDED)
    return Columns(kind, stream, np.where(naming, message, -1), number, previous), len(messages), usable


def _stream_rows(
    log: pa.Table, streams: tuple[pa.Array, Int64s], entries: tuple[Flags, Flags], findings: Int64s, undecided: Int64s
) -> pa.Table:
    """Return the rows of ``STREAM``; ``entries`` are those that can be used, and those that are deliveries."""
    (names, stream), (usable, accepted) = streams, entries

    def counted(rows: Any) -> Int64s:
        return np.bincount(stream[rows], minlength=len(names))

    row, finding = _single(stream, findings)
    first = np.searchsorted(stream[row], stream[row])
    listed = np.arange(len(row)) - first < SHOWN_OF_A_STREAM
    wrong, unusable = counted(row), counted(~usable)
    verdict = np.where(wrong > 0, FAIL, np.where(undecided > 0, INCONCLUSIVE, PASS))
    verdict = np.where(unusable > 0, INCONCLUSIVE, verdict)
    ends = np.append(0, np.cumsum(counted(row[listed]))).astype(np.int32)
    counts = counted(slice(None)), counted(accepted), unusable, wrong, undecided
    lists = pa.ListArray.from_arrays(pa.array(ends), _findings(log, row[listed], finding[listed]))
    columns = [names, *map(pa.array, counts), pa.array(verdict, pa.string()), lists]
    cast = [column.cast(field.type) for column, field in zip(columns, STREAM, strict=True)]
    return pa.Table.from_arrays(cast, schema=STREAM)


def _single(stream: Int64s, findings: Int64s) -> tuple[Int64s, Int64s]:
    """Return row and kind of all single findings, ordered by stream and row."""
    kinds = np.array([int(kind) for kind in Finding])
    row, place = np.nonzero(findings[:, None] & kinds)
    order = np.lexsort((kinds[place], row, stream[row]))
    return row[order], kinds[place][order]


def _findings(log: pa.Table, row: Int64s, finding: Int64s) -> pa.StructArray:
    rules = {int(kind): (kind.name.lower(), kind.requirement, kind.role) for kind in Finding}
    meaning = [rules[kind] for kind in finding.tolist()]
    there = log.take(pa.array(row))
    columns = [pa.array([rule[place] for rule in meaning], pa.string()) for place in range(3)]
    columns += [whole(there.column(name)) for name in _ENTRY]
    cast = [column.cast(field.type) for column, field in zip(columns, FINDING, strict=True)]
    return pa.StructArray.from_arrays(cast, fields=list(FINDING))


STREAM_VERDICTS: Final = from_arrow_schema(STREAM)
"""One stream: entries, deliveries, entries that could not be used, what was found, the verdict, and each finding."""

ENTRY_COLUMNS: Final = ("stream", "event", "message", "sequence", "previous", "position", "time")
"""Columns of a delivery log; ``previous`` may be missing or null, and one of the last two has to be there."""
ORDERING: Final = ("time", "position")
"""By what entries of a stream are ordered: by time, then by position, as far as a log has them."""
_NEEDED: Final = dict.fromkeys(ENTRY_COLUMNS[:3], VALUE) | {"sequence": NUMBER}
_OPTIONAL: Final = {"previous": NUMBER, "position": NUMBER, "time": MOMENT}
_SECONDS: Final = "decimal(28,9)"


def shaped_log(log: DataFrame) -> DataFrame:
    """Return a log with ``ENTRY_COLUMNS``, its sort keys ``order_0`` and so on, and whether all of these are known.

    Entries are ordered by ``time`` and then by ``position``, as far as there are such columns. A time is a number, or
    a text that Spark reads as a timestamp. Where a log comes from files, ``ROW`` orders what is alike in both.

    Raises:
        UnusableInput: a column is missing or of a wrong type.
    """
    check_entry(log, "the delivery log", _NEEDED, _OPTIONAL, either=ORDERING)
    keys = [_key(log, name) for name in ORDERING if name in log.columns]
    keys += [F.col(ROW)] if ROW in log.columns else []
    named = (key.alias(f"order_{place}") for place, key in enumerate(keys))
    known = reduce(and_, (key.isNotNull() for key in keys)).alias("order_known")
    columns = (column_of(log, name, "bigint" if name in NUMBERS else "string") for name in ENTRY_COLUMNS)
    return log.select(*columns, *named, known)


def judge_deliveries(log: DataFrame, *, healed: bool = False, begun: bool = False) -> DataFrame:
    """Return a row of ``STREAM_VERDICTS`` for each stream of a delivery log (docs/exactly-once.md, sections 2 to 4).

    Spark brings the entries of a stream together; ``findings`` lists what is wrong at which entry.

    Args:
        log: ``stream``, ``event``, ``message``, ``sequence``, optionally ``previous``, and ``time`` or ``position``.
        healed: whether the log has the streams from their beginning until everything had arrived: what never did is
            lost then.
        begun: whether it has them from their beginning.

    Raises:
        UnusableInput: a column is missing or of a wrong type, or the log is a stream of Spark's.
    """

    def judge(entries: pa.Table) -> pa.Table:
        return judge_streams(entries, healed=healed, begun=begun)

    shaped = shaped_log(log)
    keys = [name for name in shaped.columns if name.startswith("order_") and name != "order_known"]
    return judge_groups(shaped, ("stream",), judge, STREAM_VERDICTS, order=keys)


def findings_of(streams: DataFrame) -> DataFrame:
    """Return a row for each listed finding of what ``judge_deliveries`` gives: ``stream`` and where and what it is."""
    return streams.select("stream", F.inline("findings"))


def _key(log: DataFrame, name: str) -> Column:
    """Return what entries are ordered by: a number, or what a text says as a number or, in seconds, as a moment."""
    column = F.col(name)
    if name == "position":
        return column.try_cast("bigint")
    if log.schema[name].dataType.typeName() != "string":
        return column
    seconds = F.unix_micros(column.try_cast("timestamp")) / F.lit(Decimal(10**6))
    return F.coalesce(column.try_cast(_SECONDS), seconds.cast(_SECONDS))
