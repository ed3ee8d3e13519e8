"""Clients that send wrong octets (MS-MQSD 2.1, 2.2.1, 2.2.2)."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from mqconform.harness.iut.mutants.mqsd_client.altered_client import (
    ClientFactory,
    client,
    following,
    instead_of,
)
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.reference.mqsd.client import ClientState, Complete, Effect, Event, Send
from mqconform.reference.mqsd.client.readings_of_events import OwnSite
from mqconform.reference.mqsd.guid import text_order
from mqconform.reference.mqsd.messages import REQUEST, FieldRule

ENTERPRISE, SITE = REQUEST["EnterpriseID"], REQUEST["SiteID"]


def _sending_several(datagrams: Callable[[bytes], Sequence[bytes]]) -> ClientFactory:
    return instead_of(Send, lambda send: [replace(send, datagram=octets) for octets in datagrams(send.datagram)])


def _sending(change: Callable[[bytes], bytes]) -> ClientFactory:
    return _sending_several(lambda request: (change(request),))


def _with_field(field: FieldRule, value: Callable[[bytes], bytes]) -> ClientFactory:
    return _sending(lambda request: field.put(request, value(request)))


def _octet(name: str, says: str, offset: int, value: int, breaks: tuple[str, ...]) -> Mutant:
    change = _sending(lambda request: request[:offset] + bytes([value]) + request[offset + 1 :])
    return client(name, says, change, breaks)


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


MUTANTS = (
    client(
        "client-greets-first",
        "An empty datagram goes before each request.",
        _sending_several(lambda request: (b"", request)),
        ("MQSD-2.1-01",),
    ),
    client(
        "client-two-datagrams",
        "The header of a request is a datagram of its own.",
        _sending_several(lambda request: (request[: ENTERPRISE.offset], request[ENTERPRISE.offset :])),
        ("MQSD-2.2-01",),
    ),
    client(
        "client-without-header",
        "A request begins with EnterpriseID.",
        _sending(lambda request: request[ENTERPRISE.offset :]),
        ("MQSD-2.2.1-01", "MQSD-2.2.2-01"),
    ),
    client(
        "client-wide-version",
        "Version takes two octets, which moves all that follows.",
        _sending(lambda request: b"\0" + request),
        ("MQSD-2.2.1-08", "MQSD-2.2.2-02"),
    ),
    client(
        "client-type-first",
        "Type stands before Version.",
        _sending(lambda request: request[1::-1] + request[2:]),
        ("MQSD-2.2.1-02", "MQSD-2.2.1-05"),
    ),
    _octet("client-version-1", "A request has Version 1.", 0, 1, ("MQSD-2.2.1-03",)),
    _octet("client-type-2", "A request has Type 2.", 1, 2, ("MQSD-2.2.1-06",)),
    _octet("client-reserved-1", "A request has Reserved 256.", 3, 1, ("MQSD-2.2.1-09",)),
    client(
        "client-ipx-fields",
        "A request over IP has IPX fields.",
        _sending(lambda request: request + bytes([1, 0, 0, 0, 7, 0, 0, 0])),
        ("MQSD-2.2.2-09", "MQSD-2.2.2-12"),
    ),
    client(
        "client-ipx-count-alone",
        "A request over IP has an IPXNetworkCount that no network follows.",
        _sending(lambda request: request + bytes([5, 0, 0, 0])),
        ("MQSD-2.2.2-09",),
    ),
    client(
        "client-cut-request",
        "A request lacks the last octet of SiteID.",
        _sending(lambda request: request[: REQUEST.size - 1]),
        ("MQSD-2.2.2-06",),
    ),
    client(
        "client-later-request-cut",
        "The requests of later events lack the last octet of SiteID.",
        _CutsLaterRequests,
        ("MQSD-2.2.2-06",),
    ),
    client(
        "client-wrong-enterprise",
        "A request has the site for the enterprise.",
        _with_field(ENTERPRISE, lambda request: request[SITE.place]),
        ("MQSD-2.2.2-03", "MQSD-3.1.3-01", "MQSD-3.1.5.1-04"),
    ),
    client(
        "client-enterprise-in-text-order",
        "EnterpriseID stands in the order of its text.",
        _with_field(ENTERPRISE, lambda request: text_order(request[ENTERPRISE.place])),
        ("MQSD-2-01",),
    ),
    client(
        "client-wrong-site",
        "A request has the enterprise for the site.",
        _with_field(SITE, lambda request: request[ENTERPRISE.place]),
        ("MQSD-2.2.2-06", "MQSD-3.1.5.1-04"),
    ),
    client(
        "client-site-zero",
        "SiteID is zero although the client has a site.",
        following(own_site=OwnSite.UNSET),
        ("MQSD-2.2.2-06", "MQSD-3.1.5.1-04"),
    ),
)
