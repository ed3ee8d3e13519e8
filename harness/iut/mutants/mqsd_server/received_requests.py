"""Faulty discovery servers: what they take for a request, and what they read in it (MS-MQSD 2.2.1, 3.2.5.1)."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.iut.mutants.mqsd_server.answering_server import (
    SEND_REPLY,
    STEPS,
    heeding,
    reading,
    server,
    spoilt,
)
from mqconform.harness.iut.mutants.mqsd_server.reply_parts import Asked, ReplyParts, little
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.reference.mqsd.messages import REQUEST
from mqconform.reference.mqsd.server import Network
from mqconform.reference.mqsd.specification import FACTS

VERSION = ("MQSD-2.2.1-04",)
RESERVED = ("MQSD-2.2.1-10",)
TAIL = ("MQSD-3.2.5.1-02",)


def _drops(name: str, says: str, drops: Callable[[bytes], bool], breaks: tuple[str, ...]) -> Mutant:
    make = heeding(lambda asked: not (asked.is_request and drops(asked.request)))
    return server(name, says, make, breaks)


def _over_ip(asked: Asked) -> bool:
    return asked.network is Network.IP


def _without_list(parts: ReplyParts) -> ReplyParts:
    return replace(parts, size=little(0), site=b"", array=b"")


def _mask_from_tail(parts: ReplyParts) -> ReplyParts:
    """Take the first octets behind SiteID for a mask, however few there are."""
    tail = parts.asked.request[FACTS.request_size : FACTS.request_size + 4]
    return replace(parts, mask=tail.ljust(4, b"\0")) if tail and not parts.over_ipx else parts


def _mask_by_ipx_fields(parts: ReplyParts) -> ReplyParts:
    return parts.with_all_mask_bits() if len(parts.asked.request) >= FACTS.ipx_request_size else parts


def _of_other_enterprise(asked: Asked) -> bool:
    return asked.request[FACTS.enterprise_id] != asked.server.enterprise


def _type_zero_for_one(asked: Asked) -> bytes:
    return b"\0\1" + asked.request[2:] if asked.request[1:2] == b"\0" else b""


MUTANTS = (
    _drops(
        "version-checked", "Requests of another Version than 0 are dropped.", lambda request: request[0] != 0, VERSION
    ),
    _drops(
        "version-highest-bit-checked",
        "Requests of Version 128 and above are dropped.",
        lambda request: request[0] > 127,
        VERSION,
    ),
    server(
        "version-changes-the-reply",
        "To requests of another Version than 0 the server list is left out.",
        spoilt(lambda parts: _without_list(parts) if parts.asked.request[0] else parts),
        VERSION,
    ),
    _drops(
        "reserved-checked", "Requests with Reserved not zero are dropped.", lambda request: any(request[2:4]), RESERVED
    ),
    _drops(
        "reserved-second-octet-checked",
        "Requests with Reserved of 256 and above are dropped.",
        lambda request: request[3] != 0,
        RESERVED,
    ),
    _drops(
        "short-tail-dropped",
        "Requests of 53 to 59 octets are dropped.",
        lambda request: FACTS.request_size < len(request) < FACTS.ipx_request_size,
        TAIL,
    ),
    _drops(
        "count-without-numbers-dropped", "Requests of 56 octets are dropped.", lambda request: len(request) == 56, TAIL
    ),
    server("short-tail-used", "Octets behind SiteID become the mask.", spoilt(_mask_from_tail), TAIL),
    _drops(
        "longer-than-52-dropped",
        "Requests longer than 52 octets are dropped.",
        lambda request: len(request) > FACTS.request_size,
        TAIL,
    ),
    _drops(
        "ipx-fields-on-ip-dropped",
        "Requests with IPX fields are dropped.",
        lambda request: len(request) >= FACTS.ipx_request_size,
        SEND_REPLY,
    ),
    server(
        "no-list-for-other-enterprises",
        "Clients of another enterprise get no list.",
        spoilt(lambda parts: _without_list(parts) if _of_other_enterprise(parts.asked) else parts),
        STEPS,
    ),
    server(
        "other-enterprises-are-other-sites",
        "Clients of another enterprise get the list even if their site is the server's.",
        reading(
            lambda asked: (
                REQUEST["SiteID"].put(asked.request, bytes(16)) if _of_other_enterprise(asked) else asked.request
            )
        ),
        STEPS,
    ),
    server(
        "ipx-fields-make-it-ipx",
        "A request with IPX fields is answered as one over IPX, whatever carried it.",
        spoilt(_mask_by_ipx_fields),
        STEPS,
    ),
    server("unanswered-over-ipx", "Requests over IPX are dropped.", heeding(_over_ip), SEND_REPLY),
    server(
        "ipx-fields-required",
        "Requests over IPX without IPX fields are dropped.",
        heeding(lambda asked: _over_ip(asked) or len(asked.request) >= FACTS.ipx_request_size),
        TAIL,
    ),
    server(
        "no-list-over-ipx",
        "Clients over IPX get no list.",
        spoilt(lambda parts: _without_list(parts) if parts.over_ipx else parts),
        STEPS,
    ),
    _drops(
        "zero-id-dropped",
        "Requests with RequestID zero are dropped.",
        lambda request: not any(request[FACTS.request_id]),
        SEND_REPLY,
    ),
    server("type-zero-expected", "A request has Type 0.", reading(_type_zero_for_one), ("MQSD-2.2.1-05",)),
    server(
        "echoes-dropped",
        "A request that arrives again is not answered again.",
        heeding(lambda asked: all(asked.request != earlier.request for earlier in asked.requests[:-1])),
        SEND_REPLY,
    ),
)
