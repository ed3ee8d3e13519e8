"""The discovery client on real networks: broadcasts with the real clock."""

import ipaddress
import selectors
import socket
import sys
import time
from collections.abc import Callable, Iterable, Sequence

from mqsample.discovery_client import Complete, DiscoveryClient, Effect, Send

Report = Callable[[Effect], None]

_LARGEST_DATAGRAM = 65_535
LIMITED_BROADCAST = "255.255.255.255"


class UdpNetwork:
    """A socket bound to the computer's own address on one network. What it receives came by that network."""

    def __init__(self, interface: ipaddress.IPv4Interface, port: int, *, directed: bool) -> None:
        self.address = str(interface.ip)
        broadcast = str(interface.network.broadcast_address) if directed else LIMITED_BROADCAST
        self._target = (broadcast, port)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        self.socket.bind((self.address, 0))

    def broadcast(self, datagram: bytes) -> None:
        """Send to everybody there. A network that is down is like one where nobody answers."""
        try:
            self.socket.sendto(datagram, self._target)
        except OSError as error:
            print(f"mqsample: cannot send on {self.address}: {error}", file=sys.stderr)


def search(client: DiscoveryClient, networks: Sequence[UdpNetwork], report: Report) -> bool:
    """One search from beginning to end; whether it succeeded."""
    by_address = {network.address: network for network in networks}
    with selectors.DefaultSelector() as selector:
        for network in networks:
            selector.register(network.socket, selectors.EVENT_READ, network)
        clock = time.monotonic_ns()
        outcome = _perform(client.start(), by_address, report)
        while outcome is None:
            arrived = selector.select((client.wait or 0) / 1_000_000)
            passed = (time.monotonic_ns() - clock) // 1_000
            clock += passed * 1_000
            effects = client.advance_clock(passed)
            for key, _events in arrived:
                datagram = key.data.socket.recv(_LARGEST_DATAGRAM)
                effects += client.receive(key.data.address, datagram)
            outcome = _perform(effects, by_address, report)
    return outcome


def _perform(effects: Iterable[Effect], networks: dict[str, UdpNetwork], report: Report) -> bool | None:
    """Do what the client wants done; True or False once the search is over."""
    outcome = None
    for effect in effects:
        match effect:
            case Send(address, datagram):
                networks[address].broadcast(datagram)
            case Complete(success):
                outcome = success
        report(effect)
    return outcome
