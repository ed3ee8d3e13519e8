"""From GUIDs to numbers: a hash table with open addressing over the 16 octets of an identifier."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from mqconform.reference.errors import ModelError
from mqconform.reference.mqbr.bulk_compiled import Int32s, Masks, Octets, compiled

ABSENT: Final = -2
"""Number of a GUID that the directory names nowhere, and of text that is no GUID."""

_TEXT: Final = 36
_PLACES: Final = np.array([0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34], dtype=np.int64)
"""Where the two digits of each octet begin."""


def _digits() -> Octets:
    """Return the value of each letter as a digit of base 16, 240 for those that are none."""
    digits = np.full(256, 240, dtype=np.uint8)
    for value, letter in enumerate("0123456789abcdef"):
        digits[ord(letter)] = digits[ord(letter.upper())] = value
    return digits


_DIGITS: Final = _digits()


class UnusableColumn(ModelError):
    """A column has not the shape or the type that the bulk oracle reads."""


class GuidIndex(NamedTuple):
    """GUIDs with their numbers; a slot without one holds -1."""

    slots: Int32s
    keys: Masks
    """For each number: the GUID as two words."""
    valid: Octets
    """For each number: 1 if its identifier is a GUID at all."""


def guid_index(identifiers: Sequence[str]) -> GuidIndex:
    """Return the index of identifiers by their place; those that are no GUIDs are never found."""
    octets = np.zeros((len(identifiers), 16), dtype=np.uint8)
    valid = np.zeros(len(identifiers), dtype=np.uint8)
    _parse(text_octets(identifiers), octets, valid)
    slots = np.full(1 << (2 * len(identifiers) + 1).bit_length(), -1, dtype=np.int32)
    index = GuidIndex(slots, _words(octets), valid)
    _fill(index)
    return index


def text_octets(texts: Sequence[str]) -> Octets:
    """Return texts as rows of 37 octets, the last one unused; what is no text of 36 ASCII letters is no GUID."""
    padded = np.array([text.encode("ascii", "replace")[: _TEXT + 1] for text in texts], dtype=f"S{_TEXT + 1}")
    octets: Octets = padded.view(np.uint8).reshape(-1, _TEXT + 1)
    octets[octets[:, _TEXT] != 0] = 0
    return octets


def numbers_of_octets(index: GuidIndex, guids: Octets) -> Int32s:
    """Return the numbers of GUIDs given as rows of 16 octets, in the order of their text.

    Raises:
        UnusableColumn: if the shape is another.
    """
    if guids.ndim != 2 or guids.shape[1] != 16 or guids.dtype != np.uint8:
        raise UnusableColumn(f"GUIDs have to be rows of 16 octets, not {guids.dtype} of shape {guids.shape}")
    numbers = np.empty(len(guids), dtype=np.int32)
    _find(index, _words(guids), numbers)
    return numbers


def numbers_of_text(index: GuidIndex, texts: Octets) -> Int32s:
    """Return the numbers of GUIDs given as rows of text in the form 8-4-4-4-12, in either case."""
    octets = np.zeros((len(texts), 16), dtype=np.uint8)
    valid = np.zeros(len(texts), dtype=np.uint8)
    _parse(texts, octets, valid)
    numbers = numbers_of_octets(index, octets)
    numbers[valid == 0] = ABSENT
    return numbers


def _words(octets: Octets) -> Masks:
    words: Masks = np.ascontiguousarray(octets).view(np.uint64)
    return words.reshape(-1, 2)


@compiled
def _slot(first: np.uint64, second: np.uint64, mask: int) -> np.int64:
    mixed = (first ^ (second * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xD6E8FEB86659FD93)
    return np.int64((mixed ^ (mixed >> np.uint64(32))) & np.uint64(mask))


@compiled
def _fill(index: GuidIndex) -> None:
    mask = len(index.slots) - 1
    for number in range(len(index.keys)):
        if not index.valid[number]:
            continue
        slot = _slot(index.keys[number, 0], index.keys[number, 1], mask)
        while index.slots[slot] >= 0:
            slot = (slot + 1) & mask
        index.slots[slot] = number


@compiled
def _find(index: GuidIndex, words: Masks, numbers: Int32s) -> None:
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
def _parse(texts: Octets, octets: Octets, valid: Octets) -> None:
    for row in range(len(texts)):
        digits = 0
        for place in range(16):
            high = _DIGITS[texts[row, _PLACES[place]]]
            low = _DIGITS[texts[row, _PLACES[place] + 1]]
            octets[row, place] = (high & 15) << 4 | (low & 15)
            digits |= high | low
        for dash in (8, 13, 18, 23):
            digits |= 0 if texts[row, dash] == 45 else 240
        valid[row] = 1 if digits < 16 else 0
