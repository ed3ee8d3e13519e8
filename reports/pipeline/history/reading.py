"""Tables of a history as DataFrames, and DataFrames as records for JSON."""

import json
from collections.abc import Mapping
from datetime import datetime
from functools import reduce
from typing import TYPE_CHECKING, Any

from pyspark.sql import functions as F  # noqa: N812 - the name that everybody gives it

from mqconform.reports.pipeline.failed_jobs import JOB_FAILURES, root_cause
from mqconform.reports.pipeline.history.selection import Selection, check_named, month_of
from mqconform.reports.pipeline.history.store import Store
from mqconform.reports.pipeline.history.tables import RUNS, SCORES
from mqconform.reports.pipeline.problems import UnusableInput

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

Record = dict[str, Any]

_TIME = {"timestampFormat": "yyyy-MM-dd'T'HH:mm:ss'Z'", "ignoreNullFields": "false"}


def stored_runs(spark: "SparkSession", store: Store) -> "DataFrame":
    """Return all runs, rows of ``RUNS``."""
    return spark.read.schema(RUNS).parquet(store.table("runs"))


def stored_scores(spark: "SparkSession", store: Store) -> "DataFrame":
    """Return all mutation scores, rows of ``SCORES``."""
    return spark.read.schema(SCORES).parquet(store.table("scores"))


def selected(runs: "DataFrame", selection: Selection) -> "DataFrame":
    """Return the rows of ``RUNS`` that a selection leaves; only the months that matter are read."""
    for column in ("vendor", "name", "profile"):
        choice = getattr(selection, column)
        if choice:
            runs = runs.where(F.col(column) == choice)
    return recent(runs, selection.since)


def recent(rows: "DataFrame", since: datetime | None) -> "DataFrame":
    """Return the rows from a time on."""
    if since is None:
        return rows
    return rows.where((F.col("month") >= month_of(since)) & (F.col("time") >= F.lit(since)))


def check_two(runs: "DataFrame", then: str, now: str) -> None:
    """Refuse identities, which may be shortened, that do not name two different runs.

    Raises:
        UnusableInput: naming the identity.
    """
    check_named([row["run"] for row in runs.where(_begins(then) | _begins(now)).select("run").collect()], then, now)


def _begins(identity: str) -> Any:
    return F.col("run").startswith(identity)


def records(tables: Mapping[str, "DataFrame"]) -> dict[str, list[Record]]:
    """Return the rows of several DataFrames as records for JSON, all computed in one job; times are text in UTC.

    Raises:
        UnusableInput: a file of the history cannot be read.
    """
    named_tables = [table.select(F.lit(name).alias("table"), _as_json(table)) for name, table in tables.items()]
    by_table: dict[str, list[Record]] = {name: [] for name in tables}
    try:
        for row in reduce(lambda table, other: table.unionAll(other), named_tables).collect():
            by_table[row["table"]].append(json.loads(row["record"]))
    except JOB_FAILURES as error:
        raise UnusableInput(f"the history cannot be read: {root_cause(error)}") from error
    return by_table


def _as_json(table: "DataFrame") -> Any:
    return F.to_json(F.struct(*table.columns), _TIME).alias("record")
