"""What tasks of an audit of deliveries leave behind: verdicts in files, and what they add up to."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mqconform.reports.pipeline.commit import attempt_name
from mqconform.reports.pipeline.deliveries.judging import in_order, judge_streams
from mqconform.reports.pipeline.deliveries.tables import FAIL, FINDINGS, INCONCLUSIVE, PASS
from mqconform.reports.pipeline.storage import Place

WORST: Final = 20
"""Streams that the summary names."""
COUNTS: Final = ("entries", "deliveries", "unusable", "found")


@dataclass(slots=True)
class Tally:
    """What was counted of streams.

    Attributes:
        sums: streams, and the sums of ``COUNTS``.
        verdicts: streams by verdict.
        listed: findings by requirement, finding and role.
        streams: in how many streams those were found.
        worst: number of findings and name of the streams with most of them, negative so that the worst sorts first.
    """

    sums: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    listed: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    streams: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    worst: list[tuple[int, str, int, str]] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Add what another part counted, of other streams."""
        for mine, its in ((self.sums, other.sums), (self.verdicts, other.verdicts)):
            mine.update(its)
        for mine_by_rule, its_by_rule in ((self.listed, other.listed), (self.streams, other.streams)):
            mine_by_rule.update(its_by_rule)
        self.worst = sorted([*self.worst, *other.worst])[:WORST]


class Judged(NamedTuple):
    """What a task left behind; files are names in the staging folder."""

    streams: str
    findings: str
    tally: Tally


def judge_entries(entries: pa.Table, staging: Place, *, healed: bool) -> Judged:
    """Judge whole streams and write down what was found (page, sections 2 to 4).

    Args:
        entries: columns ``ENTRY_COLUMNS``, ``order_0`` and so on.
        staging: where files are written.
        healed: whether the log goes on until everything had arrived.
    """
    streams = judge_streams(in_order(entries), healed=healed)
    findings = _findings(streams)
    return Judged(_written(streams, staging), _written(findings, staging), _tally(streams, findings))


def _written(table: pa.Table, staging: Place) -> str:
    """Write a table to a file of the staging folder, and return its name."""
    name = attempt_name(0, ".parquet")
    system, path = (staging / name).resolve()
    pq.write_table(table, path, filesystem=system)
    return name


def _findings(streams: pa.Table) -> pa.Table:
    """Return a row for each listed finding: ``stream`` and the fields of ``FINDING``."""
    listed = streams.column("findings").combine_chunks()
    names = streams.column("stream").take(pc.list_parent_indices(listed))
    return pa.table([names, *pc.list_flatten(listed).flatten()], schema=FINDINGS)


def _tally(streams: pa.Table, findings: pa.Table) -> Tally:
    tally = Tally()
    tally.sums["streams"] = streams.num_rows
    for name in COUNTS:
        tally.sums[name] = pc.sum(streams.column(name)).as_py() or 0
    for verdict in (PASS, FAIL, INCONCLUSIVE):
        tally.verdicts[verdict] = pc.sum(pc.equal(streams.column("verdict"), verdict)).as_py() or 0
    keys = ["requirement", "finding", "role"]
    by_rule = findings.group_by(keys).aggregate([("stream", "count"), ("stream", "count_distinct")])
    for row in by_rule.to_pylist():
        rule = (row["requirement"], row["finding"], row["role"])
        tally.listed[rule], tally.streams[rule] = row["stream_count"], row["stream_count_distinct"]
    tally.worst = _worst(streams)
    return tally


def _worst(streams: pa.Table) -> list[tuple[int, str, int, str]]:
    with_findings = streams.select(["stream", "entries", "found", "verdict"]).filter(
        pc.greater(streams.column("found"), 0)
    )
    ordered = with_findings.sort_by([("found", "descending"), ("stream", "ascending")]).slice(0, WORST)
    return [
        (-stream["found"], stream["stream"], stream["entries"], stream["verdict"]) for stream in ordered.to_pylist()
    ]
