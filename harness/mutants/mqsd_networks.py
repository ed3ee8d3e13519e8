"""Faulty discovery servers: connected networks, their count and their mask (MS-MQSD 2.2.3, 3.2.5.1)."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.mutants.mqsd_conforming import EmptyList
from mqconform.harness.mutants.mutant import STEPS, Mutant, SpoilingServer, spoilt
from mqconform.harness.mutants.reply_parts import ReplyParts, Spoil, big, little, text_order
from mqconform.reference.mqsd.guid import guid_text
from mqconform.reference.mqsd.packets import Guid
from mqconform.reference.mqsd.server import Network

COUNT = ("MQSD-2.2.3-05", "MQSD-3.2.5.1-06")
COUNTED = ("MQSD-2.2.3-06", "MQSD-2.2.3-15")
"""What a wrong count violates as well: its range at the edges, and the length that it gives the array."""
NETWORKS = ("MQSD-3.2.5.1-05", "MQSD-2.2.3-16", "MQSD-2.2.3-14")
ORDER = ("MQSD-2-01",)
MASK = ("MQSD-2.2.3-08", "MQSD-3.2.5.1-07")
MASK_OVER_IPX = ("MQSD-2.2.3-09", "MQSD-3.2.5.1-08", "MQSD-3.2.5.1-09")
BITS = "MQSD-2.2.3-07"


def _count(name: str, says: str, count: Callable[[int], int], *breaks: str, also: tuple[str, ...] = COUNTED) -> Mutant:
    server = spoilt(lambda parts: replace(parts, count=little(count(len(parts.networks)))))
    return Mutant(name, says, server, (*COUNT, *breaks), (STEPS, *also))


def _networks(name: str, says: str, pick: Callable[[tuple[bytes, ...]], tuple[bytes, ...]], *also: str) -> Mutant:
    server = spoilt(lambda parts: parts.with_networks(pick(parts.networks)))
    return Mutant(name, says, server, NETWORKS, (STEPS, *also))


def _without(name: str, says: str, behind_id: bytes) -> Mutant:
    return Mutant(name, says, lambda: EmptyList(lambda head, _: head + behind_id, of_networks=True), COUNTED[:1])


def _mask(name: str, says: str, mask: Callable[[int], int], over: Network) -> Mutant:
    def spoil(parts: ReplyParts) -> ReplyParts:
        if parts.asked.network is not over:
            return parts
        return replace(parts, mask=little(mask(len(parts.networks))))

    if over is Network.IP:
        return Mutant(name, says, spoilt(spoil), MASK, (STEPS, BITS))
    return Mutant(name, says, spoilt(spoil), MASK_OVER_IPX, (STEPS,))


def _counted_before_cut(parts: ReplyParts) -> ReplyParts:
    return replace(parts, networks=parts.networks[:16])


def _site_among_networks(parts: ReplyParts) -> ReplyParts:
    return parts.with_networks((*parts.networks[:31], bytes(parts.asked.server.site)))


def _as_text(parts: ReplyParts) -> ReplyParts:
    return replace(parts, networks=tuple(guid_text(Guid(one)).encode() for one in parts.networks))


def _of(change: Callable[[bytes], bytes]) -> Spoil:
    return lambda parts: parts.with_networks(change(one) for one in parts.networks)


class StickyMask(SpoilingServer):
    """Keeps the bits that it once set."""

    def __init__(self) -> None:
        self._bits = 0
        super().__init__(spoil=self._with_bits)

    def reset(self) -> None:
        """Start afresh."""
        super().reset()
        self._bits = 0

    def _with_bits(self, parts: ReplyParts) -> ReplyParts:
        self._bits |= int.from_bytes(parts.mask, "little")
        return replace(parts, mask=little(self._bits))


MUTANTS = (
    _count("count-one-more", "The count is one too high.", lambda n: n + 1),
    _count("count-one-less", "The count is one too low.", lambda n: n - 1),
    _count("count-zero", "The count stays zero.", lambda _: 0, "MQSD-2.2.3-06"),
    _count("count-one", "The count is always one.", lambda _: 1, also=("MQSD-2.2.3-15",)),
    _count("count-in-octets", "The count counts octets.", lambda n: 16 * n),
    Mutant(
        "count-big-endian",
        "The count has its high octet first.",
        spoilt(lambda parts: replace(parts, count=big(parts.count))),
        ("MQSD-2.2.3-04",),
        (STEPS, *COUNT, *COUNTED),
    ),
    Mutant(
        "count-before-cut",
        "At most 16 networks are sent, but all are counted.",
        spoilt(_counted_before_cut),
        (*COUNT, *NETWORKS),
        (STEPS, "MQSD-2.2.3-15"),
    ),
    _networks("first-network-only", "Only the first network is sent.", lambda all_: all_[:1]),
    _networks("last-network-only", "Only the last network is sent.", lambda all_: all_[-1:]),
    _without("cut-without-networks", "Without networks, a reply ends one octet early.", bytes(11)),
    _without("two-of-no-networks", "Without networks, two are counted.", little(2) + bytes(8)),
    _networks("31-networks-at-most", "The 32nd network is dropped.", lambda all_: all_[:31]),
    _networks("first-network-repeated", "The first network stands in for all.", lambda all_: all_[:1] * len(all_)),
    Mutant(
        "site-among-networks",
        "The server's site is sent as a network.",
        spoilt(_site_among_networks),
        NETWORKS,
        (STEPS,),
    ),
    Mutant(
        "networks-in-text-order",
        "Networks are sent as their text reads.",
        spoilt(_of(text_order)),
        ORDER,
        (STEPS, *NETWORKS),
    ),
    Mutant(
        "networks-backwards",
        "The octets of networks are turned round.",
        spoilt(_of(lambda one: one[::-1])),
        ORDER,
        (STEPS, *NETWORKS),
    ),
    Mutant(
        "networks-as-text",
        "Networks are sent as text of 36 characters.",
        spoilt(_as_text),
        ("MQSD-2.2.3-15", "MQSD-2.2.3-14"),
        ("MQSD-2.2.3", "MQSD-3.2.5.1"),
    ),
    _mask("mask-over-ip", "The mask is set over IP as over IPX.", lambda n: (1 << n) - 1, Network.IP),
    Mutant("mask-sticks", "Bits of the mask, once set, stay.", StickyMask, MASK),
    _mask("mask-zero-over-ipx", "The mask is zero over IPX as over IP.", lambda _: 0, Network.IPX),
    _mask(
        "mask-one-bit-short", "The mask lacks the bit of the last network.", lambda n: (1 << n >> 1) - 1, Network.IPX
    ),
    _mask("mask-one-bit-more", "The mask has one bit too many.", lambda n: (2 << n) - 1, Network.IPX),
    _mask("mask-is-the-count", "The mask is the number of networks.", lambda n: n, Network.IPX),
)
