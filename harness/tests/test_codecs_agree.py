"""The reference codec and the second one, written apart, agree on what a message is and what it says."""

from drawn_packets import damaged, messages
from hypothesis import given

from mqconform.harness.explore.inputs.codec_comparison import codec_objection, in_plain_terms
from mqconform.harness.judge.independent.mqsd_messages import DecodedReply, DecodedRequest, decode
from mqconform.reference.mqsd.packets import (
    Message,
    encode_message,
)


@given(messages)
def test_both_read_every_field_of_a_message_alike(message: Message):
    assert decode(encode_message(message)) == in_plain_terms(message)


@given(damaged())
def test_both_accept_or_refuse_a_damaged_message_alike(octets: bytes):
    assert codec_objection(octets) == ""


LIST = "10alpha,01beta\0".encode("utf-16-le")
REQUEST = bytes.fromhex("00010000") + b"\x11" * 48 + bytes.fromhex("02000000") + b"\x22" * 20
REPLY = bytes.fromhex("00020000") + b"\x1d" * 16 + bytes.fromhex("0100000000000000") + bytes([len(LIST), 0, 0, 0])
FOREIGN_REPLY = REPLY + b"\xc0" * 16 + b"\x51" * 16 + LIST


def test_both_agree_at_every_length_of_a_request_and_a_reply():
    for octets in (REQUEST, FOREIGN_REPLY + b"\0\0"):
        for length in range(len(octets) + 1):
            assert codec_objection(octets[:length]) == "", length


SECTION_4 = [
    bytes.fromhex(octets.replace("\n", " "))
    for octets in (
        """00010000 61BAEAE6C6D1DB11BAAC0003FF4E2D22 03A191F23CE34FABA930BE3A33E432DD
        F61BC5DCADD4434587397156 8E8F9128""",
        """00020000 03A191F23CE34FABA930BE3A33E432DD 01000000 00000000 12000000 62BAEAE6C6D1DB11BAAC0003FF4E2D22
        60BAEAE6C6D1DB11BAAC0003FF4E2D22 31003000 6E0074003400700065006300 0000""",
    )
]


def test_the_packets_of_section_4_are_read_field_by_field():
    request, reply = SECTION_4
    assert decode(request) == DecodedRequest(0, 0, request[4:20], request[20:36], request[36:52])
    names = ((1, 0, "nt4pec".encode("utf-16-le")),)
    assert decode(reply) == DecodedReply(0, 0, request[20:36], 1, 0, 18, (reply[32:48],), reply[48:64], names)


def test_ipx_networks_are_little_endian_behind_their_count():
    request = SECTION_4[0] + bytes.fromhex("02000000 2A000000 2B000000")
    read = decode(request)
    assert isinstance(read, DecodedRequest)
    assert (read.count, read.ipx_networks) == (2, (0x2A, 0x2B))
