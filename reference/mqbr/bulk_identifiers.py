"""From GUIDs to numbers: a hash table with open addressing over the 16 octets of an identifier."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk import ABSENT
from mqconform.reference.mqbr.bulk_compiled import Int32s, Masks, Octets, compiled

PLAIN, CAPITALS, BRACES = 0, 1, 2
"""How a GUID is written in text: in small letters, with capitals, in braces."""
OTHER: Final = 64
"""How text is written that is no GUID; marks a letter that is no digit of base 16."""
_CAPITAL: Final = 128
"""Marks a digit that is a capital letter."""

_PLACES: Final = np.array([0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34], dtype=np.int64)
"""Where the two digits of each octet begin."""


def _digits() -> Octets:
    """Return the value of each letter as a digit of base 16, with marks."""
    digits = np.full(256, OTHER, dtype=np.uint8)
    for value, letter in enumerate("0123456789abcdef"):
        digits[ord(letter.upper())] = value | (_CAPITAL if letter.isalpha() else 0)
        digits[ord(letter)] = value
    return digits


_DIGITS: Final = _digits()


class GuidIndex(NamedTuple):
    """GUIDs with their numbers; a slot without one holds -1."""

    slots: Int32s
    keys: Masks
    """For each number: the GUID as two words."""
    valid: Octets
    """For each number: 1 if its identifier is a GUID at all."""


def guid_index(identifiers: Sequence[str]) -> GuidIndex:
    """Return the index of identifiers by their place; those that are no GUIDs are never found."""
    guids, written = parsed(*_joined(identifiers))
    slots = np.full(1 << (2 * len(identifiers) + 1).bit_length(), -1, dtype=np.int32)
    index = GuidIndex(slots, _words(guids), (written <= CAPITALS).astype(np.uint8))
    _fill(index)
    return index


def _joined(texts: Sequence[str]) -> tuple[Int32s, Octets]:
    octets = [text.encode("ascii", "replace") for text in texts]
    offsets = np.cumsum([0, *map(len, octets)], dtype=np.int32)
    offsets.setflags(write=False)  # as those of Arrow are: for others numba would compile once more
    return offsets, np.frombuffer(b"".join(octets), dtype=np.uint8)


def numbers_of_octets(index: GuidIndex, guids: Octets) -> Int32s:
    """Return the numbers of GUIDs given as rows of 16 octets, in the order of their text; ``ABSENT`` for others."""
    numbers = np.empty(len(guids), dtype=np.int32)
    _find(index, _words(guids), numbers)
    return numbers


def parsed(offsets: Int32s, octets: Octets) -> tuple[Octets, Octets]:
    """Return texts as GUIDs, rows of 16 octets, and how each is written: ``PLAIN`` to ``OTHER``.

    Args:
        offsets: where each text begins, and, last, where all end.
        octets: all texts, one behind the other.
    """
    guids = np.empty((len(offsets) - 1, 16), dtype=np.uint8)
    written = np.empty(len(guids), dtype=np.uint8)
    _parse(offsets, octets, guids, written)
    return guids, written


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
def _parse(offsets: Int32s, octets: Octets, guids: Octets, written: Octets) -> None:
    for row in range(len(offsets) - 1):
        start, length = offsets[row], offsets[row + 1] - offsets[row]
        braces = length == 38 and octets[start] == 123 and octets[start + 37] == 125
        if not braces and length != 36:
            written[row] = OTHER
            guids[row, :] = 0
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
        if flags & OTHER:
            written[row] = OTHER
        else:
            written[row] = BRACES if braces else CAPITALS if flags & _CAPITAL else PLAIN
