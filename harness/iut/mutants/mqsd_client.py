"""Mutants of discovery clients (MS-MQSD 3.1): the faults of the reference and of clock, ids and memory; what conforms.

Here is what is unlike the reference and why; rules that are wrong by the text stand in ``reference.mqsd.faults``.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec import structs

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import playing
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.iut.role import MethodNotFound
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.fault import altered, variant
from mqconform.reference.mqsd.client import (
    LITERAL,
    SECOND,
    SENSIBLE,
    UNDISPUTED,
    ClientState,
    Complete,
    Effect,
    Event,
    Readings,
    Send,
)
from mqconform.reference.mqsd.client.explain.hypothesis import Rules
from mqconform.reference.mqsd.client.readings import (
    CompletionAtOnce,
    EventWhileRunning,
    ForeignReplyStored,
    ForeignThenLocal,
    HeaderNotZero,
    LaterEvent,
    LesserError,
    LocalReplyAlone,
    LocalReplyOnLastNetwork,
    NetworkAddresses,
    NoNetwork,
    NothingStored,
    RequestIds,
    Requests,
    ShortItem,
    WaitAfterForeignReply,
)
from mqconform.reference.mqsd.client.transition import Moment
from mqconform.reference.mqsd.faults import CLIENT_FAULTS
from mqconform.reference.mqsd.faults.client_step import going_by
from mqconform.reference.mqsd.faults.fault import fault
from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.specification import FACTS

IDS = "3.1.4.1-07 2.2.2-04"


class _OtherRules(ReferenceDiscoveryClient):
    """Goes by other rules than those of the text."""

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self._rules = rules

    def react(self, client: ClientState, event: Event) -> tuple[ClientState, Sequence[Effect]]:
        after = self._rules(client, event, Moment(self.now, self.readings, self.new_guid))
        return after.state, after.effects


class OtherClock(ReferenceDiscoveryClient):
    """Waits for another time than 15 seconds."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._pace = FACTS.response_timeout / seconds

    def advance_clock(self, seconds: float) -> Json:
        """Let its own time pass."""
        return super().advance_clock(seconds * self._pace)


class _RepeatsIds(ReferenceDiscoveryClient):
    """Draws its RequestIDs from one seed at each start."""

    def reset(self) -> None:
        """Begin with the first RequestID again."""
        super().reset()
        self.requests_before = 0

    def new_guid(self, request: int) -> Guid:
        """Return the RequestID of an ordinal, whatever the case."""
        return self.drawn("", self.requests_before + request)


class _CutsLaterRequests(ReferenceDiscoveryClient):
    """Leaves out the last octet once an event has completed, so that only the first requests are whole."""

    _completed = False

    def react(self, client: ClientState, event: Event) -> tuple[ClientState, Sequence[Effect]]:
        after, effects = super().react(client, event)
        cut = [replace(sent, datagram=sent.datagram[:-1]) if isinstance(sent, Send) else sent for sent in effects]
        effects = cut if self._completed else effects
        self._completed = self._completed or any(isinstance(effect, Complete) for effect in effects)
        return after, effects

    def reset(self) -> None:
        self._completed = False
        super().reset()


def _knowing_a_network(self: ReferenceDiscoveryClient, enterprise: str, site: str, networks: list[Json]) -> Json:
    """Start with the first network for the last successful one, without having asked."""
    answer = ReferenceDiscoveryClient.configure(self, enterprise, site, networks)
    if self.client and self.client.networks:
        address = self.client.networks[0].address
        self.client = structs.replace(
            self.client, last_successful_network_address=address, valid_last_successful_network_address=True
        )
    return answer


def _wrapping_guid(self: ReferenceDiscoveryClient, request: int) -> Guid:
    return self.drawn("", (self.requests_before + request) % 20)


_FAULTY = (
    fault("client-later-request-cut", "2.2.2-06", "The requests of later events lack the last octet of SiteID.",
        _CutsLaterRequests),
    fault("client-starts-successful", "3.1.3-02", "It starts with a last successful network.",
        altered(ReferenceDiscoveryClient, configure=_knowing_a_network)),
    fault("client-one-request-id", IDS, "All events have one RequestID.",
        altered(ReferenceDiscoveryClient, new_guid=lambda self, _: self.drawn("", 0))),
    fault("client-ids-from-one-seed", IDS, "RequestIDs come from one seed at each start.", _RepeatsIds),
    fault("client-ids-wrap", IDS, "RequestIDs come again after twenty requests.",
        altered(ReferenceDiscoveryClient, new_guid=_wrapping_guid)),
    fault("client-waits-10", "3.1.2.1-01", "The wait is 10 s.", partial(OtherClock, 10)),
    fault("client-waits-14", "3.1.2.1-01", "The wait is 14 s.", partial(OtherClock, 14)),
    fault("client-waits-14-4", "3.1.2.1-01", "The wait is 14.4 s.", partial(OtherClock, 14.4)),
    fault("client-waits-15-6", "3.1.2.1-03", "The wait is 15.6 s.", partial(OtherClock, 15.6)),
    fault("client-waits-17", "3.1.2.1-03", "The wait is 17 s.", partial(OtherClock, 17)),
    fault("client-waits-30", "3.1.2.1-03", "The wait is 30 s.", partial(OtherClock, 30)),
)  # fmt: skip


class _SendsLater(ReferenceDiscoveryClient):
    """Sends each request a while after it has begun to."""

    def __init__(self, seconds: float) -> None:
        super().__init__()
        self._delay = round(seconds * SECOND)
        self._waiting: list[tuple[int, Json]] = []

    def advance_clock(self, seconds: float) -> Json:
        """Let time pass from one thing that happens to the next."""
        end, effects = self.now + round(seconds * SECOND), []
        while True:
            timer = self.client.wait_for_response_timer if self.client else None
            at = min(
                (moment for moment in (timer, *(due for due, _ in self._waiting)) if moment is not None),
                default=end + 1,
            )
            self.now = min(max(at, self.now), end)
            effects += [effect for due, effect in self._waiting if due <= self.now]
            self._waiting = [(due, effect) for due, effect in self._waiting if due > self.now]
            effects += super().advance_clock(0)["effects"]
            if at >= end:
                return {"effects": effects}

    def reset(self) -> None:
        """Forget what is still to be sent."""
        self._waiting = []
        super().reset()

    def _meet(self, event: Event) -> Json:
        effects = super()._meet(event)["effects"]
        self._waiting += [(self.now + self._delay, effect) for effect in effects if "send" in effect]
        return {"effects": [effect for effect in effects if "send" not in effect]}


class _RefreshedElsewhere(ReferenceDiscoveryClient):
    """Another protocol adds a server to the list as time passes (register SD-75)."""

    def advance_clock(self, seconds: float) -> Json:
        """Let time pass, and add a server that no reply names."""
        answer = super().advance_clock(seconds)
        if self.client and "from-the-directory" not in self.client.directory_server_list:
            servers = (*self.client.directory_server_list, "from-the-directory")
            self.client = structs.replace(self.client, directory_server_list=servers)
        return answer


def _no_state(_: ReferenceDiscoveryClient) -> Json:
    raise MethodNotFound("discovery_client.state")


def following(readings: Readings = UNDISPUTED, **choices: Any) -> Callable[[], ReferenceDiscoveryClient]:
    """Return the factory of a client that follows other readings, with choices at single places."""
    return partial(ReferenceDiscoveryClient, replace(readings, **choices))


_CONFORMING = (
    variant("client-waits-14-55", "The wait is 14.55 s, nearly too short.", partial(OtherClock, 14.55)),
    variant("client-waits-14-8", "The wait is 14.8 s.", partial(OtherClock, 14.8)),
    variant("client-waits-14-9", "The wait is 14.9 s.", partial(OtherClock, 14.9)),
    variant("client-waits-15-01", "The wait is 15.01 s: a reply after 15 s is within it.", partial(OtherClock, 15.01)),
    variant("client-waits-15-1", "The wait is 15.1 s.", partial(OtherClock, 15.1)),
    variant("client-waits-15-2", "The wait is 15.2 s.", partial(OtherClock, 15.2)),
    variant("client-sends-50-ms-later", "Requests go out 50 ms after the step that sends them.",
        partial(_SendsLater, 0.05)),
    variant("client-sends-0-3-s-later", "Requests go out 0.3 s after the step that sends them.",
        partial(_SendsLater, 0.3)),
    variant("client-two-packets-after-success", "An event after a success asks the networks again, each twice.",
        following(later_event=LaterEvent.NEW_DISCOVERY)),
    variant("client-one-packet-after-success", "An event after a success asks the networks again, each once.",
        following(later_event=LaterEvent.NEW_DISCOVERY, network_addresses=NetworkAddresses.LIST_REBUILT)),
    variant("client-new-networks-added", "Only new networks are added.",
        following(network_addresses=NetworkAddresses.NEW_ONES_ADDED)),
    variant("client-15-seconds-in-all", "A reply does not begin the wait anew.",
        following(wait_after_foreign_reply=WaitAfterForeignReply.IN_ALL)),
    variant("client-foreign-list-not-installed", "A reply from the own site leaves the server list alone.",
        following(foreign_then_local=ForeignThenLocal.LIST_UNCHANGED)),
    variant("client-last-foreign-kept",
        "The last reply from another site supplies the lists, as 3.1.1.2 defines the element.",
        following(foreign_reply_stored=ForeignReplyStored.LAST)),
    variant("client-no-network-fails-late", "Without networks it fails after a wait.",
        following(no_network=NoNetwork.FAILURE_AFTER_WAIT)),
    variant("client-lenient-in-lesser-errors", "Replies with lesser errors are processed.",
        following(lesser_error=LesserError.ACCEPTED)),
    variant("client-strict-in-headers", "Header fields must be zero.",
        following(header_not_zero=HeaderNotZero.DISCARDED)),
    variant("client-second-event-ignored", "An event during another is ignored.",
        following(event_while_running=EventWhileRunning.IGNORED)),
    variant("client-second-event-queued", "An event during another waits.",
        following(event_while_running=EventWhileRunning.QUEUED)),
    variant("client-second-event-joins", "An event during another ends with it, with the same result.",
        following(event_while_running=EventWhileRunning.JOINED)),
    variant("client-second-event-ends-both", "An event that ends at once ends the one in progress.",
        following(event_while_running=EventWhileRunning.ENDS_BOTH)),
    variant("client-second-event-ends-alone", "An event that ends at once leaves the one in progress its networks.",
        following(event_while_running=EventWhileRunning.ENDS_ALONE)),
    variant("client-refreshed-elsewhere", "Another protocol adds a server to its list.", _RefreshedElsewhere),
    variant("client-shows-nothing", "It does not show its state.", altered(ReferenceDiscoveryClient, state=_no_state)),
    variant("client-new-id-per-packet", "Each request has an id of its own.",
        following(request_ids=RequestIds.NEW_PER_PACKET)),
    variant("client-repeats-requests", "Each request is sent twice.", following(requests=Requests.REPEATED)),
    variant("client-repeats-with-new-ids", "Each request is sent twice, each time with an id of its own.",
        following(requests=Requests.REPEATED, request_ids=RequestIds.NEW_PER_PACKET)),
    variant("client-fails-at-once", "An event that sends nothing reports failure.",
        following(completion_at_once=CompletionAtOnce.FAILURE)),
    variant("client-forgetful", "A reply that is not stored is no success.",
        following(nothing_stored=NothingStored.FAILURE)),
    variant("client-forgetful-of-replies-alone", "A reply that is not stored is no success; its network stays known.",
        following(nothing_stored=NothingStored.FAILURE_REMEMBERING)),
    variant("client-keeps-lists-at-own-site",
        "A reply from the own site on the last network leaves the lists as they were.",
        following(local_reply_on_last_network=LocalReplyOnLastNetwork.LISTS_UNCHANGED)),
    variant("client-keeps-networks-with-nothing-stored",
        "An event that succeeds with nothing stored leaves the networks as they were.",
        following(nothing_stored=NothingStored.NETWORKS_UNCHANGED)),
    variant("client-without-network-waits", "Without networks it never completes.",
        following(no_network=NoNetwork.NEVER_COMPLETES)),
    variant("client-wants-a-list", "A reply from the own site alone is a failure.",
        following(local_reply_alone=LocalReplyAlone.FAILURE)),
    variant("client-lists-empty-names", "An item without a name is listed.", following(short_item=ShortItem.LISTED)),
    variant("client-literal", "It follows the text word by word.", following(LITERAL)),
    variant("client-sensible", "It follows the evident purpose of the text.", following(SENSIBLE)),
)  # fmt: skip

MUTANTS = (
    *playing(
        RoleName.DISCOVERY_CLIENT,
        CLIENT_FAULTS.values(),
        lambda row: partial(_OtherRules, going_by(row.breaks, row.rule)),
    ),
    *playing(RoleName.DISCOVERY_CLIENT, (*_FAULTY, *_CONFORMING), lambda row: row.rule),
)
