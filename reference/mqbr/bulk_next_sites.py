"""The routing tables that a batch of rows needs, computed when first asked for and kept while there is room."""

import numpy as np

from mqconform.reference.mqbr.bulk_arrays import Lists
from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s
from mqconform.reference.mqbr.bulk_paths import SiteGraph
from mqconform.reference.mqbr.bulk_rows import Tables
from mqconform.reference.mqbr.bulk_tables import SEVERAL_SITES, allowed_table


class NextSites:
    """Rows of allowed next sites by root, at most as many as fit into the memory granted."""

    def __init__(self, graph: SiteGraph, octets: int, *, graph_open: bool) -> None:
        self._graph = graph
        self._open = int(graph_open)
        self._room = max(1, min(graph.sites, octets // max(1, 4 * graph.sites)))
        self._clear()

    @property
    def tables(self) -> Tables:
        """What is there now."""
        return self._tables

    def add(self, roots: Int32s) -> None:
        """Compute the rows of as many further roots as there is room for; the older rows make room if they have to."""
        if len(self._sets) + min(len(roots), self._room) > self._room:
            self._clear()
        for root in roots[: self._room - len(self._sets)]:
            self._row_of[root] = len(self._sets)
            self._sets.append(self._fill(int(root), self._rows[len(self._sets)]))
        lengths = np.concatenate([lengths for lengths, _ in self._sets])
        offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
        np.cumsum(lengths, out=offsets[1:])
        sets = Lists(offsets, np.concatenate([members for _, members in self._sets]))
        self._tables = Tables(self._rows, self._row_of, sets, self._open)

    def _clear(self) -> None:
        self._rows = np.empty((self._room, self._graph.sites), dtype=np.int32)
        self._row_of = np.full(self._graph.sites, -1, dtype=np.int32)
        self._sets: list[tuple[Int64s, Int32s]] = []
        self._number_of_sets = 0
        nothing = Lists(np.zeros(1, dtype=np.int64), np.empty(0, dtype=np.int32))
        self._tables = Tables(self._rows, self._row_of, nothing, self._open)

    def _fill(self, root: int, row: Int32s) -> tuple[Int64s, Int32s]:
        """Fill the row of one root; return the sets that it adds, as their sizes and their members."""
        allowed = allowed_table(self._graph, root)
        row[:] = allowed.next_site
        several = np.flatnonzero(allowed.next_site == SEVERAL_SITES)
        masks = allowed.members[several]
        words = masks[:, 0] if masks.shape[1] == 1 else masks
        distinct, which = np.unique(words, axis=0, return_inverse=True)
        row[several] = -2 - self._number_of_sets - which.ravel()
        self._number_of_sets += len(distinct)
        octets = np.ascontiguousarray(distinct).view(np.uint8).reshape(len(distinct), masks.shape[1] * 8)
        of_set, bit = np.nonzero(np.unpackbits(octets, axis=1, bitorder="little"))
        lengths = np.bincount(of_set, minlength=len(distinct)).astype(np.int64)
        return lengths, self._graph.neighbours[self._graph.offsets[root] + bit]
