"""Receivers that go wrong once a sequence, a restart or a loss of their numbers lies behind them.

Page, sections 2 and 4; MS-MQQB 3.1.1.3.1, 3.1.1.6.2, 3.1.5.8.6.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.eod.receiver import Reaction
from mqconform.harness.iut.reference_iut.ordered_receiver import ReferenceOrderedReceiver, Stream
from mqconform.reference.eod.elements import ORDER_ACK_TIMEOUT, SECOND, Numbers
from mqconform.reference.eod.order_ack import IDLE
from mqconform.reference.eod.receiver import IncomingStream, Judgement
from mqconform.reference.fault import altered, row

fault = partial(row, "EOD")
replaced = partial(altered, ReferenceOrderedReceiver)

After = Callable[[IncomingStream, IncomingStream, Numbers], IncomingStream]
"""The stream that is left, given the stream before, the right one after, and the message."""

_HALF = 1 << 32


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


# Laid out as a table: name, what it breaks, what it does, the changed rule.
FAULTS = (
    fault("receiver-forgets-sequence-at-restart", "3.1.1.3.1-05",
        "A restart loses the id of the sequence that is under way.", replaced(restart=_forgets_sequences)),
    fault("receiver-adopts-rejected-sequence", "4-08", "A newer sequence is under way even if its message is rejected.",
        _leaving(Judgement.NOT_FIRST_OF_SEQUENCE,
            lambda before, right, message: replace(right, sequence_id=message.sequence_id))),
    fault("receiver-keeps-number-over-sequences", "4-07",
        "A newer sequence has to rise above the number of the older one.",
        _leaving(Judgement.FIRST_OF_SEQUENCE,
            lambda before, right, message: replace(right, last_accepted=max(before.last_accepted, message.sequence)))),
    fault("receiver-compares-low-half-first", "3.1.5.8.6-01 3.1.5.8.6-03",
        "Of two ids the one with the greater low half is newer.", replaced(receive_in_sequence=_low_half_first)),
    fault("receiver-newer-sequence-unacknowledged", "3.1.1.6.2-01",
        "The first message of a newer sequence asks for nothing.",
        _leaving(Judgement.FIRST_OF_SEQUENCE,
            lambda before, right, message: replace(right, order_ack_timer=IDLE) if before.sequence_id else right)),
    fault("receiver-acknowledges-highest-of-sequences", "2-10 2-11",
        "Acknowledgments do not fall with a newer sequence.", _AcknowledgesHighestOfSequences),
    fault("receiver-acknowledges-what-it-lost", "2-10 2-11",
        "Acknowledgments go on with what was accepted before a loss.", _AcknowledgesHighestAccepted),
    fault("receiver-forgets-idle-streams", "4-01", "A stream is forgotten after an hour without arrivals.",
        _ForgetsIdleStreams),
    fault("receiver-silent-after-restart", "4-09", "After a restart nothing is acknowledged of itself.",
        partial(_SilentAfter, "restart")),
    fault("receiver-silent-after-lost-state", "4-09", "Once its numbers were lost nothing is acknowledged of itself.",
        partial(_SilentAfter, "lose_state")),
    fault("receiver-rejections-put-off-for-ever", "3.1.1.6.2-03 3.1.1.3.1-04",
        "Steady rejections put the acknowledgment off for ever.", replaced(react=_rejections_put_off)),
)  # fmt: skip
