"""One packet over IP, judged by its octets (MS-MQSD 2.2): ``packet_scan`` on octets and lists."""

from collections.abc import Iterator
from dataclasses import dataclass

from mqconform.reference.mqsd.audit.packet_octets import Found, most_findings
from mqconform.reference.mqsd.audit.packet_scan import scan_packet
from mqconform.reference.mqsd.audit.server_facts import differences
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
    message = Message(scan_packet(octets, 0, len(octets), direction, findings))
    listed = [*_listed(findings)]
    if server is not None and message is Message.REPLY:
        listed += differences(octets, findings.state[1], server)
    return WireJudgement(message, tuple(listed))


def _listed(findings: Found) -> Iterator[Finding]:
    for place in range(findings.state[0]):
        yield Finding(Rule(findings.rule[place]), findings.offset[place], findings.length[place])
