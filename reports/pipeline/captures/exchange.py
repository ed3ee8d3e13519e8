"""Handing packets on to whoever judges conversations: rows of fixed size, sorted by the bucket of their identifier.

A task writes one file and remembers where the rows of each bucket lie in it; the task of a bucket reads its parts of
all files. That is a shuffle without the rows passing through a JVM.

A part, which holds packets of one capture that follow one another, has three runs of eight-octet words: pairs of site
and enterprise, each once; narrow rows, which say in six words what packets between IPv4 addresses mostly are; and wide
rows for whatever does not fit: IPv6, and pairs beyond those that are kept. However many hosts and sites there are, a
packet never needs more than a wide row.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Masks
from mqconform.reference.mqsd.audit.bulk_conversation_rows import Exchange

WORD: Final = 8
PAIR_WORDS: Final = 3
NARROW_WORDS: Final = 6
WIDE_WORDS: Final = 13
MOST_PAIRS: Final = 1_024
"""Pairs of site and enterprise that a part keeps: every task of a bucket reads them."""


class Part(NamedTuple):
    """Where the words of a part lie in a file."""

    name: str
    at: int
    """Words of the file before it."""
    pairs: int
    narrow: tuple[int, ...]
    """Narrow rows of bucket n lie from ``narrow[n]`` to before ``narrow[n + 1]``."""
    wide: tuple[int, ...]
    """Wide rows likewise, behind all narrow ones."""
    file: int
    """Which capture the packets are of."""
    base: int
    """The offset in the capture from which those of narrow rows count."""

    def slice(self, bucket: int) -> "Slice":
        """Return where the rows of a bucket lie."""
        narrow_at = self.at + PAIR_WORDS * self.pairs
        wide_at = narrow_at + NARROW_WORDS * self.narrow[-1]
        return Slice(
            self.name,
            Run(self.at, self.pairs),
            Run(narrow_at + NARROW_WORDS * self.narrow[bucket], self.narrow[bucket + 1] - self.narrow[bucket]),
            Run(wide_at + WIDE_WORDS * self.wide[bucket], self.wide[bucket + 1] - self.wide[bucket]),
            self.file,
            self.base,
        )


class Run(NamedTuple):
    """Rows that follow one another in a file, and the words before them."""

    at: int
    rows: int


class Slice(NamedTuple):
    """The rows of one bucket in one part."""

    name: str
    pairs: Run
    narrow: Run
    wide: Run
    file: int
    base: int

    @property
    def rows(self) -> int:
        """How many there are."""
        return self.narrow.rows + self.wide.rows


class Packed(NamedTuple):
    """Packets of one capture, packed for a part."""

    pairs: Masks
    narrow: Masks
    wide: Masks
    narrow_bounds: tuple[int, ...]
    wide_bounds: tuple[int, ...]
    file: int
    base: int


class Handed(NamedTuple):
    """Packets as they were handed on; one entry of each array for one packet."""

    exchange: Exchange
    file: Int32s
    offset: Int64s

    @property
    def packets(self) -> int:
        """How many packets there are."""
        return len(self.file)

    def client(self, rows: Any) -> Masks:
        """Return the clients of some packets, two numbers each."""
        return np.stack([self.exchange.client_high[rows], self.exchange.client_low[rows]], 1)

    def server(self, rows: Any) -> Masks:
        """Return the servers of some packets, two numbers each."""
        return np.stack([self.exchange.server_high[rows], self.exchange.server_low[rows]], 1)

    def id(self, rows: Any) -> Any:
        """Return the identifiers of some packets, 16 octets each."""
        numbers = np.stack([self.exchange.id_high[rows], self.exchange.id_low[rows]], 1)
        return numbers.astype(">u8").view(np.uint8).reshape(-1, 16)

    def taken(self, rows: Any) -> "Handed":
        """Return some of the packets."""
        return Handed(Exchange._make(column[rows] for column in self.exchange), self.file[rows], self.offset[rows])


def room_for(packets: int) -> Handed:
    """Return room for packets; no configuration is known of any server yet."""
    numbers, small = np.uint64, np.int32
    kinds: dict[str, Any] = dict.fromkeys(Exchange._fields, numbers)
    kinds |= dict.fromkeys(("message", "shown"), np.uint8) | {"time": np.int64}
    kinds |= dict.fromkeys(("client_port", "server_port", "identification", "length", "known_server"), small)
    exchange = Exchange._make(np.empty(packets, kinds[name]) for name in Exchange._fields)
    exchange.known_server[:] = -1
    return Handed(exchange, np.empty(packets, np.int32), np.empty(packets, np.int64))


def together(some: Sequence[Handed]) -> Handed:
    """Return the packets of several as one."""
    columns = zip(*(one.exchange for one in (room_for(0), *some)), strict=True)
    return Handed(
        Exchange._make(np.concatenate(column) for column in columns),
        np.concatenate([one.file for one in (room_for(0), *some)]),
        np.concatenate([one.offset for one in (room_for(0), *some)]),
    )


def slices_of(parts: Iterable[Part], bucket: int) -> tuple[Slice, ...]:
    """Return where the rows of a bucket lie in parts that hold some."""
    slices = (part.slice(bucket) for part in parts)
    return tuple(one for one in slices if one.rows)


class ExchangeWriter:
    """Writes the rows of one task; nothing is made before the first row."""

    def __init__(self, system: Any, path: str, name: str) -> None:
        self._system, self._path, self._name = system, path, name
        self._stream: Any = None
        self._written = 0
        self.parts: list[Part] = []

    def write(self, packed: Packed) -> None:
        """Add a part."""
        if not len(packed.narrow) + len(packed.wide):
            return
        if self._stream is None:
            self._stream = self._system.open_output_stream(self._path, compression=None)
        bounds = packed.narrow_bounds, packed.wide_bounds
        self.parts.append(Part(self._name, self._written, len(packed.pairs), *bounds, packed.file, packed.base))
        for words in (packed.pairs, packed.narrow, packed.wide):
            if len(words):
                self._stream.write(words.view(np.uint8).data)
                self._written += words.size

    def close(self) -> None:
        """End the file."""
        if self._stream is not None:
            self._stream.close()
