"""TopologyServerReply and its server list, DirectoryServiceServerArray (MS-MQSD 2.2.3).

Three parts: a server as a reply lists it, the grammar of the list rule by rule under its names, and the message
around it. The alphabet of the grammar is octets, low octet first, so that a NameChar is any UTF-16 code unit but comma
and null: the units 0x012C and 0x2C01 are names like any other. ABNF names ignore case (RFC 5234 2.1), so "Endlist" in
the first rule is EndList and no defect.
"""

import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mqconform.reference.errors import MalformedPacket, UnencodablePacket
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid
from mqconform.reference.mqsd.header import (
    MAX_DOUBLE_WORD,
    REPLY_HEADER,
    PacketType,
    TopologyPacketHeader,
    check_encodable,
    check_type,
    check_unsigned,
)
from mqconform.reference.mqsd.specification import FACTS


def name_octets(name: str) -> bytes:
    """Return the UTF-16 code units of a name, low octet first, unpaired surrogates included."""
    return name.encode("utf-16-le", "surrogatepass")


def name_text(octets: bytes) -> str:
    """Return an even number of octets as text; an unpaired surrogate stays one character of its own.

    Octets to text and back is the identity. Text to octets and back joins a surrogate pair that was written as two
    characters, which is why ``DirectoryServer`` keeps the joined form: equal code units are then equal names.
    """
    return octets.decode("utf-16-le", "surrogatepass")


@dataclass(frozen=True, slots=True)
class DirectoryServer:
    """A server name with the networking protocols it is said to support (MS-MQSD 2.2.3)."""

    name: str
    """Any UTF-16 code units but 0x002C and 0x0000; neither NetBIOS nor DNS rules are asked for."""
    ip: bool
    ipx: bool

    def __post_init__(self) -> None:
        """Join the surrogate pairs of the name."""
        if not self.name.isascii():
            object.__setattr__(self, "name", name_text(name_octets(self.name)))

    @property
    def code_units(self) -> tuple[int, ...]:
        """The UTF-16 code units of the name."""
        octets = name_octets(self.name)
        return tuple(int.from_bytes(octets[at : at + 2], "little") for at in range(0, len(octets), 2))


FIELD: Final = "DirectoryServiceServerArray"

SUPPORTED: Final = b"\x31\x00"
NOT_SUPPORTED: Final = b"\x30\x00"
DELIM: Final = b"\x2c\x00"
END_LIST: Final = b"\x00\x00"

# Terminals and rules as patterns over octets.
IP: Final = rb"(\x31\x00|\x30\x00)"
IPX: Final = rb"(\x31\x00|\x30\x00)"
R1: Final = rb"[\x01-\x2b]"
R2: Final = rb"\x2c"
R3: Final = rb"[\x00-\xff]"
R4: Final = rb"[\x01-\xff]"
R5: Final = rb"[\x2d-\xff]"
R6: Final = rb"\x00"
X1: Final = R1 + R3
X2: Final = R2 + R4
X3: Final = R5 + R3
X4: Final = R6 + R4
NAME_CHAR: Final = b"(?:" + b"|".join((X1, X2, X3, X4)) + b")"
# Possessive: no NameChar begins as a Delim or an EndList does, so that nothing is ever given back.
NAME: Final = b"(" + NAME_CHAR + b"++)"
ENTRY: Final = IP + IPX + NAME

_entry = re.compile(ENTRY).match
_name = re.compile(NAME).fullmatch
_flag = re.compile(IP).match


def decode_server_array(octets: bytes, at: int) -> tuple[DirectoryServer, ...]:
    """DirectoryServiceServerArray = Entry 0*ContinuedEntry Endlist, from ``at`` to the end (MS-MQSD 2.2.3).

    Raises:
        MalformedPacket: with the offset in ``octets`` and the rule that does not match there.
    """
    server, at = decode_entry(octets, at)
    servers = [server]
    while octets.startswith(DELIM, at):  # ContinuedEntry = Delim Entry
        server, at = decode_entry(octets, at + len(DELIM))
        servers.append(server)
    decode_end_list(octets, at)
    return tuple(servers)


def decode_entry(octets: bytes, at: int) -> tuple[DirectoryServer, int]:
    """Entry = IP IPX 1*NameChar; return the server and the octet behind its name.

    Raises:
        MalformedPacket: naming IP, IPX or NameChar.
    """
    match = _entry(octets, at)
    if match is None:
        raise _no_entry(octets, at)
    ip, ipx, name = match.groups()
    return DirectoryServer(name_text(name), ip == SUPPORTED, ipx == SUPPORTED), match.end()


def decode_end_list(octets: bytes, at: int) -> None:
    """EndList = %x00.00, and nothing behind it.

    Raises:
        MalformedPacket: if the list does not end at ``at`` or octets follow.
    """
    if octets[at : at + 2] != END_LIST:
        raise violation(at, "EndList", f"the list must end with octets 00 00; found {shown(octets, at)}")
    behind = len(octets) - at - len(END_LIST)
    if behind:
        raise violation(at + len(END_LIST), "EndList", f"{behind} octets follow the end of the list")


def encode_server_array(servers: Sequence[DirectoryServer]) -> bytes:
    """DirectoryServiceServerArray = Entry 0*ContinuedEntry Endlist.

    Raises:
        UnencodablePacket: if there is no entry or a name that the grammar cannot carry.
    """
    if not servers:
        raise UnencodablePacket(
            FIELD, "2.2.3 ABNF DirectoryServiceServerArray", "the grammar asks for an entry at least"
        )
    return DELIM.join(map(encode_entry, servers)) + END_LIST


def encode_entry(server: DirectoryServer) -> bytes:
    """Entry = IP IPX 1*NameChar.

    Raises:
        UnencodablePacket: if the name is empty or contains a comma or a null.
    """
    name = name_octets(server.name)
    if _name(name) is None:
        explanation = f"the name {server.name[:40]!r} is empty or contains a comma (0x002C) or null (0x0000)"
        raise UnencodablePacket(FIELD, "2.2.3 ABNF NameChar", explanation)
    return encode_flag(supported=server.ip) + encode_flag(supported=server.ipx) + name


def encode_flag(*, supported: bool) -> bytes:
    """IP = Supported / NotSupported, and IPX likewise."""
    return SUPPORTED if supported else NOT_SUPPORTED


def violation(at: int, rule: str, explanation: str) -> MalformedPacket:
    """Return the error for octet ``at`` where ``rule`` of the grammar does not match."""
    return MalformedPacket(at, FIELD, f"2.2.3 ABNF {rule}", explanation)


def shown(octets: bytes, at: int) -> str:
    """Return the two octets at ``at``, or what there is of them, for an explanation."""
    return octets[at : at + 2].hex(" ") or "the end of the array"


def _no_entry(octets: bytes, at: int) -> MalformedPacket:
    for rule, start in (("IP", at), ("IPX", at + 2)):
        if _flag(octets, start) is None:
            explanation = f"must be character 1 (31 00) or 0 (30 00); found {shown(octets, start)}"
            return violation(start, rule, explanation)
    start = at + 4
    return violation(start, "NameChar", f"an entry needs a name; found {shown(octets, start)}")


_FIXED = struct.Struct("<BBH16sIII")


@dataclass(frozen=True, slots=True)
class TopologyServerReply:
    """Discovery reply of a server (MS-MQSD 2.2.3): 32 + 16n octets, and 16 + Size more for a foreign site.

    Nothing follows these: no field is open to vendors (MS-MQSD 1.8).
    """

    correlation_id: Guid
    """RequestID of the request that is answered."""
    connected_network_array: tuple[Guid, ...]
    """1 to 32 connected network ids."""
    connected_network_mask: int = 0
    """32 bits as they stand: zero over IP, as many ones as there are connected networks over IPX."""
    responding_site_id: Guid | None = None
    """Site of the server; present exactly when the server list is."""
    directory_service_server_array: tuple[DirectoryServer, ...] = ()
    """Servers of a foreign site; empty when DirectoryServiceServerSize is zero."""
    header: TopologyPacketHeader = REPLY_HEADER

    @property
    def connected_network_count(self) -> int:
        """ConnectedNetworkCount."""
        return len(self.connected_network_array)

    @property
    def directory_service_server_size(self) -> int:
        """DirectoryServiceServerSize in octets, EndList included."""
        servers = self.directory_service_server_array
        return len(encode_server_array(servers)) if servers else 0


def decode_reply(octets: bytes) -> TopologyServerReply:
    """Read a TopologyServerReply (MS-MQSD 2.2.3), strictly; Version, Reserved and the mask are carried, not judged.

    Raises:
        MalformedPacket: at the first violation of 2.2.1 or 2.2.3.
    """
    length = len(octets)
    if length < FACTS.reply_size:
        explanation = f"ends after {length} of {FACTS.reply_size} octets"
        raise MalformedPacket(length, "TopologyServerReply", "2.2.3", explanation)
    version, kind, reserved, correlation_id, count, mask, size = _FIXED.unpack_from(octets)
    check_type(kind, PacketType.SERVER_REPLY)
    _check_lengths(length, count, size)
    array_end = FACTS.reply_size + GUID_SIZE * count
    networks = struct.unpack_from("16s" * count, octets, FACTS.reply_size)
    header = TopologyPacketHeader(kind, version, reserved) if version or reserved else REPLY_HEADER
    if not size:
        return TopologyServerReply(correlation_id, networks, mask, None, (), header)
    servers_at = array_end + GUID_SIZE
    responding_site_id = Guid(octets[array_end:servers_at])
    servers = decode_server_array(octets, servers_at)
    return TopologyServerReply(correlation_id, networks, mask, responding_site_id, servers, header)


def encode_reply(reply: TopologyServerReply) -> bytes:
    """Return the octets of a reply (MS-MQSD 2.2.3).

    Raises:
        UnencodablePacket: if a value does not fit its field, or one of site and server list lacks the other.
    """
    header, networks = reply.header, reply.connected_network_array
    check_encodable(header, PacketType.SERVER_REPLY)
    check_unsigned("ConnectedNetworkMask", "2.2.3", reply.connected_network_mask, MAX_DOUBLE_WORD)
    if not 1 <= len(networks) <= FACTS.max_connected_networks:
        raise UnencodablePacket("ConnectedNetworkCount", "2.2.3", f"{len(networks)} networks given, must be 1 to 32")
    for name, guid in (("CorrelationID", reply.correlation_id), *(("ConnectedNetworkArray", one) for one in networks)):
        _check_guid(name, guid)
    foreign_site = _encode_foreign_site(reply)
    size = max(0, len(foreign_site) - GUID_SIZE)
    numbers = (len(networks), reply.connected_network_mask, size)
    fixed = _FIXED.pack(header.version, header.type, header.reserved, reply.correlation_id, *numbers)
    return fixed + b"".join(networks) + foreign_site


def _check_lengths(length: int, count: int, size: int) -> None:
    if not 1 <= count <= FACTS.max_connected_networks:
        at = FACTS.connected_network_count.start
        raise MalformedPacket(at, "ConnectedNetworkCount", "2.2.3", f"is {count}, must be 1 to 32")
    expected = FACTS.reply_size + GUID_SIZE * count + (GUID_SIZE + size if size else 0)
    if length != expected:
        explanation = f"count {count} and size {size} make {expected} octets, the packet has {length}"
        raise MalformedPacket(min(expected, length), "TopologyServerReply", "2.2.3", explanation)
    if size % 2:
        explanation = f"is {size}; the array consists of characters of two octets"
        at = FACTS.directory_service_server_size.start
        raise MalformedPacket(at, "DirectoryServiceServerSize", "2.2.3", explanation)


def _encode_foreign_site(reply: TopologyServerReply) -> bytes:
    site, servers = reply.responding_site_id, reply.directory_service_server_array
    if site is None:
        if servers:
            raise UnencodablePacket("RespondingSiteID", "2.2.3", "must be given where servers are listed")
        return b""
    if not servers:
        raise UnencodablePacket("RespondingSiteID", "2.2.3", "must be absent where no servers are listed")
    _check_guid("RespondingSiteID", site)
    return site + encode_server_array(servers)


def _check_guid(name: str, guid: bytes) -> None:
    if len(guid) != GUID_SIZE:
        raise UnencodablePacket(name, "2.2.3", f"a GUID has 16 octets, {len(guid)} given")
