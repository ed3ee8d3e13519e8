"""UDP datagrams that came in fragments, put together."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Octets
from mqconform.reports.pipeline.captures.bulk_datagrams import FOUND_IPV4, Datagrams, network_layer, read_udp, room_for
from mqconform.reports.pipeline.captures.bulk_records import NO_TIME
from mqconform.reports.pipeline.captures.reading import Scan

PATIENCE: Final = 60 * 10**9
"""Nanoseconds after which a fragment belongs to another datagram with the same number (RFC 1122 3.3.2)."""
IPV4_KEY: Final = 34
"""Octets of the key of an IPv4 packet; that of an IPv6 one is two longer."""
MOST_OCTETS: Final = 65_535
_MAPPED: Final = bytes(10) + b"\xff\xff"


class Fragment(NamedTuple):
    """A part of the payload of an IP packet."""

    key: bytes
    """Source, destination and number of the packet it is a part of."""
    time: int
    file: str
    offset: int
    """Where its record begins in the capture."""
    frame: int
    at: int
    """First octet of the part."""
    more: bool
    """Whether further parts follow behind it."""
    payload: bytes


class Whole(NamedTuple):
    """The payload of an IP packet, put together; ``last`` is the fragment that completed it."""

    key: bytes
    payload: bytes
    last: Fragment


class Broken(NamedTuple):
    """Fragments that make no whole packet."""

    fragments: tuple[Fragment, ...]
    reason: str


def put_together(fragments: Iterable[Fragment]) -> Iterator[Whole | Broken]:
    """Yield packets made whole, and what could not be; fragments of a packet follow one another in time."""
    group: list[Fragment] = []
    for fragment in fragments:
        if group and (group[0].key != fragment.key or fragment.time - group[0].time > PATIENCE):
            yield Broken(tuple(group), "fragments of this datagram are missing")
            group = []
        if any(other.at == fragment.at and other.payload == fragment.payload for other in group):
            continue  # the same fragment, captured twice
        if any(_overlap(other, fragment) for other in group):
            yield Broken((*group, fragment), "fragments overlap")
            group = []
            continue
        group.append(fragment)
        payload = _joined(group)
        if payload is not None:
            yield Whole(fragment.key, payload, fragment)
            group = []
    if group:
        yield Broken(tuple(group), "fragments of this datagram are missing")


def _overlap(fragment: Fragment, other: Fragment) -> bool:
    return fragment.at < other.at + len(other.payload) and other.at < fragment.at + len(fragment.payload)


def _joined(fragments: Sequence[Fragment]) -> bytes | None:
    """Return the payload if all of it is there."""
    if all(fragment.more for fragment in fragments):
        return None
    parts, reached = [], 0
    for part in sorted(fragments, key=lambda fragment: fragment.at):
        if part.at != reached:
            return None
        parts.append(part.payload)
        reached += len(part.payload)
    return b"".join(parts) if reached <= MOST_OCTETS else None


def fragment_of(scan: Scan, frame: int, file: str) -> Fragment:
    """Return the fragment that a frame of a scan is."""
    frames = scan.frames
    start = int(frames.starts[frame])
    end = start + int(frames.captured[frame])
    version, at = network_layer(scan.octets, start, end, scan.links[frames.interfaces[frame]])
    key, place, more, first, last = (_ipv4 if version == FOUND_IPV4 else _ipv6)(scan.octets, at, end)
    time = int(frames.times[frame])
    return Fragment(
        key,
        0 if time == NO_TIME else time,
        file,
        scan.offset + int(frames.records[frame]),
        scan.number + frame,
        place,
        more,
        scan.octets[first:last].tobytes(),
    )


def _ipv4(octets: Octets, at: int, end: int) -> tuple[bytes, int, bool, int, int]:
    header = octets[at : at + 20].tobytes()
    total, field = int.from_bytes(header[2:4], "big"), int.from_bytes(header[6:8], "big")
    key = _MAPPED + header[12:16] + _MAPPED + header[16:20] + header[4:6]
    last = min(end, at + total) if total else end
    return key, (field & 0x1FFF) * 8, bool(field & 0x2000), at + (header[0] & 15) * 4, last


def _ipv6(octets: Octets, at: int, end: int) -> tuple[bytes, int, bool, int, int]:
    header = octets[at : at + 40].tobytes()
    following, place = header[6], at + 40
    while following in (0, 43, 60):
        following, place = int(octets[place]), place + 8 + 8 * int(octets[place + 1])
    fragment = octets[place : place + 8].tobytes()
    field = int.from_bytes(fragment[2:4], "big")
    key = header[8:40] + fragment[4:8]
    last = min(end, at + 40 + int.from_bytes(header[4:6], "big"))
    return key, field & 0xFFF8, bool(field & 1), place + 8, last


def datagram_in(whole: Whole, ports: Flags) -> tuple[int, Octets, Datagrams]:
    """Return what a packet of IP is that was put together, its octets, and its datagram if it is one of discovery."""
    octets = np.frombuffer(whole.payload + bytes(8), np.uint8)
    room, address = room_for(1), np.frombuffer(whole.key[:32], ">u8").astype(np.uint64)
    room.source[0], room.destination[0], room.frame[0] = address[:2], address[2:], 0
    room.identification[0] = int.from_bytes(whole.key[32:34], "big") if len(whole.key) == IPV4_KEY else -1
    end = len(whole.payload)
    return read_udp(octets, 0, end, end, ports, room, 0), octets, room


def may_be_discovery(broken: Broken, ports: Flags) -> bool:
    """Return whether fragments may be of discovery: sent to one of its ports, or without the part with the ports."""
    first = next(
        (fragment.payload for fragment in broken.fragments if fragment.at == 0 and len(fragment.payload) >= 4), b""
    )
    return not first or any(bool(ports[int.from_bytes(first[at : at + 2], "big")]) for at in (0, 2))
