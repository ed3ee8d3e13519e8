"""The enterprise as a weighted graph of sites, in each form that the register leaves open, and its least-cost paths.

Sites are the vertices; a routing link joins its two sites in both directions at its ActualCost. Where links are
parallel, stray, out of range or lead to foreign sites, there is more than one graph; a combination of readings, one
of each open dimension, says which. From each graph follow the first hops of all least-cost spanning trees.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import groupby, product
from typing import Final, TypeAlias

from mqconform.reference.allowed import Reading
from mqconform.reference.directory.elements import GREATEST_COST, LEAST_COST, RoutingLink, Site, SiteId
from mqconform.reference.mqbr import readings

Graph: TypeAlias = Mapping[SiteId, Mapping[SiteId, int]]
"""Cost of the edge to each neighbour of each site; symmetric."""

FOREIGN_PENALTY: Final = 999_999
"""What the older directory protocol adds to a link's cost for each foreign end (BR-43)."""

MOST_OPEN_PAIRS: Final = 6
"""Pairs of sites with parallel links of different cost up to which every choice is followed."""

_Pair: TypeAlias = tuple[SiteId, SiteId]


@dataclass(frozen=True)
class EnterpriseGraphs:
    """All graphs that the sites and routing links of a directory can mean."""

    sites: tuple[Site, ...]
    routing_links: tuple[RoutingLink, ...]

    @cached_property
    def dimensions(self) -> tuple[tuple[Reading, ...], ...]:
        """Readings to choose between, one tuple for each register entry that bears on these links, literal first."""
        dimensions: list[tuple[Reading, ...]] = []
        links = [link for link in self.routing_links if link.site1_identifier != link.site2_identifier]
        if any(self._strays(link) for link in links):
            dimensions.append((readings.STRAY_LINK_IGNORED, readings.STRAY_LINK_COUNTS))
        if not all(link.cost_in_range for link in links):
            dimensions.append((readings.COST_AS_GIVEN, readings.COSTLY_LINK_LEFT_OUT, readings.COST_FORCED))
        if any(self._foreign_ends(link) for link in links):
            dimensions.append((readings.WITHOUT_PENALTY, readings.WITH_PENALTY))
        return tuple(dimensions)

    def weightings(self, chosen: tuple[Reading, ...]) -> tuple[Graph, ...]:
        """Return the graphs of one combination of readings, one from each dimension.

        The first takes the cheapest of parallel links; the others take, for each pair of sites whose links differ
        in cost, the cheapest or the dearest (BR-41). That is enough: a path or tree that is least-cost under any
        choice of links and directions stays so when its own edges get their lowest cost and all others their
        highest. Beyond ``MOST_OPEN_PAIRS`` only the two extremes are returned, and ``PossibleCosts`` bounds the rest.
        """
        if chosen not in self._weightings:
            costs = self._costs(chosen)
            pairs = _open(costs)
            extremes = ((0,) * len(pairs), (1,) * len(pairs))
            choices = product((0, 1), repeat=len(pairs)) if len(pairs) <= MOST_OPEN_PAIRS else extremes
            graphs = (self._graph(costs, dict(zip(pairs, choice, strict=True))) for choice in choices)
            self._weightings[chosen] = tuple(graphs)
        return self._weightings[chosen]

    def follows_every_choice(self, chosen: tuple[Reading, ...]) -> bool:
        """Return whether ``weightings`` returns a graph for every choice among parallel links."""
        return len(_open(self._costs(chosen))) <= MOST_OPEN_PAIRS

    @cached_property
    def _weightings(self) -> dict[tuple[Reading, ...], tuple[Graph, ...]]:
        return {}

    @cached_property
    def _known_sites(self) -> frozenset[SiteId]:
        return frozenset(site.identifier for site in self.sites)

    @cached_property
    def _foreign_sites(self) -> frozenset[SiteId]:
        return frozenset(site.identifier for site in self.sites if site.foreign_site)

    def _strays(self, link: RoutingLink) -> bool:
        return link.site1_identifier not in self._known_sites or link.site2_identifier not in self._known_sites

    def _foreign_ends(self, link: RoutingLink) -> int:
        return (link.site1_identifier in self._foreign_sites) + (link.site2_identifier in self._foreign_sites)

    def _costs(self, chosen: tuple[Reading, ...]) -> dict[_Pair, tuple[int, int]]:
        """Return the lowest and the highest cost of the links of each pair of sites, the lesser identifier first."""
        costs: dict[_Pair, tuple[int, int]] = {}
        for link in self.routing_links:
            lesser, greater = sorted((link.site1_identifier, link.site2_identifier))
            cost = self._cost(link, chosen)
            # A link from a site to itself lies on no path of a spanning tree.
            if cost is None or lesser == greater:
                continue
            low, high = costs.get((lesser, greater), (cost, cost))
            costs[lesser, greater] = min(low, cost), max(high, cost)
        return costs

    def _cost(self, link: RoutingLink, chosen: tuple[Reading, ...]) -> int | None:
        """Return what a link costs under the readings, None where it does not count."""
        cost = link.actual_cost
        if self._strays(link) and readings.STRAY_LINK_COUNTS not in chosen:
            return None
        if not link.cost_in_range and readings.COSTLY_LINK_LEFT_OUT in chosen:
            return None
        if readings.COST_FORCED in chosen:
            cost = min(max(cost, LEAST_COST), GREATEST_COST)
        if readings.WITH_PENALTY in chosen:
            cost += FOREIGN_PENALTY * self._foreign_ends(link)
        return cost

    def _graph(self, costs: Mapping[_Pair, tuple[int, int]], choice: Mapping[_Pair, int]) -> Graph:
        graph: dict[SiteId, dict[SiteId, int]] = {site.identifier: {} for site in self.sites}
        for (lesser, greater), range_of_costs in costs.items():
            cost = range_of_costs[choice.get((lesser, greater), 0)]
            graph.setdefault(lesser, {})[greater] = cost
            # E is called directed, and each link gives it both directions (3.1.3.1).
            graph.setdefault(greater, {})[lesser] = cost
        return graph


def _open(costs: Mapping[_Pair, tuple[int, int]]) -> list[_Pair]:
    return [pair for pair, (low, high) in costs.items() if low != high]


@dataclass(frozen=True)
class LeastCosts:
    """Least-cost paths of one graph from one root, with every first hop that a least-cost spanning tree can give.

    A tree path is simple. With positive costs the familiar test - some neighbour y of the root s has
    w(s,y) + d(y,t) = d(s,t) - finds exactly the first hops of least-cost paths; with links of cost zero it also
    finds neighbours whose only least-cost way to t runs back through s. Therefore first hops are carried forward
    from the root along tight edges (those that lie on some least-cost path) that do not enter the root again.
    """

    graph: Graph
    root: SiteId

    @cached_property
    def costs(self) -> dict[SiteId, int]:
        """Cost of the least-cost path to each reachable site, in rising order; the root comes first."""
        costs: dict[SiteId, int] = {}
        queue = [(0, self.root)]
        while queue:
            cost, site = heappop(queue)
            if site in costs:
                continue
            costs[site] = cost
            for neighbour, weight in self.graph.get(site, {}).items():
                if neighbour not in costs:
                    heappush(queue, (cost + weight, neighbour))
        return costs

    @cached_property
    def first_hops(self) -> dict[SiteId, frozenset[SiteId]]:
        """First sites after the root of all simple least-cost paths to each reachable site but the root."""
        hops: dict[SiteId, frozenset[SiteId]] = {}
        shared: dict[frozenset[SiteId], frozenset[SiteId]] = {}
        beyond_root = (site for site in self.costs if site != self.root)
        for _, level in groupby(beyond_root, key=self.costs.__getitem__):
            for cluster in self._clusters(tuple(level)):
                cluster_hops = frozenset().union(*(self._arriving(site, hops) for site in cluster))
                hops.update(dict.fromkeys(cluster, shared.setdefault(cluster_hops, cluster_hops)))
        return hops

    def tight(self, site: SiteId) -> Iterator[SiteId]:
        """Yield the sites other than the root to which an edge from ``site`` lies on some least-cost path."""
        cost = self.costs[site]
        for neighbour, weight in self.graph.get(site, {}).items():
            if neighbour != self.root and self.costs[neighbour] == cost + weight:
                yield neighbour

    def _arriving(self, site: SiteId, hops: dict[SiteId, frozenset[SiteId]]) -> Iterable[SiteId]:
        """Return the first hops of paths whose last edge enters ``site`` from a cheaper site or from the root."""
        cost = self.costs[site]
        first_hops: set[SiteId] = set()
        for neighbour, weight in self.graph[site].items():
            if self.costs[neighbour] + weight != cost:
                continue
            if neighbour == self.root:
                first_hops.add(site)
            elif weight:
                first_hops |= hops[neighbour]
        return first_hops

    def _clusters(self, level: tuple[SiteId, ...]) -> Iterator[list[SiteId]]:
        """Yield the sites of one cost in groups that links of cost zero hold together without the root."""
        left = set(level)
        for start in level:
            if start not in left:
                continue
            left.remove(start)
            cluster = [start]
            for site in cluster:
                free = [
                    neighbour for neighbour, weight in self.graph[site].items() if weight == 0 and neighbour in left
                ]
                left.difference_update(free)
                cluster += free
            yield cluster


@dataclass(frozen=True)
class PossibleCosts(LeastCosts):
    """Least-cost paths where more links are parallel than choices are followed: a bound on all of them (BR-41).

    ``graph`` has the cheapest of parallel links. A first hop is possible if the cheapest path over it costs no more
    than the path that every choice leaves, which is the least-cost one of the dearest links.
    """

    dearest: Graph

    @cached_property
    def first_hops(self) -> dict[SiteId, frozenset[SiteId]]:
        """First sites after the root that some choice may give on the way to each reachable site but the root."""
        most = LeastCosts(self.dearest, self.root).costs
        beyond = _without(self.graph, self.root)
        hops: dict[SiteId, set[SiteId]] = {site: set() for site in self.costs if site != self.root}
        for neighbour, weight in self.graph.get(self.root, {}).items():
            without_root = LeastCosts(beyond, neighbour).costs
            for site, cost in without_root.items():
                if weight + cost <= most[site]:
                    hops[site].add(neighbour)
        return {site: frozenset(hop) for site, hop in hops.items()}


def _without(graph: Graph, root: SiteId) -> Graph:
    return {
        site: {neighbour: cost for neighbour, cost in edges.items() if neighbour != root}
        for site, edges in graph.items()
        if site != root
    }
