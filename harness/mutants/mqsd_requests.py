"""Faulty discovery servers: what they take for a request, and what they read in it (MS-MQSD 2.2.1, 3.2.5.1)."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.harness.mutants.mutant import DEAF, SEND_REPLY, STEPS, Mutant, SpoilingServer, heeding, spoilt
from mqconform.harness.mutants.reply_parts import Asked, ReplyParts, little
from mqconform.reference.mqsd.server import Network

PLAIN = 52
WITH_IPX_FIELDS = 60
VERSION, TYPE, RESERVED = 0, 1, slice(2, 4)
TAIL = ("MQSD-3.2.5.1-02",)
IPX_FIELDS = (STEPS,)


class Forgetful(SpoilingServer):
    """Answers a request once; what looks the same is taken for an echo."""

    def __init__(self) -> None:
        self._seen: set[bytes] = set()
        super().__init__(heeds=self._new)

    def reset(self) -> None:
        """Forget what was asked."""
        super().reset()
        self._seen = set()

    def _new(self, asked: Asked) -> bool:
        known = asked.request in self._seen
        self._seen.add(asked.request)
        return not known


class TypeZero(SpoilingServer):
    """Takes packets of Type 0 for requests."""

    def replies(self, network: Network, datagram: bytes) -> list[bytes]:
        """Answer Type 0 as others answer Type 1."""
        asked = datagram[TYPE : TYPE + 1]
        taken = datagram[:TYPE] + b"\1" + datagram[TYPE + 1 :]
        return super().replies(network, taken) if asked == b"\0" else []


def _drops(name: str, says: str, dropped: Callable[[bytes], bool], *breaks: str) -> Mutant:
    def heeds(asked: Asked) -> bool:
        return len(asked.request) < PLAIN or not dropped(asked.request)

    return Mutant(name, says, heeding(heeds), breaks, (SEND_REPLY, STEPS))


def _short_tail(request: bytes) -> bool:
    return PLAIN < len(request) < WITH_IPX_FIELDS


def _over_ip(asked: Asked) -> bool:
    return asked.network is Network.IP


def _mask_from_tail(parts: ReplyParts) -> ReplyParts:
    """Take the first octets behind SiteID for a mask, however few there are."""
    tail = parts.asked.request[PLAIN : PLAIN + 4]
    over_ip = parts.asked.network is Network.IP
    return replace(parts, mask=tail.ljust(4, b"\0")) if tail and over_ip else parts


def _mask_by_ipx_fields(parts: ReplyParts) -> ReplyParts:
    """Take a request with IPX fields for one over IPX."""
    if len(parts.asked.request) < WITH_IPX_FIELDS:
        return parts
    return replace(parts, mask=little((1 << len(parts.networks)) - 1))


MUTANTS = (
    _drops(
        "version-checked", "Requests of another Version than 0 are dropped.", lambda r: r[VERSION] != 0, "MQSD-2.2.1-04"
    ),
    _drops(
        "version-highest-bit-checked",
        "Requests of Version 128 and above are dropped.",
        lambda r: r[VERSION] > 127,
        "MQSD-2.2.1-04",
    ),
    Mutant(
        "version-changes-the-reply",
        "To requests of another Version than 0 the server list is left out.",
        spoilt(
            lambda parts: replace(parts, size=little(0), site=b"", array=b"") if parts.asked.request[VERSION] else parts
        ),
        ("MQSD-2.2.1-04",),
        (STEPS,),
    ),
    _drops(
        "reserved-checked", "Requests with Reserved not zero are dropped.", lambda r: any(r[RESERVED]), "MQSD-2.2.1-10"
    ),
    _drops(
        "reserved-second-octet-checked",
        "Requests with Reserved of 256 and above are dropped.",
        lambda r: r[3] != 0,
        "MQSD-2.2.1-10",
    ),
    _drops("short-tail-dropped", "Requests of 53 to 59 octets are dropped.", _short_tail, *TAIL),
    _drops("count-without-numbers-dropped", "Requests of 56 octets are dropped.", lambda r: len(r) == 56, *TAIL),
    Mutant("short-tail-used", "Octets behind SiteID become the mask.", spoilt(_mask_from_tail), TAIL, (STEPS,)),
    _drops("longer-than-52-dropped", "Requests longer than 52 octets are dropped.", lambda r: len(r) > PLAIN, *TAIL),
    _drops(
        "ipx-fields-on-ip-dropped",
        "Requests with IPX fields are dropped.",
        lambda r: len(r) >= WITH_IPX_FIELDS,
        SEND_REPLY,
    ),
    Mutant(
        "ipx-fields-make-it-ipx",
        "A request with IPX fields is answered as one over IPX, whatever carried it.",
        spoilt(_mask_by_ipx_fields),
        IPX_FIELDS,
    ),
    Mutant("unanswered-over-ipx", "Requests over IPX are dropped.", heeding(_over_ip), (SEND_REPLY,)),
    Mutant(
        "ipx-fields-required",
        "Requests over IPX without IPX fields are dropped.",
        heeding(lambda asked: _over_ip(asked) or len(asked.request) >= WITH_IPX_FIELDS),
        TAIL,
        (SEND_REPLY,),
    ),
    Mutant(
        "no-list-over-ipx",
        "Clients over IPX get no list.",
        spoilt(lambda parts: parts if _over_ip(parts.asked) else replace(parts, size=little(0), site=b"", array=b"")),
        (STEPS,),
    ),
    _drops("zero-id-dropped", "Requests with RequestID zero are dropped.", lambda r: not any(r[20:36]), SEND_REPLY),
    Mutant("type-zero-expected", "A request has Type 0.", TypeZero, ("MQSD-2.2.1-05",), (SEND_REPLY, STEPS, *DEAF)),
    Mutant("echoes-dropped", "A request that arrives again is not answered again.", Forgetful, (SEND_REPLY,)),
)
