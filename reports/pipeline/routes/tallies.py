"""Counting verdicts while they are made: by rule, router and pair of sites, with one failing row of each router."""

import re
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Int32s, Int64s, Octets, compiled
from mqconform.reports.pipeline.routes import verdicts
from mqconform.reports.pipeline.routes.enterprise import CompiledEnterprise
from mqconform.reports.pipeline.routes.judging import NO_ROUTE, NO_VERSION, SEPARATORS, Judged
from mqconform.reports.pipeline.routes.machine_columns import MachineNumbers

MOST_SITES: Final = 2_048
"""Sites up to which all rows are counted by pair of sites; of more, only rows that did not pass."""

MOST_ROUTERS: Final = 200_000
"""Different texts in a column ``router`` that are counted apart; what comes after them is counted together."""
OTHERS: Final = "(others)"

_TELLING: Final = frozenset({"source", "destination", "next_hops", "outcome", "time", "router"})
"""Columns that tell what an example is."""


class VersionTally:
    """Counts of one version of the directory, each with one column for each verdict."""

    def __init__(self, machines: int, sites: int) -> None:
        self.rules = np.zeros((len(verdicts.RULES), 3), dtype=np.int64)
        self.routers = np.zeros((machines + 1, 3), dtype=np.int64)
        """By number of the source; the last one is for sources that the directory does not know."""
        self.sites = sites
        self.dense = sites <= MOST_SITES
        self.pairs = np.zeros(((sites + 1) ** 2 if self.dense else 0, 3), dtype=np.int32)
        self.sparse: dict[int, Any] = {}
        """Where there are too many sites: for a pair that did not pass, its counts."""

    def __getstate__(self) -> dict[str, Any]:
        """Return what is written into a file: most counts of one split fit into an octet."""
        return {**self.__dict__, "pairs": _narrow(self.pairs), "routers": _narrow(self.routers)}

    def add_sparse(self, keys: Int64s, counts: Any) -> None:
        """Add counts by pair of sites."""
        for key, count in zip(keys.tolist(), counts, strict=True):
            self.sparse[key] = self.sparse[key] + count if key in self.sparse else count


class Tally:
    """What a split, or all of them, adds up to."""

    def __init__(self, sizes: Iterable[tuple[int, int]]) -> None:
        self.sizes = tuple(sizes)
        """Machines and sites of each version."""
        self.versions = [VersionTally(*one) for one in self.sizes]
        self.undated = VersionTally(0, 0)
        """Rows that belong to no version."""
        self.by_register = self.rows = 0
        self.routers: dict[str, Any] = {}
        """By the text of the column ``router``, where there is one."""
        self.examples: dict[tuple[int, str], tuple[Any, ...]] = {}
        """By version and router: source, destination, hops, time and verdict file's row of one that failed."""

    def add(self, enterprise: CompiledEnterprise, batch: pa.RecordBatch, judged: Judged) -> None:
        """Count a batch."""
        named = "router" in batch.schema.names and not pa.types.is_null(batch.schema.field("router").type)
        self.by_register += int(judged.by_register.sum())
        failing = [np.empty(0, dtype=np.int64)]
        for place in range(NO_VERSION, len(self.versions)):
            rows = np.flatnonzero(judged.version == place) if enterprise.dated else None
            if not (place > NO_VERSION if rows is None else len(rows)):
                continue
            part = _chosen(judged, rows)
            if place == NO_VERSION:
                np.add.at(self.undated.rules, (part.rule, part.verdict), 1)
                continue
            first = self._count(self.versions[place], enterprise, place, part)
            failing.append(first if rows is None else rows[first])
        if named:
            failing = [self._count_routers(batch.column("router"), judged.verdict)]
        self._remember(enterprise, batch, judged, np.concatenate(failing), named=named)
        self.rows += batch.num_rows

    def _count(self, tally: VersionTally, enterprise: CompiledEnterprise, place: int, part: Judged) -> Any:
        """Count rows of one version; return the first failing row of each source that had none before."""
        site_of = enterprise.versions[place].site_of
        first = np.zeros(len(part.verdict), dtype=np.bool_)
        _count(part.verdict, part.rule, part.source, tally.rules, tally.routers, first)
        here, there = site_of[part.source], site_of[part.destination]
        if tally.dense:
            _count_pairs(part.verdict, here, there, tally.sites + 1, tally.pairs)
        else:
            bad = np.flatnonzero(part.verdict != verdicts.PASS)
            keys, which = np.unique(here[bad].astype(np.int64) * (tally.sites + 1) + there[bad], return_inverse=True)
            counts = np.zeros((len(keys), 3), dtype=np.int32)
            np.add.at(counts, (which.ravel(), part.verdict[bad]), 1)
            tally.add_sparse(keys, counts)
        return np.flatnonzero(first)

    def _count_routers(self, column: pa.Array, verdict: Octets) -> Any:
        """Count by what a column calls the router; return the first failing row of each in this batch."""
        coded = column.cast(pa.string()).fill_null("(none)").dictionary_encode()
        places = coded.indices.to_numpy()
        counts = np.zeros((len(coded.dictionary), 3), dtype=np.int64)
        np.add.at(counts, (places, verdict), 1)
        for name, count in zip(coded.dictionary.to_pylist(), counts, strict=True):
            key = name if name in self.routers or len(self.routers) < MOST_ROUTERS else OTHERS
            self.routers[key] = self.routers[key] + count if key in self.routers else count
        failing = np.flatnonzero(verdict == verdicts.FAIL)
        return failing[np.unique(places[failing], return_index=True)[1]]

    def _remember(
        self, enterprise: CompiledEnterprise, batch: pa.RecordBatch, judged: Judged, rows: Any, *, named: bool
    ) -> None:
        """Keep failing rows, one of each router."""
        if not len(rows):
            return
        told = batch.select([name for name in batch.schema.names if name in _TELLING]).take(pa.array(rows))
        for row, held in zip(rows.tolist(), told.to_pylist(), strict=True):
            place = int(judged.version[row])
            router = held.get("router") if named else judged.source[row]
            key = place, "(none)" if router is None else str(router)
            if key not in self.examples and len(self.examples) < MOST_ROUTERS:
                machines = enterprise.versions[place].machines
                ends = (machines.identifier(held[name]) for name in ("source", "destination"))
                hops = hops_of(machines, held["next_hops"], held.get("outcome"))
                self.examples[key] = (*ends, hops, held.get("time"), self.rows + row)

    def merge(self, other: "Tally", split: int) -> None:
        """Add what another split adds up to; its examples become those of that split."""
        for mine, theirs in zip((*self.versions, self.undated), (*other.versions, other.undated), strict=True):
            mine.rules += theirs.rules
            mine.routers += theirs.routers
            mine.pairs += theirs.pairs
            mine.add_sparse(np.array([*theirs.sparse], dtype=np.int64), theirs.sparse.values())
        for name, count in other.routers.items():
            self.routers[name] = self.routers[name] + count if name in self.routers else count
        for key, example in other.examples.items():
            self.examples.setdefault(key, (*example, split))
        self.by_register += other.by_register
        self.rows += other.rows


def tally_for(enterprise: CompiledEnterprise) -> Tally:
    """Return an empty tally for an enterprise."""
    return Tally((len(one.oracle.identifiers), len(one.sites)) for one in enterprise.versions)


def _narrow(counts: Any) -> Any:
    return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))


def _chosen(judged: Judged, rows: Any) -> Judged:
    if rows is None:
        return judged
    chosen = {name: getattr(judged, name)[rows] for name in Judged._fields if name != "identifiers"}
    return judged._replace(**chosen, identifiers={})


def hops_of(machines: MachineNumbers, hops: Any, outcome: str | None) -> tuple[str | None, ...] | None:
    """Return the hops of a row by their identifiers, None for a failed routing attempt."""
    if hops is None or outcome == NO_ROUTE:
        return None
    listed = hops if isinstance(hops, list) else re.split(SEPARATORS, hops) if isinstance(hops, str) else [hops]
    return tuple(None if hop is None else machines.identifier(hop) for hop in listed)


@compiled
def _count(  # noqa: PLR0913, PLR0917 - one pass over three columns into three tables
    verdict: Octets, rule: Octets, source: Int32s, rules: Int64s, routers: Int64s, first: Any
) -> None:
    unknown = len(routers) - 1
    for row in range(len(verdict)):
        found = verdict[row]
        router = source[row] if source[row] >= 0 else unknown
        rules[rule[row], found] += 1
        if found == 1 and routers[router, 1] == 0:
            first[row] = True
        routers[router, found] += 1


@compiled
def _count_pairs(verdict: Octets, here: Int32s, there: Int32s, sites: int, pairs: Int32s) -> None:
    for row in range(len(verdict)):
        pairs[here[row] * sites + there[row], verdict[row]] += 1
