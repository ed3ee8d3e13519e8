"""Faulty discovery servers: the header of a reply and its CorrelationID (MS-MQSD 2.2.1, 2.2.3, 3.2.5.1)."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.mutants.mutant import STEPS, Mutant, SpoilingServer, spoilt
from mqconform.harness.mutants.reply_parts import ENTERPRISE_ID, ReplyParts, text_order

TYPE = ("MQSD-2.2.1-07", "MQSD-2.2.1-05")
HEADER = ("MQSD-2.2.1-01", "MQSD-2.2.1-02", "MQSD-2.2.1-08", "MQSD-2.2.3-01", "MQSD-2.2.3-02")
CORRELATION = ("MQSD-2.2.3-03", "MQSD-2.2.2-05", "MQSD-3.2.5.1-04")
CLIENTS = ("MQSD-2.1-03", "MQSD-3.2.5.1-15")
"""What a server violates as well that answers the second of two clients as it answered the first."""
ALL_BEHIND = ("MQSD-2.2.2", "MQSD-2.2.3", "MQSD-3.2.5.1")
"""Where a header is too short or too long, every field behind it lies in the wrong place."""


class IdOfThePrevious(SpoilingServer):
    """Each reply carries the id of the request before."""

    def __init__(self) -> None:
        self._previous = bytes(16)
        super().__init__(spoil=self._late)

    def _late(self, parts: ReplyParts) -> ReplyParts:
        before, self._previous = self._previous, parts.asked.request_id
        return replace(parts, correlation_id=before)


class IdOfTheFirst(SpoilingServer):
    """Every reply carries the id of the first request."""

    def __init__(self) -> None:
        self._first = b""
        super().__init__(spoil=self._early)

    def reset(self) -> None:
        """Start afresh."""
        super().reset()
        self._first = b""

    def _early(self, parts: ReplyParts) -> ReplyParts:
        self._first = self._first or parts.asked.request_id
        return replace(parts, correlation_id=self._first)


class IdOfItsOwn(SpoilingServer):
    """Each reply carries an id that the server makes up."""

    def __init__(self) -> None:
        self._made = 0
        super().__init__(spoil=self._new)

    def _new(self, parts: ReplyParts) -> ReplyParts:
        self._made += 1
        return replace(parts, correlation_id=self._made.to_bytes(16, "big"))


def _header(name: str, says: str, header: bytes, *, breaks: tuple[str, ...], also: tuple[str, ...]) -> Mutant:
    return Mutant(name, says, spoilt(lambda parts: replace(parts, header=header)), breaks, (STEPS, *also))


def _correlation(name: str, says: str, of: Callable[[ReplyParts], bytes]) -> Mutant:
    server = spoilt(lambda parts: replace(parts, correlation_id=of(parts)))
    return Mutant(name, says, server, CORRELATION, (STEPS,))


MUTANTS = (
    _header("type-of-a-request", "A reply is of Type 1.", b"\0\1\0\0", breaks=TYPE, also=()),
    _header("type-in-first-octet", "Version and Type have changed places.", b"\2\0\0\0", breaks=TYPE, also=()),
    _header("header-left-out", "A reply begins with its CorrelationID.", b"", breaks=HEADER, also=(*TYPE, *ALL_BEHIND)),
    _header("header-without-version", "A header has no Version.", b"\2\0\0", breaks=HEADER, also=(*TYPE, *ALL_BEHIND)),
    _header("header-padded-to-eight", "Reserved has six octets.", b"\0\2" + bytes(6), breaks=HEADER, also=ALL_BEHIND),
    Mutant(
        "reply-ends-behind-id",
        "A reply consists of its header and CorrelationID.",
        spoilt(lambda parts: replace(parts, count=b"", mask=b"", size=b"", networks=(), site=b"", array=b"")),
        ("MQSD-2.2.3-04", "MQSD-2.2.3-07", "MQSD-2.2.3-10"),
        ("MQSD-2.2.3", "MQSD-3.2.5.1"),
    ),
    _correlation("id-constant", "All replies carry one CorrelationID.", lambda _: b"mqconform mutant"),
    _correlation("id-zero", "The CorrelationID stays empty.", lambda _: bytes(16)),
    _correlation(
        "id-in-text-order", "The id is sent as its text reads.", lambda parts: text_order(parts.asked.request_id)
    ),
    _correlation("id-backwards", "The octets of the id are turned round.", lambda parts: parts.asked.request_id[::-1]),
    _correlation("id-half", "Half of the id is copied.", lambda parts: parts.asked.request_id[:8] + bytes(8)),
    _correlation(
        "id-of-seven-bits",
        "The highest bit of each octet of the id is lost.",
        lambda parts: bytes(octet & 0x7F for octet in parts.asked.request_id),
    ),
    _correlation("id-is-site", "SiteID is copied in place of RequestID.", lambda parts: parts.asked.site),
    _correlation(
        "id-is-enterprise",
        "EnterpriseID is copied in place of RequestID.",
        lambda parts: parts.asked.request[ENTERPRISE_ID],
    ),
    Mutant(
        "id-of-the-previous", "A reply carries the id of the request before.", IdOfThePrevious, CORRELATION, (STEPS,)
    ),
    Mutant(
        "id-of-the-first",
        "Every reply carries the id of the first request.",
        IdOfTheFirst,
        CORRELATION,
        (STEPS, *CLIENTS),
    ),
    Mutant("id-of-its-own", "The server makes up ids of its own.", IdOfItsOwn, CORRELATION, (STEPS,)),
)
