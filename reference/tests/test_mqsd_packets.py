"""What is no packet of discovery, and values that no packet can hold (MS-MQSD 2.2)."""

import dataclasses
import pickle
from typing import Any

import pytest

from mqconform.reference.errors import MalformedPacket, ModelError, UnencodablePacket
from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.packets import (
    DirectoryServer,
    TopologyClientRequest,
    TopologyPacketHeader,
    TopologyServerReply,
    decode_message,
    encode_message,
)

FIRST, SECOND, SITE = (Guid(bytes([first] * 16)) for first in (0xE0, 0x1D, 0x51))
REQUEST = TopologyClientRequest(FIRST, SECOND, SITE)
REPLY = TopologyServerReply(FIRST, (SECOND,), 0, SITE, (DirectoryServer("alpha", ip=True, ipx=False),))
NOT_WRITTEN: list[tuple[TopologyClientRequest | TopologyServerReply, dict[str, Any], str]] = [
    (REQUEST, {"enterprise_id": b"\0" * 15}, "EnterpriseID"),
    (REQUEST, {"site_id": b"\0" * 17}, "SiteID"),
    (REQUEST, {"ipx_network_number_array": tuple(range(33))}, "IPXNetworkCount"),
    (REQUEST, {"ipx_network_number_array": (1 << 32,)}, "IPXNetworkNumberArray"),
    (REQUEST, {"ipx_network_number_array": (1,), "ignored_octets": b"\0"}, "IPXNetworkNumberArray"),
    (REQUEST, {"ignored_octets": b"\0" * 8}, "IPXNetworkCount"),
    (REQUEST, {"header": TopologyPacketHeader(2)}, "Type"),
    (REQUEST, {"header": TopologyPacketHeader(1, version=256)}, "Version"),
    (REQUEST, {"header": TopologyPacketHeader(1, reserved=0x10000)}, "Reserved"),
    (REPLY, {"correlation_id": b"\0" * 15}, "CorrelationID"),
    (REPLY, {"connected_network_array": ()}, "ConnectedNetworkCount"),
    (REPLY, {"connected_network_array": (SECOND,) * 33}, "ConnectedNetworkCount"),
    (REPLY, {"connected_network_mask": 1 << 32}, "ConnectedNetworkMask"),
    (REPLY, {"responding_site_id": None}, "RespondingSiteID"),
    (REPLY, {"directory_service_server_array": ()}, "RespondingSiteID"),
    (
        REPLY,
        {"directory_service_server_array": (DirectoryServer("a,b", ip=True, ipx=False),)},
        "DirectoryServiceServerArray",
    ),
    (REPLY, {"header": TopologyPacketHeader(1)}, "Type"),
]
"""A message, what is changed in it, and the field that cannot hold that."""


def test_values_that_do_not_fit_are_not_written():
    for message, change, field in NOT_WRITTEN:
        with pytest.raises(UnencodablePacket) as refused:
            encode_message(dataclasses.replace(message, **change))
        assert refused.value.field == field, change


def test_less_than_a_header_or_a_type_that_is_neither_1_nor_2_is_no_message():
    for octets in (b"", b"\0", b"\0\1\0"):
        with pytest.raises(MalformedPacket, match="then the packet ends"):
            decode_message(octets)
    for kind in (0, 3, 0x10, 0xFF):
        with pytest.raises(MalformedPacket, match="must be 0x01 or 0x02"):
            decode_message(bytes([0, kind]) + encode_message(REQUEST)[2:])


LIST = "10alpha\0".encode("utf-16-le")


def reply_octets(networks: int, size: int, rest: bytes = b"") -> bytes:
    """A reply that counts one network, with so many, and the size of the list that is given."""
    fixed = bytes.fromhex("00020000") + FIRST + b"".join(one.to_bytes(4, "little") for one in (1, 0, size))
    return fixed + SECOND * networks + rest


def test_a_length_other_than_count_and_size_make_is_malformed_where_it_shows():
    ends = {
        reply_octets(0, 0): 32,
        reply_octets(2, 0): 48,
        reply_octets(1, 0, b"\0"): 48,
        reply_octets(1, 0, SITE): 48,
        reply_octets(1, len(LIST), LIST): 48 + len(LIST),
        reply_octets(1, len(LIST) - 2, SITE + LIST): 62 + len(LIST),
        reply_octets(1, len(LIST) + 2, SITE + LIST): 64 + len(LIST),
        reply_octets(1, 0xFFFFFFFE, SITE + LIST): 64 + len(LIST),
    }
    for octets, end in ends.items():
        with pytest.raises(MalformedPacket) as refused:
            decode_message(octets)
        assert refused.value.offset == end, octets


def test_refusals_survive_the_way_to_another_process():
    for refusal in (MalformedPacket(20, "Type", "2.2.1", "no"), UnencodablePacket("Type", "2.2.1", "no")):
        assert isinstance(refusal, ModelError)
        assert str(pickle.loads(pickle.dumps(refusal))) == str(refusal)  # noqa: S301  # made one line above
