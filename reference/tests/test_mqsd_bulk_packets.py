"""The compiled judgement of packets finds what the readable one finds, packet by packet."""

import struct
from collections.abc import Sequence
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_mqsd_wire_judgement import CASES

from mqconform.reference.mqsd.audit.bulk_facts import server_table
from mqconform.reference.mqsd.audit.bulk_findings import RULES, Verdicts
from mqconform.reference.mqsd.audit.bulk_packets import Packets, judge_packets
from mqconform.reference.mqsd.audit.wire_facts import differences
from mqconform.reference.mqsd.audit.wire_judgement import judge_packet
from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES, Direction, Finding, Message, Rule
from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.packets import DirectoryServer
from mqconform.reference.mqsd.server import DiscoveryServer

ALIKE = np.frombuffer(bytes([3] * RULES), np.uint8)
"""Read-only, as the audits have it: loops are compiled once for both."""
SITE, NETWORKS = bytes(range(16)), [bytes([number] * 16) for number in range(1, 5)]
NAMES = ["ab", "c", "zz"]
SERVER = DiscoveryServer(
    Guid(bytes(16)),
    Guid(SITE),
    tuple(Guid(one) for one in NETWORKS[:3]),
    tuple(DirectoryServer(name, ip=True, ipx=False) for name in NAMES),
)
BARE = DiscoveryServer(Guid(bytes(16)), Guid(SITE), (), ())


def judged(packets: Sequence[bytes], directions: Sequence[int], servers: Sequence[int] | None = None) -> Verdicts:
    lengths = np.array([len(packet) for packet in packets], np.int32)
    starts = np.cumsum([0, *lengths[:-1]]).astype(np.int64)
    octets = np.frombuffer(b"".join(packets), np.uint8)
    known = np.array(servers or [-1] * len(packets), np.int32)
    given_packets = Packets(octets, starts, lengths, np.array(directions, np.uint8), known)
    return judge_packets(given_packets, ALIKE, server_table([SERVER, BARE]))


def readably(octets: bytes, direction: int, server: int) -> tuple[Message, tuple[Finding, ...]]:
    judgement = judge_packet(octets, Direction(direction))
    findings = judgement.findings
    if server >= 0 and judgement.message is Message.REPLY:
        findings += tuple(differences(octets, (SERVER, BARE)[server], findings))
    return judgement.message, findings


def hold_together(packets: Sequence[bytes], directions: Sequence[int], servers: Sequence[int]) -> set[Rule]:
    """Compare both judgements, and return the rules that occurred."""
    verdicts, seen = judged(packets, directions, servers), set()
    for row, octets in enumerate(packets):
        message, findings = readably(octets, directions[row], servers[row])
        first = findings[0] if findings else Finding(Rule.NONE, 0, 0)
        rules = {Rule(number) for number in range(RULES) if int(verdicts.rules[row]) >> number & 1}
        deciding = Finding(Rule(verdicts.rule[row]), verdicts.offset[row], verdicts.length[row])
        told = (Direction(directions[row]), octets.hex())
        assert (Message(verdicts.message[row]), rules) == (message, {one.rule for one in findings}), told
        assert deciding == first, told
        seen |= rules
    return seen


def drawn(random: Random) -> bytes:
    """Return a reply as one of the two servers sends it, or nearly, or a packet that some rule is about, spoiled."""
    if random.random() < 0.3:
        octets = bytes.fromhex(random.choice(CASES)[0])
    else:
        count = random.choice([0, 1, 2, 3, 3, 3, 33])
        networks = random.choice([NETWORKS[:count], NETWORKS[::-1][:count], random.choices(NETWORKS, k=count)])
        names = random.choice((NAMES, NAMES, NAMES[::-1], [*NAMES, "c"], NAMES[:2], [*NAMES[:2], "x"], [], ["a"]))
        flags = random.choice(["10", "01", "11"])
        listed = ",".join(flags + name for name in names).encode("utf-16-le") + b"\0\0" if names else b""
        site = random.choice([SITE, bytes([9] * 16)]) if names else b""
        fixed = struct.pack("<III", len(networks), 0, len(listed))
        octets = b"\0\2\0\0" + random.randbytes(16) + fixed + b"".join(networks) + site + listed
    for _ in range(random.choice([0, 0, 1, 2])):
        at, removed = random.randrange(len(octets) + 1), random.choice([0, 1, 2, 20])
        inserted = random.choice([b"", b"\0", b"\0\0", b",\0", b"1\x000\0", random.randbytes(4)])
        octets = octets[:at] + inserted + octets[at + removed :]
    return octets


def test_drawn_packets_are_judged_alike_and_every_rule_occurs():
    random = Random(20_261_121)
    packets = [*(bytes.fromhex(case[0]) for case in CASES), *(drawn(random) for _ in range(2_500))]
    directions = [*(int(case[1]) for case in CASES), *(random.randrange(3) for _ in range(2_500))]
    servers = [random.choice([-1, 0, 0, 1]) for _ in packets]
    assert hold_together(packets, directions, servers) == set(WIRE_RULES)


@settings(max_examples=100)
@given(st.binary(max_size=140), st.integers(0, 2), st.integers(-1, 1))
def test_octets_of_any_kind_are_judged_alike(octets: bytes, direction: int, server: int):
    hold_together([octets], [direction], [server])


def test_the_heaviest_finding_decides_and_the_first_among_equals():
    request = b"\1\1\2\2" + bytes(48)
    weights = ALIKE.copy()
    weights[Rule.REQUEST_VERSION], weights[Rule.SITE_ID_ZERO] = 2, 1
    packets = Packets(
        np.frombuffer(request, np.uint8),
        np.zeros(1, np.int64),
        np.full(1, 52, np.int32),
        np.ones(1, np.uint8),
        np.full(1, -1, np.int32),
    )
    weights.flags.writeable = False
    verdicts = judge_packets(packets, weights)
    assert (verdicts.rule[0], verdicts.weight[0]) == (Rule.REQUEST_RESERVED, 3)
    assert (verdicts.offset[0], verdicts.length[0]) == (2, 2)


def test_a_payload_outside_the_octets_is_refused():
    for start, length in ((-1, 4), (0, 53), (50, 4), (0, -1)):
        packets = Packets(
            np.zeros(52, np.uint8),
            np.array([start], np.int64),
            np.array([length], np.int32),
            np.ones(1, np.uint8),
            np.full(1, -1, np.int32),
        )
        with pytest.raises(ValueError, match="outside"):
            judge_packets(packets, ALIKE)
