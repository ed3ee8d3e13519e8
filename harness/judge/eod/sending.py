"""A sender of streams in a scenario: Givens and Whens for messages, acknowledgments, expiry, crashes and time.

The Thens are in ``sender_checks`` and ``resends``. What is sent is compared with the numbers
that the sender was seen to give: which number a message has is its own affair as far as a rule does not say otherwise.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Final

import pytest

from mqconform.harness.iut.connect import Reaching
from mqconform.harness.iut.drivers.ordered_delivery.ends import SenderEnd, window_of
from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.eod.sender_models import TENTH, SenderModels
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_scene import SearchingScene, fresh_judge
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import given, when
from mqconform.reference.eod import sender
from mqconform.reference.eod.elements import RESEND_INTERVALS, Numbers, OrderAcknowledgment
from mqconform.reference.eod.sender import Message, OutgoingStream, QueuedMessage, Sent

NAMES: Final = r"m\d+(?:(?:, | and )m\d+)*"
"""Messages in a sentence, such as ``m1, m2 and m3``."""
LONGEST_WATCH: Final = 8 * RESEND_INTERVALS[-1] // TENTH
"""Tenths of a second: eight times the longest wait of the recommended schedule, which is two days."""
LONGEST_SPREAD: Final = 5
"""Tenths of a second within which the next message of a resend leaves."""
_NAME: Final = re.compile(r"m\d+")


@dataclass(frozen=True, slots=True)
class NumberedMessage:
    """A message and the numbers that it got when it was queued."""

    message: Message
    numbers: Numbers
    begins: bool = False
    """Whether its number is 1 again, where everything before it was acknowledged or expired (register EOD-30)."""

    def __str__(self) -> str:
        """Return the message, then its numbers."""
        return f"{self.message}: {self.numbers}"


@dataclass(frozen=True, slots=True)
class Transmission:
    """What a sender sent, and the stream as it was before, with the numbers that the sender gave."""

    stream: OutgoingStream
    """Without what a window keeps back."""
    sent: tuple[Sent, ...]
    kept_back: frozenset[Message] = frozenset()
    """Messages that wait behind a full window."""

    def __str__(self) -> str:
        """Return what was sent, in words."""
        return "; ".join(map(str, self.sent)) or "nothing"

    @property
    def has_gaps(self) -> bool:
        """Whether numbers between those that were sent have expired."""
        return any(after.numbers.sequence - before.numbers.sequence > 1 for before, after in pairwise(self.sent))

    def queued(self, message: Message) -> QueuedMessage | None:
        """Return a message that waits, None where none of that name does."""
        return next((queued for queued in self.stream.queue if queued.message == message), None)


@dataclass(frozen=True, slots=True)
class Watched:
    """What came of waiting for a resend."""

    after: int
    """Tenths of a second from the beginning of the wait, at most a twentieth too many."""
    messages: tuple[Message, ...]
    """What was sent again, several times over where several waits ended; empty where nothing was."""

    def __str__(self) -> str:
        """Return ``m1, m2 after 30 s``."""
        return f"{', '.join(map(str, self.messages)) or 'nothing'} after {self.after / 10:g} s"


@dataclass(slots=True)
class DrivenSender:
    """A sender that is driven together with the models.

    Attributes:
        streams: what a sender that gives these numbers has queued, by stream.
        numbered: every message with its numbers, by stream.
        last_transmission: the last one, None before the first.
        earlier: the last transmission before the sender was started anew.
        watched: what the sender sent of its own accord each time that it was waited for.
    """

    reached: Reaching
    judge: Judge
    models: SenderModels
    streams: dict[str, OutgoingStream] = field(default_factory=dict)
    numbered: dict[str, list[NumberedMessage]] = field(default_factory=dict)
    last_transmission: Transmission | None = None
    earlier: Transmission | None = None
    watched: list[Watched] = field(default_factory=list)
    _renumbers: set[str] = field(default_factory=set)
    """Streams in which a message expired that was never sent: those behind it may get its number yet."""
    _window_known: bool = False
    """Whether the sender was asked for its window, as it is once it sends fewer messages than wait."""

    @property
    def _end(self) -> SenderEnd:
        return SenderEnd(self.reached.iut.call)

    @property
    def transmission(self) -> Transmission:
        """The last transmission, which the scenario has to have."""
        assert self.last_transmission is not None, "nothing is transmitted in this scenario"
        return self.last_transmission

    def stream(self, name: str) -> OutgoingStream:
        """Return a stream as it is now."""
        return self.streams.get(name, sender.NEW)

    def queue(self, stream: str, message: str) -> None:
        """Let the sender take on a message."""
        numbers = self._end.enqueue(stream, message)
        before = self.stream(stream)
        # The next message begins a new sequence (MS-MQQB 3.1.7.1.3; register EOD-30).
        begins = bool(before.last_number) and not before.queue and (numbers.sequence, numbers.previous) == (1, 0)
        if begins:
            before = sender.begin_sequence(before, before.sequence_id + 1)
        self.streams[stream] = sender.queued_as(before, message, numbers)
        self.numbered.setdefault(stream, []).append(NumberedMessage(message, numbers, begins))
        self.models.perform("enqueue", {"stream": stream, "message": message})

    def transmit(self, stream: str) -> None:
        """Let the sender send everything that is not acknowledged."""
        sent = tuple(Sent(message, numbers) for message, numbers in self._end.transmit(stream))
        if stream in self._renumbers:
            self.streams[stream], self.numbered[stream] = numbered_by(sent, self.stream(stream), self.numbered[stream])
            self._renumbers.discard(stream)
        if not self._window_known and 0 < len(sent) < len(self.stream(stream).queue):
            self._window_known = True
            self.models.window = window_of(self._end)
        self.last_transmission = self._transmission(stream, sent)
        after, _ = sender.transmit(self.last_transmission.stream, 0)
        self.streams[stream] = replace(after, queue=after.queue + self.stream(stream).queue[self.models.window :])
        self.models.perform("transmit", {"stream": stream})

    def acknowledge(self, stream: str, message: Message) -> None:
        """Hand over the acknowledgment of everything up to a message; what a window kept back goes out before."""
        while message in {queued.message for queued in self.stream(stream).queue[self.models.window :]}:
            self._acknowledge(stream, self.stream(stream).queue[self.models.window - 1].message)
            self.transmit(stream)
        self._acknowledge(stream, message)

    def acknowledge_nothing(self, stream: str) -> None:
        """Hand over an acknowledgment that carries zero (register EOD-13), which leaves all as it is."""
        self._end.order_ack(stream, 0)
        self.models.perform("order_ack", {"stream": stream, "sequence": 0})

    def _acknowledge(self, stream: str, message: Message) -> None:
        number = self.number_of(stream, message)
        self._end.order_ack(stream, number)
        before = self.stream(stream)
        acknowledgment = OrderAcknowledgment(number, before.sequence_id)
        self.streams[stream] = sender.order_acknowledged(before, acknowledgment, 0)
        place = [numbered.message for numbered in self.numbered[stream]].index(message) + 1
        self.models.perform("order_ack", {"stream": stream, "sequence": place})

    def expire(self, stream: str, message: Message) -> None:
        """Let a message expire before it is acknowledged."""
        self._end.discard(stream, message)
        if any(queued.message == message and not queued.transmitted for queued in self.stream(stream).queue):
            self._renumbers.add(stream)
        self.streams[stream] = sender.discard(self.stream(stream), message)
        self.models.perform("discard", {"stream": stream, "message": message})

    def receiver_lost_state(self, stream: str) -> None:
        """Tell that the receiver starts from zero."""
        self._end.receiver_lost_state(stream)
        self.streams[stream] = sender.receiver_lost_state(self.stream(stream))

    def restart(self) -> None:
        """Crash the sender; the store outlives that."""
        self._call("restart", {})
        self.models.perform("restart", {})

    def wait(self, tenths: int) -> None:
        """Let virtual time pass, in smaller pieces where a resend is due, and note what is sent again meanwhile."""
        while tenths > 0:
            passed, sent = self._sent_while(self.models.next_step(tenths))
            resends = {stream: [resend.message for resend in of_stream] for stream, of_stream in sent.items()}
            self.models.compare(passed, resends)
            tenths -= passed

    def watch(self, stream: str, longest: int = LONGEST_WATCH) -> None:
        """Let virtual time pass until the sender sends a stream again, or for ``longest`` tenths of a second."""
        passed = 0
        sent: list[Sent] = []
        while not sent and passed < longest:
            step, sent_by_stream = self._sent_while(min(max(10, passed // 20), longest - passed))
            sent = sent_by_stream.get(stream, [])
            passed += step
        self.watched.append(Watched(passed, tuple(resend.message for resend in sent)))
        self.last_transmission = self._transmission(stream, once(sent))

    def start_anew(self) -> None:
        """Start another sender, which knows of nothing."""
        self.reached.iut.call("reset", {})
        self.models = SenderModels(self.judge.profile, self.models.window)
        self.earlier = self.last_transmission
        self.streams, self.numbered, self.last_transmission, self._renumbers = {}, {}, None, set()

    def let_pass(self, tenths: int) -> None:
        """Let virtual time pass, and ignore what is sent meanwhile."""
        self._sent_while(tenths)

    def resent_while(self, tenths: int) -> dict[str, Transmission]:
        """Let virtual time pass, and return what was sent again of streams whose first message was, each message once.

        A sender may wait longer, and for each message by itself.
        """
        _, sent = self._sent_while(tenths)
        resent = {}
        for stream, of_stream in sent.items():
            first_of_each = {resend.message: resend for resend in reversed(of_stream)}
            messages = list(dict.fromkeys(resend.message for resend in of_stream))
            if (queue := self.stream(stream).queue) and queue[0].message in first_of_each:
                resent[stream] = self._transmission(stream, tuple(first_of_each[message] for message in messages))
        return resent

    def number_of(self, stream: str, message: Message) -> int:
        """Return the number that a message was given."""
        return next(numbered.numbers.sequence for numbered in self.numbered[stream] if numbered.message == message)

    def _transmission(self, stream: str, sent: tuple[Sent, ...]) -> Transmission:
        before, window = self.stream(stream), self.models.window
        kept_back = frozenset(queued.message for queued in before.queue[window:])
        return Transmission(replace(before, queue=before.queue[:window]), sent, kept_back)

    def _sent_while(self, tenths: int) -> tuple[int, dict[str, list[Sent]]]:
        """Let virtual time pass, and return how much did and what was sent meanwhile, by stream.

        No text has the messages of a resend leave at one moment: after each the missing get half a second to follow.
        """
        sent, passed, quiet = self._sent_at_once(tenths), tenths, 0
        while quiet < LONGEST_SPREAD and (missing := self._missing(sent)):
            more = self._sent_at_once(1)
            passed, quiet = passed + 1, 0 if missing.intersection(more) else quiet + 1
            for stream, messages in more.items():
                sent.setdefault(stream, []).extend(messages)
        return passed, sent

    def _missing(self, sent: dict[str, list[Sent]]) -> set[str]:
        """Return the streams of which fewer messages were sent than wait."""
        return {stream for stream, messages in sent.items() if len(messages) < self._under_way(stream)}

    def _under_way(self, stream: str) -> int:
        return min(len(self.stream(stream).queue), self.models.window)

    def _sent_at_once(self, tenths: int) -> dict[str, list[Sent]]:
        sent: dict[str, list[Sent]] = {}
        for entry in self._call("advance_clock", {"seconds": tenths / 10})["messages"]:
            numbers = Numbers(entry["sequence"], entry["previous"])
            sent.setdefault(str(entry["stream"]), []).append(Sent(entry["message"], numbers))
        return sent

    def _call(self, operation: str, params: Json) -> Json:
        return self.reached.iut.call(f"ordered_sender.{operation}", params)


@dataclass(slots=True)
class OutgoingScene(DrivenSender, SearchingScene):
    """The sender of a scenario."""

    run: Session = field(kw_only=True)
    case: Case = field(kw_only=True)
    trouble: tuple[str, Judgement] | None = None


@pytest.fixture
def outgoing(run: Session, case: Case) -> OutgoingScene:
    """Give a scenario a sender as freshly started."""
    return OutgoingScene(run, fresh_judge(run), SenderModels(run.plan.profile), run=run, case=case)


@given("a sender of streams")
def sender_of_streams(outgoing: OutgoingScene) -> None:
    del outgoing


@when(rf"messages? (?P<names>{NAMES}) (?:is|are) queued in stream (?P<stream>\w+)")
def messages_are_queued(outgoing: OutgoingScene, names: str, stream: str) -> None:
    for name in names_in(names):
        outgoing.queue(stream, name)


@when(r"stream (?P<stream>\w+) is transmitted")
def stream_is_transmitted(outgoing: OutgoingScene, stream: str) -> None:
    outgoing.transmit(stream)


@when(r"the acknowledgment of (?P<name>m\d+|nothing) in stream (?P<stream>\w+) arrives")
def acknowledgment_arrives(outgoing: OutgoingScene, name: str, stream: str) -> None:
    """Acknowledge everything up to a message, or hand over a zero, as receivers that accepted nothing may send it."""
    if name == "nothing":
        outgoing.acknowledge_nothing(stream)
    else:
        outgoing.acknowledge(stream, name)


@when(r"message (?P<name>m\d+) of stream (?P<stream>\w+) expires")
def message_expires(outgoing: OutgoingScene, name: str, stream: str) -> None:
    outgoing.expire(stream, name)


@when(r"the receiver of stream (?P<stream>\w+) turns out to start from zero")
def receiver_starts_from_zero(outgoing: OutgoingScene, stream: str) -> None:
    outgoing.receiver_lost_state(stream)


@when("the sender restarts")
def sender_restarts(outgoing: OutgoingScene) -> None:
    """Crash it; the store outlives that."""
    outgoing.restart()


@when(r"(?P<seconds>[\d.]+(?:, [\d.]+)*) seconds pass at the sender")
def seconds_pass_at_the_sender(outgoing: OutgoingScene, seconds: str) -> None:
    for piece in seconds.split(", "):
        outgoing.wait(round(float(piece) * 10))


@when(r"the sender is watched until it (?:sends|has sent) stream (?P<stream>\w+) again(?: (?P<times>\d+) times)?")
def sender_is_watched(outgoing: OutgoingScene, stream: str, times: str | None) -> None:
    for _ in range(int(times or 1)):
        outgoing.watch(stream)


@when(
    r"(?P<last>\d+) messages are queued in each of (?P<streams>\d+) streams in turn, the half of them acknowledged "
    r"on the way(?:, with a restart after every (?P<every>\d+))?"
)
def many_messages_are_queued(outgoing: OutgoingScene, last: str, streams: str, every: str | None) -> None:
    """Queue messages m1, m2 and so on in streams s1, s2 and so on, and acknowledge what is half-way but the last."""
    names = [f"s{number}" for number in range(1, int(streams) + 1)]
    half = int(last) // 2
    for number in range(1, int(last) + 1):
        for stream in names:
            outgoing.queue(stream, f"m{number}")
            if number == half + 1:
                outgoing.transmit(stream)
                outgoing.acknowledge(stream, f"m{half}")
        if every and number % int(every) == 0:
            outgoing.restart()


@when("the sender is started anew")
def sender_is_started_anew(outgoing: OutgoingScene) -> None:
    outgoing.start_anew()


@when("two thirds of that time pass")
def two_thirds_pass(outgoing: OutgoingScene) -> None:
    outgoing.let_pass(outgoing.watched[-1].after * 2 // 3)


@when("twice that time passes, half a second at a time")
def time_passes_in_small_pieces(outgoing: OutgoingScene) -> None:
    """Let twice the time pass for which the sender waited alone; where that is long, the pieces are longer, too."""
    (stream,) = outgoing.streams
    twice = 2 * outgoing.watched[-1].after
    piece = max(5, twice // 400)
    for _ in range(0, twice, piece):
        outgoing.watch(stream, piece)


@when(r"a message is queued in stream (?P<stream>\w+) each time that a third of that time passes")
def messages_are_queued_steadily(outgoing: OutgoingScene, stream: str) -> None:
    third = max(1, outgoing.watched[-1].after // 3)
    for number in range(2, 8):
        outgoing.watch(stream, third)
        outgoing.queue(stream, f"m{number}")


def numbered_by(
    sent: Sequence[Sent], stream: OutgoingStream, numbered_messages: Sequence[NumberedMessage]
) -> tuple[OutgoingStream, list[NumberedMessage]]:
    """Take the numbers of a first transmission for those that messages were given.

    MS-MQQB 3.1.7.1.3 gives a number with the first transmission: what expired before has left no gap.
    """
    numbers = {message.message: message.numbers for message in sent}
    fresh = {queued.message for queued in stream.queue if not queued.transmitted} & numbers.keys()
    queue = [
        replace(queued, numbers=numbers[queued.message]) if queued.message in fresh else queued
        for queued in stream.queue
    ]
    messages = [
        replace(numbered, numbers=numbers[numbered.message]) if numbered.message in fresh else numbered
        for numbered in numbered_messages
    ]
    return replace(stream, queue=tuple(queue)), messages


def once(sent: Sequence[Sent]) -> tuple[Sent, ...]:
    """Return what was sent, once where the same was sent several times over because several waits ended."""
    length = next((place for place in range(1, len(sent)) if sent[place] == sent[0]), len(sent))
    first = tuple(sent[:length])
    return first if first and tuple(sent) == first * (len(sent) // length) else tuple(sent)


def names_in(text: str) -> list[str]:
    """Return the messages in a list such as ``m1, m2 and m3``."""
    return _NAME.findall(text)


def numbers_text(messages: Sequence[NumberedMessage]) -> str:
    """Return messages with their numbers, in words."""
    return "; ".join(map(str, messages))
