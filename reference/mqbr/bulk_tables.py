"""Routing tables over arrays: one next site, or all allowed next sites, of every destination (MS-MQBR 3.1.3.1).

Equal to ``LeastCosts`` of the readable model for any costs from 0 up. Sites are numbers from 0; a graph holds each
undirected link in both directions.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np

from mqconform.reference.errors import ModelError
from mqconform.reference.mqbr.bulk_compiled import Int32s, Masks, compiled
from mqconform.reference.mqbr.bulk_paths import Search, SiteGraph, least_cost_search, search_arrays

Each: TypeAlias = Callable[[Callable[[Int32s], None], Iterable[Int32s]], Iterable[Any]]
"""Applies a function to every portion of work, as ``map`` does."""

NO_SITE: Final = -1
"""Entry of a table: no path leads there, or it is the root itself."""
SEVERAL_SITES: Final = -2
"""Entry of a table: more than one next site is allowed; ``AllowedRow.members`` says which."""

NARROW_PER_SITE: Final = 4
"""Greatest cost, as a multiple of the sites, up to which a bucket for each cost was measured to be faster."""
LEAST_BUCKETS: Final = 256
"""Greatest cost up to which each cost has a bucket however few sites there are."""


class UnusableGraph(ModelError):
    """Links handed to the tables name a site that is not there or have a cost that is negative."""


class AllowedRow(NamedTuple):
    """All allowed next sites of one root."""

    next_site: Int32s
    """The one next site to each site, ``NO_SITE`` without any, ``SEVERAL_SITES`` where ``members`` has to be asked."""
    members: Masks
    """Sites x words of 64 bits: bit n stands for the n-th neighbour of the root, in the order of the graph."""


def width_for(graph: SiteGraph) -> int:
    """Return how many costs share a bucket, as a power of two, for the costs of a graph."""
    greatest = int(graph.costs.max(initial=0))
    if greatest <= max(LEAST_BUCKETS, NARROW_PER_SITE * graph.sites):
        return 0
    return (greatest // graph.sites).bit_length()


def site_graph(sites: int, ends: Int32s, costs: Int32s) -> SiteGraph:
    """Return the graph of undirected links.

    Args:
        sites: number of sites.
        ends: links x 2, numbers of sites; a link from a site to itself has no effect.
        costs: cost of each link.

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


def next_hop_tables(graph: SiteGraph, roots: Int32s | None = None, parts: int = 1, each: Each = map) -> Int32s:
    """Return, roots x sites, the first site after the root on one least-cost path, ``NO_SITE`` without any.

    Args:
        graph: the sites and their links.
        roots: all sites unless given.
        parts: into how many portions of work the roots are cut.
        each: applies a function to every portion, as ``map`` does; the ``map`` of a thread pool works on several at
            once, since the compiled loops hold no lock.
    """
    asked = np.arange(graph.sites, dtype=np.int32) if roots is None else roots
    tables = np.empty((len(asked), graph.sites), dtype=np.int32)

    def fill(places: Int32s) -> None:
        rows = tables[places[0] : places[-1] + 1]
        _fill_next_hops(graph, search_arrays(graph, width_for(graph)), asked[places], rows)

    portions = np.array_split(np.arange(len(asked), dtype=np.int32), max(1, min(parts, len(asked))))
    for _ in each(fill, (portion for portion in portions if len(portion))):
        pass  # a lazy map does its work when asked
    return tables


def allowed_table(graph: SiteGraph, root: int) -> AllowedRow:
    """Return every first site of the simple least-cost paths from the root to each site."""
    degree = int(graph.offsets[root + 1] - graph.offsets[root])
    members = np.zeros((graph.sites, max(1, -(-degree // 64))), dtype=np.uint64)
    free_links = int(np.count_nonzero(graph.costs == 0))
    search = search_arrays(graph, width_for(graph))
    _fill_allowed(graph, root, search, members, free_links)
    return AllowedRow(search.hop, members)


def members_of(graph: SiteGraph, root: int, row: AllowedRow, site: int) -> Int32s:
    """Return the allowed next sites from the root to one site, in rising order."""
    around = graph.neighbours[graph.offsets[root] : graph.offsets[root + 1]]
    bits = np.unpackbits(row.members[site].view(np.uint8), bitorder="little")
    return around[np.flatnonzero(bits[: len(around)])]


@compiled
def _fill_next_hops(graph: SiteGraph, search: Search, roots: Int32s, tables: Int32s) -> None:
    for place in range(len(roots)):
        least_cost_search(graph, roots[place], search)
        tables[place, :] = search.hop


@compiled
def _fill_allowed(graph: SiteGraph, root: int, search: Search, members: Masks, free_links: int) -> None:
    """Carry the neighbours of the root forward along tight edges that do not enter the root again."""
    settled = least_cost_search(graph, root, search)
    first = graph.offsets[root]
    for edge in range(first, graph.offsets[root + 1]):
        neighbour, bit = graph.neighbours[edge], edge - first
        if graph.costs[edge] == search.distance[neighbour]:
            members[neighbour, bit >> 6] |= np.uint64(1) << np.uint64(bit & 63)
    search.distance[root] = -1  # so that no edge from the root is tight below
    changed = True
    while changed:
        changed = (
            _carry(graph, search, settled, members) and free_links > 0
        )  # without them the order of settling needs no second pass
    _mark_several(members, search.hop)


@compiled
def _carry(graph: SiteGraph, search: Search, settled: int, members: Masks) -> bool:
    distance = search.distance
    changed = False
    for place in range(1, settled):
        site = search.order[place]
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


@compiled
def _mark_several(members: Masks, next_site: Int32s) -> None:
    lowest_bit = np.uint64(1)
    for site in range(len(next_site)):
        count = 0
        for word in range(members.shape[1]):
            bits = members[site, word]
            if bits != 0:
                count += 1 if bits & (bits - lowest_bit) == 0 else 2
        if count > 1:
            next_site[site] = SEVERAL_SITES
