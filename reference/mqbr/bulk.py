"""The routing oracle over arrays: next hops of millions of rows judged at once (MS-MQBR 3.1.5.1 under the register).

Row by row the verdicts are those of ``judge_next_hops`` for a router that has just initialised. Plain rows are judged
by compiled loops; rows that touch something which the register leaves open go to the readable model, each distinct
one once. Importing this module needs the extra ``bulk``.
"""

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from typing import Final

import numpy as np

from mqconform.reference.directory.elements import Directory, QueueManagerId
from mqconform.reference.directory.reading import DirectoryView
from mqconform.reference.mqbr.bulk_arrays import GATE, SITE_BITS, EnterpriseArrays, enterprise_arrays
from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Octets
from mqconform.reference.mqbr.bulk_rows import LEFT_OPEN, NOTHING, Columns, Tables, judge_rows
from mqconform.reference.mqbr.bulk_rules import RULES, rule_of
from mqconform.reference.mqbr.bulk_tables import SiteGraph, allowed_table
from mqconform.reference.mqbr.clock import RouterState, initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops

__all__ = ["ABSENT", "NOTHING", "OUTCOMES", "RULES", "BulkOracle"]

ABSENT: Final = -2
"""Number of a machine that the directory names nowhere."""
OUTCOMES: Final = tuple(Outcome)
"""By outcome code: allowed, by the register, not allowed."""
MOST_REMEMBERED: Final = 1_000_000
"""Verdicts of the readable model that are kept."""

MOST_OCTETS: Final = 2**29
"""What routing tables may take that are kept; what has no room is worked out anew for each batch that needs it."""

Verdicts = tuple[Octets, Octets]
"""Outcome code (place in ``OUTCOMES``) and rule code (place in ``RULES``) of each row."""


class BulkOracle:
    """One enterprise, compiled for judging.

    Machines are numbers: queue managers from 0 in the order of enumeration, then identifiers that only lists name.
    ``ABSENT`` is a machine that the directory names nowhere, ``NOTHING`` a hop that is Nothing.

    Rows that are not plain ask for the directory of which ``arrays`` were made, perhaps in another process.

    Attributes:
        identifiers: identifier of each number.
    """

    def __init__(
        self, directory: Callable[[], Directory], arrays: EnterpriseArrays, most_octets: int = MOST_OCTETS
    ) -> None:
        self.identifiers = arrays.identifiers
        self._machines = arrays.machines
        self._ambiguous = arrays.ambiguous
        self._next_sites = _NextSites(arrays.graph, most_octets, graph_open=arrays.graph_open)
        self._readable = _readable_judge(directory, arrays.identifiers)

    @classmethod
    def of(cls, directory: Directory, most_octets: int = MOST_OCTETS) -> "BulkOracle":
        """Return the oracle of a directory; ``most_octets`` is what routing tables may take that it keeps."""
        return cls(lambda: directory, enterprise_arrays(directory), most_octets)

    def judge_single(self, source: Int32s, destination: Int32s, hop: Int32s) -> Verdicts:
        """Judge answers of one hop each; ``NOTHING`` as hop is a failed routing attempt."""
        return self._judged((source, destination, hop), np.arange(len(source) + 1, dtype=np.int64), single=True)

    def judge_lists(self, source: Int32s, destination: Int32s, offsets: Int64s, hops: Int32s) -> Verdicts:
        """Judge answers that are lists; the hops of row n are those from ``offsets[n]`` to before ``offsets[n + 1]``.

        A list may hold ``NOTHING``; order counts as the register says (BR-61).
        """
        return self._judged((source, destination, hops), offsets, single=False)

    def _judged(self, columns: Columns, ends: Int64s, *, single: bool) -> Verdicts:
        """Judge all rows, with routing tables for the sites of their gates; those that are not plain one by one."""
        source, destination, hops = columns
        outcome, rule = np.full(len(source), LEFT_OPEN, dtype=np.uint8), np.zeros(len(source), dtype=np.uint8)
        if not self._ambiguous:
            asked, needed = (
                self._machines.packed[source[source >= 0]],
                np.zeros(len(self._machines.site_open), np.bool_),
            )
            needed[asked[asked & GATE != 0] >> 16 & SITE_BITS] = True
            for tables in self._next_sites.of(np.flatnonzero(needed)):
                judge_rows(self._machines, tables, columns, (ends[:-1], ends[1:]), single, outcome, rule)
        rest = np.flatnonzero(outcome == LEFT_OPEN)
        for row in rest[np.lexsort((destination[rest], source[rest]))]:
            listed = tuple(hops[ends[row] : ends[row + 1]].tolist())
            answer = None if single and listed == (NOTHING,) else listed
            outcome[row], rule[row] = self._readable(int(source[row]), int(destination[row]), answer)
        return outcome, rule


def _readable_judge(
    directory: Callable[[], Directory], identifiers: tuple[str, ...]
) -> Callable[[int, int, tuple[int, ...] | None], tuple[int, int]]:
    """Return what gives the codes of outcome and rule by the readable model, each distinct row judged once.

    It is quickest where rows of one source follow each other. Hops are None for a failed attempt.
    """
    stranger = QueueManagerId("?" * (1 + max(map(len, identifiers), default=0)))
    view = cache(lambda: DirectoryView(directory()))

    def named(number: int) -> QueueManagerId:
        return QueueManagerId(identifiers[number]) if number >= 0 else stranger

    @lru_cache(1)
    def state(source: int) -> RouterState:
        return initialize(view(), named(source))

    @lru_cache(1)
    def decided(source: int, destination: int) -> NextHopsDecision:
        return decide_next_hops(state(source), named(destination))

    @lru_cache(MOST_REMEMBERED)
    def verdict(source: int, destination: int, hops: tuple[int, ...] | None) -> tuple[int, int]:
        decision = decided(source, destination)
        observed = None if hops is None else [named(hop) if hop != NOTHING else None for hop in hops]
        judgement = judge_next_hops(decision, observed)
        return OUTCOMES.index(judgement.outcome), rule_of(decision, judgement)

    return verdict


class _NextSites:
    """Allowed next sites by root; those that were asked for stay while there is room for them.

    The room is reserved at once, and memory is taken as it is written.
    """

    def __init__(self, graph: SiteGraph, most_octets: int, *, graph_open: bool) -> None:
        self._graph, self._open = graph, graph_open
        words = graph.sites * np.maximum(1, -(-np.diff(graph.offsets).astype(np.int64) // 64))
        self._masks = np.empty(min(words.sum(), max(words.max(initial=0), most_octets // 8)), np.uint64)
        self._forget()

    def _forget(self) -> None:
        self._begins, self._used = np.full(self._graph.sites, -1, np.int64), 0

    def of(self, roots: Int64s) -> Iterator[Tables]:
        """Yield tables, each root in one of them, unless the register leaves the graph open."""
        for root in [] if self._open else roots[self._begins[roots] < 0].tolist():
            masks = allowed_table(self._graph, root).ravel()
            if self._used + len(masks) > len(self._masks):
                yield Tables(self._masks, self._begins, self._graph)
                self._forget()
            self._masks[self._used : self._used + len(masks)] = masks
            self._begins[root], self._used = self._used, self._used + len(masks)
        yield Tables(self._masks, self._begins, self._graph)
