"""``mqconform audit routes``: decisions in, verdicts, sums and explained examples out."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from mqconform.reports.pipeline.commit import mark_whole, new_output, publish, write_json, write_text
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.routes.enterprise import Enterprise
from mqconform.reports.pipeline.routes.judging import check_columns
from mqconform.reports.pipeline.routes.page import page_of
from mqconform.reports.pipeline.routes.summary import counts_of, summary_of, write_tables
from mqconform.reports.pipeline.routes.tallies import Tally
from mqconform.reports.pipeline.routes.task import TaskOrder, TaskReport, audit_split, read_tally
from mqconform.reports.pipeline.row_files.splits import Division, Input, planned
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


def audit_routes(spark: "SparkSession", enterprise: Enterprise, decisions: str, out: str) -> dict[str, Any]:
    """Judge recorded decisions (GetNextHops, MS-MQBR 3.1.5.1) and return the summary that was written.

    Tasks read their part of the files and write their verdicts themselves, since moving rows into the JVM and back
    costs more than judging them; Spark divides, schedules, retries and, through what tasks return, decides which
    attempts count.

    Args:
        spark: the session.
        enterprise: versions of the directory.
        decisions: a file, or a folder of files of one form.
        out: a folder that does not exist yet, or is empty.

    Raises:
        UnusableInput: the decisions cannot be read, or the folder cannot be written.
    """
    asked = place_of(decisions)
    plan = planned(asked, _division(spark.sparkContext.defaultParallelism), check_columns)
    place = place_of(out)
    with new_output(place) as staging:
        reports = _run(spark, enterprise, plan, staging)
        tally = _sum_of(reports, staging)
        publish(
            staging, {f"part-{report.split:05d}.parquet": report.verdicts for report in reports}, place / "verdicts"
        )
        quarantined = {f"part-{report.split:05d}.ndjson": report.quarantine for report in reports if report.quarantine}
        if quarantined:
            publish(staging, quarantined, place / "quarantine")
        counts = counts_of(enterprise, tally)
        summary = summary_of(enterprise, tally, counts, sum(report.bad_lines for report in reports), asked.text)
        write_tables(counts, place)
        write_json(place / "summary.json", summary)
        write_text(place / "index.html", page_of(summary))
        mark_whole(place)
    return summary


def _division(cores: int) -> Division:
    return Division(cores * SPLITS_PER_CORE, MOST_OCTETS, SMALLEST_SPLIT)


def _run(spark: "SparkSession", enterprise: Enterprise, plan: Input, staging: Place) -> list[TaskReport]:
    order = TaskOrder(plan.form, plan.schema, staging, spark.sparkContext.broadcast(enterprise.packed))
    with watched(spark, "auditing decisions"):
        reports = run_tasks(spark, plan.splits, lambda split: audit_split(order, split))
    order.enterprise.unpersist()
    _refuse_problems([report.problem for report in reports if report.problem])
    return sorted(reports)


def _refuse_problems(problems: Sequence[str]) -> None:
    if not problems:
        return
    more = len(problems) - SHOWN_PROBLEMS
    text = "\n".join(problems[:SHOWN_PROBLEMS]) + (f"\nand {more} more" if more > 0 else "")
    raise UnusableInput(f"{text}\nnothing was written; repair or leave out what is named")


def _sum_of(reports: Sequence[TaskReport], staging: Place) -> Tally:
    if not reports:
        raise UnusableInput("the decisions have no row")
    tally: Tally | None = None
    for report in reports:
        split_tally = read_tally(staging / report.tally)
        tally = tally or Tally(split_tally.sizes, np.int64)
        tally.merge(split_tally, report.split)
    assert tally is not None, "there is at least one report"
    return tally
