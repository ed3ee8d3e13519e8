"""The scan of packets, compiled, finds what it finds as it stands."""

import random
import struct
from collections.abc import Sequence

import numpy as np
import pytest

from mqconform.reference.mqbr.bulk_compiled import revision_of
from mqconform.reference.mqsd.audit import bulk_packets, packet_scan
from mqconform.reference.mqsd.audit.bulk_packets import RULES, Packets, Verdicts, judge_packets
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
    return judge_packets(given_packets, ALIKE, [SERVER, BARE])


def readably(octets: bytes, direction: int, server: int) -> tuple[Message, tuple[Finding, ...]]:
    judgement = judge_packet(octets, Direction(direction), (SERVER, BARE, None)[server])
    return judgement.message, judgement.findings


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


class Drawn:
    """Packets drawn with one seed: right ones, and right ones spoiled in up to three places."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def reply(self, names: Sequence[str]) -> bytes:
        count = self.random.choice([0, 1, 2, 3, 3, 3, 33])
        networks = self.random.choice([NETWORKS[:count], NETWORKS[count:0:-1], self.random.choices(NETWORKS, k=count)])
        if len(networks) != count:
            networks = self.random.choices(NETWORKS, k=count)
        flags, between = self.random.choice(["10", "01", "11", "00", "x1"]), self.random.choice([",", ",", "\0"])
        listed = between.join(flags + name for name in names).encode("utf-16-le") + b"\0\0" if names else b""
        site = self.random.choice([SITE, bytes([9] * 16)]) if names else b""
        fixed = struct.pack("<III", count, 0, len(listed))
        return b"\0\2\0\0" + self.random.randbytes(16) + fixed + b"".join(networks) + site + listed

    def request(self) -> bytes:
        site = self.random.choice([bytes(16), SITE, self.random.randbytes(16)])
        tail = self.random.choice([b"", b"", b"\2\0\0\0" + bytes(8), b"\1\0\0\0" + bytes(4)])
        return b"\0\1\0\0" + self.random.randbytes(32) + site + tail

    def names(self) -> Sequence[str]:
        orders = (NAMES, NAMES[::-1], [*NAMES, "c"], NAMES[:2], [*NAMES[:2], "x"], [], [], ["a"])
        return self.random.choice(orders)

    def spoiled(self, packet: bytes) -> bytes:
        octets = bytearray(packet)
        kind = self.random.randrange(7)
        if kind == 0 and octets:
            octets[self.random.randrange(len(octets))] = self.random.choice([0, 1, 2, 0x2C, 0x30, 0x31, 255])
        elif kind == 1:
            del octets[self.random.randrange(len(octets) + 1) :]
        elif kind == 2:
            octets += bytes(self.random.choices([0, 0x30, 0x31, 0x2C], k=self.random.choice([1, 2, 4, 8, 16, 18, 20])))
        elif kind == 3 and len(octets) > 32:
            sizes = (0, 1, 2, 4, 12, 14, 16, 18, 20, 22, self.random.randrange(100), 2**32 - 1)
            octets[28:32] = struct.pack("<I", self.random.choice(sizes))
        elif kind == 4 and len(octets) > 24:
            octets[20:24] = struct.pack("<I", self.random.choice([0, 1, 2, 3, 33, 2**31]))
        elif kind == 5 and len(octets) > 66:
            at = 64 + 2 * self.random.randrange((len(octets) - 64) // 2)
            octets[at : at + 2] = self.random.choice([b",\0", b"\0\0", b"1\0", b"0\0", b"x\0"])
        elif len(octets) > 4:
            octets[:4] = self.random.choice([b"\1\2\0\0", b"\0\2\1\0", b"\0\1\0\2", b"\0\3\0\0", b"\0\0\0\0"])
        return bytes(octets)

    def packet(self) -> bytes:
        octets = self.request() if self.random.random() < 0.2 else self.reply(self.names())
        for _ in range(self.random.choice([0, 0, 1, 1, 2, 3])):
            octets = self.spoiled(octets)
        return octets

    def direction(self, octets: bytes) -> int:
        fits = 2 if octets[1:2] == b"\2" else 1
        return fits if self.random.random() < 0.7 else self.random.randrange(3)


def test_drawn_packets_are_judged_alike_and_every_rule_occurs():
    drawn = Drawn(20_261_121)
    packets = [drawn.packet() for _ in range(5_000)]
    directions = [drawn.direction(octets) for octets in packets]
    servers = [drawn.random.choice([-1, 0, 0, 1]) for _ in packets]
    assert hold_together(packets, directions, servers) == set(WIRE_RULES)


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


@pytest.mark.parametrize(("start", "length"), [(-1, 4), (0, 53), (50, 4), (0, -1)])
def test_a_payload_outside_the_octets_is_refused(start: int, length: int):
    packets = Packets(
        np.zeros(52, np.uint8),
        np.array([start], np.int64),
        np.array([length], np.int32),
        np.ones(1, np.uint8),
        np.full(1, -1, np.int32),
    )
    with pytest.raises(ValueError, match="outside"):
        judge_packets(packets, ALIKE)


def test_machine_code_is_kept_for_one_state_of_the_scan_that_it_calls(monkeypatch: pytest.MonkeyPatch):
    before = revision_of.__wrapped__(bulk_packets.__name__)
    monkeypatch.setattr(packet_scan, "MOST", packet_scan.MOST + 1)
    assert revision_of.__wrapped__(bulk_packets.__name__) != before
