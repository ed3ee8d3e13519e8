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
    encode_request,
)

ENTERPRISE, REQUEST_ID, SITE = (Guid(bytes([first] * 16)) for first in (0xE0, 0x1D, 0x51))
IP_REQUEST = TopologyClientRequest(ENTERPRISE, REQUEST_ID, SITE)
IP_OCTETS = bytes.fromhex("00010000") + ENTERPRISE + REQUEST_ID + SITE


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
