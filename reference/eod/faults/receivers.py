"""Receivers that accept, reject or remember the wrong thing, or acknowledge at the wrong time.

Page, sections 2 and 4; MS-MQQB 3.1.1.3.1, 3.1.1.6.2, 3.1.5.8.6.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from mqconform.reference.eod.elements import ORDER_ACK_TIMEOUT, SECOND, Answer, Numbers, OrderAcknowledgment, Stream
from mqconform.reference.eod.order_ack import IDLE
from mqconform.reference.eod.readings_of_receivers import KeptFor, ReceiverReadings
from mqconform.reference.eod.receiver import NEW, IncomingStream, Judgement, OrderedReceiver
from mqconform.reference.fault import altered, row, with_answers, with_arguments

fault = partial(row, "EOD")
replaced = partial(altered, OrderedReceiver)

_HALF = 1 << 32
_PATIENCE = 3
"""Rejections."""
_WINDOW = 16
"""Numbers."""
_HOUR = 60 * 60 * SECOND


class Reaction(NamedTuple):
    """What a right receiver does with a message: the stream before, the message, the stream after, the judgement."""

    now: int
    before: IncomingStream
    message: Numbers
    right: IncomingStream
    made: Judgement

    @property
    def deadline(self) -> int | None:
        """When an acknowledgment is due."""
        return self.right.order_ack_timer.deadline


def _leaving(after: Callable[[Reaction], IncomingStream], of: Judgement | None = None) -> type[OrderedReceiver]:
    """Return the receiver that is left otherwise by all messages, or by those of one judgement."""

    def react(self: OrderedReceiver, stream: IncomingStream, message: Numbers) -> tuple[IncomingStream, Judgement]:
        right, made = OrderedReceiver.react(self, stream, message)
        reaction = Reaction(self.now, stream, message, right, made)
        return (after(reaction) if of in {None, made} else right), made

    return replaced(react=react)


def with_deadline(deadline: Callable[[Reaction], int | None]) -> type[OrderedReceiver]:
    """Return the receiver that sets its timer to another deadline with each arrival, None for never."""
    return _leaving(
        lambda it: replace(it.right, order_ack_timer=replace(it.right.order_ack_timer, deadline=deadline(it)))
    )


def _with_filter(accepts: Callable[[IncomingStream, Numbers, Judgement], bool]) -> type[OrderedReceiver]:
    """Return the receiver with another filter; a judgement that differs is carried out like the right one."""

    def react(self: OrderedReceiver, stream: IncomingStream, message: Numbers) -> tuple[IncomingStream, Judgement]:
        after, judgement = OrderedReceiver.react(self, stream, message)
        accepted = accepts(stream, message, judgement)
        if accepted == judgement.accepted:
            return after, judgement
        if not accepted:
            return replace(stream, order_ack_timer=after.order_ack_timer), Judgement.DUPLICATE
        moved = replace(after, last_accepted=message.sequence, sequence_id=message.sequence_id)
        return moved, Judgement.IN_ORDER

    return replaced(react=react)


def with_octets(octets: int) -> type[OrderedReceiver]:
    """Return the receiver that looks at a number of the lowest octets of each number."""
    numbers = 1 << 8 * octets
    return with_arguments(
        OrderedReceiver,
        receive_in_sequence=lambda stream, sequence_id, sequence, previous: (
            stream, sequence_id, sequence % numbers, previous % numbers
        ),
    )  # fmt: skip


def _with_acknowledgment(number: Callable[[int], int]) -> type[OrderedReceiver]:
    """Return the receiver whose acknowledgments carry a number made of the last accepted one."""
    return replaced(
        acknowledgment=lambda self, stream: OrderAcknowledgment(number(stream.last_accepted), stream.sequence_id)
    )


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


def _accepts_any_first(stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
    return right.accepted or (right is Judgement.GAP and not stream.last_accepted)


def _wants_number_in_window(stream: IncomingStream, message: Numbers, right: Judgement) -> bool:
    return right.accepted and (not stream.last_accepted or message.sequence <= stream.last_accepted + _WINDOW)


def _forgets_other_streams(self: OrderedReceiver, stream: Stream, *numbers: int, **named: int) -> Answer:
    self.streams = {key: state for key, state in self.streams.items() if key == stream}
    return OrderedReceiver.receive_in_sequence(self, stream, *numbers, **named)


def _forgets_beyond_ten(self: OrderedReceiver, stream: Stream, *numbers: int, **named: int) -> Answer:
    answer = OrderedReceiver.receive_in_sequence(self, stream, *numbers, **named)
    self.streams = dict([*self.streams.items()][-10:])
    return answer


def _forgets_idle_streams(self: OrderedReceiver, stream: Stream, *numbers: int, **named: int) -> Answer:
    if stream in self.memory and self.now - self.memory[stream] > _HOUR:
        self.streams.pop(stream, None)
    self.memory[stream] = self.now
    return OrderedReceiver.receive_in_sequence(self, stream, *numbers, **named)


def _accepts_late(self: OrderedReceiver, stream: Stream, sequence_id: int, sequence: int, previous: int) -> Answer:
    state, accepted = self.streams.get(stream, NEW), (stream, sequence_id, sequence)
    if sequence_id == state.sequence_id and sequence < state.last_accepted and accepted not in self.memory:
        self.memory[accepted] = 1
        return {"accepted": True}
    answer = OrderedReceiver.receive_in_sequence(self, stream, sequence_id, sequence, previous)
    if answer["accepted"]:
        self.memory[accepted] = 1
    return answer


def _notes_arrivals(self: OrderedReceiver, stream: Stream, sequence_id: int, sequence: int, previous: int) -> Answer:
    self.memory[stream] = max(sequence, self.memory[stream])
    return OrderedReceiver.receive_in_sequence(self, stream, sequence_id, sequence, previous)


def _notes_accepted(self: OrderedReceiver, stream: Stream, *numbers: int, **named: int) -> Answer:
    answer = OrderedReceiver.receive_in_sequence(self, stream, *numbers, **named)
    self.memory[stream] = max(self.memory[stream], self.streams[stream].last_accepted)
    return answer


def _notes_start_of_timer(self: OrderedReceiver, stream: Stream, *numbers: int, **named: int) -> Answer:
    idle = self.streams.get(stream, NEW).order_ack_timer.deadline is None
    answer = OrderedReceiver.receive_in_sequence(self, stream, *numbers, **named)
    if idle:
        self.memory[stream] = self.streams[stream].last_accepted
    return answer


def _sends_noted(self: OrderedReceiver, seconds: float) -> Answer:
    acks = OrderedReceiver.advance_clock(self, seconds)["order_acks"]
    return {"order_acks": [ack | {"sequence": self.memory[ack["stream"]]} for ack in acks]}


def _forgets_all(self: OrderedReceiver) -> Answer:
    self.memory.clear()
    return OrderedReceiver.lose_state(self)


def _forgets_at_third_restart(self: OrderedReceiver) -> Answer:
    self.memory["restarts"] += 1
    return OrderedReceiver.restart(self) if self.memory["restarts"] % 3 else OrderedReceiver.lose_state(self)


def _forgets_sequences(self: OrderedReceiver) -> Answer:
    OrderedReceiver.restart(self)
    self.streams = {key: replace(stream, sequence_id=0) for key, stream in self.streams.items()}
    return {}


def _loses_patience(
    self: OrderedReceiver, stream: IncomingStream, message: Numbers
) -> tuple[IncomingStream, Judgement]:
    after, judgement = OrderedReceiver.react(self, stream, message)
    tired = judgement.accepted and self.memory["rejections"] >= _PATIENCE
    self.memory["rejections"] = 0 if judgement.accepted else self.memory["rejections"] + 1
    return (replace(stream, order_ack_timer=after.order_ack_timer), Judgement.GAP) if tired else (after, judgement)


def _acknowledges_on_and_on(self: OrderedReceiver, seconds: float) -> Answer:
    acknowledgments = OrderedReceiver.advance_clock(self, seconds)
    for key, stream in self.streams.items():
        timer = stream.order_ack_timer
        if timer.deadline is None and timer != IDLE:
            again = replace(timer, deadline=self.now + ORDER_ACK_TIMEOUT)
            self.streams[key] = replace(stream, order_ack_timer=again)
    return acknowledgments


def _silent_after(crash: str) -> type[OrderedReceiver]:
    """Return the receiver that acknowledges nothing of itself after one kind of crash."""

    def crashes(self: OrderedReceiver) -> Answer:
        self.memory["silent"] = 1
        answer: Answer = getattr(OrderedReceiver, crash)(self)
        return answer

    return with_answers(
        replaced(**{crash: crashes}),
        advance_clock=lambda self, acks, seconds: {"order_acks": []} if self.memory["silent"] else acks,
    )


def _half(name: Stream) -> Stream:
    return name[: max(1, len(name) // 2)] if isinstance(name, str) else name


# Laid out as a table: name, what it breaks, what it does, the changed rule.
FAULTS = (
    fault("receiver-accepts-duplicates", "4-04 2-01", "The last accepted message is accepted again.",
        _with_filter(_accepts_last_again)),
    fault("receiver-accepts-everything", "4-02 4-04 4-05 2-08 2-02 2-01", "Every message is accepted.",
        _with_filter(lambda stream, message, right: True)),
    fault("receiver-rejects-gaps", "4-06 2-08 2-03",
        "The next number is required even if the messages between have expired.", _with_filter(_wants_next_number)),
    fault("receiver-compares-for-equality", "4-06 2-03", "The previous number must be the last accepted number.",
        _with_filter(_wants_equality)),
    fault("receiver-accepts-gaps", "4-05 2-02", "The previous number is not looked at.",
        _with_filter(lambda stream, message, right: right.accepted or right is Judgement.GAP)),
    fault("receiver-shares-state", "2-05 4-01", "All streams have one last accepted number.",
        partial(OrderedReceiver, ReceiverReadings(kept_for=KeptFor.SESSION))),
    fault("receiver-remembers-one-stream", "4-01 2-05", "Only the stream of the last arrival is remembered.",
        replaced(receive_in_sequence=_forgets_other_streams)),
    fault("receiver-moves-on-arrival", "4-08 2-03", "A rejected message moves the last accepted number, too.",
        _leaving(lambda it: replace(it.right, last_accepted=it.message.sequence))),
    fault("receiver-never-moves", "4-07 2-03", "The last accepted number stays that of the first message.",
        _leaving(lambda it: replace(it.right, last_accepted=it.before.last_accepted or it.right.last_accepted))),
    fault("receiver-begins-with-one", "4-03", "The last accepted number of a new stream is 1.",
        with_arguments(OrderedReceiver, react=lambda stream, message: (
            replace(stream, last_accepted=max(stream.last_accepted, 1)), message))),
    fault("receiver-counts-messages", "4-07", "The last accepted number is how many messages were accepted.",
        _leaving(lambda it: replace(it.right, last_accepted=it.before.last_accepted + it.made.accepted))),
    fault("receiver-begins-with-any", "4-03 4-05",
        "The first message of a stream is accepted whatever its previous number.", _with_filter(_accepts_any_first)),
    fault("receiver-has-a-window", "4-06", "Numbers more than sixteen above the last accepted one are rejected.",
        _with_filter(_wants_number_in_window)),
    fault("receiver-rejects-after-lost-state", "4-03 4-06 2-03",
        "A stream that is not known begins with number 1 and no other.", _with_filter(_wants_very_first)),
    fault("receiver-filters-by-seen", "4-02 2-02 2-09 4-04",
        "Each number is remembered separately, so a late message is delivered after later ones.",
        replaced(receive_in_sequence=_accepts_late, lose_state=_forgets_all)),
    fault("receiver-loses-patience", "2-09", "After three rejections in a row the next message is rejected.",
        replaced(react=_loses_patience)),
    fault("receiver-remembers-ten-streams", "4-01 2-05",
        "The last accepted numbers of ten streams are remembered, and no more.",
        replaced(receive_in_sequence=_forgets_beyond_ten)),
    fault("receiver-one-octet", "4-07 4-02", "Of the last accepted number the lowest octet is remembered.",
        _leaving(lambda it: replace(it.right, last_accepted=it.right.last_accepted % 256))),
    fault("receiver-two-octets", "4-05 4-06", "Of every number that arrives the two lowest octets count.",
        with_octets(2)),
    fault("receiver-cuts-names", "2-05 2-10 4-01", "Streams are one if 63 characters of their names are alike.",
        replaced(key=lambda self, stream: str(stream)[:63])),
    fault("receiver-halves-names", "2-05 4-01", "Streams are one if the first halves of their names are alike.",
        replaced(key=lambda self, stream: _half(stream))),
    fault("receiver-sends-eight", "4-09",
        "At most eight acknowledgments go out at once, and those for the rest are lost.",
        with_answers(OrderedReceiver, advance_clock=lambda self, right, seconds: {
            "order_acks": right["order_acks"][:8]})),
    fault("receiver-third-restart-forgets", "3.1.1.3.1-05", "Every third restart loses the numbers.",
        replaced(restart=_forgets_at_third_restart)),
    fault("receiver-forgets-at-restart", "3.1.1.3.1-05", "The last accepted numbers do not outlive a restart.",
        replaced(restart=OrderedReceiver.lose_state)),
    fault("receiver-acknowledges-as-the-timer-started", "2-10 4-09",
        "An acknowledgment carries the number that was the last accepted one when its timer started.",
        replaced(receive_in_sequence=_notes_start_of_timer, lose_state=_forgets_all, advance_clock=_sends_noted)),
    fault("receiver-acknowledges-next", "2-11 2-10", "An acknowledgment carries the number that is awaited next.",
        _with_acknowledgment(lambda last: last + 1)),
    fault("receiver-acknowledges-one-before", "2-10",
        "An acknowledgment carries the number before the last accepted one.",
        _with_acknowledgment(lambda last: max(last - 1, 0))),
    fault("receiver-acknowledges-highest-seen", "2-11 2-10",
        "An acknowledgment carries the highest number that ever arrived.",
        replaced(receive_in_sequence=_notes_arrivals, lose_state=_forgets_all,
            order_ack=lambda self, stream: {"sequence": self.memory[stream]})),
    fault("receiver-ignores-newer-sequence", "3.1.5.8.6-01",
        "A newer sequence is rejected like a message of a stranger.", _with_filter(_stays_with_first_sequence)),
    fault("receiver-newer-sequence-amid", "3.1.5.8.6-02", "A newer sequence is accepted with any previous number.",
        _with_filter(lambda stream, message, right: right.accepted or right is Judgement.NOT_FIRST_OF_SEQUENCE)),
    fault("receiver-older-sequence-accepted", "3.1.5.8.6-03", "An older sequence is accepted like a newer one.",
        _with_filter(lambda stream, message, right: right.accepted or right is Judgement.OLDER_SEQUENCE)),
    fault("receiver-acknowledges-after-two-seconds", "3.1.1.3.1-03",
        "The acknowledgment is due two seconds after an arrival.", with_deadline(lambda it: it.now + 2 * SECOND)),
    fault("receiver-acknowledges-at-once", "3.1.1.6.2-02", "The acknowledgment goes out at once.",
        with_deadline(lambda it: it.now)),
    fault("receiver-never-acknowledges", "4-09 3.1.1.6.2-01", "No acknowledgment goes out of itself.",
        with_deadline(lambda it: None)),
    fault("receiver-does-not-put-off", "3.1.1.6.2-02", "A further arrival leaves a running timer alone.",
        with_deadline(lambda it: it.before.order_ack_timer.deadline or it.deadline)),
    fault("receiver-puts-off-at-first-only", "3.1.1.6.2-02", "After its first ten seconds nothing is put off.",
        with_deadline(lambda it: it.deadline if it.now < 10 * SECOND
            else it.before.order_ack_timer.deadline or it.deadline)),
    fault("receiver-puts-off-for-ever", "3.1.1.6.2-03 3.1.1.3.1-04",
        "Steady arrivals put the acknowledgment off for ever.", with_deadline(lambda it: it.now + ORDER_ACK_TIMEOUT)),
    fault("receiver-rejection-stops-timer", "3.1.1.6.2-04 4-10 3.1.1.6.2-05", "A rejected message stops the timer.",
        with_deadline(lambda it: it.deadline if it.made.accepted else None)),
    fault("receiver-rejection-waits-longer", "3.1.1.6.2-04", "A rejected message is acknowledged after two seconds.",
        with_deadline(lambda it: it.deadline if it.made.accepted else it.now + 2 * SECOND)),
    fault("receiver-tires-of-rejections", "4-10", "After ten minutes rejected messages are acknowledged no more.",
        with_deadline(lambda it: it.deadline if it.made.accepted or it.now < 600 * SECOND
            else it.before.order_ack_timer.deadline)),
    fault("receiver-acknowledges-once", "4-09 3.1.1.6.2-01", "A stream is acknowledged once and never again.",
        with_deadline(lambda it: None if it.right.order_ack_timer.last_sent else it.deadline)),
    fault("receiver-acknowledges-on-and-on", "3.1.1.6.2-05",
        "Acknowledgments go out every half second, whether messages arrive or not.",
        replaced(advance_clock=_acknowledges_on_and_on)),
    fault("receiver-sends-highest-seen", "2-11 2-10",
        "Acknowledgments carry the highest number that ever arrived; the state shows the right number.",
        replaced(receive_in_sequence=_notes_arrivals, lose_state=_forgets_all, advance_clock=_sends_noted)),
    fault("receiver-forgets-sequence-at-restart", "3.1.1.3.1-05",
        "A restart loses the id of the sequence that is under way.", replaced(restart=_forgets_sequences)),
    fault("receiver-adopts-rejected-sequence", "4-08", "A newer sequence is under way even if its message is rejected.",
        _leaving(lambda it: replace(it.right, sequence_id=it.message.sequence_id), Judgement.NOT_FIRST_OF_SEQUENCE)),
    fault("receiver-keeps-number-over-sequences", "4-07",
        "A newer sequence has to rise above the number of the older one.",
        _leaving(lambda it: replace(it.right, last_accepted=max(it.before.last_accepted, it.message.sequence)),
            Judgement.FIRST_OF_SEQUENCE)),
    fault("receiver-compares-low-half-first", "3.1.5.8.6-01 3.1.5.8.6-03",
        "Of two ids the one with the greater low half is newer.",
        with_arguments(OrderedReceiver, receive_in_sequence=lambda stream, sequence_id, sequence, previous: (
            stream, sequence_id % _HALF * _HALF + sequence_id // _HALF, sequence, previous))),
    fault("receiver-newer-sequence-unacknowledged", "3.1.1.6.2-01",
        "The first message of a newer sequence asks for nothing.",
        _leaving(lambda it: replace(it.right, order_ack_timer=IDLE) if it.before.sequence_id else it.right,
            Judgement.FIRST_OF_SEQUENCE)),
    fault("receiver-acknowledges-highest-of-sequences", "2-10 2-11",
        "Acknowledgments do not fall with a newer sequence.",
        replaced(receive_in_sequence=_notes_accepted, lose_state=_forgets_all, advance_clock=_sends_noted)),
    fault("receiver-acknowledges-what-it-lost", "2-10 2-11",
        "Acknowledgments go on with what was accepted before a loss.",
        replaced(receive_in_sequence=_notes_accepted, advance_clock=_sends_noted)),
    fault("receiver-forgets-idle-streams", "4-01", "A stream is forgotten after an hour without arrivals.",
        replaced(receive_in_sequence=_forgets_idle_streams)),
    fault("receiver-silent-after-restart", "4-09", "After a restart nothing is acknowledged of itself.",
        _silent_after("restart")),
    fault("receiver-silent-after-lost-state", "4-09", "Once its numbers were lost nothing is acknowledged of itself.",
        _silent_after("lose_state")),
    fault("receiver-rejections-put-off-for-ever", "3.1.1.6.2-03 3.1.1.3.1-04",
        "Steady rejections put the acknowledgment off for ever.",
        with_deadline(lambda it: it.deadline if it.made.accepted else it.now + ORDER_ACK_TIMEOUT)),
)  # fmt: skip
