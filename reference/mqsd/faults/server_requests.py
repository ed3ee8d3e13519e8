"""Faults of discovery servers in what they take for a request, read in it and answer at all (MS-MQSD 2.2.1, 3.2.5)."""

from dataclasses import replace

from mqconform.reference.mqsd.faults.fault import fault
from mqconform.reference.mqsd.faults.reply_parts import Asked, ReplyParts, little
from mqconform.reference.mqsd.faults.server_rules import (
    answering,
    dropping,
    dumb_after,
    failing_at,
    heeding,
    reading,
    right_replies,
    sending,
    spoiling,
    taking_for,
)
from mqconform.reference.mqsd.messages import REPLY
from mqconform.reference.mqsd.server import Network
from mqconform.reference.mqsd.specification import FACTS

VERSION = "2.2.1-04"
RESERVED = "2.2.1-10"
TAIL = "3.2.5.1-02"
STEPS = "3.2.5.1-01"
SEND_REPLY = "3.2.5-01"
GOES_ON = "3.2.5-02"
SILENT = f"{SEND_REPLY} {STEPS}"


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


def _held_back(asked: Asked) -> list[bytes]:
    """Send the reply to the request before, as from a write buffer that is never flushed."""
    return right_replies(asked.before) if asked.before else []


# Laid out as a table: name, what it breaks, what it does, the changed rule.
OF_REQUESTS = (
    fault("version-checked", VERSION, "Requests of another Version than 0 are dropped.",
        dropping(lambda request: request[0] != 0)),
    fault("version-highest-bit-checked", VERSION, "Requests of Version 128 and above are dropped.",
        dropping(lambda request: request[0] > 127)),
    fault("version-changes-the-reply", VERSION, "To requests of another Version than 0 the server list is left out.",
        spoiling(lambda parts: _without_list(parts) if parts.asked.request[0] else parts)),
    fault("reserved-checked", RESERVED, "Requests with Reserved not zero are dropped.",
        dropping(lambda request: any(request[2:4]))),
    fault("reserved-second-octet-checked", RESERVED, "Requests with Reserved of 256 and above are dropped.",
        dropping(lambda request: request[3] != 0)),
    fault("short-tail-dropped", TAIL, "Requests of 53 to 59 octets are dropped.",
        dropping(lambda request: FACTS.request_size < len(request) < FACTS.ipx_request_size)),
    fault("count-without-numbers-dropped", TAIL, "Requests of 56 octets are dropped.",
        dropping(lambda request: len(request) == 56)),
    fault("short-tail-used", TAIL, "Octets behind SiteID become the mask.", spoiling(_mask_from_tail)),
    fault("longer-than-52-dropped", TAIL, "Requests longer than 52 octets are dropped.",
        dropping(lambda request: len(request) > FACTS.request_size)),
    fault("ipx-fields-on-ip-dropped", SEND_REPLY, "Requests with IPX fields are dropped.",
        dropping(lambda request: len(request) >= FACTS.ipx_request_size)),
    fault("no-list-for-other-enterprises", STEPS, "Clients of another enterprise get no list.",
        spoiling(lambda parts: _without_list(parts) if _of_other_enterprise(parts.asked) else parts)),
    fault("other-enterprises-are-other-sites", STEPS,
        "Clients of another enterprise get the list even if their site is the server's.",
        taking_for(lambda asked: bytes(16) if _of_other_enterprise(asked) else asked.site)),
    fault("ipx-fields-make-it-ipx", STEPS,
        "A request with IPX fields is answered as over IPX, on any carrier.", spoiling(_mask_by_ipx_fields)),
    fault("unanswered-over-ipx", SEND_REPLY, "Requests over IPX are dropped.", heeding(_over_ip)),
    fault("ipx-fields-required", TAIL, "Requests over IPX without IPX fields are dropped.",
        heeding(lambda asked: _over_ip(asked) or len(asked.request) >= FACTS.ipx_request_size)),
    fault("no-list-over-ipx", STEPS, "Clients over IPX get no list.",
        spoiling(lambda parts: _without_list(parts) if parts.over_ipx else parts)),
    fault("zero-id-dropped", SEND_REPLY, "Requests with RequestID zero are dropped.",
        dropping(lambda request: not any(request[FACTS.request_id]))),
    fault("type-zero-expected", "2.2.1-05", "A request has Type 0.", reading(_type_zero_for_one)),
    fault("echoes-dropped", SEND_REPLY, "A request that arrives again is not answered again.",
        heeding(lambda asked: all(asked.request != earlier.request for earlier in asked.requests[:-1]))),
)  # fmt: skip

SERVICE = (
    fault("silent", SILENT, "No request is answered.", answering(lambda _: False)),
    fault("every-third-answered", f"{GOES_ON} {SILENT}", "Two of three requests are left unanswered.",
        answering(lambda number: number % 3 == 2)),
    fault("two-answered", f"{GOES_ON} {SILENT}", "The third request and all behind it are left unanswered.",
        answering(lambda number: number < 2)),
    fault("fifty-answered", f"{GOES_ON} {SILENT}", "The 51st request and all behind it are left unanswered.",
        answering(lambda number: number < 50)),
    fault("250-answered", f"{GOES_ON} {SILENT}", "The 251st request and all behind it are left unanswered.",
        answering(lambda number: number < 250)),
    fault("own-site-unanswered", SILENT, "Clients of the own site are not answered.",
        heeding(lambda asked: not asked.of_own_site)),
    fault("other-sites-unanswered", SILENT, "Clients of other sites are not answered.",
        heeding(lambda asked: asked.of_own_site)),
    fault("answers-twice", SEND_REPLY, "Each reply is sent twice.", sending(lambda reply: [reply, reply])),
    fault("answers-once-more-to-nobody", SEND_REPLY, "Each reply is sent once more, with id zero.",
        sending(lambda reply: [reply, REPLY["CorrelationID"].put(reply, bytes(16))])),
    fault("reply-in-two-datagrams", "2.2-01", "What follows the fixed fields is sent in a datagram of its own.",
        sending(lambda reply: [reply[: REPLY.size], reply[REPLY.size :]])),
    fault("held-back", SILENT, "A reply is held back until the next request.", _held_back),
    fault("dumb-after-short", GOES_ON, "A datagram shorter than a request ends the service.",
        dumb_after(lambda datagram: len(datagram) < FACTS.request_size)),
    fault("dumb-after-empty", GOES_ON, "An empty datagram ends the service.",
        dumb_after(lambda datagram: not datagram)),
    fault("dumb-after-long", GOES_ON, "A datagram above 1,500 octets ends the service.",
        dumb_after(lambda datagram: len(datagram) > 1500)),
    fault("dumb-after-other-type", GOES_ON, "A packet of another Type ends the service.",
        dumb_after(lambda datagram: len(datagram) > 1 and datagram[1] != 1)),
    fault("dumb-after-huge-ipx-count", GOES_ON, "A count of network numbers above 32 ends the service.",
        dumb_after(lambda datagram: 60 <= len(datagram) < 200 and int.from_bytes(datagram[52:56], "little") > 32)),
    fault("fails-at-empty", GOES_ON, "The server fails at empty datagrams.",
        failing_at(lambda asked: not asked.request)),
    fault("fails-at-any-malformed", GOES_ON, "The server fails on any datagram that is not a request.",
        failing_at(lambda asked: not asked.is_request)),
    fault("fails-at-zero-id", "2.2.2-05", "The server fails at requests with RequestID zero.",
        failing_at(lambda asked: len(asked.request) >= FACTS.request_size and not any(asked.request_id))),
    fault("babbles-at-malformed", "2.2.3-04", "Malformed datagrams are answered by malformed ones.",
        lambda asked: right_replies(asked) if len(asked.request) >= FACTS.request_size else [b"\0\2\0\0"]),
)  # fmt: skip
