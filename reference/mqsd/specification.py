"""The numbers that MS-MQSD fixes, by revision of the text: ports, times, sizes and places of fields.

Each number stands here and nowhere else. Values of Type are ``header.PacketType``, the characters of the server list
are in ``reply``, and the size of a GUID (MS-DTYP) is in ``guid``.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What one revision fixes; sizes and places are in octets, times in seconds."""

    udp_port: int
    """On which discovery servers listen over IP (1.9, 2.1)."""
    ipx_socket: int
    """On which they listen over IPX (2.1)."""
    response_timeout: int
    """Wait For Response Timer of a client (3.1.2.1)."""

    header_size: int
    """TopologyPacketHeader (2.2.1)."""
    type_offset: int
    """Type, one octet (2.2.1)."""

    enterprise_id: slice
    """EnterpriseID of a request (2.2.2)."""
    request_id: slice
    """RequestID of a request (2.2.2)."""
    site_id: slice
    """SiteID of a request (2.2.2)."""
    request_size: int
    """A request in its IP form (2.2.2)."""
    ipx_network_count: slice
    """IPXNetworkCount of a request in its IPX form; the array follows (2.2.2)."""
    ipx_request_size: int
    """From which on a request has the IPX fields: the count and one entry (3.2.5.1 step 1)."""
    max_ipx_networks: int
    """Entries of IPXNetworkNumberArray (2.2.2)."""

    correlation_id: slice
    """CorrelationID of a reply (2.2.3)."""
    connected_network_count: slice
    """ConnectedNetworkCount of a reply (2.2.3)."""
    connected_network_mask: slice
    """ConnectedNetworkMask of a reply (2.2.3)."""
    directory_service_server_size: slice
    """DirectoryServiceServerSize of a reply (2.2.3)."""
    reply_size: int
    """A reply up to ConnectedNetworkArray (2.2.3)."""
    max_connected_networks: int
    """Entries of ConnectedNetworkArray (2.2.3)."""


REVISIONS: Final[Mapping[str, Facts]] = MappingProxyType(
    {
        "13.0": Facts(
            udp_port=1801,
            ipx_socket=876,
            response_timeout=15,
            header_size=4,
            type_offset=1,
            enterprise_id=slice(4, 20),
            request_id=slice(20, 36),
            site_id=slice(36, 52),
            request_size=52,
            ipx_network_count=slice(52, 56),
            ipx_request_size=60,
            max_ipx_networks=32,
            correlation_id=slice(4, 20),
            connected_network_count=slice(20, 24),
            connected_network_mask=slice(24, 28),
            directory_service_server_size=slice(28, 32),
            reply_size=32,
            max_connected_networks=32,
        )
    }
)
"""Facts by the revision that the catalogue names."""

FACTS: Final = REVISIONS["13.0"]
"""Of the revision that the model implements and the catalogue holds."""
