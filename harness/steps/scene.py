"""What the steps of one discovery-server scenario share."""

import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from mqconform.harness.iut import DatagramCarrier, Iut, ServerFacts
from mqconform.harness.mqsd.configurations import model_of
from mqconform.harness.mqsd.port import Answers, DiscoveryPort
from mqconform.harness.mqsd.requests import Draft, fresh_guid, other_guid
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.running.connect import connect
from mqconform.harness.running.session import Case, Session
from mqconform.reference.mqsd.server import DiscoveryServer

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
        found: the counterexample of a search, None where it found none.
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
    found: Any = None
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
        answers = self.port.ask(self.target, datagrams, expected=expected, network=network)
        self.asked.append(answers)
        return answers

    def second_client(self) -> Iut:
        """Return another socket on the same UDP server; closed with the scenario."""
        assert isinstance(self.target, DatagramCarrier)
        where = self.target.description.name.removeprefix("udp ")
        other = self.run.overheard(
            connect(f"udp:{where}", replace(self.run.options, facts=self.facts), beside=self.run.iut)
        )
        self.closing.callback(other.close)
        return other

    def lasting(self, text: str) -> str:
        """Return a text without the port that the system chose for a scenario: the same run says the same."""
        if self.target is self.run.iut:
            return text
        return text.replace(self.target.description.name.removeprefix("udp "), OWN_PORT)

    def sockets_opened(self) -> int:
        """Return how many sockets the server has opened so far."""
        return int(self.target.call("discovery_server.state", {})["sockets_opened"])


@pytest.fixture
def scene(run: Session, case: Case) -> Iterator[Scene]:
    """Give a scenario a fresh IUT state and a source of choices that depends on seed and case alone."""
    rng = random.Random(f"{run.seed}:{case.id}")
    judge = Judge(run.register, run.profile, run.readings)
    made = Scene(run, case, rng, DiscoveryPort(run, case, rng), judge, run.iut)
    run.check_alive()
    run.iut.call("reset", {})
    with made.closing:
        yield made
