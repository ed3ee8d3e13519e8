"""What the steps of one discovery-server scenario share."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import pytest

from mqconform.harness.iut.drivers.discovery_server.port import Answers, DiscoveryPort, ServerLost
from mqconform.harness.iut.drivers.discovery_server.requests import Draft, fresh_guid, other_guid
from mqconform.harness.iut.interface import Iut, ServerFacts
from mqconform.harness.iut.server_configurations import model_of
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement, Traffic
from mqconform.reference.mqsd.server import DiscoveryServer

RETURNS_TO_LISTENING = "MQSD-3.2.5-02"
PAUSE = 0.05
"""Seconds between two requests to a server that may be opening its socket."""
OWN_PORT = "the UDP port that it opened"
"""What witnesses call a port that the implementation opened for one scenario."""


@dataclass(slots=True)
class Scene:
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
    asked: list[Answers] = field(default_factory=list)
    closing: ExitStack = field(default_factory=ExitStack)
    sent: bytes = b""
    tried: int = 0
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
        return self.asked[-1]

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
        self.asked.append(answers)
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
