"""``HOST:PORT`` to an address, the socket that talks to it, and the ICMP errors that come back on it."""

import errno
import os
import re
import socket
import struct
import sys
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address

from mqconform.adapters.networks.address import Address, host_of, text_of
from mqconform.harness.iut.interface import ConfigurationError, Unreachable

# Python names these constants from 3.14 on; linux/in.h and linux/in6.h
IP_RECVERR = 11
IPV6_RECVERR = 25
EXTENDED_ERROR = struct.Struct("=IBBBxII")
"""``struct sock_extended_err``: errno, origin, type, code, padding, info, data (linux/errqueue.h)."""
QUEUE_READ = 1_000
"""Most errors taken at a time."""

GONE = frozenset(
    {errno.ECONNREFUSED, errno.EHOSTUNREACH, errno.ENETUNREACH, errno.EHOSTDOWN, errno.EPERM, errno.EACCES}
)
"""Errors that say that datagrams do not reach the IUT."""


@dataclass(frozen=True, slots=True)
class SendError:
    """A report that a datagram did not arrive.

    Attributes:
        destination: where the datagram was going.
        number: the errno.
    """

    destination: Address
    number: int

    def __str__(self) -> str:
        """Return the reason in the system's words."""
        return os.strerror(self.number)


def ask_for_errors(opened: socket.socket) -> None:
    """Have the kernel queue ICMP errors for this socket."""
    if sys.platform == "linux":
        if opened.family == socket.AF_INET6:
            opened.setsockopt(socket.IPPROTO_IPV6, IPV6_RECVERR, 1)
        else:
            opened.setsockopt(socket.IPPROTO_IP, IP_RECVERR, 1)


def queued_errors(opened: socket.socket) -> list[SendError]:
    """Take what is in the error queue, without waiting."""
    errors: list[SendError] = []
    if sys.platform == "linux":
        while len(errors) < QUEUE_READ:
            try:
                _, ancillary, _, destination = opened.recvmsg(0, 512, socket.MSG_ERRQUEUE | socket.MSG_DONTWAIT)
            except OSError:
                break  # the queue is empty
            errors += [
                SendError(destination, EXTENDED_ERROR.unpack_from(octets)[0])
                for _, kind, octets in ancillary
                if kind in (IP_RECVERR, IPV6_RECVERR) and len(octets) >= EXTENDED_ERROR.size
            ]
    return errors


RECEIVE_BUFFER = 4 * 1024 * 1024
"""Asked of the kernel, which may give less: a burst of replies must not be lost on our side."""

TARGET = re.compile(r"(?:\[(?P<v6>[^\]]+)\]|(?P<host>[^:\[\]]+)):(?P<port>[0-9]{1,5})")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the IUT listens.

    Attributes:
        family: AF_INET or AF_INET6.
        address: what ``sendto`` takes.
    """

    family: socket.AddressFamily
    address: Address

    @property
    def host(self) -> IPv4Address | IPv6Address:
        """The address without its port and scope."""
        return host_of(self.address)

    def __str__(self) -> str:
        """Return ``host:port``."""
        return text_of(self.address)


def resolve(target: str) -> Endpoint:
    """Return the endpoint that ``HOST:PORT`` names; names are looked up for IPv4, IPv6 stands in brackets.

    Raises:
        ConfigurationError: no such form or name, or not the address of one host.
    """
    form = TARGET.fullmatch(target)
    if form is None or not 1 <= int(form["port"]) <= 65_535:
        example = "udp:HOST:PORT, such as udp:192.0.2.7:1801 or udp:[2001:db8::7]:1801"
        raise ConfigurationError(f"udp:{target}: expected {example}")
    family = socket.AF_INET6 if form["v6"] else socket.AF_INET
    host = form["v6"] or form["host"]
    try:
        addresses = socket.getaddrinfo(host, int(form["port"]), family, socket.SOCK_DGRAM)
    except (OSError, UnicodeError) as error:
        raise ConfigurationError(
            f"udp:{target}: {host} is not a known name or address: {getattr(error, 'strerror', None) or error}"
        ) from error
    endpoint = Endpoint(family, addresses[0][4])  # type: ignore[arg-type]  # typeshed allows for builds without IPv6
    if endpoint.host.is_multicast or endpoint.host.is_unspecified or endpoint.host == IPv4Address("255.255.255.255"):
        raise ConfigurationError(f"udp:{target}: {endpoint.host} is not one host; name the server's own address")
    return endpoint


def source_address(endpoint: Endpoint) -> str:
    """Return the address of ours from which the endpoint is reached; sends nothing.

    Raises:
        ConfigurationError: the endpoint is a broadcast address.
        Unreachable: no route leads there.
    """
    with socket.socket(endpoint.family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(endpoint.address)
        except PermissionError as error:
            raise ConfigurationError(
                f"udp:{endpoint}: is a broadcast address; name the server's own address"
            ) from error
        except OSError as error:
            raise Unreachable(f"udp:{endpoint}: {error.strerror}; nothing can be sent there") from error
        return str(probe.getsockname()[0])


def open_socket(endpoint: Endpoint, source: str) -> socket.socket:
    """Return a non-blocking socket, bound to ``source``.

    It is not connected: a connected one would not show who else answers, nor replies from another port.
    """
    opened = socket.socket(endpoint.family, socket.SOCK_DGRAM)
    try:
        opened.setblocking(False)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVE_BUFFER)
        ask_for_errors(opened)
        scope = endpoint.address[2:]  # flow and scope of IPv6: a link-local source needs the same link
        opened.bind((source, 0, *scope))
    except OSError as error:
        opened.close()
        raise Unreachable(f"udp:{endpoint}: no socket at {source}: {error.strerror}") from error
    return opened
