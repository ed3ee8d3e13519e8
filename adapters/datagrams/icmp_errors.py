"""What ICMP says of datagrams that were sent: the error queue of a Linux socket (ip(7), IP_RECVERR).

An unconnected socket hears of a closed port only by this queue. Elsewhere a closed port looks like silence.
"""

import errno
import os
import socket
import struct
import sys
from dataclasses import dataclass

from mqconform.adapters.networks.address import Address

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
