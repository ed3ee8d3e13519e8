"""Sending a TopologyClientRequest (MS-MQSD 3.1.5.1)."""

from dataclasses import replace
from typing import Final

from mqconform.reference.mqsd.client.events import SECOND, NetworkAddress, Send
from mqconform.reference.mqsd.client.readings import Readings
from mqconform.reference.mqsd.client.readings_of_events import OwnSite, RequestIds
from mqconform.reference.mqsd.client.readings_of_replies import EarlierNetworks
from mqconform.reference.mqsd.client.received_reply import ReceivedReply
from mqconform.reference.mqsd.client.state import ClientState
from mqconform.reference.mqsd.client.transition import Moment, Transition
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid
from mqconform.reference.mqsd.request import TopologyClientRequest, encode_request
from mqconform.reference.mqsd.specification import FACTS

RESPONSE_TIMEOUT: Final = FACTS.response_timeout * SECOND
"""Wait For Response Timer (MS-MQSD 3.1.2.1), in nanoseconds."""

_STEPS = (
    "MQSD-3.1.5.1-01",
    "MQSD-3.1.5.1-02",
    "MQSD-3.1.5.1-03",
    "MQSD-3.1.5.1-04",
    "MQSD-3.1.5.1-05",
)
_NO_SITE: Final = Guid(bytes(GUID_SIZE))


def send_topology_client_request(at: Transition, moment: Moment) -> Transition:
    """Move on to the next network, start the wait and broadcast the request there (MS-MQSD 3.1.5.1).

    Where the list has no further network nothing goes out, and the wait starts all the same (register SD-52).
    """
    state = _forget_reply(at.state, moment.readings)
    state = replace(
        state,
        current_network_index=state.current_network_index + 1,
        wait_for_response_timer=moment.now + RESPONSE_TIMEOUT,
    )
    network = state.current_network
    if network is None:
        return at.to(state, *_STEPS[:3])
    return _broadcast(at.to(state, *_STEPS), network, moment)


def _broadcast(at: Transition, network: NetworkAddress, moment: Moment) -> Transition:
    state, readings = at.state, moment.readings
    if readings.request_ids is RequestIds.NEW_PER_PACKET or state.request_id is None:
        state = replace(state, request_id=moment.new_guid(state.requests_sent))
    request = Send(network.address, encode_request(_request(state, network, readings)))
    state = replace(state, requests_sent=state.requests_sent + 1, last_request=request)
    return at.to(state).doing(request)


def _request(state: ClientState, network: NetworkAddress, readings: Readings) -> TopologyClientRequest:
    """Return the request for a network; only over IPX it has the IPX fields (MS-MQSD 2.2.2)."""
    assert state.request_id is not None
    numbers = dict.fromkeys(one.ipx_network_number for one in state.network_address_list)
    ipx_networks = tuple(number for number in numbers if number is not None)
    return TopologyClientRequest(
        enterprise_id=state.enterprise_identifier,
        request_id=state.request_id,
        site_id=state.site_identifier if readings.own_site is OwnSite.AS_CONFIGURED else _NO_SITE,
        ipx_network_number_array=() if network.ipx_network_number is None else ipx_networks[: FACTS.max_ipx_networks],
    )


def _forget_reply(state: ClientState, readings: Readings) -> ClientState:
    """Empty LastTopologyServerReply, unless a reading keeps what the event has learnt so far (register SD-41)."""
    reply = state.last_topology_server_reply
    first_of_event = state.current_network_index == 0
    if reply is None:
        return state
    if first_of_event or readings.earlier_networks is EarlierNetworks.REPLIES_CLEARED:
        return replace(state, last_topology_server_reply=None)
    if readings.earlier_networks is EarlierNetworks.KEPT_IN_PLACE:
        return state
    return replace(state, last_topology_server_reply=None, kept_reply=_joined(state.kept_reply, reply))


def _joined(kept: ReceivedReply | None, reply: ReceivedReply) -> ReceivedReply:
    """Return the later reply, with the servers of the earlier one where it lists none itself."""
    if kept is None or not reply.local:
        return reply
    return replace(
        reply,
        directory_service_server_size=kept.directory_service_server_size,
        directory_service_server_array=kept.directory_service_server_array,
    )
