"""Where a reply differs from the configuration of its server (MS-MQSD 3.2.5.1).

Plain on octets and lists, and compiled on arrays, as ``packet_scan``. Order and repetition are the register's matter
(SD-26), a list of no networks as well (SD-21); a server of more than 32 networks is not compared. Whether a client is
of the server's site, for which the request has to be known, is judged with conversations.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from mqconform.reference.mqsd.audit import packet_octets as packet
from mqconform.reference.mqsd.audit.list_scan import COMMA, NULL
from mqconform.reference.mqsd.audit.packet_octets import (
    GUID,
    Found,
    Integers,
    Octets,
    bits,
    character,
    found,
    has,
    same,
    word,
)
from mqconform.reference.mqsd.audit.wire_rules import Rule
from mqconform.reference.mqsd.messages import name_octets
from mqconform.reference.mqsd.server import DiscoveryServer

NO_ARRAY_TO_COMPARE: Final = bits(
    Rule.NETWORKS_CUT,
    Rule.SITE_CUT,
    Rule.ARRAY_CUT,
    Rule.SIZE_ODD,
    Rule.NO_END,
    Rule.BEHIND_END,
    Rule.EMPTY_ENTRY,
    Rule.NO_NAME,
    Rule.IP_FLAG,
    Rule.IPX_FLAG,
)
"""Findings with which a server list does not tell which names it means."""

_NETWORKS_CUT: Final = bits(Rule.NETWORKS_CUT)
_LONGER: Final = bits(Rule.SIZE_WITHOUT_TERMINATOR, Rule.SIZE_TOO_LOW)
_NULLS: Final = bits(Rule.NULL_BETWEEN)


class ServerTable(NamedTuple):
    """Configurations of servers; entry n of the bounds to entry n + 1 is what belongs to server n."""

    sites: Octets
    """16 octets for each server."""
    networks: Octets
    """16 octets for each network of all servers."""
    network_bounds: Integers
    names: Octets
    """Names of all servers' lists, one behind the other, in UTF-16."""
    name_ends: Integers
    """Where each name ends within ``names``; the first entry is 0."""
    name_bounds: Integers
    flags: Octets
    """The digits for IP and IPX of each name."""
    counts: Integers
    """As many places as the longest list has names, for counting."""


def server_table(servers: Sequence[DiscoveryServer]) -> ServerTable:
    """Return configurations as octets and lists."""
    listed = [server.directory_servers for server in servers]
    flat = [directory_server for entries in listed for directory_server in entries]
    names = [name_octets(directory_server.name) for directory_server in flat]
    networks = [network for server in servers for network in server.connected_networks]
    return ServerTable(
        b"".join(server.site for server in servers),
        b"".join(networks),
        _bounds(len(server.connected_networks) for server in servers),
        b"".join(names),
        _bounds(map(len, names)),
        _bounds(map(len, listed)),
        b"".join(b"%d%d" % (directory_server.ip, directory_server.ipx) for directory_server in flat),
        [0] * (max(map(len, listed), default=0) + 1),
    )


def _bounds(lengths: Iterable[int]) -> list[int]:
    return [0, *accumulate(lengths)]


def compare_with_facts(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets,
    start: int,
    length: int,
    servers: ServerTable,
    server: int,
    findings: Found,
) -> None:
    """Note where a reply differs from the configuration of its server.

    Args:
        octets: what the packet lies in.
        start: where the packet begins.
        length: octets of the packet.
        servers: all configurations.
        server: which of them is the sender's.
        findings: the findings so far; further ones are noted.
    """
    if length < packet.REPLY_SIZE or has(findings, _NETWORKS_CUT):
        return
    count, size = word(octets, start + packet.COUNT_AT), word(octets, start + packet.SIZE_AT)
    _compare_networks(octets, start, count, servers, server, findings)
    site_at = packet.NETWORKS_AT + GUID * count
    if not size or length < site_at + GUID:
        return
    if not same(octets, start + site_at, servers.sites, GUID * server, GUID):
        found(findings, Rule.SITE, site_at, GUID)
    if has(findings, NO_ARRAY_TO_COMPARE):
        return
    at = start + site_at + GUID
    end = start + length if has(findings, _LONGER) else at + size
    delimiter = NULL if has(findings, _NULLS) else COMMA
    _compare_names(octets, start, at, end, delimiter, servers, server, findings)


def _compare_networks(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets,
    start: int,
    count: int,
    servers: ServerTable,
    server: int,
    findings: Found,
) -> None:
    first, last = servers.network_bounds[server], servers.network_bounds[server + 1]
    expected = last - first
    if expected > packet.MOST:
        return
    at = start + packet.NETWORKS_AT
    if expected == 0 and count < 2:
        if count:
            found(findings, Rule.NETWORKS_PLACEHOLDER, packet.NETWORKS_AT, GUID)
        return
    if count == expected and same(octets, at, servers.networks, GUID * first, GUID * count):
        return
    rule = Rule.NETWORKS_ORDER
    if count == expected:
        for network in range(first, last):
            here = _times(octets, at, count, servers.networks, GUID * network)
            if here != _times(servers.networks, GUID * first, expected, servers.networks, GUID * network):
                rule = Rule.NETWORKS
    else:
        rule = Rule.NETWORKS
    found(findings, rule, packet.NETWORKS_AT, GUID * count)


def _times(octets: Octets, at: int, count: int, identifiers: Octets, there: int) -> int:
    """Return how often an identifier is among ``count`` of them."""
    times = 0
    for number in range(count):
        if same(octets, at + GUID * number, identifiers, there, GUID):
            times += 1
    return times


def _compare_names(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets,
    start: int,
    at: int,
    end: int,
    delimiter: int,
    servers: ServerTable,
    server: int,
    findings: Found,
) -> None:
    low, high = servers.name_bounds[server], servers.name_bounds[server + 1]
    expected = high - low
    for name in range(expected):
        servers.counts[name] = 0
    entries, first, in_order, strangers, misled = 0, at, True, False, False
    for place in range(at, end - 1, 2):
        unit = character(octets, place)
        last = place + 2 >= end and unit != NULL
        if unit in (delimiter, NULL) or last:
            name_end = end if last else place
            if name_end - first >= 6:
                which = _find_name(octets, first + 4, name_end, servers, low, high)
                if which < 0:
                    strangers = True
                    break
                in_order = in_order and entries < expected and _canonical(servers, low, high, entries) == which
                misled = misled or not _has_flags(octets, first, servers, low, high, which)
                servers.counts[which] += 1
                entries += 1
            first = place + 2
    if strangers:
        found(findings, Rule.NAMES, at - start, end - at)
        return
    if not in_order or entries != expected:
        found(findings, _names_rule(servers, low, high), at - start, end - at)
    if misled:
        found(findings, Rule.FLAGS, at - start, end - at)


def _names_rule(servers: ServerTable, low: int, high: int) -> Rule:
    """Return which rule names fall under that are all the server's, by how often each was there."""
    rule = Rule.NAMES_ORDER
    for name in range(high - low):
        canonical = _canonical(servers, low, high, name)
        if servers.counts[canonical] == 0:
            return Rule.NAMES
        if servers.counts[canonical] != _repeats(servers, low, high, canonical):
            rule = Rule.NAMES_TWICE
    return rule


def _has_flags(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, at: int, servers: ServerTable, low: int, high: int, canonical: int
) -> bool:
    """Tell whether the server's list holds a name with the flags at an entry."""
    for name in range(high - low):
        flags = 2 * (low + name)
        if (
            _canonical(servers, low, high, name) == canonical
            and octets[at] == servers.flags[flags]
            and octets[at + 2] == servers.flags[flags + 1]
        ):
            return True
    return False


def _find_name(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, at: int, end: int, servers: ServerTable, low: int, high: int
) -> int:
    """Return the place in the server's list of the first equal name, -1 where there is none."""
    for name in range(low, high):
        begins, ends = servers.name_ends[name], servers.name_ends[name + 1]
        if ends - begins == end - at and same(octets, at, servers.names, begins, end - at):
            return name - low
    return -1


def _canonical(servers: ServerTable, low: int, high: int, name: int) -> int:
    """Return the first place of the server's list that holds the same name."""
    begins, ends = servers.name_ends[low + name], servers.name_ends[low + name + 1]
    return _find_name(servers.names, begins, ends, servers, low, high)


def _repeats(servers: ServerTable, low: int, high: int, canonical: int) -> int:
    """Return how often the server's list holds a name."""
    times = 0
    for name in range(high - low):
        if _canonical(servers, low, high, name) == canonical:
            times += 1
    return times
