"""Columns of Arrow as arrays of numpy, whichever of Arrow's types holds the values.

Spark hands over text and octets in 32 or 64 bits, as views or dictionaries, in chunks and slices. A column is cast to
one known type first; no buffer is read by a type that is only presumed.
"""

import ipaddress
import socket
from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s, Masks, Octets


class Runs(NamedTuple):
    """Octets of many values in one run, an entry of each array for one value; null is not an octet."""

    octets: Octets
    starts: Int64s
    lengths: Int64s
    present: Flags


def whole(column: Any) -> pa.Array:
    """Return a column as one array that is no dictionary."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks() if column.num_chunks else pa.array([], column.type)
        column = pa.concat_arrays(column.chunks) if isinstance(column, pa.ChunkedArray) else column
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def integers(column: Any, absent: int = 0) -> tuple[Int64s, Flags]:
    """Return whole numbers, ``absent`` where there is none, and where there is one."""
    array = whole(column).cast(pa.int64())
    numbers = np.array(pc.fill_null(array, absent).to_numpy(zero_copy_only=False), np.int64)
    return numbers, np.asarray(array.is_valid())


_NO_OCTETS: Final = np.frombuffer(b"", np.uint8)


def octets_of(column: Any) -> Runs:
    """Return octets or text as runs."""
    array = whole(column).cast(pa.large_binary())
    present, rows = np.asarray(array.is_valid()), len(array)
    if not present.any():
        return Runs(_NO_OCTETS, np.zeros(rows, np.int64), np.zeros(rows, np.int64), present)
    _, ends, values = array.buffers()  # 64 bits each: the type is what it was cast to
    bounds = np.frombuffer(ends, np.int64)[array.offset : array.offset + rows + 1]
    octets = np.frombuffer(values, np.uint8) if values is not None and values.size else _NO_OCTETS
    octets.flags.writeable = False  # a writable array is another type to numba
    return Runs(octets, bounds[:-1].copy(), np.where(present, np.diff(bounds), 0), present)


def texts_of(column: Any) -> tuple[list[str], Int32s]:
    """Return the different texts of a column, and which of them each row has, -1 for none."""
    coded = whole(column).cast(pa.large_string()).dictionary_encode()
    numbers = pc.fill_null(coded.indices, -1).to_numpy(zero_copy_only=False)
    return coded.dictionary.to_pylist(), np.array(numbers, np.int32)


def identifiers(octets: Any, present: Flags) -> pa.Array:
    """Return rows of octets as binary values, null where they are absent."""
    values = np.ascontiguousarray(octets, np.uint8)
    validity = pa.py_buffer(np.packbits(present, bitorder="little"))
    fixed = pa.Array.from_buffers(pa.binary(values.shape[1]), len(values), [validity, pa.py_buffer(values)])
    return fixed.cast(pa.binary())


def runs(octets: Octets, starts: Int64s, lengths: Any, present: Flags) -> pa.Array:
    """Return parts of a run of octets as binary values, null where they are absent."""
    chosen = np.flatnonzero(present)
    values = np.full(len(present), None, object)
    values[chosen] = [octets[starts[row] : starts[row] + lengths[row]].tobytes() for row in chosen.tolist()]
    return pa.array(values, pa.binary())


def words(numbers: Any, texts: Any, present: Flags | None = None) -> pa.Array:
    """Return numbers as the texts that they stand for, null where there is none."""
    places = pa.array(numbers.astype(np.int32), mask=None if present is None else ~present)
    return pa.array(texts, pa.string()).take(places)


MOST: Final = 2**17
"""Addresses that a process remembers."""
_MAPPED: Final = bytes(10) + b"\xff\xff"


def address_numbers(column: Any) -> tuple[Masks, Flags]:
    """Return two numbers for each text of a column, and which texts are addresses."""
    texts, numbers = texts_of(column)
    pairs = [_pair(text) for text in texts]
    readable = np.array([*(high is not None for high, _ in pairs), False])
    values = np.array([*((high or 0, low or 0) for high, low in pairs), (0, 0)], np.uint64)
    return values[numbers], readable[numbers]


def _pair(text: str) -> tuple[int | None, int | None]:
    try:
        return pair_of(text)
    except ValueError:
        return None, None


@lru_cache(MOST)
def pair_of(text: str) -> tuple[int, int]:
    """Return an address as two numbers.

    Raises:
        ValueError: the text is not an address.
    """
    address = ipaddress.ip_address(text)
    number = int(address) | 0xFFFF << 32 if address.version == 4 else int(address)
    return number >> 64, number & 2**64 - 1


def numbered(pairs: Masks) -> Int32s:
    """Return a number for each pair of numbers, the same for the same pair."""
    numbers: Int32s = _encoded(pairs).indices.to_numpy()
    return numbers


def _encoded(pairs: Masks) -> Any:
    octets = np.ascontiguousarray(pairs).astype(">u8").view("V16").ravel()
    return pa.Array.from_buffers(pa.binary(16), len(octets), [None, pa.py_buffer(octets)]).dictionary_encode()


def address_texts(addresses: Masks) -> pa.Array:
    """Return addresses of two numbers each as text; each different one is written out once."""
    fixed = _encoded(addresses)
    return pa.array([_text(value) for value in fixed.dictionary.to_pylist()], pa.string()).take(fixed.indices)


@lru_cache(MOST)
def _text(octets: bytes) -> str:
    return socket.inet_ntoa(octets[12:]) if octets.startswith(_MAPPED) else str(ipaddress.IPv6Address(octets))
