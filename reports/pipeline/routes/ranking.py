"""Counts of verdicts by router or by pair of sites, and which of them are worst."""

from collections.abc import Iterable, Sequence
from heapq import nsmallest
from operator import itemgetter
from typing import Any, Final, Generic, TypeVar

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int64s
from mqconform.reports.pipeline.routes import verdicts
from mqconform.reports.pipeline.routes.enterprise import Enterprise
from mqconform.reports.pipeline.routes.tallies import Tally, VersionTally

WORST: Final = 10
"""How many offenders the summary names; the tables hold all."""
UNKNOWN_ROUTER: Final = "(unknown)"
NO_SITE: Final = "(no site)"

Key = TypeVar("Key", bound=str | tuple[str, str])
Pair = tuple[str, str]


class Ranked(Generic[Key]):
    """Counts by what they are counted for.

    Attributes:
        keys: what is counted, each once.
        counts: of each key in the order of ``VERDICTS``, shape (keys, 3).
    """

    def __init__(self, keys: Sequence[Key], counts: Any) -> None:
        self.keys: Sequence[Key] = keys
        self.counts: Int64s = np.asarray(counts, dtype=np.int64).reshape(-1, len(verdicts.VERDICTS))

    @classmethod
    def joined(cls, parts: Sequence[tuple[Sequence[Key], Int64s]]) -> "Ranked[Key]":
        """Return the sums of several counts; within one of them no key occurs twice."""
        if len(parts) == 1:
            return cls(*parts[0])
        sums: dict[Key, Any] = {}
        for keys, counts in parts:
            for key, count in zip(keys, counts, strict=True):
                sums[key] = sums[key] + count if key in sums else count
        return cls(list(sums), list(sums.values()))

    def worst(self) -> list[tuple[Key, Int64s]]:
        """Return the keys with failures and their counts, most failures first."""
        failures = self.counts[:, verdicts.FAIL]
        ranked = ((-int(failures[place]), str(self.keys[place]), place) for place in np.flatnonzero(failures).tolist())
        return [
            (self.keys[place], self.counts[place]) for _, _, place in nsmallest(WORST, ranked, key=itemgetter(0, 1))
        ]


def routers_of(enterprise: Enterprise, tally: Tally) -> Ranked[str]:
    """Return the counts of each router: of the column ``router`` where there is one, else of the source."""
    if tally.routers:
        return Ranked([*tally.routers], [*tally.routers.values()])
    machine_counts = (len(version.directory.queue_managers) for version in enterprise.versions)
    parts = zip(enterprise.identifiers, machine_counts, tally.versions, strict=True)
    return Ranked.joined([_routers_of(*part) for part in parts])


def _routers_of(identifiers: Sequence[str], machines: int, tally: VersionTally) -> tuple[list[str], Int64s]:
    numbers = np.flatnonzero(tally.routers.rows)
    in_directory, unknown = numbers[numbers < machines], numbers[numbers >= machines]
    names, counts = [identifiers[number] for number in in_directory.tolist()], tally.routers.of(in_directory)
    if not len(unknown):
        return names, counts
    rest = tally.routers.of(unknown).sum(axis=0, keepdims=True)
    return [*names, UNKNOWN_ROUTER], np.concatenate([counts, rest])


def pairs_of(enterprise: Enterprise, tally: Tally) -> Ranked[Pair]:
    """Return the counts of each pair of sites with rows that did not pass."""
    return Ranked.joined([_pairs_of(*part) for part in zip(enterprise.versions, tally.versions, strict=True)])


def _pairs_of(version: Any, tally: VersionTally) -> tuple[list[Pair], Int64s]:
    names = [*(site.identifier for site in version.directory.sites), NO_SITE]
    if tally.dense:
        keys = tally.pairs.not_passed
        return _pairs(names, keys.tolist()), tally.pairs.of(keys)
    return _pairs(names, tally.sparse), np.array([*tally.sparse.values()], dtype=np.int64).reshape(-1, 3)


def _pairs(names: Sequence[str], keys: Iterable[int]) -> list[Pair]:
    return [(names[key // len(names)], names[key % len(names)]) for key in keys]
