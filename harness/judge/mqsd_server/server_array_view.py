"""A server array read leniently, so that each rule of its grammar can be judged by itself (MS-MQSD 2.2.3)."""

from dataclasses import dataclass

from mqconform.harness.judge.mqsd_server.reply_view import ReplyView
from mqconform.harness.records.witness import Span

ABSENT = "the reply has no server array"
"""What is observed where there is no entry to judge."""
COMMA = b"\x2c\x00"
NULL = b"\x00\x00"
FLAGS = (b"\x31\x00", b"\x30\x00")


@dataclass(frozen=True, slots=True)
class Entry:
    """One delimited run of code units; offsets count from the start of the array."""

    at: int
    units: bytes

    @property
    def flags(self) -> tuple[bytes, bytes]:
        """The code units that should be the IP and the IPX flag."""
        return self.units[0:2], self.units[2:4]

    @property
    def name(self) -> bytes:
        """What follows the flags, in UTF-16, low octet first."""
        return self.units[4:]

    @property
    def whole(self) -> bool:
        """Whether there is room for two flags and at least one character."""
        return len(self.units) >= 6 and len(self.units) % 2 == 0


@dataclass(frozen=True, slots=True)
class ServerArray:
    """The entries of an array and how it separates and ends them.

    Attributes:
        delimiters: the code unit behind each entry; empty where the array just stops.
        behind: octets after the first null at which the grammar ends the list.
    """

    octets: bytes
    entries: tuple[Entry, ...]
    delimiters: tuple[bytes, ...]

    @property
    def names(self) -> tuple[bytes, ...]:
        """The names, in the order of the array."""
        return tuple(entry.name for entry in self.entries)


def read_server_array(octets: bytes) -> ServerArray:
    """Split an array at every comma and null; a terminating null leaves no empty entry behind it."""
    entries, delimiters, start = [], [], 0
    for at in range(0, len(octets), 2):
        unit = octets[at : at + 2]
        if unit in (COMMA, NULL):
            entries.append(Entry(start, octets[start:at]))
            delimiters.append(unit)
            start = at + 2
    if start < len(octets):
        entries.append(Entry(start, octets[start:]))
        delimiters.append(b"")
    return ServerArray(octets, tuple(entries), tuple(delimiters))


def array_span(reply: ReplyView) -> Span:
    """Return the octets of the array in its reply."""
    return Span(reply.array_at, len(reply.array), "DirectoryServiceServerArray")
