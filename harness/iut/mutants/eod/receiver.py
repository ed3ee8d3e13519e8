"""Receivers that accept, reject or remember the wrong thing, or acknowledge at the wrong time.

Page, sections 2 and 4; MS-MQQB 3.1.1.3.1, 3.1.1.6.2, 3.1.5.8.6.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.ordered_receiver import ReferenceOrderedReceiver, Stream
from mqconform.reference.eod import receiver
from mqconform.reference.eod.elements import ORDER_ACK_TIMEOUT, SECOND, Numbers, OrderAcknowledgment
from mqconform.reference.eod.order_ack import IDLE, OrderAckTimer
from mqconform.reference.eod.readings_of_receivers import KeptFor, ReceiverReadings
from mqconform.reference.eod.receiver import IncomingStream, Judgement
from mqconform.reference.fault import altered, row

fault = partial(row, "EOD")
replaced = partial(altered, ReferenceOrderedReceiver)

Reaction = tuple[IncomingStream, Judgement]
Filter = Callable[[IncomingStream, Numbers, Judgement], bool]
"""Whether a stream accepts a message, given the right judgement of it."""


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


# Laid out as a table: name, what it breaks, what it does, the changed rule.
FAULTS = (
    fault("receiver-accepts-duplicates", "4-04 2-01", "The last accepted message is accepted again.",
        _with_filter(_accepts_last_again)),
    fault("receiver-accepts-everything", "2-08 4-02 2-02 2-01", "Every message is accepted.",
        _with_filter(lambda stream, message, right: True)),
    fault("receiver-rejects-gaps", "4-06 2-08 2-03",
        "The next number is required even if the messages between have expired.", _with_filter(_wants_next_number)),
    fault("receiver-compares-for-equality", "4-06 2-03", "The previous number must be the last accepted number.",
        _with_filter(_wants_equality)),
    fault("receiver-accepts-gaps", "4-05 2-02", "The previous number is not looked at.",
        _with_filter(lambda stream, message, right: right.accepted or right is Judgement.GAP)),
    fault("receiver-shares-state", "2-05 4-01", "All streams have one last accepted number.",
        partial(ReferenceOrderedReceiver, ReceiverReadings(kept_for=KeptFor.SESSION))),
    fault("receiver-remembers-one-stream", "4-01 2-05", "Only the stream of the last arrival is remembered.",
        replaced(receive_in_sequence=_forgets_other_streams)),
    fault("receiver-moves-on-arrival", "4-08 2-03", "A rejected message moves the last accepted number, too.",
        replaced(react=_moves_on_arrival)),
    fault("receiver-never-moves", "4-07 2-03", "The last accepted number stays that of the first message.",
        replaced(react=_never_moves)),
    fault("receiver-begins-with-one", "4-03", "The last accepted number of a new stream is 1.",
        replaced(react=_begins_with_one)),
    fault("receiver-rejects-after-lost-state", "4-03 4-06 2-03",
        "A stream that is not known begins with number 1 and no other.", _with_filter(_wants_very_first)),
    fault("receiver-filters-by-seen", "4-02 2-02 2-09 4-04",
        "Each number is remembered separately, so a late message is delivered after later ones.",
        _AcceptsLateMessages),
    fault("receiver-loses-patience", "2-09", "After three rejections in a row the next message is rejected.",
        _LosesPatience),
    fault("receiver-remembers-ten-streams", "4-01 2-05",
        "The last accepted numbers of ten streams are remembered, and no more.",
        replaced(receive_in_sequence=_forgets_beyond_ten)),
    fault("receiver-one-octet", "4-07 4-02", "Of the last accepted number the lowest octet is remembered.",
        replaced(react=_remembers_an_octet)),
    fault("receiver-two-octets", "4-05 4-06", "Of every number that arrives the two lowest octets count.",
        with_octets(2)),
    fault("receiver-halves-names", "2-05 4-01", "Streams are one if the first halves of their names are alike.",
        replaced(key=_half_of_name)),
    fault("receiver-sends-eight", "4-09",
        "At most eight acknowledgments go out at once, and those for the rest are lost.",
        replaced(advance_clock=_sends_eight)),
    fault("receiver-third-restart-forgets", "3.1.1.3.1-05", "Every third restart loses the numbers.",
        _ForgetsAtThirdRestart),
    fault("receiver-forgets-at-restart", "3.1.1.3.1-05", "The last accepted numbers do not outlive a restart.",
        replaced(restart=ReferenceOrderedReceiver.lose_state)),
    fault("receiver-acknowledges-next", "2-11 2-10", "An acknowledgment carries the number that is awaited next.",
        _with_acknowledgment(lambda last: last + 1)),
    fault("receiver-acknowledges-one-before", "2-10",
        "An acknowledgment carries the number before the last accepted one.",
        _with_acknowledgment(lambda last: max(last - 1, 0))),
    fault("receiver-acknowledges-highest-seen", "2-11",
        "An acknowledgment carries the highest number that ever arrived.", _AcknowledgesHighestArrival),
    fault("receiver-ignores-newer-sequence", "3.1.5.8.6-01",
        "A newer sequence is rejected like a message of a stranger.", _with_filter(_stays_with_first_sequence)),
    fault("receiver-newer-sequence-amid", "3.1.5.8.6-02", "A newer sequence is accepted with any previous number.",
        _with_filter(lambda stream, message, right: right.accepted or right is Judgement.NOT_FIRST_OF_SEQUENCE)),
    fault("receiver-older-sequence-accepted", "3.1.5.8.6-03", "An older sequence is accepted like a newer one.",
        _with_filter(lambda stream, message, right: right.accepted or right is Judgement.OLDER_SEQUENCE)),
    fault("receiver-acknowledges-after-two-seconds", "3.1.1.3.1-03",
        "The acknowledgment is due two seconds after an arrival.",
        _with_deadline(lambda now, before, after, accepted: now + 2 * SECOND)),
    fault("receiver-acknowledges-at-once", "3.1.1.6.2-02", "The acknowledgment goes out at once.",
        _with_deadline(lambda now, before, after, accepted: now)),
    fault("receiver-never-acknowledges", "4-09 3.1.1.6.2-01", "No acknowledgment goes out of itself.",
        _with_deadline(lambda now, before, after, accepted: None)),
    fault("receiver-does-not-put-off", "3.1.1.6.2-02", "A further arrival leaves a running timer alone.",
        _with_deadline(lambda now, before, after, accepted: before.deadline or after.deadline)),
    fault("receiver-puts-off-for-ever", "3.1.1.6.2-03 3.1.1.3.1-04",
        "Steady arrivals put the acknowledgment off for ever.",
        _with_deadline(lambda now, before, after, accepted: now + ORDER_ACK_TIMEOUT)),
    fault("receiver-rejection-stops-timer", "3.1.1.6.2-05", "A rejected message stops the timer.",
        _with_deadline(lambda now, before, after, accepted: after.deadline if accepted else None)),
    fault("receiver-rejection-waits-longer", "3.1.1.6.2-04", "A rejected message is acknowledged after two seconds.",
        _with_deadline(lambda now, before, after, accepted: after.deadline if accepted else now + 2 * SECOND)),
    fault("receiver-tires-of-rejections", "4-10", "After ten minutes rejected messages are acknowledged no more.",
        _with_deadline(_tires_of_rejections)),
    fault("receiver-acknowledges-once", "4-09", "A stream is acknowledged once and never again.",
        _with_deadline(lambda now, before, after, accepted: None if after.last_sent else after.deadline)),
    fault("receiver-acknowledges-on-and-on", "3.1.1.6.2-05",
        "Acknowledgments go out every half second, whether messages arrive or not.",
        replaced(advance_clock=_acknowledges_on_and_on)),
    fault("receiver-sends-highest-seen", "2-10 2-11",
        "Acknowledgments carry the highest number that ever arrived; the state shows the right number.",
        _SendsHighestArrival),
)  # fmt: skip
