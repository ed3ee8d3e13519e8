"""UDP datagrams of discovery within captured frames, in compiled loops: link layer, IPv4, IPv6, UDP.

A datagram is one of discovery if one of its ports is a server's. A frame that cannot be read is counted by the reason,
never guessed at.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s, Masks, Octets, compiled_reader
from mqconform.reports.pipeline.captures.bulk_records import Frames

ETHERNET, NULL, RAW, LOOP, LINUX_SLL, IPV4, IPV6, LINUX_SLL2 = 1, 0, 101, 108, 113, 228, 229, 276

DISCOVERY, OTHER_UDP, OTHER, CUT_SHORT, MALFORMED, FRAGMENT, UNKNOWN_LINK = range(7)
"""What a frame is: a datagram of discovery; another; no UDP over IP; captured too short to decide; with headers that
contradict themselves; a fragment of a UDP datagram; of a link type, or an interface, that is not known."""
KINDS: Final = ("discovery", "other_udp", "other", "cut_short", "malformed", "fragment", "unknown_link_type")

FOUND_IPV4, FOUND_IPV6 = 14, 16
_TAGS: Final = 8
"""VLAN tags, or IPv6 extension headers, that are followed."""
UDP: Final = 17


class Datagrams(NamedTuple):
    """Room for the datagrams of discovery, and fragments of any, of one scan; one entry of each array for one of them.

    A fragment has no ports: ``source_port`` is the version of IP, ``destination_port`` the word that says its place.
    """

    frame: Int32s
    """Which frame of the scan it was in."""
    start: Int64s
    """Where its payload begins."""
    length: Int32s
    """Octets of its payload by the UDP header."""
    captured: Int32s
    """Octets of the payload that are there."""
    source: Masks
    """Two numbers for each: the address, IPv4 as mapped into IPv6."""
    destination: Masks
    source_port: Int32s
    destination_port: Int32s
    identification: Int64s
    """Of IPv4, -1 in IPv6; of a fragment in either."""


def room_for(frames: int) -> Datagrams:
    """Return room for the datagrams of a number of frames."""
    short, long = np.int32, np.int64
    narrow = (np.empty(frames, kind) for kind in (short, long, short, short))
    addresses = (np.empty((frames, 2), np.uint64) for _ in range(2))
    rest = (np.empty(frames, kind) for kind in (short, short, long))
    return Datagrams._make([*narrow, *addresses, *rest])


def chosen(datagrams: Datagrams, rows: Any) -> Datagrams:
    """Return some rows of the room."""
    return Datagrams._make(column[rows] for column in datagrams)


@compiled_reader
def find_datagrams(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, frames: Frames, count: int, links: Int32s, ports: Flags, kinds: Octets, datagrams: Datagrams
) -> int:
    """Find the datagrams of discovery and fragments in frames, say what each frame is, and return how many there are.

    ``links`` are the link types of the interfaces, ``ports`` the flags of those of servers.
    """
    datagram_count = 0
    for frame in range(count):
        interface = frames.interfaces[frame]
        start, end = frames.starts[frame], frames.starts[frame] + frames.captured[frame]
        kinds[frame] = UNKNOWN_LINK
        if interface >= 0:
            version, at = network_layer(octets, start, end, links[interface])
            kind = version
            if version == FOUND_IPV4:
                kind = _ipv4(octets, at, end, ports, datagrams, datagram_count)
            elif version == FOUND_IPV6:
                kind = _ipv6(octets, at, end, ports, datagrams, datagram_count)
            kinds[frame] = kind
            if kind in (DISCOVERY, FRAGMENT):
                datagrams.frame[datagram_count] = frame
                datagram_count += 1
    return datagram_count


@compiled_reader
def _big_word(octets: Octets, at: int) -> int:
    return int(octets[at]) << 8 | int(octets[at + 1])


@compiled_reader
def network_layer(octets: Octets, at: int, end: int, link: int) -> tuple[int, int]:  # noqa: C901, PLR0911, PLR0912
    """Return ``FOUND_IPV4`` or ``FOUND_IPV6`` and where that header begins; else what the frame is, and no place."""
    protocol = -1
    if link == ETHERNET:
        if at + 14 > end:
            return CUT_SHORT, 0
        protocol, at = _big_word(octets, at + 12), at + 14
        for _ in range(_TAGS):
            if protocol not in (0x8100, 0x88A8, 0x9100, 0x9200):
                break
            if at + 4 > end:
                return CUT_SHORT, 0
            protocol, at = _big_word(octets, at + 2), at + 4
    elif link in (LINUX_SLL, LINUX_SLL2):
        header, place = (16, 14) if link == LINUX_SLL else (20, 0)
        if at + header > end:
            return CUT_SHORT, 0
        protocol, at = _big_word(octets, at + place), at + header
    elif link in (NULL, LOOP):
        if at + 4 > end:
            return CUT_SHORT, 0
        at += 4  # families differ between systems and octet orders: the next header decides
    elif link not in (RAW, 12, 14, IPV4, IPV6):  # 12 and 14 are raw IP of some systems
        return UNKNOWN_LINK, 0
    if protocol >= 0 and protocol not in (0x0800, 0x86DD):
        return OTHER, 0
    if at >= end:
        return CUT_SHORT, 0
    version = octets[at] >> 4
    if version == 4 and protocol != 0x86DD:
        return FOUND_IPV4, at
    if version == 6 and protocol != 0x0800:
        return FOUND_IPV6, at
    return MALFORMED if protocol >= 0 else OTHER, 0


@compiled_reader
def _ipv4(octets: Octets, at: int, end: int, ports: Flags, datagrams: Datagrams, row: int) -> int:  # noqa: PLR0913, PLR0917
    if at + 20 > end:
        return CUT_SHORT
    header, total = (octets[at] & 15) * 4, _big_word(octets, at + 2)
    if octets[at + 9] != UDP:
        return OTHER
    if total == 0:  # segmentation left to the network card
        total = end - at
    if header < 20 or total < header:
        return MALFORMED
    datagrams.source[row, 0] = datagrams.destination[row, 0] = 0
    datagrams.source[row, 1] = 0xFFFF00000000 | _big_word(octets, at + 12) << 16 | _big_word(octets, at + 14)
    datagrams.destination[row, 1] = 0xFFFF00000000 | _big_word(octets, at + 16) << 16 | _big_word(octets, at + 18)
    datagrams.identification[row] = _big_word(octets, at + 4)
    place = _big_word(octets, at + 6)
    if place & 0x3FFF:
        return (
            _fragment(at + header, min(end, at + total), 4, place, datagrams, row) if at + header <= end else CUT_SHORT
        )
    return read_udp(octets, at + header, at + total, end, ports, datagrams, row)


@compiled_reader
def _ipv6(octets: Octets, at: int, end: int, ports: Flags, datagrams: Datagrams, row: int) -> int:  # noqa: C901, PLR0913, PLR0917
    if at + 40 > end:
        return CUT_SHORT
    following, place, ip_end = octets[at + 6], at + 40, at + 40 + _big_word(octets, at + 4)
    for _ in range(_TAGS):
        if following not in (0, 43, 60):
            break
        if place + 8 > end:
            return CUT_SHORT
        following, place = octets[place], place + 8 + 8 * octets[place + 1]
    field = np.int64(0)
    if following == 44:
        if place + 8 > end:
            return CUT_SHORT
        following, field = octets[place], np.int64(_big_word(octets, place + 2))
        datagrams.identification[row] = _big_word(octets, place + 4) << 16 | _big_word(octets, place + 6)
        place += 8
    if following != UDP:
        return OTHER
    for half in range(2):
        source, destination = np.uint64(0), np.uint64(0)
        for octet in range(8):
            source = source << np.uint64(8) | np.uint64(octets[at + 8 + 8 * half + octet])
            destination = destination << np.uint64(8) | np.uint64(octets[at + 24 + 8 * half + octet])
        datagrams.source[row, half], datagrams.destination[row, half] = source, destination
    if field & 0xFFF9:
        return _fragment(place, min(end, ip_end), 6, int(field), datagrams, row)
    datagrams.identification[row] = -1
    return read_udp(octets, place, ip_end, end, ports, datagrams, row)


@compiled_reader
def _fragment(at: int, end: int, version: int, place: int, datagrams: Datagrams, row: int) -> int:  # noqa: PLR0913, PLR0917
    datagrams.start[row], datagrams.captured[row] = at, max(0, end - at)
    datagrams.source_port[row], datagrams.destination_port[row] = version, place
    return FRAGMENT


@compiled_reader
def read_udp(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    octets: Octets, at: int, ip_end: int, end: int, ports: Flags, datagrams: Datagrams, row: int
) -> int:
    """Read the header of UDP at ``at``, and return what the frame is.

    The IP packet ends at ``ip_end`` by its own word, what was captured of it at ``end``.
    """
    if ip_end < at + 8:
        return MALFORMED
    if at + 4 > end:
        return CUT_SHORT
    source, destination = _big_word(octets, at), _big_word(octets, at + 2)
    if not (ports[source] or ports[destination]):
        return OTHER_UDP
    if at + 8 > end:
        return CUT_SHORT
    length = _big_word(octets, at + 4)
    if length < 8 or at + length > ip_end:
        return MALFORMED
    datagrams.start[row], datagrams.length[row] = at + 8, length - 8
    datagrams.captured[row] = min(length - 8, end - at - 8)
    datagrams.source_port[row], datagrams.destination_port[row] = source, destination
    return DISCOVERY
