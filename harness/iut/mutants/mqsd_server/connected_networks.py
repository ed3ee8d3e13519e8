"""Faulty discovery servers: connected networks, their count and their mask (MS-MQSD 2.2.3, 3.2.5.1)."""

from collections.abc import Callable, Iterable
from dataclasses import replace

from mqconform.harness.iut.mutants.mqsd_server.answering_server import (
    STEPS,
    ServerFactory,
    answering,
    right_replies,
    server,
    spoilt,
)
from mqconform.harness.iut.mutants.mqsd_server.reply_parts import Asked, ReplyParts, big, little, text_order
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.reference.mqsd.guid import guid_text
from mqconform.reference.mqsd.packets import Guid
from mqconform.reference.mqsd.server import Network

RANGE, LENGTH = ("MQSD-2.2.3-06",), ("MQSD-2.2.3-15",)
"""What a wrong count violates as well: its range at the edges, and the length that it gives the array."""
COUNT = ("MQSD-2.2.3-05", "MQSD-3.2.5.1-06")
NETWORKS = ("MQSD-3.2.5.1-05", "MQSD-2.2.3-16", "MQSD-2.2.3-14")
ORDER = ("MQSD-2-01",)
MASK = ("MQSD-2.2.3-08", "MQSD-3.2.5.1-07")
MASK_OVER_IPX = ("MQSD-2.2.3-09", "MQSD-3.2.5.1-08", "MQSD-3.2.5.1-09")
BITS = ("MQSD-2.2.3-07",)


def without_networks(behind_id: bytes) -> ServerFactory:
    """Return the factory of a server that answers even where it has no networks to list (register SD-21)."""

    def answer(asked: Asked) -> list[bytes]:
        if asked.is_request and not asked.server.connected_networks:
            return [b"\0\2\0\0" + asked.request_id + behind_id]
        return right_replies(asked)

    return answering(answer)


def sending_networks(pick: Callable[[tuple[bytes, ...]], Iterable[bytes]]) -> ServerFactory:
    """Return the factory of a server that sends other networks, and counts them rightly."""
    return spoilt(lambda parts: parts.with_networks(pick(parts.networks)))


def _count(
    name: str,
    says: str,
    count: Callable[[int], int],
    breaks: tuple[str, ...] = COUNT,
    also: tuple[str, ...] = (*RANGE, *LENGTH),
) -> Mutant:
    make = spoilt(lambda parts: replace(parts, count=little(count(len(parts.networks)))))
    return server(name, says, make, breaks, (*STEPS, *also))


def _networks(name: str, says: str, pick: Callable[[tuple[bytes, ...]], tuple[bytes, ...]]) -> Mutant:
    return server(name, says, sending_networks(pick), NETWORKS, STEPS)


def _octets(name: str, says: str, change: Callable[[bytes], bytes]) -> Mutant:
    return server(name, says, sending_networks(lambda all_: map(change, all_)), ORDER, (*STEPS, *NETWORKS))


def _mask_over_ipx(name: str, says: str, mask: Callable[[int], int]) -> Mutant:
    def spoil(parts: ReplyParts) -> ReplyParts:
        return replace(parts, mask=little(mask(len(parts.networks)))) if parts.over_ipx else parts

    return server(name, says, spoilt(spoil), MASK_OVER_IPX, STEPS)


def _sticky_mask(parts: ReplyParts) -> ReplyParts:
    over_ipx = any(request.network is Network.IPX for request in parts.asked.requests)
    return parts.with_all_mask_bits() if over_ipx else parts


def _site_among_networks(parts: ReplyParts) -> ReplyParts:
    return parts.with_networks((*parts.networks[:31], bytes(parts.asked.server.site)))


def _as_text(parts: ReplyParts) -> ReplyParts:
    return replace(parts, networks=tuple(guid_text(Guid(network)).encode() for network in parts.networks))


MUTANTS = (
    _count("count-one-more", "The count is one too high.", lambda n: n + 1),
    _count("count-one-less", "The count is one too low.", lambda n: n - 1),
    _count("count-zero", "The count stays zero.", lambda _: 0, (*COUNT, *RANGE)),
    _count("count-one", "The count is always one.", lambda _: 1, also=LENGTH),
    _count("count-in-octets", "The count counts octets.", lambda n: 16 * n),
    server(
        "count-big-endian",
        "The count has its high octet first.",
        spoilt(lambda parts: replace(parts, count=big(parts.count))),
        ("MQSD-2.2.3-04",),
        (*STEPS, *COUNT, *RANGE, *LENGTH),
    ),
    server(
        "count-before-cut",
        "At most 16 networks are sent, but all are counted.",
        spoilt(lambda parts: replace(parts, networks=parts.networks[:16])),
        (*COUNT, *NETWORKS),
        (*STEPS, *LENGTH),
    ),
    _networks("first-network-only", "Only the first network is sent.", lambda all_: all_[:1]),
    _networks("last-network-only", "Only the last network is sent.", lambda all_: all_[-1:]),
    server(
        "cut-without-networks", "Without networks, a reply ends one octet early.", without_networks(bytes(11)), RANGE
    ),
    server("two-of-no-networks", "Without networks, two are counted.", without_networks(little(2) + bytes(8)), RANGE),
    _networks("31-networks-at-most", "The 32nd network is dropped.", lambda all_: all_[:31]),
    _networks("first-network-repeated", "The first network stands in for all.", lambda all_: all_[:1] * len(all_)),
    server(
        "site-among-networks", "The server's site is sent as a network.", spoilt(_site_among_networks), NETWORKS, STEPS
    ),
    _octets("networks-in-text-order", "Networks are sent as their text reads.", text_order),
    _octets("networks-backwards", "The octets of networks are turned round.", lambda network: network[::-1]),
    server(
        "networks-as-text",
        "Networks are sent as text of 36 characters.",
        spoilt(_as_text),
        (*LENGTH, "MQSD-2.2.3-14"),
        ("MQSD-2.2.3", "MQSD-3.2.5.1"),
    ),
    server(
        "mask-over-ip",
        "The mask is set over IP as over IPX.",
        spoilt(ReplyParts.with_all_mask_bits),
        MASK,
        (*STEPS, *BITS),
    ),
    server("mask-sticks", "Bits of the mask, once set, stay.", spoilt(_sticky_mask), MASK),
    _mask_over_ipx("mask-zero-over-ipx", "The mask is zero over IPX as over IP.", lambda _: 0),
    _mask_over_ipx("mask-one-bit-short", "The mask lacks the bit of the last network.", lambda n: (1 << n >> 1) - 1),
    _mask_over_ipx("mask-one-bit-more", "The mask has one bit too many.", lambda n: (2 << n) - 1),
    _mask_over_ipx("mask-is-the-count", "The mask is the number of networks.", lambda n: n),
)
