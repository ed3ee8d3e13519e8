"""One packet over IP, judged by its octets (MS-MQSD 2.2): ``packet_scan`` on octets and lists."""

from collections.abc import Iterator
from dataclasses import dataclass

from mqconform.reference.mqsd.audit.facts_scan import server_table
from mqconform.reference.mqsd.audit.packet_octets import Found, most_findings
from mqconform.reference.mqsd.audit.packet_scan import scan_packet
from mqconform.reference.mqsd.audit.wire_rules import Direction, Finding, Message, Rule
from mqconform.reference.mqsd.server import DiscoveryServer


@dataclass(frozen=True, slots=True)
class WireJudgement:
    """What a packet was judged as, and what was found in it, in the order of its octets."""

    message: Message
    findings: tuple[Finding, ...]


def judge_packet(octets: bytes, direction: Direction, server: DiscoveryServer | None = None) -> WireJudgement:
    """Judge one packet over IP by itself, a reply also by the configuration of its server where that is known."""
    room = most_findings(len(octets))
    findings = Found([0, 0], [0] * room, [0] * room, [0] * room)
    servers = [] if server is None else [server]
    message = scan_packet(octets, 0, len(octets), direction, server_table(servers), len(servers) - 1, findings)
    return WireJudgement(Message(message), tuple(_listed(findings)))


def _listed(findings: Found) -> Iterator[Finding]:
    for place in range(findings.state[0]):
        yield Finding(Rule(findings.rule[place]), findings.offset[place], findings.length[place])
