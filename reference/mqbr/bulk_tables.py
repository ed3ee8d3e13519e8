"""Routing tables over arrays: all allowed next sites of every destination (MS-MQBR 3.1.3.1).

Equal to ``LeastCosts`` of the readable model for any costs from 0 up. Sites are numbers from 0; a graph holds each
undirected link in both directions.
"""

import heapq
from typing import NamedTuple

import numpy as np

from mqconform.reference.errors import ModelError
from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Masks, compiled

FAR = np.int64(2**62)
"""Distance of a site that no path reaches."""


class SiteGraph(NamedTuple):
    """Links between sites, each in both directions, ordered by site and neighbour; parallel ones at the least cost."""

    offsets: Int32s
    """Where the edges of each site begin, and, last, how many there are."""
    neighbours: Int32s
    costs: Int32s

    @property
    def sites(self) -> int:
        """Number of sites."""
        return len(self.offsets) - 1


@compiled
def least_cost_search(graph: SiteGraph, root: int) -> tuple[Int64s, Int32s, Int32s]:
    """Return the least cost of each site or ``FAR``, the first site on one such path or -1, and sites as settled."""
    distance, hop = np.full(len(graph.offsets) - 1, FAR), np.full(len(graph.offsets) - 1, -1, np.int32)
    order, settled = np.empty(len(distance), np.int32), 0
    distance[root] = 0
    heap = [(np.int64(0), np.int64(root))]
    while heap:
        cost, site = heapq.heappop(heap)
        if distance[site] != cost:
            continue
        order[settled] = site
        settled += 1
        for edge in range(graph.offsets[site], graph.offsets[site + 1]):
            other, further = np.int64(graph.neighbours[edge]), cost + np.int64(graph.costs[edge])
            if further < distance[other]:
                distance[other], hop[other] = further, other if site == root else hop[site]
                heapq.heappush(heap, (further, other))
    return distance, hop, order[:settled]


class UnusableGraph(ModelError):
    """Links handed to the tables name a site that is not there or have a cost that is negative."""


def site_graph(sites: int, ends: Int32s, costs: Int32s) -> SiteGraph:
    """Return the graph of undirected links: two sites and a cost each; those from a site to itself have no effect.

    Raises:
        UnusableGraph: if a link names no site or costs less than nothing.
    """
    if len(ends) and (ends.min() < 0 or ends.max() >= sites or costs.min() < 0):
        raise UnusableGraph(f"links must join sites 0 to {sites - 1} at costs from 0 up")
    joined = ends[:, 0] != ends[:, 1]
    here = np.concatenate([ends[joined, 0], ends[joined, 1]])
    there = np.concatenate([ends[joined, 1], ends[joined, 0]])
    cost = np.concatenate([costs[joined], costs[joined]])
    order = np.lexsort((cost, there, here))
    here, there, cost = here[order], there[order], cost[order]
    first = np.ones(len(here), dtype=np.bool_)
    first[1:] = (here[1:] != here[:-1]) | (there[1:] != there[:-1])
    offsets = np.zeros(sites + 1, dtype=np.int32)
    np.cumsum(np.bincount(here[first], minlength=sites), out=offsets[1:])
    return SiteGraph(offsets, there[first].astype(np.int32), cost[first].astype(np.int32))


def allowed_table(graph: SiteGraph, root: int) -> Masks:
    """Return every first site of the simple least-cost paths from the root to each site.

    The shape is sites x words of 64 bits: bit n stands for the n-th neighbour of the root, in the order of the graph.
    """
    degree = int(graph.offsets[root + 1] - graph.offsets[root])
    members = np.zeros((graph.sites, max(1, -(-degree // 64))), dtype=np.uint64)
    _fill_allowed(graph, root, members)
    return members


@compiled
def _fill_allowed(graph: SiteGraph, root: int, members: Masks) -> None:
    """Carry the neighbours of the root along tight edges that do not enter the root again."""
    distance, _, order = least_cost_search(graph, root)
    first = graph.offsets[root]
    for edge in range(first, graph.offsets[root + 1]):
        neighbour, bit = graph.neighbours[edge], edge - first
        if graph.costs[edge] == distance[neighbour]:
            members[neighbour, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
    distance[root] = -1  # so that no edge from the root is tight below
    while _carry(graph, distance, order, members):
        pass


@compiled
def _carry(graph: SiteGraph, distance: Int64s, order: Int32s, members: Masks) -> bool:
    """Return whether something changed; without links at no cost the second pass changes nothing."""
    changed = False
    for site in order[1:]:
        for edge in range(graph.offsets[site], graph.offsets[site + 1]):
            other = graph.neighbours[edge]
            if distance[other] < 0 or distance[other] + graph.costs[edge] != distance[site]:
                continue
            for word in range(members.shape[1]):
                after = members[site, word] | members[other, word]
                if after != members[site, word]:
                    members[site, word] = after
                    changed = True
    return changed
