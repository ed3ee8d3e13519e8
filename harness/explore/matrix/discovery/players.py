"""Both sides of a scenario: a program of its own, or an implementation that takes orders."""

import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

from mqconform.harness.explore.matrix.discovery.computers import Computers, Limits, Program
from mqconform.harness.explore.matrix.matrix_plan import Implementation
from mqconform.harness.iut.drivers.discovery_client.calls import ClientOnNetworks
from mqconform.harness.iut.drivers.discovery_client.observations import Done, effect_from, shown_from
from mqconform.harness.iut.interface import ConfigurationError, IutFault, IutProblem, Json, LiveClient, ServerFacts
from mqconform.harness.iut.reference_iut.udp_service import UdpService
from mqconform.reference.mqsd.client import SECOND
from mqconform.reference.mqsd.specification import FACTS

SLICE: Final = SECOND // 2
"""Nanoseconds between two checks whether the networks are flooded."""
MOST_SAID: Final = 1024 * 1024
"""Octets that a program writes in one search; a line for each event has some hundreds."""
ANY: Final = "0.0.0.0"  # noqa: S104 - on a computer of its own, where a limited broadcast has to arrive
LOOK: Final = 0.02
"""Seconds between two looks at whether a port is open."""
LISTENING_HERE: Final = frozenset({"ref", "mutant", "api", "stdio"})
"""Kinds of which a port that they open is on the computer that they were started on."""


def clients_of(
    implementation: Implementation, computers: Computers, ids: Json, deadline: float, opened: ExitStack
) -> Callable[[], LiveClient]:
    """Return what makes a fresh client of an implementation for each search.

    Args:
        implementation: the one whose client it is.
        computers: the client's among them.
        ids: ``enterprise`` and ``site`` of the client.
        deadline: seconds for one call.
        opened: closes the connection in the end.
    """
    facts = implementation.client
    if facts:
        return lambda: computers.program_client(facts, ids, MOST_SAID)
    iut = computers.at_client(lambda: implementation.connect(deadline))
    opened.callback(iut.close)
    return lambda: ClientOnNetworks(iut, ids, computers.each, computers.broadcast)


def end_of_search(client: LiveClient, computers: Computers, limits: Limits, seconds: float) -> Done | None:
    """Return what a client told at the end of its search, None where it ended without a word.

    Raises:
        IutFault: it ended as no search ends, or did not end in time.
    """
    until = time.monotonic_ns() + round(seconds * SECOND)
    while not client.over and (now := time.monotonic_ns()) < until:
        observation = client.next(min(until, now + SLICE))
        limits.go_on()
        if computers.flooded:  # the capture tells who sent it
            raise IutFault("oversize", "more passed on the networks than any search takes")
        if observation:
            at = observation.at + time.time_ns() - time.monotonic_ns()
            return Done(
                at,
                effect_from(observation.effect),
                None if observation.state is None else shown_from(observation.state),
            )
    if client.over:
        return None
    raise IutFault("deadline", f"the client reported no end of its search within {seconds:g} s")


def server_of(implementation: Implementation, computers: Computers, folder: Path, limits: Limits) -> "Server":
    """Return the server of an implementation; nothing is configured yet."""
    if implementation.server:
        return ProgramServer(implementation, computers, folder, limits)
    return CalledServer(implementation, computers, limits)


class ProgramServer:
    """A program that is started anew for each configuration."""

    def __init__(self, implementation: Implementation, computers: Computers, folder: Path, limits: Limits) -> None:
        assert implementation.server is not None, "a server without a command takes orders"
        self._command, self._computers, self._folder = implementation.server, computers, folder
        self._limits = limits
        self._program: Program | None = None

    def serve(self, facts: ServerFacts) -> None:
        """Start it."""
        self.end()
        self._program = self._computers.start_server(self._words(facts))
        until = time.monotonic() + self._limits.patience
        while not self._computers.serving():
            self._limits.go_on()
            self._program.look()
            if self._program.ended is not None:
                raise IutFault("exited", f"the server {self._told()}")
            if time.monotonic() > until:
                waited = f"within {self._limits.patience:g} s"
                raise IutFault("deadline", f"the server opened no UDP port {FACTS.udp_port} {waited}")
            time.sleep(LOOK)

    def fault(self) -> str:
        """Return what went wrong with it meanwhile, empty where nothing did."""
        if self._program is None:
            return ""
        self._program.look()
        return f"the server {self._told()}" if self._program.ended is not None else ""

    def end(self) -> None:
        """End it; never raises."""
        program, self._program = self._program, None
        if program is not None:
            program.end()

    def _words(self, facts: ServerFacts) -> list[str]:
        substitutes = {"host": ANY, "port": str(FACTS.udp_port), "enterprise": facts.enterprise, "site": facts.site}
        lists = {
            "{connected_networks}": (
                self._command.connected_network,
                [{"guid": connected_network} for connected_network in facts.connected_networks],
            ),
            "{directory_servers}": (
                self._command.directory_server,
                [{"name": directory_server.name} for directory_server in facts.directory_servers],
            ),
        }
        if any("{facts}" in word for word in self._command.start):
            substitutes["facts"] = str(_written(facts, self._folder))
        words: list[str] = []
        for word in self._command.start:
            if word in lists:
                arguments, each = lists[word]
                words += [
                    _filled(argument, {**substitutes, **own_substitutes})
                    for own_substitutes in each
                    for argument in arguments
                ]
            else:
                words.append(_filled(word, substitutes))
        return words

    def _told(self) -> str:
        assert self._program is not None, "only a program that was started ends"
        stderr = self._program.stderr()
        return f"ended with {self._program.status()}" + (f"; standard error: {stderr[-500:]}" if stderr else "")


class CalledServer:
    """An implementation that opens a port when it is told to; of one that cannot, the harness carries the datagrams."""

    def __init__(self, implementation: Implementation, computers: Computers, limits: Limits) -> None:
        self._computers = computers
        self._iut = computers.at_server(lambda: implementation.connect(limits.deadline))
        self._listens = implementation.kind in LISTENING_HERE and "udp" in self._iut.description.capabilities
        self._service: UdpService | None = None
        self._problem = ""

    def serve(self, facts: ServerFacts) -> None:
        """Configure it."""
        self._iut.call("reset", {})
        self._iut.call("discovery_server.configure", facts.params())
        if self._listens:
            self._iut.call("discovery_server.listen", {"host": ANY, "port": FACTS.udp_port})
        elif self._service is None:
            self._service = self._computers.at_server(lambda: UdpService(ANY, FACTS.udp_port, self._respond))
        if not self._computers.serving():
            raise IutFault("silent", f"the server reported that it listens, but did not open UDP port {FACTS.udp_port}")

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
            answer = self._iut.call("discovery_server.receive", {"network": "ip", "datagram": datagram.hex()})
            return [bytes.fromhex(reply) for reply in answer["replies"]]
        except IutProblem as problem:
            self._problem = f"the server could not be asked: {problem}"
        return []


Server = ProgramServer | CalledServer


def _filled(word: str, substitutes: dict[str, str]) -> str:
    for name, value in substitutes.items():
        word = word.replace(f"{{{name}}}", value)
    return word


def _written(facts: ServerFacts, folder: Path) -> Path:
    """Write a facts file for a server that reads one."""
    servers = ", ".join(
        f'{{ name = "{server.name}", ip = {str(server.ip).lower()}, ipx = {str(server.ipx).lower()} }}'
        for server in facts.directory_servers
    )
    networks = ", ".join(f'"{connected_network}"' for connected_network in facts.connected_networks)
    lines = [
        "[discovery_server]",
        f'enterprise = "{facts.enterprise}"',
        f'site = "{facts.site}"',
        f"connected_networks = [{networks}]",
        f"directory_servers = [{servers}]",
    ]
    path = folder / f"{facts.connected_networks[0]}.toml"
    with suppress(FileExistsError):
        folder.mkdir(parents=True)
    try:
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path}: {error.strerror}; name a folder that can be written with --out") from error
    return path
