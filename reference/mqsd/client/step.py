"""The discovery client as a pure function of state, event and time (MS-MQSD 3.1)."""

from typing import assert_never

from msgspec.structs import replace

from mqconform.reference.mqsd.client import discovery, events
from mqconform.reference.mqsd.client.readings import LITERAL, FailedSend, Readings, RequestIds, Requests
from mqconform.reference.mqsd.client.receiving import receive_topology_server_reply
from mqconform.reference.mqsd.client.state import ClientState
from mqconform.reference.mqsd.client.transition import Moment, NewGuid, Transition


def step(
    state: ClientState, event: events.Event, now: int, new_guid: NewGuid, readings: Readings = LITERAL
) -> tuple[ClientState, tuple[events.Effect, ...]]:
    """Advance the client by one event (MS-MQSD 3.1.4 to 3.1.6).

    Args:
        state: the client before the event.
        event: what happens.
        now: when it happens, in nanoseconds; waits that have ended by then, that instant included, end first.
        new_guid: supplies the RequestIDs.
        readings: what the client follows at the ambiguous places.

    Returns:
        The client after the event, and what it did, in order.
    """
    moment = Moment(now, readings, new_guid)
    after = transition(state, event, moment)
    if readings.requests is Requests.REPEATED:
        after = _repeated(after, moment)
    return after.state, after.effects


def _repeated(at: Transition, moment: Moment) -> Transition:
    """Send each request twice; a client that repeats may do so as often and when it likes (register SD-08, SD-14)."""
    state, effects = at.state, list[events.Effect]()
    for effect in at.effects:
        effects.append(effect)
        if isinstance(effect, events.Send) and moment.readings.request_ids is RequestIds.NEW_PER_PACKET:
            request_id = moment.new_guid(state.requests_sent)
            again = effect.with_id(request_id)
            if effect == state.last_request:
                state = replace(state, request_id=request_id, last_request=again)
            state = replace(state, requests_sent=state.requests_sent + 1)
            effects.append(again)
        elif isinstance(effect, events.Send):
            effects.append(effect)
    return Transition(state, tuple(effects), at.requirements)


def transition(state: ClientState, event: events.Event, moment: Moment, *, slack: int = 0) -> Transition:
    """Advance the client by one event and tell by which rules; it repeats no request (register SD-08).

    Args:
        state: the client before the event.
        event: what happens.
        moment: when it happens, and what the rules may ask for.
        slack: nanoseconds by which a wait may end before its time, or after it where negative (register SD-49).
    """
    at = _end_waits(Transition(state), moment, slack)
    at = _handle(at, event, moment)
    return discovery.begin_queued_events(at, moment)


def _end_waits(at: Transition, moment: Moment, slack: int) -> Transition:
    """Raise No Server Response for each wait that has ended (MS-MQSD 3.1.2.1, 3.1.6.1)."""
    until, on_time = moment.now + slack, moment.now - abs(slack)
    at = discovery.skip_endless_waits(at, until, moment.readings)
    while (deadline := at.state.wait_for_response_timer) is not None and deadline <= until:
        # Within the slack of a clock, its last instant included, a wait is taken to end when its end is seen; behind
        # the list nothing shows it.
        unseen = at.state.current_network_index > at.state.number_of_network_addresses
        due = replace(moment, now=deadline if deadline < on_time or unseen else moment.now)
        at = discovery.begin_queued_events(discovery.no_server_response(at, due), due)
        at = discovery.skip_endless_waits(at, until, moment.readings)
    return at


def _handle(at: Transition, event: events.Event, moment: Moment) -> Transition:
    match event:
        case events.GetDirectoryServerList():
            return discovery.get_directory_server_list(at, moment)
        case events.DatagramReceived():
            return receive_topology_server_reply(at, event, moment)
        case events.NetworksChanged():
            return at.to(replace(at.state, networks=event.networks))
        case events.SendFailed():
            return _send_failed(at, moment)
        case events.ClockAdvanced():
            waiting = at.state.wait_for_response_timer is not None
            return at.by("MQSD-3.1.2.1-01") if waiting else at.by("MQSD-3.1.2.1-03")
        case _:
            assert_never(event)


def _send_failed(at: Transition, moment: Moment) -> Transition:
    """Wait as if the request had gone out, or go on to the next network (register SD-65)."""
    if at.state.waiting_on is None or moment.readings.failed_send is FailedSend.WAITS:
        return at.by("MQSD-3.1.5.1-05")
    return discovery.no_server_response(at, moment)
