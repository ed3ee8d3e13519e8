"""Random numbers that depend on a seed and an item and on nothing else: counter-based, so that any process has them.

Only the raw words of Philox are used: their sequence is fixed, which that of numpy's distributions is not.
"""

from collections.abc import Sequence
from enum import IntEnum
from typing import Final, TypeVar

import numpy as np

T = TypeVar("T")

_WORDS: Final = 256
"""Words drawn at a time."""
_ITEM_BITS: Final = 56


class Stream(IntEnum):
    """What an item is: items of different streams draw different numbers."""

    ENTERPRISE = 1
    DECISIONS = 2
    PACKET = 3


class Draws:
    """The numbers of one item."""

    def __init__(self, seed: int, stream: Stream, item: int) -> None:
        key = np.array([seed % 2**64, int(stream) << _ITEM_BITS | item], dtype=np.uint64)
        self._philox = np.random.Philox(key=key)
        self._words: list[int] = []

    def word(self) -> int:
        """Return 64 bits."""
        if not self._words:
            self._words = self._philox.random_raw(_WORDS).tolist()[::-1]
        return self._words.pop()

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit - 1``; with limits as small as ours every number is as likely."""
        return self.word() % limit

    def between(self, least: int, most: int) -> int:
        """Return a number from ``least`` to ``most``."""
        return least + self.below(most - least + 1)

    def chance(self, percent: int) -> bool:
        """Return whether something happens that does so in a percentage of cases."""
        return self.below(100) < percent

    def octets(self, length: int) -> bytes:
        """Return a number of octets."""
        words = [self.word().to_bytes(8, "little") for _ in range((length + 7) // 8)]
        return b"".join(words)[:length]

    def one(self, options: Sequence[T]) -> T:
        """Return one of several."""
        return options[self.below(len(options))]

    def some(self, options: Sequence[T], number: int) -> list[T]:
        """Return a number of different ones, in drawn order; all where there are no more."""
        left = list(options)
        return [left.pop(self.below(len(left))) for _ in range(min(number, len(left)))]

    def guid(self) -> str:
        """Return a GUID as text, of version 4."""
        digits = self.octets(16).hex()
        variant = "89ab"[int(digits[16], 16) % 4]
        return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"
