"""The numbers that MS-MQSD fixes, by revision of the text: ports, times, sizes and places of fields.

Each number stands here and nowhere else; sizes and places come from the table of the messages.
"""

from typing import Final, NamedTuple

from mqconform.reference.mqsd.messages import HEADER, MOST_NETWORKS, REPLY, REQUEST


class Facts(NamedTuple):
    """What one revision fixes; sizes and places are in octets, times in seconds."""

    udp_port: int
    """On which discovery servers listen over IP (1.9, 2.1)."""
    ipx_socket: int
    """On which they listen over IPX (2.1)."""
    response_timeout: int
    """Wait For Response Timer of a client (3.1.2.1)."""

    type_offset: int = HEADER["Type"].offset

    enterprise_id: slice = REQUEST["EnterpriseID"].place
    request_id: slice = REQUEST["RequestID"].place
    site_id: slice = REQUEST["SiteID"].place
    request_size: int = REQUEST.size
    """A request in its IP form (2.2.2)."""
    ipx_network_count: slice = REQUEST["IPXNetworkCount"].place
    ipx_request_size: int = REQUEST["IPXNetworkCount"].from_length
    """From which on a request has the IPX fields: the count and one entry (3.2.5.1 step 1)."""
    max_ipx_networks: int = MOST_NETWORKS

    correlation_id: slice = REPLY["CorrelationID"].place
    connected_network_count: slice = REPLY["ConnectedNetworkCount"].place
    connected_network_mask: slice = REPLY["ConnectedNetworkMask"].place
    directory_service_server_size: slice = REPLY["DirectoryServiceServerSize"].place
    reply_size: int = REPLY.size
    """A reply up to ConnectedNetworkArray (2.2.3)."""
    max_connected_networks: int = MOST_NETWORKS


REVISION: Final = "13.0"
"""That the model implements and the catalogue holds."""
# 2.1 has the server listen for connections on TCP and SPX; the rest of the text knows datagrams alone (SD-01).
FACTS: Final = Facts(udp_port=1801, ipx_socket=876, response_timeout=15)
