"""No Server Response: the wait for replies has ended (MS-MQSD 3.1.6.1)."""

from dataclasses import replace

from mqconform.reference.mqsd.client.completing import complete, complete_with, fail
from mqconform.reference.mqsd.client.populate import (
    populate_connected_network_identifier_list,
    populate_directory_server_list,
)
from mqconform.reference.mqsd.client.readings import Readings
from mqconform.reference.mqsd.client.readings_of_events import NoNetwork
from mqconform.reference.mqsd.client.readings_of_replies import NothingStored
from mqconform.reference.mqsd.client.sending import RESPONSE_TIMEOUT, send_topology_client_request
from mqconform.reference.mqsd.client.transition import Moment, Transition


def no_server_response(at: Transition, moment: Moment) -> Transition:
    """Go on to the next network, or end the event on the last one (MS-MQSD 3.1.6.1)."""
    at = at.to(replace(at.state, wait_for_response_timer=None), "MQSD-3.1.2.1-03", "MQSD-3.1.6.1-01")
    state, readings = at.state, moment.readings
    if not state.number_of_network_addresses:
        return _without_networks(at, moment)
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
    if not state.number_of_network_addresses and readings.no_network is not NoNetwork.NEVER_COMPLETES:
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
        case NothingStored.NETWORKS_EMPTIED:
            at = populate_connected_network_identifier_list(at.by("MQSD-3.1.6.1-06"), None)
    return complete(at.by("MQSD-3.1.6.1-07"))


def _without_networks(at: Transition, moment: Moment) -> Transition:
    match moment.readings.no_network:
        case NoNetwork.FAILURE_AFTER_WAIT:
            return fail(at, moment.readings)
        case NoNetwork.SUCCESS_AFTER_WAIT:
            return complete(at)
    return send_topology_client_request(at.by("MQSD-3.1.6.1-02"), moment)
