"""Clients that send wrong octets, or on the wrong networks (MS-MQSD 2.2.1, 2.2.2, 3.1.4.1, 3.1.5.1)."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mqsd_client.altered_client import (
    ALL,
    COURSE,
    DATAGRAMS,
    LISTS,
    ClientFactory,
    Reaction,
    client,
    instead_of,
    reacting,
)
from mqconform.harness.iut.mutants.mqsd_server.reply_parts import text_order
from mqconform.harness.iut.mutants.mutant import Mutant, altered
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.reference.mqsd.client import ClientState, ClockAdvanced, Complete, Effect, Event, Send
from mqconform.reference.mqsd.guid import Guid

ENTERPRISE, REQUEST_ID, SITE = slice(4, 20), slice(20, 36), slice(36, 52)
HEADER = ("MQSD-2.2.1-01", "MQSD-2.2.2-01", "MQSD-2.2.2-02")


def _sending_several(datagrams: Callable[[bytes], Sequence[bytes]]) -> ClientFactory:
    return instead_of(Send, lambda send: [replace(send, datagram=octets) for octets in datagrams(send.datagram)])


def _sending(change: Callable[[bytes], bytes]) -> ClientFactory:
    return _sending_several(lambda request: (change(request),))


def _with_field(field: slice, value: Callable[[bytes], bytes]) -> ClientFactory:
    return _sending(lambda request: request[: field.start] + value(request) + request[field.stop :])


def _octet(name: str, says: str, offset: int, value: int, breaks: tuple[str, ...], also: tuple[str, ...]) -> Mutant:
    return client(name, says, _with_field(slice(offset, offset + 1), lambda _: bytes([value])), breaks, also)


def _networks(
    name: str,
    says: str,
    choose: Callable[[list[Json]], list[Json]],
    breaks: tuple[str, ...],
    also: tuple[str, ...] = (*COURSE, *LISTS, *DATAGRAMS),
) -> Mutant:
    """Ask other networks than those that the client is connected to."""

    def configure(self: ReferenceDiscoveryClient, enterprise: str, site: str, networks: list[Json]) -> Json:
        return ReferenceDiscoveryClient.configure(self, enterprise, site, choose(networks))

    def change_networks(self: ReferenceDiscoveryClient, networks: list[Json]) -> Json:
        return ReferenceDiscoveryClient.change_networks(self, choose(networks))

    make = altered(ReferenceDiscoveryClient, configure=configure, change_networks=change_networks)
    return client(name, says, make, breaks, also)


def _same_guid(self: ReferenceDiscoveryClient, _: int) -> Guid:
    return ReferenceDiscoveryClient.new_guid(self, -self._requests_before)


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


def _to_all_at_once(reaction: Reaction) -> Reaction:
    if reaction.to_trigger and reaction.effects and isinstance(reaction.effects[0], Send):
        request = reaction.effects[0].datagram
        return reaction.doing(*(Send(network.address, request) for network in reaction.after.network_address_list))
    return reaction


def _before_start(reaction: Reaction) -> Reaction:
    before = reaction.before
    if isinstance(reaction.event, ClockAdvanced) and before.request_id is None and before.networks:
        request = bytes([0, 1, 0, 0]) + before.enterprise_identifier + bytes(16) + before.site_identifier
        return reaction.doing(Send(before.networks[0].address, request), *reaction.effects)
    return reaction


def _on_first_network(reaction: Reaction) -> Reaction:
    first = reaction.after.network_address_list[:1]
    effects = reaction.effects
    return reaction.doing(
        *(replace(sent, network=first[0].address) if isinstance(sent, Send) else sent for sent in effects)
    )


MUTANTS = (
    client(
        "client-greets-first",
        "An empty datagram goes before each request.",
        _sending_several(lambda request: (b"", request)),
        ("MQSD-2.1-01",),
        (*COURSE, *LISTS, "MQSD-2", "MQSD-3.1.3"),
    ),
    client(
        "client-two-datagrams",
        "The header of a request is a datagram of its own.",
        _sending_several(lambda request: (request[: ENTERPRISE.start], request[ENTERPRISE.start :])),
        ("MQSD-2.2-01",),
        (*COURSE, *LISTS, "MQSD-2", "MQSD-3.1.3"),
    ),
    client(
        "client-without-header",
        "A request begins with EnterpriseID.",
        _sending(lambda request: request[ENTERPRISE.start :]),
        ("MQSD-2.2.1-01", "MQSD-2.2.2-01"),
        ALL,
    ),
    client(
        "client-wide-version",
        "Version takes two octets, which moves all that follows.",
        _sending(lambda request: b"\0" + request),
        ("MQSD-2.2.1-08", "MQSD-2.2.2-02"),
        ALL,
    ),
    client(
        "client-type-first",
        "Type stands before Version.",
        _sending(lambda request: request[1::-1] + request[2:]),
        ("MQSD-2.2.1-02", "MQSD-2.2.1-05"),
        (*HEADER, "MQSD-2.2.1-03", "MQSD-2.2.1-06"),
    ),
    _octet("client-version-1", "A request has Version 1.", 0, 1, ("MQSD-2.2.1-03",), (*HEADER, "MQSD-2.2.1-02")),
    _octet("client-type-2", "A request has Type 2.", 1, 2, ("MQSD-2.2.1-06",), (*HEADER, "MQSD-2.2.1-05")),
    _octet("client-reserved-1", "A request has Reserved 256.", 3, 1, ("MQSD-2.2.1-09",), (*HEADER, "MQSD-2.2.1-08")),
    client(
        "client-ipx-fields",
        "A request over IP has IPX fields.",
        _sending(lambda request: request + bytes([1, 0, 0, 0, 7, 0, 0, 0])),
        ("MQSD-2.2.2-09", "MQSD-2.2.2-12"),
        ("MQSD-2.2.2-08",),
    ),
    client(
        "client-cut-request",
        "A request lacks the last octet of SiteID.",
        _sending(lambda request: request[: SITE.stop - 1]),
        ("MQSD-2.2.2-06",),
        ("MQSD-2", "MQSD-3.1.3-01", "MQSD-3.1.4.1-07", "MQSD-3.1.5.1-04"),
    ),
    client(
        "client-later-request-cut",
        "The requests of later events lack the last octet of SiteID.",
        _CutsLaterRequests,
        ("MQSD-2.2.2-06", "MQSD-2.2.2-04"),
        ("MQSD-3.1.4.1-07",),
    ),
    client(
        "client-wrong-enterprise",
        "A request has the site for the enterprise.",
        _with_field(ENTERPRISE, lambda request: request[SITE]),
        ("MQSD-2.2.2-03", "MQSD-3.1.3-01", "MQSD-3.1.5.1-04"),
        ("MQSD-2-01", "MQSD-3.1.5.1-04"),
    ),
    client(
        "client-enterprise-in-text-order",
        "EnterpriseID stands in the order of its text.",
        _with_field(ENTERPRISE, lambda request: text_order(request[ENTERPRISE])),
        ("MQSD-2-01",),
        ("MQSD-2.2.2-03", "MQSD-3.1.3-01", "MQSD-3.1.5.1-04"),
    ),
    client(
        "client-wrong-site",
        "A request has the enterprise for the site.",
        _with_field(SITE, lambda request: request[ENTERPRISE]),
        ("MQSD-2.2.2-06", "MQSD-3.1.5.1-04"),
        ("MQSD-3.1.5.1-04",),
    ),
    client(
        "client-request-id-in-text-order",
        "RequestID is sent in the order of its text and compared in the order of packets.",
        _with_field(REQUEST_ID, lambda request: text_order(request[REQUEST_ID])),
        ("MQSD-3.1.5.2-04", "MQSD-3.1.5.2-14"),
        (*COURSE, *LISTS),
    ),
    client(
        "client-one-request-id",
        "All events have one RequestID.",
        altered(ReferenceDiscoveryClient, new_guid=_same_guid),
        ("MQSD-3.1.4.1-07", "MQSD-2.2.2-04"),
        ("MQSD-2.2.2-04", "MQSD-3.1.4.1-01"),
    ),
    _networks(
        "client-first-network-only",
        "Only the first network is asked.",
        lambda networks: networks[:1],
        ("MQSD-3.1.4.1-04",),
    ),
    _networks(
        "client-last-network-left-out",
        "The last of several is not asked.",
        lambda networks: networks[:-1] or networks,
        ("MQSD-3.1.4.1-05",),
    ),
    client(
        "client-networks-of-the-start",
        "A network that is connected later is not asked.",
        altered(ReferenceDiscoveryClient, change_networks=lambda self, networks: {}),
        ("MQSD-3.1.4.1-04",),
        ("MQSD-3.1.4.1", "MQSD-3.1.5.1", "MQSD-3.1.6.1-06", "MQSD-3.1.7"),
    ),
    _networks(
        "client-skips-a-network",
        "The second network is skipped.",
        lambda networks: networks[:1] + networks[2:],
        ("MQSD-3.1.5.1-01",),
    ),
    _networks(
        "client-repeats-a-network",
        "The first network is asked twice.",
        lambda networks: networks[:1] + networks,
        ("MQSD-3.1.5.1-01",),
        (*COURSE, *LISTS, *DATAGRAMS, "MQSD-2.2.2-04"),
    ),
    _networks(
        "client-networks-reversed",
        "Networks are asked from last to first.",
        lambda networks: networks[::-1],
        ("MQSD-3.1.5.1-01",),
        (*COURSE, *DATAGRAMS),
    ),
    client(
        "client-all-networks-at-once",
        "All networks are asked at once.",
        reacting(_to_all_at_once),
        ("MQSD-3.1.4.1-10",),
        COURSE,
    ),
    client(
        "client-always-on-first-network",
        "Each request goes to the first network.",
        reacting(_on_first_network),
        ("MQSD-3.1.5.1-05",),
        (*COURSE, *LISTS, *DATAGRAMS),
    ),
    client(
        "client-sends-before-start",
        "It asks before it is told to.",
        reacting(_before_start),
        ("MQSD-3.1.4.1-10",),
        ("MQSD-3.1.2.1-01", "MQSD-3.1.2.1-03", "MQSD-3.1.3-02"),
    ),
)
