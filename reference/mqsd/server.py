"""The discovery server of MS-MQSD 3.2: what it answers, as a pure function, and its socket as a pure state.

Where the text leaves a choice this server takes the plainest: it is one conforming server, not the set of all.
The set of allowed replies stands in ``expected_reply``.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.messages import PacketType
from mqconform.reference.mqsd.packets import DirectoryServer, TopologyServerReply, encode_reply
from mqconform.reference.mqsd.specification import FACTS


class Network(StrEnum):
    """Networking protocol that carried a packet (MS-MQSD 2.1)."""

    IP = "ip"
    IPX = "ipx"


@dataclass(frozen=True, slots=True)
class DiscoveryServer:
    """The shared data elements that a server uses (MS-MQSD 3.2.1.1)."""

    enterprise: Guid
    """Enterprise.Identifier; no step of 3.2.5.1 compares it (register SD-13)."""
    site: Guid
    """Site.Identifier of the one site the server is in (register SD-31)."""
    connected_networks: tuple[Guid, ...]
    """LocalQueueManager.ConnectedNetworkIdentifierList."""
    directory_servers: tuple[DirectoryServer, ...]
    """LocalQueueManager.DirectoryServerList, with the flags that its entries get (register SD-25)."""


def receive_topology_client_request(server: DiscoveryServer, network: Network, datagram: bytes) -> bytes | None:
    """Return the reply to a datagram, or None where this server stays silent (MS-MQSD 3.2.5.1).

    It is silent where there is no request to answer (too short, another Type: register SD-18, SD-12) and where its
    own list fits no reply (register SD-21).
    """
    if len(datagram) < FACTS.request_size or datagram[FACTS.type_offset] != PacketType.CLIENT_REQUEST:
        return None
    count = len(server.connected_networks)
    if not 1 <= count <= FACTS.max_connected_networks:
        return None
    # With nothing to list the steps ask for the site, and 2.2.3 forbids it where the size is zero (SD-24).
    foreign = Guid(datagram[FACTS.site_id]) != server.site and bool(server.directory_servers)
    reply = TopologyServerReply(
        correlation_id=Guid(datagram[FACTS.request_id]),
        connected_network_array=server.connected_networks,
        connected_network_mask=connected_network_mask(network, count),
        responding_site_id=server.site if foreign else None,
        directory_service_server_array=server.directory_servers if foreign else (),
    )
    return encode_reply(reply)


def connected_network_mask(network: Network, count: int) -> int:
    """Return the mask: zero over IP, one bit for each connected network over IPX (MS-MQSD 3.2.5.1)."""
    # Which bits are set is open; the text counts them (SD-22).
    return 0 if network is Network.IP else (1 << count) - 1


@dataclass(frozen=True, slots=True)
class Listener:
    """The server's socket as seen from outside (MS-MQSD 3.2.3, 3.2.5)."""

    listening: bool = True
    sockets_opened: int = 1


def send_failed(listener: Listener, *, can_open: bool) -> Listener:
    """Close the socket after a network error and open another; stop where that fails (MS-MQSD 3.2.5)."""
    # The text ends the thread; seen from outside, the server no longer listens (3.2.5; SD-35).
    if not can_open:
        return replace(listener, listening=False)
    return replace(listener, sockets_opened=listener.sockets_opened + 1)
