"""One Get Directory Server List event, from its trigger to its end (MS-MQSD 3.1.4.1, 3.1.5.1, 3.1.6.1).

The event begins, sends its request on one network after the other, goes on where a wait ends without a reply, and is
complete. What a reply does to it stands in ``receiving``.
"""

from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqsd.client import readings as choices
from mqconform.reference.mqsd.client.events import SECOND, Complete, NetworkAddress, Result, Send
from mqconform.reference.mqsd.client.populate import (
    populate_connected_network_identifier_list,
    populate_directory_server_list,
)
from mqconform.reference.mqsd.client.readings import EarlierNetworks, LocalReplyAlone, NothingStored, Readings
from mqconform.reference.mqsd.client.received_reply import ReceivedReply
from mqconform.reference.mqsd.client.state import ClientState
from mqconform.reference.mqsd.client.transition import Moment, Transition
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid
from mqconform.reference.mqsd.packets import TopologyClientRequest, encode_request
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


def get_directory_server_list(at: Transition, moment: Moment) -> Transition:
    """Begin the event; while another is in progress, what the register lets a client do (MS-MQSD 3.1.4.1, SD-57)."""
    if at.state.in_progress:
        match moment.readings.event_while_running:
            case choices.EventWhileRunning.IGNORED:
                return at.by("MQSD-3.1.4.1-01")
            case choices.EventWhileRunning.REFUSED:
                return at.by("MQSD-3.1.4.1-01").with_effects(Complete(Result.FAILURE))
            case choices.EventWhileRunning.QUEUED | choices.EventWhileRunning.JOINED:
                return at.to(replace(at.state, queued_events=at.state.queued_events + 1), "MQSD-3.1.4.1-01")
    return _begin(at, moment)


def begin_queued_events(at: Transition, moment: Moment) -> Transition:
    """Begin the events that waited for the one that is now complete, or end them as it ended (register SD-57)."""
    while at.state.queued_events and not at.state.in_progress:
        at = at.to(replace(at.state, queued_events=at.state.queued_events - 1))
        joined = moment.readings.event_while_running is choices.EventWhileRunning.JOINED
        at = at.with_effects(*at.effects[-1:]) if joined else _begin(at, moment)
    return at


def _begin(at: Transition, moment: Moment) -> Transition:
    """Perform the steps of 3.1.4.1."""
    under_way = at.state.in_progress
    networks = at.state.network_address_list, at.state.number_of_network_addresses
    # Networks are added, and never cleared, before it is known whether the event sends at all (3.1.4.1; SD-51).
    at = _add_network_addresses(at, moment.readings)
    if _completes_at_once(at.state, moment.readings):
        success = moment.readings.completion_at_once is choices.CompletionAtOnce.SUCCESS
        if under_way and moment.readings.event_while_running is choices.EventWhileRunning.ENDS_ALONE:
            before, number = networks
            at = at.to(replace(at.state, network_address_list=before, number_of_network_addresses=number))
        if moment.readings.event_while_running is choices.EventWhileRunning.ENDS_BOTH:
            at = _idle(at.to(replace(at.state, in_progress=False, kept_reply=None)))
        return at.by("MQSD-3.1.4.1-06").with_effects(Complete(Result.SUCCESS if success else Result.FAILURE))
    state = replace(
        at.state,
        request_id=None,  # the sending draws the new one, whose ordinal is that of the request
        current_network_index=0,
        topology_server_reply_received=False,
        in_progress=True,
        kept_reply=None,
    )
    at = at.to(state, "MQSD-3.1.4.1-07", "MQSD-3.1.4.1-08", "MQSD-3.1.4.1-09", "MQSD-3.1.4.1-10")
    if not state.number_of_network_addresses:
        match moment.readings.no_network:
            case choices.NoNetwork.FAILURE_AT_ONCE:
                return fail(_idle(at), moment.readings)
            case choices.NoNetwork.FAILURE_REMEMBERING:
                # Only a wait that ended resets the flag (3.1.6.1), and none began.
                return complete(_idle(at), Result.FAILURE)
            case choices.NoNetwork.SUCCESS_AT_ONCE:
                return complete(_idle(at))
    return send_topology_client_request(at, moment)


def _add_network_addresses(at: Transition, readings: Readings) -> Transition:
    """Perform the first step of 3.1.4.1."""
    networks = _network_address_list(at.state, readings)
    state = replace(at.state, network_address_list=networks, number_of_network_addresses=len(networks))
    return at.to(state, "MQSD-3.1.4.1-01", "MQSD-3.1.4.1-04", "MQSD-3.1.4.1-05")


def _network_address_list(state: ClientState, readings: Readings) -> tuple[NetworkAddress, ...]:
    addresses = state.network_address_list
    if not addresses:
        return state.networks
    match readings.network_addresses:
        case choices.NetworkAddresses.LIST_DOUBLED:
            return addresses + state.networks
        case choices.NetworkAddresses.LIST_REBUILT:
            return state.networks
        case choices.NetworkAddresses.NEW_ONES_ADDED:
            return addresses + tuple(network for network in state.networks if network not in addresses)


def _completes_at_once(state: ClientState, readings: Readings) -> bool:
    """Second step of 3.1.4.1: a last successful network is known and none is a remote access address."""
    if not state.valid_last_successful_network_address or readings.later_event is choices.LaterEvent.NEW_DISCOVERY:
        return False
    # In the list, not among the networks of now: one that is gone counts on (3.1.4.1).
    remote_access = any(network.remote_access for network in state.network_address_list)
    return not remote_access or readings.remote_access is choices.RemoteAccess.UNKNOWN


def _idle(at: Transition) -> Transition:
    """A running wait would belong to an event that this one has replaced."""
    return at.to(replace(at.state, wait_for_response_timer=None))


def send_topology_client_request(at: Transition, moment: Moment) -> Transition:
    """Move on to the next network, start the wait and broadcast the request there (MS-MQSD 3.1.5.1).

    Where the list has no further network nothing goes out, and the wait starts all the same (register SD-52).
    """
    state = _forget_reply(at.state, moment.readings)
    state = replace(
        state,
        # Raised before it is used, from zero: positions count from 1 (3.1.5.1; SD-68).
        current_network_index=state.current_network_index + 1,
        wait_for_response_timer=moment.now + RESPONSE_TIMEOUT,
    )
    network = state.current_network
    if network is None:
        return at.to(state, *_STEPS[:3])
    return _broadcast(at.to(state, *_STEPS), network, moment)


def _broadcast(at: Transition, network: NetworkAddress, moment: Moment) -> Transition:
    state, readings = at.state, moment.readings
    if readings.request_ids is choices.RequestIds.NEW_PER_PACKET or state.request_id is None:
        state = replace(state, request_id=moment.new_guid(state.requests_sent))
    request = Send(network.address, encode_request(_request(state, network, readings)))
    state = replace(state, requests_sent=state.requests_sent + 1, last_request=request)
    return at.to(state).with_effects(request)


def _request(state: ClientState, network: NetworkAddress, readings: Readings) -> TopologyClientRequest:
    """Return the request for a network; only over IPX it has the IPX fields (MS-MQSD 2.2.2)."""
    assert state.request_id is not None
    numbers = dict.fromkeys(address.ipx_network_number for address in state.network_address_list)
    ipx_networks = tuple(number for number in numbers if number is not None)
    return TopologyClientRequest(
        enterprise_id=state.enterprise_identifier,
        request_id=state.request_id,
        site_id=state.site_identifier if readings.own_site is choices.OwnSite.AS_CONFIGURED else _NO_SITE,
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


def _joined(earlier: ReceivedReply | None, reply: ReceivedReply) -> ReceivedReply:
    """Return the later reply, with the servers of the earlier one where it lists none itself."""
    if earlier is None or not reply.local:
        return reply
    return replace(
        reply,
        directory_service_server_size=earlier.directory_service_server_size,
        directory_service_server_array=earlier.directory_service_server_array,
    )


def no_server_response(at: Transition, moment: Moment) -> Transition:
    """Go on to the next network, or end the event on the last one (MS-MQSD 3.1.6.1)."""
    at = at.to(replace(at.state, wait_for_response_timer=None), "MQSD-3.1.2.1-03", "MQSD-3.1.6.1-01")
    state, readings = at.state, moment.readings
    if not state.number_of_network_addresses:
        return _without_networks(at, moment)
    # Also where a foreign reply is stored, which the send then clears (3.1.6.1, 3.1.5.1; SD-41).
    if not state.on_last_network:
        return send_topology_client_request(at.by("MQSD-3.1.6.1-02"), moment)
    if state.last_topology_server_reply is None and not state.topology_server_reply_received:
        return fail(at, readings)
    return _succeed(at.by("MQSD-3.1.6.1-04"), readings)


def skip_endless_waits(at: Transition, until: int, readings: Readings) -> Transition:
    """Let the waits go by that follow each other for ever behind the end of the list (register SD-52).

    They have no effect but on the index; the last one that ends by ``until`` is left to ``no_server_response``.
    """
    state, deadline = at.state, at.state.wait_for_response_timer
    if deadline is None or deadline > until or state.current_network_index <= state.number_of_network_addresses:
        return at
    if not state.number_of_network_addresses and readings.no_network is not choices.NoNetwork.NEVER_COMPLETES:
        return at
    waits = (until - deadline) // RESPONSE_TIMEOUT
    index = state.current_network_index + waits
    timer = deadline + waits * RESPONSE_TIMEOUT
    return at.to(replace(state, current_network_index=index, wait_for_response_timer=timer))


def _succeed(at: Transition, readings: Readings) -> Transition:
    """Third case of 3.1.6.1: a reply is stored or was received before."""
    reply = at.state.last_topology_server_reply or at.state.kept_reply
    if reply is None:
        return _nothing_stored(at, readings)
    if not reply.local:
        at = populate_directory_server_list(at.by("MQSD-3.1.6.1-05"), reply, readings)
    at = populate_connected_network_identifier_list(at.by("MQSD-3.1.6.1-06"), reply)
    return complete_with(at.by("MQSD-3.1.6.1-07"), reply, readings)


def _nothing_stored(at: Transition, readings: Readings) -> Transition:
    """A reply was received on an earlier network and has been cleared since (register SD-43)."""
    match readings.nothing_stored:
        case NothingStored.FAILURE:
            return fail(at, readings)
        case NothingStored.FAILURE_REMEMBERING:
            # The flag is reset where no reply came at all; here 3.1.5.2 has set it, and nothing takes that back.
            return complete(at, Result.FAILURE)
        case NothingStored.NETWORKS_EMPTIED:
            at = populate_connected_network_identifier_list(at.by("MQSD-3.1.6.1-06"), None)
    return complete(at.by("MQSD-3.1.6.1-07"))


def _without_networks(at: Transition, moment: Moment) -> Transition:
    match moment.readings.no_network:
        case choices.NoNetwork.FAILURE_AFTER_WAIT:
            return fail(at, moment.readings)
        case choices.NoNetwork.SUCCESS_AFTER_WAIT:
            return complete(at)
    return send_topology_client_request(at.by("MQSD-3.1.6.1-02"), moment)


def complete(at: Transition, result: Result = Result.SUCCESS) -> Transition:
    """Complete the processing of the event in progress."""
    at = at.by("MQSD-3.1.4.1-02" if result is Result.SUCCESS else "MQSD-3.1.4.1-03")
    return at.to(replace(at.state, in_progress=False, kept_reply=None)).with_effects(Complete(result))


def complete_with(at: Transition, reply: ReceivedReply | None, readings: Readings) -> Transition:
    """Complete the event; ``reply`` is what it has learnt, and may bring no server list (register SD-55)."""
    if (reply and not reply.local) or readings.local_reply_alone is LocalReplyAlone.SUCCESS:
        return complete(at)
    if readings.local_reply_alone is LocalReplyAlone.FAILURE_FORGETTING:
        at = at.to(replace(at.state, valid_last_successful_network_address=False))
    return complete(at, Result.FAILURE)


def fail(at: Transition, readings: Readings) -> Transition:
    """Complete the event with failure, no last successful network being known (MS-MQSD 3.1.6.1 second case)."""
    # The flag alone is reset; address and lists stay as they were (3.1.6.1; SD-58).
    state = replace(at.state, valid_last_successful_network_address=False)
    if readings.lists_after_failure is choices.ListsAfterFailure.CLEARED:
        state = replace(state, directory_server_list=(), connected_network_identifier_list=())
    return complete(at.to(state, "MQSD-3.1.6.1-03"), Result.FAILURE)
