"""Records of pcap and blocks of pcapng found in a run of octets, in compiled loops.

A scan goes on as long as records are whole and returns where and why it stopped; the caller decides what to do there.
Nothing is trusted: a length that leads out of the octets ends the scan. Behind damage a header that looks right says
little, since frames hold octets of any kind: nothing is read there.
"""

from typing import Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Octets, compiled_reader

MOST_CAPTURED: Final = 0x40000
"""Octets of one frame above which a record is taken for damaged: libpcap's own limit, and Wireshark's."""
LARGEST_BLOCK: Final = 0x1000000
"""Octets of one block of pcapng above which it is taken for damaged."""

END, MORE, FULL = 0, 1, 2
"""Why a scan stopped: nothing is left; a record goes on behind the octets; there is no room for more records."""
DAMAGED_LENGTH, DAMAGED_END, SECTION, INTERFACE = 3, 4, 5, 6
"""A length that cannot be; lengths at both ends of a block that differ; a block that changes how blocks are read."""

NO_TIME: Final = -(2**63)
"""The time of a frame that was recorded without one."""

SECTION_HEADER, INTERFACE_DESCRIPTION = 0x0A0D0D0A, 1
PACKET, SIMPLE_PACKET, ENHANCED_PACKET = 2, 3, 6


class Frames(NamedTuple):
    """Room for the frames of one scan, one entry of each array for one frame."""

    records: Int64s
    """Where the record or block begins."""
    starts: Int64s
    """Where the frame begins."""
    captured: Int32s
    """Octets of it that are there."""
    times: Int64s
    """Nanoseconds since 1970, ``NO_TIME`` where there is none."""
    interfaces: Int32s
    """Number of the interface within its section; 0 in pcap."""


def room_for(octets: int) -> Frames:
    """Return room for the frames of a run of that many octets, which none but hostile files fill."""
    kinds = np.int64, np.int64, np.int32, np.int64, np.int32
    return Frames._make(np.empty(octets // 40 + 64, kind) for kind in kinds)


@compiled_reader
def integer(octets: Octets, at: int, size: int, swapped: bool) -> int:  # noqa: FBT001 - compiled: no keywords
    """Return an unsigned integer of ``size`` octets, high octet first if swapped."""
    value = 0
    for place in range(size):
        number = size - 1 - place if not swapped else place
        value = value << 8 | int(octets[at + number])
    return value


@compiled_reader
def scan_pcap(
    octets: Octets,
    at: int,
    swapped: bool,  # noqa: FBT001 - compiled: no keywords
    fraction: int,
    frames: Frames,
) -> tuple[int, int, int]:
    """Find the records from ``at`` on; return how many, where the next one begins, and why the scan stopped.

    ``fraction`` is how many nanoseconds the second time field counts: 1 or 1,000.
    """
    count, end = 0, len(octets)
    while count < len(frames.starts):
        if at == end:
            return count, at, END
        if at + 16 > end:
            return count, at, MORE
        captured = integer(octets, at + 8, 4, swapped)
        if captured > MOST_CAPTURED:
            return count, at, DAMAGED_LENGTH
        if at + 16 + captured > end:
            return count, at, MORE
        frames.records[count], frames.starts[count] = at, at + 16
        frames.captured[count], frames.interfaces[count] = captured, 0
        seconds, part = integer(octets, at, 4, swapped), integer(octets, at + 4, 4, swapped)
        frames.times[count] = seconds * 1_000_000_000 + part * fraction
        count += 1
        at += 16 + captured
    return count, at, FULL


@compiled_reader
def scan_pcapng(  # noqa: C901, PLR0911, PLR0912 - one kind of block after the other, compiled
    octets: Octets,
    at: int,
    swapped: bool,  # noqa: FBT001 - compiled: no keywords
    clocks: Int64s,
    frames: Frames,
) -> tuple[int, int, int]:
    """Find the frames in blocks from ``at`` on, up to one that says how to read what follows; returns as ``scan_pcap``.

    ``clocks`` has five numbers for each interface: what to multiply ticks by, what to divide by, or by which power of
    two, nanoseconds to add, and the snap length, 0 for none.
    """
    count, end = 0, len(octets)
    while count < len(frames.starts):
        if at == end:
            return count, at, END
        if at + 12 > end:
            return count, at, MORE
        kind, length = integer(octets, at, 4, swapped), integer(octets, at + 4, 4, swapped)
        if kind == SECTION_HEADER:
            return count, at, SECTION
        if length % 4 or length < 12 or length > LARGEST_BLOCK:
            return count, at, DAMAGED_LENGTH
        if at + length > end:
            return count, at, MORE
        if integer(octets, at + length - 4, 4, swapped) != length:
            return count, at, DAMAGED_END
        if kind == INTERFACE_DESCRIPTION:
            return count, at, INTERFACE
        if kind in (ENHANCED_PACKET, PACKET):
            if length < 32 or integer(octets, at + 20, 4, swapped) > length - 32:
                return count, at, DAMAGED_LENGTH
            interface = integer(octets, at + 8, 4 if kind == ENHANCED_PACKET else 2, swapped)
            ticks = integer(octets, at + 12, 4, swapped) << 32 | integer(octets, at + 16, 4, swapped)
            has_description = interface < len(clocks) // 5
            frames.interfaces[count] = interface if has_description else -1
            frames.times[count] = _nanoseconds(ticks, clocks, 5 * interface) if has_description else NO_TIME
            frames.captured[count] = integer(octets, at + 20, 4, swapped)
            frames.records[count], frames.starts[count] = at, at + 28
            count += 1
        elif kind == SIMPLE_PACKET:
            if length < 16:
                return count, at, DAMAGED_LENGTH
            original = integer(octets, at + 8, 4, swapped)
            has_description = len(clocks) > 0
            captured = min(original, length - 16)
            if has_description and clocks[4]:
                captured = min(captured, clocks[4])
            frames.interfaces[count], frames.times[count] = (0 if has_description else -1), NO_TIME
            frames.captured[count] = captured
            frames.records[count], frames.starts[count] = at, at + 12
            count += 1
        at += length
    return count, at, FULL


@compiled_reader
def _nanoseconds(ticks: int, clocks: Int64s, at: int) -> int:
    """Return the time of a number of ticks of an interface's clock."""
    times, parts, power, offset = clocks[at], clocks[at + 1], clocks[at + 2], clocks[at + 3]
    if power:
        whole, rest = ticks >> power, ticks & ((1 << power) - 1)
        if power > 30:
            rest, power = rest >> (power - 30), 30
        return int(offset + whole * 1_000_000_000 + (rest * 1_000_000_000 >> power))
    return int(offset + (ticks * times if parts == 1 else ticks // parts))
