"""Data of the discovery client (MS-MQSD 3.1.1): their initial values (3.1.3), and what an implementation may show.

Rules that change them stand in ``discovery`` and ``receiving``.
"""

from collections.abc import Sequence
from typing import TypedDict

from msgspec import Struct

from mqconform.reference.mqsd.client.events import NetworkAddress, Send
from mqconform.reference.mqsd.client.received_reply import ReceivedReply
from mqconform.reference.mqsd.guid import Guid


class ClientState(Struct, frozen=True, gc=False):
    """Everything that a discovery client remembers between two events; ``msgspec.structs.replace`` makes a changed one.

    Explanations change states hundreds of thousands of times, which takes a dataclass far longer.
    """

    # Shared data elements (3.1.1.1).
    enterprise_identifier: Guid
    site_identifier: Guid
    directory_server_list: tuple[str, ...] = ()
    connected_network_identifier_list: tuple[Guid, ...] = ()

    # Private data elements (3.1.1.2).
    request_id: Guid | None = None
    """None before the first event."""
    last_successful_network_address: str | None = None
    valid_last_successful_network_address: bool = False
    last_topology_server_reply: ReceivedReply | None = None
    """None is the text's "empty"."""
    topology_server_reply_received: bool = False
    network_address_list: tuple[NetworkAddress, ...] = ()
    number_of_network_addresses: int = 0
    current_network_index: int = 0
    """Position in ``network_address_list`` counted from 1 (register SD-68); 0 before the first request."""

    wait_for_response_timer: int | None = None
    """When the Wait For Response Timer expires (3.1.2.1), in nanoseconds; None while it is stopped."""

    # What the text leaves to the computer, and what only some readings need.
    networks: tuple[NetworkAddress, ...] = ()
    """Networks to which the computer is connected now."""
    in_progress: bool = False
    """Whether an event has begun and is not complete (register SD-44, SD-57)."""
    queued_events: int = 0
    """Events that wait for the end of the one in progress (register SD-57)."""
    kept_reply: ReceivedReply | None = None
    """What earlier networks of this event have taught (register SD-41)."""
    last_request: Send | None = None
    """The request sent last (register SD-08)."""
    requests_sent: int = 0
    """Ordinal of the next request, by which the caller supplies new GUIDs."""

    @property
    def current_network(self) -> NetworkAddress | None:
        """The network at CurrentNetworkIndex, None where the list has no such position."""
        position = self.current_network_index - 1
        return self.network_address_list[position] if 0 <= position < len(self.network_address_list) else None

    @property
    def on_last_network(self) -> bool:
        """Whether CurrentNetworkIndex equals NumberOfNetworkAddresses."""
        return self.current_network_index == self.number_of_network_addresses

    @property
    def waiting_on(self) -> NetworkAddress | None:
        """The network whose replies the event in progress waits for, None without one."""
        return self.current_network if self.in_progress else None


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
    # 3.1.3 sets the enterprise and the flag; where the rest comes from is a product note at most (SD-64).
    return ClientState(
        enterprise_identifier=enterprise,
        site_identifier=site,
        directory_server_list=tuple(directory_servers),
        connected_network_identifier_list=tuple(connected_networks),
        networks=tuple(networks),
    )


class ShownState(TypedDict, total=False):
    """Elements of 3.1.1 that an implementation shows; those that it cannot show are left out."""

    directory_servers: tuple[str, ...]
    connected_networks: tuple[Guid, ...]
    valid_last_successful_network_address: bool
    last_successful_network_address: str | None
    request_id: Guid | None
    current_network_index: int


def show(state: ClientState) -> ShownState:
    """Return all that there is to show."""
    return {
        "directory_servers": state.directory_server_list,
        "connected_networks": state.connected_network_identifier_list,
        "valid_last_successful_network_address": state.valid_last_successful_network_address,
        "last_successful_network_address": state.last_successful_network_address,
        "request_id": state.request_id,
        "current_network_index": state.current_network_index,
    }
