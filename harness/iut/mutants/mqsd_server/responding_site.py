"""Faulty discovery servers: whose site is whose, RespondingSiteID, and the size of the list (MS-MQSD 3.2.5.1)."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.iut.mutants.mqsd_server.answering_server import (
    STEPS,
    ServerFactory,
    reading,
    server,
    spoilt,
    spoilt_with_list,
)
from mqconform.harness.iut.mutants.mqsd_server.connected_networks import NETWORKS
from mqconform.harness.iut.mutants.mqsd_server.reply_parts import Asked, ReplyParts, big, little, text_order
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.reference.mqsd.specification import FACTS

SITE = ("MQSD-2.2.3-17", "MQSD-3.2.5.1-12")
ABSENT = ("MQSD-2.2.3-13", "MQSD-2.2.3-18", "MQSD-3.2.5.1-11")
SIZE_ZERO = ("MQSD-2.2.3-12", "MQSD-3.2.5.1-10")
SIZE = ("MQSD-2.2.3-11", "MQSD-3.2.5.1-14")
LISTED = ("MQSD-2.2.3", "MQSD-3.2.5.1")
"""Where there is no list, whatever is required of its contents goes unfulfilled."""


def _taking_for(site_for: Callable[[Asked], bytes]) -> ServerFactory:
    """Return the factory of a server that takes clients for ones of another site."""
    return reading(
        lambda asked: asked.request[: FACTS.site_id.start] + site_for(asked) + asked.request[FACTS.site_id.stop :]
    )


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
    return server(name, says, spoilt_with_list(lambda parts: replace(parts, site=site_in(parts))), SITE, STEPS)


def _own_site(name: str, says: str, spoil: Callable[[ReplyParts], ReplyParts], breaks: tuple[str, ...]) -> Mutant:
    make = spoilt(lambda parts: spoil(parts) if parts.asked.of_own_site else parts)
    return server(name, says, make, breaks, STEPS)


def _size(name: str, says: str, size_of: Callable[[ReplyParts], int], also: tuple[str, ...] = STEPS) -> Mutant:
    make = spoilt_with_list(lambda parts: replace(parts, size=little(size_of(parts))))
    return server(name, says, make, SIZE, also)


MUTANTS = (
    server(
        "list-for-everybody",
        "Clients of the server's own site get its list as well.",
        _taking_for(_foreign),
        (*SIZE_ZERO, *ABSENT),
        STEPS,
    ),
    server("list-for-nobody", "No client gets the list.", _taking_for(_own), (*SITE, "MQSD-3.2.5.1-13"), LISTED),
    server(
        "sites-the-other-way-round",
        "Clients of the own site get the list, those of other sites do not.",
        _taking_for(lambda asked: _foreign(asked) if asked.of_own_site else _own(asked)),
        (*SITE, *SIZE_ZERO),
        LISTED,
    ),
    _compares("site-by-first-4", "Sites are compared by their first 4 octets.", slice(0, 4)),
    _compares("site-by-first-8", "Sites are compared by their first 8 octets.", slice(0, 8)),
    _compares("site-by-first-15", "The last octet of a site is not compared.", slice(0, 15)),
    _compares("site-without-first-4", "The first 4 octets of a site are not compared.", slice(4, 16)),
    server(
        "zero-site-is-own",
        "A client without a site is taken for one of the own site.",
        _taking_for(lambda asked: asked.site if any(asked.site) else _own(asked)),
        ("MQSD-3.2.5.1-12",),
        STEPS,
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
        STEPS,
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
        (*STEPS, *SIZE),
    ),
    _size("size-in-characters", "The size counts characters.", lambda parts: len(parts.array) // 2),
    _size("size-with-site", "The size counts RespondingSiteID as well.", lambda parts: len(parts.array) + 16),
    _size("size-zero", "The size stays zero although a list is sent.", lambda _: 0),
    _size("size-of-one-octet", "The size is cut to one octet.", lambda parts: len(parts.array) % 256, also=()),
    _size("size-two-more", "The size counts a second terminator.", lambda parts: len(parts.array) + 2),
    _size("size-is-the-number-of-names", "The size counts names.", lambda parts: len(parts.servers)),
)
