"""TopologyPacketHeader (MS-MQSD 2.2.1)."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from mqconform.reference.errors import MalformedPacket, UnencodablePacket
from mqconform.reference.mqsd.specification import FACTS

MAX_OCTET: Final = 0xFF
MAX_WORD: Final = 0xFFFF
MAX_DOUBLE_WORD: Final = 0xFFFFFFFF


class PacketType(IntEnum):
    """Values of the Type field (MS-MQSD 2.2.1)."""

    CLIENT_REQUEST = 0x01
    SERVER_REPLY = 0x02


@dataclass(frozen=True, slots=True)
class TopologyPacketHeader:
    """First four octets of every packet (MS-MQSD 2.2.1)."""

    type: int
    """One of ``PacketType``."""
    version: int = 0
    """8 bits: zero from a client, ignored by a server; nothing is said of a server's packets."""
    reserved: int = 0
    """16 bits, read as little-endian: zero from a client, ignored by a server."""


REQUEST_HEADER: Final = TopologyPacketHeader(PacketType.CLIENT_REQUEST)
REPLY_HEADER: Final = TopologyPacketHeader(PacketType.SERVER_REPLY)


def check_type(found: int, expected: PacketType) -> None:
    """Refuse a Type that does not announce the packet expected (MS-MQSD 2.2.1).

    Raises:
        MalformedPacket: if ``found`` is another value.
    """
    if found != expected:
        raise MalformedPacket(FACTS.type_offset, "Type", "2.2.1", f"is 0x{found:02x}, not 0x{expected:02x}")


def check_encodable(header: TopologyPacketHeader, expected: PacketType) -> None:
    """Refuse a header that does not fit its bits or its packet.

    Raises:
        UnencodablePacket: naming the field.
    """
    if header.type != expected:
        raise UnencodablePacket("Type", "2.2.1", f"{header.type} given for a packet of type {int(expected)}")
    check_unsigned("Version", "2.2.1", header.version, MAX_OCTET)
    check_unsigned("Reserved", "2.2.1", header.reserved, MAX_WORD)


def check_unsigned(field: str, rule: str, value: int, maximum: int) -> None:
    """Refuse a number that the field's bits cannot hold.

    Raises:
        UnencodablePacket: naming the field.
    """
    if not 0 <= value <= maximum:
        raise UnencodablePacket(field, rule, f"{value} given, the field holds 0 to {maximum}")
