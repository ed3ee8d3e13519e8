"""Faulty discovery servers: whose site is whose, RespondingSiteID, and the size of the list (MS-MQSD 3.2.5.1)."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.mutants.mqsd_networks import NETWORKS
from mqconform.harness.mutants.mutant import STEPS, Mutant, SpoilingServer, reading, spoilt
from mqconform.harness.mutants.reply_parts import Asked, ReplyParts, big, little, text_order
from mqconform.reference.mqsd.server import SITE_ID

SITE = ("MQSD-2.2.3-17", "MQSD-3.2.5.1-12")
ABSENT = ("MQSD-2.2.3-13", "MQSD-2.2.3-18", "MQSD-3.2.5.1-11")
SIZE_ZERO = ("MQSD-2.2.3-12", "MQSD-3.2.5.1-10")
SIZE = ("MQSD-2.2.3-11", "MQSD-3.2.5.1-14")
LISTED = ("MQSD-2.2.3", "MQSD-3.2.5.1")
"""Where there is no list, whatever is required of its contents goes unfulfilled."""


def _as_of(asked: Asked, site: bytes) -> bytes:
    """Return the request as a client of another site would have sent it."""
    return asked.request[: SITE_ID.start] + site + asked.request[SITE_ID.stop :]


def _compares(name: str, says: str, octets: slice) -> Mutant:
    def taken(asked: Asked) -> bytes:
        own = bytes(asked.server.site)
        return _as_of(asked, own) if asked.site[octets] == own[octets] else asked.request

    return Mutant(name, says, reading(taken), ("MQSD-3.2.5.1-12",))


def _always_foreign(asked: Asked) -> bytes:
    return _as_of(asked, bytes(octet ^ 0xFF for octet in asked.server.site))


def _always_local(asked: Asked) -> bytes:
    return _as_of(asked, bytes(asked.server.site))


def _the_other_way_round(asked: Asked) -> bytes:
    return _always_foreign(asked) if asked.site == asked.server.site else _always_local(asked)


def _zero_is_local(asked: Asked) -> bytes:
    return asked.request if any(asked.site) else _always_local(asked)


def _site(name: str, says: str, site: Callable[[ReplyParts], bytes], *also: str) -> Mutant:
    server = spoilt(lambda parts: replace(parts, site=site(parts)) if parts.foreign else parts)
    return Mutant(name, says, server, SITE, (STEPS, *also))


def _behind_networks_of_own_site(name: str, says: str, behind: Callable[[ReplyParts], bytes], size: int) -> Mutant:
    def spoil(parts: ReplyParts) -> ReplyParts:
        return replace(parts, size=little(size), behind=behind(parts)) if parts.to_own_site else parts

    return Mutant(name, says, spoilt(spoil), (*(SIZE_ZERO if size else ()), *ABSENT), (STEPS,))


def _size(name: str, says: str, size: Callable[[ReplyParts], int], *also: str) -> Mutant:
    server = spoilt(lambda parts: replace(parts, size=little(size(parts))) if parts.foreign else parts)
    return Mutant(name, says, server, SIZE, also)


class DecidedOnce(SpoilingServer):
    """Takes all clients to be of the site of the first one."""

    def __init__(self) -> None:
        self._first = b""
        super().__init__(reads=self._of_the_first)

    def reset(self) -> None:
        """Wait for a first client."""
        super().reset()
        self._first = b""

    def _of_the_first(self, asked: Asked) -> bytes:
        if len(asked.request) < SITE_ID.stop:
            return asked.request
        self._first = self._first or asked.site
        return _as_of(asked, self._first)


MUTANTS = (
    Mutant(
        "list-for-everybody",
        "Clients of the server's own site get its list as well.",
        reading(_always_foreign),
        (*SIZE_ZERO, *ABSENT),
        (STEPS,),
    ),
    Mutant("list-for-nobody", "No client gets the list.", reading(_always_local), (*SITE, "MQSD-3.2.5.1-13"), LISTED),
    Mutant(
        "sites-the-other-way-round",
        "Clients of the own site get the list, those of other sites do not.",
        reading(_the_other_way_round),
        (*SITE, *SIZE_ZERO),
        LISTED,
    ),
    _compares("site-by-first-4", "Sites are compared by their first 4 octets.", slice(0, 4)),
    _compares("site-by-first-8", "Sites are compared by their first 8 octets.", slice(0, 8)),
    _compares("site-by-first-15", "The last octet of a site is not compared.", slice(0, 15)),
    _compares("site-without-first-4", "The first 4 octets of a site are not compared.", slice(4, 16)),
    Mutant(
        "zero-site-is-own",
        "A client without a site is taken for one of the own site.",
        reading(_zero_is_local),
        ("MQSD-3.2.5.1-12",),
        (STEPS,),
    ),
    Mutant("site-of-the-first-client-decides", "All clients count as of the first one's site.", DecidedOnce, (STEPS,)),
    _site("site-left-out", "RespondingSiteID is left out.", lambda _: b""),
    _site("site-of-the-client", "RespondingSiteID is the client's site.", lambda parts: parts.asked.site),
    _site("site-zero", "RespondingSiteID stays empty.", lambda _: bytes(16)),
    _site(
        "site-is-enterprise", "RespondingSiteID is the enterprise.", lambda parts: bytes(parts.asked.server.enterprise)
    ),
    _site("site-in-text-order", "RespondingSiteID is sent as its text reads.", lambda parts: text_order(parts.site)),
    Mutant(
        "site-before-networks",
        "RespondingSiteID stands in front of the networks.",
        spoilt(lambda parts: replace(parts, networks=(parts.site, *parts.networks), site=b"")),
        (*SITE, *NETWORKS),
        (STEPS,),
    ),
    _behind_networks_of_own_site(
        "site-for-own-site",
        "Clients of the own site get RespondingSiteID.",
        lambda parts: bytes(parts.asked.server.site),
        0,
    ),
    _behind_networks_of_own_site(
        "zeros-for-own-site", "Clients of the own site get an empty RespondingSiteID.", lambda _: bytes(16), 0
    ),
    _behind_networks_of_own_site(
        "empty-list-for-own-site",
        "Clients of the own site get a list that is just its terminator.",
        lambda parts: bytes(parts.asked.server.site) + bytes(2),
        2,
    ),
    Mutant(
        "size-for-own-site",
        "Clients of the own site get the size of a list that is not sent.",
        spoilt(lambda parts: replace(parts, size=little(2)) if parts.to_own_site else parts),
        SIZE_ZERO,
        (STEPS,),
    ),
    Mutant(
        "size-big-endian",
        "The size has its high octet first.",
        spoilt(lambda parts: replace(parts, size=big(parts.size))),
        ("MQSD-2.2.3-10",),
        (STEPS, *SIZE),
    ),
    _size("size-in-characters", "The size counts characters.", lambda parts: len(parts.array) // 2, STEPS),
    _size("size-with-site", "The size counts RespondingSiteID as well.", lambda parts: len(parts.array) + 16, STEPS),
    _size("size-zero", "The size stays zero although a list is sent.", lambda _: 0, STEPS),
    _size("size-of-one-octet", "The size is cut to one octet.", lambda parts: len(parts.array) % 256),
    _size("size-two-more", "The size counts a second terminator.", lambda parts: len(parts.array) + 2, STEPS),
    _size("size-is-the-number-of-names", "The size counts names.", lambda parts: len(parts.servers), STEPS),
)
