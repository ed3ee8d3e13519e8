"""The ways in which a discovery client may break one sentence, as rules of the model, in the order tried (MS-MQSD 3.1).

Most are rules of faults that ``reference.mqsd.faults`` lists. Of several in one breach, a client may go by any.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from msgspec import structs

from mqconform.reference.allowed import ids
from mqconform.reference.mqsd.client import SECOND, ClockAdvanced, Complete, Effect, Result, Send
from mqconform.reference.mqsd.client.explain.hypothesis import Rules
from mqconform.reference.mqsd.client.transition import Transition
from mqconform.reference.mqsd.faults import CLIENT_FAULTS
from mqconform.reference.mqsd.faults.client_events import on
from mqconform.reference.mqsd.faults.client_replies import NETWORKS, SERVERS, old
from mqconform.reference.mqsd.faults.client_step import Change, Step, asking, going_by, ignoring, storing
from mqconform.reference.mqsd.guid import text_order
from mqconform.reference.mqsd.messages import REQUEST, FieldRule

ENDLESS: Final = 10**9 * SECOND
_ENDS: Final = "3.1.4.1-02 3.1.5.2-20 3.1.5.2-34 3.1.6.1-04 3.1.6.1-07"
Repair = Callable[[tuple[Effect, ...]], tuple[Effect, ...]]


@dataclass(frozen=True, slots=True)
class Breach:
    """A way to break a sentence, or several that say the same of different situations."""

    requirements: tuple[str, ...]
    rules: tuple[Rules, ...]
    repair: Repair | None = None
    """Makes what was seen right again; the rules are the text's then."""


def breaking(requirements: str, *changes: Change | str) -> Breach:
    """Return the breach of requirements, ids without the specification, by changed rules or the names of faults."""
    broken = ids("MQSD", requirements)
    rules = (CLIENT_FAULTS[change].rule if isinstance(change, str) else change for change in changes)
    return Breach(broken, tuple(going_by(broken, rule) for rule in rules))


def sending(requirements: str, restore: Callable[[bytes], bytes]) -> Breach:
    """Send other octets than those of a request, which ``restore`` makes right again."""

    def repair(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        return tuple(
            replace(effect, datagram=restore(effect.datagram)) if isinstance(effect, Send) else effect
            for effect in effects
        )

    return Breach(ids("MQSD", requirements), (), repair)


def completing(requirements: str, result: Result, *instead: Effect) -> Breach:
    """Report the end of an event in another way, where a rule asks for it that is broken."""

    def changed(step: Step) -> Transition | None:
        if Complete(result) not in step.right.effects or not step.concerned:
            return None
        each = [instead if effect == Complete(result) else (effect,) for effect in step.right.effects]
        return step.with_effects(*(effect for several in each for effect in several))

    return breaking(requirements, changed)


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
    state = structs.replace(
        step.before, valid_last_successful_network_address=True, last_successful_network_address=address
    )
    return replace(step, before=state, slack=0).right


def _shows_success_at_start(step: Step) -> Transition | None:
    if step.before.request_id is not None or step.triggered or not step.before.networks:
        return None
    address = step.before.networks[0].address
    return step.leaving(valid_last_successful_network_address=True, last_successful_network_address=address)


def _begins_at_second(step: Step) -> Transition | None:
    networks = step.right.state.network_address_list
    if not step.later_event or not step.sends or len(networks) <= 1:
        return None
    return on(networks[1].address, step).to(structs.replace(step.right.state, current_network_index=2))


def _same_id(step: Step) -> Transition | None:
    before = step.before.request_id
    if not step.triggered or before is None:
        return None
    return step.anew(moment=structs.replace(step.moment, new_guid=lambda _: before), slack=0)


def _early(within: int) -> Change:
    def changed(step: Step) -> Transition | None:
        deadline, now = step.before.wait_for_response_timer, step.moment.now
        if deadline is None or deadline - now > within or not isinstance(step.event, ClockAdvanced):
            return None
        ended = structs.replace(step.before, wait_for_response_timer=now)
        return step.anew(before=ended, slack=0)

    return changed


def _ends_now(step: Step) -> Transition | None:
    deadline = step.before.wait_for_response_timer
    if deadline is None or deadline > step.moment.now:
        return None
    return replace(step, before=structs.replace(step.before, wait_for_response_timer=step.moment.now), slack=0).right


def _ends_later(within: int) -> Change:
    def changed(step: Step) -> Transition | None:
        deadline = step.before.wait_for_response_timer
        return _waits_on(step, deadline) if deadline and deadline <= step.moment.now < deadline + within else None

    return changed


def _waits_on(step: Step, deadline: int) -> Transition:
    after = replace(step, before=structs.replace(step.before, wait_for_response_timer=None), slack=0).right
    if after.state.wait_for_response_timer is None and after.state.in_progress:
        after = after.to(structs.replace(after.state, wait_for_response_timer=deadline))
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
    breaking("3.1.3-02", _initially_successful, "client-knows-a-network-at-start", _shows_success_at_start),
    breaking("3.1.4.1-07 2.2.2-04", _same_id),
    breaking("3.1.4.1-08", _begins_at_second),
    breaking("3.1.4.1-09", "client-remembers-replies"),
    breaking("3.1.4.1-10", "client-all-networks-at-once"),
    breaking("3.1.4.1-10", "client-sends-before-start"),
    breaking("3.1.4.1-04", "client-networks-of-the-start"),
    breaking("3.1.4.1-04", "client-first-network-only", asking(lambda networks: networks[:4]), "client-eight-networks"),
    breaking("3.1.4.1-05", asking(lambda networks: networks[:-1])),
    breaking("3.1.5.1-01", "client-skips-a-network", asking(lambda networks: networks[1:])),
    breaking("3.1.5.1-01", "client-repeats-a-network", "client-networks-reversed"),
    breaking("3.1.5.1-05", "client-always-on-first-network"),
    breaking("3.1.5.1-02", "client-never-forgets"),
    breaking("3.1.2.1-02 3.1.5.1-03 3.1.5.2-09", "client-wait-not-restarted"),
    breaking("3.1.5.2-15 3.1.5.2-29", "client-wait-not-stopped"),
    breaking("3.1.5.2-04 3.1.5.2-06", ignoring),
    breaking("3.1.5.2-12", ignoring),
    breaking("3.1.5.2-14", ignoring),
    breaking("3.1.5.2-21", ignoring),
    breaking("3.1.5.2-28", ignoring),
    breaking("3.1.5.2-10", "client-waits-after-own-site"),
    breaking("3.1.5.2-11", "client-completes-and-goes-on"),
    breaking("3.1.5.2-13", "client-completes-at-second-foreign"),
    breaking("3.1.5.2-21 3.1.5.2-27", "client-stops-at-first-foreign"),
    breaking("3.1.5.2-21 3.1.5.2-26 3.1.5.2-27", "client-goes-on-at-first-foreign"),
    breaking("3.1.6.1-02", "client-gives-up"),
    breaking("3.1.5.2-01", "client-heeds-other-networks"),
    breaking("3.1.5.2-03", "client-heeds-other-ids"),
    breaking("3.1.5.2-02", "client-reads-big-endian"),
    breaking("3.1.7.1-04", "client-keeps-flags"),
    breaking("3.1.5.2-06", "client-foreign-not-counted"),
    breaking("3.1.5.2-23", "client-foreign-not-counted"),
    breaking(
        "3.1.5.2-07 3.1.5.2-16 3.1.5.2-24 3.1.5.2-32",
        storing("last_successful_network_address", old),
        "client-network-not-noted",
    ),
    breaking("3.1.5.2-08 3.1.5.2-17 3.1.5.2-25 3.1.5.2-33", "client-success-not-noted"),
    breaking("3.1.6.1-03", "client-valid-after-failure"),
    breaking("3.1.5.2-22", "client-first-foreign-not-kept"),
    breaking("3.1.7.1-01 3.1.5.2-18 3.1.5.2-30 3.1.6.1-05", "client-servers-never-filled"),
    breaking("3.1.7.1-02", "client-appends-servers"),
    breaking(
        "3.1.7.1-03 3.1.5.2-18",
        "client-servers-twice",
        "client-first-name-only",
        storing(SERVERS, lambda _, new: new[:-1]),
    ),
    breaking("3.1.7.2-01 3.1.5.2-19 3.1.5.2-31 3.1.6.1-06 3.1.7.2-03", "client-networks-never-filled"),
    breaking("3.1.7.2-02", "client-appends-networks"),
    breaking(
        "3.1.7.2-03 3.1.5.2-19",
        "client-networks-twice",
        storing(NETWORKS, lambda _, new: new[:1]),
        storing(NETWORKS, lambda _, new: new[:2]),
    ),
    completing(_ENDS, Result.SUCCESS, Complete(Result.SUCCESS), Complete(Result.SUCCESS)),
    completing(_ENDS, Result.SUCCESS, Complete(Result.FAILURE)),
    completing("3.1.4.1-03 3.1.6.1-03", Result.FAILURE, Complete(Result.SUCCESS)),
    breaking("3.1.5.2-04 3.1.5.2-12 3.1.5.2-14 3.1.5.2-21 3.1.5.2-28", ignoring),
)
"""One step of the rules left out or done in another way."""

LENGTHS: Final = (
    breaking("3.1.2.1-01", _early(6 * SECOND)),
    breaking("3.1.2.1-03 3.1.6.1-01", _ends_now, _ends_later(16 * SECOND)),
)
"""A wait of another length, up to twice as long; a scenario may end before it does, and a step seem to be left out."""

SILENCE: Final = (
    breaking("3.1.5.2-01 3.1.5.2-02 3.1.5.2-03", "client-wait-anew-at-discarded"),
    breaking("3.1.5.2-26", "client-wait-ended-by-foreign"),
    breaking("3.1.4.1-06", "client-silent-at-once"),
    completing(_ENDS, Result.SUCCESS),
    completing("3.1.4.1-03 3.1.6.1-03", Result.FAILURE),
    breaking(f"{_ENDS} 3.1.4.1-03 3.1.6.1-03 3.1.4.1-06", "client-never-completes"),
    breaking("3.1.4.1-01", "client-one-event"),
)
"""Why nothing was seen when something should have been."""

WAITS: Final = (
    breaking("3.1.2.1-01", _early(ENDLESS)),
    breaking("3.1.2.1-03 3.1.6.1-01", _ends_now, _ends_later(ENDLESS)),
)
"""A wait of any length explains much, and is tried last."""
