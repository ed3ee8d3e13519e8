"""Initialization (MS-MQSD 3.1.3)."""

from collections.abc import Sequence

from mqconform.reference.mqsd.client.events import NetworkAddress
from mqconform.reference.mqsd.client.state import ClientState
from mqconform.reference.mqsd.guid import Guid


def initialize(
    enterprise: Guid,
    site: Guid,
    networks: Sequence[NetworkAddress],
    directory_servers: Sequence[str] = (),
    connected_networks: Sequence[Guid] = (),
) -> ClientState:
    """Return a client as started (MS-MQSD 3.1.3; MQSD-3.1.3-01, MQSD-3.1.3-02).

    Args:
        enterprise: EnterpriseID of the computer.
        site: SiteID of the computer; where it comes from is a product note (register SD-64).
        networks: networks to which the computer is connected.
        directory_servers: DirectoryServerList at the start; whether it survives a restart is not said (SD-64).
        connected_networks: ConnectedNetworkIdentifierList at the start, likewise.
    """
    return ClientState(
        enterprise_identifier=enterprise,
        site_identifier=site,
        directory_server_list=tuple(directory_servers),
        connected_network_identifier_list=tuple(connected_networks),
        networks=tuple(networks),
    )
