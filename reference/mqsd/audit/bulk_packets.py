"""Millions of packets over IP, judged in one pass (MS-MQSD 2.2): ``packet_scan``, compiled, on arrays.

Importing this module needs the optional packages of the extra ``bulk``.
"""

from collections.abc import Sequence
from dataclasses import astuple
from typing import Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Masks, Octets, call_from_loops, compiled_reader
from mqconform.reference.mqsd.audit import packet_scan
from mqconform.reference.mqsd.audit.packet_scan import CORRELATION_AT, GUID, Findings, most_findings, scan_packet
from mqconform.reference.mqsd.audit.wire_judgement import differences
from mqconform.reference.mqsd.audit.wire_rules import Finding, Message
from mqconform.reference.mqsd.server import DiscoveryServer

PASS, INCONCLUSIVE, FAIL = 1, 2, 3
"""What a finding weighs: the register lets it pass, leaves it open, or it is a violation. 0: nothing was found."""
RULES: Final = 64
"""Numbers of rules that there is room for."""


call_from_loops(packet_scan)


class Packets(NamedTuple):
    """Payloads of datagrams in one run of octets, one entry of each array for one packet."""

    octets: Octets
    starts: Int64s
    lengths: Int32s
    directions: Octets
    """Values of ``Direction``."""
    servers: Int32s
    """Which of the known configurations is the sender's, -1 where none is known."""


class Verdicts(NamedTuple):
    """The verdict on each packet, and the finding that decides it: the first of the heaviest."""

    message: Octets
    """Values of ``Message``."""
    rules: Masks
    """One bit for each rule that was found: bit n for rule n."""
    weight: Octets
    """0, ``PASS``, ``INCONCLUSIVE`` or ``FAIL``."""
    rule: Octets
    """The deciding rule, 0 where nothing was found."""
    offset: Int32s
    """First octet of what shows it, counted from the start of the packet."""
    length: Int32s
    """Octets that show it."""


def judge_packets(packets: Packets, severities: Octets, configurations: Sequence[DiscoveryServer] = ()) -> Verdicts:
    """Judge packets over IP by their octets, replies also by the configuration of their servers where it is known.

    Raises:
        ValueError: a payload lies outside the octets.
    """
    rows, lengths = len(packets.starts), packets.lengths
    if rows and (
        packets.starts.min() < 0 or lengths.min() < 0 or (packets.starts + lengths).max() > len(packets.octets)
    ):
        raise ValueError("a payload lies outside the octets")
    message, weight, rule = (np.zeros(rows, np.uint8) for _ in range(3))
    offset, length = (np.zeros(rows, np.int32) for _ in range(2))
    verdicts = Verdicts(message, np.zeros(rows, np.uint64), weight, rule, offset, length)
    room = most_findings(int(lengths.max(initial=0)))
    findings = Findings(np.zeros(2, np.int64), *(np.zeros(room, np.int64) for _ in range(3)))
    _judge_all(packets, severities, findings, verdicts)
    _compare(packets, severities, configurations, verdicts)
    return verdicts


@compiled_reader
def _judge_all(packets: Packets, severities: Octets, findings: Findings, verdicts: Verdicts) -> None:
    for row in range(len(packets.starts)):
        start, length = packets.starts[row], packets.lengths[row]
        verdicts.message[row] = scan_packet(packets.octets, start, length, packets.directions[row], findings)
        verdicts.rules[row] = findings.state[1]
        for place in range(findings.state[0]):
            rule = findings.rule[place]
            if severities[rule] > verdicts.weight[row]:
                verdicts.weight[row], verdicts.rule[row] = severities[rule], rule
                verdicts.offset[row], verdicts.length[row] = findings.offset[place], findings.length[place]


def _compare(
    packets: Packets, severities: Octets, configurations: Sequence[DiscoveryServer], verdicts: Verdicts
) -> None:
    """Compare replies with what is known of their servers, those that differ in their identifier alone once."""
    judged: dict[tuple[int, int, bytes], list[Finding]] = {}
    identifier = slice(CORRELATION_AT, CORRELATION_AT + GUID)
    for row in np.flatnonzero((packets.servers >= 0) & (verdicts.message == int(Message.REPLY))).tolist():
        start, server, rules = packets.starts[row], int(packets.servers[row]), int(verdicts.rules[row])
        reply = packets.octets[start : start + packets.lengths[row]].tobytes()
        key = server, rules, reply[: identifier.start] + reply[identifier.stop :]
        if key not in judged:
            judged[key] = [*differences(reply, rules, configurations[server])]
        for rule, offset, length in map(astuple, judged[key]):
            verdicts.rules[row] |= np.uint64(1 << rule)
            if severities[rule] > verdicts.weight[row]:
                verdicts.weight[row], verdicts.rule[row] = severities[rule], rule
                verdicts.offset[row], verdicts.length[row] = offset, length
