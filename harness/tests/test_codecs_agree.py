"""The reference codec and the second one, written apart, agree on what a message is and what it says."""

from hypothesis import given
from hypothesis import strategies as st

from mqconform.harness.explore.inputs.codec_comparison import codec_objection, in_plain_terms
from mqconform.harness.judge.independent.mqsd_messages import DecodedReply, DecodedRequest, decode
from mqconform.reference.mqsd.messages import PacketType
from mqconform.reference.mqsd.packets import (
    DirectoryServer,
    Message,
    TopologyClientRequest,
    TopologyPacketHeader,
    TopologyServerReply,
    encode_message,
)

double_words = st.integers(0, 0xFFFFFFFF)
guids = st.binary(min_size=16, max_size=16)
units = st.one_of(st.integers(1, 0xFFFF), st.sampled_from([0x2C01, 0x012C, 0xD800, 0xDC00])).filter(lambda u: u != 0x2C)
names = st.lists(units, min_size=1, max_size=8).map(lambda units: "".join(map(chr, units)))
server_lists = st.lists(st.builds(DirectoryServer, names, st.booleans(), st.booleans()), min_size=1, max_size=4)
networks = st.lists(guids, min_size=1, max_size=4) | st.just([b"\x5a" * 16] * 32)


def headers(kind: PacketType) -> st.SearchStrategy[TopologyPacketHeader]:
    return st.builds(TopologyPacketHeader, st.just(kind), st.integers(0, 0xFF), st.integers(0, 0xFFFF))


@st.composite
def requests(draw: st.DrawFn) -> TopologyClientRequest:
    ipx = tuple(draw(st.lists(double_words, max_size=32)))
    tail = b"" if ipx else draw(st.binary(max_size=7))
    header = draw(headers(PacketType.CLIENT_REQUEST))
    return TopologyClientRequest(*(draw(guids) for _ in range(3)), ipx, header, tail)


@st.composite
def replies(draw: st.DrawFn) -> TopologyServerReply:
    site, servers = draw(st.just((None, ())) | st.tuples(guids, server_lists.map(tuple)))
    header = draw(headers(PacketType.SERVER_REPLY))
    return TopologyServerReply(draw(guids), tuple(draw(networks)), draw(double_words), site, servers, header)


messages = requests() | replies()


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """A message changed where it hurts: in its numbers, its length, its characters."""
    octets = bytearray(encode_message(draw(messages)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(octets)))
        number_at = draw(st.sampled_from([1, 20, 28, 52]))
        match draw(st.sampled_from(["octet", "cut", "insert", "append", "character", "number"])):
            case "octet":
                octets[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
            case "cut":
                del octets[at : at + draw(st.integers(1, 17))]
            case "insert":
                octets[at:at] = draw(st.binary(min_size=1, max_size=17))
            case "append":
                octets += draw(st.binary(min_size=1, max_size=17))
            case "character":
                octets[at & ~1 : (at & ~1) + 2] = draw(st.sampled_from([b"\0\0", b",\0", b"1\0", b"2\0", b"\0,"]))
            case "number":
                octets[number_at : number_at + 1] = draw(st.integers(0, 40)).to_bytes(1, "little")
    return bytes(octets)


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
