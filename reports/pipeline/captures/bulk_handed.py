"""Rows of ``bulk_exchange`` as arrays again, in compiled loops."""

from collections.abc import Iterable
from typing import Any

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Masks, compiled_reader
from mqconform.reports.pipeline.captures.bulk_exchange import PREFIX
from mqconform.reports.pipeline.captures.exchange import (
    NARROW_WORDS,
    PAIR_WORDS,
    WIDE_WORDS,
    WORD,
    Handed,
    Run,
    Slice,
    room_for,
)

_32 = np.uint64(32)
_LOW_16 = np.uint64(0xFFFF)
_LOW_32 = np.uint64(0xFFFFFFFF)


def handed_on(files: dict[str, Any], slices: Iterable[Slice]) -> Handed:
    """Return the packets of one bucket, those of each part in the order of the capture.

    Args:
        files: open files by name.
        slices: where the rows lie in them.
    """
    listed = list(slices)
    handed, reached = room_for(sum(one.rows for one in listed)), 0
    for one in listed:
        file = files[one.name]
        runs = _run(file, one.pairs, PAIR_WORDS), _run(file, one.narrow, NARROW_WORDS), _run(file, one.wide, WIDE_WORDS)
        _unpack(*runs, one.file, one.base, handed, reached)
        reached += one.rows
    return handed


def _run(file: Any, run: Run, words: int) -> Masks:
    octets = file.read_at(WORD * words * run.rows, WORD * run.at) if run.rows else b""
    return np.frombuffer(octets, np.uint64).reshape(-1, words)


@compiled_reader
def _unpack(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    pairs: Masks, narrow: Masks, wide: Masks, file: int, base: int, handed: Handed, at: int
) -> None:
    """Fill in the packets of a part from ``at`` on, narrow and wide rows merged by their offsets."""
    first, other = 0, 0
    for row in range(at, at + len(narrow) + len(wide)):
        handed.file[row] = file
        is_narrow = other == len(wide)
        if not is_narrow and first < len(narrow):
            is_narrow = bool(base + np.int64(narrow[first, 4] & _LOW_32) < np.int64(wide[other, 10]))
        if is_narrow:
            _unpack_narrow(pairs, narrow, first, base, handed, row)
            first += 1
        else:
            _unpack_wide(wide, other, handed, row)
            other += 1


@compiled_reader
def _unpack_narrow(  # noqa: PLR0913, PLR0917 - compiled: tuples of arrays cost more than arguments
    pairs: Masks, words: Masks, place: int, base: int, handed: Handed, row: int
) -> None:
    exchange, hosts, middle, rest = handed.exchange, words[place, 3], words[place, 4], words[place, 5]
    exchange.id_high[row], exchange.id_low[row] = words[place, 0], words[place, 1]
    exchange.time[row] = np.int64(words[place, 2])
    exchange.client_high[row], exchange.client_low[row] = 0, np.uint64(PREFIX) << _32 | hosts >> _32
    exchange.server_high[row], exchange.server_low[row] = 0, np.uint64(PREFIX) << _32 | hosts & _LOW_32
    handed.offset[row] = base + np.int64(middle & _LOW_32)
    _note_ports(middle >> _32, handed, row)
    exchange.identification[row] = rest & _LOW_16
    exchange.length[row] = rest >> np.uint64(16) & _LOW_16
    pair = np.int64(rest >> _32 & _LOW_16)
    exchange.site_high[row], exchange.site_low[row], exchange.enterprise[row] = (
        pairs[pair, 0],
        pairs[pair, 1],
        pairs[pair, 2],
    )
    _note_kind(rest >> np.uint64(48), handed, row)


@compiled_reader
def _unpack_wide(words: Masks, place: int, handed: Handed, row: int) -> None:
    exchange = handed.exchange
    exchange.id_high[row], exchange.id_low[row] = words[place, 0], words[place, 1]
    exchange.time[row] = np.int64(words[place, 2])
    exchange.client_high[row], exchange.client_low[row] = words[place, 3], words[place, 4]
    exchange.server_high[row], exchange.server_low[row] = words[place, 5], words[place, 6]
    exchange.site_high[row], exchange.site_low[row] = words[place, 7], words[place, 8]
    exchange.enterprise[row] = words[place, 9]
    handed.offset[row] = np.int64(words[place, 10])
    _note_ports(words[place, 11] & _LOW_32, handed, row)
    exchange.identification[row] = np.int32(np.int64(words[place, 11]) >> 32)
    exchange.length[row] = words[place, 12] & _LOW_32
    _note_kind(words[place, 12] >> _32, handed, row)


@compiled_reader
def _note_ports(ports: np.uint64, handed: Handed, row: int) -> None:
    handed.exchange.client_port[row] = ports & _LOW_16
    handed.exchange.server_port[row] = ports >> np.uint64(16)


@compiled_reader
def _note_kind(kind: np.uint64, handed: Handed, row: int) -> None:
    handed.exchange.shown[row] = kind & np.uint64(0xFF)
    handed.exchange.message[row] = kind >> np.uint64(8)
