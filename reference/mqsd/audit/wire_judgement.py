"""One packet over IP, judged by its octets (MS-MQSD 2.2): ``packet_scan`` on octets and lists."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from mqconform.reference.mqsd.audit import packet_scan
from mqconform.reference.mqsd.audit.wire_rules import Direction, Finding, Message, Rule
from mqconform.reference.mqsd.messages import name_octets
from mqconform.reference.mqsd.server import DiscoveryServer


@dataclass(frozen=True, slots=True)
class WireJudgement:
    """What a packet was judged as, and what was found in it, in the order of its octets."""

    message: Message
    findings: tuple[Finding, ...]


def judge_packet(octets: bytes, direction: Direction, server: DiscoveryServer | None = None) -> WireJudgement:
    """Judge one packet over IP by itself, a reply also by the configuration of its server where that is known."""
    room = packet_scan.most_findings(len(octets))
    findings = packet_scan.Findings([0, 0], [0] * room, [0] * room, [0] * room)
    message = Message(packet_scan.scan_packet(octets, 0, len(octets), direction, findings))
    listed = [*_listed(findings)]
    if server is not None and message is Message.REPLY:
        listed += differences(octets, findings.state[1], server)
    return WireJudgement(message, tuple(listed))


def _listed(findings: packet_scan.Findings) -> Iterator[Finding]:
    for place in range(findings.state[0]):
        yield Finding(Rule(findings.rule[place]), findings.offset[place], findings.length[place])


NO_ARRAY_TO_COMPARE: Final = packet_scan.bits(
    *(Rule.NETWORKS_CUT, Rule.SITE_CUT, Rule.ARRAY_CUT, Rule.SIZE_ODD, Rule.NO_END, Rule.BEHIND_END),
    *(Rule.EMPTY_ENTRY, Rule.NO_NAME, Rule.IP_FLAG, Rule.IPX_FLAG),
)
"""Findings with which a server list does not tell which names it means."""
_LONGER: Final = packet_scan.bits(Rule.SIZE_WITHOUT_TERMINATOR, Rule.SIZE_TOO_LOW)


def differences(reply: bytes, rules: int, server: DiscoveryServer) -> Iterator[Finding]:
    """Yield where a reply, in which ``packet_scan`` found ``rules``, differs from the configuration of its server."""
    if len(reply) < packet_scan.REPLY_SIZE or rules & packet_scan.bits(Rule.NETWORKS_CUT):
        return
    count, size = packet_scan.word(reply, packet_scan.COUNT_AT), packet_scan.word(reply, packet_scan.SIZE_AT)
    site_at = packet_scan.NETWORKS_AT + packet_scan.GUID * count
    networks = [reply[at : at + packet_scan.GUID] for at in range(packet_scan.NETWORKS_AT, site_at, packet_scan.GUID)]
    if rule := _rule_on_networks(networks, server.connected_networks):
        yield Finding(rule, packet_scan.NETWORKS_AT, packet_scan.GUID * count)
    at = site_at + packet_scan.GUID
    if not size or len(reply) < at:
        return
    if reply[site_at:at] != server.site:
        yield Finding(Rule.SITE, site_at, packet_scan.GUID)
    if rules & NO_ARRAY_TO_COMPARE:
        return
    end = len(reply) if rules & _LONGER else at + size
    entries = [
        *_entries(reply[at:end], packet_scan.NULL if rules & packet_scan.bits(Rule.NULL_BETWEEN) else packet_scan.COMMA)
    ]
    yield from (Finding(rule, at, end - at) for rule in _rules_on_names(entries, server))


def _rule_on_networks(networks: Sequence[bytes], own: Sequence[bytes]) -> Rule | None:
    if len(own) > packet_scan.MOST or networks == [*own]:
        return None
    if not own and len(networks) < 2:
        return Rule.NETWORKS_PLACEHOLDER
    return Rule.NETWORKS_ORDER if Counter(networks) == Counter(own) else Rule.NETWORKS


def _entries(octets: bytes, delimiter: int) -> Iterator[tuple[bytes, bytes]]:
    """Yield name and flags of each entry of a list."""
    end, first = len(octets), 0
    for place in range(0, end - 1, 2):
        unit = packet_scan.character(octets, place)
        is_last = place + 2 >= end and unit != packet_scan.NULL
        if is_last or unit in (delimiter, packet_scan.NULL):
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
