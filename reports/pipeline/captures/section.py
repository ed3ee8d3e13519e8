"""How a capture is to be read from some place on: the head of pcap, section and interface blocks of pcapng."""

import struct
from typing import Final, NamedTuple

from mqconform.reports.pipeline.captures.bulk_records import SECTION_HEADER

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
