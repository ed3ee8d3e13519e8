"""The two codecs of MS-MQSD held against each other: the reference's and the independent one."""

from mqconform.harness.judge.independent import mqsd_messages
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.messages import name_octets
from mqconform.reference.mqsd.packets import Message, TopologyClientRequest, decode_message


def codec_objection(octets: bytes) -> str:
    """Return where the two codecs part on a datagram, empty where they do not."""
    first, second = read_by_the_reference(octets), mqsd_messages.decode(octets)
    if isinstance(first, MalformedPacket):
        if isinstance(second, mqsd_messages.DecodeProblem):
            return ""
        return f"the reference codec alone refuses {octets.hex()}: {first}"
    if isinstance(second, mqsd_messages.DecodeProblem):
        return f"the independent codec alone refuses {octets.hex()}: {second}"
    return "" if first == second else f"the codecs read {octets.hex()} as {first} and as {second}"


def read_by_the_reference(octets: bytes) -> mqsd_messages.DecodedMessage | MalformedPacket:
    """Return what the reference codec reads, in the terms of the other, or why it refuses."""
    try:
        return in_plain_terms(decode_message(octets))
    except MalformedPacket as refusal:
        return refusal


def in_plain_terms(message: Message) -> mqsd_messages.DecodedMessage:
    """Return a message as the plain view that the second codec gives."""
    header = message.header
    if isinstance(message, TopologyClientRequest):
        return mqsd_messages.DecodedRequest(
            version=header.version,
            reserved=header.reserved,
            enterprise_id=message.enterprise_id,
            request_id=message.request_id,
            site_id=message.site_id,
            count=message.ipx_network_count,
            ipx_networks=message.ipx_network_number_array,
        )
    return mqsd_messages.DecodedReply(
        version=header.version,
        reserved=header.reserved,
        correlation_id=message.correlation_id,
        count=message.connected_network_count,
        mask=message.connected_network_mask,
        size=message.directory_service_server_size,
        networks=message.connected_network_array,
        site=message.responding_site_id,
        names=tuple(
            (int(server.ip), int(server.ipx), name_octets(server.name))
            for server in message.directory_service_server_array
        ),
    )
