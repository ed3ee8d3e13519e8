"""Networks for one discovery client, with scripted servers on each (MS-MQSD 2.1).

The client's computer is on all of them, and so is the one that plays the servers, with an address for each server.
"""

import socket
import struct
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from ipaddress import IPv4Network
from pathlib import Path
from typing import NamedTuple

from mqconform.adapters.networks.address import text_of
from mqconform.adapters.networks.capture import Capture
from mqconform.adapters.networks.foreign_watch import ForeignWatch
from mqconform.adapters.networks.namespaces import BridgedNetworks, Namespace
from mqconform.harness.iut.interface import Json, NotApplicable

MAX_DATAGRAM = 65_535
PREFIX = 24
SERVERS = tuple(range(1, 9))
CLIENT = 10
"""Last octets of the servers' addresses on each network, and of the client's."""
IP_PKTINFO, SO_TIMESTAMPNS = 8, 35
"""``bits/in.h``, ``asm-generic/socket.h``; Python has no names for these."""
TIMESPEC = struct.Struct("@ll")
PKTINFO = struct.Struct("=i4s4s")
"""``struct in_pktinfo`` of ip(7): by its second field a reply leaves with the address of the server that it is from."""
SECOND = 1_000_000_000


class Request(NamedTuple):
    """A datagram that a client sent to the servers' port."""

    at: int
    """Nanoseconds of ``time.monotonic_ns``, by the kernel's own stamp."""
    network: str
    octets: bytes


class ClientNetworks:
    """Networks in namespaces, until closed.

    Args of the constructor:
        networks: the networks' addresses, ``10.0.1.0`` and so on, in the order of the client's interfaces.
        port: the servers' UDP port.
        capture: file that takes all that passes; None for none.
        computer: makes what becomes the client's computer, which is closed with the rest.

    Attributes:
        client: the client's computer.
        each: for each network what stands for it to a client: ``network``, ``address``, ``prefix``, ``interface``.
        sockets: the servers' sockets, for the caller to wait for a request.

    Raises, when made:
        NamespacesUnavailable: they cannot be made here.
        NotApplicable: a network has no address of the kind.
    """

    def __init__(
        self,
        networks: Sequence[str],
        port: int,
        capture: Path | None = None,
        computer: Callable[[], Namespace] = Namespace,
    ) -> None:
        self._subnets = {network: subnet_of(network) for network in networks}
        if not networks or len(self._subnets) < len(networks):
            raise NotApplicable("a computer is set up with one network at least, and with none twice")
        self.each = each_of(networks)
        self._port = port
        self._ports: dict[str, tuple[str, int]] = {}
        self._senders: dict[str, int] = {}
        ours = {str(subnet[last]) for subnet in self._subnets.values() for last in SERVERS}
        self._watch = ForeignWatch(ours, {self.address(network) for network in networks}, port)
        interfaces = [interface_of(network) for network in networks]
        with ExitStack() as opened:
            self.segments = opened.enter_context(BridgedNetworks(interfaces))
            self.client = self.segments.host(self._addresses(CLIENT), computer)
            servers = self.segments.host(self._addresses(SERVERS[0]))
            servers.ip(
                *(
                    f"addr add {address} broadcast + dev {interface}"
                    for last in SERVERS[1:]
                    for interface, address in self._addresses(last).items()
                )
            )
            self.sockets = {network: servers.run(_server_socket(interface_of(network), port)) for network in networks}
            for server in self.sockets.values():
                opened.callback(server.close)
            taken = capture or Path("/dev/null")
            self._capture = self.segments.wires.run(lambda: Capture(taken, interfaces, self._watch.comment))
            self._opened = opened.pop_all()
        self._closed = False

    @property
    def foreign(self) -> tuple[str, ...]:
        """What others sent to the client's computer; complete once closed."""
        return tuple(self._watch.strangers)

    def address(self, network: str) -> str:
        """Return the client's own address on a network."""
        return str(self._subnets[network][CLIENT])

    def send(self, network: str, datagram: bytes, sender: str) -> int:
        """Send from a server to where the client's last request came from, and return when."""
        number = self._senders.setdefault(sender, len(self._senders))
        source = self._subnets[network][SERVERS[number % len(SERVERS)]]
        latest = next(reversed(self._ports.values()), ("", self._port))
        _, port = self._ports.get(network, latest)
        self._watch.sent.add(datagram)
        chosen = PKTINFO.pack(0, source.packed, bytes(4))
        destination = (self.address(network), port)
        at = time.monotonic_ns()
        self.sockets[network].sendmsg([datagram], [(socket.IPPROTO_IP, IP_PKTINFO, chosen)], 0, destination)
        return at

    def take(self, network: str) -> Request | None:
        """Return the next request that has come to a network's servers, None without one."""
        while True:
            try:
                octets, ancillary, _, source = self.sockets[network].recvmsg(MAX_DATAGRAM, 256)
            except BlockingIOError:
                return None
            except ConnectionRefusedError:
                continue  # a reply found no socket any more: the client has ended
            if source[0] != self.address(network):
                self._watch.note(text_of(source), octets)
                continue
            self._ports.pop(network, None)
            self._ports[network] = source
            return Request(_monotonic(ancillary), network, octets)

    def close(self) -> None:
        """Take everything down; raises CaptureIncomplete where not all that passed is in the file."""
        with self._opened:
            if not self._closed:
                self._closed = True
                self._capture.stop()

    def _addresses(self, last: int) -> dict[str, str]:
        return {interface_of(network): f"{subnet[last]}/{PREFIX}" for network, subnet in self._subnets.items()}


def subnet_of(network: str) -> IPv4Network:
    """Return a network of 24 bits; raises NotApplicable for what is none."""
    try:
        return IPv4Network(f"{network}/{PREFIX}")
    except ValueError as error:
        raise NotApplicable(f"{network} is not an IPv4 network of 24 bits: {error}") from None


def each_of(networks: Sequence[str]) -> list[Json]:
    """Return for each network what stands for it to a client: the client's own address there, and its interface."""
    return [
        {
            "address": str(subnet_of(network)[CLIENT]),
            "prefix": PREFIX,
            "network": network,
            "interface": interface_of(network),
        }
        for network in networks
    ]


def interface_of(network: str) -> str:
    """Return a name of at most 15 characters; interfaces come into being in the order of the networks."""
    return f"mq{network.replace('.', '_')}"


def _server_socket(interface: str, port: int) -> Callable[[], socket.socket]:
    def opened() -> socket.socket:
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, interface.encode())
        server.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        server.bind(("", port))
        return server

    return opened


def _monotonic(ancillary: list[tuple[int, int, bytes]]) -> int:
    """Return when a datagram came, in the clock of everything else; the kernel stamps with the time of day."""
    now, today = time.monotonic_ns(), time.time_ns()
    for level, kind, value in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, SO_TIMESTAMPNS):
            seconds, nanoseconds = TIMESPEC.unpack(value[: TIMESPEC.size])
            stamp: int = seconds * SECOND + nanoseconds
            return now - max(0, today - stamp)
    return now
