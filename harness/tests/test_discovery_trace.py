"""Captured searches before the explainer: the cause of a deed is found wherever it may have been."""

from dataclasses import replace

import pytest

from mqconform.harness.iut.drivers.discovery_client.observations import Arrived, Done
from mqconform.harness.judge.mqsd_client.discovery_trace import MOST_DEEDS, explain_seen, seen_of_client
from mqconform.harness.tools.packets.pcap_messages import CapturedDatagram
from mqconform.reference.mqsd.client import (
    SECOND,
    Complete,
    DatagramReceived,
    Explanation,
    GetDirectoryServerList,
    NetworkAddress,
    Result,
    Send,
    ShownState,
    explanation_from,
    initialize,
)
from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.packets import TopologyClientRequest, TopologyServerReply, encode_reply, encode_request

ENTERPRISE, SITE, NETWORK, REQUEST_ID, OTHER_ID = (Guid(bytes([octet]) * 16) for octet in range(1, 6))
NETWORKS = {"192.0.2.10": "north", "198.51.100.10": "south"}
REQUEST = encode_request(TopologyClientRequest(ENTERPRISE, REQUEST_ID, SITE))
LOCAL = encode_reply(TopologyServerReply(REQUEST_ID, (NETWORK,)))
ROGUE = encode_reply(TopologyServerReply(OTHER_ID, (NETWORK,)))
SUCCESS = Complete(Result.SUCCESS)
FOUND: ShownState = {"valid_last_successful_network_address": True, "last_successful_network_address": "south"}


def start() -> Explanation:
    client = initialize(ENTERPRISE, SITE, [NetworkAddress("north"), NetworkAddress("south")])
    return explanation_from(client, tolerance=SECOND // 2)


def captured(seconds: float, source: str, destination: str, octets: bytes) -> CapturedDatagram:
    return CapturedDatagram(1, round(seconds * SECOND), source, destination, 1801, 1801, octets, complete=True)


ASKS_NORTH = captured(100, "192.0.2.10", "255.255.255.255", REQUEST)
NORTH_ANSWERS = captured(100.1, "192.0.2.1", "192.0.2.10", LOCAL)
ROGUE_ON_NORTH = captured(100.100001, "192.0.2.66", "192.0.2.10", ROGUE)
ASKS_SOUTH = captured(100.100002, "198.51.100.10", "255.255.255.255", REQUEST)
SOUTH_ANSWERS = captured(100.2, "198.51.100.1", "198.51.100.10", LOCAL)
SEARCH = [ASKS_NORTH, NORTH_ANSWERS, ROGUE_ON_NORTH, ASKS_SOUTH, SOUTH_ANSWERS]


def explained(datagrams: list[CapturedDatagram], ends: float, shown: ShownState = FOUND) -> Explanation:
    seen = seen_of_client(datagrams, NETWORKS)
    return explain_seen(start(), (*seen, Done(seen[0].at + round(ends * SECOND), SUCCESS, shown)))


def test_an_arrival_between_cause_and_deed_does_not_mislead_and_what_is_shown_at_the_end_counts() -> None:
    assert explained(SEARCH, 0.2001).holds
    assert not explained(SEARCH, 0.2001, {"valid_last_successful_network_address": False}).holds


def test_a_deed_without_cause_is_contradicted() -> None:
    alone = [one for one in SEARCH if one is not NORTH_ANSWERS]
    contradiction = explained(alone, 0.2001).contradiction
    assert contradiction
    assert contradiction.observation.effects == (Send("south", REQUEST),)


def test_the_end_of_a_wait_is_a_cause() -> None:
    later = [replace(one, time_ns=(one.time_ns or 0) + 15 * SECOND) for one in (ASKS_SOUTH, SOUTH_ANSWERS)]
    assert explained([ASKS_NORTH, *later], 15.2001).holds
    early = [replace(one, time_ns=(one.time_ns or 0) - 3 * SECOND) for one in later]
    assert not explained([ASKS_NORTH, *early], 12.2001).holds


def test_a_client_that_does_not_end_is_not_judged() -> None:
    turns = [
        replace(asks, time_ns=(asks.time_ns or 0) + SECOND * number)
        for number in range(MOST_DEEDS)
        for asks in (ASKS_NORTH, ASKS_SOUTH)
    ]
    with pytest.raises(ValueError, match="capture a single search"):
        explained(turns, 1000)


def test_it_begins_with_the_first_request() -> None:
    early = captured(99, "192.0.2.66", "192.0.2.10", ROGUE)
    seen = seen_of_client([early, *SEARCH], NETWORKS)
    assert [one.at for one in seen[:2]] == [100 * SECOND, 100 * SECOND]
    assert seen[1:3] == (
        Done(100 * SECOND, Send("north", REQUEST)),
        Arrived(round(100.1 * SECOND), DatagramReceived("north", LOCAL)),
    )


def test_a_capture_that_shows_too_little_is_refused() -> None:
    for datagram, told in [
        (NORTH_ANSWERS, "no datagram from 192.0.2.10, 198.51.100.10"),
        (replace(ASKS_NORTH, time_ns=None), "has no time"),
        (replace(ASKS_NORTH, complete=False), "is not whole"),
    ]:
        with pytest.raises(ValueError, match=told):
            seen_of_client([datagram], NETWORKS)


def test_the_end_of_a_wait_is_neither_early_nor_late(subtests: pytest.Subtests) -> None:
    for ends, holds in [(14.4, False), (14.6, True), (15.4, True), (15.6, False), (17, False)]:
        with subtests.test(ends=ends):
            north_again = captured(100 + ends, "198.51.100.10", "255.255.255.255", REQUEST)
            assert explain_seen(start(), seen_of_client([ASKS_NORTH, north_again], NETWORKS)).holds is holds


def test_a_search_that_ends_as_another_begins_is_one_deed() -> None:
    begun = Arrived(101 * SECOND, GetDirectoryServerList())
    again = REQUEST.replace(REQUEST_ID, OTHER_ID)
    done = [Complete(Result.FAILURE), Send("north", again)]
    seen = [*seen_of_client([ASKS_NORTH], NETWORKS), begun, Done(115 * SECOND, Send("south", REQUEST))]
    both = [Done(130 * SECOND + number, one) for number, one in enumerate(done)]
    assert explain_seen(start(), [*seen, *both]).holds
    assert not explain_seen(start(), [*seen, both[0], replace(both[1], at=140 * SECOND)]).holds


def test_a_request_repeated_with_another_id_is_answered_by_that_id() -> None:
    again = captured(100.05, "192.0.2.10", "255.255.255.255", REQUEST.replace(REQUEST_ID, OTHER_ID))
    answered = replace(NORTH_ANSWERS, octets=ROGUE)
    new_id = Guid(b"\6" * 16)
    south = [
        replace(ASKS_SOUTH, octets=REQUEST.replace(REQUEST_ID, new_id)),
        replace(SOUTH_ANSWERS, octets=LOCAL.replace(REQUEST_ID, new_id)),
    ]
    assert explained([ASKS_NORTH, again, answered, *south], 0.2001).holds
    assert not explained([ASKS_NORTH, again, NORTH_ANSWERS, *south], 0.2001).holds
