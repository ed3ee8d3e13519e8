"""The part of a client's state that an implementation may show, and how it is compared.

Order within the two lists is not compared, how often an entry occurs is. What means nothing at the moment is not
compared either: the RequestID and the position without a request under way, the last successful network while none
is valid.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypedDict

from mqconform.reference.mqsd.client.state import ClientState
from mqconform.reference.mqsd.guid import Guid, guid_text


class ShownState(TypedDict, total=False):
    """Elements of 3.1.1 that an implementation shows; those that it cannot show are left out."""

    directory_servers: tuple[str, ...]
    connected_networks: tuple[Guid, ...]
    valid_last_successful_network_address: bool
    last_successful_network_address: str | None
    request_id: Guid | None
    current_network_index: int


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that was expected and another that was observed."""

    what: str
    """The element, or the place in the effects."""
    expected: str
    observed: str
    requirements: tuple[str, ...]
    """Ids of the catalogue that speak of it."""


_SERVERS: Final = (
    "MQSD-3.1.7.1-02",
    "MQSD-3.1.7.1-03",
    "MQSD-3.1.7.1-04",
    "MQSD-3.1.7.1-05",
    "MQSD-3.1.5.2-18",
    "MQSD-3.1.5.2-30",
    "MQSD-3.1.6.1-05",
)
_NETWORKS: Final = (
    "MQSD-3.1.7.2-02",
    "MQSD-3.1.7.2-03",
    "MQSD-3.1.5.2-19",
    "MQSD-3.1.5.2-31",
    "MQSD-3.1.6.1-06",
)
_VALID: Final = (
    "MQSD-3.1.3-02",
    "MQSD-3.1.5.2-08",
    "MQSD-3.1.5.2-17",
    "MQSD-3.1.5.2-25",
    "MQSD-3.1.5.2-33",
    "MQSD-3.1.6.1-03",
)
_ADDRESS: Final = ("MQSD-3.1.5.2-07", "MQSD-3.1.5.2-16", "MQSD-3.1.5.2-24", "MQSD-3.1.5.2-32")
_REQUEST_ID: Final = ("MQSD-3.1.4.1-07",)
_INDEX: Final = ("MQSD-3.1.4.1-08", "MQSD-3.1.5.1-01")


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


def state_differences(state: ClientState, shown: ShownState) -> Iterator[Difference]:
    """Yield where what is shown is not what it should be."""
    yield from _lists(state, shown)
    yield from _last_successful_network(state, shown)
    if state.waiting_on is not None:
        yield from _request_under_way(state, shown)


def _lists(state: ClientState, shown: ShownState) -> Iterator[Difference]:
    servers = shown.get("directory_servers")
    if servers is not None and Counter(servers) != Counter(state.directory_server_list):
        yield Difference("DirectoryServerList", _names(state.directory_server_list), _names(servers), _SERVERS)
    networks, expected = shown.get("connected_networks"), state.connected_network_identifier_list
    if networks is not None and Counter(networks) != Counter(expected):
        yield Difference("ConnectedNetworkIdentifierList", _guids(expected), _guids(networks), _NETWORKS)


def _last_successful_network(state: ClientState, shown: ShownState) -> Iterator[Difference]:
    expected = state.valid_last_successful_network_address
    valid = shown.get("valid_last_successful_network_address", expected)
    if valid != expected:
        yield Difference("ValidLastSuccessfulNetworkAddress", f"{expected}", f"{valid}", _VALID)
    expected_address = state.last_successful_network_address
    address = shown.get("last_successful_network_address", expected_address)
    if expected and address != expected_address:
        yield Difference("LastSuccessfulNetworkAddress", f"{expected_address}", f"{address}", _ADDRESS)


def _request_under_way(state: ClientState, shown: ShownState) -> Iterator[Difference]:
    request_id = shown.get("request_id", state.request_id)
    if request_id != state.request_id:
        yield Difference("RequestID", _guids((state.request_id,)), _guids((request_id,)), _REQUEST_ID)
    expected = state.current_network_index
    index = shown.get("current_network_index", expected)
    if index not in (expected, expected - 1):  # positions may count from 0 or from 1 (register SD-68)
        yield Difference("CurrentNetworkIndex", f"{expected}", f"{index}", _INDEX)


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(map(ascii, sorted(names))) or "no name"


def _guids(guids: tuple[Guid | None, ...]) -> str:
    return ", ".join(sorted("none" if guid is None else guid_text(guid) for guid in guids)) or "none"
