"""Discovery clients unlike the reference that do not violate anything (MS-MQSD 3.1).

They follow readings that the default profile passes.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec import structs

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mqsd_client.faulty import OtherClock
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.iut.role import MethodNotFound
from mqconform.reference.fault import altered, variant
from mqconform.reference.mqsd.client import LITERAL, SECOND, SENSIBLE, UNDISPUTED, Event, Readings
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


ROWS = (
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
