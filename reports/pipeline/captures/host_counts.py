"""Counts by host, in columns of one meaning each; those of tasks are added up by the driver."""

from typing import Any, Final

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int64s, Masks, compiled_reader
from mqconform.reports.pipeline.captures.bulk_addresses import AddressBook

MOST_HOSTS: Final = 50_000
"""Hosts that one task counts apart; what further ones did is counted for all of them together."""
MOST_HOSTS_OF_ALL: Final = 1_000_000
"""Hosts that the driver counts apart."""
OTHERS: Final = b""
"""Stands for hosts beyond those."""


class HostCounts:
    """How often what was seen of which host.

    Args:
        columns: how many things are counted.
        most: hosts that are counted apart.
    """

    def __init__(self, columns: int, most: int = MOST_HOSTS) -> None:
        self._columns, self._most = columns, most
        self._book = AddressBook(most)
        self._counts = np.zeros((0, columns), np.int64)
        self._others = np.zeros(columns, np.int64)

    def count(self, addresses: Masks, column: Int64s) -> Any:
        """Count one thing for each address; return the number of each address, as ``octets`` takes it.

        Args:
            addresses: of two numbers each.
            column: what was seen of each.
        """
        numbers = self._book.numbers(addresses)
        self._make_room()
        _count(numbers, column, self._counts, self._others)
        return numbers

    def add(self, other: "HostCounts") -> None:
        """Add what another part counted."""
        numbers = self._book.numbers(other.addresses)
        self._make_room()
        has_number = numbers >= 0
        self._counts[numbers[has_number]] += other.counts[has_number]
        self._others += other.others + other.counts[~has_number].sum(axis=0)

    @property
    def addresses(self) -> Masks:
        """The hosts that are counted apart, of two numbers each."""
        return self._book.addresses

    @property
    def counts(self) -> Int64s:
        """A row for each of those hosts."""
        return self._counts[: len(self._book)]

    @property
    def others(self) -> Int64s:
        """What all hosts beyond them did."""
        return self._others

    def total(self) -> Int64s:
        """Return what was counted of all hosts together."""
        total: Int64s = self.counts.sum(axis=0) + self._others
        return total

    def __len__(self) -> int:
        """Return how many hosts are counted apart."""
        return len(self._book)

    def of(self, host: bytes) -> Int64s:
        """Return what was counted of a host, of 16 octets."""
        if host == OTHERS:
            return self._others
        address = np.frombuffer(host, ">u8").astype(np.uint64)
        rows = (self.addresses == address).all(axis=1)
        counts: Int64s = self.counts[rows].sum(axis=0)
        return counts

    def octets(self, number: int) -> bytes:
        """Return a host as 16 octets, ``OTHERS`` if it is not counted apart."""
        return self.addresses[number].astype(">u8").tobytes() if number >= 0 else OTHERS

    def __getstate__(self) -> tuple[Any, ...]:
        """Return what crosses from task to driver: of most hosts few things are seen."""
        places = np.flatnonzero(self.counts)
        return self._columns, self._most, self.addresses.copy(), places, self.counts.ravel()[places], self._others

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        """Take over what another process counted."""
        self._columns, self._most, addresses, places, counts, self._others = state
        self._book = AddressBook(self._most)
        self._book.numbers(addresses)
        self._counts = np.zeros((len(addresses), self._columns), np.int64)
        self._counts.ravel()[places] = counts

    def _make_room(self) -> None:
        if len(self._book) > len(self._counts):
            room = np.zeros((2 * len(self._book), self._columns), np.int64)
            room[: len(self._counts)] = self._counts
            self._counts = room


@compiled_reader
def _count(numbers: Any, column: Int64s, counts: Int64s, others: Int64s) -> None:
    for row in range(len(numbers)):
        if numbers[row] >= 0:
            counts[numbers[row], column[row]] += 1
        else:
            others[column[row]] += 1
