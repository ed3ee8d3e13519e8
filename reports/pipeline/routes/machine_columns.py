"""From a column that names machines to their numbers: GUIDs as text or octets, or places in the enterprise document.

GUIDs are found by a hash table with open addressing over their 16 octets.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mqconform.reference.mqbr.bulk import ABSENT, NOTHING, BulkOracle
from mqconform.reference.mqbr.bulk_compiled import Int32s, Masks, Octets, compiled
from mqconform.reports.pipeline.problems import UnusableInput

FORMS: Final = "GUIDs as text, GUIDs as 16 octets, or whole numbers (places in queue_managers)"
INVALID: Final = -3
"""Number of what names no machine at all."""
LITTLE_ENDIAN: Final = np.array([3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15])
"""Where the octets of a GUID's text form lie in the form that Windows keeps in memory."""
OTHER: Final = 64
"""Marks a letter that is no digit of base 16, and text that is no GUID."""
IN_BRACES: Final = 1
_PLACES: Final = np.array([0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34], dtype=np.int64)
"""Where the two digits of each octet begin."""
_DIGITS: Final = np.full(256, OTHER, dtype=np.uint8)
"""The value of each letter as a digit of base 16."""
for _value, _letter in enumerate("0123456789abcdef"):
    _DIGITS[[ord(_letter), ord(_letter.upper())]] = _value


class _Index(NamedTuple):
    """GUIDs with their numbers; a slot without one holds -1."""

    slots: Int32s
    keys: Masks
    """For each number: the GUID as two words."""
    valid: Octets
    """For each number: 1 if its identifier is a GUID at all."""


class MachineNumbers:
    """The machines of one directory, found by the identifiers, numbers or octets of a column.

    Args:
        oracle: the directory, compiled.
        windows_octets: whether GUIDs of 16 octets lie as Windows keeps them in memory.
    """

    def __init__(self, oracle: BulkOracle, *, windows_octets: bool = False) -> None:
        self._count = len(oracle.identifiers)
        guids, written = _parsed(pa.array(oracle.identifiers, pa.string()))[:2]
        slots = np.full(1 << (2 * self._count + 1).bit_length(), -1, dtype=np.int32)
        self._index = _Index(slots, _words(guids), (written == 0).astype(np.uint8))
        _fill(self._index)
        self._order = LITTLE_ENDIAN if windows_octets else None

    def of(self, name: str, column: pa.Array) -> Int32s:
        """Return a column as numbers; ``NOTHING`` is a null, ``ABSENT`` an unknown machine, ``INVALID`` names none.

        Raises:
            UnusableInput: the column's type is none of the forms.
        """
        kind = column.type
        check_form(name, kind)
        if isinstance(kind, pa.BaseExtensionType):
            return self.of(name, column.storage)
        if pa.types.is_null(kind):
            return np.full(len(column), NOTHING, dtype=np.int32)
        if pa.types.is_dictionary(kind):
            words = np.append(self.of(name, column.dictionary), np.int32(NOTHING))
            numbers: Int32s = words[np.asarray(pc.fill_null(column.indices, -1)).astype(np.int64)]
        elif pa.types.is_integer(kind):
            numbers = self._of_integers(column)
        elif pa.types.is_fixed_size_binary(kind) and kind.byte_width == 16:
            numbers = self._of_octets(_fixed_octets(column))
        elif pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
            fitting = np.asarray(pc.fill_null(pc.equal(pc.binary_length(column), 16), fill_value=False))
            octets = pc.if_else(pa.array(fitting), column, b"\0" * 16)
            numbers = np.where(fitting, self._of_octets(_fixed_octets(octets.cast(pa.binary(16)))), INVALID)
            numbers = numbers.astype(np.int32)
        else:
            guids, written, ends, texts = _parsed(column)
            numbers = self._find(guids)
            if written.any():
                _number_or_nothing(ends, texts, written, self._count, numbers)
        if column.null_count:
            numbers[np.asarray(column.is_null())] = NOTHING
        return numbers

    def _of_integers(self, column: pa.Array) -> Int32s:
        integers = np.asarray(pc.fill_null(column, 0) if column.null_count else column)
        if integers.dtype == np.int32 and len(integers) and integers.min() >= 0 and integers.max() < self._count:
            return integers.copy() if column.null_count else integers
        fits = (integers >= 0) & (integers < self._count)
        return np.where(fits, integers, INVALID).astype(np.int32)

    def _of_octets(self, octets: Any) -> Int32s:
        return self._find(octets if self._order is None else octets[:, self._order])

    def _find(self, guids: Any) -> Int32s:
        numbers = np.empty(len(guids), dtype=np.int32)
        _find(self._index, _words(guids), numbers)
        return numbers


_KINDS: Final = (
    *(pa.types.is_integer, pa.types.is_binary, pa.types.is_large_binary, pa.types.is_null),
    *(pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view),
)


def check_form(name: str, kind: pa.DataType) -> None:
    """Refuse a column of which no value can name a machine.

    Raises:
        UnusableInput: its type is none of the forms.
    """
    if isinstance(kind, pa.BaseExtensionType):
        check_form(name, kind.storage_type)
    elif pa.types.is_dictionary(kind):
        check_form(name, kind.value_type)
    elif not any(holds(kind) for holds in _KINDS) and kind != pa.binary(16):
        raise UnusableInput(f"column {name} holds {kind}; it must hold {FORMS}")


def identifier_of(value: Any, identifiers: Sequence[str], *, windows_octets: bool) -> str:
    """Return what a readable value of a column names, as an identifier."""
    if isinstance(value, int):
        return identifiers[value]
    if isinstance(value, UUID):
        value = value.bytes
    if isinstance(value, bytes):
        return str(UUID(bytes_le=value) if windows_octets else UUID(bytes=value))
    text = str(value)
    return identifiers[int(text)] if text.isdecimal() else text.strip("{}").lower()


def unnamed(numbers: Int32s) -> Any:
    """Return which rows name no machine: those that are null or hold what cannot be read."""
    if not len(numbers) or numbers.min() >= 0:
        return np.zeros(len(numbers), dtype=np.bool_)
    return (numbers == INVALID) | (numbers == NOTHING)


def _fixed_octets(column: pa.Array) -> Any:
    start, rows, buffer = column.offset, len(column), column.buffers()[1]
    if buffer is None:
        return np.zeros((rows, 16), dtype=np.uint8)
    return np.frombuffer(buffer, dtype=np.uint8)[16 * start : 16 * (start + rows)].reshape(-1, 16)


def _parsed(column: pa.Array) -> tuple[Octets, Octets, Int32s, Octets]:
    """Return texts as GUIDs, rows of 16 octets, and how each is written: 0, ``IN_BRACES`` or ``OTHER``.

    With them come the texts: where each begins and where all end, and all of them, one behind the other.
    """
    texts = column if pa.types.is_string(column.type) else column.cast(pa.string())
    _, offsets, values = texts.buffers()
    ends = np.frombuffer(offsets, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
    octets = np.frombuffer(values if values is not None else b"", dtype=np.uint8)
    ends = ends if len(ends) else np.frombuffer(bytes(4), dtype=np.int32)
    guids, written = np.zeros((len(texts), 16), dtype=np.uint8), np.empty(len(texts), dtype=np.uint8)
    _parse(ends, octets, guids, written)
    return guids, written, ends, octets


def _words(octets: Octets) -> Masks:
    words: Masks = np.ascontiguousarray(octets).view(np.uint64)
    return words.reshape(-1, 2)


@compiled
def _slot(first: np.uint64, second: np.uint64, mask: int) -> np.int64:
    mixed = (first ^ (second * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xD6E8FEB86659FD93)
    return np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(mask))


@compiled
def _fill(index: _Index) -> None:
    mask = len(index.slots) - 1
    for number in range(len(index.keys)):
        if index.valid[number]:
            slot = _slot(index.keys[number, 0], index.keys[number, 1], mask)
            while index.slots[slot] >= 0:
                slot = (slot + 1) & mask
            index.slots[slot] = number


@compiled
def _find(index: _Index, words: Masks, numbers: Int32s) -> None:
    mask = len(index.slots) - 1
    for row in range(len(words)):
        first, second = words[row, 0], words[row, 1]
        slot = _slot(first, second, mask)
        number = index.slots[slot]
        while number >= 0 and (index.keys[number, 0] != first or index.keys[number, 1] != second):
            slot = (slot + 1) & mask
            number = index.slots[slot]
        numbers[row] = number if number >= 0 else ABSENT


@compiled
def _parse(offsets: Int32s, octets: Octets, guids: Octets, written: Octets) -> None:
    for row in range(len(offsets) - 1):
        start, length = offsets[row], offsets[row + 1] - offsets[row]
        braces = length == 38 and octets[start] == 123 and octets[start + 37] == 125
        written[row] = OTHER
        if not braces and length != 36:
            continue
        if braces:
            start += 1
        flags = 0
        for place in range(16):
            at = start + _PLACES[place]
            high, low = _DIGITS[octets[at]], _DIGITS[octets[at + 1]]
            guids[row, place] = (high & 15) << 4 | (low & 15)
            flags |= high | low
        for dash in (8, 13, 18, 23):
            flags |= 0 if octets[start + dash] == 45 else OTHER
        if not flags & OTHER:
            written[row] = IN_BRACES if braces else 0


@compiled
def _number_or_nothing(offsets: Int32s, octets: Octets, written: Octets, count: int, numbers: Int32s) -> None:
    """Read what is no GUID as a number below ``count``, in decimal digits."""
    for row in range(len(written)):
        if written[row] != OTHER:
            continue
        value, length = 0, offsets[row + 1] - offsets[row]
        for at in range(offsets[row], offsets[row + 1]):
            digit = octets[at] - 48
            value = value * 10 + digit if 0 <= digit <= 9 and length < 10 else count
        numbers[row] = value if length and value < count else INVALID
