"""Recorded decisions to audit, with a known number of wrong ones, the same for the same seed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from enterprises import enterprise
from next_hop_tables import next_hop_tables

from mqconform.reference.mqbr.bulk import BulkOracle
from mqconform.reference.mqbr.bulk_arrays import GATE, OUT_LIST, enterprise_arrays
from mqconform.reference.mqbr.bulk_compiled import Int32s

SEED: Final = 31_415
ROW_GROUP: Final = 1_000_000
GREATEST_COST: Final = 20


class Recorder:
    """Draws questions, half of them asked of gates, and answers them as the text wants or wrongly on purpose."""

    def __init__(self, sites: int, machines: int, seed: int = SEED) -> None:
        self.directory = enterprise(sites, machines, GREATEST_COST, seed)
        self.oracle = BulkOracle.of(self.directory)
        self._random = np.random.default_rng(seed)
        arrays = enterprise_arrays(self.directory)
        self._machines = arrays.machines
        self._next_site = next_hop_tables(arrays.graph)
        self._gates = 2 * sites

    def rows(self, count: int, wrong: float) -> tuple[Int32s, Int32s, Int32s, int]:
        """Return sources, destinations and hops, and how many of the hops are wrong."""
        known = len(self._machines.first_server)
        source = self._random.integers(known, size=count).astype(np.int32)
        of_gates = self._random.random(count) < 0.5
        source[of_gates] = self._random.integers(self._gates, size=int(of_gates.sum()))
        destination = self._random.integers(self._gates, known, size=count).astype(np.int32)
        here, there = self._site(source), self._site(destination)
        destination[here == there] = self._elsewhere(here[here == there])
        hop = self._right(source, destination)
        spoilt = self._random.random(count) < wrong
        hop[spoilt] = destination[spoilt]  # no destination is a gate, and none is in the site of its source
        return source, destination, hop, int(spoilt.sum())

    def _site(self, machine: Int32s) -> Int32s:
        return ((self._machines.packed[machine] >> 16) & 0xFFFFFF).astype(np.int32)

    def _elsewhere(self, sites: Int32s) -> Int32s:
        """Return a client of some other site for each site."""
        clients = np.arange(self._gates, len(self._machines.first_server), dtype=np.int32)
        first, second = clients[0], clients[self._site(clients) != self._site(clients[:1])[0]][0]
        return np.where(self._site(np.full(len(sites), first)) == sites, second, first).astype(np.int32)

    def _right(self, source: Int32s, destination: Int32s) -> Int32s:
        packed, out = self._machines.packed[source], self._machines.out_servers
        hop = self._machines.first_server[source].copy()
        listed = (packed & OUT_LIST) != 0
        hop[listed] = out.values[out.offsets[source[listed]]]
        gate = (packed & GATE) != 0
        hop[gate] = 2 * self._next_site[self._site(source[gate]), self._site(destination[gate])]
        return hop


def write_decisions(file: Path, recorder: Recorder, form: str, rows: int, wrong: float = 0.001) -> int:
    """Write decisions as Parquet in row groups of a million; return how many are wrong.

    Args:
        file: where to.
        recorder: what draws them.
        form: ``number``, ``octets`` or ``text``: how machines are named.
        rows: how many.
        wrong: share of wrong ones.
    """
    kinds = {"number": pa.int32(), "octets": pa.binary(16), "text": pa.string()}
    schema = pa.schema([(name, kinds[form]) for name in ("source", "destination", "next_hops")])
    names = names_of(recorder, form)
    total = 0
    with pq.ParquetWriter(file, schema) as writer:
        for count in _portions(rows):
            *columns, spoilt = recorder.rows(count, wrong)
            total += spoilt
            held = [names.take(pa.array(column)) for column in columns]
            writer.write_table(pa.table(held, schema=schema), row_group_size=ROW_GROUP)
    return total


def _portions(rows: int) -> Iterator[int]:
    for start in range(0, rows, ROW_GROUP):
        yield min(ROW_GROUP, rows - start)


def names_of(recorder: Recorder, form: str) -> Any:
    """Return the names of all queue managers by number."""
    identifiers = recorder.oracle.identifiers
    if form == "number":
        return pa.array(range(len(identifiers)), pa.int32())
    if form == "text":
        return pa.array(identifiers)
    return pa.array([bytes.fromhex(one.replace("-", "")) for one in identifiers], pa.binary(16))
