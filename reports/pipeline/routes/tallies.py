"""Counting verdicts while they are made: by rule, router and pair of sites, with one failing row of each router."""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Int64s, Octets
from mqconform.reports.pipeline.routes import verdicts
from mqconform.reports.pipeline.routes.counting import VerdictCounts, count_pairs, count_verdicts
from mqconform.reports.pipeline.routes.enterprise import CompiledEnterprise
from mqconform.reports.pipeline.routes.judging import NO_VERSION, Judged
from mqconform.reports.pipeline.routes.kept_rows import KeptRows

MOST_SITES: Final = 2_048
"""Sites up to which all rows are counted by pair of sites; of more, only rows that did not pass."""

MOST_ROUTERS: Final = 200_000
"""Different texts in a column ``router`` that are counted apart; what comes after them is counted together."""
OTHERS: Final = "(others)"
NAMELESS: Final = "(none)"


class VersionTally:
    """Counts of one version of the directory.

    Attributes:
        rules: by rule and verdict.
        routers: by number of the source; the last one is for sources that the directory does not know.
        pairs: by source's site times sites plus destination's, where there are not too many.
        sparse: where there are: for a pair that did not pass, its counts.
    """

    def __init__(self, machines: int, sites: int, number: type[Any] = np.int32) -> None:
        self.rules = np.zeros((len(verdicts.RULES), len(verdicts.VERDICTS)), dtype=np.int64)
        self.routers = VerdictCounts(machines + 1, number)
        self.sites = sites
        self.dense = sites <= MOST_SITES
        self.pairs = VerdictCounts((sites + 1) ** 2 if self.dense else 0, number)
        self.sparse: dict[int, Any] = {}

    def add_sparse(self, keys: Int64s, counts: Any) -> None:
        """Add counts by pair of sites."""
        for key, count in zip(keys.tolist(), counts, strict=True):
            self.sparse[key] = self.sparse[key] + count if key in self.sparse else count


class Tally:
    """What a split, or all of them, adds up to.

    Args:
        sizes: machines and sites of each version.
        number: what counts are kept in: of one split 32 bits are enough.
    """

    def __init__(self, sizes: Iterable[tuple[int, int]], number: type[Any] = np.int32) -> None:
        self.sizes = tuple(sizes)
        self.versions = [VersionTally(*size, number) for size in self.sizes]
        self.undated = VersionTally(0, 0, number)
        """Rows that belong to no version."""
        self.by_register = self.rows = 0
        self.routers: dict[str, Any] = {}
        """By the text of the column ``router``, where there is one."""
        self.examples = KeptRows()

    def add(self, enterprise: CompiledEnterprise, batch: pa.RecordBatch, judged: Judged) -> None:
        """Count a batch."""
        named = "router" in batch.schema.names and not pa.types.is_null(batch.schema.field("router").type)
        self.by_register += int(np.count_nonzero(judged.by_register))
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
            example_rows, routers = self._count_routers(batch.column("router"), judged.verdict)
        else:
            example_rows = np.concatenate(failing)
            routers = judged.source[example_rows].tolist()
        self.examples.add(batch, example_rows, routers, judged.version[example_rows], self.rows)
        self.rows += batch.num_rows

    def _count(self, tally: VersionTally, enterprise: CompiledEnterprise, place: int, part: Judged) -> Any:
        """Count rows of one version; return the first failing row of each source that had none before."""
        site_of, routers, pairs = enterprise.versions[place].site_of, tally.routers, tally.pairs
        first = np.zeros(len(part.verdict), dtype=np.bool_)
        count_verdicts(part.verdict, part.rule, part.source, tally.rules, routers.rows, routers.others, first)
        if tally.dense:
            count_pairs(part.verdict, part.source, part.destination, site_of, pairs.rows, pairs.others)
        else:
            bad = np.flatnonzero(part.verdict != verdicts.PASS)
            here, there = site_of[part.source[bad]].astype(np.int64), site_of[part.destination[bad]]
            keys, which = np.unique(here * (tally.sites + 1) + there, return_inverse=True)
            counts = np.zeros((len(keys), len(verdicts.VERDICTS)), dtype=np.int32)
            np.add.at(counts, (which.ravel(), part.verdict[bad]), 1)
            tally.add_sparse(keys, counts)
        return np.flatnonzero(first)

    def _count_routers(self, column: pa.Array, verdict: Octets) -> tuple[Any, list[str]]:
        """Count by what a column calls the router; return the first failing row of each in this batch, and whose."""
        coded = column.cast(pa.string()).fill_null(NAMELESS).dictionary_encode()
        places, names = coded.indices.to_numpy(), coded.dictionary.to_pylist()
        counts = np.zeros((len(names), len(verdicts.VERDICTS)), dtype=np.int64)
        np.add.at(counts, (places, verdict), 1)
        for name, count in zip(names, counts, strict=True):
            key = name if name in self.routers or len(self.routers) < MOST_ROUTERS else OTHERS
            self.routers[key] = self.routers[key] + count if key in self.routers else count
        failing = np.flatnonzero(verdict == verdicts.FAIL)
        which, first = np.unique(places[failing], return_index=True)
        return failing[first], [names[place] for place in which.tolist()]

    def merge(self, other: "Tally", split: int) -> None:
        """Add what another split adds up to; its examples become those of that split."""
        for mine, theirs in zip((*self.versions, self.undated), (*other.versions, other.undated), strict=True):
            mine.rules += theirs.rules
            mine.routers.add(theirs.routers)
            mine.pairs.add(theirs.pairs)
            mine.add_sparse(np.array([*theirs.sparse], dtype=np.int64), theirs.sparse.values())
        for name, count in other.routers.items():
            self.routers[name] = self.routers[name] + count if name in self.routers else count
        self.examples.merge(other.examples, split)
        self.by_register += other.by_register
        self.rows += other.rows


def tally_for(enterprise: CompiledEnterprise) -> Tally:
    """Return an empty tally for one split of an enterprise's decisions."""
    return Tally((len(version.oracle.identifiers), len(version.sites)) for version in enterprise.versions)


def _chosen(judged: Judged, rows: Any) -> Judged:
    if rows is None:
        return judged
    chosen = {name: getattr(judged, name)[rows] for name in Judged._fields if name != "identifiers"}
    return judged._replace(**chosen, identifiers={})
