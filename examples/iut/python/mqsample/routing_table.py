"""The RoutingTable of MS-MQBR 3.1.1.2 and 3.1.3.1: least-cost paths from the own site to every other."""

import heapq
from collections.abc import Iterable, Sequence

from mqsample.directory import RoutingLink, Site

Edges = dict[str, list[tuple[str, int]]]


def build(own_sites: Sequence[str], sites: Sequence[Site], links: Sequence[RoutingLink]) -> dict[str, str]:
    """The next site towards each site that can be reached, in the order of `sites`.

    A gate of several sites stands in all of them at once, so that no path leads through another of its own sites.
    """
    if not sites or not links:
        return {}
    known = [site.id for site in sites]
    next_sites = _spanning_tree([site for site in own_sites if site in known], _edges(known, links))
    return {site: next_sites[site] for site in known if site in next_sites}


def _edges(known: Iterable[str], links: Iterable[RoutingLink]) -> Edges:
    """One edge in each direction of a link; links to unknown sites are no edges of the graph."""
    edges: Edges = {site: [] for site in known}
    for link in links:
        if link.site1 in edges and link.site2 in edges:
            edges[link.site1].append((link.site2, link.cost))
            edges[link.site2].append((link.site1, link.cost))
    return edges


def _spanning_tree(roots: Iterable[str], edges: Edges) -> dict[str, str]:
    """Dijkstra's algorithm. The first step of the least-cost path to each site; a root's own is the root."""
    first_steps: dict[str, str] = {}
    # Cost so far, order of discovery (which settles ties), site, first step on the way there.
    frontier = [(0, number, root, root) for number, root in enumerate(roots)]
    own = {root for _cost, _number, root, _step in frontier}
    discovered = len(frontier)
    while frontier:
        cost, _number, site, step = heapq.heappop(frontier)
        if site in first_steps:
            continue
        first_steps[site] = step
        for neighbour, link_cost in edges[site]:
            if neighbour not in first_steps:
                discovered += 1
                first_step = neighbour if site in own else step
                heapq.heappush(frontier, (cost + link_cost, discovered, neighbour, first_step))
    return first_steps
