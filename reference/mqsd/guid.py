"""GUIDs in packet order (MS-MQSD, section 2; MS-DTYP 2.3.4.2).

The model keeps a GUID as its sixteen octets in the order of the packet and compares those. The text form reverses
the first three groups, which are little-endian integers in the packet.
"""

import re
import struct
from typing import NewType

from mqconform.reference.errors import MalformedGuid

Guid = NewType("Guid", bytes)
"""Sixteen octets in packet order; version and variant bits mean nothing, an id of section 4 has no valid ones."""

GUID_SIZE = 16

_GROUPS = struct.Struct("<IHH8s")
_TEXT = re.compile(r"([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4}-[0-9a-f]{12})", re.IGNORECASE | re.ASCII)


def guid_text(guid: bytes) -> str:
    """Return sixteen octets in packet order as lower-case 8-4-4-4-12 text.

    Raises:
        MalformedGuid: if there are not sixteen octets.
    """
    if len(guid) != GUID_SIZE:
        raise MalformedGuid(f"a GUID has 16 octets, not {len(guid)}: {guid[:20].hex()}")
    first, second, third, rest = _GROUPS.unpack(guid)
    return f"{first:08x}-{second:04x}-{third:04x}-{rest[:2].hex()}-{rest[2:].hex()}"


def text_order(guid: bytes) -> bytes:
    """Return the octets of a GUID in the order of its text, high octet first."""
    return guid[3::-1] + guid[5:3:-1] + guid[7:5:-1] + guid[8:]


def guid_from_text(text: str) -> Guid:
    """Return the packet order of a GUID given as 8-4-4-4-12 text in either case.

    Raises:
        MalformedGuid: if the text has another form.
    """
    match = _TEXT.fullmatch(text)
    if match is None:
        raise MalformedGuid(f"{text[:60]!r} is not a GUID; write 8-4-4-4-12 hexadecimal digits")
    first, second, third, rest = match.groups()
    return Guid(
        _GROUPS.pack(int(first, 16), int(second, 16), int(third, 16), bytes.fromhex(rest.replace("-", ""))),
    )
