"""What a change of an enterprise does to the routes between its sites: in words, as JSON, and as pictures.

Importing this module needs the extra ``bulk``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from mqconform.harness.records.printable import visible
from mqconform.harness.tools.enterprise.changes import change_lines, changes_since
from mqconform.harness.tools.enterprise.file import EnterpriseFile
from mqconform.harness.tools.enterprise.machine_names import machine_label, site_label
from mqconform.harness.tools.enterprise.picture import Picture, picture_of_way
from mqconform.reference.directory import Directory, SiteId
from mqconform.reference.directory.changes import Change
from mqconform.reference.mqbr.bulk_changes import RouteChange, RouteChanges, SiteRoutes, route_changes

GATES_NAMED: Final = 3
"""Gates of a site that a text names; of more, the number is given."""


@dataclass(frozen=True)
class Way:
    """One route of a pair of sites in one version.

    Attributes:
        sites: the sites that it passes; empty without a route.
        gates: names of the gates of each of them.
        cost: what its links cost.
        several: whether there are other routes at the same cost.
    """

    directory: Directory
    sites: tuple[SiteId, ...]
    gates: tuple[tuple[str, ...], ...]
    cost: int | None
    several: bool

    def record(self) -> dict[str, Any]:
        """Return the route as JSON has it."""
        names = [site_label(self.directory, site) for site in self.sites]
        passed = [{"site": name, "gates": list(gates)} for name, gates in zip(names, self.gates, strict=True)]
        return {"sites": passed, "cost": self.cost, "one_of_several": self.several}

    def text(self) -> str:
        """Return the route in words."""
        if not self.sites:
            return "no route"
        names = (visible(site_label(self.directory, site)) for site in self.sites)
        parts = [f"{name} [{_named(gates)}]" for name, gates in zip(names, self.gates, strict=True)]
        others = ", one of several" if self.several else ""
        return f"{' -> '.join(parts)} (cost {self.cost}{others})"


@dataclass(frozen=True)
class PairChange:
    """The route of a pair of sites that changes."""

    kind: RouteChange
    source: str
    destination: str
    before: Way
    after: Way

    def record(self) -> dict[str, Any]:
        """Return the change as JSON has it."""
        ends = {"from": self.source, "to": self.destination, "change": self.kind.value}
        return ends | {"before": self.before.record(), "after": self.after.record()}

    def lines(self) -> Iterator[str]:
        """Yield the change in words, both routes below each other."""
        yield f"{visible(self.source)} -> {visible(self.destination)}: {self.kind}"
        yield f"  before  {self.before.text()}"
        yield f"  after   {self.after.text()}"

    def pictures(self) -> tuple[Picture, Picture]:
        """Return both routes as pictures, each with the sites of the other one.

        Raises:
            TooManySites: the routes pass more sites than a picture holds.
        """
        before = picture_of_way(self.before.directory, self.before.sites, self.after.sites, self.before.text())
        return before, picture_of_way(self.after.directory, self.after.sites, self.before.sites, self.after.text())


@dataclass(frozen=True)
class WhatIf:
    """Two versions of an enterprise.

    Attributes:
        most: pairs that are named of each kind of change.
    """

    before: EnterpriseFile
    after: EnterpriseFile
    most: int

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What differs between the versions."""
        return changes_since(self.before, self.after)

    @cached_property
    def routes(self) -> RouteChanges:
        """What that does to routes."""
        return route_changes(self.before.directory, self.after.directory)

    @cached_property
    def pairs(self) -> tuple[PairChange, ...]:
        """The pairs that are named, by kind."""
        chosen = ((kind, pair) for kind, pairs in self.routes.by_kind.items() for pair in pairs[: self.most].tolist())
        return tuple(self._pair(kind, source, destination) for kind, (source, destination) in chosen)

    def record(self) -> dict[str, Any]:
        """Return all of it as JSON has it."""
        return {
            "before": self.before.name,
            "after": self.after.name,
            "changes": [change.record() for change in self.changes],
            "pairs_of_sites": self.routes.pairs,
            "route_changes": {kind.value: len(pairs) for kind, pairs in self.routes.by_kind.items()},
            "uncertain": self.uncertain,
            "routes": [pair.record() for pair in self.pairs],
        }

    @property
    def uncertain(self) -> bool:
        """Whether the register leaves open what some link of either version costs, or whether it counts."""
        return self.routes.before.uncertain or self.routes.after.uncertain

    def lines(self) -> Iterator[str]:
        """Yield all of it in words."""
        yield from change_lines(self.changes)
        counted = [f"{len(pairs):,} {kind}" for kind, pairs in self.routes.by_kind.items() if len(pairs)]
        changed = ", ".join(counted) or "none changes"
        yield f"routes of {self.routes.pairs:,} pairs of sites: {changed}"
        if self.uncertain:
            yield "what some links cost is open in the specification (BR-40 to BR-43); they are taken to the letter"
        for pair in self.pairs:
            yield from pair.lines()

    def _pair(self, kind: RouteChange, source: int, destination: int) -> PairChange:
        ends = (self.routes.sites[source], self.routes.sites[destination])
        names = [self._site_name(site) for site in ends]
        return PairChange(
            kind,
            names[0],
            names[1],
            self._way(self.before.directory, self.routes.before, source, destination),
            self._way(self.after.directory, self.routes.after, source, destination),
        )

    def _site_name(self, site: SiteId) -> str:
        after = site_label(self.after.directory, site)
        return after if after != site else site_label(self.before.directory, site)

    def _way(self, directory: Directory, routes: SiteRoutes, source: int, destination: int) -> Way:
        path = routes.path(source, destination)
        gates = tuple(tuple(machine_label(directory, gate) for gate in routes.gates[site] or ()) for site in path)
        cost = int(routes.distance[source, destination]) if path else None
        several = any(len(routes.next_sites(site, destination)) > 1 for site in path)
        return Way(directory, tuple(self.routes.sites[site] for site in path), gates, cost, several)


def _named(gates: Sequence[str]) -> str:
    if len(gates) > GATES_NAMED:
        return f"{visible(gates[0])} and {len(gates) - 1} more"
    return ", ".join(map(visible, gates)) or "no gate"
