"""Numbering addresses in the order in which they first occur, in compiled loops."""

import os
from typing import Final

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s, Masks, compiled_reader

UNLIMITED: Final = 2**30
BEYOND: Final = -1
"""The number of every address that found no place."""
FIRST_SLOTS: Final = 2**10

_SEED: Final = np.uint64(int.from_bytes(os.urandom(8), "little"))
"""Random in each process, so that no sender can choose addresses that collide; numbers do not depend on it."""


class AddressBook:
    """Addresses, of two numbers each, and the number that each has.

    Args:
        most: addresses that are numbered; later ones are ``BEYOND``.
    """

    def __init__(self, most: int = UNLIMITED) -> None:
        self._most, self._count = most, 0
        self._addresses = np.empty((FIRST_SLOTS // 2, 2), np.uint64)
        self._slots = np.full(FIRST_SLOTS, -1, np.int32)

    def __len__(self) -> int:
        """Return how many addresses are numbered."""
        return self._count

    @property
    def addresses(self) -> Masks:
        """The addresses by their numbers."""
        return self._addresses[: self._count]

    def numbers(self, addresses: Masks) -> Int32s:
        """Return the number of each address, of two numbers in a row."""
        addresses, numbers = np.ascontiguousarray(addresses), np.empty(len(addresses), np.int32)
        self._make_room(min(self._most, self._count + len(addresses)))
        self._count = _number(addresses, _SEED, self._most, self._count, self._addresses, self._slots, numbers)
        return numbers

    def _make_room(self, capacity: int) -> None:
        """See that at least half of the slots stay free."""
        if 2 * capacity <= len(self._slots):
            return
        slots = 1 << (2 * capacity - 1).bit_length()
        room = np.empty((slots // 2, 2), np.uint64)
        room[: self._count] = self.addresses
        self._addresses, self._slots = room, np.full(slots, -1, np.int32)
        again = np.empty(self._count, np.int32)
        _number(room[: self._count].copy(), _SEED, self._most, 0, self._addresses, self._slots, again)


@compiled_reader
def _number(  # noqa: PLR0913, PLR0917 - compiled: the parts of a book
    hosts: Masks, seed: np.uint64, most: int, count: int, addresses: Masks, slots: Int32s, numbers: Int32s
) -> int:
    last = np.uint64(len(slots) - 1)
    for row in range(len(hosts)):
        high, low = hosts[row, 0], hosts[row, 1]
        mixed = ((high ^ seed) * np.uint64(0x9E3779B97F4A7C15) ^ low ^ (seed >> np.uint64(7))) * np.uint64(
            0xBF58476D1CE4E5B9
        )
        slot = np.int64((mixed ^ (mixed >> np.uint64(32))) & last)
        while slots[slot] >= 0 and (addresses[slots[slot], 0] != high or addresses[slots[slot], 1] != low):
            slot = (slot + 1) & np.int64(last)
        if slots[slot] < 0 and count < most:
            slots[slot], addresses[count, 0], addresses[count, 1] = count, high, low
            count += 1
        numbers[row] = slots[slot]
    return count
