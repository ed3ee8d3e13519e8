"""A discovery client that takes orders over the IUT protocol: the calls, and such a client with the real clock.

Time passes for the harness, which tells the client how much with ``discovery_client.advance_clock``. A client with a
virtual clock moves it on by that; one with a clock of its own reports what it has done meanwhile.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias

from mqconform.harness.iut.connect import Reached, Reaching
from mqconform.harness.iut.drivers.discovery_client.script import network_params
from mqconform.harness.iut.interface import Iut, IutFault, Json, LiveEffect, Unsupported
from mqconform.reference.mqsd import client
from mqconform.reference.mqsd.specification import FACTS

TICK: Final = 0.1
"""Seconds by which a client that takes orders is told the time."""
MOST_SENDS: Final = 50
"""A client that sends more in one search is flooding."""
Received: TypeAlias = tuple[str, bytes, str]
"""Network, octets, and ``host:port`` they came from."""
POLL = 50_000_000
"""Nanoseconds between two looks at the client."""


class Networks(Protocol):
    """Networks to broadcast on; an adapter opens them, and the command hands them over."""

    def send(self, network: str, datagram: bytes) -> None:
        """Broadcast a datagram; raises OSError where it could not leave the machine."""

    def receive(self, timeout: float) -> Received | None:
        """Return the next datagram that arrives within that many seconds, None where none does."""

    def close(self) -> None:
        """Close the sockets."""


@dataclass(slots=True)
class ClientCalls:
    """The calls to one client.

    Attributes:
        shows: whether it offers ``discovery_client.state``; known once it was asked.
    """

    reached: Reaching
    shows: bool = True

    def call(self, operation: str, params: Json) -> list[Json]:
        """Perform an operation and return its effects."""
        return self.reached.iut.call(f"discovery_client.{operation}", params).get("effects") or []

    def meet(self, event: client.Event, nanoseconds: int = 0) -> list[Json]:
        """Let an event happen to it, or so much time pass, and return its effects."""
        match event:
            case client.GetDirectoryServerList():
                return self.call("start", {})
            case client.DatagramReceived():
                return self.call("receive", {"network": event.network, "datagram": event.datagram.hex()})
            case client.NetworksChanged():
                return self.call("change_networks", {"networks": network_params(event.networks)})
            case client.ClockAdvanced():
                return self.call("advance_clock", {"seconds": nanoseconds / client.SECOND})
        raise AssertionError(f"no operation brings {event} about")

    def state(self) -> Json | None:
        """Return what it shows of itself now, None where it shows nothing."""
        if self.shows:
            try:
                return self.reached.iut.call("discovery_client.state", {})
            except Unsupported:
                self.shows = False
        return None


class CalledClients:
    """Clients, each behind a connection of its own; see ``LiveClients``.

    Args of the constructor:
        connect: opens a fresh connection to the implementation.
        tolerance: seconds by which the end of a wait may be early or late.
    """

    shows_completion = True
    patience = 5.0

    def __init__(self, connect: Callable[[], Iut], tolerance: float) -> None:
        self._connect = connect
        self.tolerance = tolerance

    def live_client(self, configuration: Json, name: str) -> "CalledClient":
        """Return a client in its initial state."""
        del name
        iut = self._connect()
        try:
            ClientCalls(Reached(iut)).call("configure", configuration)
            return CalledClient(iut)
        except BaseException:
            iut.close()
            raise


class CalledClient:
    """One client; see ``LiveClient``. What it does is seen when it is looked at."""

    capture = ""
    foreign = ()
    over = False

    def __init__(self, iut: Iut) -> None:
        self._calls = ClientCalls(Reached(iut))
        self._pending: list[LiveEffect] = []
        self._told = time.monotonic_ns()

    def start(self) -> None:
        """Make it search."""
        self._perform("start", {})

    def bring(self, network: str, datagram: bytes, sender: str) -> int:
        """Hand it a datagram."""
        del sender
        return self._perform("receive", {"network": network, "datagram": datagram.hex()})

    def change_networks(self, networks: list[Json]) -> None:
        """Connect its computer to other networks."""
        self._perform("change_networks", {"networks": networks})

    def next(self, until: int) -> LiveEffect | None:
        """Return what it does next."""
        while True:
            if self._pending:
                return self._pending.pop(0)
            left = until - time.monotonic_ns()
            if left <= 0:
                self._let_pass()
                return self._pending.pop(0) if self._pending else None
            time.sleep(min(POLL, left) / client.SECOND)
            self._let_pass()

    def state(self) -> Json | None:
        """Return what it shows of itself now, None where it shows nothing."""
        return self._calls.state()

    def close(self) -> None:
        """End the connection."""
        self._calls.reached.iut.close()

    def _perform(self, operation: str, params: Json) -> int:
        self._let_pass()
        at = time.monotonic_ns()
        self._call(operation, params)
        return at

    def _let_pass(self) -> None:
        now = time.monotonic_ns()
        passed, self._told = now - self._told, now
        self._call("advance_clock", {"seconds": passed / client.SECOND})

    def _call(self, operation: str, params: Json) -> None:
        effects = self._calls.call(operation, params)
        if not effects:
            return
        now, state = time.monotonic_ns(), self.state()
        last = len(effects) - 1
        self._pending += [
            LiveEffect(now, effect, state if number == last else None) for number, effect in enumerate(effects)
        ]


class ClientOnNetworks(CalledClient):
    """A client that says what it sends and is told what arrives; the harness has the sockets and the clock.

    Of what it does, ``next`` returns the ends of searches alone.

    Args of the constructor:
        iut: the client, which is reset and configured.
        ids: ``enterprise`` and ``site`` of the client.
        each: of each network the name, ``network``, and the client's own ``address`` and ``prefix``.
        broadcast: opens sockets on networks, named by own address and prefix, that broadcast to a UDP port.
    """

    def __init__(
        self, iut: Iut, ids: Json, each: Iterable[Json], broadcast: Callable[[Sequence[str], int], Networks]
    ) -> None:
        self._networks = {f"{network['address']}/{network['prefix']}": network["network"] for network in each}
        self._addresses = {name: address for address, name in self._networks.items()}
        self._sent = 0
        iut.call("reset", {})
        configuration = {**ids, "networks": [{"address": name} for name in self._addresses]}
        iut.call("discovery_client.configure", configuration)
        super().__init__(iut)
        # Opened for each search: a reply that comes late for the one before must not wait for this one.
        self._sockets = broadcast([*self._networks], FACTS.udp_port)

    def next(self, until: int) -> LiveEffect | None:
        """Carry datagrams and time until the search is over; see ``LiveClient.next``."""
        while not (effect := super().next(0)) and time.monotonic_ns() < until:
            if arrived := self._sockets.receive(TICK):
                address, octets, source = arrived
                self.bring(self._networks[address], octets, source)
        return effect

    def close(self) -> None:
        """Close the sockets; the connection stays open for its owner."""
        self._sockets.close()

    def _call(self, operation: str, params: Json) -> None:
        super()._call(operation, params)
        for pending in self._pending:
            if "send" in pending.effect:
                self._send(pending.effect["send"])
        self._pending = [pending for pending in self._pending if "send" not in pending.effect]

    def _send(self, sent: Json) -> None:
        self._sent += 1
        if self._sent > MOST_SENDS:
            raise IutFault("oversize", f"the client sent more than {MOST_SENDS} datagrams in one search")
        address = self._addresses.get(sent["network"])
        if address is None:
            raise IutFault("schema", f"the client sends on network {sent['network'][:80]!r}, which it was not given")
        self._sockets.send(address, bytes.fromhex(sent["datagram"]))
