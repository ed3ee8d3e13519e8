"""What tasks of an audit of deliveries leave behind: verdicts in files, and what they add up to."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mqconform.reports.pipeline.commit import attempt_name
from mqconform.reports.pipeline.deliveries.judging import in_order, judge_streams
from mqconform.reports.pipeline.deliveries.tables import FINDINGS
from mqconform.reports.pipeline.storage import Place

WORST: Final = 20
"""Streams that the summary names."""
COUNTS: Final = ("entries", "deliveries", "unusable", "found", "undecided")
RULE: Final = ("requirement", "finding", "role")


class Sums(NamedTuple):
    """What streams add up to."""

    verdicts: pa.Table
    """By ``verdict``: ``streams`` and ``COUNTS``."""
    rules: pa.Table
    """By ``RULE``: how often something was ``found``, and in how many ``streams``."""
    worst: pa.Table
    """The streams with most findings: ``stream``, ``entries``, ``found`` and ``verdict``."""


class Judged(NamedTuple):
    """What a task left behind; files are names in the staging folder."""

    streams: str
    findings: str
    sums: Sums


def judge_entries(entries: pa.Table, staging: Place, *, healed: bool, begun: bool) -> Judged:
    """Judge whole streams and write down what was found (page, sections 2 to 4).

    Args:
        entries: columns ``ENTRY_COLUMNS``, ``order_0`` and so on.
        staging: where files are written.
        healed: whether the log goes on until everything had arrived.
        begun: whether it has the streams from their beginning.
    """
    streams = judge_streams(in_order(entries), healed=healed, begun=begun)
    listed = streams.column("findings").combine_chunks()
    names = streams.column("stream").take(pc.list_parent_indices(listed))
    findings = pa.table([names, *pc.list_flatten(listed).flatten()], schema=FINDINGS)
    verdicts = _sums(streams, ["verdict"], {"streams": ("verdict", "count")} | {name: (name, "sum") for name in COUNTS})
    of_rule = {"found": ("stream", "count"), "streams": ("stream", "count_distinct")}
    worst = _worst(streams.select(["stream", "entries", "found", "verdict"]))
    return Judged(
        _written(streams, staging),
        _written(findings, staging),
        Sums(verdicts, _sums(findings, RULE, of_rule), worst),
    )


def summed(parts: Sequence[Sums]) -> Sums:
    """Return the sums of parts, none of which has a stream of another."""
    verdicts, rules, worst = map(pa.concat_tables, zip(*parts, strict=True))
    return Sums(
        _sums(verdicts, ["verdict"], {name: (name, "sum") for name in ("streams", *COUNTS)}),
        _sums(rules, RULE, {name: (name, "sum") for name in ("found", "streams")}).sort_by(
            [(name, "ascending") for name in RULE]
        ),
        _worst(worst),
    )


def _written(table: pa.Table, staging: Place) -> str:
    """Write a table to a file of the staging folder, and return its name."""
    name = attempt_name(0, ".parquet")
    system, path = (staging / name).resolve()
    pq.write_table(table, path, filesystem=system)
    return name


def _sums(rows: pa.Table, keys: Sequence[str], sums: dict[str, tuple[str, str]]) -> pa.Table:
    """Return rows for each value of the keys, with columns that each are an aggregate of one column."""
    grouped: Any = rows.group_by(list(keys), use_threads=False).aggregate(list(sums.values()))
    return grouped.select([*keys, *(f"{name}_{function}" for name, function in sums.values())]).rename_columns(
        [*keys, *sums]
    )


def _worst(streams: pa.Table) -> pa.Table:
    with_findings = streams.filter(pc.greater(streams.column("found"), 0))
    return with_findings.sort_by([("found", "descending"), ("stream", "ascending")]).slice(0, WORST)
