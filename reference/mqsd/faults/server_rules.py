"""What a fault of a discovery server is made of: another answer to a datagram (MS-MQSD 2.2, 3.2.5.1).

A changed rule is a function of what was asked, which sees all datagrams since the configuration, to the datagrams that
are sent.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from mqconform.reference.mqsd.faults.reply_parts import Asked, ReplyParts, digits, little, right_reply, units
from mqconform.reference.mqsd.messages import REQUEST
from mqconform.reference.mqsd.packets import DirectoryServer
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
