"""Receiving a TopologyServerReply (MS-MQSD 3.1.5.2).

The five rules are told apart by three facts: whether the reply is local (its DirectoryServiceServerSize is zero),
whether the current network is the last, and whether LastTopologyServerReply is empty.
"""

from typing import Final

from msgspec.structs import replace

from mqconform.reference.allowed import ids
from mqconform.reference.mqsd.client import discovery
from mqconform.reference.mqsd.client import readings as choices
from mqconform.reference.mqsd.client.events import DatagramReceived
from mqconform.reference.mqsd.client.populate import (
    populate_connected_network_identifier_list,
    populate_directory_server_list,
)
from mqconform.reference.mqsd.client.readings import Readings
from mqconform.reference.mqsd.client.received_reply import ReceivedReply, has_gross_error, irregularities, read_reply
from mqconform.reference.mqsd.client.state import ClientState
from mqconform.reference.mqsd.client.transition import Moment, Transition
from mqconform.reference.mqsd.messages import PacketType
from mqconform.reference.mqsd.specification import FACTS

_DISCARDING = (choices.HeaderNotZero.DISCARDED, choices.LesserError.DISCARDED)

_FIRST_RULE: Final = ids(
    "MQSD", "3.1.5.2-04 3.1.5.2-05 3.1.5.2-06 3.1.5.2-07 3.1.5.2-08 3.1.5.2-09 3.1.5.2-10 3.1.5.2-11"
)
_FOURTH_RULE: Final = ids("MQSD", "3.1.5.2-21 3.1.5.2-22 3.1.5.2-23 3.1.5.2-24 3.1.5.2-25 3.1.5.2-26 3.1.5.2-27")


def receive_topology_server_reply(at: Transition, received: DatagramReceived, moment: Moment) -> Transition:
    """Discard what is no reply to the current request, then apply the rule that fits (MS-MQSD 3.1.5.2)."""
    state, readings = at.state, moment.readings
    network = state.current_network
    if network is None or network.address != received.network:
        return at.by("MQSD-3.1.5.2-01")
    over_ipx = network.ipx_network_number is not None
    if _is_improperly_formatted(received.datagram, readings, over_ipx=over_ipx):
        return at.by("MQSD-3.1.5.2-02")
    reply = read_reply(received.datagram, over_ipx=over_ipx)
    # The current RequestID: that of an earlier event is another one, even if its reply is late (3.1.5.2).
    if reply.correlation_id != state.request_id:
        return at.by("MQSD-3.1.5.2-03")
    if not state.in_progress and readings.late_reply is choices.LateReply.IGNORED:
        return at.by("MQSD-3.1.5.2-21")
    return _apply_rule(at, reply, moment)


def _apply_rule(at: Transition, reply: ReceivedReply, moment: Moment) -> Transition:
    stored = at.state.last_topology_server_reply
    last = at.state.on_last_network
    if reply.local:
        return _local_on_last(at, reply, moment) if last else _local_before_last(at, reply, moment)
    if stored is None:
        return _first_foreign(at, reply, moment)
    if stored.octets == reply.octets and moment.readings.copied_reply is choices.CopiedReply.IGNORED:
        return at.by("MQSD-3.1.5.2-28" if last else "MQSD-3.1.5.2-12")
    if moment.readings.foreign_reply_stored is choices.ForeignReplyStored.LAST:
        at = at.to(replace(at.state, last_topology_server_reply=reply))
    return _second_foreign_on_last(at, moment) if last else _second_foreign_before_last(at, moment)


def _local_before_last(at: Transition, reply: ReceivedReply, moment: Moment) -> Transition:
    """First rule: keep the reply, note the network, go on to the next."""
    state = replace(
        _successful(at.state),
        last_topology_server_reply=reply,
        topology_server_reply_received=True,
        wait_for_response_timer=None,
    )
    at = at.to(state, *_FIRST_RULE)
    return discovery.send_topology_client_request(at, moment)


def _second_foreign_before_last(at: Transition, moment: Moment) -> Transition:
    """Second rule: go on to the next network."""
    # The rule stops no timer and notes no network; the send starts the timer anew (3.1.5.2, 3.1.5.1; SD-48).
    return discovery.send_topology_client_request(at.by("MQSD-3.1.5.2-12", "MQSD-3.1.5.2-13"), moment)


def _local_on_last(at: Transition, reply: ReceivedReply, moment: Moment) -> Transition:
    """Third rule: fill the lists from what was stored before, not from this reply, and complete the event."""
    readings = moment.readings
    state = replace(_successful(at.state), wait_for_response_timer=None)
    at = at.to(state, "MQSD-3.1.5.2-14", "MQSD-3.1.5.2-15", "MQSD-3.1.5.2-16", "MQSD-3.1.5.2-17")
    # The reply that arrived is not stored on the last network, unlike on the others (3.1.5.2; SD-40).
    older = state.last_topology_server_reply or state.kept_reply
    if older and not older.local and readings.foreign_then_local is choices.ForeignThenLocal.FOREIGN_LIST_INSTALLED:
        at = populate_directory_server_list(at.by("MQSD-3.1.5.2-18"), older, readings)
    match readings.local_reply_on_last_network:
        case choices.LocalReplyOnLastNetwork.OLDER_REPLY_USED:
            at = populate_connected_network_identifier_list(at.by("MQSD-3.1.5.2-19"), older)
        case choices.LocalReplyOnLastNetwork.LOCAL_REPLY_USED:
            at = populate_connected_network_identifier_list(at.by("MQSD-3.1.5.2-19"), reply)
    return discovery.complete_with(at.by("MQSD-3.1.5.2-20"), older, readings)


def _first_foreign(at: Transition, reply: ReceivedReply, moment: Moment) -> Transition:
    """Fourth rule: keep the reply and wait anew for others on the same network."""
    state = replace(_successful(at.state), last_topology_server_reply=reply, topology_server_reply_received=True)
    # So one network may take up to 30 s: a server of the own site may still answer (3.1.5.2; SD-50).
    if moment.readings.wait_after_foreign_reply is choices.WaitAfterForeignReply.ANEW:
        state = replace(state, wait_for_response_timer=moment.now + discovery.RESPONSE_TIMEOUT)
    return at.to(state, *_FOURTH_RULE)


def _second_foreign_on_last(at: Transition, moment: Moment) -> Transition:
    """Fifth rule: fill the lists from the reply that is stored and complete the event."""
    # The lists come from the first foreign reply, the network from the second (3.1.5.2; SD-46).
    stored = at.state.last_topology_server_reply
    at = at.to(replace(at.state, wait_for_response_timer=None), "MQSD-3.1.5.2-28", "MQSD-3.1.5.2-29")
    if stored and not stored.local:
        at = populate_directory_server_list(at.by("MQSD-3.1.5.2-30"), stored, moment.readings)
    at = populate_connected_network_identifier_list(at.by("MQSD-3.1.5.2-31"), stored)
    return discovery.complete(at.to(_successful(at.state), "MQSD-3.1.5.2-32", "MQSD-3.1.5.2-33", "MQSD-3.1.5.2-34"))


def _successful(state: ClientState) -> ClientState:
    """Make the current network the last successful one."""
    assert state.current_network is not None
    return replace(
        state,
        last_successful_network_address=state.current_network.address,
        valid_last_successful_network_address=True,
    )


def _is_improperly_formatted(datagram: bytes, readings: Readings, *, over_ipx: bool) -> bool:
    if datagram[FACTS.type_offset : FACTS.type_offset + 1] == bytes([PacketType.CLIENT_REQUEST]):
        return readings.request_as_reply is choices.RequestAsReply.IGNORED
    if has_gross_error(datagram):
        return readings.gross_error is choices.GrossError.DISCARDED
    kinds = irregularities(datagram, over_ipx=over_ipx)
    return any(readings.on_irregularity(kind) in _DISCARDING for kind in kinds)
