"""TopologyServerReply (MS-MQSD 2.2.3)."""

import struct
from dataclasses import dataclass

from mqconform.reference.errors import MalformedPacket, UnencodablePacket
from mqconform.reference.mqsd.abnf import decode_server_array, encode_server_array
from mqconform.reference.mqsd.directory_server import DirectoryServer
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

_FIXED = struct.Struct("<BBH16sIII")


@dataclass(frozen=True, slots=True)
class TopologyServerReply:
    """Discovery reply of a server (MS-MQSD 2.2.3): 32 + 16n octets, and 16 + Size more for a foreign site."""

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
