"""What a client and a server of discovery go through, the computers that an adapter makes for it, and the two of them.

Either side is a program of its own, or an implementation that takes orders.
"""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeVar

from mqconform.harness.explore.matrix.matrix_file import Implementation, Settings
from mqconform.harness.iut import interface
from mqconform.harness.iut.contention import Canary
from mqconform.harness.iut.drivers.discovery_client.calls import ClientOnNetworks, Networks
from mqconform.harness.iut.drivers.discovery_client.observations import Done, effect_from, shown_from
from mqconform.harness.iut.drivers.discovery_server.port import replies_to
from mqconform.harness.iut.reference_iut.udp_service import UdpService
from mqconform.harness.judge.mqbr.named_enterprise import guid_of
from mqconform.harness.tools.diagnostics.server_facts import facts_lines
from mqconform.reference.mqsd.client import SECOND
from mqconform.reference.mqsd.specification import FACTS

T = TypeVar("T")
NAMES: Final = ("PSC-WEST", "bsc1", "archive-of-the-north-01")
NETWORKS: Final = ("10.0.1.0", "10.0.2.0")
SLICE: Final = SECOND // 2
"""Nanoseconds between two checks whether the networks are flooded."""
MOST_SAID: Final = 1024 * 1024
"""Octets that a program writes in one search; a line for each event has some hundreds."""
ANY: Final = "0.0.0.0"  # noqa: S104 - on a computer of its own, where a limited broadcast has to arrive
FOLDER: Final = "captures"
LOOK: Final = 0.02
"""Seconds between two looks at whether a port is open."""
LISTENING_HERE: Final = ("ref:", "mutant:", "api:", "stdio:")
"""How targets begin of which a port that they open is on the computer that they were started on."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A client searches once for each configuration of its server.

    Attributes:
        networks: of the client's computer, in its order; the server is on the last.
        servers: what the server is configured with, one search after the other.
        site: of the client.
        learns: whether every reading has the client learn the server's lists.
    """

    name: str
    networks: tuple[str, ...]
    servers: tuple[interface.ServerFacts, ...]
    site: str
    learns: bool


def scenario_named(name: str, seed: int, client: interface.ClientFacts | None) -> Scenario:
    """Return a scenario, its identifiers drawn; a client that is configured for good keeps its enterprise and site."""

    def drawn(what: str) -> str:
        return guid_of("matrix", f"{seed} {name} {what}")

    def server(site: str, change: str = "") -> interface.ServerFacts:
        networks = tuple(drawn(f"network {number}{change}") for number in range(3))
        names = tuple(interface.DirectoryServerFact(directory_server, ip=True, ipx=False) for directory_server in NAMES)
        return interface.ServerFacts(enterprise, site, networks, names)

    enterprise = (client and client.enterprise) or drawn("enterprise")
    site = (client and client.site) or drawn("site of the client")
    match name:
        case "own-site":  # found at once; then the server's networks change, and it is found again
            return Scenario(name, NETWORKS[:1], (server(site), server(site, " after the change")), site, learns=False)
        case "other-site":  # the client takes its lists over if no other server answers for 15 seconds
            return Scenario(name, NETWORKS[:1], (server(drawn("site of the server")),), site, learns=True)
        case "second-network":  # no server is on the first network: after 15 seconds the client asks on the second
            return Scenario(name, NETWORKS, (server(site),), site, learns=False)
    raise ValueError(f"there is no scenario {name}")


class Program(Protocol):
    """A program that was started on one of the computers."""

    ended: int | None  # when, in nanoseconds of ``time.monotonic_ns``; None while it runs

    def look(self) -> None: ...  # takes in what it has said, and whether it has ended
    def status(self) -> str: ...  # how it ended
    def stderr(self) -> str: ...  # the end of what it wrote to standard error
    def end(self) -> None: ...  # ends it with all that it has started


class Computers(Protocol):
    """A client's computer and a server's, with networks between them and a capture of what passes."""

    each: list[interface.Json]  # for each network what stands for it to a client: network, address, prefix, interface
    server_address: str
    flooded: bool

    # what a function returns that runs on the client's computer, or on the server's
    def at_client(self, function: Callable[[], T]) -> T: ...
    def at_server(self, function: Callable[[], T]) -> T: ...
    # a client that is a program there, with its enterprise and site, and the most octets it may write in one search
    def program_client(
        self, facts: interface.ClientFacts, ids: interface.Json, most_said: int
    ) -> interface.LiveClient: ...
    def start_server(self, words: Sequence[str]) -> Program: ...  # a program on the server's computer
    # sockets that broadcast to a port from the client's address, with prefix length, on each network
    def broadcast(self, addresses: Sequence[str], port: int) -> Networks: ...
    def serving(self) -> bool: ...  # whether the UDP port of MS-MQSD 2.1 is open on the server's computer
    def asks(self, seconds: float) -> bool: ...  # waits for a request; whether there was one since the last call
    def close(self) -> str: ...  # takes everything down, and returns what is missing from the capture


@dataclass(frozen=True, slots=True)
class NetworkMaker:
    """How networks for a scenario are made; the command hands it over, since adapters make them.

    Attributes:
        obstacle: returns why this machine makes no networks, empty where it does.
        make: takes the networks, the one of them that the server is on, its UDP port, and the file of the capture;
            raises NotApplicable where the networks cannot be made.
    """

    obstacle: Callable[[], str]
    make: Callable[[Sequence[str], str, int, Path], Computers]


@dataclass(frozen=True, slots=True)
class Stage:
    """What the scenarios of a matrix share.

    Attributes:
        networks: makes those of each scenario.
        gate: held by those that take up a processor, so that not too many do so at once.
        canary: watches how loaded the machine is.
        given_up: set when the matrix is interrupted.
    """

    settings: Settings
    networks: NetworkMaker
    gate: threading.Semaphore
    canary: Canary
    given_up: threading.Event

    def go_on(self) -> None:
        """Raise CancelledError if the matrix was interrupted."""
        if self.given_up.is_set():
            raise CancelledError


def clients_of(
    implementation: Implementation, computers: Computers, ids: interface.Json, stage: Stage, opened: ExitStack
) -> Callable[[], interface.LiveClient]:
    """Return what makes a fresh client with some ``enterprise`` and ``site`` for each search.

    ``opened`` closes its connection.
    """
    if facts := implementation.discovery_client:
        return lambda: computers.program_client(facts, ids, MOST_SAID)
    iut = computers.at_client(lambda: implementation.connect(stage.settings.deadline))
    opened.callback(iut.close)
    return lambda: ClientOnNetworks(iut, ids, computers.each, computers.broadcast)


def end_of_search(client: interface.LiveClient, computers: Computers, stage: Stage, seconds: float) -> Done | None:
    """Return what a client told at the end of its search, None where it ended without a word.

    Raises:
        IutFault: it ended as no search ends, or did not end in time.
    """
    until = time.monotonic_ns() + round(seconds * SECOND)
    while not client.over and (now := time.monotonic_ns()) < until:
        observation = client.next(min(until, now + SLICE))
        stage.go_on()
        if computers.flooded:  # the capture tells who sent it
            raise interface.IutFault("oversize", "more passed on the networks than any search takes")
        if observation:
            at = observation.at + time.time_ns() - time.monotonic_ns()
            state = None if observation.state is None else shown_from(observation.state)
            return Done(at, effect_from(observation.effect), state)
    if client.over:
        return None
    raise interface.IutFault("deadline", f"the client reported no end of its search within {seconds:g} s")


class ProgramServer:
    """A program that is started anew for each configuration."""

    def __init__(self, implementation: Implementation, computers: Computers, stage: Stage) -> None:
        assert implementation.discovery_server is not None, "a server without a command takes orders"
        self._command, self._computers, self._stage = implementation.discovery_server, computers, stage
        self._program: Program | None = None

    def serve(self, facts: interface.ServerFacts) -> None:
        """Start it."""
        self.end()
        self._program = self._computers.start_server(self._words(facts))
        patience = self._stage.settings.tried.patience
        until = time.monotonic() + patience
        while not self._computers.serving():
            self._stage.go_on()
            if fault := self.fault():
                raise interface.IutFault("exited", fault)
            if time.monotonic() > until:
                says = f"the server opened no UDP port {FACTS.udp_port} within {patience:g} s"
                raise interface.IutFault("deadline", says)
            time.sleep(LOOK)

    def fault(self) -> str:
        """Return what went wrong with it meanwhile, empty where nothing did."""
        if self._program is None:
            return ""
        self._program.look()
        if self._program.ended is None:
            return ""
        stderr = self._program.stderr()
        return f"the server ended with {self._program.status()}" + f"; standard error: {stderr[-500:]}" * bool(stderr)

    def end(self) -> None:
        """End it; never raises."""
        program, self._program = self._program, None
        if program is not None:
            program.end()

    def _words(self, facts: interface.ServerFacts) -> list[str]:
        substitutes = {"host": ANY, "port": str(FACTS.udp_port), "enterprise": facts.enterprise, "site": facts.site}
        if any("{facts}" in word for word in self._command.start):
            substitutes["facts"] = str(self._facts_file(facts))
        networks = [{"guid": network} for network in facts.connected_networks]
        servers = [{"name": server.name} for server in facts.directory_servers]
        lists = {
            "{connected_networks}": (self._command.connected_network, networks),
            "{directory_servers}": (self._command.directory_server, servers),
        }
        return interface.filled_in(self._command.start, substitutes, lists)

    def _facts_file(self, facts: interface.ServerFacts) -> Path:
        path = self._stage.settings.out / FOLDER / "facts" / f"{facts.connected_networks[0]}.toml"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("\n".join([*facts_lines(facts), ""]), encoding="utf-8")
        except OSError as error:
            remedy = "name a folder that can be written with --out"
            raise interface.ConfigurationError(f"{path}: {error.strerror}; {remedy}") from error
        return path


class CalledServer:
    """An implementation that opens a port when it is told to; of one that cannot, the harness carries the datagrams."""

    def __init__(self, implementation: Implementation, computers: Computers, stage: Stage) -> None:
        self._computers = computers
        self._iut = computers.at_server(lambda: implementation.connect(stage.settings.deadline))
        here = implementation.target.startswith(LISTENING_HERE)
        self._listens = here and "udp" in self._iut.description.capabilities
        self._service: UdpService | None = None
        self._problem = ""

    def serve(self, facts: interface.ServerFacts) -> None:
        """Configure it."""
        self._iut.call("reset", {})
        self._iut.call("discovery_server.configure", facts.params())
        if self._listens:
            self._iut.call("discovery_server.listen", {"host": ANY, "port": FACTS.udp_port})
        elif self._service is None:
            self._service = self._computers.at_server(lambda: UdpService(ANY, FACTS.udp_port, self._respond))
        if not self._computers.serving():
            says = f"the server reported that it listens, but did not open UDP port {FACTS.udp_port}"
            raise interface.IutFault("silent", says)

    def fault(self) -> str:
        """Return what went wrong with it meanwhile, empty where nothing did."""
        return self._problem

    def end(self) -> None:
        """End it; never raises."""
        if self._service is not None:
            self._service.stop()
        self._iut.close()

    def _respond(self, datagram: bytes) -> list[bytes]:
        if self._problem:
            return []
        try:
            return replies_to(datagram, self._iut)
        except interface.IutProblem as problem:
            self._problem = f"the server could not be asked: {problem}"
        return []
