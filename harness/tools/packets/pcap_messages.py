"""UDP datagrams from capture files: pcap, pcapng, either of them gzipped.

scapy reads the records, but where a file is damaged it just ends, without a word. The framing of the file is
therefore walked first, so that no judgement rests on a capture of which a part went missing unnoticed.
"""

import gzip
import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

MAX_FRAME = 0x40000
"""Octets of one frame that are read: libpcap's own limit, and more than a datagram can have."""

GZIP_MAGIC = b"\x1f\x8b"
PCAP_ORDERS = {
    b"\xd4\xc3\xb2\xa1": "<",
    b"\x4d\x3c\xb2\xa1": "<",
    b"\xa1\xb2\xc3\xd4": ">",
    b"\xa1\xb2\x3c\x4d": ">",
}
PCAPNG_MAGIC = b"\x0a\x0d\x0d\x0a"
PCAPNG_ORDERS = {b"\x4d\x3c\x2b\x1a": "<", b"\x1a\x2b\x3c\x4d": ">"}
PACKET_BLOCKS = frozenset({2, 3, 6})
"""pcapng block types that carry a frame: obsolete, simple and enhanced packet block."""

BROKEN_STREAM = (OSError, EOFError, zlib.error)
"""What reading a file raises; gzip adds the last two."""


class CaptureProblem(Exception):
    """Base of what can be wrong with a capture file; never a defect of the implementation under test."""


class CaptureUnreadable(CaptureProblem):
    """The file, or the frames of one link type in it, cannot be read at all."""


class CaptureDamaged(CaptureProblem):
    """The file is cut off or corrupt; the datagrams before the damage have been given out."""


class _Damage(Exception):
    """Where and how the framing of a file breaks."""


@dataclass(frozen=True, slots=True)
class CapturedDatagram:
    """A UDP datagram as it passed the point of capture."""

    frame: int
    """Number of the frame in the file, from 1; of the frame that completes it if it came in fragments."""
    time_ns: int | None
    """Nanoseconds since 1970 UTC; None where the file has no times (simple packet blocks)."""
    source: str
    """IPv4 or IPv6 address as text."""
    destination: str
    source_port: int
    destination_port: int
    octets: bytes
    complete: bool
    """False where less was captured than was sent: such octets must not be judged."""


class _Frame(NamedTuple):
    octets: bytes
    link_type: int
    time_ns: int | None


def read_datagrams(path: Path) -> Iterator[CapturedDatagram]:
    """Return the UDP datagrams of a capture, in file order.

    Raises:
        CaptureUnreadable: the file is missing or no capture; or, after all that could be read, frames had a
            link type that is not known here.
        CaptureDamaged: the file is cut off or corrupt; raised after the datagrams before the damage.
    """
    # An extra, and half a second, for which only the readers of captures shall pay.
    try:
        from mqconform.harness.tools.packets.ip_reassembly import Reassembly, knows_link_type, udp_datagram  # noqa: PLC0415 - see above
    except ImportError as absent:
        raise CaptureUnreadable(
            f"{path}: captures are read by scapy; run in a checkout of mqconform: pip install '.[captures]'"
        ) from absent

    reassembly = Reassembly()
    unknown: Counter[int] = Counter()
    with _opened(path) as stream:
        for number, frame in enumerate(_frames(path, stream), start=1):
            if not knows_link_type(frame.link_type):
                unknown[frame.link_type] += 1
                continue
            datagram = udp_datagram(frame.octets, frame.link_type, reassembly)
            if datagram is not None:
                yield CapturedDatagram(number, frame.time_ns, *datagram)
    if unknown:
        listed = ", ".join(f"{count} of link type {kind}" for kind, count in sorted(unknown.items()))
        raise CaptureUnreadable(f"{path}: frames skipped: {listed}; capture on Ethernet, loopback or raw IP")


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a capture; the stream is seekable and already decompressed."""
    try:
        file = path.open("rb")
    except OSError as problem:
        raise CaptureUnreadable(f"{path}: cannot be opened: {problem.strerror}; name a readable file") from problem
    with file:
        try:
            zipped = file.read(2) == GZIP_MAGIC
            file.seek(0)
        except OSError as problem:
            raise CaptureUnreadable(f"{path}: cannot be read twice; save the capture to a file first") from problem
        yield cast("BinaryIO", gzip.GzipFile(fileobj=file)) if zipped else file


def _frames(path: Path, stream: BinaryIO) -> Iterator[_Frame]:
    """Return the intact frames, then raise CaptureDamaged if there is more to the file than those."""
    intact, damage = _framing(path, stream)
    read = 0
    if intact:
        stream.seek(0)
        for frame in _scapy_frames(stream, intact):
            read += 1
            yield frame
    remedy = "capture again, or judge only the datagrams before the damage"
    if read < intact:
        raise CaptureDamaged(f"{path}: only {read} of {intact} frames can be read from their records; {remedy}")
    if damage is not None:
        raise CaptureDamaged(f"{path}: damaged after {intact} frames: {damage}; {remedy}")


def _scapy_frames(stream: BinaryIO, at_most: int) -> Iterator[_Frame]:
    """Return frames until scapy sees an end or a fault; octets behind the intact frames are never touched."""
    from scapy.utils import RawPcapReader  # noqa: PLC0415 - scapy loads only where a capture is read

    from mqconform.harness.tools.packets.quiet_scapy import scapy_log_silenced  # noqa: PLC0415 - beside its user

    reader: Any = None
    for _ in range(at_most):
        with scapy_log_silenced():
            try:
                reader = reader or cast("Any", RawPcapReader)(stream)
                # The public iterator cuts frames at 65,535 octets, which a full datagram on loopback exceeds.
                octets, record = reader._read_packet(size=MAX_FRAME)  # noqa: SLF001 - see above
                frame = _frame(octets, record, reader)
            except Exception:  # noqa: BLE001 - scapy declares nothing; the caller reports that frames are missing
                return
        yield frame


def _frame(octets: bytes, record: Any, reader: Any) -> _Frame:
    if not hasattr(record, "tsresol"):
        nanoseconds = record.sec * 10**9 + record.usec * (1 if reader.nano else 1000)
        # The upper half of the field holds the length of a frame check sequence.
        return _Frame(octets, reader.linktype & 0xFFFF, nanoseconds)
    if record.tshigh is None:
        if record.wirelen and not octets:
            raise ValueError("scapy takes a snap length of 0, which means no limit, for no octets at all")
        return _Frame(octets, record.linktype, None)
    ticks = (record.tshigh << 32) + record.tslow
    return _Frame(octets, record.linktype, ticks * 10**9 // record.tsresol)


def _framing(path: Path, stream: BinaryIO) -> tuple[int, str | None]:
    """Return how many frames are intact and what ends them, None for the end of the file."""
    frames = 0
    try:
        magic = stream.read(4)
        if magic in PCAP_ORDERS:
            walk = _pcap_frames(stream, PCAP_ORDERS[magic])
        elif magic == PCAPNG_MAGIC:
            walk = _pcapng_frames(stream)
        else:
            raise CaptureUnreadable(f"{path}: neither pcap nor pcapng: it begins with {magic!r}; convert it to pcapng")
        for _ in walk:
            frames += 1
    except _Damage as damage:
        return frames, str(damage)
    except BROKEN_STREAM as problem:
        return frames, f"the file cannot be read or decompressed further ({problem})"
    return frames, None


def _pcap_frames(stream: BinaryIO, order: str) -> Iterator[None]:
    """Yield once for each intact record; the stream stands behind the magic number."""
    if not _skip(stream, 20):
        raise _Damage("octet 4: the file header is cut off")
    at = 24
    while header := stream.read(16):
        if len(header) < 16:
            raise _Damage(f"octet {at}: the record header is cut off")
        captured: int = struct.unpack(order + "8xI4x", header)[0]
        if not _skip(stream, captured):
            raise _Damage(f"octet {at}: the file ends within a record of {captured} octets")
        at += 16 + captured
        yield


def _pcapng_frames(stream: BinaryIO) -> Iterator[None]:
    """Yield once for each intact block that carries a frame."""
    stream.seek(0)
    at, order = 0, "<"
    while head := stream.read(8):
        if len(head) < 8:
            raise _Damage(f"octet {at}: the block header is cut off")
        taken = 8
        if head[:4] == PCAPNG_MAGIC:
            order = PCAPNG_ORDERS.get(stream.read(4), "")
            taken = 12
            if not order:
                raise _Damage(f"octet {at + 8}: the section header has no byte order mark")
        kind, length = struct.unpack(order + "II", head)
        if length % 4 or length < taken + 4:
            raise _Damage(f"octet {at + 4}: {length} cannot be the length of a block")
        if not _skip(stream, length - taken - 4):
            raise _Damage(f"octet {at}: the file ends within a block of {length} octets")
        if stream.read(4) != head[4:]:
            raise _Damage(f"octet {at + length - 4}: the length at the end of the block differs from {length}")
        at += length
        if kind in PACKET_BLOCKS:
            yield


def _skip(stream: BinaryIO, octets: int) -> bool:
    """Whether that many octets were there; without reading them, since a hostile length can be 4 GiB."""
    if octets == 0:
        return True
    stream.seek(octets - 1, 1)
    return len(stream.read(1)) == 1
