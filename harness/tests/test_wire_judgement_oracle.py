"""The rules by which captures are audited give the verdicts that a run gives: packet by packet, on spoiled replies."""

import random
import struct

import pytest

from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqsd_server.reply_view import view
from mqconform.harness.judge.mqsd_server.whole_reply import judge_whole_reply
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.suite.ambiguity import ReadingLog, load_register
from mqconform.reference.mqsd.audit.wire_judgement import judge_packet
from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES, Direction, Finding, Rule
from mqconform.reference.mqsd.expected_reply import expected_reply
from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.packets import DirectoryServer
from mqconform.reference.mqsd.server import DiscoveryServer, Network, receive_topology_client_request

SITE, IDENTIFIER = b"S" * 16, bytes(range(16))
SERVER = DiscoveryServer(
    Guid(b"E" * 16),
    Guid(SITE),
    tuple(Guid(bytes([number]) * 16) for number in (1, 2, 3)),
    tuple(DirectoryServer(name, ip=True, ipx=False) for name in ("PSC", "BSC1", "b")),
)
NETWORKS_END = 80
REGISTER = load_register()
NOT_JUDGED_BY_A_RUN = {Rule.REPLY_VERSION, Rule.REPLY_RESERVED}
"""A run has no assertion about Version and Reserved of a reply, which the register leaves to the server (SD-11)."""


def request(*, own: bool) -> bytes:
    return b"\0\1\0\0" + b"E" * 16 + IDENTIFIER + (SITE if own else b"O" * 16)


def spoiled(reply: bytes, random: random.Random) -> bytes:
    octets, way = bytearray(reply), random.randrange(9)
    listed = len(octets) > NETWORKS_END + 18
    match way:
        case 0 if octets:
            octets[random.randrange(len(octets))] = random.choice([0, 1, 2, 0x2C, 0x30, 0x31, 255])
        case 1:
            del octets[random.randrange(len(octets) + 1) :]
        case 2:
            octets += bytes(random.choices([0, 0x30, 0x31, 0x2C], k=random.choice([1, 2, 4, 8, 16, 18, 20])))
        case 3 if len(octets) > 32:
            octets[28:32] = struct.pack("<I", random.choice([0, 1, 2, max(8, len(octets) - 96), random.randrange(60)]))
        case 4 if len(octets) > 24:
            octets[20:24] = struct.pack("<I", random.choice([0, 1, 2, 3, 4, 33]))
        case 5 | 6 if listed:
            at = NETWORKS_END + 16 + 2 * random.randrange((len(octets) - NETWORKS_END - 16) // 2)
            octets[at : at + 2] = random.choice([b",\0", b"\0\0", b"1\0", b"0\0", b"x\0"])
        case 7 if len(octets) >= NETWORKS_END:
            octets[32:64] = octets[48:64] + octets[32:48]
        case _:
            octets[:4] = random.choice([b"\1\2\0\0", b"\0\2\1\0", b"\0\3\0\0"])
    return bytes(octets)


def of_a_run(reply: bytes, profile: Profile, *, own: bool) -> Verdict:
    judge = Judge(REGISTER, profile, ReadingLog())
    return judge_whole_reply(judge, view(reply, expected_reply(SERVER, Network.IP, request(own=own)))).verdict


def of_an_audit(reply: bytes, profile: Profile, *, own: bool) -> Verdict:
    """Return the verdict of packet and conversation together."""
    found = judge_packet(reply, Direction.TO_CLIENT, SERVER).findings
    verdicts = [weighed(one, profile) for one in found if one.rule not in NOT_JUDGED_BY_A_RUN]
    return max([Verdict.PASS, of_the_pair(reply, own=own), *verdicts])


def weighed(finding: Finding, profile: Profile) -> Verdict:
    reading = finding.rule.reading
    return REGISTER.verdict_of(*reading, profile) if reading else Verdict.FAIL


def of_the_pair(reply: bytes, *, own: bool) -> Verdict:
    """Return what the request tells beside the reply: the rules OTHER_ID, OWN_SITE_... and OTHER_SITE_UNLISTED."""
    if reply[4:20] != IDENTIFIER:
        return Verdict.FAIL
    if len(reply) < 32:
        return Verdict.PASS
    lists, behind = any(reply[28:32]), reply[32 + 16 * int.from_bytes(reply[20:24], "little") :]
    followed = len(behind) == 16 or (len(behind) > 16 and any(behind))
    wrong = (lists or followed) if own else not lists
    return Verdict.FAIL if wrong else Verdict.PASS


@pytest.mark.parametrize("profile", [Profile.MUST, Profile.DEFAULT, Profile.STRICT, Profile.WINDOWS])
@pytest.mark.parametrize("own", [True, False], ids=["own site", "another site"])
def test_an_audit_gives_the_verdicts_of_a_run(profile: Profile, own: bool):  # noqa: FBT001 - a parameter
    drawn, seen = random.Random(20_261_121), set()
    right = receive_topology_client_request(SERVER, Network.IP, request(own=own))
    assert right is not None
    for _ in range(800):
        reply = right
        for _ in range(drawn.choice([0, 1, 1, 1, 2])):
            reply = spoiled(reply, drawn)
        run, audit = of_a_run(reply, profile, own=own), of_an_audit(reply, profile, own=own)
        assert audit == run, reply.hex()
        seen.add(run)
    assert (Verdict.INCONCLUSIVE in seen) == (profile is Profile.STRICT)
    assert seen >= {Verdict.PASS, Verdict.FAIL}


def test_an_audit_convicts_of_a_sentence_that_the_register_names():
    refused = [(rule, REGISTER.reading(*rule.reading).breaks) for rule in WIRE_RULES if rule.reading]
    wrong = {rule.name: rule.requirement for rule, breaks in refused if breaks and rule.requirement not in breaks}
    assert not wrong
    assert any(breaks for _, breaks in refused)
