"""Receivers that go wrong once a sequence, a restart or a loss of their numbers lies behind them.

Page, sections 2 and 4; MS-MQQB 3.1.1.3.1, 3.1.1.6.2, 3.1.5.8.6.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.eod.receiver import Reaction
from mqconform.harness.iut.mutants.mutant import Mutant, altered
from mqconform.harness.iut.reference_iut.ordered_receiver import ReferenceOrderedReceiver, Stream
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod.elements import ORDER_ACK_TIMEOUT, SECOND, Numbers
from mqconform.reference.eod.order_ack import IDLE
from mqconform.reference.eod.receiver import IncomingStream, Judgement

After = Callable[[IncomingStream, IncomingStream, Numbers], IncomingStream]
"""The stream that is left, given the stream before, the right one after, and the message."""

_HALF = 1 << 32
_receiver = partial(Mutant, role=RoleName.ORDERED_RECEIVER)


def _leaving(judgement: Judgement, after: After) -> type[ReferenceOrderedReceiver]:
    """Return the receiver that is left otherwise by one kind of message."""

    def react(self: ReferenceOrderedReceiver, stream: IncomingStream, message: Numbers) -> Reaction:
        right, made = ReferenceOrderedReceiver.react(self, stream, message)
        return (after(stream, right, message) if made is judgement else right), made

    return altered(ReferenceOrderedReceiver, react=react)


def _forgets_sequences(self: ReferenceOrderedReceiver) -> Json:
    ReferenceOrderedReceiver.restart(self)
    self.streams = {key: replace(stream, sequence_id=0) for key, stream in self.streams.items()}
    return {}


def _low_half_first(
    self: ReferenceOrderedReceiver, stream: Stream, sequence_id: int, sequence: int, previous: int
) -> Json:
    exchanged = sequence_id % _HALF * _HALF + sequence_id // _HALF
    return ReferenceOrderedReceiver.receive_in_sequence(self, stream, exchanged, sequence, previous)


def _rejections_put_off(self: ReferenceOrderedReceiver, stream: IncomingStream, message: Numbers) -> Reaction:
    after, judgement = ReferenceOrderedReceiver.react(self, stream, message)
    if judgement.accepted:
        return after, judgement
    timer = replace(after.order_ack_timer, deadline=self.now + ORDER_ACK_TIMEOUT)
    return replace(after, order_ack_timer=timer), judgement


class _SilentAfter(ReferenceOrderedReceiver):
    """A receiver that acknowledges nothing of itself after one kind of crash."""

    def __init__(self, crash: str) -> None:
        super().__init__()
        self.crash, self.silent = crash, False

    def restart(self) -> Json:
        self.silent |= self.crash == "restart"
        return super().restart()

    def lose_state(self) -> Json:
        self.silent |= self.crash == "lose_state"
        return super().lose_state()

    def advance_clock(self, seconds: float) -> Json:
        acks = super().advance_clock(seconds)
        return {"order_acks": []} if self.silent else acks

    def reset(self) -> None:
        self.silent = False
        super().reset()


class _AcknowledgesHighestAccepted(ReferenceOrderedReceiver):
    """A receiver whose acknowledgments never fall, neither with a newer sequence nor with the loss of all numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.highest: dict[Stream, int] = {}

    def receive_in_sequence(self, stream: Stream, sequence_id: int, sequence: int, previous: int) -> Json:
        answer = super().receive_in_sequence(stream, sequence_id, sequence, previous)
        self.highest[stream] = max(self.highest.get(stream, 0), self.streams[stream].last_accepted)
        return answer

    def advance_clock(self, seconds: float) -> Json:
        acks = super().advance_clock(seconds)["order_acks"]
        return {"order_acks": [ack | {"sequence": self.highest[ack["stream"]]} for ack in acks]}

    def reset(self) -> None:
        self.highest.clear()
        super().reset()


class _AcknowledgesHighestOfSequences(_AcknowledgesHighestAccepted):
    """The same, but for a loss of all numbers."""

    def lose_state(self) -> Json:
        self.highest.clear()
        return super().lose_state()


class _ForgetsIdleStreams(ReferenceOrderedReceiver):
    """A receiver that drops the state of streams of which nothing arrived for an hour."""

    def __init__(self) -> None:
        super().__init__()
        self.arrived: dict[Stream, int] = {}

    def receive_in_sequence(self, stream: Stream, sequence_id: int, sequence: int, previous: int) -> Json:
        if self.now - self.arrived.get(stream, self.now) > 60 * 60 * SECOND:
            self.streams.pop(stream, None)
        self.arrived[stream] = self.now
        return super().receive_in_sequence(stream, sequence_id, sequence, previous)

    def reset(self) -> None:
        self.arrived.clear()
        super().reset()


# Laid out by hand, as a table: name and sentence, what is different, what it violates.
MUTANTS = (
    _receiver("receiver-forgets-sequence-at-restart", "A restart loses the id of the sequence that is under way.",
        make=altered(ReferenceOrderedReceiver, restart=_forgets_sequences),
        breaks=("EOD-3.1.1.3.1-05",)),
    _receiver("receiver-adopts-rejected-sequence", "A newer sequence is under way even if its message is rejected.",
        make=_leaving(Judgement.NOT_FIRST_OF_SEQUENCE,
            lambda before, right, message: replace(right, sequence_id=message.sequence_id)),
        breaks=("EOD-4-08",)),
    _receiver("receiver-keeps-number-over-sequences", "A newer sequence has to rise above the number of the older one.",
        make=_leaving(Judgement.FIRST_OF_SEQUENCE,
            lambda before, right, message: replace(right, last_accepted=max(before.last_accepted, message.sequence))),
        breaks=("EOD-4-07",)),
    _receiver("receiver-compares-low-half-first", "Of two ids the one with the greater low half is newer.",
        make=altered(ReferenceOrderedReceiver, receive_in_sequence=_low_half_first),
        breaks=("EOD-3.1.5.8.6-01", "EOD-3.1.5.8.6-03")),
    _receiver("receiver-newer-sequence-unacknowledged", "The first message of a newer sequence asks for nothing.",
        make=_leaving(Judgement.FIRST_OF_SEQUENCE,
            lambda before, right, message: replace(right, order_ack_timer=IDLE) if before.sequence_id else right),
        breaks=("EOD-3.1.1.6.2-01",)),
    _receiver("receiver-acknowledges-highest-of-sequences", "Acknowledgments do not fall with a newer sequence.",
        make=_AcknowledgesHighestOfSequences,
        breaks=("EOD-2-10", "EOD-2-11")),
    _receiver("receiver-acknowledges-what-it-lost", "Acknowledgments go on with what was accepted before a loss.",
        make=_AcknowledgesHighestAccepted,
        breaks=("EOD-2-10", "EOD-2-11")),
    _receiver("receiver-forgets-idle-streams", "A stream of which nothing arrives for an hour is forgotten.",
        make=_ForgetsIdleStreams,
        breaks=("EOD-4-01",)),
    _receiver("receiver-silent-after-restart", "After a restart nothing is acknowledged of itself.",
        make=partial(_SilentAfter, "restart"),
        breaks=("EOD-4-09",)),
    _receiver("receiver-silent-after-lost-state", "Once its numbers were lost nothing is acknowledged of itself.",
        make=partial(_SilentAfter, "lose_state"),
        breaks=("EOD-4-09",)),
    _receiver("receiver-rejections-put-off-for-ever", "Steady rejections put the acknowledgment off for ever.",
        make=altered(ReferenceOrderedReceiver, react=_rejections_put_off),
        breaks=("EOD-3.1.1.6.2-03", "EOD-3.1.1.3.1-04")),
)  # fmt: skip
