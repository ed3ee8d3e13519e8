"""A receiver of streams in a scenario: Givens and Whens for arrivals, crashes and time, and what came of them.

The Thens are in ``receiver_checks``.
"""

import re
from dataclasses import dataclass, field
from typing import Final

import pytest

from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.eod.receiver_models import Answer, ReceiverModels
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_scene import SearchingScene, fresh_judge
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import given, when

_NUMBERS = re.compile(r"(\d+) after (\d+)")
_MINUTE: Final = 600
"""Tenths."""
_FINE: Final = 20
"""Tenths after an arrival in which time passes a tenth at a time, afterwards by seconds."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message that arrived and asks for an acknowledgment, or would by the reading that every arrival does."""

    at: int
    """Tenths of a second since the receiver was started."""
    stream: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class SentAck:
    """An order acknowledgment that was seen to go out."""

    at: int
    """Tenths of a second since the receiver was started."""
    stream: str
    number: int
    accepted: int
    """The number of the stream that the receiver itself had accepted last."""

    def __str__(self) -> str:
        """Return ``2 at 0.9 s``."""
        return f"{self.number} at {self.at / 10:g} s"


@dataclass(slots=True)
class IncomingScene(SearchingScene):
    """The receiver of a scenario, driven together with the models.

    Attributes:
        answers: what became of the messages of the last When.
        arrivals: every message that arrived, with its time.
        acks: every order acknowledgment that went out of itself.
        now: tenths of a second since the start.
        restarted: when it restarted last.
        earlier: acknowledgments before the receiver was started anew.
        arrived_earlier: messages that arrived before that.
    """

    run: Session
    case: Case
    judge: Judge
    models: ReceiverModels = field(default_factory=ReceiverModels)
    answers: list[Answer] = field(default_factory=list)
    arrivals: list[Arrival] = field(default_factory=list)
    acks: list[SentAck] = field(default_factory=list)
    now: int = 0
    restarted: int = 0
    earlier: list[SentAck] = field(default_factory=list)
    arrived_earlier: list[Arrival] = field(default_factory=list)
    trouble: tuple[str, Judgement] | None = None
    _accepted: dict[str, int] = field(default_factory=dict)

    def arrive(self, params: Json) -> None:
        """Let a message arrive."""
        within = f" of sequence {params['sequence_id']}" if "sequence_id" in params else ""
        what = f"{params['sequence']} after {params['previous']}{within} in stream {params['stream']}"
        answer = self.ask("receive_in_sequence" if within else "receive", params, what)
        self.answers.append(answer)
        self.arrivals.append(Arrival(self.now, params["stream"], bool(answer.observed["accepted"])))
        if answer.observed["accepted"]:
            self._accepted[params["stream"]] = params["sequence"]

    def start_anew(self) -> None:
        """Start another receiver, which knows of nothing."""
        self.run.iut.call("reset", {})
        self.models, self.earlier, self.arrived_earlier = ReceiverModels(), self.acks, self.arrivals
        self.answers, self.arrivals, self.acks, self.now, self._accepted = [], [], [], 0, {}

    def ask(self, operation: str, params: Json, what: str) -> Answer:
        """Perform an operation on receiver and models."""
        response = self.run.iut.call(f"ordered_receiver.{operation}", params)
        return self.models.compare(operation, params, response, what)

    def wait(self, tenths: int) -> None:
        """Let virtual time pass, a tenth of a second at a time while times matter, and note what goes out."""
        until = self.now + tenths
        while self.now < until:
            since = self.now - (self.arrivals[-1].at if self.arrivals else 0)
            self.pass_at_once(1 if since < _FINE else min(10, until - self.now))

    def pass_at_once(self, tenths: int) -> None:
        """Let virtual time pass in one piece, and note what goes out."""
        response = self.run.iut.call("ordered_receiver.advance_clock", {"seconds": tenths / 10})
        self.now += tenths
        for ack in response["order_acks"]:
            stream = str(ack["stream"])
            self.acks.append(SentAck(self.now, stream, ack["sequence"], self._accepted.get(stream, 0)))


@pytest.fixture
def incoming(run: Session, case: Case) -> IncomingScene:
    """Give a scenario a receiver as freshly started."""
    return IncomingScene(run, case, fresh_judge(run))


@given("a receiver of streams")
def receiver_of_streams(incoming: IncomingScene) -> None:
    del incoming


@when(r"messages? (?P<numbers>\d+ after \d+(?:(?:, | and )\d+ after \d+)*) arrives? in stream (?P<stream>\w+)")
def messages_arrive(incoming: IncomingScene, numbers: str, stream: str) -> None:
    incoming.answers.clear()
    for sequence, previous in _NUMBERS.findall(numbers):
        incoming.arrive({"stream": stream, "sequence": int(sequence), "previous": int(previous)})


@when(
    r"message (?P<sequence>\d+) after (?P<previous>\d+) of sequence (?P<identifier>\d+) arrives "
    r"in stream (?P<stream>\w+)"
)
def message_of_sequence_arrives(
    incoming: IncomingScene, sequence: str, previous: str, identifier: str, stream: str
) -> None:
    """Let a message arrive that names its sequence (MS-MQQB 3.1.5.8.6)."""
    incoming.answers.clear()
    numbers = {"sequence_id": int(identifier), "sequence": int(sequence), "previous": int(previous)}
    incoming.arrive({"stream": stream, **numbers})


@when(r"the receiver (?P<how>loses its numbers|restarts)")
def receiver_crashes(incoming: IncomingScene, how: str) -> None:
    """Crash it; the store outlives a restart."""
    incoming.ask("restart" if how == "restarts" else "lose_state", {}, f"the receiver {how}")
    incoming.restarted = incoming.now


@when("the receiver is started anew")
def receiver_is_started_anew(incoming: IncomingScene) -> None:
    incoming.start_anew()


@when(r"(?P<seconds>\d+(?:\.\d)?) seconds pass (?P<at_once>at once )?at the receiver")
def seconds_pass_at_the_receiver(incoming: IncomingScene, seconds: str, at_once: str | None) -> None:
    """Let virtual time pass, ``at once`` where no time matters."""
    (incoming.pass_at_once if at_once else incoming.wait)(round(float(seconds) * 10))


@when(
    r"messages (?P<first>\d+) to (?P<last>\d+) arrive in stream (?P<stream>\w+), "
    r"one every (?P<seconds>\d+\.\d) seconds"
)
def messages_arrive_steadily(incoming: IncomingScene, first: str, last: str, stream: str, seconds: str) -> None:
    incoming.answers.clear()
    for number in range(int(first), int(last) + 1):
        incoming.arrive({"stream": stream, "sequence": number, "previous": number - 1})
        incoming.wait(round(float(seconds) * 10))


@when(r"messages 1 to (?P<last>\d+) arrive in each of (?P<streams>\d+) streams, one a minute")
def messages_arrive_now_and_then(incoming: IncomingScene, last: str, streams: str) -> None:
    """Let messages arrive in order, so slowly that no time matters, in streams s1, s2 and so on."""
    incoming.answers.clear()
    for number in range(1, int(last) + 1):
        for stream in range(1, int(streams) + 1):
            incoming.arrive({"stream": f"s{stream}", "sequence": number, "previous": number - 1})
        incoming.pass_at_once(_MINUTE)


@when(
    r"message (?P<sequence>\d+) after 0 arrives (?P<times>\d+) times in stream (?P<stream>\w+), "
    r"each time after the receiver lost its numbers"
)
def message_arrives_after_each_loss(incoming: IncomingScene, sequence: str, times: str, stream: str) -> None:
    incoming.answers.clear()
    for _ in range(int(times)):
        receiver_crashes(incoming, "loses its numbers")
        incoming.arrive({"stream": stream, "sequence": int(sequence), "previous": 0})


@when(
    r"message (?P<sequence>\d+) after (?P<previous>\d+) arrives (?P<times>\d+) times in stream (?P<stream>\w+), "
    r"once (?:a minute|every (?P<seconds>\d+\.\d) seconds)"
)
def message_arrives_again_and_again(  # noqa: PLR0913, PLR0917 - the words of the sentence
    incoming: IncomingScene, sequence: str, previous: str, times: str, stream: str, seconds: str | None
) -> None:
    incoming.answers.clear()
    for _ in range(int(times)):
        incoming.arrive({"stream": stream, "sequence": int(sequence), "previous": int(previous)})
        if seconds:
            incoming.wait(round(float(seconds) * 10))
        else:
            incoming.pass_at_once(_MINUTE)


@when(
    r"messages 1 to (?P<last>\d+) arrive in each of (?P<streams>\d+) streams in turn"
    r"(?P<twice>, each of them twice)?(?:, with a restart after every (?P<every>\d+))?"
)
def many_messages_arrive(
    incoming: IncomingScene, last: str, streams: str, twice: str | None, every: str | None
) -> None:
    """Let many messages arrive, in streams s1, s2 and so on; copies come after a restart where there is one."""
    incoming.answers.clear()
    names = [f"s{number}" for number in range(1, int(streams) + 1)]
    for number in range(1, int(last) + 1):
        for copy in range(2 if twice else 1):
            if copy and every and number % int(every) == 0:
                incoming.ask("restart", {}, "the receiver restarts")
            for stream in names:
                incoming.arrive({"stream": stream, "sequence": number, "previous": number - 1})
