"""The second codec of MS-MQSD, judged by the packets of section 4 and by the grammar."""

import struct
from dataclasses import replace
from uuid import UUID

import pytest
from scapy.layers.inet import IP, UDP
from scapy.packet import Raw

from mqconform.harness.judge.independent import mqsd_scapy as mqsd

HEADER_OF_REPLY = "00020000 03A191F23CE34FABA930BE3A33E432DD"
REQUEST = bytes.fromhex(
    "00010000 61BAEAE6C6D1DB11BAAC0003FF4E2D22 03A191F23CE34FABA930BE3A33E432DD F61BC5DCADD4434587397156 8E8F9128"
)
LOCAL_REPLY = bytes.fromhex(HEADER_OF_REPLY + "01000000 00000000 00000000 62BAEAE6C6D1DB11BAAC0003FF4E2D22")
FOREIGN_REPLY = bytes.fromhex(
    HEADER_OF_REPLY + "01000000 00000000 12000000 62BAEAE6C6D1DB11BAAC0003FF4E2D22"
    "60BAEAE6C6D1DB11BAAC0003FF4E2D22 31003000 6E0074003400700065006300 0000"
)
NETWORK_ID = UUID("e6eaba62-d1c6-11db-baac-0003ff4e2d22")


def reply_with_array(array: str, size: int | None = None) -> bytes:
    """The foreign reply of section 4 with another array, in hexadecimal."""
    octets = bytes.fromhex(array)
    return FOREIGN_REPLY[:28] + struct.pack("<I", len(octets) if size is None else size) + FOREIGN_REPLY[32:64] + octets


@pytest.fixture
def bound():
    mqsd.bind_mqsd_to_udp()
    yield
    mqsd.unbind_mqsd_from_udp()


# --- section 4 ---


# --- inside scapy ---


@pytest.mark.parametrize(("sport", "dport"), [(1801, 4000), (4000, 1801)], ids=["from the port", "to the port"])
@pytest.mark.usefixtures("bound")
def test_datagrams_of_port_1801_are_dissected(sport: int, dport: int):
    packet = IP(bytes(IP() / UDP(sport=sport, dport=dport) / FOREIGN_REPLY))
    assert packet[mqsd.TopologyServerReply].ConnectedNetworkArray == [NETWORK_ID]
    assert packet[mqsd.DirectoryServiceServer].Name == "nt4pec"
    assert packet.summary().endswith(
        "MQSD reply to f291a103-e33c-ab4f-a930-be3a33e432dd, 1 network(s), servers: 'nt4pec'"
    )


@pytest.mark.usefixtures("bound")
def test_a_reply_answers_the_request_with_its_correlation_id():
    request = IP() / UDP() / mqsd.MQSDHeader(REQUEST)
    stranger = REQUEST[:20] + bytes(16) + REQUEST[36:]
    reply = mqsd.MQSDHeader(LOCAL_REPLY)
    assert reply.answers(request[mqsd.MQSDHeader])
    assert reply.hashret() == request[mqsd.MQSDHeader].hashret()
    assert not reply.answers(mqsd.MQSDHeader(stranger))


def test_dissection_shows_what_it_can_of_a_broken_array_and_keeps_every_octet():
    octets = reply_with_array("3100 2C00 31003000 6100 2C01")
    reply = mqsd.MQSDHeader(octets)
    first, second = reply.DirectoryServiceServerArray
    assert (type(first), second.Name) == (Raw, "a\u012c")
    assert bytes(reply) == octets


# --- what 2.2 forbids ---

TWO_NETWORKS = LOCAL_REPLY[:20] + b"\x02" + LOCAL_REPLY[21:]


def test_encode_does_not_repair_a_message_that_contradicts_itself():
    wrong = replace(mqsd.decode(LOCAL_REPLY), count=2)
    assert mqsd.encode(wrong) == TWO_NETWORKS
