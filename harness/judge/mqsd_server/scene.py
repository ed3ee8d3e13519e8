"""What the steps of one discovery-server scenario share: the server, what was sent, and how a check becomes a step.

Checks themselves, and what brings a situation about, stand in the modules of their subjects.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import pytest

from mqconform.harness.iut.drivers.discovery_server.port import Answers, DiscoveryPort, ServerLost
from mqconform.harness.iut.drivers.discovery_server.requests import Draft, fresh_guid, other_guid
from mqconform.harness.iut.interface import Datagram, Iut, ServerFacts
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_scene import JudgedScene
from mqconform.harness.judge.marks import bearing
from mqconform.harness.judge.mqsd_server.reply_view import CORRELATION_ID, REQUEST_ID, ReplyCheck, view
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement, Traffic
from mqconform.harness.suite.steps import then
from mqconform.reference.mqsd.expected_reply import ExpectedReply, expected_reply
from mqconform.reference.mqsd.server import DiscoveryServer, Network

RETURNS_TO_LISTENING = "MQSD-3.2.5-02"
PAUSE = 0.05
"""Seconds between two requests to a server that may be opening its socket."""
OWN_PORT = "the UDP port that it opened"
"""What witnesses call a port that the implementation opened for one scenario."""


@dataclass(slots=True)
class Scene(JudgedScene):
    """The server of a scenario and what was sent to it.

    Attributes:
        target: where datagrams go: the IUT itself, or the UDP port that it opened.
        asked: one entry for each time something was sent.
        sent: the first of the datagrams that were sent last.
        tried: how many generated examples a search had.
        counterexample: of a search, None where it found none.
        closing: undoes what the scenario set up.
    """

    run: Session
    case: Case
    rng: random.Random
    port: DiscoveryPort
    judge: Judge
    target: Iut
    facts: ServerFacts | None = None
    exchanges: list[Answers] = field(default_factory=list)
    closing: ExitStack = field(default_factory=ExitStack)
    sent: bytes = b""
    examples_tried: int = 0
    counterexample: Any = None
    sockets_before: int = 0
    silence_recorded: bool = False

    @property
    def server(self) -> DiscoveryServer:
        """The configuration as the reference model sees it."""
        assert self.facts is not None, "the scenario has no Given that configures a server"
        return model_of(self.facts)

    @property
    def answers(self) -> Answers:
        """What came back the last time."""
        return self.exchanges[-1]

    def use(self, facts: ServerFacts) -> None:
        """Work with this configuration from now on."""
        self.facts = facts

    def draft(self, *, own_site: bool = False) -> Draft:
        """Return a right request with an id of its own, of the server's enterprise."""
        server = self.server
        site = bytes(server.site) if own_site else other_guid(self.rng, server.site)
        return Draft(bytes(server.enterprise), fresh_guid(self.rng), site)

    def send(self, *datagrams: bytes, expected: int, network: str = "ip") -> Answers:
        """Send datagrams and keep what comes back."""
        self.sent = datagrams[0]
        try:
            answers = self.port.ask(self.target, datagrams, expected=expected, network=network)
        except ServerLost as lost:
            self._convict(lost)
            raise
        self.exchanges.append(answers)
        return answers

    def ask_until_answered(self, request: Callable[[], bytes]) -> int:
        """Send one request after the other until one is answered or a client would give up; return how many.

        Over datagrams each is waited for; a call that ends at once is repeated with a pause.
        """
        until, asked = time.monotonic() + self.run.plan.options.reply_timeout, 0
        while True:
            asked += 1
            if self.send(request(), expected=1).replies or time.monotonic() > until:
                return asked
            time.sleep(PAUSE)

    def _convict(self, lost: ServerLost) -> None:
        """Record that a server that was heard before cannot be asked any more (3.2.5); the run gives it up."""
        self.run.patience.dead_since = self.case.id
        gone = Judgement(Verdict.FAIL, "the server returns to listening", str(lost))
        self.run.witness(self.case, (RETURNS_TO_LISTENING,), gone, Traffic(lost.request))

    @property
    def address(self) -> str:
        """HOST:PORT of a server that is reached over UDP."""
        return self.target.description.name.removeprefix("udp ")

    def lasting(self, text: str) -> str:
        """Return a text without the port that the system chose for a scenario: the same run says the same."""
        if self.target is self.run.iut:
            return text
        return text.replace(self.address, OWN_PORT)


@pytest.fixture
def scene(run: Session, case: Case) -> Iterator[Scene]:
    """Give a scenario a fresh IUT state and a source of choices that depends on seed and case alone."""
    rng = random.Random(f"{run.plan.seed}:{case.id}")
    judge = run.judge
    made = Scene(run, case, rng, DiscoveryPort(run, run.patience, rng), judge, run.iut)
    run.patience.check_alive()
    run.iut.call("reset", {})
    with made.closing:
        yield made


SEND_REPLY = "MQSD-3.2.5-01"
"""The requirement that an unanswered request violates in every scenario."""

Check = TypeVar("Check", bound=Callable[..., Judgement])
AnswersCheck = Callable[[Judge, Answers], Judgement]
ExchangesCheck = Callable[[Judge, Sequence[Answers]], Judgement]


def witness(  # noqa: PLR0913, PLR0917 - what a witness holds
    scene: Scene,
    check: Callable[..., Judgement] | None,
    judgement: Judgement,
    request: bytes = b"",
    reply: Datagram | None = None,
    requirements: tuple[str, ...] = (),
) -> None:
    """Record a judgement for some requirements, or those of the scenario that the check bears on; else for all."""
    network = scene.exchanges[-1].network if scene.exchanges else "ip"
    octets, source = (reply.octets, scene.lasting(reply.source)) if reply else (b"", "")
    expected, observed = scene.lasting(judgement.expected), scene.lasting(judgement.observed)
    lasting = replace(judgement, expected=expected, observed=observed)
    requirements = requirements or bearing(check, scene.case.requirements)
    scene.run.witness(scene.case, requirements, lasting, Traffic(request, octets, network, source))


def _entering(sentence: str, by: Callable[[Scene, Check], None]) -> Callable[[Check], Check]:
    """Make a check a step of its module, known by its name; ``by`` hands it what it judges, and records that."""

    def entered(check: Check) -> Check:
        def judge_step(scene: Scene) -> None:
            by(scene, check)

        judge_step.__module__ = check.__module__
        then(sentence, check)(judge_step)
        return check

    return entered


def then_reply(sentence: str) -> Callable[[ReplyCheck], ReplyCheck]:
    """Let a check judge the reply to the last request; without one it is inconclusive and the silence a violation."""
    return _entering(sentence, _judge_reply)


def then_answers(sentence: str) -> Callable[[AnswersCheck], AnswersCheck]:
    """Let a check judge all that came back the last time, whether anything did or not."""
    return _entering(sentence, _judge_answers)


def then_exchanges(sentence: str) -> Callable[[ExchangesCheck], ExchangesCheck]:
    """Let a check judge all that was sent since the Given; a request that drew no reply is a violation as well."""
    return _entering(sentence, _judge_exchanges)


def _judge_reply(scene: Scene, check: ReplyCheck) -> None:
    request = scene.answers.requests[0]
    reply = pick(scene.answers.to(request), request)
    if reply is None:
        witness(scene, check, scene.judge.undecided("a reply to judge", "no reply came back"), request)
        silence(scene, request)
        return
    judgement = check(scene.judge, view(reply.octets, expectation(scene, request)))
    witness(scene, check, judgement, request, reply)


def _judge_answers(scene: Scene, check: AnswersCheck) -> None:
    answers = scene.answers
    witness(scene, check, check(scene.judge, answers), answers.requests[0], first_reply(answers))


def _judge_exchanges(scene: Scene, check: ExchangesCheck) -> None:
    witness(scene, check, check(scene.judge, scene.exchanges), scene.sent)
    for answers in scene.exchanges:
        if not answers.replies:
            silence(scene, answers.requests[0])


def silence(scene: Scene, request: bytes) -> None:
    """Record once that a request which must be answered was not."""
    if scene.silence_recorded:
        return
    scene.silence_recorded = True
    judgement = scene.judge.says(False, "a reply to the request", "no reply came back")
    scene.run.witness(scene.case, (SEND_REPLY,), judgement, Traffic(request, network=scene.answers.network))


def pick(replies: tuple[Datagram, ...], request: bytes) -> Datagram | None:
    """Return the reply that repeats the request's id, else the first there is."""
    for reply in replies:
        if reply.octets[CORRELATION_ID] == request[REQUEST_ID]:
            return reply
    return replies[0] if replies else None


def first_reply(answers: Answers) -> Datagram | None:
    """Return the first reply that came back, None where there is none."""
    return answers.replies[0] if answers.replies else None


def expectation(scene: Scene, request: bytes) -> ExpectedReply:
    """Return what the reference model expects of a reply to this request."""
    return expected_reply(scene.server, Network(scene.answers.network), request)
