"""Least-cost next sites as a property of the graph of sites, distances by rustworkx (MS-MQBR 3.1.3.1).

A neighbour y of the root s begins a least-cost path to t exactly if the link s-y and the distance from y to t in the
graph *without s* add up to the distance from s to t. Without s, for else a cycle of cost zero back through s would
pass for a path.
"""

from collections import defaultdict
from collections.abc import Mapping
from types import ModuleType
from typing import TypeAlias

Links: TypeAlias = Mapping[frozenset[str], int]
"""The two linked sites -> cost of a direct transfer; one site alone is a loop, which no least-cost path needs."""


class SecondOpinionMissing(RuntimeError):
    """The library under the second routing oracle is not installed."""


def rustworkx() -> ModuleType:
    """Import the shortest-path library when it is first needed; SecondOpinionMissing says how to get it."""
    try:
        import rustworkx as library  # noqa: PLC0415 - an extra: the rest of the harness works without it
    except ImportError as error:
        raise SecondOpinionMissing(
            "the second routing oracle needs rustworkx: pip install 'mqconform[second-opinion]'"
        ) from error
    return library


class SiteGraph:
    """The enterprise as a graph of sites; distances are computed once per root and kept."""

    def __init__(self, sites: frozenset[str], links: Links) -> None:
        self._library = rustworkx()
        self._graph = self._library.PyGraph(multigraph=False)
        self._sites = sorted(sites)
        self._node = dict(zip(self._sites, self._graph.add_nodes_from(self._sites), strict=True))
        self._cost: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for ends, cost in links.items():
            if len(ends) == 2 and ends <= sites:
                one, other = sorted(ends)
                self._cost[one][other] = self._cost[other][one] = cost
                self._graph.add_edge(self._node[one], self._node[other], cost)
        self._next_sites: dict[str, Mapping[str, frozenset[str]]] = {}

    def neighbours(self, site: str) -> frozenset[str]:
        """Return the sites with a link to this one."""
        return frozenset(self._cost.get(site, {}))

    def next_sites(self, root: str, target: str) -> frozenset[str]:
        """Return every site that follows the root on some least-cost path to another site; none if unreachable."""
        if root not in self._next_sites:
            self._next_sites[root] = self._from(root)
        return self._next_sites[root].get(target, frozenset())

    def _from(self, root: str) -> Mapping[str, frozenset[str]]:
        if root not in self._node:
            return {}
        best = self._distances(self._graph, root)
        without_root = self._graph.copy()
        without_root.remove_node(self._node[root])
        next_sites: defaultdict[str, set[str]] = defaultdict(set)
        for neighbour, cost in self._cost.get(root, {}).items():
            for target, rest in self._distances(without_root, neighbour).items():
                if cost + rest == best[target]:
                    next_sites[target].add(neighbour)
        return {target: frozenset(found) for target, found in next_sites.items()}

    def _distances(self, graph: object, start: str) -> dict[str, float]:
        lengths = self._library.dijkstra_shortest_path_lengths(graph, self._node[start], float)
        return {start: 0.0} | {self._sites[node]: length for node, length in lengths.items()}
