"""A sender of streams in a scenario: Givens and Whens for messages, acknowledgments, expiry, crashes and time.

The Thens are in ``sender_checks`` and ``resends``. What is sent is held against the numbers
that the sender was seen to give: which number a message has is its own affair as far as a rule does not say otherwise.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import pytest
from pytest_bdd import given, parsers, when

from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.eod.sender_models import SenderModels
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_run import JudgedRun
from mqconform.harness.records.case import Case
from mqconform.harness.records.witness import Judgement
from mqconform.reference.eod import sender
from mqconform.reference.eod.elements import Numbers, OrderAcknowledgment
from mqconform.reference.eod.sender import Message, OutgoingStream, QueuedMessage, Sent

NAMES: Final = r"m\d+(?:(?:, | and )m\d+)*"
"""Messages in a sentence, such as ``m1, m2 and m3``."""
_NAME: Final = re.compile(r"m\d+")


@dataclass(frozen=True, slots=True)
class NumberedMessage:
    """A message and the numbers that it got when it was queued."""

    message: Message
    numbers: Numbers

    def __str__(self) -> str:
        """Return the message, then its numbers."""
        return f"{self.message}: {self.numbers}"


@dataclass(frozen=True, slots=True)
class Transmission:
    """What a sender sent, and the stream as it was before, with the numbers that the sender gave."""

    stream: OutgoingStream
    sent: tuple[Sent, ...]

    def __str__(self) -> str:
        """Return what was sent, in words."""
        return "; ".join(map(str, self.sent)) or "nothing"

    def queued(self, message: Message) -> QueuedMessage | None:
        """Return a message that waits, None where none of that name does."""
        return next((queued for queued in self.stream.queue if queued.message == message), None)


@dataclass(slots=True)
class OutgoingScene:
    """The sender of a scenario, driven together with the models.

    Attributes:
        streams: what a sender that gives these numbers has queued, by stream.
        given: every message with its numbers, by stream.
        seen: the last transmission.
        now: tenths of a second since the start.
    """

    run: JudgedRun
    case: Case
    judge: Judge
    models: SenderModels = field(default_factory=SenderModels)
    streams: dict[str, OutgoingStream] = field(default_factory=dict)
    given: dict[str, list[NumberedMessage]] = field(default_factory=dict)
    seen: Transmission | None = None
    now: int = 0

    @property
    def transmission(self) -> Transmission:
        """The last transmission, which the scenario has to have."""
        assert self.seen is not None, "nothing is transmitted in this scenario"
        return self.seen

    def stream(self, name: str) -> OutgoingStream:
        """Return a stream as it is now."""
        return self.streams.get(name, sender.NEW)

    def queue(self, stream: str, message: str) -> None:
        """Let the sender take on a message."""
        params = {"stream": stream, "message": message}
        shown = self._call("enqueue", params)
        numbers = Numbers(shown["sequence"], shown["previous"])
        self.streams[stream] = sender.queued_as(self.stream(stream), message, numbers)
        self.given.setdefault(stream, []).append(NumberedMessage(message, numbers))
        self.models.perform("enqueue", params)

    def transmit(self, stream: str) -> None:
        """Let the sender send everything that is not acknowledged."""
        shown = self._call("transmit", {"stream": stream})["messages"]
        sent = tuple(Sent(entry["message"], Numbers(entry["sequence"], entry["previous"])) for entry in shown)
        self.seen = Transmission(self.stream(stream), sent)
        self.streams[stream], _ = sender.transmit(self.stream(stream), 0)
        self.models.perform("transmit", {"stream": stream})

    def acknowledge(self, stream: str, message: str) -> None:
        """Hand over the acknowledgment of everything up to a message."""
        number = self.number_of(stream, message)
        self._call("order_ack", {"stream": stream, "sequence": number})
        self.streams[stream] = sender.order_acknowledged(self.stream(stream), OrderAcknowledgment(number), 0)
        place = [numbered.message for numbered in self.given[stream]].index(message) + 1
        self.models.perform("order_ack", {"stream": stream, "sequence": place})

    def expire(self, stream: str, message: str) -> None:
        """Let a message expire before it is acknowledged."""
        params = {"stream": stream, "message": message}
        self._call("discard", params)
        self.streams[stream] = sender.discard(self.stream(stream), message)
        self.models.perform("discard", params)

    def receiver_lost_state(self, stream: str) -> None:
        """Tell that the receiver starts from zero."""
        self._call("receiver_lost_state", {"stream": stream})
        self.streams[stream] = sender.receiver_lost_state(self.stream(stream))

    def restart(self) -> None:
        """Crash the sender; the store outlives that."""
        self._call("restart", {})
        self.models.perform("restart", {})

    def wait(self, tenths: int) -> None:
        """Let virtual time pass, and note what is sent again meanwhile."""
        shown = self._call("advance_clock", {"seconds": tenths / 10})["messages"]
        self.models.compare(self.now / 10, tenths / 10, [entry["message"] for entry in shown])
        self.now += tenths

    def number_of(self, stream: str, message: Message) -> int:
        """Return the number that a message was given."""
        return next(numbered.numbers.sequence for numbered in self.given[stream] if numbered.message == message)

    def witness(self, judgement: Judgement) -> None:
        """Record a judgement for the requirements of the scenario."""
        self.run.witness(self.case, self.case.requirements, judgement)

    def _call(self, operation: str, params: Json) -> Json:
        return self.run.iut.call(f"ordered_sender.{operation}", params)


@pytest.fixture
def outgoing(run: JudgedRun, case: Case) -> OutgoingScene:
    """Give a scenario a sender as freshly started."""
    run.check_alive()
    run.iut.call("reset", {})
    return OutgoingScene(run, case, Judge(run.register, run.profile, run.readings))


@given("a sender of streams")
def sender_of_streams(outgoing: OutgoingScene) -> None:
    """Take a sender as freshly started."""
    del outgoing


@when(parsers.re(rf"messages? (?P<names>{NAMES}) (?:is|are) queued in stream (?P<stream>\w+)"))
def messages_are_queued(outgoing: OutgoingScene, names: str, stream: str) -> None:
    """Let the sender take on messages, one after the other."""
    for name in names_in(names):
        outgoing.queue(stream, name)


@when(parsers.re(r"stream (?P<stream>\w+) is transmitted"))
def stream_is_transmitted(outgoing: OutgoingScene, stream: str) -> None:
    """Let the sender send what is not acknowledged."""
    outgoing.transmit(stream)


@when(parsers.re(r"the acknowledgment of (?P<name>m\d+) in stream (?P<stream>\w+) arrives"))
def acknowledgment_arrives(outgoing: OutgoingScene, name: str, stream: str) -> None:
    """Acknowledge everything up to a message."""
    outgoing.acknowledge(stream, name)


@when(parsers.re(r"message (?P<name>m\d+) of stream (?P<stream>\w+) expires"))
def message_expires(outgoing: OutgoingScene, name: str, stream: str) -> None:
    """Let a message expire before it is acknowledged."""
    outgoing.expire(stream, name)


@when(parsers.re(r"the receiver of stream (?P<stream>\w+) turns out to start from zero"))
def receiver_starts_from_zero(outgoing: OutgoingScene, stream: str) -> None:
    """Tell the sender that the receiver lost its numbers."""
    outgoing.receiver_lost_state(stream)


@when("the sender restarts")
def sender_restarts(outgoing: OutgoingScene) -> None:
    """Crash it; the store outlives that."""
    outgoing.restart()


@when(parsers.re(r"(?P<seconds>[\d.]+(?:, [\d.]+)*) seconds pass at the sender"))
def seconds_pass_at_the_sender(outgoing: OutgoingScene, seconds: str) -> None:
    """Let virtual time pass, piece by piece."""
    for piece in seconds.split(", "):
        outgoing.wait(round(float(piece) * 10))


def names_in(text: str) -> list[str]:
    """Return the messages in a list such as ``m1, m2 and m3``."""
    return _NAME.findall(text)


def numbers_text(messages: Sequence[NumberedMessage]) -> str:
    """Return messages with their numbers, in words."""
    return "; ".join(map(str, messages))
