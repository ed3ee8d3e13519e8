"""``mqconform audit routes``: decisions in, verdicts, sums and explained examples out.

Tasks read their part of the files and write their verdicts themselves, since moving rows into the JVM and back costs
more than judging them: through Spark's reader and writer, as ``judge_routes`` does it, 2 M rows with numbers take 4.0 s
of processors once all is warm, here 1.1 s (benchmarks/README.md). Spark divides, schedules, retries and, through what
tasks return, decides which attempts count.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mqconform.reference.directory import Directory
from mqconform.reports.pipeline.commit import mark_whole, new_output, publish, read_sums, write_json, write_text
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.routes.counts import Counts
from mqconform.reports.pipeline.routes.enterprise import DirectoryVersion, Enterprise, enterprise_of
from mqconform.reports.pipeline.routes.explaining import VERDICTS_FOLDER, part_name
from mqconform.reports.pipeline.routes.judging import check_columns
from mqconform.reports.pipeline.routes.page import page_of
from mqconform.reports.pipeline.routes.summary import SCHEMA_VERSION, summary_of, tables_of, write_tables
from mqconform.reports.pipeline.routes.task import Attempt, TaskOrder, audit_split
from mqconform.reports.pipeline.row_files.splits import Division, Input, planned
from mqconform.reports.pipeline.session import settings_of, spark_session
from mqconform.reports.pipeline.storage import Place, place_of
from mqconform.reports.pipeline.watching import watched
from mqconform.reports.pipeline.workers import run_tasks

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SHOWN_PROBLEMS = 10
SPLITS_PER_CORE: Final = 4
SMALLEST_SPLIT: Final = 2**22
"""Octets below which a text is not divided further."""
MOST_OCTETS: Final = 2**31
"""Octets of input above which one task does not go, so that a lost one costs little."""


def run(  # noqa: PLR0913 - one parameter for each option
    directories: Sequence[tuple[datetime | None, Directory]],
    decisions: str,
    out: str,
    *,
    settling_seconds: float,
    windows_octets: bool,
    master: str | None,
    conf: tuple[str, ...],
) -> dict[str, Any]:
    """Audit recorded decisions on Spark and return the summary (audit_routes.schema.json).

    Args:
        directories: versions of the enterprise's directory, each with the time from which on it holds.
        decisions: a file, or a folder of files.
        out: a new or empty folder.
        settling_seconds: how long after a change of directory a failure may rest on the version before.
        windows_octets: whether GUIDs of 16 octets lie as Windows keeps them in memory.
        master: master URL of Spark.
        conf: entries ``KEY=VALUE`` of Spark's configuration.

    Raises:
        ModelError: what was given cannot be used, or Spark does not start.
    """
    enterprise = enterprise_of(
        [DirectoryVersion(*directory) for directory in directories], settling_seconds, windows_octets=windows_octets
    )
    settings = settings_of(master, conf)
    with new_output(place_of(out)):
        pass  # report a folder that cannot be used before Spark starts
    with spark_session(settings, "mqconform audit routes") as spark:
        return audit_routes(spark, enterprise, decisions, out)


def audit_routes(spark: "SparkSession", enterprise: Enterprise, decisions: str, out: str) -> dict[str, Any]:
    """Judge recorded decisions (GetNextHops, MS-MQBR 3.1.5.1) and return the summary that was written.

    Args:
        spark: the session.
        enterprise: versions of the directory.
        decisions: a file, or a folder of files of one form.
        out: a folder that does not exist yet, or is empty.

    Raises:
        UnusableInput: the decisions cannot be read, or the folder cannot be written.
    """
    asked, place = place_of(decisions), place_of(out)
    splits = spark.sparkContext.defaultParallelism * SPLITS_PER_CORE
    plan = planned(asked, Division(splits, MOST_OCTETS, SMALLEST_SPLIT), check_columns)
    with new_output(place) as staging:
        attempts = _attempts(spark, enterprise, plan, staging)
        counts = _sum_of(attempts, staging)
        verdict_files = {part_name(attempt.split): attempt.verdicts for attempt in attempts}
        publish(staging, verdict_files, place / VERDICTS_FOLDER)
        quarantined = {f"part-{it.split:05d}.ndjson": it.quarantine for it in attempts if it.quarantine}
        if quarantined:
            publish(staging, quarantined, place / "quarantine")
        tables = tables_of(enterprise, counts)
        summary = {
            "schema_version": SCHEMA_VERSION,
            "decisions": asked.text,
            "unreadable_lines": sum(attempt.bad_lines for attempt in attempts),
            **summary_of(enterprise, counts, tables, place / VERDICTS_FOLDER),
        }
        write_tables(tables, place)
        write_json(place / "summary.json", summary)
        write_text(place / "index.html", page_of(summary))
        mark_whole(place)
    return summary


def _attempts(spark: "SparkSession", enterprise: Enterprise, plan: Input, staging: Place) -> list[Attempt]:
    order = TaskOrder(plan.form, plan.schema, staging, spark.sparkContext.broadcast(enterprise.packed))
    with watched(spark, "auditing decisions"):
        attempts = run_tasks(spark, plan.splits, lambda split: audit_split(order, split))
    order.enterprise.unpersist()
    problems = [attempt.problem for attempt in attempts if attempt.problem]
    if problems:
        more = len(problems) - SHOWN_PROBLEMS
        text = "\n".join(problems[:SHOWN_PROBLEMS]) + (f"\nand {more} more" if more > 0 else "")
        raise UnusableInput(f"{text}\nnothing was written; repair or leave out what is named")
    return attempts


def _sum_of(attempts: Sequence[Attempt], staging: Place) -> Counts:
    if not attempts:
        raise UnusableInput("the decisions have no row")
    total: Counts | None = None
    for attempt in attempts:
        counts: Counts = read_sums(staging / attempt.counts)
        total = total or Counts(counts.sizes, np.int64)
        total.merge(counts)
    assert total is not None, "there is at least one attempt"
    return total
