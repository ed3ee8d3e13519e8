"""UDP sockets that broadcast on several networks and hear the answers, each network by itself.

A socket is bound to the machine's own address on a network: without that, a limited broadcast would leave by whatever
the routing table has, or not at all. Nothing is broadcast by accident: outside loopback and a network namespace of its
own, this refuses.
"""

import errno
import selectors
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Interface
from typing import NamedTuple

from mqconform.adapters.networks.address import text_of
from mqconform.adapters.networks.namespaces import in_a_namespace_of_its_own
from mqconform.harness.iut.interface import ConfigurationError

LIMITED = IPv4Address("255.255.255.255")
MAX_DATAGRAM = 65_535
LONGEST_PREFIX = 30
"""A longer one leaves no broadcast address."""


class Arrival(NamedTuple):
    """A datagram and where it came from."""

    network: str
    """As it was named to ``BroadcastNetworks``."""
    octets: bytes
    source: str
    """``host:port``."""


@dataclass(frozen=True, slots=True)
class BroadcastSocket:
    """The socket of one network."""

    socket: socket.socket
    destination: tuple[str, int]


class BroadcastNetworks:
    """Sockets on one or more networks, open until closed.

    Args of the constructor:
        networks: the machine's own IPv4 address on each, ``192.0.2.10/24``; a limited broadcast needs no prefix.
        port: UDP port to which is broadcast.
        directed: to the broadcast address of the subnet, else to 255.255.255.255.
        allowed: whether it may leave the machine.

    Raises, when made:
        ConfigurationError: a network cannot be used as given; the message names it and says what to change.
    """

    def __init__(self, networks: Sequence[str], port: int, *, directed: bool = False, allowed: bool = False) -> None:
        self._sockets: dict[str, BroadcastSocket] = {}
        self._selector = selectors.DefaultSelector()
        try:
            for network in networks:
                self._add(network, port, directed=directed, allowed=allowed)
        except BaseException:
            self.close()
            raise

    def send(self, network: str, datagram: bytes) -> None:
        """Broadcast a datagram.

        Raises:
            OSError: it could not leave the machine.
        """
        sender = self._sockets[network]
        sender.socket.sendto(datagram, sender.destination)

    def receive(self, timeout: float) -> Arrival | None:
        """Return the next datagram that arrives within that many seconds, None where none does."""
        for ready, _ in self._selector.select(max(0.0, timeout)):
            network: str = ready.data
            try:
                octets, source = self._sockets[network].socket.recvfrom(MAX_DATAGRAM)
            except BlockingIOError:
                continue  # what woke us had a wrong checksum and is gone
            return Arrival(network, octets, text_of(source))
        return None

    def close(self) -> None:
        """Close the sockets."""
        self._selector.close()
        for sender in self._sockets.values():
            sender.socket.close()

    def _add(self, network: str, port: int, *, directed: bool, allowed: bool) -> None:
        own = own_address(network)
        if any(own.ip == own_address(other).ip for other in self._sockets):
            raise ConfigurationError(f"network {network}: {own.ip} is given twice; name each network once")
        if not (allowed or own.ip.is_loopback or in_a_namespace_of_its_own()):
            raise ConfigurationError(
                f"network {network}: a broadcast would reach every host there; use 127.0.0.1, or a network namespace "
                "of its own, or allow it with --allow-broadcast"
            )
        destination = (str(broadcast_address(own) if directed else LIMITED), port)
        opened = _open(network, own.ip)
        self._sockets[network] = BroadcastSocket(opened, destination)
        self._selector.register(opened, selectors.EVENT_READ, network)


def own_address(network: str) -> IPv4Interface:
    """Return the address and subnet that a network is named by.

    Raises:
        ConfigurationError: it is not an IPv4 address of one host.
    """
    try:
        own = IPv4Interface(network)
    except ValueError as error:
        raise ConfigurationError(f"network {network!r}: {error}; write ADDRESS/PREFIX as in 192.0.2.10/24") from error
    if own.ip.is_unspecified or own.ip.is_multicast or own.ip == LIMITED:
        raise ConfigurationError(f"network {network}: {own.ip} is not an address of one host; name this machine's own")
    return own


def broadcast_address(own: IPv4Interface) -> IPv4Address:
    """Return the broadcast address of a subnet.

    Raises:
        ConfigurationError: it has none.
    """
    if own.network.prefixlen > LONGEST_PREFIX:
        raise ConfigurationError(f"network {own}: has no broadcast address; give its prefix as in {own.ip}/24")
    return own.network.broadcast_address


def _open(network: str, own: IPv4Address) -> socket.socket:
    opened = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        opened.setblocking(False)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        opened.bind((str(own), 0))
    except OSError as error:
        opened.close()
        problem = "is not an address of this machine" if error.errno == errno.EADDRNOTAVAIL else error.strerror
        raise ConfigurationError(f"network {network}: {own} {problem}; name the machine's own address there") from error
    return opened
