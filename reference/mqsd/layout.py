"""A packet by the table of the messages, as far as its octets reach, and all that is wrong with it (MS-MQSD 2.2).

Reading a layout never fails: a field whose count or size is wrong is still read where the packet itself says that it
lies, so that every requirement on a field can be judged by itself. Version, Reserved and the mask are no matter of
syntax; the layout has their values.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final

from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd import messages
from mqconform.reference.mqsd.guid import Guid, guid_text

TYPE_NAMES: Final = {
    int(kind): message.name for message in (messages.REQUEST, messages.REPLY) for kind in message.types
}
FLAGS: Final = {"1": "supported", "0": "not supported"}


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """What stands between two delimiters of a server list, right or wrong by the grammar."""

    ip: str
    """First character, empty if there is none; "0" and "1" are right."""
    ipx: str
    """Second character, empty if there is none; "0" and "1" are right."""
    name: str
    """The rest; one that is not empty is right."""


FieldValue = int | Guid | str | ServerEntry | tuple[int, ...] | tuple[Guid, ...] | tuple[ServerEntry, ...] | None


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a packet, or an element or grammar rule within one."""

    name: str
    """The specification's name."""
    offset: int
    """First octet, counted from the start of the packet."""
    length: int
    """Octets that the field ought to have."""
    octets: bytes
    """Octets that it has; fewer than ``length`` where the packet ends within it."""
    value: FieldValue
    """Integer, GUID in packet order, character, or a tuple of elements; None for a number or GUID that is cut."""
    section: str
    """Section that defines the field."""
    parts: "tuple[Field, ...]" = ()
    """Elements of an array, rules of the grammar within the server list."""

    @property
    def missing(self) -> int:
        """Octets that the packet ends before."""
        return self.length - len(self.octets)

    @property
    def requirements(self) -> tuple[str, ...]:
        """Ids of the requirements that speak of it; none for an element of an array."""
        return messages.FIELD_REQUIREMENTS.get(self.name, ())

    @property
    def text(self) -> str:
        """What the value means, in words; names stand as the packet has them, so make the text visible first."""
        match self.name, self.value:
            case "Type", int(value):
                return f"0x{value:02x} ({TYPE_NAMES.get(value, 'no message')})"
            case "ConnectedNetworkMask", int(value):
                return f"0x{value:08x} ({value.bit_count()} bits set)"
            case "IP" | "IPX", str(value):
                return f"{value} ({FLAGS.get(value, 'neither 0 nor 1')})"
            case "Delim" | "EndList", str(value):
                return "comma" if value == "," else "null"
            case name, int(value) if name.startswith("IPXNetworkNumberArray"):
                return f"0x{value:08x}"
            case _:
                return _plain_text(self.value)


def _plain_text(value: FieldValue) -> str:
    match value:
        case None:
            return "cut off"
        case int():
            return str(value)
        case str():
            return f'"{value}"'
        case bytes():
            return guid_text(value)
        case ServerEntry():
            return f'"{value.name}"'
        case tuple():
            return "1 entry" if len(value) == 1 else f"{len(value)} entries"


@dataclass(frozen=True, slots=True)
class Layout:
    """A packet taken apart."""

    message: messages.MessageRule
    """What it was read as; the header alone where Type announces no message."""
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

    def parts(self, name: str) -> tuple[Field, ...]:
        """Return the elements of an array, none where it is absent or cut."""
        field = self[name]
        return field.parts if field else ()

    @property
    def packet(self) -> str:
        """Name of the message it was read as."""
        return self.message.name

    @property
    def shown(self) -> tuple[Field, ...]:
        """The whole fields, and the one that is cut."""
        return (*self.fields, self.cut) if self.cut else self.fields

    @property
    def problems(self) -> tuple[MalformedPacket, ...]:
        """All violations of the message syntax, in the order of the octets at which they show."""
        violations = [*_numbers(self), *_servers(self), *_end(self)]
        return tuple(sorted(violations, key=lambda problem: problem.offset))


def read_request_layout(octets: bytes) -> Layout:
    """Read octets as a TopologyClientRequest without regard to their Type."""
    return _read(messages.REQUEST, octets)


def read_reply_layout(octets: bytes) -> Layout:
    """Read octets as a TopologyServerReply without regard to their Type."""
    return _read(messages.REPLY, octets)


def read_layout(octets: bytes) -> Layout:
    """Read octets as the message that Type announces, as a bare header if it announces none."""
    kind = octets[messages.HEADER["Type"].place] if len(octets) >= messages.HEADER.size else b""
    return _read(
        next(
            (message for message in (messages.REQUEST, messages.REPLY) if kind == bytes(message.types)), messages.HEADER
        ),
        octets,
    )


def _read(message: messages.MessageRule, octets: bytes) -> Layout:
    at = 0
    fields: list[Field] = []
    numbers: dict[str, int] = {}
    for rule in message.fields:
        length = rule.length(numbers, len(octets))
        if length is None:
            continue
        present = octets[at : at + length]
        value, parts = _value(rule, present, at)
        if len(present) < length:
            left = None if isinstance(value, int | bytes) else value
            cut = Field(rule.name, at, length, present, left, rule.section, parts)
            return Layout(message, octets, tuple(fields), cut, b"")
        fields.append(Field(rule.name, at, length, present, value, rule.section, parts))
        at += length
        if isinstance(value, int):
            numbers[rule.name] = value
    return Layout(message, octets, tuple(fields), None, octets[at:])


def _value(rule: messages.FieldRule, octets: bytes, at: int) -> tuple[FieldValue, tuple[Field, ...]]:
    """Return value and parts; octets that do not make a whole element are left out of them."""
    if rule.kind is messages.Kind.SERVERS:
        return read_server_array(octets, at)
    if not rule.count:
        return _number_or_guid(rule, octets), ()
    size, whole = rule.size, len(octets) // rule.size
    elements = (octets[size * number : size * (number + 1)] for number in range(whole))
    parts = tuple(
        Field(f"{rule.name}[{number}]", at + size * number, size, element, _number_or_guid(rule, element), rule.section)
        for number, element in enumerate(elements)
    )
    return tuple(part.value for part in parts), parts  # type: ignore[return-value]  # all are of one kind


def _number_or_guid(rule: messages.FieldRule, octets: bytes) -> int | Guid:
    return int.from_bytes(octets, "little") if rule.kind is messages.Kind.NUMBER else Guid(octets)


# The server list: prose lets comma and null alike end a name; so does 3.1.7.1. The alphabet of the grammar is octets,
# low octet first, so that a NameChar (R1 to R6, X1 to X4) is any UTF-16 code unit but comma and null: the units 0x012C
# and 0x2C01 are names like any other.
_item = re.compile(r"([^,\0]*)([,\0]?)")


def read_server_array(octets: bytes, at: int) -> tuple[tuple[ServerEntry, ...], tuple[Field, ...]]:
    """Read a list as items ended by comma or null, an odd last octet as ``OddOctet``; ``at`` is its first octet."""
    units = len(octets) // 2
    # One character per code unit, so that a position in the text is half a position in the octets.
    text = "".join(chr(octets[place] | octets[place + 1] << 8) for place in range(0, 2 * units, 2))
    fields: list[Field] = []
    for match in _item.finditer(text):
        start, end = 2 * match.start(), 2 * match.end(1)
        if match.group():
            fields.append(_entry(octets[start:end], at + start))
        if match.group(2):
            unit = octets[end : end + 2]
            fields.append(
                _rule("Delim" if unit == messages.DELIM else "EndList", at + end, unit, messages.name_text(unit))
            )
    if len(octets) % 2:
        fields.append(_rule("OddOctet", at + 2 * units, octets[-1:], None))
    return tuple(field.value for field in fields if isinstance(field.value, ServerEntry)), tuple(fields)


def _entry(octets: bytes, at: int) -> Field:
    """Entry = IP IPX 1*NameChar, each part as far as there is one."""
    split = {"IP": (at, octets[:2]), "IPX": (at + 2, octets[2:4]), "NameChar": (at + 4, octets[4:])}
    parts = tuple(_rule(name, place, part, messages.name_text(part)) for name, (place, part) in split.items() if part)
    value = ServerEntry(*(messages.name_text(part) for _, part in split.values()))
    return Field("Entry", at, len(octets), octets, value, messages.REPLY.section, parts)


def _rule(name: str, at: int, octets: bytes, value: str | None) -> Field:
    return Field(name, at, max(2, len(octets)), octets, value, messages.REPLY.section)


# Violations of the message syntax.


def _numbers(layout: Layout) -> Iterator[MalformedPacket]:
    for field in layout:
        rule, value = layout.message[field.name], field.value
        if not isinstance(value, int):
            continue
        if field.name == "Type" and value not in layout.message.types:
            types = " or ".join(f"0x{kind:02x}" for kind in layout.message.types)
            yield _problem(field, f"is 0x{value:02x}, must be {types}")
        if rule.most and not 1 <= value <= rule.most:
            yield _problem(field, f"is {value}, must be 1 to {rule.most}")
        if rule.even and value % 2:
            yield _problem(field, f"is {value}, must be even: the array consists of characters of two octets")


def _problem(field: Field, explanation: str) -> MalformedPacket:
    return MalformedPacket(field.offset, field.name, field.section, explanation)


def _servers(layout: Layout) -> Iterator[MalformedPacket]:
    array, cut = layout[messages.SERVER_LIST], layout.cut
    if array:
        yield from list_violations(array.parts, array.offset + array.length)
    elif cut and cut.name == messages.SERVER_LIST and cut.parts:
        unfinished = cut.parts[-1].name in ("Entry", "OddOctet")
        yield from _list(cut.parts[:-1] if unfinished else cut.parts)


def list_violations(parts: Sequence[Field], end: int) -> Iterator[MalformedPacket]:
    """Yield where a server list that ends before octet ``end`` leaves its grammar, in the order of octets (2.2.3)."""
    yield from _list(parts)
    if not parts or parts[-1].name != "EndList":
        yield _violation(end, "EndList", "the list does not end with octets 00 00 within its size")


def _list(parts: Sequence[Field]) -> Iterator[MalformedPacket]:
    for part, following in zip_longest(parts, parts[1:]):
        if isinstance(part.value, ServerEntry):
            yield from _entry_violations(part.offset, part.value)
        elif part.name == "EndList" and following:
            yield _violation(following.offset, "EndList", "octets follow the end of the list")
            return


def _entry_violations(at: int, entry: ServerEntry) -> Iterator[MalformedPacket]:
    for rule, offset, flag in (("IP", at, entry.ip), ("IPX", at + 2, entry.ipx)):
        if flag not in FLAGS:
            flag_text = f"0x{ord(flag):04x}" if flag else "no character"
            yield _violation(offset, rule, f"must be character 1 (0x0031) or 0 (0x0030); found {flag_text}")
    if not entry.name:
        yield _violation(at + 2 * len(entry.ip + entry.ipx), "NameChar", "an entry needs a name")


def _violation(at: int, rule: str, explanation: str) -> MalformedPacket:
    return MalformedPacket(at, messages.SERVER_LIST, f"2.2.3 ABNF {rule}", explanation)


def _end(layout: Layout) -> Iterator[MalformedPacket]:
    message, cut, length = layout.message, layout.cut, len(layout.octets)
    if cut:
        explanation = f"has {len(cut.octets)} of {cut.length} octets, then the packet ends{_count_that_fits(layout)}"
        yield MalformedPacket(length, cut.name, cut.section, explanation)
    # Octets behind SiteID that are too few for the IPX fields are passed over (3.2.5.1 step 1).
    if layout.trailing and message is not messages.HEADER and not message.ignores_trailing(length):
        explanation = f"{len(layout.trailing)} octets follow the last field{_count_that_fits(layout)}"
        yield MalformedPacket(length - len(layout.trailing), message.name, message.section, explanation)


def _count_that_fits(layout: Layout) -> str:
    """Return a remark if another count of networks makes a reply whole: what lies behind a wrong one misleads."""
    if layout.message is not messages.REPLY or len(layout.octets) < messages.REPLY.size:
        return ""
    rule = messages.REPLY["ConnectedNetworkCount"]
    for count in range(messages.MOST_NETWORKS + 1):
        other = _read(messages.REPLY, rule.put_number(layout.octets, count))
        if not (other.cut or other.trailing or [*_servers(other)]) and other.parts(messages.SERVER_LIST):
            return f"; with {rule.name} {count} all fields fit"
    return ""
