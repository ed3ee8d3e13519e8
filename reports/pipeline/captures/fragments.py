"""UDP datagrams that came in fragments: put aside as they are met, put together when all captures have been read."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple
from zlib import crc32

import pyarrow as pa
import pyarrow.dataset
import pyarrow.parquet as pq

from mqconform.reference.mqbr.bulk_compiled import Int64s, Octets
from mqconform.reports.pipeline.captures.bulk_datagrams import FOUND_IPV4, network_layer
from mqconform.reports.pipeline.captures.bulk_records import NO_TIME
from mqconform.reports.pipeline.captures.reading import Scan
from mqconform.reports.pipeline.storage import Place

BUCKETS: Final = 64
"""Among how many groups fragments are divided by their datagram."""
PATIENCE: Final = 60 * 10**9
"""Nanoseconds after which a fragment belongs to another datagram with the same number (RFC 1122 3.3.2)."""
IPV4_KEY: Final = 34
"""Octets of the key of an IPv4 packet; that of an IPv6 one is two longer."""
MOST_OCTETS: Final = 65_535
FLUSH: Final = 2**25
_MAPPED: Final = bytes(10) + b"\xff\xff"

SCHEMA: Final = pa.schema(
    [
        ("bucket", pa.int32()),
        ("key", pa.binary()),
        ("time", pa.int64()),
        ("file", pa.string()),
        ("number", pa.int64()),
        ("offset", pa.int64()),
        ("frame", pa.int64()),
        ("at", pa.int32()),
        ("more", pa.bool_()),
        ("payload", pa.binary()),
    ]
)


class Fragment(NamedTuple):
    """A part of the payload of an IP packet."""

    key: bytes
    """Source, destination and number of the packet it is a part of."""
    time: int
    file: str
    number: int
    """Which capture."""
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


class FragmentWriter:
    """Writes fragments to a file of their own."""

    def __init__(self, place: Place) -> None:
        system, path = place.resolve()
        self._writer = pq.ParquetWriter(path, SCHEMA, filesystem=system)
        self._rows: list[tuple[int, *tuple[Any, ...]]] = []
        self._octets = 0

    def write(self, scan: Scan, frames: Int64s, file: str, number: int) -> None:
        """Put fragments aside."""
        for frame in frames.tolist():
            fragment = fragment_of(scan, frame, file, number)
            self._rows.append((crc32(fragment.key) % BUCKETS, *fragment))
            self._octets += len(fragment.payload)
        if self._octets > FLUSH:
            self._flush()

    def close(self) -> None:
        """End the file."""
        self._flush()
        self._writer.close()

    def _flush(self) -> None:
        if self._rows:
            columns = [list(column) for column in zip(*self._rows, strict=True)]
            self._writer.write_table(pa.table(columns, schema=SCHEMA))
        self._rows, self._octets = [], 0


def fragments_in(files: Sequence[Place], bucket: int) -> list[Fragment]:
    """Return the fragments of one bucket in order of their datagrams and times."""
    fragments: list[Fragment] = []
    for file in files:
        system, path = file.resolve()
        table = pq.read_table(path, filesystem=system, filters=pa.dataset.field("bucket") == bucket)
        columns = [table[name].to_pylist() for name in Fragment._fields]
        fragments.extend(Fragment(*row) for row in zip(*columns, strict=True))
    return sorted(fragments, key=lambda fragment: (fragment.key, fragment.time, fragment.number, fragment.offset))


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


def fragment_of(scan: Scan, frame: int, file: str, number: int) -> Fragment:
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
        number,
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
