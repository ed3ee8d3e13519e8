"""The part of a client's state that an implementation may show (MS-MQSD 3.1.1)."""

from typing import TypedDict

from mqconform.reference.mqsd.client.state import ClientState
from mqconform.reference.mqsd.guid import Guid


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
