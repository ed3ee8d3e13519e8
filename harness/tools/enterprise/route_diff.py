"""Routes that differ between two versions of an enterprise: both routing tables of every site, compared row by row.

The tables are those of the compiled oracle (MS-MQBR 3.1.3.1), links by the literal reading. Importing this module
needs the extra ``bulk``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

import numpy as np

from mqconform.harness.records.printable import visible
from mqconform.harness.tools.enterprise.machine_names import site_label
from mqconform.reference.directory import Directory, SiteId
from mqconform.reference.mqbr.bulk_arrays import enterprise_arrays
from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s
from mqconform.reference.mqbr.bulk_tables import allowed_table


class RouteChange(StrEnum):
    """How the row for one site in the routing table of another one changes."""

    LOST = "lost"
    """There were next sites, and there is none."""
    GAINED = "gained"
    """There was no next site, and there is one."""
    OTHER = "other next sites"


@dataclass(frozen=True, slots=True)
class PairChange:
    """A row that differs: names of the two sites, and of the next sites that either version allows."""

    source: str
    destination: str
    kind: RouteChange
    before: tuple[str, ...]
    after: tuple[str, ...]

    def record(self) -> dict[str, Any]:
        """Return the row as JSON has it."""
        ends = {"from": self.source, "to": self.destination, "change": self.kind.value}
        return ends | {"before": list(self.before), "after": list(self.after)}

    def text(self) -> str:
        """Return the row in words."""
        before, after = (" or ".join(map(visible, names)) or "none" for names in (self.before, self.after))
        return f"{visible(self.source)} -> {visible(self.destination)}: {self.kind}: {before} -> {after}"


@dataclass(slots=True)
class RouteDiff:
    """What differs between the routing tables of two versions.

    Attributes:
        pairs: pairs of different sites of either version, in both directions.
        uncertain: whether the register leaves open what some link costs, or whether it counts.
        counts: how many rows differ, by kind.
        examples: some of them.
    """

    pairs: int
    uncertain: bool
    counts: dict[RouteChange, int] = field(default_factory=lambda: dict.fromkeys(RouteChange, 0))
    examples: list[PairChange] = field(default_factory=list)

    def record(self) -> dict[str, Any]:
        """Return all of it as JSON has it."""
        counts = {kind.value: number for kind, number in self.counts.items()}
        return {
            "pairs_of_sites": self.pairs,
            "changed": counts,
            "uncertain": self.uncertain,
            "pairs": [pair.record() for pair in self.examples],
        }

    def lines(self) -> Iterator[str]:
        """Yield all of it in words."""
        counted = [f"{number:,} {kind}" for kind, number in self.counts.items() if number]
        yield f"routes of {self.pairs:,} pairs of sites: {', '.join(counted) or 'none changes'}"
        if self.uncertain:
            yield "the specification leaves the cost of some links open (BR-40 to BR-43); the literal reading is used"
        yield from (pair.text() for pair in self.examples)


class Version:
    """One version, its sites numbered over both versions."""

    def __init__(self, directory: Directory, numbers: dict[SiteId, int]) -> None:
        arrays = enterprise_arrays(directory)
        self.graph, self.uncertain = arrays.graph, arrays.graph_open or arrays.ambiguous
        self.numbers = np.array([numbers[site.identifier] for site in directory.sites], dtype=np.int32)
        self.places = {numbers[site.identifier]: place for place, site in enumerate(directory.sites)}

    def around(self, site: int) -> Int32s:
        """Return the sites that are joined to a site."""
        place = self.places.get(site)
        if place is None:
            return np.empty(0, dtype=np.int32)
        return self.numbers[self.graph.neighbours[self.graph.offsets[place] : self.graph.offsets[place + 1]]]

    def table(self, site: int, columns: Int32s, count: int) -> Flags:
        """Return for each destination which of some sites the routing table of a site allows as the next one."""
        table = np.zeros((count, len(columns)), dtype=np.bool_)
        around = self.around(site)
        if len(around):
            octets = np.ascontiguousarray(allowed_table(self.graph, self.places[site])).view(np.uint8)
            bits = np.unpackbits(octets, axis=1, count=len(around), bitorder="little")
            rows = np.fromiter(self.places.values(), dtype=np.int32)
            table[np.ix_(self.numbers[rows], np.searchsorted(columns, around))] = bits[rows]
        return table


def route_diff(before: Directory, after: Directory, most: int) -> RouteDiff:
    """Return what differs between all routing tables; sites are the same if their ids are.

    Args:
        before: the first version.
        after: the second version.
        most: rows that are shown of each kind.
    """
    sites = tuple(dict.fromkeys(site.identifier for directory in (after, before) for site in directory.sites))
    numbers = {site: number for number, site in enumerate(sites)}
    names = [site_label(after if site in after.sites_by_identifier else before, site) for site in sites]
    old, new = Version(before, numbers), Version(after, numbers)
    diff = RouteDiff(len(sites) * (len(sites) - 1), old.uncertain or new.uncertain)
    for source in range(len(sites)):
        columns = np.union1d(old.around(source), new.around(source))
        was, now = old.table(source, columns, len(sites)), new.table(source, columns, len(sites))
        had, has, differs = was.any(axis=1), now.any(axis=1), (was != now).any(axis=1)
        rows = {RouteChange.LOST: had & ~has, RouteChange.GAINED: has & ~had, RouteChange.OTHER: differs & had & has}
        for kind, where in rows.items():
            for row in np.flatnonzero(where)[: max(0, most - diff.counts[kind])].tolist():
                sets = (tuple(names[site] for site in columns[table[row]].tolist()) for table in (was, now))
                diff.examples.append(PairChange(names[source], names[row], kind, *sets))
            diff.counts[kind] += int(np.count_nonzero(where))
    diff.examples.sort(key=lambda pair: list(RouteChange).index(pair.kind))
    return diff
