"""The client's side of a scenario: a program of its own, or an implementation that takes orders."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

from mqconform.harness.compare.matrix.discovery.computers import Computers, Limits
from mqconform.harness.compare.matrix.implementation import Implementation
from mqconform.harness.iut.drivers.discovery_client.answers import effect_from, shown_from
from mqconform.harness.iut.drivers.discovery_client.observations import Done
from mqconform.harness.iut.drivers.discovery_client.real_clock.called_clients import CalledClient
from mqconform.harness.iut.interface import Iut, IutFault, Json, LiveClient, LiveEffect
from mqconform.reference.mqsd.client import SECOND
from mqconform.reference.mqsd.specification import FACTS

TICK: Final = 0.1
"""Seconds by which a client that takes orders is told the time."""
SLICE: Final = SECOND // 2
"""Nanoseconds for which nobody looks whether the networks are flooded."""
MOST_SENDS: Final = 50
"""A client that sends more in one search is flooding."""
MOST_SAID: Final = 1024 * 1024
"""Octets that a program writes in one search; a line for each event has some hundreds."""


def clients_of(
    one: Implementation, computers: Computers, ids: Json, deadline: float, opened: ExitStack
) -> Callable[[], LiveClient]:
    """Return what makes a fresh client of an implementation for each search.

    Args:
        one: the implementation.
        computers: the client's among them.
        ids: ``enterprise`` and ``site`` of the client.
        deadline: seconds for one call.
        opened: closes the connection in the end.
    """
    facts = one.client
    if facts:
        return lambda: computers.program_client(facts, ids, MOST_SAID)
    iut = computers.at_client(lambda: one.connect(deadline))
    opened.callback(iut.close)
    return lambda: ClientOnNetworks(iut, computers, ids)


def end_of_search(client: LiveClient, computers: Computers, limits: Limits, seconds: float) -> Done | None:
    """Return what a client told at the end of its search, None where it ended without a word.

    Raises:
        IutFault: it ended as no search ends, or did not end in so many seconds.
    """
    until = time.monotonic_ns() + round(seconds * SECOND)
    while not client.over and (now := time.monotonic_ns()) < until:
        seen = client.next(min(until, now + SLICE))
        limits.go_on()
        if computers.flooded:  # the capture tells who sent it
            raise IutFault("oversize", "more passed on the networks than any search takes")
        if seen:
            at = seen.at + time.time_ns() - time.monotonic_ns()
            return Done(at, effect_from(seen.effect), None if seen.state is None else shown_from(seen.state))
    if client.over:
        return None
    raise IutFault("deadline", f"the client told no end of its search within {seconds:g} s")


class ClientOnNetworks(CalledClient):
    """A client that says what it sends and is told what arrives; the harness has the sockets and the clock.

    Of what it does, ``next`` returns the ends of searches alone.
    """

    def __init__(self, iut: Iut, computers: Computers, ids: Json) -> None:
        self._networks = {f"{each['address']}/{each['prefix']}": each["network"] for each in computers.each}
        self._addresses = {name: address for address, name in self._networks.items()}
        self._sent = 0
        iut.call("reset", {})
        configuration = {**ids, "networks": [{"address": name} for name in self._addresses]}
        iut.call("discovery_client.configure", configuration)
        super().__init__(iut)
        # Opened for each search: a reply that comes late for the one before must not wait for this one.
        self._sockets = computers.broadcast([*self._networks], FACTS.udp_port)

    def next(self, until: int) -> LiveEffect | None:
        """Carry datagrams and time until the search is over; see ``LiveClient.next``."""
        while not (seen := super().next(0)) and time.monotonic_ns() < until:
            if arrived := self._sockets.receive(TICK):
                address, octets, source = arrived
                self.bring(self._networks[address], octets, source)
        return seen

    def close(self) -> None:
        """Close the sockets; the connection is left to whoever opened it."""
        self._sockets.close()

    def _call(self, operation: str, params: Json) -> None:
        super()._call(operation, params)
        for one in self._pending:
            if "send" in one.effect:
                self._send(one.effect["send"])
        self._pending = [one for one in self._pending if "send" not in one.effect]

    def _send(self, sent: Json) -> None:
        self._sent += 1
        if self._sent > MOST_SENDS:
            raise IutFault("oversize", f"the client sent more than {MOST_SENDS} datagrams in one search")
        address = self._addresses.get(sent["network"])
        if address is None:
            raise IutFault("schema", f"the client sends on network {sent['network'][:80]!r}, which it was not given")
        self._sockets.send(address, bytes.fromhex(sent["datagram"]))
