"""The search of the bulk oracle for one next site each, as other libraries find it, and the sets of several."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np

from mqconform.reference.mqbr.bulk_compiled import Int32s, Masks, compiled
from mqconform.reference.mqbr.bulk_tables import SiteGraph, least_cost_search

Each: TypeAlias = Callable[[Callable[[Int32s], None], Iterable[Int32s]], Iterable[Any]]
"""Applies a function to every portion of work, as ``map`` does."""


def next_hop_tables(graph: SiteGraph, roots: Int32s | None = None, parts: int = 1, each: Each = map) -> Int32s:
    """Return, roots x sites, the first site after the root on one least-cost path, -1 without any.

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
        _fill_next_hops(graph, asked[places], rows)

    portions = np.array_split(np.arange(len(asked), dtype=np.int32), max(1, min(parts, len(asked))))
    for _ in each(fill, (portion for portion in portions if len(portion))):
        pass  # a lazy map does its work when asked
    return tables


@compiled
def _fill_next_hops(graph: SiteGraph, roots: Int32s, tables: Int32s) -> None:
    for place in range(len(roots)):
        tables[place, :] = least_cost_search(graph, roots[place])[1]


def members_of(graph: SiteGraph, root: int, row: Masks, site: int) -> Int32s:
    """Return the allowed next sites from the root to one site, in rising order."""
    around = graph.neighbours[graph.offsets[root] : graph.offsets[root + 1]]
    bits = np.unpackbits(row[site].view(np.uint8), bitorder="little")
    return around[np.flatnonzero(bits[: len(around)])]
