"""Some whole streams of a delivery log, judged: from columns to what is wrong at which entry."""

from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from mqconform.reference.eod.findings import RULES, Finding
from mqconform.reference.eod.history import NOT_RECORDED, Kind
from mqconform.reference.eod.history_bulk import findings_of
from mqconform.reference.eod.history_scan import Columns
from mqconform.reference.mqbr.bulk_compiled import Int64s
from mqconform.reports.pipeline.deliveries.tables import FAIL, FINDING, INCONCLUSIVE, PASS, SHOWN_OF_A_STREAM, STREAM

_KINDS: Final = {kind.word: int(kind) for kind in Kind}
_NAMING_A_MESSAGE: Final = [int(kind) for kind in (Kind.ENQUEUED, Kind.SENT, Kind.ACCEPTED, Kind.DISCARDED)]
_NUMBERED: Final = [int(kind) for kind in (Kind.SENT, Kind.ACCEPTED, Kind.REJECTED, Kind.ACKNOWLEDGED, Kind.RELEASED)]
_NUMBERED_MESSAGES: Final = [int(kind) for kind in (Kind.SENT, Kind.ACCEPTED, Kind.REJECTED)]
FIRST_NUMBER: Final = 1
"""What a stream without it in its log has sent before."""
GREATEST_NUMBER: Final = 2**53
"""Sequence numbers have 32 bits; what is far beyond is no number of a log."""


class _Log(NamedTuple):
    """A log in numbers."""

    columns: Columns
    messages: int
    usable: NDArray[np.bool_]


def judge_streams(log: pa.Table, *, healed: bool, begun: bool) -> pa.Table:
    """Return a row of ``STREAM`` for each stream (page, sections 2 to 4).

    Args:
        log: columns ``ENTRY_COLUMNS`` and ``order_known``, a Boolean; entries of one stream stand in order of
            occurrence, those of other streams may stand among them.
        healed: whether the log has the streams from their beginning until everything had arrived: what never did is
            lost then.
        begun: whether it has them from their beginning.
    """
    if not log.num_rows:
        return STREAM.empty_table()
    names, stream = _stream_numbers(log.column("stream"))
    if (np.diff(stream) < 0).any():  # streams whose hashes are equal came mixed
        order = np.argsort(stream, kind="stable")
        log, stream = log.take(pa.array(order)), stream[order]
    numbered = _numbered(log, stream)
    findings = np.zeros(log.num_rows, dtype=np.int64)
    rows = np.flatnonzero(numbered.usable)
    columns = Columns(*(column[rows] for column in numbered.columns))
    findings[rows] = findings_of(columns, len(names), numbered.messages, healed=healed, begun=True)
    undecided = np.zeros(len(names), dtype=np.int64)
    if not (begun or healed):
        sure = findings_of(columns, len(names), numbered.messages, healed=False, begun=False)
        undecided = _undecided(columns, (findings[rows] & ~sure) > 0, len(names))
        findings[rows] = sure
    return _stream_rows(log, names, stream, numbered, findings, undecided)


def _undecided(columns: Columns, entries: NDArray[np.bool_], streams: int) -> Int64s:
    """Return how many of some entries each stream has; none where it ran before the log, as its numbers show."""
    first = (columns.number == FIRST_NUMBER) & np.isin(columns.kind, _NUMBERED_MESSAGES)
    may_begin = np.bincount(columns.stream[first], minlength=streams) > 0
    return np.where(may_begin, np.bincount(columns.stream[entries], minlength=streams), 0)


def in_order(log: pa.Table) -> pa.Table:
    """Return entries so that those of one stream stand together, in the order of the columns ``order_0`` and so on.

    These give way to ``order_known``. Entries of which the order is not known stand anywhere in their stream: they are
    not used.
    """
    keys = [name for name in log.column_names if name.startswith("order_")]
    has_order = np.logical_and.reduce([np.asarray(log.column(key).is_valid()) for key in keys])
    _, stream = _stream_numbers(log.column("stream"))
    order = np.lexsort([*(_sortable(log.column(key)) for key in reversed(keys)), stream])
    entries = log.drop_columns(keys).append_column("order_known", pa.array(has_order))
    sorted_already = (np.diff(order) == 1).all()
    return entries if sorted_already else entries.take(pa.array(order))


def _sortable(column: Any) -> Any:
    """Return sort keys as numbers; the number for a null is arbitrary."""
    kind = column.type
    if pa.types.is_timestamp(kind):
        column = column.cast(pa.int64())
    elif not (pa.types.is_integer(kind) or pa.types.is_floating(kind)):
        column = pc.rank(column.combine_chunks(), tiebreaker="dense")
    return pc.fill_null(column, 0).to_numpy()


def _stream_numbers(column: Any) -> tuple[pa.Array, Int64s]:
    """Return the name of each stream in order of appearance, and the number of each row's stream."""
    encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    return encoded.dictionary, encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)


def _numbered(log: pa.Table, stream: Int64s) -> _Log:
    event = log.column("event")
    kinds = pc.index_in(event, value_set=pa.array(list(_KINDS)))
    kind = np.asarray(pc.fill_null(pc.add(kinds, 1), 0), dtype=np.int64)
    number, has_number = _integers(log.column("sequence"))
    previous, has_previous = _integers(log.column("previous"))
    named = np.asarray(log.column("message").is_valid())
    message, messages = _message_numbers(stream, log.column("message"), named)
    usable = (
        (kind > 0)
        & np.asarray(log.column("stream").is_valid())
        & np.asarray(pc.fill_null(log.column("order_known"), fill_value=False))
        & (named | ~np.isin(kind, _NAMING_A_MESSAGE))
        & (has_number | ~np.isin(kind, _NUMBERED))
        & (number >= 0)
        & (number <= GREATEST_NUMBER)
        & (previous >= 0)
        & (previous <= GREATEST_NUMBER)
    )
    message = np.where(np.isin(kind, _NAMING_A_MESSAGE), message, -1)
    return _Log(
        Columns(kind, stream, message, number, np.where(has_previous, previous, NOT_RECORDED)), messages, usable
    )


def _integers(column: Any) -> tuple[Int64s, NDArray[np.bool_]]:
    """Return the values, 0 where there is none, and where there is one."""
    return np.asarray(pc.fill_null(column, 0), dtype=np.int64), np.asarray(column.is_valid())


def _message_numbers(stream: Int64s, column: Any, named: NDArray[np.bool_]) -> tuple[Int64s, int]:
    """Return a number for each message of each stream, -1 where there is none, and how many there are."""
    encoded = column.combine_chunks().dictionary_encode()
    if isinstance(encoded, pa.ChunkedArray):
        encoded = encoded.combine_chunks()
    text = np.asarray(pc.fill_null(encoded.indices, 0), dtype=np.int64)
    both = np.where(named, stream * max(1, len(encoded.dictionary)) + text, -1)
    numbered = pa.array(both).dictionary_encode()
    return np.where(named, np.asarray(numbered.indices, dtype=np.int64), -1), len(numbered.dictionary)


def _stream_rows(  # noqa: PLR0913, PLR0917 - the columns of a log, and those of its streams
    log: pa.Table, names: pa.Array, stream: Int64s, numbered: _Log, findings: Int64s, undecided: Int64s
) -> pa.Table:
    count = len(names)
    entries = np.bincount(stream, minlength=count)
    unusable = np.bincount(stream[~numbered.usable], minlength=count)
    accepted = numbered.usable & (numbered.columns.kind == int(Kind.ACCEPTED))
    listed, row, finding = _single(stream, findings)
    of_stream = np.bincount(stream[row], minlength=count)
    verdict = np.where(of_stream > 0, FAIL, np.where(undecided > 0, INCONCLUSIVE, PASS))
    verdict = np.where(unusable > 0, INCONCLUSIVE, verdict)
    ends = np.concatenate([[0], np.cumsum(np.bincount(stream[row[listed]], minlength=count))])
    columns = [
        names,
        pa.array(entries, pa.int64()),
        pa.array(np.bincount(stream[accepted], minlength=count), pa.int64()),
        pa.array(unusable, pa.int64()),
        pa.array(of_stream, pa.int64()),
        pa.array(undecided, pa.int64()),
        pa.array(verdict, pa.string()),
        pa.ListArray.from_arrays(pa.array(ends, pa.int32()), _findings(log, row[listed], finding[listed])),
    ]
    return pa.Table.from_arrays(
        [column.cast(field.type) for column, field in zip(columns, STREAM, strict=True)], schema=STREAM
    )


def _single(stream: Int64s, findings: Int64s) -> tuple[Int64s, Int64s, Int64s]:
    """Return which single findings are listed, and of all of them row and finding, ordered by stream and row."""
    rows, kinds = [], []
    for kind in Finding:
        here = np.flatnonzero(findings & int(kind))
        rows.append(here)
        kinds.append(np.full(len(here), int(kind)))
    row, finding = np.concatenate(rows), np.concatenate(kinds)
    order = np.lexsort((finding, row, stream[row]))
    row, finding = row[order], finding[order]
    first = np.searchsorted(stream[row], stream[row])
    return np.flatnonzero(np.arange(len(row)) - first < SHOWN_OF_A_STREAM), row, finding


def _findings(log: pa.Table, row: Int64s, finding: Int64s) -> pa.StructArray:
    there = log.take(pa.array(row)).combine_chunks()
    rules = {int(kind): (str(kind.name).lower(), RULES[kind].requirement, RULES[kind].role) for kind in Finding}
    meaning = [rules[int(kind)] for kind in finding]
    rule_columns = [pa.array([rule[place] for rule in meaning], pa.string()) for place in range(3)]
    entry_columns = [
        _one_array(there.column(name)) for name in ("event", "message", "sequence", "previous", "position", "time")
    ]
    columns = [column.cast(field.type) for column, field in zip([*rule_columns, *entry_columns], FINDING, strict=True)]
    return pa.StructArray.from_arrays(columns, fields=list(FINDING))


def _one_array(column: Any) -> pa.Array:
    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return pa.concat_arrays(whole.chunks) if isinstance(whole, pa.ChunkedArray) else whole
