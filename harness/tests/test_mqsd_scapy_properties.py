"""Properties of the second codec of MS-MQSD over generated messages and over octets of any kind."""

import struct

from hypothesis import given, settings
from hypothesis import strategies as st
from scapy.layers.inet import IP, UDP
from scapy.packet import Raw

from mqconform.harness.judge.independent import mqsd_scapy as mqsd
from mqconform.harness.judge.independent.mqsd_messages import (
    DecodedMessage,
    DecodedReply,
    DecodedRequest,
)

unhurried = settings(deadline=None, max_examples=60)
guids = st.binary(min_size=16, max_size=16)
name_units = st.integers(1, 0xFFFF).filter(lambda unit: unit != 0x2C)
likely_units = st.sampled_from([0x0001, 0x002B, 0x002D, 0x0030, 0x0031, 0x012C, 0x2C00, 0x2C01, 0x0100, 0xD800, 0xDC00])
names = st.lists(name_units | likely_units, min_size=1, max_size=6).map(lambda us: struct.pack(f"<{len(us)}H", *us))
entries = st.tuples(st.integers(0, 1), st.integers(0, 1), names)
octet_values, words = st.integers(0, 0xFF), st.integers(0, 0xFFFFFFFF)


@st.composite
def requests(draw: st.DrawFn):
    networks = tuple(draw(st.lists(words, max_size=32)))
    return DecodedRequest(
        version=draw(octet_values),
        reserved=draw(st.integers(0, 0xFFFF)),
        enterprise_id=draw(guids),
        request_id=draw(guids),
        site_id=draw(guids),
        count=len(networks) or None,
        ipx_networks=networks,
    )


@st.composite
def replies(draw: st.DrawFn):
    networks = tuple(draw(st.lists(guids, min_size=1, max_size=32)))
    servers = tuple(draw(st.lists(entries, max_size=5)))
    return DecodedReply(
        version=draw(octet_values),
        reserved=draw(st.integers(0, 0xFFFF)),
        correlation_id=draw(guids),
        count=len(networks),
        mask=draw(words),
        size=sum(len(name) + 6 for _, _, name in servers),
        networks=networks,
        site=draw(guids) if servers else None,
        names=servers,
    )


messages = requests() | replies()


@unhurried
@given(messages)
def test_build_dissect_build_gives_the_same_octets(message: DecodedMessage):
    octets = mqsd.encode(message)
    packet = mqsd.MQSDHeader(octets)
    body = packet.payload.copy()
    for layer in (packet, body):
        layer.clear_cache()
    assert bytes(mqsd.MQSDHeader(**packet.fields) / body) == octets


@unhurried
@given(st.binary(min_size=12, max_size=100))
def test_arbitrary_octets_dissect_inside_a_datagram_and_keep_their_octets(octets: bytes):
    mqsd.bind_mqsd_to_udp()
    try:
        packet = IP(bytes(IP() / UDP(sport=1801, dport=1801) / Raw(octets)))
        assert bytes(packet[UDP].payload) == octets
        assert packet.show(dump=True)
    finally:
        mqsd.unbind_mqsd_from_udp()
