"""Handing packets on to whoever judges conversations: rows of fixed size, sorted by the bucket of their identifier.

A task writes one file and remembers where the rows of each bucket lie in it; the task of a bucket reads its parts of
all files. That is a shuffle without the rows passing through a JVM.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

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


class ExchangeWriter:
    """Writes the rows of one task; nothing is made before the first row."""

    def __init__(self, system: Any, path: str, name: str) -> None:
        self._system, self._path, self._name = system, path, name
        self._stream: Any = None
        self._written = 0
        self.parts: list[Part] = []

    def write(self, rows: Rows, bounds: tuple[int, ...]) -> None:
        """Add rows that are sorted by bucket."""
        if not len(rows):
            return
        if self._stream is None:
            self._stream = self._system.open_output_stream(self._path, compression=None)
        self._stream.write(rows.view(np.uint8).data)
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
