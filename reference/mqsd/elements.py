"""Values and elements of fields, read without judging (MS-MQSD 2.2.2, 2.2.3).

Each reader takes the octets there are and their offset in the packet; octets that do not make a whole element are
left out of the value.
"""

import re
import struct
from collections.abc import Callable
from typing import Final

from mqconform.reference.mqsd.field import Field, FieldValue, ServerEntry
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid
from mqconform.reference.mqsd.reply import DELIM, name_text

Element = Callable[[bytes, int], tuple[FieldValue, tuple[Field, ...]]]

_SECTION: Final = "2.2.3"

# Prose lets comma and null alike end a name; so does 3.1.7.1.
_item = re.compile(r"([^,\0]*)([,\0]?)")


def integer(octets: bytes, _: int) -> tuple[int, tuple[Field, ...]]:
    """Read one little-endian integer."""
    return int.from_bytes(octets, "little"), ()


def guid(octets: bytes, _: int) -> tuple[Guid, tuple[Field, ...]]:
    """Read one GUID in packet order."""
    return Guid(octets), ()


def integer_array(octets: bytes, at: int) -> tuple[tuple[int, ...], tuple[Field, ...]]:
    """Read the 32-bit integers of IPXNetworkNumberArray."""
    values = struct.unpack_from(f"<{len(octets) // 4}I", octets)
    name = "IPXNetworkNumberArray"
    fields = (
        Field(f"{name}[{i}]", at + 4 * i, 4, octets[4 * i : 4 * i + 4], value, "2.2.2")
        for i, value in enumerate(values)
    )
    return values, tuple(fields)


def guid_array(octets: bytes, at: int) -> tuple[tuple[Guid, ...], tuple[Field, ...]]:
    """Read the GUIDs of ConnectedNetworkArray."""
    starts = range(0, len(octets) - GUID_SIZE + 1, GUID_SIZE)
    values = tuple(Guid(octets[start : start + GUID_SIZE]) for start in starts)
    name = "ConnectedNetworkArray"
    fields = (
        Field(f"{name}[{i}]", at + GUID_SIZE * i, GUID_SIZE, value, value, "2.2.3") for i, value in enumerate(values)
    )
    return values, tuple(fields)


def server_array(octets: bytes, at: int) -> tuple[tuple[ServerEntry, ...], tuple[Field, ...]]:
    """Read DirectoryServiceServerArray as items ended by comma or null, an odd last octet as ``OddOctet``."""
    units = len(octets) // 2
    # One character per code unit, so that a position in the text is half a position in the octets.
    text = "".join(map(chr, struct.unpack_from(f"<{units}H", octets)))
    fields: list[Field] = []
    for match in _item.finditer(text):
        start, end = 2 * match.start(), 2 * match.end(1)
        if match.group():
            fields.append(_entry(octets[start:end], at + start))
        if match.group(2):
            fields.append(_separator(octets[end : end + 2], at + end))
    if len(octets) % 2:
        fields.append(Field("OddOctet", at + 2 * units, 2, octets[-1:], None, _SECTION))
    entries = tuple(field.value for field in fields if isinstance(field.value, ServerEntry))
    return entries, tuple(fields)


def _entry(octets: bytes, at: int) -> Field:
    """Entry = IP IPX 1*NameChar, each part as far as there is one."""
    ip, ipx, name = octets[:2], octets[2:4], octets[4:]
    value = ServerEntry(name_text(ip), name_text(ipx), name_text(name))
    parts = (
        Field("IP", at, 2, ip, value.ip, _SECTION),
        Field("IPX", at + 2, 2, ipx, value.ipx, _SECTION),
        Field("NameChar", at + 4, max(2, len(name)), name, value.name, _SECTION),
    )
    return Field("Entry", at, len(octets), octets, value, _SECTION, tuple(part for part in parts if part.octets))


def _separator(octets: bytes, at: int) -> Field:
    name = "Delim" if octets == DELIM else "EndList"
    return Field(name, at, 2, octets, name_text(octets), _SECTION)
