"""The readable comparison of one reply over IP with the configuration of its server (MS-MQSD 3.2.5.1).

What has to be known of the request as well, whether its client is of the server's site, is judged with conversations.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from mqconform.reference.mqsd.audit.wire_rules import Finding, Rule
from mqconform.reference.mqsd.guid import GUID_SIZE
from mqconform.reference.mqsd.layout import Layout, read_reply_layout, read_server_array
from mqconform.reference.mqsd.messages import name_octets
from mqconform.reference.mqsd.packets import DirectoryServer
from mqconform.reference.mqsd.server import DiscoveryServer
from mqconform.reference.mqsd.specification import FACTS

_UNREADABLE: Final = frozenset(
    {
        Rule.ARRAY_CUT,
        Rule.SIZE_ODD,
        Rule.NO_END,
        Rule.BEHIND_END,
        Rule.EMPTY_ENTRY,
        Rule.NO_NAME,
        Rule.IP_FLAG,
        Rule.IPX_FLAG,
    }
)
"""Findings with which a server list does not tell which names it means."""


def differences(octets: bytes, server: DiscoveryServer, findings: tuple[Finding, ...]) -> Iterator[Finding]:
    """Yield where a reply differs from the configuration of its server.

    Args:
        octets: the reply.
        server: the configuration.
        findings: what ``judge_packet`` found in it.
    """
    layout, rules = read_reply_layout(octets), {finding.rule for finding in findings}
    if layout["ConnectedNetworkArray"] is None:
        return
    yield from _networks(layout, server.connected_networks)
    site = layout["RespondingSiteID"]
    if site and site.octets != server.site:
        yield Finding(Rule.SITE, site.offset, GUID_SIZE)
    array = layout["DirectoryServiceServerArray"]
    if array is not None and not rules & _UNREADABLE:
        longer = rules & {Rule.SIZE_WITHOUT_TERMINATOR, Rule.SIZE_TOO_LOW}
        listed = octets[array.offset :] if longer else array.octets
        for rule in _names(listed, server.directory_servers):
            yield Finding(rule, array.offset, len(listed))


def _networks(layout: Layout, expected: tuple[bytes, ...]) -> Iterator[Finding]:
    array = layout["ConnectedNetworkArray"]
    if array is None or len(expected) > FACTS.max_connected_networks:
        return
    actual = tuple(part.octets for part in array.parts)
    if actual == expected or (not expected and not actual):
        return
    rule = Rule.NETWORKS_ORDER if Counter(actual) == Counter(expected) else Rule.NETWORKS
    if not expected and len(actual) == 1:
        rule = Rule.NETWORKS_PLACEHOLDER
    yield Finding(rule, array.offset, array.length)


def _names(octets: bytes, servers: Sequence[DirectoryServer]) -> Iterator[Rule]:
    """Yield how a list differs from the server's: in its names, and where it holds no others, in their flags."""
    entries, _ = read_server_array(octets, 0)
    expected = tuple(name_octets(server.name) for server in servers)
    actual = tuple(name_octets(entry.name) for entry in entries if entry.name)
    if actual != expected:
        same = Rule.NAMES_TWICE if set(actual) == set(expected) else Rule.NAMES
        yield Rule.NAMES_ORDER if Counter(actual) == Counter(expected) else same
    configured = {(f"{server.ip:d}", f"{server.ipx:d}", name_octets(server.name)) for server in servers}
    listed = {(entry.ip, entry.ipx, name_octets(entry.name)) for entry in entries if entry.name}
    if set(actual) <= set(expected) and not listed <= configured:
        yield Rule.FLAGS
