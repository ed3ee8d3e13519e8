"""UDP datagrams in captured frames: Ethernet with or without VLAN tags, Linux cooked, raw IP, loopback.

A datagram counts once it is whole: fragments are put together, and what never becomes whole was never
received by anybody. Datagrams quoted in ICMP errors are not on their way to anybody either.
"""

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from mqconform.harness.tools.packets.quiet_scapy import scapy_import_silenced, scapy_log_silenced

with scapy_import_silenced():
    from scapy.config import conf
    from scapy.layers.inet import IP, UDP
    from scapy.layers.inet6 import IPv6, IPv6ExtHdrFragment
    from scapy.packet import Packet, Raw

UDP_PROTOCOL = 17
UDP_HEADER_OCTETS = 8


class UdpDatagram(NamedTuple):
    """One datagram; addresses as text."""

    source: str
    destination: str
    source_port: int
    destination_port: int
    octets: bytes
    complete: bool
    """False where the frame was captured shorter than the datagram says it is."""


FragmentKey: TypeAlias = tuple[str, str, int, int]
"""Source, destination, identification, protocol: what fragments of one packet share."""


class Fragment(NamedTuple):
    """A part of an IP packet's payload."""

    key: FragmentKey
    offset: int
    last: bool
    octets: bytes


@dataclass
class Incomplete:
    """What has arrived of one IP payload, by offset."""

    pieces: dict[int, bytes] = field(default_factory=dict)
    received: int = 0
    end: int | None = None
    """Length of the whole, known from the last fragment."""


@dataclass
class Reassembly:
    """Fragments that wait for their like, whatever order they come in."""

    waiting: dict[FragmentKey, Incomplete] = field(default_factory=dict)

    def add(self, fragment: Fragment) -> bytes | None:
        """Keep a fragment; return the payload if it is whole now. The newer of two at one offset counts."""
        parts = self.waiting.setdefault(fragment.key, Incomplete())
        parts.received += len(fragment.octets) - len(parts.pieces.get(fragment.offset, b""))
        parts.pieces[fragment.offset] = fragment.octets
        if fragment.last:
            parts.end = fragment.offset + len(fragment.octets)
        if parts.received != parts.end:
            return None
        position = 0
        for offset in sorted(parts.pieces):
            if offset != position:
                return None
            position += len(parts.pieces[offset])
        del self.waiting[fragment.key]
        return b"".join(parts.pieces[offset] for offset in sorted(parts.pieces))


def knows_link_type(link_type: int) -> bool:
    """Whether frames of a link type (the LINKTYPE_ number of pcap files) can be read."""
    return link_type in conf.l2types


def udp_datagram(frame: bytes, link_type: int, reassembly: Reassembly) -> UdpDatagram | None:
    """Return the datagram that a frame carries or completes, or None; nothing in a frame raises.

    Args:
        frame: the captured octets, link layer first.
        link_type: for which ``knows_link_type`` holds.
        reassembly: fragments of the same capture, added to here.
    """
    packet = _dissected(frame, link_type)
    for layer in packet.iterpayloads():
        fragment = _fragment(layer)
        if fragment is not None:
            payload = reassembly.add(fragment)
            source, destination, _, protocol = fragment.key
            return _datagram(source, destination, payload) if payload and protocol == UDP_PROTOCOL else None
        if type(layer) is UDP:
            below = _internet_layer(layer)
            return _datagram(below.src, below.dst, layer.original) if below else None
    return None


def _dissected(frame: bytes, link_type: int) -> Packet:
    with scapy_log_silenced():
        try:
            return conf.l2types[link_type](frame)
        except Exception:  # noqa: BLE001 - what dissectors raise on hostile frames is not declared anywhere
            return Raw(frame)


def _internet_layer(layer: Packet) -> Packet | None:
    """Return the IP or IPv6 layer nearest below, over any extension headers."""
    below = layer.underlayer
    while below is not None and type(below) not in {IP, IPv6}:
        below = below.underlayer
    return below


def _fragment(layer: Packet) -> Fragment | None:
    if type(layer) is IP and (layer.frag or layer.flags.MF):
        key = (layer.src, layer.dst, layer.id, layer.proto)
        payload = layer.original[4 * layer.ihl : layer.len]
        return Fragment(key, 8 * layer.frag, last=not layer.flags.MF, octets=payload)
    if type(layer) is IPv6ExtHdrFragment:
        below = _internet_layer(layer)
        if below is None:
            return None
        key = (below.src, below.dst, layer.id, layer.nh)
        return Fragment(key, 8 * layer.offset, last=not layer.m, octets=layer.original[8:])
    return None


def _datagram(source: str, destination: str, segment: bytes) -> UdpDatagram | None:
    """Read a UDP header and what its length field covers; None where that length is impossible (RFC 768)."""
    if len(segment) < UDP_HEADER_OCTETS:
        return None
    header = UDP(segment[:UDP_HEADER_OCTETS])
    # Zero stands for "all there is" in IPv6 jumbograms (RFC 2675) and in captures ahead of segmentation offload.
    length = header.len or len(segment)
    if length < UDP_HEADER_OCTETS:
        return None
    complete = len(segment) >= length
    return UdpDatagram(source, destination, header.sport, header.dport, segment[UDP_HEADER_OCTETS:length], complete)
