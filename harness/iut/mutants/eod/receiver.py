"""Receivers that accept, reject or remember the wrong thing, or acknowledge at the wrong time.

Page, sections 2 and 4; MS-MQQB 3.1.1.3.1, 3.1.1.6.2, 3.1.5.8.6.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import Mutant, altered
from mqconform.harness.iut.reference_iut.ordered_receiver import ReferenceOrderedReceiver, Stream
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod import receiver
from mqconform.reference.eod.elements import ORDER_ACK_TIMEOUT, SECOND, Numbers, OrderAcknowledgment
from mqconform.reference.eod.order_ack import IDLE, OrderAckTimer
from mqconform.reference.eod.readings_of_receivers import KeptFor, ReceiverReadings
from mqconform.reference.eod.receiver import IncomingStream, Judgement

Reaction = tuple[IncomingStream, Judgement]
Filter = Callable[[IncomingStream, Numbers, Judgement], bool]
"""Whether a stream accepts a message, given the right judgement of it."""

_receiver = partial(Mutant, role=RoleName.ORDERED_RECEIVER)


def _with_filter(accepts: Filter) -> type[ReferenceOrderedReceiver]:
    """Return the receiver with another filter; a judgement that differs is carried out like the right one."""

    def react(self: ReferenceOrderedReceiver, stream: IncomingStream, message: Numbers) -> Reaction:
        after, judgement = ReferenceOrderedReceiver.react(self, stream, message)
        accepted = accepts(stream, message, judgement)
        if accepted == judgement.accepted:
            return after, judgement
        if not accepted:
            return replace(stream, order_ack_timer=after.order_ack_timer), Judgement.DUPLICATE
        moved = replace(after, last_accepted=message.sequence, sequence_id=message.sequence_id)
        return moved, Judgement.IN_ORDER

    return altered(ReferenceOrderedReceiver, react=react)


def _accepts_last_again(stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
    return right.accepted or (right is Judgement.DUPLICATE and message.sequence == stream.last_accepted)


def _wants_next_number(stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
    return right.accepted and (not stream.last_accepted or message.sequence == stream.last_accepted + 1)


def _wants_equality(stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
    same_sequence = message.sequence_id == stream.sequence_id
    return right.accepted and (not same_sequence or message.previous == stream.last_accepted)


def _wants_very_first(stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
    return right.accepted and (stream.last_accepted > 0 or message.sequence == 1 or message.sequence_id > 0)


def _stays_with_first_sequence(stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
    return right.accepted and (message.sequence_id == stream.sequence_id or not stream.sequence_id)


def _forgets_other_streams(
    self: ReferenceOrderedReceiver, stream: Stream, sequence_id: int, sequence: int, previous: int
) -> Json:
    self.streams = {key: state for key, state in self.streams.items() if key == stream}
    return ReferenceOrderedReceiver.receive_in_sequence(self, stream, sequence_id, sequence, previous)


def _forgets_beyond_ten(
    self: ReferenceOrderedReceiver, stream: Stream, sequence_id: int, sequence: int, previous: int
) -> Json:
    answer = ReferenceOrderedReceiver.receive_in_sequence(self, stream, sequence_id, sequence, previous)
    self.streams = dict([*self.streams.items()][-10:])
    return answer


def _remembers_an_octet(self: ReferenceOrderedReceiver, stream: IncomingStream, message: Numbers) -> Reaction:
    after, judgement = ReferenceOrderedReceiver.react(self, stream, message)
    return replace(after, last_accepted=after.last_accepted % 256), judgement


def with_octets(octets: int) -> type[ReferenceOrderedReceiver]:
    """Return the receiver that looks at a number of the lowest octets of each number."""
    numbers = 1 << 8 * octets

    def receive_in_sequence(
        self: ReferenceOrderedReceiver, stream: Stream, sequence_id: int, sequence: int, previous: int
    ) -> Json:
        looked_at = (sequence % numbers, previous % numbers)
        return ReferenceOrderedReceiver.receive_in_sequence(self, stream, sequence_id, *looked_at)

    return altered(ReferenceOrderedReceiver, receive_in_sequence=receive_in_sequence)


def _half_of_name(self: ReferenceOrderedReceiver, stream: Stream) -> Stream:
    del self
    return stream[: max(1, len(stream) // 2)] if isinstance(stream, str) else stream


def _sends_eight(self: ReferenceOrderedReceiver, seconds: float) -> Json:
    return {"order_acks": ReferenceOrderedReceiver.advance_clock(self, seconds)["order_acks"][:8]}


class _ForgetsAtThirdRestart(ReferenceOrderedReceiver):
    def __init__(self) -> None:
        super().__init__()
        self.restarts = 0

    def restart(self) -> Json:
        self.restarts += 1
        return super().restart() if self.restarts % 3 else super().lose_state()

    def reset(self) -> None:
        self.restarts = 0
        super().reset()


def _moves_on_arrival(self: ReferenceOrderedReceiver, stream: IncomingStream, message: Numbers) -> Reaction:
    after, judgement = ReferenceOrderedReceiver.react(self, stream, message)
    return replace(after, last_accepted=message.sequence), judgement


def _never_moves(self: ReferenceOrderedReceiver, stream: IncomingStream, message: Numbers) -> Reaction:
    after, judgement = ReferenceOrderedReceiver.react(self, stream, message)
    return replace(after, last_accepted=stream.last_accepted or after.last_accepted), judgement


def _begins_with_one(self: ReferenceOrderedReceiver, stream: IncomingStream, message: Numbers) -> Reaction:
    return ReferenceOrderedReceiver.react(self, replace(stream, last_accepted=max(stream.last_accepted, 1)), message)


class _AcceptsLateMessages(ReferenceOrderedReceiver):
    def __init__(self) -> None:
        super().__init__()
        self.accepted: set[tuple[Stream, int, int]] = set()

    def receive_in_sequence(self, stream: Stream, sequence_id: int, sequence: int, previous: int) -> Json:
        state = self.streams.get(stream, receiver.NEW)
        late = sequence_id == state.sequence_id and sequence < state.last_accepted
        if late and (stream, sequence_id, sequence) not in self.accepted:
            self.accepted.add((stream, sequence_id, sequence))
            return {"accepted": True}
        answer = super().receive_in_sequence(stream, sequence_id, sequence, previous)
        if answer["accepted"]:
            self.accepted.add((stream, sequence_id, sequence))
        return answer

    def lose_state(self) -> Json:
        self.accepted.clear()
        return super().lose_state()

    def reset(self) -> None:
        self.accepted.clear()
        super().reset()


class _LosesPatience(ReferenceOrderedReceiver):
    def __init__(self) -> None:
        super().__init__()
        self.rejections = 0

    def react(self, stream: IncomingStream, message: Numbers) -> Reaction:
        after, judgement = super().react(stream, message)
        if judgement.accepted and self.rejections >= 3:
            self.rejections = 0
            return replace(stream, order_ack_timer=after.order_ack_timer), Judgement.GAP
        self.rejections = 0 if judgement.accepted else self.rejections + 1
        return after, judgement

    def reset(self) -> None:
        self.rejections = 0
        super().reset()


class _AcknowledgesHighestArrival(ReferenceOrderedReceiver):
    def __init__(self) -> None:
        super().__init__()
        self.highest: dict[Stream, int] = {}

    def receive_in_sequence(self, stream: Stream, sequence_id: int, sequence: int, previous: int) -> Json:
        self.highest[stream] = max(sequence, self.highest.get(stream, 0))
        return super().receive_in_sequence(stream, sequence_id, sequence, previous)

    def order_ack(self, stream: Stream) -> Json:
        return {"sequence": self.highest.get(stream, 0)}

    def lose_state(self) -> Json:
        self.highest.clear()
        return super().lose_state()

    def reset(self) -> None:
        self.highest.clear()
        super().reset()


class _SendsHighestArrival(_AcknowledgesHighestArrival):
    def order_ack(self, stream: Stream) -> Json:
        return ReferenceOrderedReceiver.order_ack(self, stream)

    def advance_clock(self, seconds: float) -> Json:
        acks = super().advance_clock(seconds)["order_acks"]
        return {"order_acks": [ack | {"sequence": self.highest[ack["stream"]]} for ack in acks]}


def _with_acknowledgment(number: Callable[[int], int]) -> type[ReferenceOrderedReceiver]:
    """Return the receiver whose acknowledgments carry a number made of the last accepted one."""
    return altered(
        ReferenceOrderedReceiver,
        acknowledgment=lambda self, stream: OrderAcknowledgment(number(stream.last_accepted), stream.sequence_id),
    )


Deadline = Callable[[int, OrderAckTimer, OrderAckTimer, bool], int | None]
"""When the acknowledgment is due, None for never.

Of the time, the timer before an arrival, the right timer after it, and whether the message is accepted.
"""


def _with_deadline(deadline: Deadline) -> type[ReferenceOrderedReceiver]:
    """Return the receiver that sets its timer to another deadline with each arrival."""

    def react(
        self: ReferenceOrderedReceiver, stream: IncomingStream, message: Numbers
    ) -> tuple[IncomingStream, Judgement]:
        after, judgement = ReferenceOrderedReceiver.react(self, stream, message)
        due = deadline(self.now, stream.order_ack_timer, after.order_ack_timer, judgement.accepted)
        return replace(after, order_ack_timer=replace(after.order_ack_timer, deadline=due)), judgement

    return altered(ReferenceOrderedReceiver, react=react)


def _tires_of_rejections(now: int, before: OrderAckTimer, after: OrderAckTimer, accepted: bool) -> int | None:  # noqa: FBT001
    return after.deadline if accepted or now < 600 * SECOND else before.deadline


def _acknowledges_on_and_on(self: ReferenceOrderedReceiver, seconds: float) -> Json:
    acknowledgments = ReferenceOrderedReceiver.advance_clock(self, seconds)
    for key, stream in self.streams.items():
        timer = stream.order_ack_timer
        if timer.deadline is None and timer != IDLE:
            again = replace(timer, deadline=self.now + ORDER_ACK_TIMEOUT)
            self.streams[key] = replace(stream, order_ack_timer=again)
    return acknowledgments


# Laid out by hand, as a table: name and sentence, what is different, what it violates.
MUTANTS = (
    _receiver("receiver-accepts-duplicates", "The last accepted message is accepted again.",
        make=_with_filter(_accepts_last_again),
        breaks=("EOD-4-04", "EOD-2-01")),
    _receiver("receiver-accepts-everything", "Whatever arrives is accepted.",
        make=_with_filter(lambda stream, message, right: True),
        breaks=("EOD-2-08", "EOD-4-02", "EOD-2-02", "EOD-2-01")),
    _receiver("receiver-rejects-gaps", "A number has to be the next one, though the messages between have expired.",
        make=_with_filter(_wants_next_number),
        breaks=("EOD-4-06", "EOD-2-08", "EOD-2-03")),
    _receiver("receiver-compares-for-equality", "The previous number has to be the last accepted one.",
        make=_with_filter(_wants_equality),
        breaks=("EOD-4-06", "EOD-2-03")),
    _receiver("receiver-accepts-gaps", "The previous number is not looked at.",
        make=_with_filter(lambda stream, message, right: right.accepted or right is Judgement.GAP),
        breaks=("EOD-4-05", "EOD-2-02")),
    _receiver("receiver-shares-state", "All streams have one last accepted number.",
        make=partial(ReferenceOrderedReceiver, ReceiverReadings(kept_for=KeptFor.SESSION)),
        breaks=("EOD-2-05", "EOD-4-01")),
    _receiver("receiver-remembers-one-stream", "Only the stream of the last arrival is remembered.",
        make=altered(ReferenceOrderedReceiver, receive_in_sequence=_forgets_other_streams),
        breaks=("EOD-4-01", "EOD-2-05")),
    _receiver("receiver-moves-on-arrival", "A rejected message moves the last accepted number, too.",
        make=altered(ReferenceOrderedReceiver, react=_moves_on_arrival),
        breaks=("EOD-4-08", "EOD-2-03")),
    _receiver("receiver-never-moves", "The last accepted number stays that of the first message.",
        make=altered(ReferenceOrderedReceiver, react=_never_moves),
        breaks=("EOD-4-07", "EOD-2-03")),
    _receiver("receiver-begins-with-one", "The last accepted number of a new stream is 1.",
        make=altered(ReferenceOrderedReceiver, react=_begins_with_one),
        breaks=("EOD-4-03",)),
    _receiver("receiver-rejects-after-lost-state", "A stream that is not known begins with number 1 and no other.",
        make=_with_filter(_wants_very_first),
        breaks=("EOD-4-03", "EOD-4-06", "EOD-2-03")),
    _receiver("receiver-filters-by-seen",
        "Every number is remembered by itself, so that a late one is delivered behind later ones.",
        make=_AcceptsLateMessages,
        breaks=("EOD-4-02", "EOD-2-02", "EOD-2-09", "EOD-4-04")),
    _receiver("receiver-loses-patience", "After three rejections in a row whatever comes next is rejected.",
        make=_LosesPatience,
        breaks=("EOD-2-09",)),
    _receiver("receiver-remembers-ten-streams", "The last accepted numbers of ten streams are remembered, and no more.",
        make=altered(ReferenceOrderedReceiver, receive_in_sequence=_forgets_beyond_ten),
        breaks=("EOD-4-01", "EOD-2-05")),
    _receiver("receiver-one-octet", "Of the last accepted number the lowest octet is remembered.",
        make=altered(ReferenceOrderedReceiver, react=_remembers_an_octet),
        breaks=("EOD-4-07", "EOD-4-02")),
    _receiver("receiver-two-octets", "Of every number that arrives the two lowest octets count.",
        make=with_octets(2),
        breaks=("EOD-4-05", "EOD-4-06")),
    _receiver("receiver-halves-names", "Streams are one if the first halves of their names are alike.",
        make=altered(ReferenceOrderedReceiver, key=_half_of_name),
        breaks=("EOD-2-05", "EOD-4-01")),
    _receiver("receiver-sends-eight", "At most eight acknowledgments go out at once, and those for the rest are lost.",
        make=altered(ReferenceOrderedReceiver, advance_clock=_sends_eight),
        breaks=("EOD-4-09",)),
    _receiver("receiver-third-restart-forgets", "Every third restart loses the numbers.",
        make=_ForgetsAtThirdRestart,
        breaks=("EOD-3.1.1.3.1-05",)),
    _receiver("receiver-forgets-at-restart", "The last accepted numbers do not outlive a restart.",
        make=altered(ReferenceOrderedReceiver, restart=ReferenceOrderedReceiver.lose_state),
        breaks=("EOD-3.1.1.3.1-05",)),
    _receiver("receiver-acknowledges-next", "An acknowledgment carries the number that is awaited next.",
        make=_with_acknowledgment(lambda last: last + 1),
        breaks=("EOD-2-11", "EOD-2-10")),
    _receiver("receiver-acknowledges-one-before", "An acknowledgment carries the number before the last accepted one.",
        make=_with_acknowledgment(lambda last: max(last - 1, 0)),
        breaks=("EOD-2-10",)),
    _receiver("receiver-acknowledges-highest-seen", "An acknowledgment carries the highest number that ever arrived.",
        make=_AcknowledgesHighestArrival,
        breaks=("EOD-2-11",)),
    _receiver("receiver-ignores-newer-sequence", "A newer sequence is rejected like a message of a stranger.",
        make=_with_filter(_stays_with_first_sequence),
        breaks=("EOD-3.1.5.8.6-01",)),
    _receiver("receiver-newer-sequence-amid", "A newer sequence is accepted whatever its previous number.",
        make=_with_filter(lambda stream, message, right: right.accepted or right is Judgement.NOT_FIRST_OF_SEQUENCE),
        breaks=("EOD-3.1.5.8.6-02",)),
    _receiver("receiver-older-sequence-accepted", "An older sequence is accepted like a newer one.",
        make=_with_filter(lambda stream, message, right: right.accepted or right is Judgement.OLDER_SEQUENCE),
        breaks=("EOD-3.1.5.8.6-03",)),
    _receiver("receiver-acknowledges-after-two-seconds", "The acknowledgment is due two seconds after an arrival.",
        make=_with_deadline(lambda now, before, after, accepted: now + 2 * SECOND),
        breaks=("EOD-3.1.1.3.1-03",)),
    _receiver("receiver-acknowledges-at-once", "The acknowledgment goes out at once.",
        make=_with_deadline(lambda now, before, after, accepted: now),
        breaks=("EOD-3.1.1.6.2-02",)),
    _receiver("receiver-never-acknowledges", "No acknowledgment goes out of itself.",
        make=_with_deadline(lambda now, before, after, accepted: None),
        breaks=("EOD-4-09", "EOD-3.1.1.6.2-01")),
    _receiver("receiver-does-not-put-off", "A further arrival leaves a running timer alone.",
        make=_with_deadline(lambda now, before, after, accepted: before.deadline or after.deadline),
        breaks=("EOD-3.1.1.6.2-02",)),
    _receiver("receiver-puts-off-for-ever", "Steady arrivals put the acknowledgment off for ever.",
        make=_with_deadline(lambda now, before, after, accepted: now + ORDER_ACK_TIMEOUT),
        breaks=("EOD-3.1.1.6.2-03", "EOD-3.1.1.3.1-04")),
    _receiver("receiver-rejection-stops-timer", "A rejected message stops the timer.",
        make=_with_deadline(lambda now, before, after, accepted: after.deadline if accepted else None),
        breaks=("EOD-3.1.1.6.2-05",)),
    _receiver("receiver-rejection-waits-longer", "A rejected message is acknowledged after two seconds.",
        make=_with_deadline(lambda now, before, after, accepted: after.deadline if accepted else now + 2 * SECOND),
        breaks=("EOD-3.1.1.6.2-04",)),
    _receiver("receiver-tires-of-rejections", "After ten minutes rejected messages are acknowledged no more.",
        make=_with_deadline(_tires_of_rejections),
        breaks=("EOD-4-10",)),
    _receiver("receiver-acknowledges-once", "A stream is acknowledged once and never again.",
        make=_with_deadline(lambda now, before, after, accepted: None if after.last_sent else after.deadline),
        breaks=("EOD-4-09",)),
    _receiver("receiver-acknowledges-on-and-on",
        "Acknowledgments go out every half second, whether messages arrive or not.",
        make=altered(ReferenceOrderedReceiver, advance_clock=_acknowledges_on_and_on),
        breaks=("EOD-3.1.1.6.2-05",)),
    _receiver("receiver-sends-highest-seen",
        "An acknowledgment that goes out carries the highest number that ever arrived; asked, it tells the right one.",
        make=_SendsHighestArrival,
        breaks=("EOD-2-10", "EOD-2-11")),
)  # fmt: skip
