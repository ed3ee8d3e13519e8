"""Encoding and decoding against each other, on generated and on damaged packets (MS-MQSD 2.2)."""

import contextlib

from drawn_packets import damaged, messages
from hypothesis import given
from hypothesis import strategies as st

from mqconform.reference.errors import MalformedPacket
from mqconform.reference.mqsd.layout import read_layout, read_reply_layout, read_request_layout
from mqconform.reference.mqsd.packets import (
    Message,
    decode_message,
    decode_reply,
    decode_request,
    decode_server_array,
    encode_message,
)

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


pieces = st.sampled_from(["1", "0", "2", ",", "\0", "a", "\u2c01", "\ud83d", "10a", "01bc,", "10a\0"])


@given(st.lists(pieces, max_size=8).map("".join), st.sampled_from([b"", b"", b"\0"]))
def test_the_grammar_accepts_a_list_exactly_where_its_layout_has_no_problem(text: str, odd: bytes):
    listed = text.encode("utf-16-le", "surrogatepass") + odd
    size = len(listed).to_bytes(4, "little")
    reply = bytes([0, 2, 0, 0]) + bytes(16) + bytes([1]) + bytes(7) + size + bytes(32) + listed
    problems = read_reply_layout(reply).problems if listed else ("an empty list",)
    try:
        decode_server_array(listed, 0)
    except MalformedPacket:
        assert problems
    else:
        assert not problems


@given(anything | damaged())
def test_a_layout_covers_every_octet_once(octets: bytes):
    for read in (read_layout, read_request_layout, read_reply_layout):
        layout = read(octets)
        cut = layout.cut.octets if layout.cut else b""
        assert b"".join(field.octets for field in layout) + cut + layout.trailing == octets
        assert all(octets[field.offset : field.offset + field.length] == field.octets for field in layout)
