"""TopologyClientRequest in its IP and its IPX form (MS-MQSD 2.2.2)."""

import struct
from dataclasses import dataclass

from mqconform.reference.errors import MalformedPacket, UnencodablePacket
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid
from mqconform.reference.mqsd.header import (
    MAX_DOUBLE_WORD,
    REQUEST_HEADER,
    PacketType,
    TopologyPacketHeader,
    check_encodable,
    check_type,
    check_unsigned,
)
from mqconform.reference.mqsd.specification import FACTS

_IP_FORM = struct.Struct("<BBH16s16s16s")


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


def decode_request(octets: bytes) -> TopologyClientRequest:
    """Read a TopologyClientRequest (MS-MQSD 2.2.2), strictly; Version and Reserved are carried, not judged.

    Raises:
        MalformedPacket: at the first violation of 2.2.1 or 2.2.2.
    """
    length = len(octets)
    if length < FACTS.request_size:
        explanation = f"ends after {length} of {FACTS.request_size} octets"
        raise MalformedPacket(length, "TopologyClientRequest", "2.2.2", explanation)
    version, kind, reserved, enterprise_id, request_id, site_id = _IP_FORM.unpack_from(octets)
    check_type(kind, PacketType.CLIENT_REQUEST)
    has_ipx_fields = length >= FACTS.ipx_request_size
    return TopologyClientRequest(
        enterprise_id,
        request_id,
        site_id,
        _decode_ipx_networks(octets) if has_ipx_fields else (),
        TopologyPacketHeader(kind, version, reserved) if version or reserved else REQUEST_HEADER,
        b"" if has_ipx_fields else octets[FACTS.request_size :],
    )


def encode_request(request: TopologyClientRequest) -> bytes:
    """Return the octets of a request (MS-MQSD 2.2.2).

    Raises:
        UnencodablePacket: if a value does not fit its field.
    """
    header, networks = request.header, request.ipx_network_number_array
    check_encodable(header, PacketType.CLIENT_REQUEST)
    guids = (request.enterprise_id, request.request_id, request.site_id)
    for name, guid in zip(("EnterpriseID", "RequestID", "SiteID"), guids, strict=True):
        if len(guid) != GUID_SIZE:
            raise UnencodablePacket(name, "2.2.2", f"a GUID has 16 octets, {len(guid)} given")
    fixed = _IP_FORM.pack(header.version, header.type, header.reserved, *guids)
    return fixed + (_encode_ipx_networks(networks) if networks else b"") + _checked_tail(request)


def _decode_ipx_networks(octets: bytes) -> tuple[int, ...]:
    count = int.from_bytes(octets[FACTS.ipx_network_count], "little")
    if not 1 <= count <= FACTS.max_ipx_networks:
        raise MalformedPacket(FACTS.ipx_network_count.start, "IPXNetworkCount", "2.2.2", f"is {count}, must be 1 to 32")
    expected = FACTS.ipx_network_count.stop + 4 * count
    if len(octets) != expected:
        explanation = f"{count} entries end at octet {expected}, the packet at octet {len(octets)}"
        raise MalformedPacket(min(expected, len(octets)), "IPXNetworkNumberArray", "2.2.2", explanation)
    return struct.unpack_from(f"<{count}I", octets, FACTS.ipx_network_count.stop)


def _encode_ipx_networks(networks: tuple[int, ...]) -> bytes:
    if len(networks) > FACTS.max_ipx_networks:
        raise UnencodablePacket("IPXNetworkCount", "2.2.2", f"{len(networks)} entries given, 1 to 32 are allowed")
    for network in networks:
        check_unsigned("IPXNetworkNumberArray", "2.2.2", network, MAX_DOUBLE_WORD)
    return struct.pack(f"<I{len(networks)}I", len(networks), *networks)


def _checked_tail(request: TopologyClientRequest) -> bytes:
    tail = request.ignored_octets
    if not tail:
        return tail
    if request.ipx_network_number_array:
        raise UnencodablePacket("IPXNetworkNumberArray", "2.2.2", "no octets may follow it; leave ignored_octets empty")
    if len(tail) >= FACTS.ipx_request_size - FACTS.request_size:
        explanation = f"{len(tail)} octets behind SiteID would be read as the IPX fields; give 7 at most"
        raise UnencodablePacket("IPXNetworkCount", "3.2.5.1", explanation)
    return tail
