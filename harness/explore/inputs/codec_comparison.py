"""The two codecs of MS-MQSD held against each other: the reference's and the independent one."""

from mqconform.harness.judge.independent import mqsd_messages
from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.messages import name_octets
from mqconform.reference.mqsd.packets import Message, TopologyClientRequest, decode_message


def codec_objection(octets: bytes) -> str:
    """Return where the two codecs part on a datagram, empty where they do not."""
    second = mqsd_messages.decode(octets)
    refused = isinstance(second, mqsd_messages.DecodeProblem)
    try:
        first = in_plain_terms(decode_message(octets))
    except MalformedPacket as refusal:
        return "" if refused else f"the reference codec alone refuses {octets.hex()}: {refusal}"
    if refused:
        return f"the independent codec alone refuses {octets.hex()}: {second}"
    return "" if first == second else f"the codecs read {octets.hex()} as {first} and as {second}"


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
