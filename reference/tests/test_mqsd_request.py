"""TopologyClientRequest (MS-MQSD 2.2.1, 2.2.2)."""

import dataclasses
from typing import Any

import pytest

from mqconform.reference.errors import MalformedPacket, UnencodablePacket
from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.packets import (
    TopologyClientRequest,
    TopologyPacketHeader,
    decode_message,
    decode_request,
    encode_request,
)

ENTERPRISE, REQUEST_ID, SITE = (Guid(bytes([first] * 16)) for first in (0xE0, 0x1D, 0x51))
IP_REQUEST = TopologyClientRequest(ENTERPRISE, REQUEST_ID, SITE)
IP_OCTETS = bytes.fromhex("00010000") + ENTERPRISE + REQUEST_ID + SITE


def ipx_octets(count: int, *networks: int) -> bytes:
    return IP_OCTETS + b"".join(number.to_bytes(4, "little") for number in (count, *networks))


def test_the_ip_form_has_52_octets():
    assert encode_request(IP_REQUEST) == IP_OCTETS
    assert decode_request(IP_OCTETS) == IP_REQUEST
    assert IP_REQUEST.ipx_network_count is None


@pytest.mark.parametrize("count", [1, 2, 32])
def test_the_ipx_form_carries_1_to_32_little_endian_numbers(count: int):
    networks = tuple(0x01020304 + i for i in range(count))
    request = decode_request(ipx_octets(count, *networks))
    assert request.ipx_network_number_array == networks
    assert request.ipx_network_count == count
    assert encode_request(request)[52:60] == count.to_bytes(4, "little") + bytes.fromhex("04030201")


@pytest.mark.parametrize("length", range(52))
def test_a_request_shorter_than_52_octets_is_malformed_at_its_end(length: int):
    with pytest.raises(MalformedPacket) as refused:
        decode_request(IP_OCTETS[:length])
    assert refused.value.offset == length


@pytest.mark.parametrize("extra", range(8))
def test_up_to_7_more_octets_are_not_the_ipx_fields_and_are_ignored(extra: int):
    octets = ipx_octets(1, 7)[: 52 + extra]
    request = decode_request(octets)
    assert request == dataclasses.replace(IP_REQUEST, ignored_octets=octets[52:])
    assert encode_request(request) == octets


@pytest.mark.parametrize("count", [0, 33, 0x01000000, 0xFFFFFFFF])
def test_a_count_outside_1_to_32_is_malformed(count: int):
    with pytest.raises(MalformedPacket) as refused:
        decode_request(ipx_octets(count, *range(33)))
    assert (refused.value.field, refused.value.offset) == ("IPXNetworkCount", 52)


@pytest.mark.parametrize(("count", "present", "extra"), [(2, 1, b""), (1, 2, b""), (1, 1, b"\0"), (2, 1, b"\0\0\0")])
def test_a_count_that_does_not_match_the_length_is_malformed(count: int, present: int, extra: bytes):
    with pytest.raises(MalformedPacket) as refused:
        decode_request(ipx_octets(count, *range(present)) + extra)
    end = 56 + 4 * min(count, present) + (len(extra) if present < count else 0)
    assert refused.value.offset == end


@pytest.mark.parametrize("kind", [0, 2, 3, 0xFF])
def test_another_type_is_no_request(kind: int):
    with pytest.raises(MalformedPacket) as refused:
        decode_request(bytes([0, kind]) + IP_OCTETS[2:])
    assert (refused.value.field, refused.value.offset) == ("Type", 1)


def test_version_and_reserved_are_carried_and_not_judged():
    octets = bytes.fromhex("7f013412") + IP_OCTETS[4:]
    request = decode_request(octets)
    assert request.header == TopologyPacketHeader(type=1, version=0x7F, reserved=0x1234)
    assert encode_request(request) == octets


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"enterprise_id": b"\0" * 15}, "EnterpriseID"),
        ({"request_id": b""}, "RequestID"),
        ({"site_id": b"\0" * 17}, "SiteID"),
        ({"ipx_network_number_array": tuple(range(33))}, "IPXNetworkCount"),
        ({"ipx_network_number_array": (1 << 32,)}, "IPXNetworkNumberArray"),
        ({"ipx_network_number_array": (-1,)}, "IPXNetworkNumberArray"),
        ({"ipx_network_number_array": (1,), "ignored_octets": b"\0"}, "IPXNetworkNumberArray"),
        ({"ignored_octets": b"\0" * 8}, "IPXNetworkCount"),
        ({"header": TopologyPacketHeader(2)}, "Type"),
        ({"header": TopologyPacketHeader(1, version=256)}, "Version"),
        ({"header": TopologyPacketHeader(1, reserved=0x10000)}, "Reserved"),
    ],
)
def test_values_that_do_not_fit_are_not_written(change: dict[str, Any], field: str):
    with pytest.raises(UnencodablePacket) as refused:
        encode_request(dataclasses.replace(IP_REQUEST, **change))
    assert refused.value.field == field


@pytest.mark.parametrize("octets", [b"", b"\0", b"\0\1\0"])
def test_less_than_a_header_is_no_message(octets: bytes):
    with pytest.raises(MalformedPacket, match="then the packet ends"):
        decode_message(octets)


@pytest.mark.parametrize("kind", [0, 3, 0x10, 0xFF])
def test_a_type_that_is_neither_1_nor_2_is_no_message(kind: int):
    with pytest.raises(MalformedPacket, match="must be 0x01 or 0x02"):
        decode_message(bytes([0, kind]) + IP_OCTETS[2:])
