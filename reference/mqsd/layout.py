"""Fields of a packet as far as its octets reach (MS-MQSD 2.2), for judging one that may be broken.

Reading a layout never fails: a field whose count or size is wrong is still read where the packet itself says that it
lies, so that every requirement on a field can be judged by itself.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from mqconform.reference.mqsd.elements import Element, guid, guid_array, integer, integer_array, server_array
from mqconform.reference.mqsd.field import Field, FieldValue
from mqconform.reference.mqsd.guid import GUID_SIZE
from mqconform.reference.mqsd.header import PacketType
from mqconform.reference.mqsd.specification import FACTS

HEADER: Final = "TopologyPacketHeader"
REQUEST: Final = "TopologyClientRequest"
REPLY: Final = "TopologyServerReply"


@dataclass(frozen=True, slots=True)
class Layout:
    """A packet taken apart."""

    packet: str
    """Name of the message it was read as; ``TopologyPacketHeader`` where Type announces none."""
    octets: bytes
    fields: tuple[Field, ...]
    """The fields that are whole, in the order of the packet."""
    cut: Field | None
    """The field within or before which the packet ends, with the octets and parts there are; none is read behind it."""
    trailing: bytes
    """Octets behind the last field."""

    def __iter__(self) -> Iterator[Field]:
        """Iterate over the whole fields."""
        return iter(self.fields)

    def __getitem__(self, name: str) -> Field | None:
        """Return the whole field of that name, None where it is absent or cut."""
        return next((field for field in self.fields if field.name == name), None)

    def number(self, name: str) -> int | None:
        """Return the value of an integer field, None where it is absent or cut."""
        field = self[name]
        return field.value if field and isinstance(field.value, int) else None


Numbers = Mapping[str, int]
Length = Callable[[Numbers], int | None]


@dataclass(frozen=True, slots=True)
class _FieldRule:
    name: str
    section: str
    length: Length
    """Octets of the field given the integers before it, None where it is absent."""
    read: Element


def _always(length: int) -> Length:
    return lambda _: length


def _times(size: int, count: str) -> Length:
    return lambda numbers: size * numbers[count]


def _if_servers(length: Length) -> Length:
    return lambda numbers: length(numbers) if numbers["DirectoryServiceServerSize"] else None


_HEADER: Final = (
    _FieldRule("Version", "2.2.1", _always(1), integer),
    _FieldRule("Type", "2.2.1", _always(1), integer),
    _FieldRule("Reserved", "2.2.1", _always(2), integer),
)
_IP_REQUEST: Final = (
    *_HEADER,
    _FieldRule("EnterpriseID", "2.2.2", _always(GUID_SIZE), guid),
    _FieldRule("RequestID", "2.2.2", _always(GUID_SIZE), guid),
    _FieldRule("SiteID", "2.2.2", _always(GUID_SIZE), guid),
)
_IPX_REQUEST: Final = (
    *_IP_REQUEST,
    _FieldRule("IPXNetworkCount", "2.2.2", _always(4), integer),
    _FieldRule("IPXNetworkNumberArray", "2.2.2", _times(4, "IPXNetworkCount"), integer_array),
)
_REPLY: Final = (
    *_HEADER,
    _FieldRule("CorrelationID", "2.2.3", _always(GUID_SIZE), guid),
    _FieldRule("ConnectedNetworkCount", "2.2.3", _always(4), integer),
    _FieldRule("ConnectedNetworkMask", "2.2.3", _always(4), integer),
    _FieldRule("DirectoryServiceServerSize", "2.2.3", _always(4), integer),
    _FieldRule("ConnectedNetworkArray", "2.2.3", _times(GUID_SIZE, "ConnectedNetworkCount"), guid_array),
    _FieldRule("RespondingSiteID", "2.2.3", _if_servers(_always(GUID_SIZE)), guid),
    _FieldRule(
        "DirectoryServiceServerArray", "2.2.3", _if_servers(_times(1, "DirectoryServiceServerSize")), server_array
    ),
)


def read_request_layout(octets: bytes) -> Layout:
    """Read octets as what ``request`` defines, whatever their Type says."""
    return _read(REQUEST, _IPX_REQUEST if len(octets) >= FACTS.ipx_request_size else _IP_REQUEST, octets)


def read_reply_layout(octets: bytes) -> Layout:
    """Read octets as what ``reply`` defines, whatever their Type says."""
    return _read(REPLY, _REPLY, octets)


def read_layout(octets: bytes) -> Layout:
    """Read octets as the message that Type announces, as a bare header if it announces none."""
    match octets[FACTS.type_offset] if len(octets) >= FACTS.header_size else None:
        case PacketType.CLIENT_REQUEST:
            return read_request_layout(octets)
        case PacketType.SERVER_REPLY:
            return read_reply_layout(octets)
        case _:
            return _read(HEADER, _HEADER, octets)


def _read(packet: str, rules: tuple[_FieldRule, ...], octets: bytes) -> Layout:
    at = 0
    fields: list[Field] = []
    numbers: dict[str, int] = {}
    for rule in rules:
        length = rule.length(numbers)
        if length is None:
            continue
        present = octets[at : at + length]
        value, parts = rule.read(present, at)
        if len(present) < length:
            left: FieldValue = None if isinstance(value, int | bytes) else value
            cut = Field(rule.name, at, length, present, left, rule.section, parts)
            return Layout(packet, octets, tuple(fields), cut, b"")
        fields.append(Field(rule.name, at, length, present, value, rule.section, parts))
        at += length
        if isinstance(value, int):
            numbers[rule.name] = value
    return Layout(packet, octets, tuple(fields), None, octets[at:])
