"""What MS-MQSD 3.2.5.1 allows a server to answer, as facts that any conforming reply has in common."""

from dataclasses import dataclass

from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.messages import name_octets
from mqconform.reference.mqsd.packets import DirectoryServer
from mqconform.reference.mqsd.server import DiscoveryServer, Network
from mqconform.reference.mqsd.specification import FACTS


@dataclass(frozen=True, slots=True)
class ExpectedReply:
    """The common part of all allowed replies to one request (MS-MQSD 3.2.5.1).

    What the text leaves open is not here: Version and Reserved of a reply (register SD-11), the order of networks and
    names (SD-26), which bits of an IPX mask are set (SD-22).
    """

    correlation_id: Guid
    connected_networks: tuple[Guid, ...]
    mask_ones: int
    """How many bits of ConnectedNetworkMask are set."""
    responding_site_id: Guid | None
    """None where the reply carries no server list."""
    directory_servers: tuple[DirectoryServer, ...]
    """The servers that it lists, each with the protocols that its configuration states (register SD-25)."""
    derivation: tuple[str, ...]
    """The steps that lead here, in order."""

    @property
    def names(self) -> tuple[bytes, ...]:
        """Names of the directory servers in UTF-16, low octet first."""
        return tuple(name_octets(server.name) for server in self.directory_servers)


def expected_reply(server: DiscoveryServer, network: Network, request: bytes) -> ExpectedReply:
    """Apply the steps of 3.2.5.1 to a request of at least 52 octets (MS-MQSD 3.2.5.1)."""
    count = len(server.connected_networks)
    # EnterpriseID is not compared: a client of another enterprise is answered as well (3.2.5.1; SD-13).
    local = request[FACTS.site_id] == server.site
    mask_step = "no bit of the mask is set over IP" if network is Network.IP else "a mask bit for each network over IPX"
    site_step = (
        "SiteID equals Site.Identifier: no server list"
        if local
        else "SiteID differs from Site.Identifier: own site and server list"
    )
    return ExpectedReply(
        correlation_id=Guid(request[FACTS.request_id]),
        connected_networks=server.connected_networks,
        mask_ones=0 if network is Network.IP else count,
        responding_site_id=None if local else server.site,
        directory_servers=() if local else server.directory_servers,
        derivation=("CorrelationID is the RequestID", f"{count} connected networks copied", mask_step, site_step),
    )
