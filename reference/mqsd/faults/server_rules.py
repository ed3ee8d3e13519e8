"""What a fault of a discovery server is made of: another answer to a datagram (MS-MQSD 2.2, 3.2.5.1).

A changed rule is a function of what was asked, which sees all datagrams since the configuration, to the datagrams that
are sent.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from mqconform.reference.mqsd.faults.fault import fault
from mqconform.reference.mqsd.faults.reply_parts import Asked, ReplyParts, digits, little, right_reply, units
from mqconform.reference.mqsd.messages import REPLY, REQUEST
from mqconform.reference.mqsd.packets import DirectoryServer
from mqconform.reference.mqsd.server import Network
from mqconform.reference.mqsd.specification import FACTS

Answer = Callable[[Asked], list[bytes]]
Spoil = Callable[[ReplyParts], ReplyParts]
Servers = tuple[DirectoryServer, ...]
Entry = Callable[[DirectoryServer], str]


def right_replies(asked: Asked) -> list[bytes]:
    """Return what the reference sends: one reply, or none."""
    parts = right_reply(asked)
    return [] if parts is None else [parts.octets()]


def heeding(heeds: Callable[[Asked], bool]) -> Answer:
    """Leave some requests unanswered."""
    return lambda asked: right_replies(asked) if heeds(asked) else []


def dropping(drops: Callable[[bytes], bool]) -> Answer:
    """Leave some requests unanswered, by their octets."""
    return heeding(lambda asked: not (asked.is_request and drops(asked.request)))


def answering(answers: Callable[[int], bool]) -> Answer:
    """Answer by the number of the request since the configuration, the first being number 0."""
    return heeding(lambda asked: answers(len(asked.requests) - 1))


def dumb_after(strikes: Callable[[bytes], bool]) -> Answer:
    """Answer nothing any more once a certain datagram has come."""
    return heeding(lambda asked: not any(strikes(datagram.request) for datagram in asked.datagrams))


def failing_at(fails: Callable[[Asked], bool]) -> Answer:
    """Fail at some datagrams, as a server that reads them without a look at their length."""

    def answer(asked: Asked) -> list[bytes]:
        if fails(asked):
            raise IndexError(f"a datagram of {len(asked.request)} octets")
        return right_replies(asked)

    return answer


def reading(reads: Callable[[Asked], bytes]) -> Answer:
    """Read a datagram as if it were another."""
    return lambda asked: right_replies(replace(asked, request=reads(asked)))


def taking_for(site_for: Callable[[Asked], bytes]) -> Answer:
    """Take clients for ones of another site."""
    return reading(lambda asked: REQUEST["SiteID"].put(asked.request, site_for(asked)))


def comparing(octets: slice) -> Answer:
    """Compare some octets of a client's site with the own one."""
    return taking_for(lambda asked: asked.own_site if asked.site[octets] == asked.own_site[octets] else asked.site)


def sending(sends: Callable[[bytes], list[bytes]]) -> Answer:
    """Send other datagrams in place of the reply."""
    return lambda asked: [datagram for reply in right_replies(asked) for datagram in sends(reply)]


def spoiling(spoil: Spoil, where: Callable[[ReplyParts], bool] = lambda _: True) -> Answer:
    """Spoil replies, all or some."""

    def answer(asked: Asked) -> list[bytes]:
        parts = right_reply(asked)
        return [] if parts is None else [(spoil(parts) if where(parts) else parts).octets()]

    return answer


def spoiling_list(spoil: Spoil) -> Answer:
    """Spoil replies with a server list."""
    return spoiling(spoil, lambda parts: parts.foreign)


def to_own_site(spoil: Spoil) -> Answer:
    """Spoil replies to clients of the own site; octets behind the last field are a field more."""
    return spoiling(spoil, lambda parts: parts.asked.of_own_site)


def field(**octets: Any) -> Answer:
    """Send other octets for a field."""
    return spoiling(lambda parts: replace(parts, **octets))


def copying(id_for: Callable[[Asked], bytes]) -> Answer:
    """Send another CorrelationID."""
    return spoiling(lambda parts: replace(parts, correlation_id=id_for(parts.asked)))


def counting(count: Callable[[int], int]) -> Answer:
    """Send another ConnectedNetworkCount, made of the right one."""
    return spoiling(lambda parts: replace(parts, count=little(count(len(parts.networks)))))


def mask_over_ipx(mask: Callable[[int], int]) -> Answer:
    """Send another ConnectedNetworkMask over IPX, made of the number of networks."""
    return spoiling(lambda parts: replace(parts, mask=little(mask(len(parts.networks)))), lambda parts: parts.over_ipx)


def size(size_of: Callable[[ReplyParts], int]) -> Answer:
    """Send another DirectoryServiceServerSize with a list."""
    return spoiling_list(lambda parts: replace(parts, size=little(size_of(parts))))


def responding_site(site_in: Callable[[ReplyParts], bytes]) -> Answer:
    """Send another RespondingSiteID with a list."""
    return spoiling_list(lambda parts: replace(parts, site=site_in(parts)))


def networks(pick: Callable[[tuple[bytes, ...]], Iterable[bytes]]) -> Answer:
    """Send other networks, and count them rightly."""
    return spoiling(lambda parts: parts.with_networks(pick(parts.networks)))


def without_networks(behind_id: bytes) -> Answer:
    """Answer even where there are no networks to list (register SD-21)."""

    def answer(asked: Asked) -> list[bytes]:
        if asked.is_request and not asked.server.connected_networks:
            return [b"\0\2\0\0" + asked.request_id + behind_id]
        return right_replies(asked)

    return answer


def beyond_32_networks(choose: Callable[[tuple[bytes, ...]], tuple[int, tuple[bytes, ...]]]) -> Answer:
    """Answer with a count and networks where there are more than 32 (register SD-21)."""

    def answer(asked: Asked) -> list[bytes]:
        networks = tuple(bytes(network) for network in asked.server.connected_networks)
        if not asked.is_request or len(networks) <= FACTS.max_connected_networks:
            return right_replies(asked)
        count, listed = choose(networks)
        return [b"\0\2\0\0" + asked.request_id + little(count) + bytes(8) + b"".join(listed)]

    return answer


def as_it_should_be(server: DirectoryServer) -> str:
    """Return an entry: two flags and the name."""
    return digits(server) + server.name


def written(
    servers: Iterable[DirectoryServer], entry: Entry = as_it_should_be, *, between: str = ",", end: str = "\0"
) -> str:
    """Return the text of an array, right unless an argument spoils it."""
    return between.join(entry(server) for server in servers) + end


def listing(array: Callable[[Servers], bytes]) -> Answer:
    """Write the list otherwise, and count its octets rightly."""
    return spoiling_list(lambda parts: parts.with_array(array(parts.servers)))


def entries(entry: Entry) -> Answer:
    """Write each entry otherwise."""
    return listing(lambda servers: units(written(servers, entry)))


def flags(digits_of: Entry) -> Answer:
    """Say with right digits what is not so (register SD-25)."""
    return entries(lambda server: digits_of(server) + server.name)


def punctuated(*, between: str = ",", end: str = "\0") -> Answer:
    """Write something else between the entries or at their end."""
    return listing(lambda servers: units(written(servers, between=between, end=end)))


def naming(pick: Callable[[Servers], Iterable[DirectoryServer]]) -> Answer:
    """List other servers."""
    return listing(lambda servers: units(written(pick(servers))))


def renaming(rename: Callable[[str], str]) -> Answer:
    """List other names."""
    return naming(lambda servers: (replace(server, name=rename(server.name)) for server in servers))


def each_unit(change: Callable[[int], int]) -> Callable[[str], str]:
    """Return what changes the UTF-16 code units of a name one by one."""

    def rename(name: str) -> str:
        octets = units(name)
        changed = (change(int.from_bytes(octets[at : at + 2], "little")) for at in range(0, len(octets), 2))
        return b"".join(unit.to_bytes(2, "little") for unit in changed).decode("utf-16-le", "surrogatepass")

    return rename


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
