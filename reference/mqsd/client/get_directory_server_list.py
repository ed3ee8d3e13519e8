"""Get Directory Server List (MS-MQSD 3.1.4.1)."""

from dataclasses import replace

from mqconform.reference.mqsd.client.completing import complete, fail
from mqconform.reference.mqsd.client.events import Complete, NetworkAddress, Result
from mqconform.reference.mqsd.client.readings import Readings
from mqconform.reference.mqsd.client.readings_of_events import (
    CompletionAtOnce,
    EventWhileRunning,
    LaterEvent,
    NetworkAddresses,
    NoNetwork,
    RemoteAccess,
)
from mqconform.reference.mqsd.client.sending import send_topology_client_request
from mqconform.reference.mqsd.client.state import ClientState
from mqconform.reference.mqsd.client.transition import Moment, Transition


def get_directory_server_list(at: Transition, moment: Moment) -> Transition:
    """Begin the event; while another is in progress, what the register lets a client do (MS-MQSD 3.1.4.1, SD-57)."""
    if at.state.in_progress:
        match moment.readings.event_while_running:
            case EventWhileRunning.IGNORED:
                return at.by("MQSD-3.1.4.1-01")
            case EventWhileRunning.REFUSED:
                return at.by("MQSD-3.1.4.1-01").doing(Complete(Result.FAILURE))
            case EventWhileRunning.QUEUED:
                return at.to(replace(at.state, queued_events=at.state.queued_events + 1), "MQSD-3.1.4.1-01")
    return _begin(at, moment)


def begin_queued_events(at: Transition, moment: Moment) -> Transition:
    """Begin the events that waited for the one that is now complete (register SD-57)."""
    while at.state.queued_events and not at.state.in_progress:
        at = _begin(at.to(replace(at.state, queued_events=at.state.queued_events - 1)), moment)
    return at


def _begin(at: Transition, moment: Moment) -> Transition:
    """Perform the steps of 3.1.4.1."""
    at = _add_network_addresses(at, moment.readings)
    if _completes_at_once(at.state, moment.readings):
        success = moment.readings.completion_at_once is CompletionAtOnce.SUCCESS
        if moment.readings.event_while_running is EventWhileRunning.ENDS_BOTH:
            at = _idle(at.to(replace(at.state, in_progress=False, kept_reply=None)))
        return at.by("MQSD-3.1.4.1-06").doing(Complete(Result.SUCCESS if success else Result.FAILURE))
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
            case NoNetwork.FAILURE_AT_ONCE:
                return fail(_idle(at), moment.readings)
            case NoNetwork.SUCCESS_AT_ONCE:
                return complete(_idle(at))
    return send_topology_client_request(at, moment)


def _add_network_addresses(at: Transition, readings: Readings) -> Transition:
    """Perform the first step of 3.1.4.1."""
    networks = _network_address_list(at.state, readings)
    state = replace(at.state, network_address_list=networks, number_of_network_addresses=len(networks))
    return at.to(state, "MQSD-3.1.4.1-01", "MQSD-3.1.4.1-04", "MQSD-3.1.4.1-05")


def _network_address_list(state: ClientState, readings: Readings) -> tuple[NetworkAddress, ...]:
    known = state.network_address_list
    if not known:
        return state.networks
    match readings.network_addresses:
        case NetworkAddresses.LIST_DOUBLED:
            return known + state.networks
        case NetworkAddresses.LIST_REBUILT:
            return state.networks
        case NetworkAddresses.NEW_ONES_ADDED:
            return known + tuple(one for one in state.networks if one not in known)


def _completes_at_once(state: ClientState, readings: Readings) -> bool:
    """Second step of 3.1.4.1: a last successful network is known and none is a remote access address."""
    if not state.valid_last_successful_network_address or readings.later_event is LaterEvent.NEW_DISCOVERY:
        return False
    remote_access = any(network.remote_access for network in state.network_address_list)
    return not remote_access or readings.remote_access is RemoteAccess.UNKNOWN


def _idle(at: Transition) -> Transition:
    """A running wait would belong to an event that this one has replaced."""
    return at.to(replace(at.state, wait_for_response_timer=None))
