"""Entries as a log has them, made into entries that can be judged: as Spark would, or not at all."""

import re
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mqconform.reference.mqbr.bulk_compiled import Flags, Int64s, Octets
from mqconform.reports.pipeline.deliveries.bulk_texts import ABSENT, ODD, hash_all, read_integers, read_times
from mqconform.reports.pipeline.deliveries.tables import ENTRY_COLUMNS, NUMBERS

_AROUND: Final = "".join(map(chr, (*range(0x21), 0x7F)))
"""What stands around a number without being looked at."""
_INTEGER: Final = re.compile(r"[+-]?[0-9]+")
_INTEGERS: Final = (pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.uint8(), pa.uint16(), pa.uint32())


class Odd(Exception):
    """A log has something in it of which only Spark is known to make the right thing."""


def shaped(raw: pa.Table) -> pa.Table:
    """Return entries with ``ENTRY_COLUMNS``, ``order_known`` and their order as columns ``order_0`` and so on.

    Args:
        raw: some of those columns, each a text or a number; at least one of ``time`` and ``position``.

    Raises:
        Odd: a column is of another type, or a time is written in another form than most are.
    """
    whole = raw.combine_chunks()
    columns = {name: _column(whole, name) for name in ENTRY_COLUMNS}
    keys = [key for name in ("time", "position") if name in raw.column_names for key in _keys(whole, name)]
    known = np.logical_and.reduce([there for _, there in keys])
    named = {f"order_{place}": pa.array(key) for place, (key, _) in enumerate(keys)}
    return pa.table(columns | {"order_known": pa.array(known)} | named)


def hashes_of(texts: Any) -> Any:
    """Return a number for each text, the same wherever it occurs; absent ones have one together."""
    ends, octets = _buffers(texts)
    hashes = np.empty(len(texts), np.uint64)
    hash_all(ends, octets, hashes)
    return hashes


def _column(raw: pa.Table, name: str) -> Any:
    kind = pa.int64() if name in NUMBERS else pa.string()
    if name not in raw.column_names:
        return pa.nulls(raw.num_rows, kind)
    column = _plain(raw, name)
    if kind == pa.string() or pa.types.is_integer(column.type):
        return column.cast(kind)
    numbers, there = _integers(column)
    return pa.array(numbers, mask=~there)


def _plain(raw: pa.Table, name: str) -> Any:
    """Return a column as one array of strings or integers."""
    column = raw.column(name)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_large_string(column.type):
        column = column.cast(pa.string())
    if not (pa.types.is_string(column.type) or pa.types.is_null(column.type) or column.type in _INTEGERS):
        raise Odd(f"column {name} has the type {column.type}")
    column = column.cast(pa.string()) if pa.types.is_null(column.type) else column
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _keys(raw: pa.Table, name: str) -> list[tuple[Int64s, Flags]]:
    """Return numbers by which entries are ordered, each with where there is one."""
    column = _plain(raw, name)
    if pa.types.is_integer(column.type):
        return [(np.asarray(column.cast(pa.int64()).fill_null(0)), np.asarray(column.is_valid()))]
    if name == "position":
        return [_integers(column)]
    ends, octets = _buffers(column)
    seconds, nanoseconds = np.empty(len(column), np.int64), np.empty(len(column), np.int64)
    made = np.empty(len(column), np.uint8)
    read_times(ends, octets, np.asarray(column.is_null()), seconds, nanoseconds, made)
    if (made == ODD).any():
        raise Odd("a time is written in a form of its own")
    return [(seconds, made != ABSENT), (nanoseconds, made != ABSENT)]


def _integers(column: Any) -> tuple[Int64s, Flags]:
    """Return the integers that texts are, 0 where there is none, and where there is one."""
    ends, octets = _buffers(column)
    numbers, made = np.empty(len(column), np.int64), np.empty(len(column), np.uint8)
    read_integers(ends, octets, np.asarray(column.is_null()), numbers, made)
    there = made != ABSENT
    odd = np.flatnonzero(made == ODD)
    for row, text in zip(odd.tolist(), pc.take(column, pa.array(odd)).to_pylist(), strict=True):
        number = integer(text)
        there[row], numbers[row] = number is not None, number or 0
    return numbers, there


def integer(text: str) -> int | None:
    """Return the integer of 64 bits that a text is for Spark, None if it is none."""
    stripped = text.strip(_AROUND)
    if not _INTEGER.fullmatch(stripped) or len(stripped) > 1_000:
        return None
    number = int(stripped)
    return number if -(2**63) <= number < 2**63 else None


def _buffers(texts: Any) -> tuple[Any, Octets]:
    """Return where each text ends, after where the first begins, and the octets of all."""
    _, ends, octets = texts.buffers()
    if ends is None or not ends.size:
        return np.zeros(len(texts) + 1, np.int32), np.empty(0, np.uint8)
    held = np.frombuffer(octets, np.uint8) if octets is not None else np.empty(0, np.uint8)
    return np.frombuffer(ends, np.int32)[texts.offset : texts.offset + len(texts) + 1], held
