"""Octets of pcapng files and of UDP in IP in Ethernet: a run that leaves bundles needs no extra."""

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import ip_address

ETHERNET = 1
UPPER_PDU = 252
"""LINKTYPE_ETHERNET and LINKTYPE_WIRESHARK_UPPER_PDU."""
UDP, HOPS = 17, 64


@dataclass(frozen=True, slots=True)
class Frame:
    """What one packet block holds.

    Attributes:
        at: seconds since 1970 UTC.
        comment: UTF-8, shorter than 64 KiB; may be empty.
    """

    octets: bytes
    at: float
    comment: bytes = b""


def pcapng(link_type: int, frames: Iterable[Frame]) -> bytes:
    """Return a file of one section and one interface, whose times are in microseconds."""
    section = _block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
    interface = _block(1, struct.pack("<HHI", link_type, 0, 0) + _option(2, b"mqconform"))
    return b"".join((section, interface, *map(_packet, frames)))


def udp_in_ethernet(ends: tuple[str, str], ports: tuple[int, int], hardware: bytes, payload: bytes) -> bytes:
    """Return a datagram in UDP, IPv4 or IPv6, and Ethernet.

    Args:
        ends: addresses of source and destination.
        ports: those of source and destination.
        hardware: the addresses of destination and source, 12 octets.
        payload: what the datagram holds.
    """
    addresses = b"".join(ip_address(end).packed for end in ends)
    length = 8 + len(payload)
    udp = struct.pack(">HHHH", *ports, length, 0) + payload
    checksum = _checksum(addresses + struct.pack(">II", length, UDP) + udp) or 0xFFFF
    udp = udp[:6] + struct.pack(">H", checksum) + payload
    if len(addresses) > 8:
        return hardware + b"\x86\xdd" + struct.pack(">IHBB", 6 << 28, length, UDP, HOPS) + addresses + udp
    header = struct.pack(">BBHHHBBH", 0x45, 0, 20 + length, 0, 0, HOPS, UDP, 0) + addresses
    return hardware + b"\x08\x00" + header[:10] + struct.pack(">H", _checksum(header)) + addresses + udp


def _packet(frame: Frame) -> bytes:
    ticks, size = round(frame.at * 1_000_000), len(frame.octets)
    head = struct.pack("<IIIII", 0, ticks >> 32, ticks & 0xFFFFFFFF, size, size)
    return _block(6, head + _padded(frame.octets) + (_option(1, frame.comment) if frame.comment else b""))


def _option(code: int, value: bytes) -> bytes:
    """Return an option, and the end of options behind it."""
    return struct.pack("<HH", code, len(value)) + _padded(value) + bytes(4)


def _block(kind: int, body: bytes) -> bytes:
    length = struct.pack("<I", 12 + len(body))
    return struct.pack("<I", kind) + length + body + length


def _padded(octets: bytes) -> bytes:
    return octets + bytes(-len(octets) % 4)


def _checksum(octets: bytes) -> int:
    """Return the checksum of IP and UDP (RFC 1071)."""
    total = sum(struct.unpack(f">{(len(octets) + 1) // 2}H", octets + bytes(len(octets) % 2)))
    return 0xFFFF - (total % 0xFFFF or 0xFFFF)
