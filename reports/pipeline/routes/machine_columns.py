"""From a column that names machines to their numbers: GUIDs as text or octets, or places in the enterprise document."""

import re
from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mqconform.reference.mqbr.bulk import ABSENT, NOTHING
from mqconform.reference.mqbr.bulk_compiled import Int32s
from mqconform.reports.pipeline.problems import UnusableInput

FORMS: Final = "GUIDs as text, GUIDs as 16 octets, or whole numbers (places in queue_managers)"
INVALID: Final = -3
"""Number of what names no machine at all."""
_GUID: Final = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
GUID_OCTETS: Final = 16
MOST_DIGITS: Final = 9


class MachineNumbers:
    """The machines of one directory, found by the identifiers, numbers or octets of a column.

    Args:
        identifiers: of the machines, in the order of their numbers.
        windows_octets: whether GUIDs of 16 octets lie as Windows keeps them in memory.
    """

    def __init__(self, identifiers: Sequence[str], *, windows_octets: bool = False) -> None:
        self._count = len(identifiers)
        self._numbers: dict[str, int] = {}
        for number, text in enumerate(map(str.lower, identifiers)):
            if _GUID.fullmatch(text):
                self._numbers.setdefault(text, number)
        guids = map(UUID, self._numbers)
        octets = [guid.bytes_le if windows_octets else guid.bytes for guid in guids]
        self._texts, self._octets = pa.array(self._numbers, pa.string()), pa.array(octets, pa.binary(GUID_OCTETS))
        self._places = np.array([*self._numbers.values(), NOTHING], dtype=np.int32)

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
        if pa.types.is_integer(kind):
            return self._of_integers(column)
        if pa.types.is_dictionary(kind):
            words = np.append(self.of(name, column.dictionary), np.int32(NOTHING))
            of_words: Int32s = words[np.asarray(pc.fill_null(column.indices, -1))]
            return of_words
        known = self._texts if pa.types.is_string(kind) or pa.types.is_large_string(kind) else self._octets
        found = pc.index_in(column, value_set=known.cast(kind))
        numbers: Int32s = self._places[np.asarray(pc.fill_null(found, -1))]
        rest = np.flatnonzero(np.asarray(pc.and_(found.is_null(), column.is_valid())))
        if len(rest):  # in another spelling, unknown or unreadable: each different one once
            others = column.take(pa.array(rest)).dictionary_encode()
            numbers[rest] = np.array([*map(self._number, others.dictionary.to_pylist())], np.int32)[others.indices]
        return numbers

    def _of_integers(self, column: pa.Array) -> Int32s:
        integers = np.asarray(pc.fill_null(column, 0) if column.null_count else column)
        numbers = integers.astype(np.int32)  # a copy
        if integers.min(initial=0) < 0 or integers.max(initial=0) >= self._count:
            numbers[(integers < 0) | (integers >= self._count)] = INVALID
        if column.null_count:
            numbers[np.asarray(column.is_null())] = NOTHING
        return numbers

    def _number(self, value: str | bytes) -> int:
        if isinstance(value, bytes):
            return ABSENT if len(value) == GUID_OCTETS else INVALID
        text = value.lower()
        text = text[1:-1] if text[:1] + text[-1:] == "{}" else text
        if _GUID.fullmatch(text):
            return self._numbers.get(text, ABSENT)
        number = int(value) if value.isascii() and value.isdigit() and len(value) <= MOST_DIGITS else self._count
        return number if number < self._count else INVALID


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
    return (numbers == INVALID) | (numbers == NOTHING)
