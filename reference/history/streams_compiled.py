"""The check of a history over arrays, compiled: for delivery logs of millions of entries.

Importing this module needs the optional packages of the extra ``bulk``.
"""

import numpy as np

from mqconform.reference.history import streams as plain
from mqconform.reference.history.streams import OF_MESSAGES, Columns, OfMessages, OfStreams, of_streams
from mqconform.reference.mqbr.bulk_compiled import Int64s, call_from_loops, compiled_reader


def findings_of(log: Columns, streams: int, messages: int, *, healed: bool, begun: bool) -> Int64s:
    """Return the sum of findings at each entry, 0 where nothing is wrong; linear in the length.

    Args:
        log: five arrays of 64-bit integers of equal length; entries of one stream stand in order of occurrence.
        streams: how many streams there are; ``log.stream`` holds numbers below.
        messages: how many messages there are; ``log.message`` holds numbers below, -1 where an entry concerns none.
        healed: whether faults had healed long enough for everything to arrive.
        begun: whether the streams begin in it.

    Raises:
        ValueError: the columns differ in length, or a number is out of range.
    """
    findings = np.zeros(len(log.kind), dtype=np.int64)
    if any(len(column) != len(findings) for column in log):
        raise ValueError(f"the columns have {[len(column) for column in log]} entries; give columns of equal length")
    if len(findings) == 0:
        return findings
    _within("stream", log.stream, 0, streams)
    _within("message", log.message, -1, messages)
    if (log.message[np.isin(log.kind, _CONCERNING_MESSAGES)] < 0).any():
        raise ValueError("an entry that concerns a message names none; give each of them its number")
    of = OfMessages(*(np.full(messages, initial, dtype=np.int64) for initial in OF_MESSAGES))
    of_each = OfStreams(*(np.full(streams, initial, dtype=np.int64) for initial in of_streams(begun)))
    _scan(log, of, of_each, findings, healed)
    return findings


_CONCERNING_MESSAGES = np.array([plain.ENQUEUED, plain.SENT, plain.ACCEPTED, plain.DISCARDED])


def _within(name: str, column: Int64s, low: int, high: int) -> None:
    if column.min() < low or column.max() >= high:
        raise ValueError(f"column {name} holds {column.min()} to {column.max()}; expected {low} to {high - 1}")


call_from_loops(plain)


@compiled_reader
def _scan(log: Columns, of: OfMessages, streams: OfStreams, findings: Int64s, healed: bool) -> None:  # noqa: FBT001
    plain.scan(log, of, streams, findings, healed)
