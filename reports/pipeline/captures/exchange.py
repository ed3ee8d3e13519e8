"""Handing packets on to whoever judges conversations: rows of fixed size, sorted by the bucket of their identifier.

A task writes one file and remembers where the rows of each bucket lie in it; the task of a bucket reads its parts of
all files. That is a shuffle without the rows passing through a JVM.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mqconform.reference.mqbr.bulk_compiled import Int64s, Masks, Octets

ROW: Final = np.dtype(
    [
        ("id", "<u8", 2),
        ("site", "<u8", 2),
        ("enterprise", "<u8"),
        ("time", "<i8"),
        ("client", "<u8", 2),
        ("server", "<u8", 2),
        ("client_port", "<u2"),
        ("server_port", "<u2"),
        ("identification", "<i4"),
        ("file", "<u4"),
        ("weight", "u1"),
        ("message", "u1"),
        ("shown", "u1"),
        ("known_server", "i1"),
        ("offset", "<i8"),
        ("length", "<i4"),
        ("padding", "<u4"),
    ]
)
"""A packet as conversations see it; the client is who sends requests or gets replies. ``file`` counts captures."""

Rows = NDArray[Any]


class Part(NamedTuple):
    """Rows of one file, sorted by bucket: bucket n lies from ``bounds[n]`` to before ``bounds[n + 1]``."""

    name: str
    bounds: tuple[int, ...]
    base: int
    """Rows of the file before these."""


def buckets_of(identifiers: Masks, buckets: int) -> Int64s:
    """Return the bucket of each identifier of two numbers."""
    mixed = (identifiers[:, 0] ^ identifiers[:, 1]) * np.uint64(0x9E3779B97F4A7C15)
    return ((mixed >> np.uint64(33)) % np.uint64(buckets)).astype(np.int64)


def by_bucket(rows: Rows, bucket: Int64s, buckets: int) -> tuple[Rows, tuple[int, ...]]:
    """Return rows sorted by their bucket, in order otherwise, and where each bucket begins."""
    order = np.argsort(bucket.astype(np.uint16 if buckets <= 2**16 else np.int64), kind="stable")
    counts = np.bincount(bucket, minlength=buckets)
    return rows[order], tuple(np.concatenate([[0], np.cumsum(counts)]).tolist())


class ExchangeWriter:
    """Writes the rows of one task; nothing is made before the first row."""

    def __init__(self, system: Any, path: str, name: str, buckets: int) -> None:
        self._system, self._path, self._name, self._buckets = system, path, name, buckets
        self._stream: Any = None
        self._written = 0
        self.parts: list[Part] = []

    def write(self, rows: Rows, bucket: Int64s) -> None:
        """Add rows."""
        if not len(rows):
            return
        if self._stream is None:
            self._stream = self._system.open_output_stream(self._path, compression=None)
        ordered, bounds = by_bucket(rows, bucket, self._buckets)
        self._stream.write(np.ascontiguousarray(ordered).view(np.uint8).data)
        self.parts.append(Part(self._name, bounds, self._written))
        self._written += len(rows)

    def close(self) -> None:
        """End the file."""
        if self._stream is not None:
            self._stream.close()


def rows_of(files: dict[str, Any], parts: list[Part]) -> Rows:
    """Return the rows of parts that have been narrowed down to one bucket; ``files`` are open files by name."""
    found = []
    for part in parts:
        first, last = part.bounds
        if last > first:
            octets = files[part.name].read_at((last - first) * ROW.itemsize, (part.base + first) * ROW.itemsize)
            found.append(np.frombuffer(octets, ROW))
    return np.concatenate(found) if found else np.empty(0, ROW)


def octets_as_numbers(octets: Octets) -> Masks:
    """Return rows of 16 octets as two numbers each."""
    return octets.view(">u8").astype(np.uint64)
