"""The sending end of one stream: numbers, links, resends and releases (page, section 3; MS-MQQB 3.1.5.6, 3.1.7.1.3)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from mqconform.reference.eod import readings_of_senders as choices
from mqconform.reference.eod.elements import SECOND, Answer, Numbers, OrderAcknowledgment, Stream, resend_interval

Message = str | int
"""What the user calls a message; the protocol looks at its numbers alone."""


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """A message that is not acknowledged yet, and the numbers it got when it was queued."""

    message: Message
    numbers: Numbers
    transmitted: bool = False
    """Whether it was ever sent."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A message as it goes out."""

    message: Message
    numbers: Numbers

    def __str__(self) -> str:
        """Name message and numbers."""
        return f"{self.message}: {self.numbers}"


@dataclass(frozen=True, slots=True)
class OutgoingStream:
    """What a sender remembers of a stream; all of it outlives a restart (EOD-3.1.1.3.1-05)."""

    queue: tuple[QueuedMessage, ...] = ()
    """Unacknowledged messages in order."""
    last_number: int = 0
    """The number given last; numbers begin with 1 (EOD-3.1.1.3.1-01)."""
    sequence_id: int = 0
    last_acknowledged: int = 0
    wait_until: int | None = None
    """When the wait for an acknowledgment ends, in nanoseconds; None while there is nothing to wait for."""
    waits: int = 0
    """How many waits ended, which tells the length of the next."""
    bridging: bool = False
    """Whether what goes out next is linked like a resend, for a receiver that lost its numbers."""


NEW: Final = OutgoingStream()
"""A stream before its first message."""


def enqueue(
    stream: OutgoingStream, message: Message, readings: choices.SenderReadings = choices.UNDISPUTED
) -> tuple[OutgoingStream, Numbers]:
    """Give a message its number and link it to the one before it (page, section 3)."""
    if readings.next_sequence is choices.NextSequence.FROM_ONE and stream.last_number and not stream.queue:
        stream = begin_sequence(stream, stream.sequence_id + 1)
    number = stream.last_number + 1
    before = stream.queue[-1].numbers.sequence if stream.queue else 0
    unlinked = Numbers(number, stream.last_number, stream.sequence_id)
    numbers = replace(unlinked, previous=_previous(stream, unlinked, before, readings, first=True))
    return queued_as(stream, message, numbers), numbers


def queued_as(stream: OutgoingStream, message: Message, numbers: Numbers) -> OutgoingStream:
    """Return the stream with a message under the numbers that a sender was seen to give it."""
    queue = (*stream.queue, QueuedMessage(message, numbers))
    return replace(stream, queue=queue, last_number=numbers.sequence)


def transmission(stream: OutgoingStream, readings: choices.SenderReadings = choices.UNDISPUTED) -> tuple[Sent, ...]:
    """Return everything that a transmission would send now, in order, linked past what is gone (page, section 3)."""
    sent: list[Sent] = []
    before = 0
    for queued in stream.queue:
        mine, first = queued.numbers, not (queued.transmitted or stream.bridging)
        previous = _previous(stream, mine, before, readings, first=first)
        sent.append(Sent(queued.message, mine if previous == mine.previous else replace(mine, previous=previous)))
        before = mine.sequence
    return tuple(sent)


def transmit(
    stream: OutgoingStream, now: int, readings: choices.SenderReadings = choices.UNDISPUTED
) -> tuple[OutgoingStream, tuple[Sent, ...]]:
    """Send every unacknowledged message, in order, and wait for the acknowledgment."""
    sent = transmission(stream, readings)
    return _waiting(_transmitted(stream), now), sent


def resend(
    stream: OutgoingStream, now: int, readings: choices.SenderReadings = choices.UNDISPUTED
) -> tuple[OutgoingStream, tuple[Sent, ...]]:
    """Send everything again if the wait for an acknowledgment has ended by ``now`` (MS-MQQB 3.1.6.5)."""
    due = stream.wait_until
    if due is None or due > now:
        return stream, ()
    sent = transmission(stream, readings)
    waits = stream.waits + (readings.intervals is not choices.Intervals.WITH_ACKNOWLEDGMENTS)
    # From when it was due and not from when it is noticed, so that a late look moves no later resend.
    again = None if readings.resends is choices.Resends.ONCE else due + resend_interval(waits)
    return replace(_transmitted(stream), waits=waits, wait_until=again), sent


def order_acknowledged(
    stream: OutgoingStream,
    arrived: OrderAcknowledgment,
    now: int,
    readings: choices.SenderReadings = choices.UNDISPUTED,
) -> OutgoingStream:
    """Release everything up to the acknowledged number (page, section 3; MS-MQQB 3.1.5.6)."""
    if arrived.sequence_id != stream.sequence_id and readings.other_sequence is choices.OtherSequence.IGNORED:
        return stream
    # By this number alone: one that was acknowledged before it was sent releases nothing that is queued later.
    queue = tuple(queued for queued in stream.queue if queued.numbers.sequence > arrived.number)
    number = max(stream.last_acknowledged, arrived.number)
    if not queue:
        return replace(stream, queue=(), last_acknowledged=number, wait_until=None, waits=0)
    # A copy of an older acknowledgment begins no interval anew (MS-MQQB 3.1.5.6).
    progress = len(queue) < len(stream.queue)
    waits = _waits_after(stream.waits, readings, progress=progress)
    until = now + resend_interval(waits) if progress and stream.wait_until is not None else stream.wait_until
    return replace(stream, queue=queue, last_acknowledged=number, waits=waits, wait_until=until)


def discard(stream: OutgoingStream, message: Message) -> OutgoingStream:
    """Take a message that expired out of the stream (page, section 3)."""
    queue = tuple(queued for queued in stream.queue if queued.message != message)
    # The number is not given again, and the wait goes on: expiry is no acknowledgment (page, section 3).
    return replace(stream, queue=queue) if queue else replace(stream, queue=(), wait_until=None, waits=0)


def receiver_lost_state(stream: OutgoingStream) -> OutgoingStream:
    """Link the next transmission like a resend, which suits a receiver that starts from zero (page, section 3)."""
    return replace(stream, bridging=True)


def restarted(
    stream: OutgoingStream, now: int, readings: choices.SenderReadings = choices.UNDISPUTED
) -> OutgoingStream:
    """Return the stream after a crash that the store outlived: everything is due again (MS-MQQB 3.1.3.2)."""
    if readings.numbers_over_sessions is choices.NumbersOverSessions.ANEW:
        anew = replace(stream, queue=(), wait_until=None)
        for queued in stream.queue:
            anew, _ = enqueue(anew, queued.message, readings)
        stream = anew
    waits = stream.waits if readings.schedule_over_sessions is choices.ScheduleOverSessions.GOES_ON else 0
    # What was under way when it crashed may be lost; a copy does no harm (MS-MQQB 3.1.3.2).
    return replace(stream, waits=waits, wait_until=now if stream.queue else None)


def begin_sequence(stream: OutgoingStream, sequence_id: int) -> OutgoingStream:
    """Begin a new sequence, as a sender does once everything is acknowledged (EOD-3.1.7.1.3-03; register EOD-30).

    Raises:
        ValueError: something is not acknowledged, or the id is no greater than the one before.
    """
    if stream.queue or sequence_id <= stream.sequence_id:
        raise ValueError(f"sequence {sequence_id} cannot follow {stream.sequence_id} with {len(stream.queue)} waiting")
    return OutgoingStream(sequence_id=sequence_id)


def _previous(
    stream: OutgoingStream, mine: Numbers, before: int, readings: choices.SenderReadings, *, first: bool
) -> int:
    """Return the previous number of a message at this transmission.

    Args:
        stream: its stream.
        mine: the numbers it was given.
        before: number of the message before it in the queue, 0 where there is none.
        readings: what the sender follows at the ambiguous places.
        first: whether this is its first transmission.
    """
    keeps_first = readings.first_of_queue is not choices.FirstOfQueue.ZERO  # it names an acknowledged message (EOD-27)
    if first and readings.relinking is choices.Relinking.ON_RESENDS and (before or keeps_first):
        return mine.previous
    if before:
        return before
    # Zero also behind acknowledged messages: a receiver that lost its numbers takes no other (page, 3).
    keeps = readings.first_of_queue is choices.FirstOfQueue.NEVER_ZERO or (first and keeps_first)
    return stream.last_acknowledged if keeps else 0


def _transmitted(stream: OutgoingStream) -> OutgoingStream:
    if not stream.bridging and all(queued.transmitted for queued in stream.queue):
        return stream
    queue = tuple(queued if queued.transmitted else replace(queued, transmitted=True) for queued in stream.queue)
    return replace(stream, queue=queue, bridging=False)


def _waiting(stream: OutgoingStream, now: int) -> OutgoingStream:
    if not stream.queue or stream.wait_until is not None:
        return stream
    return replace(stream, wait_until=now + resend_interval(stream.waits))


def _waits_after(waits: int, readings: choices.SenderReadings, *, progress: bool) -> int:
    match readings.intervals:
        case choices.Intervals.WITH_WAITS:
            return waits
        case choices.Intervals.ANEW_WITH_PROGRESS:
            return 0 if progress else waits
        case choices.Intervals.WITH_ACKNOWLEDGMENTS:
            return waits + 1


class OrderedSender:
    """A sender of many streams with a virtual clock, one method for each operation of role ``ordered_sender``.

    Args of the constructor:
        readings: what it follows where the text is ambiguous.
    """

    def __init__(self, readings: choices.SenderReadings = choices.UNDISPUTED) -> None:
        self.readings = readings
        self.streams: dict[Stream, OutgoingStream] = {}
        self.now = 0
        """Nanoseconds since it was made."""
        self.memory: Counter[Any] = Counter()
        """What changed rules remember besides; by the rules of the text there is nothing."""

    def enqueue(self, stream: Stream, message: Message) -> Answer:
        """Give a message its numbers (page, section 3)."""
        self.streams[stream], numbers = self.number(self._outgoing(stream), message)
        return {"sequence": numbers.sequence, "previous": numbers.previous}

    def transmit(self, stream: Stream) -> Answer:
        """Send everything that is not acknowledged, in order."""
        self.streams[stream], sent = self.send(self._outgoing(stream))
        return {"messages": [_message_and_numbers(message) for message in sent]}

    def order_ack(self, stream: Stream, sequence: int) -> Answer:
        """Release what an order acknowledgment covers."""
        self.streams[stream] = self.release(self._outgoing(stream), sequence)
        return {}

    def discard(self, stream: Stream, message: Message) -> Answer:
        """Take an expired message out of its stream."""
        self.streams[stream] = self.drop(self._outgoing(stream), message)
        return {}

    def receiver_lost_state(self, stream: Stream) -> Answer:
        """Make the next transmission suit a receiver that starts from zero."""
        self.streams[stream] = self.begin_from_zero(self._outgoing(stream))
        return {}

    def restart(self) -> Answer:
        """Crash and find queue and numbers in the store again."""
        self.streams = {key: self.recover(stream) for key, stream in self.streams.items()}
        return {}

    def advance_clock(self, seconds: float) -> Answer:
        """Let virtual time pass, and tell what is sent again meanwhile (MS-MQQB 3.1.6.5)."""
        until = self.now + round(seconds * SECOND)
        messages: list[Answer] = []
        while due := [(stream.wait_until, key) for key, stream in self.streams.items() if _ends_by(stream, until)]:
            _, key = min(due, key=lambda timer: timer[0] or 0)
            self.streams[key], sent = self.send_again(self.streams[key], until)
            messages += [{"stream": key, **_message_and_numbers(message)} for message in sent]
        self.now = until
        return {"messages": messages}

    def reset(self) -> None:
        """Reset to the initial state."""
        self.streams.clear()
        self.memory.clear()
        self.now = 0

    # What follows is what faults change.

    def number(self, stream: OutgoingStream, message: Message) -> tuple[OutgoingStream, Numbers]:
        """Return the stream with a further message, and the numbers of the message."""
        return enqueue(stream, message, self.readings)

    def send(self, stream: OutgoingStream) -> tuple[OutgoingStream, Sequence[Sent]]:
        """Return the stream after a transmission, and what goes out."""
        return transmit(stream, self.now, self.readings)

    def send_again(self, stream: OutgoingStream, until: int) -> tuple[OutgoingStream, Sequence[Sent]]:
        """Return the stream after a wait that ends by a time, in nanoseconds, and what goes out again."""
        return resend(stream, until, self.readings)

    def release(self, stream: OutgoingStream, number: int) -> OutgoingStream:
        """Return the stream after an order acknowledgment."""
        acknowledgment = OrderAcknowledgment(number, stream.sequence_id)
        return order_acknowledged(stream, acknowledgment, self.now, self.readings)

    def drop(self, stream: OutgoingStream, message: Message) -> OutgoingStream:
        """Return the stream without an expired message."""
        return discard(stream, message)

    def begin_from_zero(self, stream: OutgoingStream) -> OutgoingStream:
        """Return the stream for a receiver that lost its numbers."""
        return receiver_lost_state(stream)

    def recover(self, stream: OutgoingStream) -> OutgoingStream:
        """Return the stream after a crash that the store outlived."""
        return restarted(stream, self.now, self.readings)

    def _outgoing(self, stream: Stream) -> OutgoingStream:
        return self.streams.get(stream, NEW)


def _ends_by(stream: OutgoingStream, until: int) -> bool:
    return stream.wait_until is not None and stream.wait_until <= until


def _message_and_numbers(sent: Sent) -> Answer:
    return {"message": sent.message, "sequence": sent.numbers.sequence, "previous": sent.numbers.previous}
