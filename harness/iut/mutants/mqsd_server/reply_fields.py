"""Faulty discovery servers: the fields of a reply but its server list (MS-MQSD 2.2.1, 2.2.3, 3.2.5.1)."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count

from mqconform.harness.iut.mutants.mqsd_server.answering_server import (
    STEPS,
    AnsweringServer,
    ServerFactory,
    answering,
    reading,
    right_replies,
    server,
    spoiling,
    spoilt,
    spoilt_with_list,
)
from mqconform.harness.iut.mutants.mqsd_server.reply_parts import Asked, ReplyParts, big, little
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.reference.mqsd.guid import Guid, guid_text, text_order
from mqconform.reference.mqsd.messages import REQUEST
from mqconform.reference.mqsd.server import Network
from mqconform.reference.mqsd.specification import FACTS

TYPE = ("MQSD-2.2.1-07", "MQSD-2.2.1-05")
HEADER = ("MQSD-2.2.1-01", "MQSD-2.2.1-02", "MQSD-2.2.1-08", "MQSD-2.2.3-01", "MQSD-2.2.3-02")
CORRELATION = ("MQSD-2.2.3-03", "MQSD-2.2.2-05", "MQSD-3.2.5.1-04")


def _header(name: str, says: str, header: bytes, breaks: tuple[str, ...]) -> Mutant:
    return server(name, says, spoilt(lambda parts: replace(parts, header=header)), breaks)


def _correlation(name: str, says: str, id_for: Callable[[Asked], bytes]) -> Mutant:
    make = spoilt(lambda parts: replace(parts, correlation_id=id_for(parts.asked)))
    return server(name, says, make, CORRELATION)


def _ids_one_late() -> AnsweringServer:
    ids = deque([bytes(16)])  # of all configurations, as in the next function

    def late(parts: ReplyParts) -> ReplyParts:
        ids.append(parts.asked.request_id)
        return replace(parts, correlation_id=ids.popleft())

    return AnsweringServer(spoiling(late))


def _ids_of_its_own() -> AnsweringServer:
    numbers = count(1)
    return AnsweringServer(spoiling(lambda parts: replace(parts, correlation_id=next(numbers).to_bytes(16, "big"))))


OF_HEADERS = (
    _header("type-of-a-request", "A reply is of Type 1.", b"\0\1\0\0", TYPE),
    _header("type-in-first-octet", "Version and Type have changed places.", b"\2\0\0\0", TYPE),
    _header("header-left-out", "A reply begins with its CorrelationID.", b"", HEADER),
    _header("header-without-version", "A header has no Version.", b"\2\0\0", HEADER),
    _header("header-padded-to-eight", "Reserved has six octets.", b"\0\2" + bytes(6), HEADER),
    server(
        "reply-ends-behind-id",
        "A reply consists of its header and CorrelationID.",
        spoilt(lambda parts: replace(parts, count=b"", mask=b"", size=b"", networks=(), site=b"", array=b"")),
        ("MQSD-2.2.3-04", "MQSD-2.2.3-07", "MQSD-2.2.3-10"),
    ),
    _correlation("id-constant", "All replies carry one CorrelationID.", lambda _: b"mqconform mutant"),
    _correlation("id-zero", "The CorrelationID stays empty.", lambda _: bytes(16)),
    _correlation("id-in-text-order", "The id is sent as its text reads.", lambda asked: text_order(asked.request_id)),
    _correlation("id-backwards", "The octets of the id are turned round.", lambda asked: asked.request_id[::-1]),
    _correlation("id-half", "Half of the id is copied.", lambda asked: asked.request_id[:8] + bytes(8)),
    _correlation(
        "id-of-seven-bits",
        "The highest bit of each octet of the id is lost.",
        lambda asked: bytes(octet & 0x7F for octet in asked.request_id),
    ),
    _correlation("id-is-site", "SiteID is copied in place of RequestID.", lambda asked: asked.site),
    _correlation(
        "id-is-enterprise",
        "EnterpriseID is copied in place of RequestID.",
        lambda asked: asked.request[FACTS.enterprise_id],
    ),
    server("id-of-the-previous", "A reply carries the id of the request before.", _ids_one_late, CORRELATION),
    _correlation(
        "id-of-the-first",
        "Every reply carries the id of the first request.",
        lambda asked: asked.requests[0].request_id,  # over UDP a reply to the first request is a late one to all others
    ),
    server("id-of-its-own", "The server makes up ids of its own.", _ids_of_its_own, CORRELATION),
)


RANGE, LENGTH = ("MQSD-2.2.3-06",), ("MQSD-2.2.3-15",)
"""What a wrong count violates as well: its range at the edges, and the length that it gives the array."""
COUNT = ("MQSD-2.2.3-05", "MQSD-3.2.5.1-06")
NETWORKS = ("MQSD-3.2.5.1-05", "MQSD-2.2.3-16", "MQSD-2.2.3-14")
ORDER = ("MQSD-2-01",)
MASK = ("MQSD-2.2.3-08", "MQSD-3.2.5.1-07")
MASK_OVER_IPX = ("MQSD-2.2.3-09", "MQSD-3.2.5.1-08", "MQSD-3.2.5.1-09")


def without_networks(behind_id: bytes) -> ServerFactory:
    """Return the factory of a server that answers even where it has no networks to list (register SD-21)."""

    def answer(asked: Asked) -> list[bytes]:
        if asked.is_request and not asked.server.connected_networks:
            return [b"\0\2\0\0" + asked.request_id + behind_id]
        return right_replies(asked)

    return answering(answer)


def beyond_32_networks(choose: Callable[[tuple[bytes, ...]], tuple[int, tuple[bytes, ...]]]) -> ServerFactory:
    """Return the factory of a server that answers with a count and networks where it has more than 32 (SD-21)."""

    def answer(asked: Asked) -> list[bytes]:
        networks = tuple(bytes(network) for network in asked.server.connected_networks)
        if not asked.is_request or len(networks) <= FACTS.max_connected_networks:
            return right_replies(asked)
        count, listed = choose(networks)
        fixed = b"\0\2\0\0" + asked.request_id + little(count) + bytes(8)
        return [fixed + b"".join(listed)]

    return answering(answer)


def sending_networks(pick: Callable[[tuple[bytes, ...]], Iterable[bytes]]) -> ServerFactory:
    """Return the factory of a server that sends other networks, and counts them rightly."""
    return spoilt(lambda parts: parts.with_networks(pick(parts.networks)))


def _count(name: str, says: str, count: Callable[[int], int], breaks: tuple[str, ...] = COUNT) -> Mutant:
    make = spoilt(lambda parts: replace(parts, count=little(count(len(parts.networks)))))
    return server(name, says, make, breaks)


def _networks(name: str, says: str, pick: Callable[[tuple[bytes, ...]], tuple[bytes, ...]]) -> Mutant:
    return server(name, says, sending_networks(pick), NETWORKS)


def _octets(name: str, says: str, change: Callable[[bytes], bytes]) -> Mutant:
    return server(name, says, sending_networks(lambda all_: map(change, all_)), ORDER)


def _mask_over_ipx(name: str, says: str, mask: Callable[[int], int]) -> Mutant:
    def spoil(parts: ReplyParts) -> ReplyParts:
        return replace(parts, mask=little(mask(len(parts.networks)))) if parts.over_ipx else parts

    return server(name, says, spoilt(spoil), MASK_OVER_IPX)


def _sticky_mask(parts: ReplyParts) -> ReplyParts:
    over_ipx = any(request.network is Network.IPX for request in parts.asked.requests)
    return parts.with_all_mask_bits() if over_ipx else parts


def _site_among_networks(parts: ReplyParts) -> ReplyParts:
    return parts.with_networks((*parts.networks[:31], bytes(parts.asked.server.site)))


def _as_text(parts: ReplyParts) -> ReplyParts:
    return replace(parts, networks=tuple(guid_text(Guid(network)).encode() for network in parts.networks))


OF_NETWORKS = (
    _count("count-one-more", "The count is one too high.", lambda n: n + 1),
    _count("count-one-less", "The count is one too low.", lambda n: n - 1),
    _count("count-zero", "The count stays zero.", lambda _: 0, (*COUNT, *RANGE)),
    _count("count-one", "The count is always one.", lambda _: 1),
    _count("count-in-octets", "The count counts octets.", lambda n: 16 * n),
    server(
        "count-big-endian",
        "The count has its high octet first.",
        spoilt(lambda parts: replace(parts, count=big(parts.count))),
        ("MQSD-2.2.3-04",),
    ),
    server(
        "count-before-cut",
        "At most 16 networks are sent, but all are counted.",
        spoilt(lambda parts: replace(parts, networks=parts.networks[:16])),
        (*COUNT, *NETWORKS),
    ),
    _networks("first-network-only", "Only the first network is sent.", lambda all_: all_[:1]),
    _networks("last-network-only", "Only the last network is sent.", lambda all_: all_[-1:]),
    server(
        "cut-without-networks", "Without networks, a reply ends one octet early.", without_networks(bytes(11)), RANGE
    ),
    server("two-of-no-networks", "Without networks, two are counted.", without_networks(little(2) + bytes(8)), RANGE),
    _networks(
        "networks-by-first-8",
        "Networks that agree in their first 8 octets count as one.",
        lambda all_: tuple({network[:8]: network for network in all_}.values()),
    ),
    server(
        "network-added",
        "A network of another server is sent as well.",
        sending_networks(lambda all_: (*all_, bytes(range(16)))),
        NETWORKS,
    ),
    server(
        "count-modulo-32",
        "Above 32 networks all are sent, and the count begins anew.",
        beyond_32_networks(lambda networks: (len(networks) % 32, networks)),
        RANGE,
    ),
    _networks("31-networks-at-most", "The 32nd network is dropped.", lambda all_: all_[:31]),
    _networks("first-network-repeated", "The first network stands in for all.", lambda all_: all_[:1] * len(all_)),
    server("site-among-networks", "The server's site is sent as a network.", spoilt(_site_among_networks), NETWORKS),
    _octets("networks-in-text-order", "Networks are sent as their text reads.", text_order),
    _octets("networks-backwards", "The octets of networks are turned round.", lambda network: network[::-1]),
    server(
        "networks-as-text", "Networks are sent as text of 36 characters.", spoilt(_as_text), (*LENGTH, "MQSD-2.2.3-14")
    ),
    server("mask-over-ip", "The mask is set over IP as over IPX.", spoilt(ReplyParts.with_all_mask_bits), MASK),
    server("mask-sticks", "Bits of the mask, once set, stay.", spoilt(_sticky_mask), MASK),
    _mask_over_ipx("mask-zero-over-ipx", "The mask is zero over IPX as over IP.", lambda _: 0),
    _mask_over_ipx("mask-one-bit-short", "The mask lacks the bit of the last network.", lambda n: (1 << n >> 1) - 1),
    _mask_over_ipx("mask-one-bit-more", "The mask has one bit too many.", lambda n: (2 << n) - 1),
    _mask_over_ipx("mask-is-the-count", "The mask is the number of networks.", lambda n: n),
)


SITE = ("MQSD-2.2.3-17", "MQSD-3.2.5.1-12")
ABSENT = ("MQSD-2.2.3-13", "MQSD-2.2.3-18", "MQSD-3.2.5.1-11")
SIZE_ZERO = ("MQSD-2.2.3-12", "MQSD-3.2.5.1-10")
SIZE = ("MQSD-2.2.3-11", "MQSD-3.2.5.1-14")


def _taking_for(site_for: Callable[[Asked], bytes]) -> ServerFactory:
    """Return the factory of a server that takes clients for ones of another site."""
    return reading(lambda asked: REQUEST["SiteID"].put(asked.request, site_for(asked)))


def _own(asked: Asked) -> bytes:
    return bytes(asked.server.site)


def _foreign(asked: Asked) -> bytes:
    return bytes(octet ^ 0xFF for octet in asked.server.site)


def _of_first_client(asked: Asked) -> bytes:
    return asked.requests[0].site if asked.is_request else asked.site


def _compares(name: str, says: str, octets: slice) -> Mutant:
    make = _taking_for(lambda asked: _own(asked) if asked.site[octets] == _own(asked)[octets] else asked.site)
    return server(name, says, make, ("MQSD-3.2.5.1-12",))


def _site(name: str, says: str, site_in: Callable[[ReplyParts], bytes]) -> Mutant:
    return server(name, says, spoilt_with_list(lambda parts: replace(parts, site=site_in(parts))), SITE)


def _own_site(name: str, says: str, spoil: Callable[[ReplyParts], ReplyParts], breaks: tuple[str, ...]) -> Mutant:
    make = spoilt(lambda parts: spoil(parts) if parts.asked.of_own_site else parts)
    return server(name, says, make, breaks)  # octets behind the last field are a field more


def _size(name: str, says: str, size_of: Callable[[ReplyParts], int]) -> Mutant:
    make = spoilt_with_list(lambda parts: replace(parts, size=little(size_of(parts))))
    return server(name, says, make, SIZE)


OF_SITES = (
    server(
        "list-for-everybody",
        "Clients of the server's own site get its list as well.",
        _taking_for(_foreign),
        (*SIZE_ZERO, *ABSENT),
    ),
    server("list-for-nobody", "No client gets the list.", _taking_for(_own), (*SITE, "MQSD-3.2.5.1-13")),
    server(
        "sites-the-other-way-round",
        "Clients of the own site get the list, those of other sites do not.",
        _taking_for(lambda asked: _foreign(asked) if asked.of_own_site else _own(asked)),
        (*SITE, *SIZE_ZERO),
    ),
    _compares("site-by-first-4", "Sites are compared by their first 4 octets.", slice(0, 4)),
    _compares("site-by-first-8", "Sites are compared by their first 8 octets.", slice(0, 8)),
    _compares("site-by-first-15", "The last octet of a site is not compared.", slice(0, 15)),
    _compares("site-without-first-4", "The first 4 octets of a site are not compared.", slice(4, 16)),
    server(
        "site-without-octet-11",
        "One octet of a site is not compared.",
        _taking_for(lambda asked: asked.site[:11] + _own(asked)[11:12] + asked.site[12:]),
        ("MQSD-3.2.5.1-12",),
    ),
    server(
        "zero-site-is-own",
        "A client without a site is taken for one of the own site.",
        _taking_for(lambda asked: asked.site if any(asked.site) else _own(asked)),
        ("MQSD-3.2.5.1-12",),
    ),
    server(
        "site-of-the-first-client-decides",
        "All clients count as of the first one's site.",
        _taking_for(_of_first_client),
        STEPS,
    ),
    _site("site-left-out", "RespondingSiteID is left out.", lambda _: b""),
    _site("site-of-the-client", "RespondingSiteID is the client's site.", lambda parts: parts.asked.site),
    _site("site-zero", "RespondingSiteID stays empty.", lambda _: bytes(16)),
    _site(
        "site-is-enterprise", "RespondingSiteID is the enterprise.", lambda parts: bytes(parts.asked.server.enterprise)
    ),
    _site("site-in-text-order", "RespondingSiteID is sent as its text reads.", lambda parts: text_order(parts.site)),
    server(
        "site-before-networks",
        "RespondingSiteID stands in front of the networks.",
        spoilt(lambda parts: replace(parts, networks=(parts.site, *parts.networks), site=b"")),
        (*SITE, *NETWORKS),
    ),
    _own_site(
        "site-for-own-site",
        "Clients of the own site get RespondingSiteID.",
        lambda parts: replace(parts, behind=_own(parts.asked)),
        ABSENT,
    ),
    _own_site(
        "zeros-for-own-site",
        "Clients of the own site get an empty RespondingSiteID.",
        lambda parts: replace(parts, behind=bytes(16)),
        ABSENT,
    ),
    _own_site(
        "empty-list-for-own-site",
        "Clients of the own site get a list that is just its terminator.",
        lambda parts: replace(parts, size=little(2), behind=_own(parts.asked) + bytes(2)),
        (*SIZE_ZERO, *ABSENT),
    ),
    _own_site(
        "size-for-own-site",
        "Clients of the own site get the size of a list that is not sent.",
        lambda parts: replace(parts, size=little(2)),
        SIZE_ZERO,
    ),
    server(
        "size-big-endian",
        "The size has its high octet first.",
        spoilt(lambda parts: replace(parts, size=big(parts.size))),
        ("MQSD-2.2.3-10",),
    ),
    _size("size-in-characters", "The size counts characters.", lambda parts: len(parts.array) // 2),
    _size("size-with-site", "The size counts RespondingSiteID as well.", lambda parts: len(parts.array) + 16),
    _size("size-zero", "The size stays zero although a list is sent.", lambda _: 0),
    _size("size-of-one-octet", "The size is cut to one octet.", lambda parts: len(parts.array) % 256),
    _size("size-two-more", "The size counts a second terminator.", lambda parts: len(parts.array) + 2),
    _size("size-is-the-number-of-names", "The size counts names.", lambda parts: len(parts.servers)),
)


MUTANTS = (*OF_HEADERS, *OF_NETWORKS, *OF_SITES)
