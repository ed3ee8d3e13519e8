"""Which routes between sites differ between two versions of an enterprise, for all pairs of sites at once.

A route is what MS-MQBR's tables of next sites make of a message that goes from site to site: where a table allows
several next sites, all of them. Links are taken as the literal reading has them. Importing this module needs ``bulk``.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TypeAlias

import numpy as np

from mqconform.reference.directory.elements import Directory, QueueManagerId, SiteId
from mqconform.reference.mqbr.bulk_arrays import enterprise_arrays, serving
from mqconform.reference.mqbr.bulk_compiled import Flags, Int32s, Int64s
from mqconform.reference.mqbr.bulk_paths import FAR, SiteGraph, least_cost_search, search_arrays
from mqconform.reference.mqbr.bulk_tables import allowed_table, width_for

Ends: TypeAlias = tuple[int, int]
"""Two sites that a link joins, in the direction in which a message crosses it."""
Gates: TypeAlias = tuple[QueueManagerId, ...]


class RouteChange(StrEnum):
    """How the route of a pair of sites changes."""

    LOST = "lost"
    """There was one, and there is none."""
    GAINED = "gained"
    """There was none, and there is one."""
    NO_GATE = "no gate left"
    """It passes a site that had gates that can serve and has none: what a message does there is open (BR-69)."""
    REROUTED = "rerouted"
    """It may pass other sites."""
    OTHER_GATES = "other gates"
    """It passes the same sites, one of which has other gates."""
    OTHER_COST = "other cost"
    """It passes the same sites and gates at another cost."""


@dataclass(frozen=True)
class SiteRoutes:
    """The routes of one version; sites are numbered over both versions.

    Attributes:
        crossings: for each pair of joined sites, in both directions, whether a message crosses there to a destination.
        distance: least cost for each pair, ``FAR`` without a route.
        gates: gates of each site that can serve, sorted; None for a site that is not in this version.
        uncertain: whether the register leaves open what some link costs, or whether it counts.
    """

    crossings: dict[Ends, Flags]
    distance: Int64s
    gates: tuple[Gates | None, ...]
    uncertain: bool

    @property
    def reachable(self) -> Flags:
        """For each pair whether there is a route."""
        return self.distance < FAR

    def next_sites(self, site: int, destination: int) -> tuple[int, ...]:
        """Return the sites that may follow on the way, by number."""
        return tuple(there for there, to in self._around.get(site, ()) if to[destination])

    @cached_property
    def _around(self) -> dict[int, list[tuple[int, Flags]]]:
        around: dict[int, list[tuple[int, Flags]]] = {}
        for here, there in sorted(self.crossings):
            around.setdefault(here, []).append((there, self.crossings[here, there]))
        return around

    def path(self, source: int, destination: int) -> tuple[int, ...]:
        """Return one of the routes, the first by number at each site; empty without any."""
        passed = [source]
        while passed[-1] != destination:
            following = [site for site in self.next_sites(passed[-1], destination) if site not in passed]
            if not following:
                return ()
            passed.append(following[0])
        return tuple(passed)


@dataclass(frozen=True)
class RouteChanges:
    """What a change does to the routes between sites.

    Attributes:
        sites: identifiers of the sites of either version, by number.
        before: routes of the first version.
        after: routes of the second one.
        by_kind: for each kind, the pairs whose route changes so: source and destination, pairs x 2.
    """

    sites: tuple[SiteId, ...]
    before: SiteRoutes
    after: SiteRoutes
    by_kind: dict[RouteChange, Int64s]

    @property
    def pairs(self) -> int:
        """How many pairs of different sites there are in either version."""
        return len(self.sites) * (len(self.sites) - 1)


def route_changes(before: Directory, after: Directory) -> RouteChanges:
    """Return what differs between the routes of two versions of an enterprise; sites are the same if their ids are."""
    sites = tuple(dict.fromkeys(site.identifier for directory in (before, after) for site in directory.sites))
    numbers = {site: number for number, site in enumerate(sites)}
    old, new = _site_routes(before, numbers), _site_routes(after, numbers)
    both = old.reachable & new.reachable
    gates = list(zip(old.gates, new.gates, strict=True))
    no_gate = both & _by_sites(new, [bool(old_gates) and not new_gates for old_gates, new_gates in gates])
    rerouted = both & ~no_gate & _anywhere_on_the_way(old, _differing(old, new))
    other_gates = (
        both & ~no_gate & ~rerouted & _by_sites(old, [old_gates != new_gates for old_gates, new_gates in gates])
    )
    kinds = {
        RouteChange.LOST: old.reachable & ~new.reachable,
        RouteChange.GAINED: new.reachable & ~old.reachable,
        RouteChange.NO_GATE: no_gate,
        RouteChange.REROUTED: rerouted,
        RouteChange.OTHER_GATES: other_gates,
        RouteChange.OTHER_COST: both & ~no_gate & ~rerouted & ~other_gates & (old.distance != new.distance),
    }
    different = ~np.eye(len(sites), dtype=np.bool_)
    return RouteChanges(sites, old, new, {kind: np.argwhere(where & different) for kind, where in kinds.items()})


def _site_routes(directory: Directory, numbers: dict[SiteId, int]) -> SiteRoutes:
    arrays = enterprise_arrays(directory)
    own = np.array([numbers[site.identifier] for site in directory.sites], dtype=np.int32)
    crossings: dict[Ends, Flags] = {}
    distance = np.full((len(numbers), len(numbers)), FAR, dtype=np.int64)
    for root in range(arrays.graph.sites):
        _add_crossings(arrays.graph, root, own, len(numbers), crossings)
        distance[own[root], own] = _distances(arrays.graph, root)
    gates: list[Gates | None] = [None] * len(numbers)
    for site in directory.sites:
        gates[numbers[site.identifier]] = serving(directory, site)
    return SiteRoutes(crossings, distance, tuple(gates), arrays.graph_open or arrays.ambiguous)


def _add_crossings(graph: SiteGraph, root: int, own: Int32s, count: int, crossings: dict[Ends, Flags]) -> None:
    """Add for each neighbour of one site the destinations to which a message may cross there."""
    around = graph.neighbours[graph.offsets[root] : graph.offsets[root + 1]]
    if not len(around):
        return
    members = np.ascontiguousarray(allowed_table(graph, root).members)
    bits = np.unpackbits(members.view(np.uint8), axis=1, count=len(around), bitorder="little").astype(np.bool_)
    bits[root] = False
    for place, neighbour in enumerate(around.tolist()):
        to = np.zeros(count, dtype=np.bool_)
        to[own] = bits[:, place]
        crossings[int(own[root]), int(own[neighbour])] = to


def _distances(graph: SiteGraph, root: int) -> Int64s:
    search = search_arrays(graph, width_for(graph))
    least_cost_search(graph, root, search)
    return search.distance


def _differing(old: SiteRoutes, new: SiteRoutes) -> Flags:
    """Return for each site and destination whether other sites may follow."""
    differing = np.zeros(old.distance.shape, dtype=np.bool_)
    nowhere = np.zeros(len(differing), dtype=np.bool_)
    for ends in old.crossings.keys() | new.crossings.keys():
        differing[ends[0]] |= old.crossings.get(ends, nowhere) != new.crossings.get(ends, nowhere)
    return differing


def _by_sites(routes: SiteRoutes, marked: list[bool]) -> Flags:
    """Return for each pair whether some route begins, ends or passes at a marked site."""
    sites = np.array(marked, dtype=np.bool_)
    return _anywhere_on_the_way(routes, sites[:, None] | sites[None, :])


def _anywhere_on_the_way(routes: SiteRoutes, marked: Flags) -> Flags:
    """Return for each pair whether some route comes by a site that is marked for its destination.

    Where one site follows, ways are walked in steps that double; where several do, one step at a time.
    """
    passing = marked.copy()
    following = np.zeros(passing.shape, dtype=np.int16)
    jump = np.broadcast_to(np.arange(len(passing), dtype=np.int32)[:, None], passing.shape).copy()
    for (here, there), to in routes.crossings.items():
        following[here] += to
        jump[here, to] = there
    several = following > 1
    jump[several] = np.nonzero(several)[0]
    branching = [(here, there, to & several[here]) for (here, there), to in routes.crossings.items()]
    branching = [branch for branch in branching if branch[2].any()]
    before = -1
    while (count := int(np.count_nonzero(passing))) != before:
        before = count
        passing = _along(passing, jump)
        for here, there, to in branching:
            passing[here] |= to & passing[there]
    return passing


def _along(passing: Flags, jump: Int32s) -> Flags:
    """Return what is found along the ways on which each site has one that follows.

    No way is longer than there are sites, also where links at no cost lead in a circle.
    """
    for _ in range(len(passing).bit_length()):
        passing = passing | np.take_along_axis(passing, jump, axis=0)
        jump = np.take_along_axis(jump, jump, axis=0)
    return passing
