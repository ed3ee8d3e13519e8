"""Compiled least-cost searches over a graph of sites in arrays (MS-MQBR 3.1.3.1)."""

from typing import NamedTuple

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, compiled

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
