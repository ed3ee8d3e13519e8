"""Requests and replies as values: strict decoding and encoding by the table of the messages (MS-MQSD 2.2).

ABNF names ignore case (RFC 5234 2.1), so "Endlist" in the first rule of the server list is EndList and no defect.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from mqconform.reference.errors import UnencodablePacket
from mqconform.reference.mqsd import messages
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid
from mqconform.reference.mqsd.layout import (
    Layout,
    ServerEntry,
    read_layout,
    read_reply_layout,
    read_request_layout,
)


@dataclass(frozen=True, slots=True)
class TopologyPacketHeader:
    """First four octets of every packet (MS-MQSD 2.2.1)."""

    type: int
    """One of ``PacketType``."""
    version: int = 0
    """8 bits: zero from a client, ignored by a server; nothing is said of a server's packets."""
    reserved: int = 0
    """16 bits, read as little-endian: zero from a client, ignored by a server."""


REQUEST_HEADER: Final = TopologyPacketHeader(messages.PacketType.CLIENT_REQUEST)
REPLY_HEADER: Final = TopologyPacketHeader(messages.PacketType.SERVER_REPLY)


@dataclass(frozen=True, slots=True)
class TopologyClientRequest:
    """Discovery request of a client (MS-MQSD 2.2.2): 52 octets over IP, 56 + 4n over IPX."""

    enterprise_id: Guid
    """Enterprise to which the client belongs."""
    request_id: Guid
    """Echoed by the server as CorrelationID; sixteen opaque octets."""
    site_id: Guid
    """MSMQ site to which the client belongs."""
    ipx_network_number_array: tuple[int, ...] = ()
    """1 to 32 IPX network numbers in the IPX form; empty in the IP form."""
    header: TopologyPacketHeader = REQUEST_HEADER
    ignored_octets: bytes = b""
    """At most 7 octets behind the IP form, too few to be the IPX fields (3.2.5.1 step 1)."""

    @property
    def ipx_network_count(self) -> int | None:
        """IPXNetworkCount, None where the field is absent."""
        return len(self.ipx_network_number_array) or None


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
            object.__setattr__(self, "name", messages.name_text(messages.name_octets(self.name)))


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


Message = TopologyClientRequest | TopologyServerReply


def decode_message(octets: bytes) -> Message:
    """Read the packet that the Type field announces (MS-MQSD 2.2.1), strictly.

    Raises:
        MalformedPacket: if there is no whole header, Type is neither 1 nor 2, or the packet is malformed.
    """
    layout = _well_formed(read_layout(octets))
    return decode_request(octets) if layout.message is messages.REQUEST else decode_reply(octets)


def decode_request(octets: bytes) -> TopologyClientRequest:
    """Read a TopologyClientRequest (MS-MQSD 2.2.2), strictly; Version and Reserved are carried, not judged.

    Raises:
        MalformedPacket: at the first violation of 2.2.1 or 2.2.2.
    """
    layout = _well_formed(read_request_layout(octets))
    enterprise_id, request_id, site_id = (
        Guid(octets[messages.REQUEST[name].place]) for name in ("EnterpriseID", "RequestID", "SiteID")
    )
    networks = (int.from_bytes(part.octets, "little") for part in layout.parts("IPXNetworkNumberArray"))
    return TopologyClientRequest(enterprise_id, request_id, site_id, tuple(networks), _header(layout), layout.trailing)


def decode_reply(octets: bytes) -> TopologyServerReply:
    """Read a TopologyServerReply (MS-MQSD 2.2.3), strictly; Version, Reserved and the mask are carried, not judged.

    Raises:
        MalformedPacket: at the first violation of 2.2.1 or 2.2.3.
    """
    layout = _well_formed(read_reply_layout(octets))
    site = layout["RespondingSiteID"]
    values = (part.value for part in layout.parts(messages.SERVER_LIST))
    entries = (value for value in values if isinstance(value, ServerEntry))
    return TopologyServerReply(
        Guid(octets[messages.REPLY["CorrelationID"].place]),
        tuple(Guid(part.octets) for part in layout.parts("ConnectedNetworkArray")),
        layout.number("ConnectedNetworkMask") or 0,
        Guid(site.octets) if site else None,
        tuple(DirectoryServer(entry.name, entry.ip == "1", entry.ipx == "1") for entry in entries),
        _header(layout),
    )


def _well_formed(layout: Layout) -> Layout:
    problems = layout.problems
    if problems:
        raise problems[0]
    return layout


def _header(layout: Layout) -> TopologyPacketHeader:
    return TopologyPacketHeader(*(layout.number(name) or 0 for name in ("Type", "Version", "Reserved")))


def encode_message(message: Message) -> bytes:
    """Return the octets of a packet.

    Raises:
        UnencodablePacket: if a value does not fit its field.
    """
    if isinstance(message, TopologyClientRequest):
        return encode_request(message)
    return encode_reply(message)


def encode_request(request: TopologyClientRequest) -> bytes:
    """Return the octets of a request (MS-MQSD 2.2.2).

    Raises:
        UnencodablePacket: if a value does not fit its field.
    """
    networks, tail = request.ipx_network_number_array, request.ignored_octets
    if tail and networks:
        raise UnencodablePacket("IPXNetworkNumberArray", "2.2.2", "no octets may follow it; leave ignored_octets empty")
    if not messages.REQUEST.ignores_trailing(messages.REQUEST.size + len(tail)):
        explanation = f"{len(tail)} octets behind SiteID would be read as the IPX fields; give 7 at most"
        raise UnencodablePacket("IPXNetworkCount", "3.2.5.1", explanation)
    values: dict[str, _Value] = {
        "EnterpriseID": request.enterprise_id,
        "RequestID": request.request_id,
        "SiteID": request.site_id,
    }
    if networks:
        values |= {"IPXNetworkCount": len(networks), "IPXNetworkNumberArray": networks}
    return _encode(messages.REQUEST, request.header, values) + tail


def encode_reply(reply: TopologyServerReply) -> bytes:
    """Return the octets of a reply (MS-MQSD 2.2.3).

    Raises:
        UnencodablePacket: if a value does not fit its field, or one of site and server list lacks the other.
    """
    site, servers = reply.responding_site_id, reply.directory_service_server_array
    if (site is None) == bool(servers):
        explanation = f"must be {'given where servers' if servers else 'absent where no servers'} are listed"
        raise UnencodablePacket("RespondingSiteID", "2.2.3", explanation)
    listed = encode_server_array(servers) if servers else b""
    values: dict[str, _Value] = {
        "CorrelationID": reply.correlation_id,
        "ConnectedNetworkCount": len(reply.connected_network_array),
        "ConnectedNetworkMask": reply.connected_network_mask,
        "DirectoryServiceServerSize": len(listed),
        "ConnectedNetworkArray": reply.connected_network_array,
    }
    if site is not None:
        values |= {"RespondingSiteID": site, messages.SERVER_LIST: listed}
    return _encode(messages.REPLY, reply.header, values)


_Value = int | bytes | tuple[int, ...] | tuple[Guid, ...]


def _encode(message: messages.MessageRule, header: TopologyPacketHeader, values: Mapping[str, _Value]) -> bytes:
    if header.type not in message.types:
        explanation = f"{header.type} given for a packet of type {int(message.types[0])}"
        raise UnencodablePacket("Type", "2.2.1", explanation)
    every = {"Version": header.version, "Type": header.type, "Reserved": header.reserved, **values}
    return b"".join(_field_octets(rule, every[rule.name]) for rule in message.fields if rule.name in every)


def _field_octets(rule: messages.FieldRule, value: _Value) -> bytes:
    if isinstance(value, tuple):
        return b"".join(_field_octets(rule, element) for element in value)
    if isinstance(value, int):
        return _number_octets(rule, value)
    if rule.kind is messages.Kind.GUID and len(value) != GUID_SIZE:
        raise UnencodablePacket(rule.name, rule.section, f"a GUID has 16 octets, {len(value)} given")
    return value


def _number_octets(rule: messages.FieldRule, value: int) -> bytes:
    maximum = 256**rule.size - 1
    if rule.most and not 1 <= value <= rule.most:
        raise UnencodablePacket(rule.name, rule.section, f"{value} entries given, must be 1 to {rule.most}")
    if not 0 <= value <= maximum:
        raise UnencodablePacket(rule.name, rule.section, f"{value} given, the field holds 0 to {maximum}")
    return value.to_bytes(rule.size, "little")


def encode_server_array(servers: Sequence[DirectoryServer]) -> bytes:
    """DirectoryServiceServerArray = Entry 0*ContinuedEntry Endlist.

    Raises:
        UnencodablePacket: if there is no entry or a name that the grammar cannot carry.
    """
    if not servers:
        raise UnencodablePacket(
            messages.SERVER_LIST, "2.2.3 ABNF DirectoryServiceServerArray", "the grammar asks for an entry at least"
        )
    return messages.DELIM.join(map(encode_entry, servers)) + messages.END_LIST


def encode_entry(server: DirectoryServer) -> bytes:
    """Entry = IP IPX 1*NameChar.

    Raises:
        UnencodablePacket: if the name is empty or contains a comma or a null.
    """
    if not server.name or {",", "\0"}.intersection(server.name):
        explanation = f"the name {server.name[:40]!r} is empty or contains a comma (0x002C) or null (0x0000)"
        raise UnencodablePacket(messages.SERVER_LIST, "2.2.3 ABNF NameChar", explanation)
    # IP = Supported / NotSupported, and IPX likewise.
    flags = (messages.SUPPORTED if supported else messages.NOT_SUPPORTED for supported in (server.ip, server.ipx))
    return b"".join((*flags, messages.name_octets(server.name)))
