"""From a column that names machines to their numbers: GUIDs as text or octets, or places in the enterprise document."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mqconform.reference.mqbr.bulk import ABSENT, NOTHING, BulkOracle
from mqconform.reference.mqbr.bulk_compiled import Int32s, Octets, compiled
from mqconform.reference.mqbr.bulk_identifiers import OTHER, guid_index, numbers_of_octets, parsed
from mqconform.reports.pipeline.problems import UnusableInput

FORMS: Final = "GUIDs as text, GUIDs as 16 octets, or whole numbers (places in queue_managers)"

INVALID: Final = -3
"""Number of what names no machine at all."""

LITTLE_ENDIAN: Final = np.array([3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15])
"""Where the octets of a GUID's text form lie in the form that Windows keeps in memory."""


class MachineNumbers:
    """The machines of one directory, found by the identifiers, numbers or octets of a column.

    Args:
        oracle: the directory, compiled.
        windows_octets: whether GUIDs of 16 octets lie as Windows keeps them in memory.
    """

    def __init__(self, oracle: BulkOracle, *, windows_octets: bool = False) -> None:
        self._count = len(oracle.identifiers)
        self._index = guid_index(oracle.identifiers)
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
        if pa.types.is_dictionary(kind):
            return self._of_dictionary(name, column)
        if pa.types.is_null(kind):
            return np.full(len(column), NOTHING, dtype=np.int32)
        if pa.types.is_integer(kind):
            numbers = self._of_integers(column)
        elif pa.types.is_fixed_size_binary(kind) and kind.byte_width == 16:
            numbers = self._of_octets(_fixed_octets(column))
        elif pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
            numbers = self._of_any_octets(column)
        else:
            numbers = self._of_text(column)
        if column.null_count:
            numbers[_nulls(column)] = NOTHING
        return numbers

    def _of_integers(self, column: pa.Array) -> Int32s:
        integers = np.asarray(pc.fill_null(column, 0) if column.null_count else column)
        if integers.dtype == np.int32 and len(integers) and integers.min() >= 0 and integers.max() < self._count:
            return integers.copy() if column.null_count else integers
        fits = (integers >= 0) & (integers < self._count)
        return np.where(fits, integers, INVALID).astype(np.int32)

    def _of_octets(self, octets: Any) -> Int32s:
        ordered = octets if self._order is None else octets[:, self._order]
        return numbers_of_octets(self._index, np.ascontiguousarray(ordered))

    def _of_any_octets(self, column: pa.Array) -> Int32s:
        """Return the numbers of octets of any length, those of another length than 16 as ``INVALID``."""
        fitting = pc.equal(pc.binary_length(column), 16)
        octets = pc.if_else(pc.fill_null(fitting, fill_value=False), column, b"\0" * 16)
        numbers = self._of_octets(_fixed_octets(octets.cast(pa.binary(16))))
        numbers[~np.asarray(pc.fill_null(fitting, fill_value=True))] = INVALID
        return numbers

    def _of_text(self, column: pa.Array) -> Int32s:
        texts = column if pa.types.is_string(column.type) else column.cast(pa.string())
        _, offsets, values = texts.buffers()
        ends = np.frombuffer(offsets, dtype=np.int32)[texts.offset : texts.offset + len(texts) + 1]
        octets = np.frombuffer(values, dtype=np.uint8) if values is not None else np.zeros(0, dtype=np.uint8)
        guids, written = parsed(ends, octets)
        numbers = numbers_of_octets(self._index, guids)
        if written.any():
            _number_or_nothing(ends, octets, written, self._count, numbers)
        return numbers

    def _of_dictionary(self, name: str, column: pa.DictionaryArray) -> Int32s:
        words = self.of(name, column.dictionary)
        if not len(words):
            return np.full(len(column), NOTHING, dtype=np.int32)
        numbers: Int32s = words[np.asarray(pc.fill_null(column.indices, 0)).astype(np.int64)]
        if column.null_count:
            numbers[_nulls(column)] = NOTHING
        return numbers


_KINDS: Final = (
    pa.types.is_integer,
    pa.types.is_binary,
    pa.types.is_large_binary,
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_string_view,
    pa.types.is_null,
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
        raise UnusableInput(f"column {name} holds {kind}; it has to hold {FORMS}")


def identifier_of(value: Any, identifiers: Sequence[str], *, windows_octets: bool) -> str:
    """Return what a readable value of a column names, as an identifier.

    Args:
        value: as Python has it.
        identifiers: of the directory's machines, by their numbers.
        windows_octets: as in ``MachineNumbers``.
    """
    if isinstance(value, int):
        return identifiers[value]
    if isinstance(value, UUID):
        value = value.bytes
    if isinstance(value, bytes):
        order = LITTLE_ENDIAN if windows_octets else np.arange(16)
        return str(UUID(bytes=bytes(value[place] for place in order)))
    text = str(value)
    return identifiers[int(text)] if text.isdecimal() else text.strip("{}").lower()


def _nulls(column: pa.Array) -> Any:
    return np.asarray(column.is_null())


def _fixed_octets(column: pa.Array) -> Any:
    start, rows = column.offset, len(column)
    buffer = column.buffers()[1]
    if buffer is None:
        return np.zeros((rows, 16), dtype=np.uint8)
    return np.frombuffer(buffer, dtype=np.uint8)[16 * start : 16 * (start + rows)].reshape(-1, 16)


def unnamed(numbers: Int32s) -> Any:
    """Return which rows name no machine: those that are null or hold what cannot be read."""
    if not len(numbers) or numbers.min() >= 0:
        return np.zeros(len(numbers), dtype=np.bool_)
    return (numbers == INVALID) | (numbers == NOTHING)


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


__all__ = ["ABSENT", "FORMS", "INVALID", "NOTHING", "MachineNumbers", "identifier_of", "unnamed"]
