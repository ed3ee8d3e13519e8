"""Reading captures window by window, up to damage if there is any, never too much at once."""

import gzip
import struct
import zlib
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Octets
from mqconform.reports.pipeline.captures import bulk_records as records
from mqconform.reports.pipeline.captures.bulk_records import SECTION_HEADER, Frames, scan_pcap, scan_pcapng

PCAP_HEAD: Final = 24
_LINK: Final = 0xFFFF
"""The upper half of pcap's field describes frame check sequences."""

_PCAP: Final = {
    b"\xd4\xc3\xb2\xa1": (False, 1_000),
    b"\xa1\xb2\xc3\xd4": (True, 1_000),
    b"\x4d\x3c\xb2\xa1": (False, 1),
    b"\xa1\xb2\x3c\x4d": (True, 1),
}
PCAPNG_MAGIC: Final = struct.pack("<I", SECTION_HEADER)
GZIP_MAGIC: Final = b"\x1f\x8b"
_OPTION_RESOLUTION, _OPTION_OFFSET = 9, 14
_PLAIN_CLOCK: Final = (1_000, 1, 0, 0)
_NANO: Final = 9
_MOST_POWER: Final = 62
MOST_INTERFACES: Final = 65_536


class NotRead(Exception):
    """Octets do not have the required form; the text says why."""


class Interface(NamedTuple):
    """Where frames were captured (pcapng, Interface Description Block)."""

    link: int
    snap: int
    """Octets of a frame that are kept, 0 for all."""
    clock: tuple[int, int, int, int]
    """What to multiply ticks by, to divide by, or by which power of two; nanoseconds to add."""


class Section(NamedTuple):
    """How records or blocks are read."""

    blocks: bool
    """Whether this is pcapng."""
    swapped: bool
    """Whether integers have their high octet first."""
    fraction: int
    """pcap: nanoseconds that the second time field counts."""
    interfaces: tuple[Interface, ...]


def pcap_section(head: bytes) -> Section:
    """Read the head of a pcap file.

    Raises:
        NotRead: it is none, or it is cut off.
    """
    swapped, fraction = _PCAP.get(head[:4], (None, 0))
    if swapped is None:
        raise NotRead(f"neither pcap nor pcapng: it begins with {head[:4].hex() or 'nothing'}")
    if len(head) < PCAP_HEAD:
        raise NotRead("the file header is cut off")
    link = struct.unpack_from(">I" if swapped else "<I", head, 20)[0] & _LINK
    return Section(False, swapped, fraction, (Interface(link, 0, _PLAIN_CLOCK),))


def section_block(block: bytes) -> tuple[Section, int]:
    """Read a Section Header Block, and return how long it is.

    Raises:
        NotRead: it has no byte order mark, or no possible length.
    """
    marks = {b"\x4d\x3c\x2b\x1a": False, b"\x1a\x2b\x3c\x4d": True}
    swapped = marks.get(block[8:12])
    if swapped is None:
        raise NotRead("the section header has no byte order mark")
    length: int = struct.unpack_from(">I" if swapped else "<I", block, 4)[0]
    if length % 4 or length < 28 or length > 1 << 24:
        raise NotRead(f"{length} cannot be the length of a section header")
    return Section(True, swapped, 0, ()), length


def with_interface(section: Section, block: bytes) -> Section:
    """Return the section with the interface of a whole Interface Description Block added.

    Raises:
        NotRead: the block is too short, or there are too many of them.
    """
    if len(block) < 20 or len(section.interfaces) >= MOST_INTERFACES:
        raise NotRead("an interface description is too short, or one too many")
    order = ">" if section.swapped else "<"
    link, snap = struct.unpack_from(f"{order}HxxI", block, 8)
    options = _options(block[16:-4], order)
    interface = Interface(link, snap, _clock(options, order))
    return section._replace(interfaces=(*section.interfaces, interface))


def _options(octets: bytes, order: str) -> dict[int, bytes]:
    options: dict[int, bytes] = {}
    at = 0
    while at + 4 <= len(octets):
        code, length = struct.unpack_from(f"{order}HH", octets, at)
        if code == 0:
            break
        options.setdefault(code, octets[at + 4 : at + 4 + length])
        at += 4 + (length + 3) // 4 * 4
    return options


def _clock(options: dict[int, bytes], order: str) -> tuple[int, int, int, int]:
    resolution, offset = options.get(_OPTION_RESOLUTION, b"\x06")[:1], options.get(_OPTION_OFFSET, b"")
    seconds = struct.unpack(f"{order}q", offset)[0] if len(offset) == 8 else 0
    added = seconds * 10**9 if abs(seconds) < 2**33 else 0
    number = resolution[0] if resolution else 6
    if number & 0x80:
        return 1, 1, min(number & 0x7F, _MOST_POWER) or 0, added
    if number <= _NANO:
        return 10 ** (_NANO - number), 1, 0, added
    return 1, 10 ** min(number - _NANO, 18), 0, added


WINDOW: Final = 2**23
"""Octets that are looked at in one go, unless a block has more: what a core's caches can work on."""
TO_THE_END: Final = 2**63 - 1
GZIP_CHUNK: Final = 2**8
"""Octets that are decompressed in one go; where decompression fails, what comes with them is lost."""

_REASONS: Final = {
    records.MORE: "the file ends within a record",
    records.DAMAGED_LENGTH: "a record has a length that cannot be",
    records.DAMAGED_END: "the lengths at both ends of a block differ",
}


CONTRADICTION: Final = "headers of IP or UDP contradict themselves"


class Damage(NamedTuple):
    """Octets that could not be read: the rest of a capture from where its records are damaged on."""

    offset: int
    length: int
    reason: str


class Scan(NamedTuple):
    """Frames that follow one another in a capture."""

    octets: Octets
    offset: int
    """Where the octets begin in the file, decompressed."""
    frames: Frames
    frame_count: int
    links: Int32s
    """Link type of each interface."""
    number: int
    """Number of the first frame in the file, from 1."""
    section: Section


class FileSource:
    """A file that can be read anywhere, up to some octet."""

    problem = ""
    """What is there can be read."""

    def __init__(self, file: Any, end: int) -> None:
        self._file, self._end = file, min(end, file.size())

    def window(self, offset: int, length: int) -> Octets:
        """Return the octets from there on, without a copy where the file is mapped into memory."""
        length = max(0, min(length, self._end - offset))
        return np.frombuffer(self._file.read_at(length, offset) if length else b"", np.uint8)


class GzipSource:
    """A gzipped file of one or several members, which can only be read from its beginning on, up to damage."""

    def __init__(self, file: Any) -> None:
        portions: Any = _Portions(file)  # which reads, and that is all that gzip asks for
        self._file, self._buffered, self._offset = gzip.GzipFile(fileobj=portions), b"", 0
        self.problem = ""
        """Why decompression stopped."""

    def window(self, offset: int, length: int) -> Octets:
        """Return the octets from there on, decompressed as far as they can be."""
        parts = [self._buffered[offset - self._offset :]]
        missing = length - len(parts[0])
        while missing > 0 and (more := self._read(missing)):
            parts.append(more)
            missing -= len(more)
        self._buffered, self._offset = b"".join(parts), offset
        return np.frombuffer(self._buffered, np.uint8)[:length]

    def _read(self, most: int) -> bytes:
        """Return some octets, none where there are no more."""
        if self.problem:
            return b""
        try:
            return self._file.read1(most)
        except EOFError:
            self.problem = "the file ends within compressed data"
        except (zlib.error, gzip.BadGzipFile) as error:
            self.problem = f"the file cannot be decompressed further: {error}"[:200]
        return b""


class _Portions:
    """A file that gives few octets at a time."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def read(self, most: int) -> bytes:
        """Return the next octets."""
        octets: bytes = self._file.read(min(most, GZIP_CHUNK))
        return octets


Source = FileSource | GzipSource
"""A capture as octets; windows are asked for in rising order."""


def source_of(file: Any, end: int = TO_THE_END) -> Source:
    """Return a file as a source, decompressed if it is gzipped."""
    if file.read_at(min(2, file.size()), 0) == GZIP_MAGIC:
        file.seek(0)
        return GzipSource(file)
    return FileSource(file, end)


def read_capture(
    source: Source, start: int = 0, number: int = 1, section: Section | None = None, window: int = WINDOW
) -> Iterator[Scan | Damage]:
    """Yield the frames of a capture, and at its end what is damaged; arrays of a scan are used again for the next.

    Begin at ``start``, where a record begins, to be read as ``section`` says; at the head of a file it says so itself.

    Raises:
        NotRead: it is not a capture.
    """
    if section is None:
        head = source.window(0, PCAP_HEAD).tobytes()
        is_pcapng = head[:4] == PCAPNG_MAGIC
        section, start = (Section(True, False, 0, ()), start) if is_pcapng else (pcap_section(head), PCAP_HEAD)
    frames, (links, clocks) = records.room_for(window), _tables(section)
    while len(octets := source.window(start, window)):
        at, why, is_last = 0, records.FULL, len(octets) < window
        while why in (records.FULL, records.SECTION, records.INTERFACE):
            if section.blocks:
                count, at, why = scan_pcapng(octets, at, section.swapped, clocks, frames)
            else:
                count, at, why = scan_pcap(octets, at, section.swapped, section.fraction, frames)
            if count:
                yield Scan(octets, start, frames, count, links, number, section)
                number += count
            if why in (records.SECTION, records.INTERFACE):
                section, at, why = _described(section, octets, at, why)
                links, clocks = _tables(section)
        if why == records.MORE and not at and not is_last:
            window *= 2  # a block as long as this window, which LARGEST_BLOCK bounds
            continue
        start += at
        if why in (records.DAMAGED_LENGTH, records.DAMAGED_END) or (why == records.MORE and is_last):
            damage = Damage(start, _octets_left(source, start, window), _REASONS[why])
            yield damage
            start += damage.length
            break
    if source.problem:
        yield Damage(start, 0, source.problem)


def _octets_left(source: Source, start: int, window: int) -> int:
    end = start
    while length := len(source.window(end, window)):
        end += length
    return end - start


def _described(section: Section, octets: Octets, at: int, why: int) -> tuple[Section, int, int]:
    """Apply a block that describes the blocks after it; return how to read on, where, and why not if so."""
    try:
        if why == records.SECTION:
            described, length = section_block(octets[at : at + 12].tobytes())
        else:
            length = records.integer(octets, at + 4, 4, section.swapped)
            described = with_interface(section, octets[at : at + length].tobytes())
    except NotRead:
        return section, at, records.MORE if at + 28 > len(octets) else records.DAMAGED_LENGTH
    if at + length > len(octets):
        return section, at, records.MORE
    if records.integer(octets, at + length - 4, 4, described.swapped) != length:
        return section, at, records.DAMAGED_END
    return described, at + length, records.FULL


def _tables(section: Section) -> tuple[Int32s, Int64s]:
    links = np.array([interface.link for interface in section.interfaces] or [-1], np.int32)
    clocks = [number for interface in section.interfaces for number in (*interface.clock, interface.snap)]
    return links, np.array(clocks, np.int64)
