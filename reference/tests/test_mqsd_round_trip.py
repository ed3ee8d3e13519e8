"""Encoding and decoding against each other, on generated and on damaged packets (MS-MQSD 2.2)."""

import contextlib

from hypothesis import given
from hypothesis import strategies as st

from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.layout import read_layout, read_reply_layout, read_request_layout
from mqconform.reference.mqsd.messages import PacketType
from mqconform.reference.mqsd.packets import (
    DirectoryServer,
    Message,
    TopologyClientRequest,
    TopologyPacketHeader,
    TopologyServerReply,
    decode_message,
    decode_reply,
    decode_request,
    encode_message,
)

guids = st.binary(min_size=16, max_size=16)
units = st.one_of(st.integers(1, 0xFFFF), st.sampled_from([0x2C01, 0x012C, 0xD800, 0xDC00])).filter(lambda u: u != 0x2C)
names = st.lists(units, min_size=1, max_size=12).map(lambda units: "".join(map(chr, units)))
servers = st.builds(DirectoryServer, names, st.booleans(), st.booleans())


def headers(kind: PacketType) -> st.SearchStrategy[TopologyPacketHeader]:
    return st.builds(TopologyPacketHeader, st.just(kind), st.integers(0, 0xFF), st.integers(0, 0xFFFF))


def requests(
    networks: st.SearchStrategy[tuple[int, ...]], tail: st.SearchStrategy[bytes]
) -> st.SearchStrategy[TopologyClientRequest]:
    return st.builds(TopologyClientRequest, guids, guids, guids, networks, headers(PacketType.CLIENT_REQUEST), tail)


ipx_networks = st.lists(st.integers(0, 0xFFFFFFFF), min_size=1, max_size=32).map(tuple)
foreign_sites = st.tuples(guids, st.lists(servers, min_size=1, max_size=5).map(tuple))
replies = st.builds(
    lambda site, *rest, header: TopologyServerReply(*rest, *site, header),
    st.just((None, ())) | foreign_sites,
    guids,
    st.lists(guids, min_size=1, max_size=32).map(tuple),
    st.integers(0, 0xFFFFFFFF),
    header=headers(PacketType.SERVER_REPLY),
)
messages = st.one_of(requests(st.just(()), st.binary(max_size=7)), requests(ipx_networks, st.just(b"")), replies)


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    octets = bytearray(encode_message(draw(messages)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(octets)))
        match draw(st.sampled_from(["set", "cut", "insert", "number"])):
            case "set":
                octets[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
            case "cut":
                del octets[at : at + draw(st.integers(1, 20))]
            case "insert":
                octets[at:at] = draw(st.sampled_from([b"\0", b"\0\0", b",\0", b"1\x000\0"]) | st.binary(max_size=17))
            case "number":
                at = draw(st.sampled_from([0, 20, 24, 28, 52]))
                octets[at : at + 4] = draw(st.integers(0, 40)).to_bytes(4, "little")
    return bytes(octets)


anything = st.binary(max_size=120) | st.builds(
    lambda kind, rest: bytes([0, kind]) + rest, st.integers(0, 3), st.binary(max_size=120)
)


@given(messages)
def test_a_message_survives_its_octets(message: Message):
    assert decode_message(encode_message(message)) == message


@given(damaged())
def test_octets_that_are_accepted_survive_their_message(octets: bytes):
    with contextlib.suppress(MalformedPacket):
        assert encode_message(decode_message(octets)) == octets


@given(anything | damaged())
def test_strict_decoding_refuses_with_one_error_only(octets: bytes):
    for decode in (decode_message, decode_request, decode_reply):
        with contextlib.suppress(MalformedPacket):
            decode(octets)


@given(anything | damaged())
def test_a_layout_covers_every_octet_once(octets: bytes):
    for read in (read_layout, read_request_layout, read_reply_layout):
        layout = read(octets)
        cut = layout.cut.octets if layout.cut else b""
        assert b"".join(field.octets for field in layout) + cut + layout.trailing == octets
        assert all(octets[field.offset : field.offset + field.length] == field.octets for field in layout)
