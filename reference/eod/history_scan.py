"""One pass over a history in columns: what is wrong at each entry, in time and memory linear in its length.

The functions work on lists as they are and, compiled, on arrays (``history_bulk``): they use indices, integers and
nothing else. Streams and messages are numbers from 0; messages of different streams have different numbers.
"""

from typing import Any, Final, NamedTuple

from mqconform.reference.eod.findings import Finding
from mqconform.reference.eod.history import NOT_RECORDED, Kind

# fmt: off
ENQUEUED, SENT, ACCEPTED, REJECTED, ACKNOWLEDGED, RELEASED, DISCARDED, RECEIVER_LOST_STATE, SENDER_LOST_STATE = (
    map(int, Kind))
(
    DELIVERED_TWICE, OUT_OF_ORDER, NEVER_DELIVERED, RENUMBERED, NUMBER_NOT_GREATER, SENT_AFTER_DISCARD,
    SENT_AFTER_RELEASE, WRONG_LINK, NOT_RELINKED, FIRST_NOT_ZERO, DUPLICATE_ACCEPTED, GAP_ACCEPTED, REJECTED_IN_ORDER,
    ACKNOWLEDGED_TOO_MUCH, ACKNOWLEDGED_TOO_LITTLE, NEVER_SENT,
) = map(int, Finding)
# fmt: on
UNBOUNDED: Final = 2**62
"""Above any number of a message."""

Integers = Any
"""A list of integers, or an array of 64-bit integers."""


class Columns(NamedTuple):
    """A history: one element of each column for an entry, in order of occurrence within each stream."""

    kind: Integers
    stream: Integers
    message: Integers
    """-1 where the entry concerns none."""
    number: Integers
    previous: Integers
    """``NOT_RECORDED`` where the log has none."""


class OfMessages(NamedTuple):
    """What is known of each message."""

    ordinal: Integers
    """Its place in its stream from 1, 0 before it was queued."""
    row: Integers
    """Its first entry."""
    number: Integers
    """0 before it was sent."""
    before: Integers
    """The message that was queued before it, -1 where there is none."""
    gone: Integers
    """1 once it was discarded."""
    epoch: Integers
    """In which epoch of its receiver it was delivered last, 0 for never."""


class OfStreams(NamedTuple):
    """What is known of each stream."""

    begun: Integers
    """1 where the stream begins in the history, 0 where it may have run before: nothing that was then is known."""
    epoch: Integers
    """Counts from 1; each loss of the receiver's numbers begins another."""
    last_accepted: Integers
    """``NOT_RECORDED`` until an entry tells it."""
    highest_delivered: Integers
    """Greatest ordinal that was delivered in this epoch."""
    last_queued: Integers
    """The message that was queued last, -1 before the first."""
    queued: Integers
    """How many messages were queued."""
    enqueued: Integers
    """1 once there was an entry of that kind."""
    last_number: Integers
    first_new: Integers
    """Least number of a message that was queued in the history for sure, ``UNBOUNDED`` without one."""
    released: Integers
    """Greatest number that an acknowledgment brought to the sender."""
    lost: Integers
    """How many messages were queued when the sender last lost its queue."""


OF_MESSAGES: Final = (0, -1, 0, -1, 0, 0)
"""What ``OfMessages`` begins with."""


def of_streams(begun: bool) -> tuple[int, ...]:  # noqa: FBT001
    """Return what ``OfStreams`` begins with."""
    return int(begun), 1, 0 if begun else NOT_RECORDED, 0, -1, 0, 0, 0, UNBOUNDED, 0, 0


def scan(log: Columns, of: OfMessages, streams: OfStreams, findings: Integers, healed: bool) -> None:  # noqa: FBT001
    """Put the sum of what is wrong at each entry into ``findings``, which has a zero for each.

    The entries of a sender need to be in order among themselves, and so do those of a receiver; how the clocks of both
    go together makes no difference. If faults had ``healed``, what never arrived is reported at its first entry.
    """
    for row in range(len(log.kind)):
        kind = log.kind[row]
        if kind == ENQUEUED:
            streams.enqueued[log.stream[row]] = 1
            _queued(row, log.stream[row], log.message[row], of, streams)
        elif kind == SENT:
            findings[row] |= _sent(row, log, of, streams)
        elif kind == ACCEPTED:
            findings[row] |= _accepted(row, log, of, streams)
        else:
            findings[row] |= _else(row, log, of, streams)
    for row in range(len(log.kind)):
        findings[row] |= _delivered(row, log, of, streams, findings[row])
    if healed:
        for row in range(len(log.kind)):
            if log.message[row] >= 0 and _undelivered(row, log.stream[row], log.message[row], of, streams):
                findings[row] |= NEVER_DELIVERED


def _queued(row: int, stream: int, message: int, of: OfMessages, streams: OfStreams) -> None:
    if of.ordinal[message]:
        return
    streams.queued[stream] += 1
    of.ordinal[message] = streams.queued[stream]
    of.row[message] = row
    of.before[message] = streams.last_queued[stream]
    streams.last_queued[stream] = message


def _sent(row: int, log: Columns, of: OfMessages, streams: OfStreams) -> int:
    stream, message, number = log.stream[row], log.message[row], log.number[row]
    earlier_number = of.number[message]
    new = streams.begun[stream] == 1 or of.ordinal[message] > 0  # else it may have been queued before the log began
    wrong = 0
    if earlier_number == 0:
        if number == streams.last_number[stream] or (new and number < streams.last_number[stream]):
            wrong |= NUMBER_NOT_GREATER
        streams.last_number[stream] = max(number, streams.last_number[stream])
        if new:
            streams.first_new[stream] = min(number, streams.first_new[stream])
    elif number != earlier_number:
        wrong |= RENUMBERED
    in_turn = new or (streams.enqueued[stream] == 0 and number >= streams.last_number[stream])
    if in_turn:
        _queued(row, stream, message, of, streams)  # a log may begin with what was sent
    of.number[message] = number
    if of.gone[message]:
        wrong |= SENT_AFTER_DISCARD
    elif number <= streams.released[stream]:
        wrong |= SENT_AFTER_RELEASE
    elif in_turn:
        wrong |= _link(row, log, earlier_number == 0, of, streams)
    return wrong


def _link(row: int, log: Columns, first: bool, of: OfMessages, streams: OfStreams) -> int:  # noqa: FBT001
    """Hold a previous number to what stands before the message in the queue."""
    stream, message, previous = log.stream[row], log.message[row], log.previous[row]
    if previous == NOT_RECORDED:
        return 0
    released = streams.released[stream]
    neighbour = of.before[message]
    before = _standing(message, of)
    expected = of.number[before] if before >= 0 else 0
    known_from = of.number[message] if streams.begun[stream] == 0 else 0
    unrecorded = max(expected, released) < previous < min(known_from, streams.first_new[stream])
    if expected <= released:
        expected = 0
    if previous == expected or unrecorded:  # it may name a message that was sent before the log began
        return 0
    if first:  # it may still name what was acknowledged or discarded meanwhile (register EOD-15, EOD-27)
        names_neighbour = neighbour >= 0 and (previous == of.number[neighbour] or of.number[neighbour] == 0)
        named = before >= 0 and previous == of.number[before]
        late = names_neighbour or named or (expected == 0 and previous == released)
        return 0 if late and previous < of.number[message] else WRONG_LINK
    return FIRST_NOT_ZERO if expected == 0 else NOT_RELINKED


def _standing(message: int, of: OfMessages) -> int:
    """Return the nearest message before this one that was not discarded, -1 where there is none.

    Discarded ones are passed over for good, so that the whole scan stays linear.
    """
    before = of.before[message]
    while before >= 0 and of.gone[before]:
        before = of.before[before]
    of.before[message] = before
    nearest: int = before
    return nearest


def _accepted(row: int, log: Columns, of: OfMessages, streams: OfStreams) -> int:
    stream, message, number = log.stream[row], log.message[row], log.number[row]
    last = streams.last_accepted[stream]
    wrong = 0
    if number <= last:
        wrong |= DUPLICATE_ACCEPTED
    elif NOT_RECORDED < last < log.previous[row]:
        wrong |= GAP_ACCEPTED
    streams.last_accepted[stream] = number
    if of.epoch[message] == streams.epoch[stream]:
        wrong |= DELIVERED_TWICE
    of.epoch[message] = streams.epoch[stream]
    return wrong


def _delivered(row: int, log: Columns, of: OfMessages, streams: OfStreams, wrong: int) -> int:
    """Hold a delivery to the queue of the sender, all of which is known by now."""
    stream = log.stream[row]
    if log.kind[row] == RECEIVER_LOST_STATE:
        streams.highest_delivered[stream] = 0
    if log.kind[row] != ACCEPTED:
        return 0
    ordinal = of.ordinal[log.message[row]]
    highest = streams.highest_delivered[stream]
    streams.highest_delivered[stream] = max(ordinal, highest)
    if wrong & DELIVERED_TWICE:
        return 0
    if ordinal == 0:  # the log of a receiver alone knows of no queue, and one that began later not of all messages
        new = streams.begun[stream] == 1 or log.number[row] >= streams.first_new[stream]
        return NEVER_SENT if streams.queued[stream] and new else 0
    return OUT_OF_ORDER if ordinal < highest else 0


def _else(row: int, log: Columns, of: OfMessages, streams: OfStreams) -> int:
    kind, stream, number = log.kind[row], log.stream[row], log.number[row]
    last = streams.last_accepted[stream]
    if kind == REJECTED:
        in_order = number > last and NOT_RECORDED < log.previous[row] <= last
        return REJECTED_IN_ORDER if in_order else 0
    if kind == ACKNOWLEDGED:
        if last == NOT_RECORDED:
            streams.last_accepted[stream] = number
            return 0
        return ACKNOWLEDGED_TOO_MUCH if number > last else ACKNOWLEDGED_TOO_LITTLE if number < last else 0
    if kind == RELEASED:
        streams.released[stream] = max(number, streams.released[stream])
    elif kind == DISCARDED:
        of.gone[log.message[row]] = 1
    elif kind == RECEIVER_LOST_STATE:
        streams.epoch[stream] += 1
        streams.last_accepted[stream] = 0
    elif kind == SENDER_LOST_STATE:
        streams.lost[stream] = streams.queued[stream]
    return 0


def _undelivered(row: int, stream: int, message: int, of: OfMessages, streams: OfStreams) -> bool:
    if of.row[message] != row or of.ordinal[message] == 0:
        return False
    still_queued = of.ordinal[message] > streams.lost[stream]
    return bool(still_queued and of.epoch[message] == 0 and not of.gone[message])
