"""Compiled look-ups of identifiers by their very letters, without taking them for GUIDs first."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mqconform.reference.mqbr.bulk_compiled import Int32s, Octets, compiled
from mqconform.reference.mqbr.bulk_identifiers import text_octets

LENGTH: Final = 36
"""Letters of an identifier."""
WORDS: Final = LENGTH // 4
UNSEEN: Final = -1
"""Number of a text that is no identifier letter by letter."""
PATIENCE: Final = 1_000
"""Texts after which the look-up is given up where most were in vain."""

Texts = NDArray[np.uint32]


class TextIndex(NamedTuple):
    """Identifiers with their numbers; a slot without one holds -1."""

    slots: Int32s
    texts: Texts
    """For each number nine words of four letters."""


def text_index(identifiers: Sequence[str], valid: Octets) -> TextIndex:
    """Return the index of identifiers by their place.

    Args:
        identifiers: what is looked for.
        valid: for each 1 if it is a GUID; others are never found.
    """
    texts = np.ascontiguousarray(text_octets(identifiers)[:, :LENGTH]).view(np.uint32).reshape(-1, WORDS)
    slots = np.full(1 << (2 * len(identifiers) + 1).bit_length(), -1, dtype=np.int32)
    _fill(slots, texts, valid)
    return TextIndex(slots, texts)


def numbers_of_letters(index: TextIndex, offsets: Int32s, octets: Octets) -> Int32s | None:
    """Return the number of each text, ``UNSEEN`` for what is no identifier; None where this is not worth its time.

    Args:
        index: the identifiers.
        offsets: where each text begins, and, last, where all end.
        octets: all texts, one behind the other.
    """
    rows = len(offsets) - 1
    start = int(offsets[0])
    if not rows or start % 4 or int(offsets[-1]) - start != LENGTH * rows or (np.diff(offsets) != LENGTH).any():
        return None
    words = octets[start : start + LENGTH * rows].view(np.uint32).reshape(-1, WORDS)
    numbers = np.empty(rows, dtype=np.int32)
    return numbers if _find(index.slots, index.texts, np.require(words, requirements="A"), numbers) else None


@compiled
def _slot(texts: Texts, row: int, mask: int) -> np.int64:
    mixed = np.uint64(texts[row, 8])
    for word in range(0, 8, 2):
        mixed ^= np.uint64(texts[row, word]) | np.uint64(texts[row, word + 1]) << np.uint64(32)
        mixed *= np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return np.int64(mixed & np.uint64(mask))


@compiled
def _fill(slots: Int32s, texts: Texts, valid: Octets) -> None:
    mask = len(slots) - 1
    for number in range(len(texts)):
        if not valid[number]:
            continue
        slot = _slot(texts, number, mask)
        while slots[slot] >= 0:
            slot = (slot + 1) & mask
        slots[slot] = number


@compiled
def _find(slots: Int32s, keys: Texts, texts: Texts, numbers: Int32s) -> bool:
    """Look texts up; return whether it was worth going on."""
    mask, unseen = len(slots) - 1, 0
    for row in range(len(texts)):
        slot = _slot(texts, row, mask)
        number = slots[slot]
        while number >= 0 and not _same(keys, number, texts, row):
            slot = (slot + 1) & mask
            number = slots[slot]
        numbers[row] = number
        unseen += number < 0
        if unseen > PATIENCE and 2 * unseen > row:
            return False
    return True


@compiled
def _same(keys: Texts, number: int, texts: Texts, row: int) -> bool:
    different = np.uint32(0)
    for word in range(WORDS):
        different |= keys[number, word] ^ texts[row, word]
    return bool(different == 0)
