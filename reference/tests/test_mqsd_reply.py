"""TopologyServerReply (MS-MQSD 2.2.3)."""

import dataclasses
import pickle
from typing import Any

import pytest

from mqconform.reference.errors import MalformedPacket, ModelError, UnencodablePacket
from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.packets import (
    DirectoryServer,
    TopologyPacketHeader,
    TopologyServerReply,
    decode_reply,
    encode_reply,
)

CORRELATION, NETWORK, SITE = (Guid(bytes([first] * 16)) for first in (0x1D, 0xC0, 0x51))
SERVERS = (DirectoryServer("alpha", ip=True, ipx=False), DirectoryServer("beta", ip=True, ipx=True))
LOCAL = TopologyServerReply(CORRELATION, (NETWORK,))
FOREIGN = dataclasses.replace(LOCAL, responding_site_id=SITE, directory_service_server_array=SERVERS)


def reply_octets(count: int, networks: int, size: int, rest: bytes = b"", mask: int = 0) -> bytes:
    numbers = b"".join(number.to_bytes(4, "little") for number in (count, mask, size))
    return bytes.fromhex("00020000") + CORRELATION + numbers + NETWORK * networks + rest


LIST = "10alpha,11beta\0".encode("utf-16-le")


def test_a_local_reply_has_32_octets_and_16_for_each_network():
    for count in (1, 2, 32):
        reply = decode_reply(reply_octets(count, count, 0))
        assert reply == dataclasses.replace(LOCAL, connected_network_array=(NETWORK,) * count)
        assert len(encode_reply(reply)) == 32 + 16 * count


def test_a_foreign_reply_adds_site_and_server_list():
    octets = reply_octets(1, 1, len(LIST), SITE + LIST)
    assert decode_reply(octets) == FOREIGN
    assert encode_reply(FOREIGN) == octets
    assert FOREIGN.directory_service_server_size == len(LIST)


def refused_at(octets: bytes) -> tuple[str, int]:
    with pytest.raises(MalformedPacket) as refused:
        decode_reply(octets)
    return refused.value.field, refused.value.offset


def test_a_count_outside_1_to_32_is_malformed_even_if_the_length_agrees():
    for count in (0, 33, 0x01000000, 0xFFFFFFFF):
        octets = reply_octets(count, count if count < 64 else 1, 0)
        assert refused_at(octets) == ("ConnectedNetworkCount", 20), count


def test_a_length_other_than_count_and_size_make_is_malformed():
    ends = {
        reply_octets(1, 0, 0): 32,
        reply_octets(2, 1, 0): 48,
        reply_octets(1, 2, 0): 48,
        reply_octets(1, 1, 0, b"\0"): 48,
        reply_octets(1, 1, 0, SITE): 48,
        reply_octets(1, 1, len(LIST), LIST): 48 + len(LIST),
        reply_octets(1, 1, len(LIST) - 2, SITE + LIST): 62 + len(LIST),
        reply_octets(1, 1, len(LIST) + 2, SITE + LIST): 64 + len(LIST),
        reply_octets(1, 1, 0xFFFFFFFE, SITE + LIST): 64 + len(LIST),
    }
    assert {octets: refused_at(octets)[1] for octets in ends} == ends


def test_values_that_do_not_fit_are_not_written():
    comma = DirectoryServer("a,b", ip=True, ipx=False)
    changes: list[tuple[dict[str, Any], str]] = [
        ({"correlation_id": b"\0" * 15}, "CorrelationID"),
        ({"connected_network_array": ()}, "ConnectedNetworkCount"),
        ({"connected_network_array": (NETWORK,) * 33}, "ConnectedNetworkCount"),
        ({"connected_network_mask": 1 << 32}, "ConnectedNetworkMask"),
        ({"responding_site_id": None}, "RespondingSiteID"),
        ({"directory_service_server_array": ()}, "RespondingSiteID"),
        ({"directory_service_server_array": (comma,)}, "DirectoryServiceServerArray"),
        ({"header": TopologyPacketHeader(1)}, "Type"),
    ]
    for change, field in changes:
        with pytest.raises(UnencodablePacket) as refused:
            encode_reply(dataclasses.replace(FOREIGN, **change))
        assert refused.value.field == field, change


def test_refusals_survive_the_way_to_another_process():
    for refusal in (MalformedPacket(20, "Type", "2.2.1", "no"), UnencodablePacket("Type", "2.2.1", "no")):
        assert isinstance(refusal, ModelError)
        assert str(pickle.loads(pickle.dumps(refusal))) == str(refusal)  # noqa: S301  # made one line above
