"""Tells what others than the harness send to a discovery client: a client that listens to them is not judged."""

import struct
from collections.abc import Collection
from ipaddress import IPv4Address

ETHERNET_HEADER = 14
IPV4 = b"\x08\x00"
UDP = 17
FRAGMENT = 0x3FFF
"""More fragments follow, or some went before."""
MOST_HOSTS = 20
"""How many strangers are named."""
REPLY_TYPE = 2


class ForeignWatch:
    """Looks at frames as they pass.

    Args of the constructor:
        ours: addresses of the harness's servers.
        clients: addresses of the client.
        port: UDP port of discovery servers.

    Attributes:
        sent: what the servers have been told to send.
        strangers: what came from elsewhere, each once: ``host:port`` and what it was.
    """

    def __init__(self, ours: Collection[str], clients: Collection[str], port: int) -> None:
        self._ours, self._clients, self._port = frozenset(ours), frozenset(clients), port
        self.sent: set[bytes] = set()
        self.strangers: dict[str, None] = {}

    def comment(self, frame: bytes) -> str:
        """Return what goes beside a frame in the capture."""
        datagram = udp_in(frame)
        if datagram is None:
            return ""
        source, port, destination, destination_port, octets = datagram
        if source in self._clients:
            return "of the client" if destination_port == self._port else ""
        if source in self._ours and octets in self.sent:
            return "of the harness"
        if destination in self._clients or port == self._port:
            self.note(f"{source}:{port}", octets)
            return "of a stranger"
        return ""

    def note(self, source: str, octets: bytes) -> None:
        """Write a stranger down."""
        what = f"a reply to request {octets[4:20].hex()}" if octets[1:2] == bytes([REPLY_TYPE]) else "no reply"
        if len(self.strangers) < MOST_HOSTS:
            self.strangers[f"{source} ({what})"] = None


def udp_in(frame: bytes) -> tuple[str, int, str, int, bytes] | None:
    """Return source, its port, destination, its port and payload; None where a frame holds no whole UDP datagram."""
    packet = frame[ETHERNET_HEADER:]
    if frame[12:14] != IPV4 or len(packet) < 28 or packet[9] != UDP:
        return None
    length = (packet[0] & 0x0F) * 4
    (fragment,) = struct.unpack_from("!H", packet, 6)
    if fragment & FRAGMENT or len(packet) < length + 8:
        return None
    source_port, destination_port, size = struct.unpack_from("!HHH", packet, length)
    source, destination = (str(IPv4Address(packet[at : at + 4])) for at in (12, 16))
    return source, source_port, destination, destination_port, packet[length + 8 : length + size]
