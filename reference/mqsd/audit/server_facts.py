"""Where a reply differs from the configuration of its server (MS-MQSD 3.2.5.1).

Order and repetition are the register's matter (SD-26), a list of no networks as well (SD-21); a server of more than 32
networks is not compared. Whether a client is of the server's site, for which the request has to be known, is judged
with conversations. The few servers whose configuration is known send few different replies: audits ask once for each.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from mqconform.reference.mqsd.audit import packet_octets as packet
from mqconform.reference.mqsd.audit.list_scan import COMMA, NULL
from mqconform.reference.mqsd.audit.packet_octets import GUID, bits, character, word
from mqconform.reference.mqsd.audit.wire_rules import Finding, Rule
from mqconform.reference.mqsd.messages import name_octets
from mqconform.reference.mqsd.server import DiscoveryServer

NO_ARRAY_TO_COMPARE: Final = bits(
    *(Rule.NETWORKS_CUT, Rule.SITE_CUT, Rule.ARRAY_CUT, Rule.SIZE_ODD, Rule.NO_END, Rule.BEHIND_END),
    *(Rule.EMPTY_ENTRY, Rule.NO_NAME, Rule.IP_FLAG, Rule.IPX_FLAG),
)
"""Findings with which a server list does not tell which names it means."""
_LONGER: Final = bits(Rule.SIZE_WITHOUT_TERMINATOR, Rule.SIZE_TOO_LOW)


def differences(reply: bytes, rules: int, server: DiscoveryServer) -> Iterator[Finding]:
    """Yield where a reply differs from the configuration of its server.

    Args:
        reply: its octets.
        rules: what ``packet_scan`` found in it, as bits.
        server: its server.
    """
    if len(reply) < packet.REPLY_SIZE or rules & bits(Rule.NETWORKS_CUT):
        return
    count, size = word(reply, packet.COUNT_AT), word(reply, packet.SIZE_AT)
    site_at = packet.NETWORKS_AT + GUID * count
    networks = [reply[at : at + GUID] for at in range(packet.NETWORKS_AT, site_at, GUID)]
    if rule := _rule_on_networks(networks, server.connected_networks):
        yield Finding(rule, packet.NETWORKS_AT, GUID * count)
    at = site_at + GUID
    if not size or len(reply) < at:
        return
    if reply[site_at:at] != server.site:
        yield Finding(Rule.SITE, site_at, GUID)
    if rules & NO_ARRAY_TO_COMPARE:
        return
    end = len(reply) if rules & _LONGER else at + size
    entries = [*_entries(reply[at:end], NULL if rules & bits(Rule.NULL_BETWEEN) else COMMA)]
    yield from (Finding(rule, at, end - at) for rule in _rules_on_names(entries, server))


def _rule_on_networks(networks: Sequence[bytes], own: Sequence[bytes]) -> Rule | None:
    if len(own) > packet.MOST or networks == [*own]:
        return None
    if not own and len(networks) < 2:
        return Rule.NETWORKS_PLACEHOLDER
    return Rule.NETWORKS_ORDER if Counter(networks) == Counter(own) else Rule.NETWORKS


def _entries(octets: bytes, delimiter: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield name and flags of each entry of a list."""
    end, first = len(octets), 0
    for place in range(0, end - 1, 2):
        unit = character(octets, place)
        is_last = place + 2 >= end and unit != NULL
        if is_last or unit in (delimiter, NULL):
            until = end if is_last else place
            if until - first >= 6:
                yield octets[first + 4 : until], octets[first : first + 4]
            first = place + 2


def _rules_on_names(entries: Sequence[tuple[bytes, bytes]], server: DiscoveryServer) -> Iterator[Rule]:
    own = [
        (name_octets(listed.name), f"{listed.ip:d}{listed.ipx:d}".encode("utf-16-le"))
        for listed in server.directory_servers
    ]
    names, own_names = [name for name, _ in entries], [name for name, _ in own]
    if not set(names) <= set(own_names):
        yield Rule.NAMES
        return
    if names != own_names:
        complete, equal = set(own_names) <= set(names), Counter(names) == Counter(own_names)
        yield Rule.NAMES_ORDER if equal else Rule.NAMES_TWICE if complete else Rule.NAMES
    if not set(entries) <= set(own):
        yield Rule.FLAGS
