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
