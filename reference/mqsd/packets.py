"""The messages of MS-MQSD (2.2): one door to headers, requests and replies."""

from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.guid import Guid, guid_from_text, guid_text
from mqconform.reference.mqsd.header import PacketType, TopologyPacketHeader
from mqconform.reference.mqsd.reply import DirectoryServer, TopologyServerReply, decode_reply, encode_reply
from mqconform.reference.mqsd.request import TopologyClientRequest, decode_request, encode_request
from mqconform.reference.mqsd.specification import FACTS

__all__ = [
    "DirectoryServer",
    "Guid",
    "Message",
    "PacketType",
    "TopologyClientRequest",
    "TopologyPacketHeader",
    "TopologyServerReply",
    "decode_message",
    "decode_reply",
    "decode_request",
    "encode_message",
    "encode_reply",
    "encode_request",
    "guid_from_text",
    "guid_text",
]

Message = TopologyClientRequest | TopologyServerReply


def decode_message(octets: bytes) -> Message:
    """Read the packet that the Type field announces (MS-MQSD 2.2.1), strictly.

    Raises:
        MalformedPacket: if there is no whole header, Type is neither 1 nor 2, or the packet is malformed.
    """
    if len(octets) < FACTS.header_size:
        explanation = f"ends after {len(octets)} of {FACTS.header_size} octets"
        raise MalformedPacket(len(octets), "TopologyPacketHeader", "2.2.1", explanation)
    match octets[FACTS.type_offset]:
        case PacketType.CLIENT_REQUEST:
            return decode_request(octets)
        case PacketType.SERVER_REPLY:
            return decode_reply(octets)
        case kind:
            raise MalformedPacket(FACTS.type_offset, "Type", "2.2.1", f"is 0x{kind:02x}, must be 0x01 or 0x02")


def encode_message(message: Message) -> bytes:
    """Return the octets of a packet.

    Raises:
        UnencodablePacket: if a value does not fit its field.
    """
    if isinstance(message, TopologyClientRequest):
        return encode_request(message)
    return encode_reply(message)
