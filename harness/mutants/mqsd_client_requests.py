"""Clients that send wrong octets, or on the wrong networks (MS-MQSD 2.2.1, 2.2.2, 3.1.4.1, 3.1.5.1)."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from mqconform.harness.builtin.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.iut import Json
from mqconform.harness.mutants.mqsd_client_mutant import ClientFactory, ClientMutant, Reaction, doing, sending
from mqconform.reference.mqsd.client import (
    ClientState,
    ClockAdvanced,
    Complete,
    Effect,
    Event,
    GetDirectoryServerList,
    Send,
)
from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.request import REQUEST_SIZE

ENTERPRISE, REQUEST_ID, SITE = slice(4, 20), slice(20, 36), slice(36, 52)


class OneRequestId(ReferenceDiscoveryClient):
    """Has one RequestID for all its life."""

    def new_guid(self, request: int) -> Guid:
        """Return the same each time."""
        del request
        return super().new_guid(-self._requests_before)


class CutsLaterRequests(ReferenceDiscoveryClient):
    """Leaves out the last octet once an event has completed, so that only the first requests are whole."""

    _completed = False

    def react(self, client: ClientState, event: Event) -> Reaction:
        """Cut what is sent."""
        after, effects = super().react(client, event)
        cut = [replace(one, datagram=one.datagram[:-1]) if isinstance(one, Send) else one for one in effects]
        sent = cut if self._completed else effects
        self._completed = self._completed or any(isinstance(one, Complete) for one in effects)
        return after, sent

    def reset(self) -> None:
        """Become as freshly started."""
        self._completed = False
        super().reset()


class OtherNetworks(ReferenceDiscoveryClient):
    """Asks other networks than those it is connected to."""

    def __init__(self, choose: Callable[[list[Json]], list[Json]]) -> None:
        super().__init__()
        self._choose = choose

    def configure(self, enterprise: str, site: str, networks: list[Json]) -> Json:
        """Take over what it chooses."""
        return super().configure(enterprise, site, self._choose(networks))

    def change_networks(self, networks: list[Json]) -> Json:
        """Take over what it chooses."""
        return super().change_networks(self._choose(networks))


class FirstNetworks(ReferenceDiscoveryClient):
    """Asks the networks that it knew at the start for ever."""

    def change_networks(self, networks: list[Json]) -> Json:
        """Take no notice."""
        del networks
        return {}


def _in_datagrams(split: Callable[[bytes], Sequence[bytes]]) -> ClientFactory:
    """Return the factory of a client that sends several datagrams for each request."""

    def does(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
        del before, event
        sent: list[Effect] = []
        for one in effects:
            sent += [Send(one.network, part) for part in split(one.datagram)] if isinstance(one, Send) else [one]
        return after, sent

    return doing(does)


def _octet(offset: int, value: int) -> ClientFactory:
    return sending(lambda request: request[:offset] + bytes([value]) + request[offset + 1 :])


def _text_order(guid: bytes) -> bytes:
    return guid[3::-1] + guid[5:3:-1] + guid[7:5:-1] + guid[8:]


def _in_place(at: slice, change: Callable[[bytes], bytes]) -> ClientFactory:
    return sending(lambda request: request[: at.start] + change(request) + request[at.stop :])


def _over(choose: Callable[[list[Json]], list[Json]]) -> ClientFactory:
    return lambda: OtherNetworks(choose)


def _to_all_at_once(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    del before
    if isinstance(event, GetDirectoryServerList) and effects and isinstance(effects[0], Send):
        return after, [Send(one.address, effects[0].datagram) for one in after.network_address_list]
    return after, effects


def _before_start(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    if isinstance(event, ClockAdvanced) and before.request_id is None and before.networks:
        request = bytes([0, 1, 0, 0]) + before.enterprise_identifier + bytes(16) + before.site_identifier
        return after, [Send(before.networks[0].address, request), *effects]
    return after, effects


def _on_first_network(before: ClientState, event: Event, after: ClientState, effects: Sequence[Effect]) -> Reaction:
    del before, event
    first = after.network_address_list[:1]
    return after, [replace(one, network=first[0].address) if isinstance(one, Send) else one for one in effects]


MUTANTS = (
    ClientMutant(
        "client-greets-first",
        "An empty datagram goes before each request.",
        _in_datagrams(lambda request: (b"", request)),
        ("MQSD-2.1-01",),
    ),
    ClientMutant(
        "client-two-datagrams",
        "The header of a request is a datagram of its own.",
        _in_datagrams(lambda request: (request[: ENTERPRISE.start], request[ENTERPRISE.start :])),
        ("MQSD-2.2-01",),
    ),
    ClientMutant(
        "client-without-header",
        "A request begins with EnterpriseID.",
        sending(lambda request: request[ENTERPRISE.start :]),
        ("MQSD-2.2.1-01", "MQSD-2.2.2-01"),
    ),
    ClientMutant(
        "client-wide-version",
        "Version takes two octets, which moves all that follows.",
        sending(lambda request: b"\0" + request),
        ("MQSD-2.2.1-08", "MQSD-2.2.2-02"),
    ),
    ClientMutant(
        "client-type-first",
        "Type stands before Version.",
        sending(lambda request: request[1::-1] + request[2:]),
        ("MQSD-2.2.1-02", "MQSD-2.2.1-05"),
    ),
    ClientMutant("client-version-1", "A request has Version 1.", _octet(0, 1), ("MQSD-2.2.1-03",)),
    ClientMutant("client-type-2", "A request has Type 2.", _octet(1, 2), ("MQSD-2.2.1-06",)),
    ClientMutant("client-reserved-1", "A request has Reserved 256.", _octet(3, 1), ("MQSD-2.2.1-09",)),
    ClientMutant(
        "client-ipx-fields",
        "A request over IP has IPX fields.",
        sending(lambda request: request + bytes([1, 0, 0, 0, 7, 0, 0, 0])),
        ("MQSD-2.2.2-09", "MQSD-2.2.2-12"),
    ),
    ClientMutant(
        "client-cut-request",
        "A request lacks the last octet of SiteID.",
        sending(lambda request: request[: REQUEST_SIZE - 1]),
        ("MQSD-2.2.2-06",),
    ),
    ClientMutant(
        "client-later-request-cut",
        "The requests of later events lack the last octet of SiteID.",
        CutsLaterRequests,
        ("MQSD-2.2.2-06", "MQSD-2.2.2-04"),
    ),
    ClientMutant(
        "client-wrong-enterprise",
        "A request has the site for the enterprise.",
        _in_place(ENTERPRISE, lambda request: request[SITE]),
        ("MQSD-2.2.2-03", "MQSD-3.1.3-01", "MQSD-3.1.5.1-04"),
    ),
    ClientMutant(
        "client-enterprise-in-text-order",
        "EnterpriseID stands in the order of its text.",
        _in_place(ENTERPRISE, lambda request: _text_order(request[ENTERPRISE])),
        ("MQSD-2-01",),
    ),
    ClientMutant(
        "client-wrong-site",
        "A request has the enterprise for the site.",
        _in_place(SITE, lambda request: request[ENTERPRISE]),
        ("MQSD-2.2.2-06", "MQSD-3.1.5.1-04"),
    ),
    ClientMutant(
        "client-request-id-in-text-order",
        "RequestID is sent in the order of its text and compared in the order of packets.",
        _in_place(REQUEST_ID, lambda request: _text_order(request[REQUEST_ID])),
        ("MQSD-3.1.5.2-04", "MQSD-3.1.5.2-14"),
    ),
    ClientMutant(
        "client-one-request-id",
        "All events have one RequestID.",
        OneRequestId,
        ("MQSD-3.1.4.1-07", "MQSD-2.2.2-04"),
    ),
    ClientMutant(
        "client-first-network-only", "Only the first network is asked.", _over(lambda n: n[:1]), ("MQSD-3.1.4.1-04",)
    ),
    ClientMutant(
        "client-last-network-left-out",
        "The last of several is not asked.",
        _over(lambda n: n[:-1] or n),
        ("MQSD-3.1.4.1-05",),
    ),
    ClientMutant(
        "client-networks-of-the-start",
        "A network that is connected later is not asked.",
        FirstNetworks,
        ("MQSD-3.1.4.1-04",),
    ),
    ClientMutant(
        "client-skips-a-network",
        "The second network is skipped.",
        _over(lambda n: n[:1] + n[2:] if len(n) > 1 else n),
        ("MQSD-3.1.5.1-01",),
    ),
    ClientMutant(
        "client-repeats-a-network",
        "The first network is asked twice.",
        _over(lambda n: n[:1] + n),
        ("MQSD-3.1.5.1-01",),
    ),
    ClientMutant(
        "client-networks-reversed",
        "Networks are asked from last to first.",
        _over(lambda n: n[::-1]),
        ("MQSD-3.1.5.1-01",),
    ),
    ClientMutant(
        "client-all-networks-at-once", "All networks are asked at once.", doing(_to_all_at_once), ("MQSD-3.1.4.1-10",)
    ),
    ClientMutant(
        "client-always-on-first-network",
        "Each request goes to the first network.",
        doing(_on_first_network),
        ("MQSD-3.1.5.1-05",),
    ),
    ClientMutant(
        "client-sends-before-start", "It asks before it is told to.", doing(_before_start), ("MQSD-3.1.4.1-10",)
    ),
)
