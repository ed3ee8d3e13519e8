"""Faulty discovery servers: the header of a reply and its CorrelationID (MS-MQSD 2.2.1, 2.2.3, 3.2.5.1)."""

from collections import deque
from collections.abc import Callable
from dataclasses import replace
from itertools import count

from mqconform.harness.iut.mutants.mqsd_server.answering_server import (
    CLIENTS,
    STEPS,
    AnsweringServer,
    server,
    spoiling,
    spoilt,
)
from mqconform.harness.iut.mutants.mqsd_server.reply_parts import Asked, ReplyParts, text_order
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.reference.mqsd.specification import FACTS

TYPE = ("MQSD-2.2.1-07", "MQSD-2.2.1-05")
HEADER = ("MQSD-2.2.1-01", "MQSD-2.2.1-02", "MQSD-2.2.1-08", "MQSD-2.2.3-01", "MQSD-2.2.3-02")
CORRELATION = ("MQSD-2.2.3-03", "MQSD-2.2.2-05", "MQSD-3.2.5.1-04")
ALL_BEHIND = ("MQSD-2.2.2", "MQSD-2.2.3", "MQSD-3.2.5.1")
"""Where a header is too short or too long, every field behind it lies in the wrong place."""


def _header(name: str, says: str, header: bytes, breaks: tuple[str, ...], also: tuple[str, ...] = ()) -> Mutant:
    return server(name, says, spoilt(lambda parts: replace(parts, header=header)), breaks, (*STEPS, *also))


def _correlation(name: str, says: str, id_for: Callable[[Asked], bytes], also: tuple[str, ...] = ()) -> Mutant:
    make = spoilt(lambda parts: replace(parts, correlation_id=id_for(parts.asked)))
    return server(name, says, make, CORRELATION, (*STEPS, *also))


def _ids_one_late() -> AnsweringServer:
    ids = deque([bytes(16)])  # of all configurations, as in the next function

    def late(parts: ReplyParts) -> ReplyParts:
        ids.append(parts.asked.request_id)
        return replace(parts, correlation_id=ids.popleft())

    return AnsweringServer(spoiling(late))


def _ids_of_its_own() -> AnsweringServer:
    numbers = count(1)
    return AnsweringServer(spoiling(lambda parts: replace(parts, correlation_id=next(numbers).to_bytes(16, "big"))))


MUTANTS = (
    _header("type-of-a-request", "A reply is of Type 1.", b"\0\1\0\0", TYPE),
    _header("type-in-first-octet", "Version and Type have changed places.", b"\2\0\0\0", TYPE),
    _header("header-left-out", "A reply begins with its CorrelationID.", b"", HEADER, (*TYPE, *ALL_BEHIND)),
    _header("header-without-version", "A header has no Version.", b"\2\0\0", HEADER, (*TYPE, *ALL_BEHIND)),
    _header("header-padded-to-eight", "Reserved has six octets.", b"\0\2" + bytes(6), HEADER, ALL_BEHIND),
    server(
        "reply-ends-behind-id",
        "A reply consists of its header and CorrelationID.",
        spoilt(lambda parts: replace(parts, count=b"", mask=b"", size=b"", networks=(), site=b"", array=b"")),
        ("MQSD-2.2.3-04", "MQSD-2.2.3-07", "MQSD-2.2.3-10"),
        ("MQSD-2.2.3", "MQSD-3.2.5.1"),
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
    server("id-of-the-previous", "A reply carries the id of the request before.", _ids_one_late, CORRELATION, STEPS),
    _correlation(
        "id-of-the-first",
        "Every reply carries the id of the first request.",
        lambda asked: asked.requests[0].request_id,
        CLIENTS,
    ),
    server("id-of-its-own", "The server makes up ids of its own.", _ids_of_its_own, CORRELATION, STEPS),
)
