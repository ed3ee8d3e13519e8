"""``mqconform audit routes``: decisions in, verdicts, sums and explained examples out."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - the name that all of Spark's own documents give it
from pyspark.sql.pandas.types import to_arrow_schema

from mqconform.reference.directory import Directory
from mqconform.reports.pipeline.failed_jobs import refusals
from mqconform.reports.pipeline.output import check_output, move_file, new_output, write_json, write_text
from mqconform.reports.pipeline.pages import page_of
from mqconform.reports.pipeline.problems import CORRUPT
from mqconform.reports.pipeline.routes.enterprise import DirectoryVersion, Enterprise, enterprise_of
from mqconform.reports.pipeline.routes.judging import check_columns
from mqconform.reports.pipeline.routes.row_groups import judge_row_groups
from mqconform.reports.pipeline.routes.summary import (
    SCHEMA_VERSION,
    VERDICTS_FOLDER,
    part_name,
    summary_of,
    tables_of,
    write_tables,
)
from mqconform.reports.pipeline.session import settings_of, spark_session, watched
from mqconform.reports.pipeline.storage import PARQUET, Place, exists, files_in, place_of, read_rows, row_files

BAD, FILE = "mqconform_bad", "mqconform_file"
GOOD_ROWS = f"{BAD}=false"
"""The folder of the lines that hold a row."""


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
    """Audit recorded decisions on Spark and return the summary (audit_routes.schema.json); see ``audit_routes``.

    Raises:
        ModelError: what was given cannot be used, or Spark does not start.
    """
    versions = [DirectoryVersion(*directory) for directory in directories]
    enterprise = enterprise_of(versions, settling_seconds, windows_octets=windows_octets)
    settings = settings_of(master, conf)
    row_files(place_of(decisions))
    check_output(place_of(out))  # report what cannot be used before Spark takes its seconds to start
    with spark_session(settings, "mqconform audit routes") as spark:
        return audit_routes(spark, enterprise, decisions, out)


def audit_routes(spark: SparkSession, enterprise: Enterprise, decisions: str, out: str) -> dict[str, Any]:
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
    with new_output(place) as staging, watched(spark, "auditing decisions"), refusals(asked.text, place.text):
        files, form = row_files(asked)
        rows, unreadable = asked, 0
        if form != PARQUET:
            rows = staging / "rows" / GOOD_ROWS
            files, unreadable = _as_parquet(spark, asked, staging / "rows", place)
        judged = judge_row_groups(spark, enterprise, rows, files, staging, (CORRUPT, FILE))
        for split, name in judged.parts.items():
            move_file(staging / name, place / VERDICTS_FOLDER / part_name(split))
        tables = tables_of(enterprise, judged.counts)
        summary = {
            "schema_version": SCHEMA_VERSION,
            "decisions": asked.text,
            "unreadable_lines": unreadable,
            **summary_of(enterprise, judged.counts, tables, place / VERDICTS_FOLDER),
        }
        write_tables(tables, place)
        write_json(place / "summary.json", summary)
        write_text(place / "index.html", page_of("routes", summary))
    return summary


def _as_parquet(spark: SparkSession, asked: Place, rows: Place, out: Place) -> tuple[list[Place], int]:
    """Let Spark write lines of text as Parquet; return the files, and how many lines hold no row (``quarantine``)."""
    read = read_rows(spark, asked, as_text=False)
    check_columns(to_arrow_schema(read.drop(CORRUPT).schema), asked.text)
    marked = read.withColumn(BAD, F.col(CORRUPT).isNotNull()).withColumn(FILE, F.col("_metadata.file_path"))
    marked.write.partitionBy(BAD).parquet(rows.text)
    rows_read = spark.read.schema(marked.schema).parquet(rows.pattern)
    bad = rows_read.where(BAD).select(F.col(FILE).alias("file"), F.col(CORRUPT).alias("line"))
    count = bad.count()
    if count:
        bad.coalesce(1).write.json((out / "quarantine").text)
    good = rows / GOOD_ROWS
    return files_in(good, (".parquet",)) if exists(good) else [], count
