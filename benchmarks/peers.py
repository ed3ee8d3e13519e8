"""Next-hop tables of one root by other libraries, each from its own form of the same graph.

Each entry prepares its graph once and returns the function to be measured: root in, first site after the root to
every site out, -1 where no path leads. Preparation is not measured.
"""

from collections.abc import Callable
from importlib.util import find_spec

import numpy as np
from next_hop_tables import next_hop_tables

from mqconform.reference.mqbr.bulk_compiled import Int32s
from mqconform.reference.mqbr.bulk_tables import SiteGraph, allowed_table

Measured = Callable[[int], object]


def ours(graph: SiteGraph) -> Measured:
    """Return the compiled search of this project."""
    return lambda root: next_hop_tables(graph, np.array([root], dtype=np.int32))[0]


def ours_allowed(graph: SiteGraph) -> Measured:
    """Return the compiled search for all allowed next sites, which no peer offers."""
    return lambda root: allowed_table(graph, root)


def with_scipy(graph: SiteGraph) -> Measured:
    """Return Dijkstra of scipy, with its predecessors turned into next hops by pointer doubling."""
    from scipy.sparse import csr_matrix  # noqa: PLC0415 - missing peers are named, not fatal
    from scipy.sparse.csgraph import dijkstra  # noqa: PLC0415

    matrix = csr_matrix((graph.costs.astype(np.float64), graph.neighbours, graph.offsets), shape=(graph.sites,) * 2)

    def measured(root: int) -> Int32s:
        _, before = dijkstra(matrix, indices=root, return_predecessors=True)
        sites = np.arange(graph.sites, dtype=np.int32)
        ends = (before == root) | (before < 0)
        up = np.where(ends, sites, before)
        while not np.array_equal(further := up[up], up):
            up = further
        return np.where(before < 0, -1, up)

    return measured


def with_networkx(graph: SiteGraph) -> Measured:
    """Return Dijkstra of networkx, its paths read for their second site."""
    import networkx as nx  # noqa: PLC0415

    held = nx.Graph()
    held.add_nodes_from(range(graph.sites))
    held.add_weighted_edges_from(edges(graph))

    def measured(root: int) -> dict[int, int]:
        before, cost = nx.dijkstra_predecessor_and_distance(held, root)
        hops: dict[int, int] = {}
        for site in cost:  # in rising order, unlike ``before``
            came_from = before[site]
            if came_from:
                hops[site] = site if came_from[0] == root else hops[came_from[0]]
        return hops

    return measured


def with_rustworkx(graph: SiteGraph) -> Measured:
    """Return the paths of rustworkx, read for their second site."""
    import rustworkx  # noqa: PLC0415

    held = rustworkx.PyGraph(multigraph=False)
    held.add_nodes_from(range(graph.sites))
    held.add_edges_from(edges(graph))

    def measured(root: int) -> dict[int, int]:
        paths = rustworkx.dijkstra_shortest_paths(held, root, weight_fn=float)
        return {site: path[1] for site, path in paths.items()}

    return measured


def with_igraph(graph: SiteGraph) -> Measured:
    """Return the paths of igraph, read for their second site."""
    import igraph  # noqa: PLC0415

    listed = edges(graph)
    held = igraph.Graph(n=graph.sites, edges=[(here, there) for here, there, _ in listed])
    held.es["cost"] = [cost for _, _, cost in listed]

    def measured(root: int) -> list[int]:
        paths = held.get_shortest_paths(root, weights="cost")
        return [path[1] if len(path) > 1 else -1 for path in paths]

    return measured


def edges(graph: SiteGraph) -> list[tuple[int, int, int]]:
    """Return each undirected link once."""
    here = np.repeat(np.arange(graph.sites), np.diff(graph.offsets))
    once = here < graph.neighbours
    columns = here[once].tolist(), graph.neighbours[once].tolist(), graph.costs[once].tolist()
    return list(zip(*columns, strict=True))


PEERS = {"scipy": with_scipy, "rustworkx": with_rustworkx, "igraph": with_igraph, "networkx": with_networkx}


def available(name: str) -> bool:
    """Return whether a peer is installed."""
    return find_spec(name) is not None
