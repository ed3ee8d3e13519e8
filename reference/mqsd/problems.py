"""Every violation of the message syntax in a packet, not the first alone (MS-MQSD 2.2).

Strict decoding accepts a packet exactly when there is none here; the two are written apart and tested against each
other. Version, Reserved and the mask are no matter of syntax (see ``layout`` for their values).
"""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.field import Field, ServerEntry
from mqconform.reference.mqsd.header import PacketType
from mqconform.reference.mqsd.layout import REPLY, REQUEST, Layout
from mqconform.reference.mqsd.reply import FIELD as ARRAY
from mqconform.reference.mqsd.reply import violation
from mqconform.reference.mqsd.specification import FACTS

_TYPES = {REQUEST: (PacketType.CLIENT_REQUEST,), REPLY: (PacketType.SERVER_REPLY,)}


def find_problems(layout: Layout) -> tuple[MalformedPacket, ...]:
    """Return all violations of ``header``, ``request`` and ``reply``, in the order of the octets at which they show."""
    found = [*_type(layout), *_counts(layout), *_size(layout), *_servers(layout), *_end(layout)]
    return tuple(sorted(found, key=lambda problem: problem.offset))


def _type(layout: Layout) -> Iterator[MalformedPacket]:
    field, value = layout["Type"], layout.number("Type")
    allowed = _TYPES.get(layout.packet, tuple(PacketType))
    if field and value is not None and value not in allowed:
        wanted = " or ".join(f"0x{one:02x}" for one in allowed)
        yield _problem(field, f"is 0x{value:02x}, must be {wanted}")


def _counts(layout: Layout) -> Iterator[MalformedPacket]:
    limits = {"IPXNetworkCount": FACTS.max_ipx_networks, "ConnectedNetworkCount": FACTS.max_connected_networks}
    for field in layout:
        maximum, value = limits.get(field.name), layout.number(field.name)
        if maximum and value is not None and not 1 <= value <= maximum:
            yield _problem(field, f"is {value}, must be 1 to {maximum}")


def _size(layout: Layout) -> Iterator[MalformedPacket]:
    field = layout["DirectoryServiceServerSize"]
    if field and isinstance(field.value, int) and field.value % 2:
        yield _problem(field, f"is {field.value}, must be even: the array consists of characters of two octets")


def _servers(layout: Layout) -> Iterator[MalformedPacket]:
    array, cut = layout[ARRAY], layout.cut
    if array:
        yield from _parts(array.parts)
        if not array.parts or array.parts[-1].name != "EndList":
            end = array.offset + array.length
            yield violation(end, "EndList", "the list does not end with octets 00 00 within its size")
    elif cut and cut.name == ARRAY and cut.parts:
        unfinished = cut.parts[-1].name in ("Entry", "OddOctet")
        yield from _parts(cut.parts[:-1] if unfinished else cut.parts)


def _parts(parts: Sequence[Field]) -> Iterator[MalformedPacket]:
    for part, following in zip_longest(parts, parts[1:]):
        if isinstance(part.value, ServerEntry):
            yield from _entry(part.offset, part.value)
        elif part.name == "EndList" and following:
            yield violation(following.offset, "EndList", "octets follow the end of the list")
            return


def _entry(at: int, entry: ServerEntry) -> Iterator[MalformedPacket]:
    for rule, offset, flag in (("IP", at, entry.ip), ("IPX", at + 2, entry.ipx)):
        if flag not in ("0", "1"):
            found = f"0x{ord(flag):04x}" if flag else "no character"
            yield violation(offset, rule, f"must be character 1 (0x0031) or 0 (0x0030); found {found}")
    if not entry.name:
        yield violation(at + 2 * len(entry.ip + entry.ipx), "NameChar", "an entry needs a name")


def _end(layout: Layout) -> Iterator[MalformedPacket]:
    cut, length = layout.cut, len(layout.octets)
    if cut:
        explanation = f"has {len(cut.octets)} of {cut.length} octets, then the packet ends"
        yield MalformedPacket(length, cut.name, cut.section, explanation)
    ignored = layout.packet == REQUEST and length < FACTS.ipx_request_size
    if layout.trailing and layout.packet in _TYPES and not ignored:
        section = "2.2.2" if layout.packet == REQUEST else "2.2.3"
        explanation = f"{len(layout.trailing)} octets follow the last field"
        yield MalformedPacket(length - len(layout.trailing), layout.packet, section, explanation)


def _problem(field: Field, explanation: str) -> MalformedPacket:
    return MalformedPacket(field.offset, field.name, field.section, explanation)
