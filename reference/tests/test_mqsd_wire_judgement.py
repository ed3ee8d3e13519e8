"""What the rules of the wire say of single packets, in literal octets."""

from hypothesis import given
from hypothesis import strategies as st

from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.audit.wire_judgement import judge_packet
from mqconform.reference.mqsd.audit.wire_rules import WIRE_RULES, Direction, Message, Rule
from mqconform.reference.mqsd.packets import decode_reply, decode_request

REQUEST = "0001000061baeae6c6d1db11baac0003ff4e2d2203a191f23ce34faba930be3a33e432ddf61bc5dcadd44345873971568e8f9128"
FOREIGN = (
    "0002000003a191f23ce34faba930be3a33e432dd010000000000000012000000"
    "62baeae6c6d1db11baac0003ff4e2d2260baeae6c6d1db11baac0003ff4e2d22"
    "310030006e00740034007000650063000000"
)
OWN = "0002000003a191f23ce34faba930be3a33e432dd01000000000000000000000062baeae6c6d1db11baac0003ff4e2d22"
TO_SERVER, TO_CLIENT, EITHER = Direction.TO_SERVER, Direction.TO_CLIENT, Direction.EITHER


def reply(listed: str, size: int | None = None, behind: str = "") -> str:
    octets = bytes.fromhex(listed)
    return (
        FOREIGN[:56]
        + (len(octets) if size is None else size).to_bytes(4, "little").hex()
        + FOREIGN[64:128]
        + (listed + behind)
    )


def test_nothing_is_wrong_with_the_examples():
    for octets, directions, message in (
        (REQUEST, (TO_SERVER, EITHER), Message.REQUEST),
        (OWN, (TO_CLIENT,), Message.REPLY),
        (FOREIGN, (TO_CLIENT, EITHER), Message.REPLY),
    ):
        for direction in directions:
            judgement = judge_packet(bytes.fromhex(octets), direction)
            assert (judgement.message, judgement.findings) == (message, ())


A = "31003000" + "4100"
B = "30003100" + "4200"
COMMA, NULL = "2c00", "0000"

CASES = [
    ("000100", TO_SERVER, [(Rule.HEADER_CUT, 0, 3)]),
    ("00030000", EITHER, [(Rule.NO_TYPE, 1, 1)]),
    ("01" + REQUEST[2:], TO_SERVER, [(Rule.REQUEST_VERSION, 0, 1)]),
    ("0003" + REQUEST[4:], TO_SERVER, [(Rule.REQUEST_TYPE, 1, 1)]),
    ("00010001" + REQUEST[8:], TO_SERVER, [(Rule.REQUEST_RESERVED, 2, 2)]),
    (REQUEST[:38], TO_SERVER, [(Rule.ENTERPRISE_CUT, 4, 15)]),
    (REQUEST[:40], TO_SERVER, [(Rule.REQUEST_ID_CUT, 20, 0)]),
    (REQUEST[:102], TO_SERVER, [(Rule.SITE_ID_CUT, 36, 15)]),
    (REQUEST[:72] + "00" * 16, TO_SERVER, [(Rule.SITE_ID_ZERO, 36, 16)]),
    (REQUEST + "00", TO_SERVER, [(Rule.REQUEST_TRAILING, 52, 1)]),
    (REQUEST + "0100000007000000", TO_SERVER, [(Rule.IPX_COUNT_PRESENT, 52, 4), (Rule.IPX_ARRAY_PRESENT, 56, 4)]),
    (
        REQUEST + "2100000007000000",
        TO_SERVER,
        [
            (Rule.IPX_COUNT_PRESENT, 52, 4),
            (Rule.IPX_COUNT_RANGE, 52, 4),
            (Rule.IPX_ARRAY_PRESENT, 56, 4),
            (Rule.IPX_ARRAY_LENGTH, 56, 4),
        ],
    ),
    (REQUEST, TO_CLIENT, [(Rule.REQUEST_ELSEWHERE, 1, 1)]),
    (OWN, TO_SERVER, [(Rule.REPLY_FROM_ELSEWHERE, 1, 1)]),
    ("0001" + OWN[4:], TO_CLIENT, [(Rule.REPLY_TYPE, 1, 1)]),
    ("01" + OWN[2:], TO_CLIENT, [(Rule.REPLY_VERSION, 0, 1)]),
    ("00020100" + OWN[8:], TO_CLIENT, [(Rule.REPLY_RESERVED, 2, 2)]),
    (OWN[:38], TO_CLIENT, [(Rule.CORRELATION_CUT, 4, 15)]),
    (OWN[:46], TO_CLIENT, [(Rule.COUNT_CUT, 20, 3)]),
    (OWN[:48], TO_CLIENT, [(Rule.MASK_CUT, 24, 0)]),
    (OWN[:62], TO_CLIENT, [(Rule.SIZE_CUT, 28, 3)]),
    (OWN[:40] + "00" * 12, TO_CLIENT, [(Rule.COUNT_ZERO, 20, 4)]),
    (OWN[:40] + "00" * 4 + OWN[48:], TO_CLIENT, [(Rule.COUNT_TOO_LOW, 20, 4), (Rule.TRAILING, 32, 16)]),
    (OWN[:40] + "21000000" + OWN[48:], TO_CLIENT, [(Rule.COUNT_RANGE, 20, 4), (Rule.NETWORKS_CUT, 32, 16)]),
    (OWN[:40] + "21000000" + OWN[48:64] + "55" * 528, TO_CLIENT, [(Rule.COUNT_ABOVE, 20, 4)]),
    (OWN[:40] + "02000000" + OWN[48:], TO_CLIENT, [(Rule.NETWORKS_CUT, 32, 16)]),
    (OWN[:48] + "01000000" + OWN[56:], TO_CLIENT, [(Rule.MASK, 24, 4)]),
    (FOREIGN[:120], TO_CLIENT, [(Rule.SITE_CUT, 48, 12)]),
    (FOREIGN[:-2], TO_CLIENT, [(Rule.ARRAY_CUT, 64, 17)]),
    (reply(A + NULL, 7), TO_CLIENT, [(Rule.SIZE_ODD, 28, 4)]),
    (reply(A, behind=NULL), TO_CLIENT, [(Rule.SIZE_WITHOUT_TERMINATOR, 28, 4)]),
    (reply(A + COMMA, behind=B + NULL), TO_CLIENT, [(Rule.SIZE_TOO_LOW, 28, 4)]),
    (reply(A + NULL, 0), TO_CLIENT, [(Rule.SIZE_ZERO_WITH_ARRAY, 28, 4)]),
    (OWN + "60" * 16, TO_CLIENT, [(Rule.SITE_WITHOUT_ARRAY, 48, 16)]),
    (OWN + "60" * 15, TO_CLIENT, [(Rule.TRAILING, 48, 15)]),
    (FOREIGN + "00", TO_CLIENT, [(Rule.TRAILING, 82, 1)]),
    (reply(NULL), TO_CLIENT, [(Rule.TERMINATOR_ONLY, 64, 2)]),
    (reply("32003000" + "4100" + NULL), TO_CLIENT, [(Rule.IP_FLAG, 64, 2)]),
    (reply(A + COMMA + "31003200" + "4100" + NULL), TO_CLIENT, [(Rule.IPX_FLAG, 74, 2)]),
    (reply("30003000" + "4100" + NULL), TO_CLIENT, [(Rule.NO_PROTOCOL, 64, 4)]),
    (reply("31003000" + NULL), TO_CLIENT, [(Rule.NO_NAME, 68, 0)]),
    (reply(A + COMMA + NULL), TO_CLIENT, [(Rule.EMPTY_ENTRY, 72, 2)]),
    (reply(A + NULL + B + NULL), TO_CLIENT, [(Rule.NULL_BETWEEN, 70, 2)]),
    (reply(A + NULL + B), TO_CLIENT, [(Rule.NULL_BETWEEN, 70, 2), (Rule.NO_END, 78, 0)]),
    (reply(A + NULL + NULL), TO_CLIENT, [(Rule.BEHIND_END, 72, 2)]),
    (reply(A + COMMA + B), TO_CLIENT, [(Rule.NO_END, 78, 0)]),
]


def test_each_rule_finds_what_it_is_about():
    for octets, direction, expected in CASES:
        judgement = judge_packet(bytes.fromhex(octets), direction)
        assert [(one.rule, one.offset, one.length) for one in judgement.findings] == expected, octets


HARMLESS = {
    Rule.REQUEST_VERSION,
    Rule.REQUEST_RESERVED,
    Rule.SITE_ID_ZERO,
    Rule.REQUEST_TRAILING,
    Rule.IPX_COUNT_PRESENT,
    Rule.IPX_ARRAY_PRESENT,
    Rule.REPLY_VERSION,
    Rule.REPLY_RESERVED,
    Rule.MASK,
    Rule.NO_PROTOCOL,
}
"""What strict decoding lets pass: it reads the syntax, not the values."""


def decodes(octets: bytes, direction: Direction) -> bool:
    try:
        (decode_request if direction is TO_SERVER else decode_reply)(octets)
    except MalformedPacket:
        return False
    return True


@given(st.sampled_from(CASES), st.integers(0, 90), st.binary(max_size=4), st.integers(0, 3))
def test_strict_decoding_accepts_what_has_no_syntax_finding(
    case: tuple[str, Direction, object], at: int, inserted: bytes, removed: int
):
    octets, direction = bytes.fromhex(case[0]), case[1]
    octets = octets[:at] + inserted + octets[at + removed :]
    direction = TO_CLIENT if direction is EITHER else direction
    rules = {one.rule for one in judge_packet(octets, direction).findings}
    if rules & {Rule.REQUEST_ELSEWHERE, Rule.REPLY_FROM_ELSEWHERE}:
        return  # accepted as the other message
    assert decodes(octets, direction) == (rules <= HARMLESS)


def test_every_rule_has_words_and_a_requirement():
    assert set(WIRE_RULES) == set(Rule) - {Rule.NONE}
    assert all(rule.requirement.startswith("MQSD-") and rule.says for rule in WIRE_RULES)
