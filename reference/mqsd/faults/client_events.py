"""Faults of discovery clients in events, requests and waits (MS-MQSD 2.1, 2.2, 3.1.2 to 3.1.4, 3.1.5.1, 3.1.6)."""

from dataclasses import replace

from msgspec import structs

from mqconform.reference.mqsd.client import (
    ClockAdvanced,
    Complete,
    GetDirectoryServerList,
    NetworksChanged,
    Result,
    Send,
)
from mqconform.reference.mqsd.client.discovery import RESPONSE_TIMEOUT
from mqconform.reference.mqsd.client.readings import ListsAfterFailure, NoNetwork, OwnSite, RemoteAccess
from mqconform.reference.mqsd.client.transition import Transition
from mqconform.reference.mqsd.faults.client_step import Step, asking, following, instead_of, sending, with_field
from mqconform.reference.mqsd.faults.fault import fault
from mqconform.reference.mqsd.guid import Guid, text_order
from mqconform.reference.mqsd.messages import REQUEST

VERSION, TYPE, RESERVED = REQUEST["Version"], REQUEST["Type"], REQUEST["Reserved"]
REQUEST_ID, ENTERPRISE, SITE = REQUEST["RequestID"], REQUEST["EnterpriseID"], REQUEST["SiteID"]


def _counted(request: int) -> Guid:
    return Guid((request + 1).to_bytes(16, "little"))


def _succeeds_at_first(step: Step) -> Transition | None:
    first = step.triggered and step.before.request_id is None
    return Transition(step.before, (Complete(Result.SUCCESS),), step.breaks) if first else None


def _all_at_once(step: Step) -> Transition | None:
    first = step.right.effects[0] if step.triggered and step.right.effects else None
    if not isinstance(first, Send):
        return None
    return step.with_effects(
        *(replace(first, network=network.address) for network in step.right.state.network_address_list)
    )


def _before_the_event(step: Step) -> Transition | None:
    if not isinstance(step.event, ClockAdvanced) or step.before.request_id is not None:
        return None
    begun = step.anew(event=GetDirectoryServerList(), slack=0)
    return step.with_effects(*begun.effects).by(*step.breaks)


def _begins_at_second(step: Step) -> Transition | None:
    networks = step.right.state.networks
    if not step.later_event or len(networks) <= 1:
        return None
    return on(networks[1].address, step).to(structs.replace(step.right.state, current_network_index=2))


def on(network: str, step: Step) -> Transition:
    """Return the step with its requests on another network."""
    sent = (replace(each, network=network) if isinstance(each, Send) else each for each in step.right.effects)
    return step.with_effects(*sent)


def _remembers(step: Step) -> Transition | None:
    received = step.before.topology_server_reply_received
    return step.leaving(topology_server_reply_received=True) if step.triggered and received else None


def _forgets_nothing(step: Step) -> Transition | None:
    stored = step.before.last_topology_server_reply
    return step.leaving(last_topology_server_reply=stored) if stored and step.sends else None


def _always_on_first(step: Step) -> Transition | None:
    networks = step.right.state.network_address_list
    return on(networks[0].address, step) if networks else None


def _wait_goes_on(step: Step) -> Transition | None:
    deadline = step.before.wait_for_response_timer
    return step.leaving(wait_for_response_timer=deadline) if step.hears and step.sends and deadline else None


def _discarded_begins_wait(step: Step) -> Transition | None:
    return _wait_anew(step) if step.hears and step.concerned else None


def _change_begins_wait(step: Step) -> Transition | None:
    return _wait_anew(step) if isinstance(step.event, NetworksChanged) else None


def _wait_anew(step: Step) -> Transition | None:
    if step.right.effects or step.before.wait_for_response_timer is None:
        return None
    return step.leaving(wait_for_response_timer=step.moment.now + RESPONSE_TIMEOUT)


def _wait_outlives(step: Step) -> Transition | None:
    if step.hears and any(isinstance(effect, Complete) for effect in step.right.effects):
        return step.leaving(wait_for_response_timer=step.before.wait_for_response_timer)
    return None


def _gives_up(step: Step) -> Transition | None:
    if not step.concerned or step.before.topology_server_reply_received:
        return None
    state = structs.replace(step.before, in_progress=False, wait_for_response_timer=None)
    return Transition(state, (Complete(Result.FAILURE),), step.right.requirements)


# Laid out as a table: name, what it breaks, what it does, the changed rule.
REQUESTS = (
    fault("client-greets-first", "2.1-01", "An empty datagram goes before each request.",
        sending(lambda request: (b"", request))),
    fault("client-two-datagrams", "2.2-01", "The header of a request is a datagram of its own.",
        sending(lambda request: (request[: ENTERPRISE.offset], request[ENTERPRISE.offset :]))),
    fault("client-without-header", "2.2.1-01 2.2.2-01", "A request begins with EnterpriseID.",
        sending(lambda request: (request[ENTERPRISE.offset :],))),
    fault("client-wide-version", "2.2.1-08 2.2.2-02", "Version takes two octets, which moves all that follows.",
        sending(lambda request: (b"\0" + request,))),
    fault("client-type-first", "2.2.1-02 2.2.1-05", "Type stands before Version.",
        sending(lambda request: (request[1::-1] + request[2:],))),
    fault("client-version-1", "2.2.1-03", "A request has Version 1.", with_field(VERSION, lambda _: b"\1")),
    fault("client-type-2", "2.2.1-06", "A request has Type 2.", with_field(TYPE, lambda _: b"\2")),
    fault("client-reserved-1", "2.2.1-09", "A request has Reserved 256.", with_field(RESERVED, lambda _: b"\0\1")),
    fault("client-ipx-fields", "2.2.2-09 2.2.2-12", "A request over IP has IPX fields.",
        sending(lambda request: (request + bytes([1, 0, 0, 0, 7, 0, 0, 0]),))),
    fault("client-ipx-count-alone", "2.2.2-09", "A request over IP has an IPXNetworkCount that no network follows.",
        sending(lambda request: (request + bytes([5, 0, 0, 0]),))),
    fault("client-cut-request", "2.2.2-06", "A request lacks the last octet of SiteID.",
        sending(lambda request: (request[: REQUEST.size - 1],))),
    fault("client-wrong-enterprise", "2.2.2-03 3.1.3-01 3.1.5.1-04", "A request has the site for the enterprise.",
        with_field(ENTERPRISE, lambda request: request[SITE.place])),
    fault("client-enterprise-in-text-order", "2-01", "EnterpriseID stands in the order of its text.",
        with_field(ENTERPRISE, lambda request: text_order(request[ENTERPRISE.place]))),
    fault("client-wrong-site", "2.2.2-06 3.1.5.1-04", "A request has the enterprise for the site.",
        with_field(SITE, lambda request: request[ENTERPRISE.place])),
    fault("client-site-zero", "2.2.2-06 3.1.5.1-04", "SiteID is zero although the client has a site.",
        following(own_site=OwnSite.UNSET)),
    fault("client-request-id-in-text-order", "3.1.4.1-07",
        "RequestID is sent in the order of its text and compared in the order of packets.",
        with_field(REQUEST_ID, lambda request: text_order(request[REQUEST_ID.place]))),
    fault("client-ids-counted", "3.1.4.1-07 2.2.2-04", "RequestIDs count from 1 at each start.",
        lambda step: step.anew(moment=structs.replace(step.moment, new_guid=_counted))),
)  # fmt: skip

EVENTS = (
    fault("client-knows-a-network-at-start", "3.1.3-02", "The first event completes without a request.",
        _succeeds_at_first),
    fault("client-one-event", "3.1.4.1-01", "Only the first event is begun.",
        lambda step: step.ignored() if step.later_event else None),
    fault("client-sends-before-start", "3.1.4.1-10", "The client asks before it is requested to.", _before_the_event),
    fault("client-all-networks-at-once", "3.1.4.1-10", "All networks are asked at once.", _all_at_once),
    fault("client-later-event-at-second-network", "3.1.4.1-08", "A later event begins with the second network.",
        _begins_at_second),
    fault("client-remembers-replies", "3.1.4.1-09", "An event counts the replies of the event before.", _remembers),
    fault("client-silent-at-once", "3.1.4.1-06", "An event that sends nothing is not reported to end.",
        lambda step: step.with_effects() if step.later_event and step.concerned else None),
    fault("client-never-completes", "3.1.5.2-34 3.1.4.1-02 3.1.5.2-20 3.1.6.1-07", "Completion is not reported.",
        instead_of(Complete, lambda _: ())),
    fault("client-succeeds-without-networks", "3.1.4.1-03",
        "An event without any network succeeds, though no list was obtained.",
        following(no_network=NoNetwork.SUCCESS_AT_ONCE)),
    fault("client-without-network-succeeds", "3.1.4.1-03", "Without networks it succeeds.",
        following(no_network=NoNetwork.SUCCESS_AT_ONCE)),
    fault("client-knows-no-remote-access", "3.1.4.1-06", "Remote access addresses are like any others.",
        following(remote_access=RemoteAccess.UNKNOWN)),
    fault("client-success-on-failure", "3.1.6.1-03 3.1.4.1-03", "Failure is reported as success.",
        instead_of(Complete, lambda _: (Complete(Result.SUCCESS),))),
    fault("client-first-network-only", "3.1.4.1-04", "Only the first network is asked.",
        asking(lambda networks: networks[:1])),
    fault("client-last-network-left-out", "3.1.4.1-05", "The last of several is not asked.",
        asking(lambda networks: networks[:-1] or networks)),
    fault("client-eight-networks", "3.1.4.1-04", "It has room for eight networks.",
        asking(lambda networks: networks[:8])),
    fault("client-networks-of-the-start", "3.1.4.1-04", "A network that is connected later is not asked.",
        lambda step: step.ignored() if isinstance(step.event, NetworksChanged) else None),
    fault("client-skips-a-network", "3.1.5.1-01", "The second network is skipped.",
        asking(lambda networks: networks[:1] + networks[2:])),
    fault("client-repeats-a-network", "3.1.5.1-01", "The first network is asked twice.",
        asking(lambda networks: networks[:1] + networks)),
    fault("client-networks-reversed", "3.1.5.1-01", "Networks are asked from last to first.",
        asking(lambda networks: networks[::-1])),
    fault("client-always-on-first-network", "3.1.5.1-05", "Each request goes to the first network.", _always_on_first),
    fault("client-never-forgets", "3.1.5.1-02", "The reply kept stays when a request goes out.", _forgets_nothing),
)  # fmt: skip

WAITS = (
    fault("client-wait-not-restarted", "3.1.5.1-03 3.1.5.2-09 3.1.2.1-02",
        "A request that a reply leads to does not begin a wait of its own.", _wait_goes_on),
    fault("client-wait-anew-at-discarded", "3.1.5.2-01 3.1.5.2-02 3.1.5.2-03",
        "A datagram that is discarded begins the wait anew.", _discarded_begins_wait),
    fault("client-wait-anew-at-change", "3.1.2.1-03", "A change of networks begins the wait anew.",
        _change_begins_wait),
    fault("client-wait-not-stopped", "3.1.5.2-15 3.1.5.2-29",
        "The wait goes on after the reply that completes the event.", _wait_outlives),
    fault("client-wait-without-end", "3.1.6.1-01 3.1.2.1-03", "No wait ever ends.",
        lambda step: step.ignored() if isinstance(step.event, ClockAdvanced) else None),
    fault("client-gives-up", "3.1.6.1-02", "It fails when the first wait ends.", _gives_up),
    fault("client-completes-twice", "3.1.5.2-34", "Completion is reported twice.",
        instead_of(Complete, lambda completion: (completion, completion))),
    fault("client-failure-on-success", "3.1.5.2-34 3.1.6.1-04", "Success is reported as failure.",
        instead_of(Complete, lambda _: (Complete(Result.FAILURE),))),
    fault("client-valid-after-failure", "3.1.6.1-03", "A last successful network is known after a failure.",
        lambda step: step.leaving(valid_last_successful_network_address=True) if step.concerned else None),
    fault("client-lists-cleared-after-failure", "3.1.6.1-03", "A failure empties the lists.",
        following(lists_after_failure=ListsAfterFailure.CLEARED)),
)  # fmt: skip
