"""Discovery clients unlike the reference that do not violate anything (MS-MQSD 3.1).

They conform in the default profile; the readings that those follow which are not settled are inconclusive there.
"""

from typing import Any

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mqsd_client.altered_client import client, following
from mqconform.harness.iut.mutants.mutant import Mutant, altered
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.iut.reference_iut.method_not_found import MethodNotFound
from mqconform.reference.mqsd.client import LITERAL, SENSIBLE
from mqconform.reference.mqsd.client.readings_of_events import (
    CompletionAtOnce,
    EventWhileRunning,
    LaterEvent,
    NetworkAddresses,
    NoNetwork,
    RequestIds,
    Requests,
)
from mqconform.reference.mqsd.client.readings_of_replies import (
    ForeignThenLocal,
    HeaderNotZero,
    LesserError,
    NothingStored,
    WaitAfterForeignReply,
)


def _no_state(_: ReferenceDiscoveryClient) -> Json:
    raise MethodNotFound("discovery_client.state")


def _reading(name: str, says: str, *, settled: bool = True, **choices: Any) -> Mutant:
    return client(name, says, following(**choices), settled=settled)


MUTANTS = (
    _reading(
        "client-two-packets-after-success",
        "An event after a success asks the networks again, each twice.",
        later_event=LaterEvent.NEW_DISCOVERY,
    ),
    _reading(
        "client-one-packet-after-success",
        "An event after a success asks the networks again, each once.",
        later_event=LaterEvent.NEW_DISCOVERY,
        network_addresses=NetworkAddresses.LIST_REBUILT,
    ),
    _reading(
        "client-new-networks-added", "Only new networks are added.", network_addresses=NetworkAddresses.NEW_ONES_ADDED
    ),
    _reading(
        "client-15-seconds-in-all",
        "A reply does not begin the wait anew.",
        wait_after_foreign_reply=WaitAfterForeignReply.IN_ALL,
    ),
    _reading(
        "client-foreign-list-not-installed",
        "A reply from the own site leaves the server list alone.",
        foreign_then_local=ForeignThenLocal.LIST_UNCHANGED,
    ),
    _reading(
        "client-no-network-fails-late",
        "Without networks it fails after a wait.",
        no_network=NoNetwork.FAILURE_AFTER_WAIT,
    ),
    _reading(
        "client-lenient-in-lesser-errors",
        "Replies with lesser errors are processed.",
        lesser_error=LesserError.ACCEPTED,
    ),
    _reading("client-strict-in-headers", "Header fields have to be zero.", header_not_zero=HeaderNotZero.DISCARDED),
    _reading(
        "client-second-event-ignored",
        "An event during another is ignored.",
        event_while_running=EventWhileRunning.IGNORED,
    ),
    _reading(
        "client-second-event-queued", "An event during another waits.", event_while_running=EventWhileRunning.QUEUED
    ),
    _reading(
        "client-second-event-ends-both",
        "An event that ends at once ends the one in progress.",
        event_while_running=EventWhileRunning.ENDS_BOTH,
    ),
    client("client-shows-nothing", "It does not show its state.", altered(ReferenceDiscoveryClient, state=_no_state)),
    _reading(
        "client-new-id-per-packet",
        "Each request has an id of its own.",
        settled=False,
        request_ids=RequestIds.NEW_PER_PACKET,
    ),
    _reading("client-repeats-requests", "Each request is sent twice.", settled=False, requests=Requests.REPEATED),
    _reading(
        "client-fails-at-once",
        "An event that sends nothing reports failure.",
        settled=False,
        completion_at_once=CompletionAtOnce.FAILURE,
    ),
    _reading(
        "client-forgetful",
        "A reply that is not stored is no success.",
        settled=False,
        nothing_stored=NothingStored.FAILURE,
    ),
    client("client-literal", "It follows the text word by word.", following(LITERAL), settled=False),
    client("client-sensible", "It follows the evident purpose of the text.", following(SENSIBLE), settled=False),
)
