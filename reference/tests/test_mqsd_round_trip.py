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


@given(anything | damaged())
def test_a_layout_covers_every_octet_once(octets: bytes):
    for read in (read_layout, read_request_layout, read_reply_layout):
        layout = read(octets)
        cut = layout.cut.octets if layout.cut else b""
        assert b"".join(field.octets for field in layout) + cut + layout.trailing == octets
        assert all(octets[field.offset : field.offset + field.length] == field.octets for field in layout)
