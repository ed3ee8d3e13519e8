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


def test_the_ipx_form_carries_1_to_32_little_endian_numbers():
    for count in (1, 2, 32):
        networks = tuple(0x01020304 + place for place in range(count))
        request = decode_request(ipx_octets(count, *networks))
        assert (request.ipx_network_number_array, request.ipx_network_count) == (networks, count)
        assert encode_request(request)[52:60] == count.to_bytes(4, "little") + bytes.fromhex("04030201")


def refused_at(octets: bytes) -> tuple[str, int]:
    with pytest.raises(MalformedPacket) as refused:
        decode_request(octets)
    return refused.value.field, refused.value.offset


def test_up_to_7_more_octets_are_not_the_ipx_fields_and_are_ignored():
    for extra in range(8):
        octets = ipx_octets(1, 7)[: 52 + extra]
        request = decode_request(octets)
        assert request == dataclasses.replace(IP_REQUEST, ignored_octets=octets[52:])
        assert encode_request(request) == octets


def test_a_count_outside_1_to_32_or_another_type_is_malformed():
    for count in (0, 33, 0x01000000, 0xFFFFFFFF):
        assert refused_at(ipx_octets(count, *range(33))) == ("IPXNetworkCount", 52), count
    for kind in (0, 2, 3, 0xFF):
        assert refused_at(bytes([0, kind]) + IP_OCTETS[2:]) == ("Type", 1), kind


def test_values_that_do_not_fit_are_not_written():
    changes: list[tuple[dict[str, Any], str]] = [
        ({"enterprise_id": b"\0" * 15}, "EnterpriseID"),
        ({"site_id": b"\0" * 17}, "SiteID"),
        ({"ipx_network_number_array": tuple(range(33))}, "IPXNetworkCount"),
        ({"ipx_network_number_array": (1 << 32,)}, "IPXNetworkNumberArray"),
        ({"ipx_network_number_array": (1,), "ignored_octets": b"\0"}, "IPXNetworkNumberArray"),
        ({"ignored_octets": b"\0" * 8}, "IPXNetworkCount"),
        ({"header": TopologyPacketHeader(2)}, "Type"),
        ({"header": TopologyPacketHeader(1, version=256)}, "Version"),
        ({"header": TopologyPacketHeader(1, reserved=0x10000)}, "Reserved"),
    ]
    for change, field in changes:
        with pytest.raises(UnencodablePacket) as refused:
            encode_request(dataclasses.replace(IP_REQUEST, **change))
        assert refused.value.field == field, change


def test_less_than_a_header_or_a_type_that_is_neither_1_nor_2_is_no_message():
    for octets in (b"", b"\0", b"\0\1\0"):
        with pytest.raises(MalformedPacket, match="then the packet ends"):
            decode_message(octets)
    for kind in (0, 3, 0x10, 0xFF):
        with pytest.raises(MalformedPacket, match="must be 0x01 or 0x02"):
            decode_message(bytes([0, kind]) + IP_OCTETS[2:])
