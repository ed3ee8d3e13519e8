"""Least-cost paths from one site, with every first hop that a least-cost spanning tree can give (MS-MQBR 3.1.3.1).

A tree path is simple. With positive costs the familiar test - some neighbour y of the root s has
w(s,y) + d(y,t) = d(s,t) - finds exactly the first hops of least-cost paths; with links of cost zero it also finds
neighbours whose only least-cost way to t runs back through s. Therefore first hops are carried forward from the root
along tight edges (those that lie on some least-cost path) that do not enter the root again.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import groupby

from mqconform.reference.directory.elements import SiteId
from mqconform.reference.mqbr.graph import Graph


@dataclass(frozen=True)
class LeastCosts:
    """Least-cost paths of one graph from one root."""

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
                found = frozenset().union(*(self._arriving(site, hops) for site in cluster))
                hops.update(dict.fromkeys(cluster, shared.setdefault(found, found)))
        return hops

    def tight(self, site: SiteId) -> Iterator[SiteId]:
        """Yield the sites other than the root to which an edge from ``site`` lies on some least-cost path."""
        cost = self.costs[site]
        for neighbour, weight in self.graph.get(site, {}).items():
            if neighbour != self.root and self.costs[neighbour] == cost + weight:
                yield neighbour

    def path(self, destination: SiteId, first_hop: SiteId) -> tuple[SiteId, ...] | None:
        """Return a least-cost path from the root over ``first_hop``, both ends included, None if there is none."""
        if first_hop not in self.first_hops.get(destination, ()):
            return None
        came_from: dict[SiteId, SiteId] = {first_hop: self.root}
        reached = [first_hop]
        for site in reached:
            if site == destination:
                break
            fresh = [one for one in self.tight(site) if one not in came_from]
            came_from.update(dict.fromkeys(fresh, site))
            reached += fresh
        path = [destination]
        while path[-1] != self.root:
            path.append(came_from[path[-1]])
        return tuple(reversed(path))

    def _arriving(self, site: SiteId, hops: dict[SiteId, frozenset[SiteId]]) -> Iterable[SiteId]:
        """Return the first hops of paths whose last edge enters ``site`` from a cheaper site or from the root."""
        cost = self.costs[site]
        found: set[SiteId] = set()
        for neighbour, weight in self.graph[site].items():
            if self.costs[neighbour] + weight != cost:
                continue
            if neighbour == self.root:
                found.add(site)
            elif weight:
                found |= hops[neighbour]
        return found

    def _clusters(self, level: tuple[SiteId, ...]) -> Iterator[list[SiteId]]:
        """Yield the sites of one cost in groups that links of cost zero hold together without the root."""
        left = set(level)
        for start in level:
            if start not in left:
                continue
            left.remove(start)
            cluster = [start]
            for site in cluster:
                free = [one for one, weight in self.graph[site].items() if weight == 0 and one in left]
                left.difference_update(free)
                cluster += free
            yield cluster
