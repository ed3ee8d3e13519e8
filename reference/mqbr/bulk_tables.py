"""Routing tables over arrays: all allowed next sites of every destination (MS-MQBR 3.1.3.1).

Equal to ``LeastCosts`` of the readable model for any costs from 0 up. Sites are numbers from 0; a graph holds each
undirected link in both directions.
"""

from typing import Final, NamedTuple

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


class Search(NamedTuple):
    """What a search fills and works with; reusable for one root after the other."""

    distance: Int64s
    """Cost of the least-cost path from the root to each site, or ``FAR``."""
    hop: Int32s
    """First site after the root on one such path, -1 without any."""
    order: Int32s
    """Sites as they were settled, the root first; only as many as the search returned are meant."""
    heads: Int32s
    """First entry of each bucket: a power of two of them, more than what may be pending at once."""
    entry_site: Int32s
    entry_next: Int32s
    entry_beyond: Int32s
    """What an entry costs beyond the least cost of its bucket."""
    heap: Int64s
    """Keys of the open bucket: what a site costs beyond the bucket's least cost, then the site."""
    width: int
    """Costs that share a bucket, as a power of two; at 0 each cost has its own."""


def search_arrays(graph: SiteGraph, width: int) -> Search:
    """Return the arrays for a graph whose buckets each hold ``2**width`` costs."""
    sites, most_entries = graph.sites, len(graph.neighbours) + 1
    pending = (int(graph.costs.max(initial=0)) >> width) + 2
    return Search(
        np.empty(sites, dtype=np.int64),
        np.empty(sites, dtype=np.int32),
        np.empty(sites, dtype=np.int32),
        np.empty(1 << (pending - 1).bit_length(), dtype=np.int32),
        np.empty(most_entries, dtype=np.int32),
        np.empty(most_entries, dtype=np.int32),
        np.empty(most_entries, dtype=np.int32),
        np.empty(most_entries, dtype=np.int64),
        width,
    )


@compiled
def least_cost_search(graph: SiteGraph, root: int, search: Search) -> int:
    """Search from a root with a circular queue of buckets, of which the open one is a heap; return how many settled.

    Where each cost has its own bucket nothing moves in the heap, and this is Dial's search. Few sites share a wide
    bucket where costs are spread, so that the heap has next to no work; where they are not, it is the whole queue.
    """
    distance, hop, heads, heap, width = search.distance, search.hop, search.heads, search.heap, search.width
    entry_site, entry_next, entry_beyond = search.entry_site, search.entry_next, search.entry_beyond
    distance[:], hop[:], heads[:] = FAR, -1, -1
    distance[root] = 0
    wrap, within = len(heads) - 1, (np.int64(1) << width) - 1
    site_bits = 0
    while len(distance) >> site_bits:
        site_bits += 1
    number = (np.int64(1) << site_bits) - 1
    heads[0], entry_site[0], entry_next[0], entry_beyond[0] = 0, root, -1, 0
    entries, waiting, settled = 1, 1, 0
    bucket = np.int64(0)
    while waiting > 0:
        entry = heads[bucket & wrap]
        heads[bucket & wrap] = -1
        size = 0
        while entry >= 0:
            site, beyond = entry_site[entry], np.int64(entry_beyond[entry])
            waiting -= 1
            if distance[site] == (bucket << width) + beyond:
                _rise(heap, size, beyond << site_bits | site, number)
                size += 1
            entry = entry_next[entry]
        while size > 0:
            key = heap[0]
            size -= 1
            _sink(heap, size, number)
            site, cost = key & number, (bucket << width) + (key >> site_bits)
            if distance[site] != cost:
                continue
            search.order[settled] = site
            settled += 1
            from_here = hop[site]
            for edge in range(graph.offsets[site], graph.offsets[site + 1]):
                other = graph.neighbours[edge]
                further = cost + graph.costs[edge]
                if further < distance[other]:
                    distance[other] = further
                    hop[other] = other if site == root else from_here
                    if further >> width == bucket:
                        _rise(heap, size, (further & within) << site_bits | other, number)
                        size += 1
                        continue
                    entry_site[entries] = other
                    entry_beyond[entries] = further & within
                    entry_next[entries] = heads[(further >> width) & wrap]
                    heads[(further >> width) & wrap] = entries
                    entries += 1
                    waiting += 1
        bucket += 1
    return settled


@compiled
def _sink(heap: Int64s, size: int, number: np.int64) -> None:
    """Put the key behind the last into the gap at the top and let it sink to its place; ``number`` masks sites."""
    key = heap[size]
    gap, child = 0, 1
    while child < size:
        if child + 1 < size and heap[child + 1] | number < heap[child]:
            child += 1
        if heap[child] | number >= key:
            break
        heap[gap] = heap[child]
        gap, child = child, 2 * child + 1
    heap[gap] = key


@compiled
def _rise(heap: Int64s, size: int, key: int, number: np.int64) -> None:
    """Add a key behind the last and let it rise to its place."""
    gap = size
    while gap > 0 and heap[(gap - 1) // 2] > key | number:
        heap[gap] = heap[(gap - 1) // 2]
        gap = (gap - 1) // 2
    heap[gap] = key


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


def allowed_table(graph: SiteGraph, root: int) -> AllowedRow:
    """Return every first site of the simple least-cost paths from the root to each site."""
    degree = int(graph.offsets[root + 1] - graph.offsets[root])
    members = np.zeros((graph.sites, max(1, -(-degree // 64))), dtype=np.uint64)
    free_links = int(np.count_nonzero(graph.costs == 0))
    search = search_arrays(graph, width_for(graph))
    _fill_allowed(graph, root, search, members, free_links)
    return AllowedRow(search.hop, members)


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
