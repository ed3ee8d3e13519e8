# scapy.contrib.description = Message Queuing (MSMQ): Directory Service Discovery Protocol (MQSD)
# scapy.contrib.status = loads
# ruff: noqa: ERA001 - the two lines above are how scapy lists a contribution
# ruff: noqa: ARG002 - scapy hands every method of a field the packet
"""Directory service discovery of MSMQ in scapy (MS-MQSD 2.1 to 2.2.3), and a strict codec on top of it.

The packet classes are lenient, as scapy's are: what they can show of a broken packet they show. ``decode`` is
strict. Importing binds nothing to UDP; ``bind_mqsd_to_udp`` does.
"""

from typing import Any, ClassVar
from uuid import UUID

from mqconform.harness.judge.independent.mqsd_messages import (
    DecodedMessage,
    DecodedReply,
    DecodedRequest,
    DecodeProblem,
    ServerName,
    syntax_problem,
)
from mqconform.harness.tools.packets.quiet_scapy import scapy_import_silenced

with scapy_import_silenced():
    from scapy.fields import (
        ByteEnumField,
        ConditionalField,
        FieldLenField,
        FieldListField,
        LEShortEnumField,
        PacketListField,
        StrField,
        UUIDField,
        XByteField,
        XLEIntField,
        XLEShortField,
    )
    from scapy.layers.inet import UDP
    from scapy.packet import Packet, Raw, bind_bottom_up, bind_layers, split_bottom_up, split_layers

__all__ = [
    "DecodeProblem",
    "DecodedMessage",
    "DecodedReply",
    "DecodedRequest",
    "DirectoryServiceServer",
    "MQSDHeader",
    "TopologyClientRequest",
    "TopologyServerReply",
    "bind_mqsd_to_udp",
    "decode",
    "encode",
    "unbind_mqsd_from_udp",
]

MQSD_PORT = 1801
"""A number of its own on purpose: taken from the reference, a wrong one would go unnoticed."""
DELIMITER = b"\x2c\x00"
END_OF_LIST = b"\x00\x00"
NOT_SUPPORTED, SUPPORTED = 0x30, 0x31
SUPPORT = {NOT_SUPPORTED: "no", SUPPORTED: "yes"}
NIL = UUID(int=0)


def guid_field(name: str) -> UUIDField:
    """Return a GUID in the packet order of MS-DTYP 2.3.4: three little-endian numbers, then eight octets."""
    return UUIDField(name, NIL.int, uuid_fmt=UUIDField.FORMAT_LE)


class Utf16NameField(StrField):
    """The rest of an entry as UTF-16LE; text for people, octets inside, so that lone surrogates survive."""

    def any2i(self, pkt: Packet | None, x: Any) -> bytes:
        """Accept text, or octets that are UTF-16LE already."""
        return x.encode("utf-16-le", "surrogatepass") if isinstance(x, str) else bytes(x or b"")

    def i2h(self, pkt: Packet | None, x: bytes) -> Any:
        """Return text, or the octets themselves where they cannot be any (odd length)."""
        return x if len(x) % 2 else x.decode("utf-16-le", "surrogatepass")

    def i2repr(self, pkt: Packet | None, x: bytes) -> str:
        """Return the name with controls and lone surrogates escaped."""
        return ascii(self.i2h(pkt, x))


class DirectoryServiceServer(Packet):
    """One entry of a DirectoryServiceServerArray: two support characters and a machine name."""

    name = "MQSD directory service server"
    fields_desc: ClassVar = [
        LEShortEnumField("IP", SUPPORTED, SUPPORT),
        LEShortEnumField("IPX", NOT_SUPPORTED, SUPPORT),
        Utf16NameField("Name", b""),
    ]


def split_entries(array: bytes) -> list[bytes]:
    """Split at commas that are whole characters: 2C 00 at an odd octet is part of two others."""
    marks = [at for at in range(0, len(array), 2) if array[at : at + 2] == DELIMITER]
    starts = [0, *(at + 2 for at in marks)]
    return [array[start:end] for start, end in zip(starts, [*marks, len(array)], strict=True)]


class ServerListField(PacketListField):
    """Entries with commas between them and a null behind the last; no octets at all for no entry."""

    def getfield(self, pkt: Packet, s: bytes) -> tuple[bytes, list[Any]]:
        """Take DirectoryServiceServerSize octets; an entry too short for its two flags becomes Raw."""
        array, rest = s[: pkt.DirectoryServiceServerSize], s[pkt.DirectoryServiceServerSize :]
        entries = split_entries(array.removesuffix(END_OF_LIST) if len(array) % 2 == 0 else array)
        return rest, [DirectoryServiceServer(entry) if len(entry) >= 4 else Raw(load=entry) for entry in entries]

    def addfield(self, pkt: Packet, s: bytes, val: list[Any] | None) -> bytes:
        """Append the list to ``s``."""
        return s + self._array(val)

    def i2len(self, pkt: Packet | None, val: list[Any] | None) -> int:
        """Return DirectoryServiceServerSize: the terminator counts."""
        return len(self._array(val))

    @staticmethod
    def _array(entries: list[Any] | None) -> bytes:
        return DELIMITER.join(map(bytes, entries)) + END_OF_LIST if entries else b""


class MQSDHeader(Packet):
    """TopologyPacketHeader (MS-MQSD 2.2.1); Type follows from the payload when it is built."""

    name = "MQSD TopologyPacketHeader"
    fields_desc: ClassVar = [
        XByteField("Version", 0),
        ByteEnumField("Type", 1, {1: "TopologyClientRequest", 2: "TopologyServerReply"}),
        XLEShortField("Reserved", 0),
    ]


def has_ipx_fields(request: Packet) -> bool:
    """Whether a request says anything of IPX networks; by ``fields``, since asking an optional field asks this."""
    return request.fields.get("IPXNetworkCount") is not None or bool(request.fields.get("IPXNetworkNumberArray"))


class TopologyClientRequest(Packet):
    """TopologyClientRequest without its header (MS-MQSD 2.2.2); the IPX form by giving it IPX networks."""

    name = "MQSD TopologyClientRequest"
    fields_desc: ClassVar = [
        guid_field("EnterpriseID"),
        guid_field("RequestID"),
        guid_field("SiteID"),
        ConditionalField(
            FieldLenField("IPXNetworkCount", None, fmt="<I", count_of="IPXNetworkNumberArray"), has_ipx_fields
        ),
        ConditionalField(
            FieldListField(
                "IPXNetworkNumberArray", [], XLEIntField("", 0), count_from=lambda request: request.IPXNetworkCount
            ),
            has_ipx_fields,
        ),
    ]

    def pre_dissect(self, s: bytes) -> bytes:
        """Expect the IPX fields only where the count and one network have room (3.2.5.1 step 1)."""
        if len(s) >= 56:
            self.fields["IPXNetworkCount"] = 0
        return s

    def extract_padding(self, s: bytes) -> tuple[bytes, bytes]:
        """Nothing follows a request: what is left over is padding."""
        return b"", s

    def hashret(self) -> bytes:
        """Return what a request and its replies share."""
        return bytes(self.RequestID.bytes_le)

    def mysummary(self) -> str:
        """Return one line: who asks and from where."""
        networks = self.getfieldval("IPXNetworkNumberArray") if has_ipx_fields(self) else []
        form = f", {len(networks)} IPX network(s)" if networks else ""
        return f"MQSD request {self.RequestID} from site {self.SiteID}{form}"


def lists_servers(reply: Packet) -> bool:
    """Whether a reply has the two optional fields: by its size, or by its entries while no size is set."""
    size = reply.getfieldval("DirectoryServiceServerSize")
    return bool(reply.getfieldval("DirectoryServiceServerArray")) if size is None else size != 0


class TopologyServerReply(Packet):
    """TopologyServerReply without its header (MS-MQSD 2.2.3); count and size follow from the lists if unset."""

    name = "MQSD TopologyServerReply"
    fields_desc: ClassVar = [
        guid_field("CorrelationID"),
        FieldLenField("ConnectedNetworkCount", None, fmt="<I", count_of="ConnectedNetworkArray"),
        XLEIntField("ConnectedNetworkMask", 0),
        FieldLenField("DirectoryServiceServerSize", None, fmt="<I", length_of="DirectoryServiceServerArray"),
        FieldListField(
            "ConnectedNetworkArray", [], guid_field(""), count_from=lambda reply: reply.ConnectedNetworkCount
        ),
        ConditionalField(guid_field("RespondingSiteID"), lists_servers),
        ConditionalField(ServerListField("DirectoryServiceServerArray", [], DirectoryServiceServer), lists_servers),
    ]

    def extract_padding(self, s: bytes) -> tuple[bytes, bytes]:
        """Nothing follows a reply: what is left over is padding."""
        return b"", s

    def hashret(self) -> bytes:
        """Return what a request and its replies share."""
        return bytes(self.CorrelationID.bytes_le)

    def answers(self, other: Packet) -> int:
        """Whether this is a reply to that request: its correlation id is the request's id."""
        return int(isinstance(other, TopologyClientRequest) and other.RequestID == self.CorrelationID)

    def mysummary(self) -> str:
        """Return one line: what is answered, and with which servers."""
        entries = self.getfieldval("DirectoryServiceServerArray") if lists_servers(self) else []
        names = ", ".join(ascii(entry.Name) for entry in entries if isinstance(entry, DirectoryServiceServer))
        networks = len(self.ConnectedNetworkArray)
        return f"MQSD reply to {self.CorrelationID}, {networks} network(s), servers: {names or 'none'}"


bind_layers(MQSDHeader, TopologyClientRequest, Type=1)
bind_layers(MQSDHeader, TopologyServerReply, Type=2)


def bind_mqsd_to_udp(port: int = MQSD_PORT) -> None:
    """Let scapy dissect UDP from and to ``port`` as MQSD, and send built messages there; twice does no harm."""
    unbind_mqsd_from_udp(port)
    bind_bottom_up(UDP, MQSDHeader, sport=port)
    bind_bottom_up(UDP, MQSDHeader, dport=port)
    bind_layers(UDP, MQSDHeader, sport=port, dport=port)


def unbind_mqsd_from_udp(port: int = MQSD_PORT) -> None:
    """Undo ``bind_mqsd_to_udp``."""
    split_bottom_up(UDP, MQSDHeader, sport=port)
    split_bottom_up(UDP, MQSDHeader, dport=port)
    split_layers(UDP, MQSDHeader, sport=port, dport=port)


def decode(octets: bytes) -> DecodedMessage | DecodeProblem:
    """Return the message in a datagram's payload, or the first rule of MS-MQSD 2.2 that it breaks; never raises."""
    problem = syntax_problem(octets)
    if problem is not None:
        return problem
    header = MQSDHeader(octets)
    if header.Type == 1:
        return _decoded_request(header, header[TopologyClientRequest])
    return _decoded_reply(header, header[TopologyServerReply])


def _decoded_request(header: Packet, request: Packet) -> DecodedRequest:
    ipx = has_ipx_fields(request)
    return DecodedRequest(
        version=header.Version,
        reserved=header.Reserved,
        enterprise_id=request.EnterpriseID.bytes_le,
        request_id=request.RequestID.bytes_le,
        site_id=request.SiteID.bytes_le,
        count=request.IPXNetworkCount if ipx else None,
        ipx_networks=tuple(request.IPXNetworkNumberArray) if ipx else (),
    )


def _decoded_reply(header: Packet, reply: Packet) -> DecodedReply:
    listed = lists_servers(reply)
    return DecodedReply(
        version=header.Version,
        reserved=header.Reserved,
        correlation_id=reply.CorrelationID.bytes_le,
        count=reply.ConnectedNetworkCount,
        mask=reply.ConnectedNetworkMask,
        size=reply.DirectoryServiceServerSize,
        networks=tuple(network.bytes_le for network in reply.ConnectedNetworkArray),
        site=reply.RespondingSiteID.bytes_le if listed else None,
        names=tuple(map(_decoded_entry, reply.DirectoryServiceServerArray)) if listed else (),
    )


def _decoded_entry(entry: Packet) -> ServerName:
    return (entry.IP - NOT_SUPPORTED, entry.IPX - NOT_SUPPORTED, entry.getfieldval("Name"))


def encode(message: DecodedMessage) -> bytes:
    """Return the octets of a message; counts and size go out as given, even where they contradict the lists.

    Raises:
        struct.error: a number does not fit its field.
        ValueError: a GUID has other than 16 octets.
    """
    header = MQSDHeader(Version=message.version, Type=message.type, Reserved=message.reserved)
    body = _request_packet(message) if isinstance(message, DecodedRequest) else _reply_packet(message)
    return bytes(header / body)


def _request_packet(message: DecodedRequest) -> Packet:
    packet = TopologyClientRequest(
        EnterpriseID=UUID(bytes_le=message.enterprise_id),
        RequestID=UUID(bytes_le=message.request_id),
        SiteID=UUID(bytes_le=message.site_id),
    )
    if message.count is not None:
        packet.IPXNetworkCount = message.count
        packet.IPXNetworkNumberArray = list(message.ipx_networks)
    return packet


def _reply_packet(message: DecodedReply) -> Packet:
    return TopologyServerReply(
        CorrelationID=UUID(bytes_le=message.correlation_id),
        ConnectedNetworkCount=message.count,
        ConnectedNetworkMask=message.mask,
        DirectoryServiceServerSize=message.size,
        ConnectedNetworkArray=[UUID(bytes_le=network) for network in message.networks],
        RespondingSiteID=NIL if message.site is None else UUID(bytes_le=message.site),
        DirectoryServiceServerArray=[
            DirectoryServiceServer(IP=NOT_SUPPORTED + ip, IPX=NOT_SUPPORTED + ipx, Name=name)
            for ip, ipx, name in message.names
        ],
    )
