"""Exactly-once delivery by numbers (page, sections 2 to 4): nothing twice, out of order, lost, or numbered anew.

The check is one pass over a history in columns, in time and memory linear in its length. Its functions work on lists
as they are and, compiled, on arrays (``streams_compiled``): they use indices, integers and nothing else. There, streams
and messages are numbers from 0; messages of different streams have different numbers.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any, Final, NamedTuple, Self

Stream = str | int
Message = str | int


class Kind(IntEnum):
    """What an entry of a history tells."""

    ENQUEUED = 1
    """The sender took a message on."""
    SENT = 2
    """A message went out with its numbers, for the first time or again."""
    ACCEPTED = 3
    """A message arrived and was delivered."""
    REJECTED = 4
    """A message arrived and was not delivered."""
    ACKNOWLEDGED = 5
    """The receiver sent an order acknowledgment."""
    RELEASED = 6
    """An order acknowledgment arrived at the sender."""
    DISCARDED = 7
    """A message expired at the sender."""
    RECEIVER_LOST_STATE = 8
    """The receiver of the stream forgot its numbers."""
    SENDER_LOST_STATE = 9
    """The sender of the stream forgot its queue; it never sends in this stream again."""

    @property
    def word(self) -> str:
        """The name that delivery logs use, such as ``receiver_lost_state``."""
        return self.name.lower()


NOT_RECORDED: Final = -1
"""The previous number of a message whose log has none."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a history; what does not apply is left at its default."""

    kind: Kind
    stream: Stream
    message: Message | None = None
    number: int = 0
    """Sequence number of the message, or the number that an acknowledgment carries."""
    previous: int = NOT_RECORDED
    """Previous number of the message; what it would decide is not judged where it was not recorded."""
    time: int = 0
    """Nanoseconds; the check goes by the order of entries alone."""


_SENDER, _RECEIVER = "ordered_sender", "ordered_receiver"


class Finding(IntEnum):
    """What is wrong at one entry of a history; several things may be.

    The values stay as they are: result files and compiled forms hold them.

    Attributes:
        requirement: id of the one that says so.
        role: whose fault it is; empty where the history alone does not tell.
        says: what is wrong, behind the name of a message.
    """

    requirement: str
    role: str
    says: str

    def __new__(cls, bit: int, requirement: str, role: str, says: str) -> Self:
        """Make one of its fields."""
        finding = int.__new__(cls, bit)
        finding._value_ = bit
        finding.requirement, finding.role, finding.says = requirement, role, says
        return finding

    # fmt: off
    DELIVERED_TWICE = 1 << 0, "EOD-2-01", "", "delivered a second time"
    OUT_OF_ORDER = 1 << 1, "EOD-2-02", "", "delivered after a message that was queued later"
    NEVER_DELIVERED = 1 << 2, "EOD-2-03", "", "neither delivered nor discarded, though faults healed"
    RENUMBERED = 1 << 3, "EOD-3-10", _SENDER, "sent under another number than before"
    NUMBER_NOT_GREATER = 1 << 4, "EOD-3-01", _SENDER, "its number is not above those before it"
    SENT_AFTER_DISCARD = 1 << 5, "EOD-3-04", _SENDER, "sent although it was discarded"
    SENT_AFTER_RELEASE = 1 << 6, "EOD-3-07", _SENDER, "sent although it was acknowledged"
    WRONG_LINK = 1 << 7, "EOD-3-02", _SENDER, "its previous number is not of the message before it"
    NOT_RELINKED = 1 << 8, "EOD-3-05", _SENDER, "sent again and not linked to the message before it"
    FIRST_NOT_ZERO = 1 << 9, "EOD-3-09", _SENDER, "first of the queue, and previous is not zero"
    DUPLICATE_ACCEPTED = 1 << 10, "EOD-4-04", _RECEIVER, "accepted although its number was reached"
    GAP_ACCEPTED = 1 << 11, "EOD-4-05", _RECEIVER, "accepted although messages before it are missing"
    REJECTED_IN_ORDER = 1 << 12, "EOD-4-06", _RECEIVER, "rejected although it is in order"
    ACKNOWLEDGED_TOO_MUCH = 1 << 13, "EOD-2-11", _RECEIVER, "acknowledges what was not accepted"
    ACKNOWLEDGED_TOO_LITTLE = 1 << 14, "EOD-2-10", _RECEIVER, "acknowledges less than was accepted"
    NEVER_SENT = 1 << 15, "EOD-2-01", _RECEIVER, "delivered although it was never sent"
    # fmt: on


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing that is wrong in a history."""

    finding: Finding
    position: int
    """Index of the entry."""
    entry: Entry

    def __str__(self) -> str:
        """Name stream and message, and say what is wrong."""
        entry, finding = self.entry, self.finding
        what = f"acknowledgment {entry.number}" if entry.message is None else f"message {entry.message}"
        return f"{finding.requirement}: stream {entry.stream}, {what}: {finding.says}"


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


def check_history(history: Sequence[Entry], *, healed: bool = True, begun: bool = True) -> tuple[Violation, ...]:
    """Return what is wrong in a history, in order of occurrence; linear in its length.

    Args:
        history: entries in order of occurrence; streams may interleave.
        healed: whether faults had healed long enough for everything to arrive; if so, what never did is lost.
        begun: whether the streams begin in it; if not, what was sent and accepted before is not known.
    """
    columns, streams, messages = _columns(history)
    findings = [0] * len(history)
    of_each = OfMessages(*([initial] * messages for initial in OF_MESSAGES))
    scan(columns, of_each, OfStreams(*([initial] * streams for initial in of_streams(begun))), findings, healed)
    return tuple(
        Violation(finding, position, history[position])
        for position, sum_of_findings in enumerate(findings)
        for finding in Finding
        if sum_of_findings & finding
    )


def with_kept_delivered(history: Iterable[Entry]) -> Iterator[Entry]:
    """Yield a history as it went if the receiver keeps what comes too early and delivers it in its turn (EOD-02)."""
    last: dict[Stream, int] = {}
    early_by_stream: dict[Stream, list[Entry]] = {}
    for entry in history:
        yield entry
        stream = entry.stream
        if entry.kind is Kind.RECEIVER_LOST_STATE:
            last.pop(stream, None)
            early_by_stream.pop(stream, None)
        elif entry.kind is Kind.REJECTED and entry.previous > last.get(stream, 0):
            early_by_stream.setdefault(stream, []).append(entry)
        elif entry.kind is Kind.ACCEPTED:
            last[stream] = entry.number
            for early in sorted(early_by_stream.pop(stream, ()), key=lambda early: early.number):
                if early.previous <= last[stream] < early.number:
                    last[stream] = early.number
                    yield replace(early, kind=Kind.ACCEPTED, time=entry.time)
                elif early.number > last[stream]:
                    early_by_stream.setdefault(stream, []).append(early)


def _columns(history: Iterable[Entry]) -> tuple[Columns, int, int]:
    """Return the history in columns, and how many streams and messages it names."""
    streams: dict[Stream, int] = {}
    messages: dict[tuple[int, str | int | None], int] = {}
    kinds, stream_of, message_of, numbers, previous = [], [], [], [], []
    for entry in history:
        stream = streams.setdefault(entry.stream, len(streams))
        kinds.append(int(entry.kind))
        stream_of.append(stream)
        concerned = entry.message is not None
        message_of.append(messages.setdefault((stream, entry.message), len(messages)) if concerned else -1)
        numbers.append(entry.number)
        previous.append(entry.previous)
    return Columns(kinds, stream_of, message_of, numbers, previous), len(streams), len(messages)
