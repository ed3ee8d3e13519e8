"""Frames as Wireshark reads them: datagrams in Ethernet, calls as exported JSON."""

import json
import struct

from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.layers.l2 import Ether
from scapy.packet import Raw

from mqconform.harness.iut.conversation import Entry
from mqconform.harness.run.bundles.traffic import Passed
from mqconform.reference.mqsd.specification import FACTS

ETHERNET = 1
UPPER_PDU = 252
"""LINKTYPE_ETHERNET and LINKTYPE_WIRESHARK_UPPER_PDU."""
LARGEST_PAYLOAD = 65_507
LARGEST_JSON = 200_000
IPX_TYPE = 0x8137
IPX_HEADER = struct.Struct(">HHBB4s6sH4s6sH")
PROTOCOL_NAME = 12
"""EXP_PDU_TAG_DISSECTOR_NAME of Wireshark's exported PDUs."""


def ethernet_frame(passed: Passed) -> bytes:
    """Return a datagram in UDP, IP and Ethernet, or in IPX and Ethernet."""
    payload = passed.octets[:LARGEST_PAYLOAD]
    if passed.network == "ipx":
        return _over_ipx(passed, payload[: 65_535 - IPX_HEADER.size])
    source, destination = passed.source, passed.destination
    over_ipv6 = ":" in source
    internet = IPv6(src=source, dst=destination) if over_ipv6 else IP(id=0, src=source, dst=destination)
    udp = UDP(sport=passed.source_port, dport=passed.destination_port)
    packet = Ether(src=_hardware(passed.from_iut), dst=_hardware(not passed.from_iut)) / internet / udp
    return bytes(packet / Raw(payload))


def json_frame(entry: Entry) -> bytes:
    """Return a call as a PDU that Wireshark hands to its JSON dissector."""
    text = json.dumps(entry.record(), sort_keys=True).encode()
    if len(text) > LARGEST_JSON:
        short = {"left_out": f"{len(text)} octets; calls.ndjson has them", "begins": text[:400].decode()}
        text = json.dumps(short).encode()
    name = b"json"
    return struct.pack(">HH", PROTOCOL_NAME, len(name)) + name + struct.pack(">HH", 0, 0) + text


def _hardware(from_iut: bool) -> str:  # noqa: FBT001 - which of the two ends
    """Return a locally administered address for each end."""
    return "02:00:00:00:00:02" if from_iut else "02:00:00:00:00:01"


def _over_ipx(passed: Passed, payload: bytes) -> bytes:
    source, destination = (
        bytes.fromhex(_hardware(end).replace(":", "")) for end in (passed.from_iut, not passed.from_iut)
    )
    length = IPX_HEADER.size + len(payload)
    network = b"\0\0\0\1"
    header = IPX_HEADER.pack(
        0xFFFF, length, 0, 4, network, destination, FACTS.ipx_socket, network, source, FACTS.ipx_socket
    )
    return destination + source + struct.pack(">H", IPX_TYPE) + header + payload
