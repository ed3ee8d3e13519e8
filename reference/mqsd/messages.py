"""The messages of MS-MQSD 2.2 as one table: each field with its place, size, limits, section and requirements.

Reading, writing, wording and dissecting a packet, in Python, in Lua and in compiled loops, all follow this table and
write down no place of their own. The grammar within the server list is in ``layout``.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from typing import Final

from mqconform.reference.mqsd.guid import GUID_SIZE

MOST_NETWORKS: Final = 32
"""Entries of IPXNetworkNumberArray and of ConnectedNetworkArray (2.2.2, 2.2.3)."""


SERVER_LIST: Final = "DirectoryServiceServerArray"


class PacketType(IntEnum):
    """Values of the Type field (MS-MQSD 2.2.1)."""

    CLIENT_REQUEST = 0x01
    SERVER_REPLY = 0x02


class Kind(Enum):
    """What the octets of a field, or of one element of an array, are."""

    NUMBER = "number"
    """Unsigned, low octet first."""
    GUID = "guid"
    """In packet order."""
    SERVERS = "servers"
    """DirectoryServiceServerArray, whose elements are of any length; counted in octets."""


@dataclass(frozen=True, slots=True)
class FieldRule:
    """One field of a message (MS-MQSD 2.2)."""

    name: str
    """The specification's name."""
    kind: Kind
    size: int
    """Octets of the field, or of one element of an array."""
    section: str
    rows: tuple[int, ...]
    """Last numbers of the requirements on the field in the catalogue."""
    count: str = ""
    """The field that says how many elements there are; empty where the field is not an array."""
    most: int = 0
    """The number is 1 to this; 0 where any number will do."""
    even: bool = False
    only_if: str = ""
    """The number that is not zero where the field is present; empty where it always is."""
    from_length: int = 0
    """Octets from which on a packet has the field."""
    offset: int = -1
    """First octet, counted from the start of the packet; -1 behind an array."""

    @property
    def place(self) -> slice:
        """The octets of a field that is no array and does not lie behind one."""
        return slice(self.offset, self.offset + self.size)

    def number(self, octets: bytes) -> int:
        """Return the number that the field of a packet holds, as far as its octets are there."""
        return int.from_bytes(octets[self.place], "little")

    def put(self, packet: bytes, octets: bytes) -> bytes:
        """Return a packet with other octets in place of the field's."""
        return packet[: self.place.start] + octets + packet[self.place.stop :]

    def put_number(self, packet: bytes, number: int) -> bytes:
        """Return a packet with another number in the field."""
        return self.put(packet, number.to_bytes(self.size, "little"))

    def length(self, numbers: Mapping[str, int], packet_length: int) -> int | None:
        """Return the octets that the field ought to have, None where it is absent.

        Args:
            numbers: the integers before it, by name.
            packet_length: octets of the whole packet.
        """
        if packet_length < self.from_length or (self.only_if and not numbers[self.only_if]):
            return None
        return self.size * numbers[self.count] if self.count else self.size


@dataclass(frozen=True, slots=True)
class MessageRule:
    """A message: its fields in the order of the packet."""

    name: str
    section: str
    rows: tuple[int, ...]
    """Last numbers of the requirements on the message as a whole."""
    types: tuple[PacketType, ...]
    """Values of Type that announce it."""
    fields: tuple[FieldRule, ...]

    def __getitem__(self, name: str) -> FieldRule:
        """Return the field of that name."""
        return next(rule for rule in self.fields if rule.name == name)

    @property
    def size(self) -> int:
        """Octets of the fields that stand in every packet, up to the first array."""
        fixed = (rule for rule in self.fields if not (rule.count or rule.only_if or rule.from_length))
        return sum(rule.size for rule in fixed)

    def length(self, octets: bytes) -> int:
        """Return how long a packet ought to be by the numbers in it, as far as these are there."""
        at = 0
        numbers: dict[str, int] = {}
        for rule in self.fields:
            length = rule.length(numbers, len(octets))
            if rule.kind is Kind.NUMBER and not rule.count:
                numbers[rule.name] = rule.number(octets)
            at += length or 0
        return at

    def ignores_trailing(self, packet_length: int) -> bool:
        """Tell whether octets behind the last field are too few for the fields that could follow (3.2.5.1 step 1)."""
        return any(packet_length < rule.from_length for rule in self.fields)


def _message(
    name: str, section: str, rows: tuple[int, ...], types: tuple[PacketType, ...], fields: tuple[FieldRule, ...]
) -> MessageRule:
    """Return a message with its fields at their places."""
    at, placed = 0, []
    for rule in fields:
        placed.append(replace(rule, offset=at))
        at = -1 if at < 0 or rule.count else at + rule.size
    return MessageRule(name, section, rows, types, tuple(placed))


_HEADER: Final = (
    FieldRule("Version", Kind.NUMBER, 1, "2.2.1", (2, 3, 4)),
    FieldRule("Type", Kind.NUMBER, 1, "2.2.1", (5, 6, 7)),
    FieldRule("Reserved", Kind.NUMBER, 2, "2.2.1", (8, 9, 10)),
)
_IPX_FROM: Final = 60
"""Octets from which on a request has the IPX fields: the count and one entry (3.2.5.1 step 1)."""

HEADER: Final = _message("TopologyPacketHeader", "2.2.1", (1,), tuple(PacketType), _HEADER)
REQUEST: Final = _message(
    "TopologyClientRequest",
    "2.2.2",
    (13,),
    (PacketType.CLIENT_REQUEST,),
    (
        *_HEADER,
        FieldRule("EnterpriseID", Kind.GUID, GUID_SIZE, "2.2.2", (3,)),
        FieldRule("RequestID", Kind.GUID, GUID_SIZE, "2.2.2", (4, 5)),
        FieldRule("SiteID", Kind.GUID, GUID_SIZE, "2.2.2", (6,)),
        FieldRule("IPXNetworkCount", Kind.NUMBER, 4, "2.2.2", (7, 8, 9, 10), most=MOST_NETWORKS, from_length=_IPX_FROM),
        FieldRule(
            "IPXNetworkNumberArray",
            Kind.NUMBER,
            4,
            "2.2.2",
            (11, 12, 13),
            count="IPXNetworkCount",
            from_length=_IPX_FROM,
        ),
    ),
)
REPLY: Final = _message(
    "TopologyServerReply",
    "2.2.3",
    (11, 15, 18),
    (PacketType.SERVER_REPLY,),
    (
        *_HEADER,
        FieldRule("CorrelationID", Kind.GUID, GUID_SIZE, "2.2.3", (3,)),
        FieldRule("ConnectedNetworkCount", Kind.NUMBER, 4, "2.2.3", (4, 5, 6), most=MOST_NETWORKS),
        FieldRule("ConnectedNetworkMask", Kind.NUMBER, 4, "2.2.3", (7, 8, 9)),
        FieldRule("DirectoryServiceServerSize", Kind.NUMBER, 4, "2.2.3", (10, 11, 12), even=True),
        FieldRule("ConnectedNetworkArray", Kind.GUID, GUID_SIZE, "2.2.3", (14, 15, 16), count="ConnectedNetworkCount"),
        FieldRule(
            "RespondingSiteID", Kind.GUID, GUID_SIZE, "2.2.3", (13, 17, 18), only_if="DirectoryServiceServerSize"
        ),
        FieldRule(
            SERVER_LIST,
            Kind.SERVERS,
            1,
            "2.2.3",
            (13, 19, 20, 26, 27),
            count="DirectoryServiceServerSize",
            only_if="DirectoryServiceServerSize",
        ),
    ),
)
MESSAGES: Final = (HEADER, REQUEST, REPLY)
SUPPORTED: Final = b"\x31\x00"
NOT_SUPPORTED: Final = b"\x30\x00"
DELIM: Final = b"\x2c\x00"
END_LIST: Final = b"\x00\x00"
GRAMMAR: Final[dict[str, tuple[int, ...]]] = {
    "Entry": (45, 46),
    "IP": (21, 28, 29, 30),
    "IPX": (22, 28, 29, 31),
    "NameChar": (23, 24, 42),
    "Delim": (25, 43, 46),
    "EndList": (25, 44),
}
"""Rule of the server list's grammar -> last numbers of its requirements in 2.2.3. NameChar stands for R1 to X4, which
are named nowhere in a packet."""

FIELD_REQUIREMENTS: Final[dict[str, tuple[str, ...]]] = {
    name: tuple(f"MQSD-{section}-{row:02d}" for row in rows)
    for name, section, rows in (
        *((message.name, message.section, message.rows) for message in MESSAGES),
        *((rule.name, rule.section, rule.rows) for message in MESSAGES for rule in message.fields),
        *((name, "2.2.3", rows) for name, rows in GRAMMAR.items()),
    )
}
"""Message, field or rule of the grammar -> ids of the requirements that speak of it. One packet cannot show all that
they ask for, a RequestID that no other request had for instance; the ids tell where to read on."""


def name_octets(name: str) -> bytes:
    """Return the UTF-16 code units of a name, low octet first, unpaired surrogates included."""
    return name.encode("utf-16-le", "surrogatepass")


def name_text(octets: bytes) -> str:
    """Return an even number of octets as text; an unpaired surrogate stays one character of its own.

    Octets to text and back is the identity. Text to octets and back joins a surrogate pair that was written as two
    characters, which is why ``DirectoryServer`` keeps the joined form: equal code units are then equal names.
    """
    return octets.decode("utf-16-le", "surrogatepass")
