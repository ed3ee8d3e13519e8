"""Topology requests as a test sends them: right ones, and wrong ones made from right ones (MS-MQSD 2.2.1, 2.2.2).

Built octet by octet and not through the reference codec, which would refuse most of what a test needs.
"""

import random
import struct
from dataclasses import dataclass, replace

REQUEST_TYPE = 1


@dataclass(frozen=True, slots=True)
class Draft:
    """A request to be; GUIDs are sixteen octets in packet order."""

    enterprise: bytes
    request_id: bytes
    site: bytes
    version: int = 0
    type: int = REQUEST_TYPE
    reserved: int = 0
    tail: bytes = b""

    def octets(self) -> bytes:
        """Return the datagram."""
        header = struct.pack("<BBH", self.version, self.type, self.reserved)
        return header + self.enterprise + self.request_id + self.site + self.tail

    def plain(self) -> "Draft":
        """Return the same request without what a server has to ignore."""
        return replace(self, version=0, type=REQUEST_TYPE, reserved=0, tail=b"")


def fresh_guid(rng: random.Random) -> bytes:
    """Return sixteen octets that no other request of the run has."""
    return rng.randbytes(16)


def other_guid(rng: random.Random, than: bytes) -> bytes:
    """Return a GUID that is not ``than``."""
    guid = rng.randbytes(16)
    return guid if guid != than else bytes(octet ^ 0xFF for octet in guid)


def ipx_tail(count: int, numbers: int) -> bytes:
    """Return IPX fields that claim ``count`` network numbers and hold ``numbers``."""
    return struct.pack(f"<I{numbers}I", count, *range(1, numbers + 1))
