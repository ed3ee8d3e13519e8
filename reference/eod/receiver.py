"""The receiving end of one stream: which messages it accepts (page, section 4; MS-MQQB 3.1.5.8.6)."""

from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final

from mqconform.reference.eod import readings_of_receivers as choices
from mqconform.reference.eod.elements import SECOND, Answer, Numbers, OrderAcknowledgment, Stream
from mqconform.reference.eod.order_ack import IDLE, OrderAckTimer, arrived, expired


class Judgement(Enum):
    """What the receiver makes of a message, and by which requirements."""

    IN_ORDER = (True, ("EOD-4-06", "EOD-4-07"))
    FIRST_OF_SEQUENCE = (True, ("EOD-3.1.5.8.6-01", "EOD-4-07"))
    DUPLICATE = (False, ("EOD-4-04", "EOD-4-08"))
    GAP = (False, ("EOD-4-05", "EOD-4-08"))
    NOT_FIRST_OF_SEQUENCE = (False, ("EOD-3.1.5.8.6-02", "EOD-4-08"))
    OLDER_SEQUENCE = (False, ("EOD-3.1.5.8.6-03", "EOD-4-08"))
    OLDER_SEQUENCE_AWAITED = (False, ("EOD-3.1.5.8.6-01", "EOD-4-08"))

    accepted: bool
    requirements: tuple[str, ...]

    def __init__(self, accepted: bool, requirements: tuple[str, ...]) -> None:  # noqa: FBT001 (fields of the table)
        self.accepted = accepted
        self.requirements = requirements


@dataclass(frozen=True, slots=True)
class IncomingStream:
    """What a receiver remembers of a stream; all but the timer outlives a restart (EOD-3.1.1.3.1-05)."""

    last_accepted: int = 0
    """Number of the last accepted message, 0 for a new stream (EOD-4-03)."""
    sequence_id: int = 0
    gap_seen: bool = False
    """Whether a message came too early since the last one was accepted (register EOD-24)."""
    order_ack_timer: OrderAckTimer = IDLE
    waiting: tuple[Numbers, ...] = ()
    """Messages that came too early and wait for their turn (register EOD-02); empty by every other reading."""


NEW: Final = IncomingStream()
"""A stream of which nothing is known: before its first message, and after the receiver lost its numbers."""


def judge(
    stream: IncomingStream, message: Numbers, readings: choices.ReceiverReadings = choices.UNDISPUTED
) -> Judgement:
    """Return what the receiver makes of a message (page, section 4; MS-MQQB 3.1.5.8.6)."""
    if message.sequence_id > stream.sequence_id:
        # Its own number may be any: messages before it may have expired (MS-MQQB 3.1.5.8.6; EOD-24).
        if message.previous:
            return Judgement.NOT_FIRST_OF_SEQUENCE
        awaits = stream.gap_seen and readings.newer_sequence is choices.NewerSequence.AWAITS_OLDER
        return Judgement.OLDER_SEQUENCE_AWAITED if awaits else Judgement.FIRST_OF_SEQUENCE
    if message.sequence_id < stream.sequence_id:
        return Judgement.OLDER_SEQUENCE
    if message.sequence <= stream.last_accepted:
        return Judgement.DUPLICATE
    # A previous number below the last accepted one is no gap: the first of a queue has zero (page, section 3).
    if message.previous > stream.last_accepted:
        return Judgement.GAP
    return Judgement.IN_ORDER


def receive(
    stream: IncomingStream, message: Numbers, now: int, readings: choices.ReceiverReadings = choices.UNDISPUTED
) -> tuple[IncomingStream, Judgement]:
    """Accept or reject a message, and schedule the acknowledgment it asks for (MS-MQQB 3.1.5.8.6, 3.1.1.6.2).

    Args:
        stream: the stream before.
        message: the numbers that it carries.
        now: when it arrives, in nanoseconds; call ``acknowledge`` first for a timer that has ended by then.
        readings: what the receiver follows at the ambiguous places.
    """
    judgement = judge(stream, message, readings)
    timer = stream.order_ack_timer
    # What is rejected asks for an acknowledgment too: the sender may have missed the last one (page, section 4).
    if judgement.accepted or readings.arrivals is choices.Arrivals.EVERY:
        timer = arrived(timer, now, readings)
    if judgement.accepted or readings.window is choices.Window.MOVES_ON_ARRIVAL:
        moved = IncomingStream(message.sequence, message.sequence_id, order_ack_timer=timer, waiting=stream.waiting)
        return _with_those_in_turn(moved), judgement
    if judgement is Judgement.GAP and readings.too_early is choices.TooEarly.KEPT:
        stream = replace(stream, waiting=(*stream.waiting, message))
    gap_seen = stream.gap_seen or judgement is Judgement.GAP
    return replace(stream, gap_seen=gap_seen, order_ack_timer=timer), judgement


def _with_those_in_turn(stream: IncomingStream) -> IncomingStream:
    """Deliver the messages that were kept and whose turn has come, and drop those whose turn is over."""
    if not stream.waiting:
        return stream
    waiting = sorted(message for message in stream.waiting if message.sequence_id == stream.sequence_id)
    last = stream.last_accepted
    for message in waiting:
        if message.previous <= last < message.sequence:
            last = message.sequence
    return replace(stream, last_accepted=last, waiting=tuple(message for message in waiting if message.sequence > last))


def order_acknowledgment(
    stream: IncomingStream, readings: choices.ReceiverReadings = choices.UNDISPUTED
) -> OrderAcknowledgment | None:
    """Return what an acknowledgment would say now (page, sections 2 and 4); None is silence (register EOD-13)."""
    if stream.last_accepted == 0 and readings.nothing_accepted is choices.NothingAccepted.SILENCE:
        return None
    return OrderAcknowledgment(stream.last_accepted, stream.sequence_id)


def acknowledge(
    stream: IncomingStream, now: int, readings: choices.ReceiverReadings = choices.UNDISPUTED
) -> tuple[IncomingStream, OrderAcknowledgment | None]:
    """Send the acknowledgment whose timer has ended by ``now``, if one has (MS-MQQB 3.1.1.6.2)."""
    due = stream.order_ack_timer.deadline
    if due is None or due > now:
        return stream, None
    return replace(stream, order_ack_timer=expired(due)), order_acknowledgment(stream, readings)


def restarted(stream: IncomingStream, now: int) -> IncomingStream:
    """Return the stream after a crash that the store outlived (EOD-3.1.1.3.1-05)."""
    # The store holds the numbers; a scheduled acknowledgment is lost (MS-MQQB 3.1.1.3.1).
    return replace(stream, order_ack_timer=expired(now))


class OrderedReceiver:
    """A receiver of many streams with a virtual clock, one method for each operation of role ``ordered_receiver``.

    Args of the constructor:
        readings: what it follows where the text is ambiguous.
    """

    def __init__(self, readings: choices.ReceiverReadings = choices.UNDISPUTED) -> None:
        self.readings = readings
        self.streams: dict[Stream, IncomingStream] = {}
        self.now = 0
        """Nanoseconds since it was made."""
        self.memory: Counter[Any] = Counter()
        """What changed rules remember besides; by the rules of the text there is nothing."""

    def receive(self, stream: Stream, sequence: int, previous: int) -> Answer:
        """Accept or reject a message (page, section 4)."""
        return self.receive_in_sequence(stream, 0, sequence, previous)

    def receive_in_sequence(self, stream: Stream, sequence_id: int, sequence: int, previous: int) -> Answer:
        """Accept or reject a message of a sequence with an id (MS-MQQB 3.1.5.8.6)."""
        key = self.key(stream)
        incoming = self.streams.get(key, NEW)
        self.streams[key], judgement = self.react(incoming, Numbers(sequence, previous, sequence_id))
        return {"accepted": judgement.accepted}

    def order_ack(self, stream: Stream) -> Answer:
        """Tell what an order acknowledgment would carry now."""
        acknowledgment = self.acknowledgment(self.streams.get(self.key(stream), NEW))
        return {"sequence": acknowledgment.number if acknowledgment else 0}

    def lose_state(self) -> Answer:
        """Crash and forget every number."""
        self.streams.clear()
        return {}

    def restart(self) -> Answer:
        """Crash and find the numbers in the store again."""
        self.streams = {key: restarted(stream, self.now) for key, stream in self.streams.items()}
        return {}

    def advance_clock(self, seconds: float) -> Answer:
        """Let virtual time pass, and tell which order acknowledgments go out (MS-MQQB 3.1.1.6.2)."""
        self.now += round(seconds * SECOND)
        due = sorted(
            (stream.order_ack_timer.deadline, index, key)
            for index, (key, stream) in enumerate(self.streams.items())
            if stream.order_ack_timer.deadline is not None and stream.order_ack_timer.deadline <= self.now
        )
        sent = []
        for _, _, key in due:
            self.streams[key], due_now = acknowledge(self.streams[key], self.now, self.readings)
            acknowledgment = due_now and self.acknowledgment(self.streams[key])
            if acknowledgment:
                sent.append({"stream": key, "sequence": acknowledgment.number})
        return {"order_acks": sent}

    def reset(self) -> None:
        """Reset to the initial state."""
        self.streams.clear()
        self.memory.clear()
        self.now = 0

    # What follows is what faults change.

    def key(self, stream: Stream) -> Stream:
        """Return whose numbers count: those of the stream, or by one reading those of the first of all."""
        return stream if self.readings.kept_for is choices.KeptFor.STREAM else next(iter(self.streams), stream)

    def react(self, stream: IncomingStream, message: Numbers) -> tuple[IncomingStream, Judgement]:
        """Return the stream after a message, and what was made of the message."""
        return receive(stream, message, self.now, self.readings)

    def acknowledgment(self, stream: IncomingStream) -> OrderAcknowledgment | None:
        """Return what an order acknowledgment says."""
        return order_acknowledgment(stream, self.readings)
