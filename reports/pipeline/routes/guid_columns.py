"""Compiled look-ups of GUIDs in the forms that Arrow keeps: text with offsets, and octets."""

from typing import Final

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s, Octets, compiled
from mqconform.reference.mqbr.bulk_identifiers import ABSENT, GuidIndex, numbers_of_octets

INVALID: Final = -3
"""Number of what names no machine at all."""

_OTHER: Final = 64
"""Marks a letter that is no digit of base 16."""
_CAPITAL: Final = 128
"""Marks a digit that is a capital letter."""

_PLACES: Final = np.array([0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34], dtype=np.int64)


def _digits() -> Octets:
    digits = np.full(256, _OTHER, dtype=np.uint8)
    for value, letter in enumerate("0123456789abcdef"):
        digits[ord(letter.upper())] = value | (_CAPITAL if letter.isalpha() else 0)
        digits[ord(letter)] = value
    return digits


_DIGITS: Final = _digits()


def numbers_of_strings(index: GuidIndex, offsets: Int32s, octets: Octets) -> tuple[Int32s, bool]:
    """Return the number of each text, and whether every text is known and written in small letters.

    A text may stand in braces, or be a number itself. ``ABSENT`` is a GUID that the directory names nowhere,
    ``INVALID`` what names no machine.

    Args:
        index: the GUIDs of the directory.
        offsets: where each text begins, and, last, where all end.
        octets: all texts, one behind the other.
    """
    guids = np.empty((len(offsets) - 1, 16), dtype=np.uint8)
    state = np.empty(len(guids), dtype=np.uint8)
    _parse(offsets, octets, guids, state)
    numbers = numbers_of_octets(index, guids)
    plain = not state.any()
    if not plain:
        _count_or_nothing(offsets, octets, state, len(index.keys), numbers)
    return numbers, plain and (len(numbers) == 0 or int(numbers.min()) >= 0)


@compiled
def _parse(offsets: Int32s, octets: Octets, guids: Octets, state: Octets) -> None:
    """Parse each text; its state becomes 0 if it is written as identifiers are, ``_OTHER`` if it is no GUID."""
    for row in range(len(offsets) - 1):
        start, length = offsets[row], offsets[row + 1] - offsets[row]
        braces = length == 38 and octets[start] == 123 and octets[start + 37] == 125
        if not braces and length != 36:
            state[row] = _OTHER
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
            flags |= 0 if octets[start + dash] == 45 else _OTHER
        if flags & _OTHER:
            state[row] = _OTHER
        else:
            state[row] = 1 if braces or flags & _CAPITAL else 0


@compiled
def _count_or_nothing(offsets: Int32s, octets: Octets, state: Octets, count: int, numbers: Int32s) -> None:
    """Read what is no GUID as a number below ``count``, in decimal digits."""
    for row in range(len(state)):
        if state[row] != _OTHER:
            continue
        value, length = 0, offsets[row + 1] - offsets[row]
        for at in range(offsets[row], offsets[row + 1]):
            digit = octets[at] - 48
            value = value * 10 + digit if 0 <= digit <= 9 and length < 10 else count
        numbers[row] = value if length and value < count else INVALID


__all__ = ["ABSENT", "INVALID", "numbers_of_strings"]
