"""``udp:discovery-client``: a client that takes no orders and is made to search, on networks made for it.

Each scenario gets a client of its own in network namespaces of its own, so that many can wait at the same time.
"""

import selectors
import time
from dataclasses import replace
from functools import cache
from pathlib import Path
from shutil import which

from mqconform.adapters.networks.capture import CaptureIncomplete
from mqconform.adapters.networks.client import PREFIX, ClientNetworks, interface_of
from mqconform.adapters.networks.client_program import Computers, Program, ThisMachine, command
from mqconform.adapters.networks.namespaces import NamespacesUnavailable, why_no_namespaces
from mqconform.harness.iut.interface import (
    PROTOCOL_VERSION,
    AdapterOptions,
    ClientFacts,
    ConfigurationError,
    IutDescription,
    IutFault,
    Json,
    LiveEffect,
    NotApplicable,
    ServerFacts,
    Unsupported,
)

TARGET = "discovery-client"
ROLE = "discovery_client"
SECOND = 1_000_000_000
FOLDER = "captures"
FACTS_REMEDY = """give a facts file with --facts FILE that states how the client is made to search, such as
[discovery_client]
start = ["my-client", "--enterprise", "{enterprise}", "--site", "{site}", "{networks}"]
network = ["--network", "{address}/{prefix}"]
outcome = "exit-status\""""

why_not = cache(why_no_namespaces)


def open_clients(options: AdapterOptions) -> "UdpClients":
    """Return the client; nothing is started yet.

    Raises:
        ConfigurationError: there are no facts of it, or they name a program that does not exist.
    """
    if options.client is None:
        raise ConfigurationError(f"udp:{TARGET}: a client without control needs facts; {FACTS_REMEDY}")
    folder = options.evidence / FOLDER if options.evidence else None
    facts = options.client
    for words in (facts.start, facts.service):
        if words and "{" not in words[0] and which(words[0]) is None:
            raise ConfigurationError(f"{ROLE}: {words[0]}: no such program; name one that may be executed in the facts")
    if options.tolerance is not None:
        facts = replace(facts, tolerance=options.tolerance)
    return UdpClients(facts, options.discovery_port, folder, ThisMachine((facts.service or facts.start)[0]), why_not())


class UdpClients:
    """A client behind the IUT interface, to be had as often as there are scenarios.

    Args of the constructor:
        facts: how it is made to search.
        port: where servers listen.
        folder: where captures go.
        computers: what it runs on.
        obstacle: why no networks can be made here, empty where they can.
    """

    def __init__(
        self, facts: ClientFacts, port: int, folder: Path | None, computers: Computers, obstacle: str = ""
    ) -> None:
        self.facts: ServerFacts | None = None
        self.shows_completion = facts.outcome != "none"
        self.tolerance, self.patience = facts.tolerance, facts.patience
        self._client, self._port, self._folder = facts, port, folder
        self._computers, self._obstacle = computers, obstacle
        self.description = IutDescription(
            name=f"discovery client {computers.name}",
            version="",
            roles=frozenset({ROLE}),
            capabilities=frozenset({"real-clock"}),
        )

    def live_client(self, configuration: Json, name: str) -> "UdpClient":
        """Return a client on networks of its own; see ``LiveClients.live_client``."""
        if self._obstacle:
            raise NotApplicable(f"real broadcast is not tried, as no networks can be made: {self._obstacle}")
        for field in ("enterprise", "site"):
            fixed = getattr(self._client, field)
            if fixed and fixed != configuration[field].lower():
                raise NotApplicable(f"the client's {field} is {fixed}, wanted is {configuration[field]}")
        if any(one.get("remote_access") for one in configuration["networks"]):
            raise NotApplicable("no network is set up as one for remote access")
        if self._folder:
            self._folder.mkdir(exist_ok=True)
        capture = self._folder / f"{name}.pcapng" if self._folder else None
        try:
            return UdpClient(self._client, configuration, self._port, capture, self._computers)
        except NamespacesUnavailable as error:
            raise NotApplicable(f"real broadcast is not tried, as no networks can be made: {error}") from error

    def call(self, method: str, params: Json) -> Json:
        """Answer for the client what can be answered without it; see ``Iut.call``."""
        match method:
            case "initialize":
                said = self.description
                known = {"name": said.name, "version": said.version, "roles": sorted(said.roles)}
                return {"protocol": PROTOCOL_VERSION, **known, "capabilities": sorted(said.capabilities)}
            case "reset" | "shutdown":
                return {}
            case "discovery_client.configure":
                return {}
        del params
        raise Unsupported(f"{method}: a client that is started by a command takes no orders")

    def evidence(self) -> tuple[str, ...]:
        """Return nothing: what a client showed stands in the cases that it was started for."""
        return ()

    def close(self) -> None:
        """Do nothing: each client is closed by itself."""


class UdpClient:
    """One client; see ``LiveClient``."""

    def __init__(
        self, facts: ClientFacts, configuration: Json, port: int, capture: Path | None, computers: Computers
    ) -> None:
        self._facts, self._computers = facts, computers
        names = [one["address"] for one in configuration["networks"]]
        self.networks = ClientNetworks(names, port, capture, computers.computer)
        self.capture = f"{FOLDER}/{capture.name}" if capture else ""
        self._said = {name: configuration[name] for name in ("enterprise", "site")}
        self._each = [
            {"address": self.networks.address(one), "prefix": PREFIX, "network": one, "interface": interface_of(one)}
            for one in names
        ]
        self._running: list[Program] = []
        self._pending: list[LiveEffect] = []
        self._started = False
        self._service: Program | None = None
        try:
            if facts.service:
                self._service = self._run(facts.service)
        except BaseException:
            self.close()
            raise

    @property
    def over(self) -> bool:
        """Whether the one program that searches has ended; a service never has."""
        return self._started and not self._running and not self._pending and self._service is None

    @property
    def foreign(self) -> tuple[str, ...]:
        """Strangers on its networks."""
        return self.networks.foreign

    def start(self) -> None:
        """Run the command that makes it search."""
        if self._started and self._service is None:
            raise NotApplicable("the client searches once and ends: it has no service that remembers")
        self._started = True
        self._running.append(self._run(self._facts.start))

    def bring(self, network: str, datagram: bytes, sender: str) -> int:
        """Send it a datagram.

        Raises:
            NotApplicable: its computer is not on that network.
        """
        if network not in self.networks.sockets:
            raise NotApplicable(f"nobody can reach the client on {network}, where its computer is not")
        return self.networks.send(network, datagram, sender)

    def next(self, until: int) -> LiveEffect | None:
        """Return what it does next; see ``LiveClient.next``."""
        while True:
            self._take_all()
            if self._pending:
                return self._pending.pop(0)
            left = until - time.monotonic_ns()
            if left <= 0 or self.over:
                return None
            self._sleep(left / SECOND)

    def close(self) -> None:
        """End its programs and take its networks down."""
        for program in (*self._running, *([self._service] if self._service else [])):
            program.end()
        self._running = []
        try:
            self.networks.close()
        except CaptureIncomplete as problem:
            self.capture += f" (not all is in it: {problem})"

    def _run(self, words: tuple[str, ...]) -> Program:
        filled = command(words, self._facts.network, self._said, self._each)
        return Program(self.networks.client, filled, self._computers)

    def _sleep(self, seconds: float) -> None:
        with selectors.DefaultSelector() as selector:
            for opened in self.networks.sockets.values():
                selector.register(opened, selectors.EVENT_READ)
            for program in (*self._running, *([self._service] if self._service else [])):
                for descriptor in program.descriptors():
                    selector.register(descriptor, selectors.EVENT_READ)
            selector.select(seconds)

    def _take_all(self) -> None:
        """Note what has happened, in the order of time."""
        for network in self.networks.sockets:
            while request := self.networks.take(network):
                sent = {"send": {"network": network, "datagram": request.octets.hex()}}
                self._pending.append(LiveEffect(request.at, sent))
        for program in tuple(self._running):
            program.look()
            if program.ended is not None:
                self._end_of(program)
        if self._service:
            self._service.look()
            if self._service.ended is not None:
                raise IutFault("exited", f"the service {self._service.name} ended: {self._service.status()}")
        self._pending.sort(key=lambda one: one.at)

    def _end_of(self, program: Program) -> None:
        self._running.remove(program)
        try:
            result = program.result(self._facts.outcome)
        finally:
            program.end()
        if result:
            at, complete, shown = result
            self._pending.append(LiveEffect(at, complete, self._state(shown)))

    def _state(self, shown: Json | None) -> Json | None:
        """Return a state with networks by the names that the harness has for them."""
        if shown and isinstance(address := shown.get("last_successful_network_address"), str):
            return shown | {"last_successful_network_address": self.networks.network_of(address) or address}
        return shown
