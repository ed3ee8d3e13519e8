"""A discovery client that is a program, on networks made for it: what it sends and how it ends (see ``LiveClient``)."""

import selectors
import time
from collections.abc import Sequence
from ipaddress import IPv4Interface

from mqconform.adapters.networks.capture import CaptureIncomplete
from mqconform.adapters.networks.client import ClientNetworks
from mqconform.adapters.networks.client_program import Computers, Program, command
from mqconform.adapters.networks.namespaces import Namespace
from mqconform.harness.iut.interface import ClientFacts, IutFault, Json, LiveEffect, NotApplicable

SECOND = 1_000_000_000


class ProgramClient:
    """One client; see ``LiveClient``.

    Args of the constructor:
        facts: how it is made to search.
        configuration: parameters of ``discovery_client.configure``.
        host: the client's computer.
        each: for each network what stands for it to a client: ``network``, ``address``, ``prefix``, ``interface``.
        computers: how programs are started there.
        networks: those whose servers the harness plays, closed with the client; None where others play them.
        capture: name of the file with what passes on them, empty without one.
        most_said: octets that it may write to its standard output in one search, None for any number.
    """

    def __init__(  # noqa: PLR0913 - what runs, on what, and where
        self,
        facts: ClientFacts,
        configuration: Json,
        host: Namespace,
        each: Sequence[Json],
        computers: Computers,
        *,
        networks: ClientNetworks | None = None,
        capture: str = "",
        most_said: int | None = None,
    ) -> None:
        self.networks, self.capture = networks, capture
        self._facts, self._most_said = facts, most_said
        self._host, self._each, self._computers = host, each, computers
        self._said = {name: configuration[name] for name in ("enterprise", "site")}
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
        return self.networks.foreign if self.networks else ()

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
        if self.networks is None or network not in self.networks.sockets:
            raise NotApplicable(f"nobody can reach the client on {network}, where its computer is not")
        return self.networks.send(network, datagram, sender)

    def change_networks(self, networks: list[Json]) -> None:
        """Refuse: nobody moves its computer."""
        del networks
        raise NotApplicable("the networks of the client's computer stay as they are")

    def state(self) -> None:
        """Return nothing: it is not asked."""

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
            if self.networks:
                self.networks.close()
        except CaptureIncomplete as problem:
            self.capture += f" (not all is in it: {problem})"

    def _run(self, words: tuple[str, ...]) -> Program:
        return Program(self._host, command(words, self._facts.network, self._said, self._each), self._computers)

    def _sleep(self, seconds: float) -> None:
        with selectors.DefaultSelector() as selector:
            for opened in self.networks.sockets.values() if self.networks else ():
                selector.register(opened, selectors.EVENT_READ)
            for program in (*self._running, *([self._service] if self._service else [])):
                for descriptor in program.descriptors():
                    selector.register(descriptor, selectors.EVENT_READ)
            selector.select(seconds)

    def _take_all(self) -> None:
        """Note what has happened, in the order of time."""
        for network in self.networks.sockets if self.networks else ():
            while self.networks and (request := self.networks.take(network)):
                sent = {"send": {"network": network, "datagram": request.octets.hex()}}
                self._pending.append(LiveEffect(request.at, sent))
        for program in tuple(self._running):
            program.look()
            if self._most_said is not None and program.said > self._most_said:
                told = f"the client wrote more than {self._most_said} octets to its standard output"
                raise IutFault("oversize", told)
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
            return shown | {"last_successful_network_address": self._network_of(address) or address}
        return shown

    def _network_of(self, address: str) -> str | None:
        """Return the network that an address in any usual notation is on."""
        for one in self._each:
            try:
                subnet = IPv4Interface(f"{address.partition('/')[0]}/{one['prefix']}").network
            except ValueError:
                return None
            if subnet == IPv4Interface(f"{one['address']}/{one['prefix']}").network:
                return str(one["network"])
        return None
