"""The ways in which a discovery client may break one sentence of MS-MQSD, each as a rule of the model."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from mqconform.harness.judge.mqsd_client.breach_kinds import (
    Breach,
    Change,
    Step,
    asking,
    breaking,
    completing,
    hearing,
    ignoring,
    is_datagram,
    sending,
    storing,
)
from mqconform.reference.mqsd.client import (
    SECOND,
    ClientState,
    ClockAdvanced,
    Complete,
    DatagramReceived,
    Effect,
    GetDirectoryServerList,
    NetworksChanged,
    Result,
    Send,
)
from mqconform.reference.mqsd.client.discovery import RESPONSE_TIMEOUT
from mqconform.reference.mqsd.client.step import transition
from mqconform.reference.mqsd.client.transition import Transition
from mqconform.reference.mqsd.guid import text_order
from mqconform.reference.mqsd.messages import REPLY, REQUEST, FieldRule

_SERVERS: Final = "directory_server_list"
_NETWORKS: Final = "connected_network_identifier_list"
_COUNT: Final = REPLY["ConnectedNetworkCount"]
_SIZE: Final = REPLY["DirectoryServiceServerSize"]
_PLAUSIBLE: Final = 0x10000
ENDLESS: Final = 10**9 * SECOND
_ENDS: Final = "3.1.4.1-02 3.1.5.2-20 3.1.5.2-34 3.1.6.1-04 3.1.6.1-07"


def _old(old: Any, _: Any) -> Any:
    return old


def _nothing(*_: Any) -> None:
    return None


def _without_empty(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    return tuple(effect for effect in effects if not isinstance(effect, Send) or effect.datagram)


def _together(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
    """Join what was sent in two datagrams."""
    joined: list[Effect] = []
    for effect in effects:
        last = joined[-1] if joined else None
        if isinstance(effect, Send) and isinstance(last, Send) and len(last.datagram) < REQUEST.size:
            joined[-1] = replace(last, datagram=last.datagram + effect.datagram)
        else:
            joined.append(effect)
    return tuple(joined)


def _initially_successful(step: Step) -> Transition | None:
    if not step.triggered or step.before.request_id is not None or not step.before.networks:
        return None
    address = step.before.networks[0].address
    state = replace(step.before, valid_last_successful_network_address=True, last_successful_network_address=address)
    return transition(state, step.event, step.moment)


def _succeeds_at_first(step: Step) -> Transition | None:
    first = step.triggered and step.before.request_id is None
    return Transition(step.before, (Complete(Result.SUCCESS),), ("MQSD-3.1.3-02",)) if first else None


def _shows_success_at_start(step: Step) -> Transition | None:
    if step.before.request_id is not None or step.triggered or not step.before.networks:
        return None
    address = step.before.networks[0].address
    return step.leaving(valid_last_successful_network_address=True, last_successful_network_address=address)


def _later_event(step: Step) -> bool:
    return step.triggered and step.before.request_id is not None


def _silent_at_once(step: Step) -> Transition | None:
    return step.doing() if _later_event(step) and step.applies("MQSD-3.1.4.1-06") else None


def _begins_at_second(step: Step) -> Transition | None:
    networks = step.right.state.network_address_list
    if not _later_event(step) or not step.sends or len(networks) <= 1:
        return None
    moved = (
        replace(effect, network=networks[1].address) if isinstance(effect, Send) else effect
        for effect in step.right.effects
    )
    return replace(step.leaving(current_network_index=2), effects=tuple(moved))


def _same_id(step: Step) -> Transition | None:
    before = step.before.request_id
    if not step.triggered or before is None:
        return None
    return transition(step.before, step.event, replace(step.moment, new_guid=lambda _: before)).by("MQSD-3.1.4.1-07")


def _remembers(step: Step) -> Transition | None:
    received = step.before.topology_server_reply_received
    return step.leaving(topology_server_reply_received=True) if step.triggered and received else None


def _all_at_once(step: Step) -> Transition | None:
    first = step.right.effects[0] if step.triggered and step.right.effects else None
    if not isinstance(first, Send):
        return None
    return step.doing(*(replace(first, network=network.address) for network in step.right.state.network_address_list))


def _before_the_event(step: Step) -> Transition | None:
    if not isinstance(step.event, ClockAdvanced) or step.before.request_id is not None:
        return None
    begun = transition(step.before, GetDirectoryServerList(), step.moment)
    return step.doing(*begun.effects).by("MQSD-3.1.4.1-10")


def _on_first(step: Step) -> Transition | None:
    networks = step.right.state.network_address_list
    if not networks:
        return None
    first = networks[0].address
    return step.doing(
        *(replace(effect, network=first) if isinstance(effect, Send) else effect for effect in step.right.effects)
    )


def _forgets_nothing(step: Step) -> Transition | None:
    stored = step.before.last_topology_server_reply
    return step.leaving(last_topology_server_reply=stored) if stored and step.sends else None


def _wait_goes_on(step: Step) -> Transition | None:
    deadline = step.before.wait_for_response_timer
    return step.leaving(wait_for_response_timer=deadline) if is_datagram(step) and step.sends and deadline else None


def _discarded_begins_wait(step: Step) -> Transition | None:
    if not is_datagram(step) or step.right.effects or step.before.wait_for_response_timer is None:
        return None
    if not step.applies("MQSD-3.1.5.2-01", "MQSD-3.1.5.2-02", "MQSD-3.1.5.2-03"):
        return None
    return step.leaving(wait_for_response_timer=step.moment.now + RESPONSE_TIMEOUT)


def _wait_outlives(step: Step) -> Transition | None:
    if is_datagram(step) and any(isinstance(effect, Complete) for effect in step.right.effects):
        return step.leaving(wait_for_response_timer=step.before.wait_for_response_timer)
    return None


def _foreign_ends_wait(step: Step) -> Transition | None:
    return step.leaving(wait_for_response_timer=None) if step.applies("MQSD-3.1.5.2-26") else None


def _also_completes(requirement: str) -> Change:
    return lambda step: step.doing(*step.right.effects, Complete(Result.SUCCESS)) if step.applies(requirement) else None


def _stops_at_first_foreign(step: Step) -> Transition | None:
    if not step.applies("MQSD-3.1.5.2-21") or step.right.state.on_last_network or not step.before.in_progress:
        return None
    return replace(step.leaving(in_progress=False, wait_for_response_timer=None), effects=(Complete(Result.SUCCESS),))


def _goes_on_at_first_foreign(step: Step) -> Transition | None:
    if not step.applies("MQSD-3.1.5.2-21") or step.right.state.on_last_network or not step.before.in_progress:
        return None
    ended = replace(step.right.state, wait_for_response_timer=step.moment.now)
    after = transition(ended, ClockAdvanced(), step.moment)
    return after.by(*step.right.requirements)


def _waits_after_own_site(step: Step) -> Transition | None:
    if not step.applies("MQSD-3.1.5.2-10"):
        return None
    noted = replace(
        step.before,
        topology_server_reply_received=True,
        last_successful_network_address=step.right.state.last_successful_network_address,
        valid_last_successful_network_address=True,
    )
    return Transition(noted, (), step.right.requirements)


def _gives_up(step: Step) -> Transition | None:
    if not step.applies("MQSD-3.1.6.1-02") or step.before.topology_server_reply_received:
        return None
    state = replace(step.before, in_progress=False, wait_for_response_timer=None)
    return Transition(state, (Complete(Result.FAILURE),), step.right.requirements)


def _valid_after_failure(step: Step) -> Transition | None:
    return step.leaving(valid_last_successful_network_address=True) if step.applies("MQSD-3.1.6.1-03") else None


def _from_any_network(state: ClientState, event: DatagramReceived) -> DatagramReceived:
    return replace(event, network=state.current_network.address) if state.current_network else event


def _to_any_request(state: ClientState, event: DatagramReceived) -> DatagramReceived:
    if state.request_id is None:
        return event
    return replace(event, datagram=REPLY["CorrelationID"].put(event.datagram, state.request_id))


def _flags_kept(_: ClientState, event: DatagramReceived) -> DatagramReceived:
    """Put flags before the flags of each name, so that the second pair is taken for a part of the name."""
    octets, size = event.datagram, _SIZE.number(event.datagram)
    if len(octets) < REPLY.size or not size or len(octets) != REPLY.length(octets) or size % 2:
        return event
    array = len(octets) - size
    names = octets[array:].decode("utf-16-le", "surrogatepass").split(",")
    longer = ",".join(f"11{name}" for name in names).encode("utf-16-le", "surrogatepass")
    return replace(event, datagram=_SIZE.put_number(octets[:array], len(longer)) + longer)


def _swapped_numbers(_: ClientState, event: DatagramReceived) -> DatagramReceived:
    """Take a number that is far too large for one in big-endian order."""
    octets = event.datagram
    for number in (_COUNT, _SIZE) if len(octets) >= REPLY.size else ():
        if number.number(octets) >= _PLAUSIBLE:
            octets = number.put(octets, octets[number.place][::-1])
    return replace(event, datagram=octets)


def _reports_no_end(step: Step) -> Transition | None:
    sent = tuple(effect for effect in step.right.effects if isinstance(effect, Send))
    return step.doing(*sent) if sent != step.right.effects else None


def _early(within: int) -> Change:
    def changed(step: Step) -> Transition | None:
        deadline, now = step.before.wait_for_response_timer, step.moment.now
        if deadline is None or deadline - now > within or not isinstance(step.event, ClockAdvanced):
            return None
        ended = replace(step.before, wait_for_response_timer=now)
        return transition(ended, step.event, step.moment).by("MQSD-3.1.2.1-01")

    return changed


def _ends_now(step: Step) -> Transition | None:
    deadline = step.before.wait_for_response_timer
    if deadline is None or deadline > step.moment.now:
        return None
    return transition(replace(step.before, wait_for_response_timer=step.moment.now), step.event, step.moment)


def _ends_later(within: int) -> Change:
    def changed(step: Step) -> Transition | None:
        deadline = step.before.wait_for_response_timer
        return _waits_on(step, deadline) if deadline and deadline <= step.moment.now < deadline + within else None

    return changed


def _waits_on(step: Step, deadline: int) -> Transition:
    after = transition(replace(step.before, wait_for_response_timer=None), step.event, step.moment)
    if after.state.wait_for_response_timer is None and after.state.in_progress:
        after = after.to(replace(after.state, wait_for_response_timer=deadline))
    return after.by("MQSD-3.1.2.1-03", "MQSD-3.1.6.1-01")


_SITE, _ENTERPRISE = REQUEST["SiteID"], REQUEST["EnterpriseID"]


def _text_order(field: FieldRule) -> Callable[[bytes], bytes]:
    def restored(request: bytes) -> bytes:
        guid = request[field.place]
        # One that is cut has nothing to turn round.
        return field.put(request, text_order(guid)) if len(guid) == field.size else request

    return restored


OCTETS: Final = (
    Breach(("MQSD-2.1-01",), (), _without_empty),
    Breach(("MQSD-2.2-01",), (), _together),
    sending("2.2.1-01 2.2.2-01", lambda request: b"\0\1\0\0" + request),
    sending("2.2.1-08 2.2.2-02", lambda request: request[1:]),
    sending("2.2.1-02 2.2.1-05", lambda request: request[1::-1] + request[2:]),
    sending("2-01", _text_order(_ENTERPRISE)),
    sending("2-01", _text_order(_SITE)),
)
"""Other octets, by which all fields that follow are others too; a field that is wrong by itself names itself."""

STEPS: Final = (
    breaking("3.1.3-02", _initially_successful, _succeeds_at_first, _shows_success_at_start),
    breaking("3.1.4.1-07 2.2.2-04", _same_id),
    breaking("3.1.4.1-08", _begins_at_second),
    breaking("3.1.4.1-09", _remembers),
    breaking("3.1.4.1-10", _all_at_once),
    breaking("3.1.4.1-10", _before_the_event),
    breaking("3.1.4.1-04", lambda step: step.ignored() if isinstance(step.event, NetworksChanged) else None),
    asking("3.1.4.1-04", lambda networks: networks[:1], lambda networks: networks[:4], lambda networks: networks[:8]),
    asking("3.1.4.1-05", lambda networks: networks[:-1]),
    asking("3.1.5.1-01", lambda networks: networks[:1] + networks[2:], lambda networks: networks[1:]),
    asking("3.1.5.1-01", lambda networks: networks[:1] + networks, lambda networks: networks[::-1]),
    breaking("3.1.5.1-05", _on_first),
    breaking("3.1.5.1-02", _forgets_nothing),
    breaking("3.1.2.1-02 3.1.5.1-03 3.1.5.2-09", _wait_goes_on),
    breaking("3.1.5.2-15 3.1.5.2-29", _wait_outlives),
    ignoring("3.1.5.2-04 3.1.5.2-06"),
    ignoring("3.1.5.2-12"),
    ignoring("3.1.5.2-14"),
    ignoring("3.1.5.2-21"),
    ignoring("3.1.5.2-28"),
    breaking("3.1.5.2-10", _waits_after_own_site),
    breaking("3.1.5.2-11", _also_completes("MQSD-3.1.5.2-11")),
    breaking("3.1.5.2-13", _also_completes("MQSD-3.1.5.2-13")),
    breaking("3.1.5.2-21 3.1.5.2-27", _stops_at_first_foreign),
    breaking("3.1.5.2-21 3.1.5.2-26 3.1.5.2-27", _goes_on_at_first_foreign),
    breaking("3.1.6.1-02", _gives_up),
    hearing("3.1.5.2-01", _from_any_network),
    hearing("3.1.5.2-03", _to_any_request),
    hearing("3.1.5.2-02", _swapped_numbers),
    hearing("3.1.7.1-04", _flags_kept),
    storing("3.1.5.2-06", "topology_server_reply_received", _old),
    storing("3.1.5.2-23", "topology_server_reply_received", _old),
    storing("3.1.5.2-07 3.1.5.2-16 3.1.5.2-24 3.1.5.2-32", "last_successful_network_address", _old, _nothing),
    storing("3.1.5.2-08 3.1.5.2-17 3.1.5.2-25 3.1.5.2-33", "valid_last_successful_network_address", _old),
    breaking("3.1.6.1-03", _valid_after_failure),
    storing("3.1.5.2-22", "last_topology_server_reply", _old),
    storing("3.1.7.1-01 3.1.5.2-18 3.1.5.2-30 3.1.6.1-05", _SERVERS, _old),
    storing("3.1.7.1-02", _SERVERS, lambda old, new: old + new),
    storing("3.1.7.1-03 3.1.5.2-18", _SERVERS, lambda _, new: new * 2, lambda _, new: new[:1], lambda _, new: new[:-1]),
    storing("3.1.7.2-01 3.1.5.2-19 3.1.5.2-31 3.1.6.1-06 3.1.7.2-03", _NETWORKS, _old),
    storing("3.1.7.2-02", _NETWORKS, lambda old, new: old + new),
    storing("3.1.7.2-03 3.1.5.2-19", _NETWORKS, lambda _, new: new * 2, lambda _, new: new[:1], lambda _, new: new[:2]),
    completing(_ENDS, Result.SUCCESS, Complete(Result.SUCCESS), Complete(Result.SUCCESS)),
    completing(_ENDS, Result.SUCCESS, Complete(Result.FAILURE)),
    completing("3.1.4.1-03 3.1.6.1-03", Result.FAILURE, Complete(Result.SUCCESS)),
    ignoring("3.1.5.2-04 3.1.5.2-12 3.1.5.2-14 3.1.5.2-21 3.1.5.2-28"),
)
"""One step of the rules left out or done in another way."""

LENGTHS: Final = (
    breaking("3.1.2.1-01", _early(6 * SECOND)),
    breaking("3.1.2.1-03 3.1.6.1-01", _ends_now, _ends_later(16 * SECOND)),
)
"""A wait of another length, up to twice as long; a scenario may end before it does, and a step seem to be left out."""

SILENCE: Final = (
    breaking("3.1.5.2-01 3.1.5.2-02 3.1.5.2-03", _discarded_begins_wait),
    breaking("3.1.5.2-26", _foreign_ends_wait),
    breaking("3.1.4.1-06", _silent_at_once),
    completing(_ENDS, Result.SUCCESS),
    completing("3.1.4.1-03 3.1.6.1-03", Result.FAILURE),
    breaking(f"{_ENDS} 3.1.4.1-03 3.1.6.1-03 3.1.4.1-06", _reports_no_end),
    breaking("3.1.4.1-01", lambda step: step.ignored() if _later_event(step) else None),
)
"""Why nothing was seen when something should have been."""

WAITS: Final = (
    breaking("3.1.2.1-01", _early(ENDLESS)),
    breaking("3.1.2.1-03 3.1.6.1-01", _ends_now, _ends_later(ENDLESS)),
)
"""A wait of any length explains much, and is tried last."""
