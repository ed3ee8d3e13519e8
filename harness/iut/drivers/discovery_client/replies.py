"""Replies as a test sends them to a discovery client: right ones, and wrong ones made from right ones (MS-MQSD 2.2.3).

Built octet by octet and not through the reference codec, which would refuse most of what a test needs.
"""

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from types import MappingProxyType
from typing import Final

REPLY_TYPE: Final = 2
OWN_SITE: Final = "own"
"""Name of the client's own site, whose servers send no server list."""
_NETWORKS: Final = MappingProxyType({"single": 1, "triple": 3, "crowded": 32})
"""Sites that have not two networks; 32 is the most that a reply can carry."""
COUNT, MASK, SIZE = 20, 24, 28
"""Offsets of the three numbers of the fixed part."""

Flaw = Callable[[bytes], bytes]


def guid_named(name: str) -> bytes:
    """Return sixteen octets that stand for a name, the same in each run."""
    return sha256(f"discovery client: {name}".encode()).digest()[:16]


def networks_of(site: str) -> tuple[bytes, ...]:
    """Return the connected networks that the servers of a site have: most have two, those of ``alike`` two alike."""
    if site == "alike":
        first = guid_named(f"network 1 of {site}")
        return first, first[:-1] + bytes([first[-1] ^ 1])
    return tuple(guid_named(f"network {number} of {site}") for number in range(1, _NETWORKS.get(site, 2) + 1))


@dataclass(frozen=True, slots=True)
class ReplyDraft:
    """A right reply of a server to be.

    Attributes:
        site: name of the server's site.
        listing: flags and name of each listed server in one text, ``10alpha``; none from the own site.
    """

    site: str
    listing: tuple[str, ...] = ()

    def octets(self, correlation_id: bytes) -> bytes:
        """Return the datagram that answers a request."""
        networks = networks_of(self.site)
        array = f"{','.join(self.listing)}\0".encode("utf-16-le") if self.listing else b""
        head = struct.pack("<BBH", 0, REPLY_TYPE, 0) + correlation_id
        numbers = struct.pack("<III", len(networks), 0, len(array))
        site = guid_named(f"site {self.site}") if array else b""
        return head + numbers + b"".join(networks) + site + array


def _cut_to(length: int) -> Flaw:
    return lambda reply: reply[:length]


def _short_by(octets: int) -> Flaw:
    return lambda reply: reply[:-octets]


def _number(offset: int, change: Callable[[int], int]) -> Flaw:
    def flaw(reply: bytes) -> bytes:
        (number,) = struct.unpack_from("<I", reply, offset)
        return reply[:offset] + struct.pack("<I", change(number)) + reply[offset + 4 :]

    return flaw


def _octet(offset: int, value: int) -> Flaw:
    return lambda reply: reply[:offset] + bytes([value]) + reply[offset + 1 :]


def _swapped(number: int) -> int:
    return int.from_bytes(number.to_bytes(4, "little"), "big")


def _flags_of_first_name(flags: str) -> Flaw:
    def flaw(reply: bytes) -> bytes:
        (size,) = struct.unpack_from("<I", reply, SIZE)
        start = len(reply) - size
        return reply[:start] + flags.encode("utf-16-le") + reply[start + 4 :] if size else reply

    return flaw


def _with_nulls(reply: bytes) -> bytes:
    """Separate the names by nulls, as 3.1.7.1 has it beside commas."""
    (size,) = struct.unpack_from("<I", reply, SIZE)
    start = len(reply) - size
    return reply[:start] + reply[start:].decode("utf-16-le").replace(",", "\0").encode("utf-16-le")


GROSS: Final[Mapping[str, Flaw]] = MappingProxyType(
    {
        "of no octet at all": _cut_to(0),
        "cut in the header": _cut_to(3),
        "cut in the correlation id": _cut_to(12),
        "cut in the fixed part": _cut_to(31),
        "cut behind the fixed part": _cut_to(32),
        "cut in the networks": _cut_to(40),
        "cut by one octet": _short_by(1),
        "with one network more than there are": _number(COUNT, lambda count: count + 1),
        "with 128 networks more than there are": _number(COUNT, lambda count: count + 0x80),
        "with the largest count of networks": _number(COUNT, lambda count: 0xFFFF_FFFF),  # noqa: ARG005 - fixed
        "with the count in big-endian order": _number(COUNT, _swapped),
        "with a size past its end": _number(SIZE, lambda size: size + 100),
        "with a size that is wrong in its highest octet": _number(SIZE, lambda size: size + 0x0100_0000),
        "with a count that wraps in 32 bits": _number(COUNT, lambda count: 0x1000_0000 + count),
        "with a size that wraps in 32 bits": _number(SIZE, lambda _: 0xFFFF_FFF8),
    }
)
"""Errors after which a datagram ends within a field or a counted array, for any reply (register SD-59)."""

FOREIGN_GROSS: Final[Mapping[str, Flaw]] = MappingProxyType(
    {"with the size in big-endian order": _number(SIZE, _swapped)}
)
"""Gross errors of a reply that lists servers."""

LESSER: Final[Mapping[str, Flaw]] = MappingProxyType(
    {
        "with Version 1": _octet(0, 1),
        "with Reserved not zero": _octet(2, 1),
        "of Type 3": _octet(1, 3),
        "with a mask": _number(MASK, lambda mask: mask + 1),
        "followed by other octets": lambda reply: reply + b"more",
        "with flags that are no digits": _flags_of_first_name("xy"),
        "with nulls between the names": _with_nulls,
        "without a terminator": lambda reply: _number(SIZE, lambda size: size - 2)(reply[:-2]),
    }
)
"""Other departures from the syntax: what a client does with them the register leaves open (SD-11, SD-59)."""

OF_TYPE_1: Final = MappingProxyType({"of Type 1": _octet(1, 1)})
"""A packet that says of itself that it is a request (register SD-12)."""

FLAWS: Final[Mapping[str, Flaw]] = MappingProxyType({**GROSS, **FOREIGN_GROSS, **LESSER, **OF_TYPE_1})
