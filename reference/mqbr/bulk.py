"""The routing oracle over arrays: next hops of millions of rows judged at once (MS-MQBR 3.1.5.1 under the register).

Row by row the verdicts are those of ``judge_next_hops`` for a router that has just initialised. Plain rows are judged
by compiled loops; rows that touch something which the register leaves open go to the readable model, each distinct
one once. Importing this module needs the extra ``bulk``.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from mqconform.reference.directory.elements import Directory
from mqconform.reference.errors import ModelError
from mqconform.reference.mqbr.bulk_arrays import EnterpriseArrays, enterprise_arrays
from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Octets
from mqconform.reference.mqbr.bulk_next_sites import NextSites
from mqconform.reference.mqbr.bulk_rest import OUTCOMES, ReadableRows
from mqconform.reference.mqbr.bulk_rows import LEFT_OPEN, NOTHING, PENDING, SITE_BITS, judge_rows
from mqconform.reference.mqbr.bulk_rules import RULES

__all__ = ["ABSENT", "NOTHING", "OUTCOMES", "RULES", "BulkOracle", "UnusableColumn"]

ABSENT: Final = -2
"""Number of a machine that the directory names nowhere."""
TABLE_OCTETS: Final = 512 * 2**20
"""Memory for routing tables; where not all roots fit, the rows of a batch are judged group by group of roots."""

Verdicts = tuple[Octets, Octets]
"""Outcome code (place in ``OUTCOMES``) and rule code (place in ``RULES``) of each row."""


class UnusableColumn(ModelError):
    """A column has not the shape or the type that the bulk oracle reads."""


class BulkOracle:
    """One enterprise, compiled for judging.

    Machines are numbers: queue managers from 0 in the order of enumeration, then identifiers that only lists name.
    ``ABSENT`` is a machine that the directory names nowhere, ``NOTHING`` a hop that is Nothing.

    Attributes:
        identifiers: identifier of each number.
    """

    def __init__(self, directory: Directory, table_octets: int = TABLE_OCTETS) -> None:
        self._read(enterprise_arrays(directory), lambda: directory, table_octets)

    @classmethod
    def of_arrays(
        cls, arrays: EnterpriseArrays, directory: Callable[[], Directory], table_octets: int = TABLE_OCTETS
    ) -> "BulkOracle":
        """Return the oracle of a directory that another process has compiled.

        Args:
            arrays: what ``enterprise_arrays`` gave there.
            directory: gives the directory itself; asked at the first row that is not plain.
            table_octets: memory for routing tables.
        """
        oracle = cls.__new__(cls)
        oracle._read(arrays, directory, table_octets)  # noqa: SLF001 - its own method
        return oracle

    def _read(self, arrays: EnterpriseArrays, directory: Callable[[], Directory], table_octets: int) -> None:
        self.identifiers = arrays.identifiers
        self._machines = arrays.machines
        self._ambiguous = arrays.ambiguous
        self._next_sites = NextSites(arrays.graph, table_octets, graph_open=arrays.graph_open)
        self._readable = ReadableRows(directory, arrays.identifiers)

    def judge_single(self, source: Int32s, destination: Int32s, hop: Int32s) -> Verdicts:
        """Judge answers of one hop each; ``NOTHING`` as hop is a failed routing attempt.

        Raises:
            UnusableColumn: if the columns differ in length, are no numbers, or name no machine.
        """
        columns = self._columns(source, destination, hop)
        if len({len(column) for column in columns}) > 1:
            raise UnusableColumn(
                f"columns of {', '.join(str(len(column)) for column in columns)} rows; give equal ones"
            )
        return self._judged(columns, np.arange(len(source) + 1, dtype=np.int64), single=True)

    def judge_lists(self, source: Int32s, destination: Int32s, offsets: Int64s, hops: Int32s) -> Verdicts:
        """Judge answers that are lists; the hops of row n are those from ``offsets[n]`` to before ``offsets[n + 1]``.

        A list may hold ``NOTHING``; order counts as the register says (BR-61).

        Raises:
            UnusableColumn: if the columns do not fit each other, are no numbers, or name no machine.
        """
        columns = self._columns(source, destination, hops)
        ends = np.ascontiguousarray(offsets, dtype=np.int64)
        rows = len(columns[0])
        if len(columns[1]) != rows or len(ends) != rows + 1:
            raise UnusableColumn(f"{rows} sources need {rows} destinations and {rows + 1} offsets")
        if ends[0] < 0 or ends[-1] > len(hops) or (np.diff(ends) < 0).any():
            raise UnusableColumn(f"offsets have to rise from 0 to {len(hops)}")
        return self._judged(columns, ends, single=False)

    def _columns(self, *columns: Int32s) -> tuple[Int32s, ...]:
        for column in columns:
            if column.ndim != 1 or column.dtype.kind not in "iu":
                raise UnusableColumn(f"a column has to hold whole numbers, not {column.dtype} of shape {column.shape}")
            if len(column) and not ABSENT <= column.min() <= column.max() < len(self.identifiers):
                span, last = f"{column.min()} to {column.max()}", len(self.identifiers) - 1
                raise UnusableColumn(f"a column holds {span}, but machines have numbers from {ABSENT} to {last}")
        return tuple(np.ascontiguousarray(column, dtype=np.int32) for column in columns)

    def _judged(self, columns: tuple[Int32s, ...], ends: Int64s, *, single: bool) -> Verdicts:
        """Judge all rows, computing routing tables as rows ask for them; those that are not plain one by one."""
        source, destination, hops = columns
        outcome = np.full(len(source), LEFT_OPEN if self._ambiguous else PENDING, dtype=np.uint8)
        rule = np.zeros(len(source), dtype=np.uint8)
        pending: Any = slice(None)
        while (outcome[pending] == PENDING).any():
            chosen = (source[pending], destination[pending], hops), (ends[:-1][pending], ends[1:][pending])
            judged = outcome[pending], rule[pending]
            judge_rows(self._machines, self._next_sites.tables, *chosen, single, *judged)
            outcome[pending], rule[pending] = judged
            pending = np.flatnonzero(outcome == PENDING)
            if len(pending):
                roots = self._machines.packed[source[pending]] >> 16 & SITE_BITS
                self._next_sites.add(np.unique(roots.astype(np.int32)))
        rest = np.flatnonzero(outcome == LEFT_OPEN)
        for row in rest[np.lexsort((destination[rest], source[rest]))]:
            listed = tuple(hops[ends[row] : ends[row + 1]].tolist())
            answer = None if single and listed == (NOTHING,) else listed
            outcome[row], rule[row] = self._readable.verdict(int(source[row]), int(destination[row]), answer)
        return outcome, rule
