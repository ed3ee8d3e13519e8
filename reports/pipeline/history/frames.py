"""What a history shows, as functions from DataFrame to DataFrame: ``shown`` on the rows that Spark brings together."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyspark.sql import functions as F  # noqa: N812 - the name that everybody gives it
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reports.pipeline.failed_jobs import JOB_FAILURES, root_cause
from mqconform.reports.pipeline.groups import judge_groups
from mqconform.reports.pipeline.history import shown, tables
from mqconform.reports.pipeline.history.pair_changes import changes_of
from mqconform.reports.pipeline.history.selection import Selection, month_of
from mqconform.reports.pipeline.history.store import Store
from mqconform.reports.pipeline.history.tables import KEY, WHEN
from mqconform.reports.pipeline.problems import UnusableInput

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    Tables = dict[str, DataFrame]

ROWS_TOGETHER: Final = 2**15
"""Rows that are objects of Python at a time, unless one group has more."""
Rows = Callable[[Iterable[dict[str, Any]]], Iterable[dict[str, Any]]]


def stored_runs(spark: "SparkSession", store: Store) -> "DataFrame":
    """Return all runs, rows of ``RUNS_FILE`` with ``month``."""
    return _stored(spark, store, "runs", tables.RUNS_FILE)


def stored_scores(spark: "SparkSession", store: Store) -> "DataFrame":
    """Return all mutation scores, rows of ``SCORES_FILE`` with ``month``."""
    return _stored(spark, store, "scores", tables.SCORES_FILE)


def _stored(spark: "SparkSession", store: Store, table: str, shape: pa.Schema) -> "DataFrame":
    return spark.read.schema(from_arrow_schema(pa.schema([*shape, *tables.MONTH]))).parquet(store.table(table))


def selected(runs: "DataFrame", selection: Selection) -> "DataFrame":
    """Return the rows of ``RUNS_FILE`` that a selection leaves; only the months that matter are read."""
    for column, choice in selection.choices.items():
        runs = runs.where(F.col(column) == choice)
    return recent(runs, selection.since)


def recent(rows: "DataFrame", since: datetime | None) -> "DataFrame":
    """Return the rows from a time on."""
    if since is None:
        return rows
    return rows.where((F.col("month") >= month_of(since)) & (F.col("time") >= F.lit(since)))


def findings(runs: "DataFrame") -> "DataFrame":
    """Return a row of ``FINDINGS`` for each requirement of each run; from rows of ``RUNS_FILE``."""
    return runs.select(*KEY, *WHEN, F.inline("requirements")).select(*tables.FINDINGS.names)


def answers(runs: "DataFrame") -> "DataFrame":
    """Return a row of ``ANSWERS`` for each case of each run; from rows of ``RUNS_FILE``."""
    return runs.select(*KEY, "question", "build", "run", F.inline("cases"))


def coverage(runs: "DataFrame") -> "DataFrame":
    """Return ``shown.coverage`` of rows of ``RUNS_FILE``."""
    return _each(runs.select(*KEY, *WHEN, "ended", "exit_code", "requirements"), shown.coverage, tables.COVERAGE)


def first_bad(rows: "DataFrame") -> "DataFrame":
    """Return ``shown.first_bad`` of rows of ``FINDINGS``."""
    return _together(rows, (*KEY, "requirement"), shown.first_bad, tables.FIRST_BAD)


def matrix(rows: "DataFrame") -> "DataFrame":
    """Return ``shown.matrix`` of rows of ``FINDINGS``."""
    return _together(rows, tables.VERSIONS, shown.matrix, tables.MATRIX)


def flakes(answered: "DataFrame") -> "DataFrame":
    """Return ``shown.flakes`` of rows of ``ANSWERS``."""
    return _together(answered, (*KEY, "case"), shown.flakes, tables.FLAKES)


def mutation(scores: "DataFrame") -> "DataFrame":
    """Return ``shown.mutation`` of rows of ``SCORES_FILE``."""
    return _each(scores, shown.mutation, tables.MUTATION)


def changes(runs: "DataFrame", pairs: Sequence[shown.Pair]) -> "DataFrame":
    """Return a row of ``CHANGES`` for each thing that differs within a pair; from rows of ``RUNS_FILE``."""
    places = [
        (number, place, run["run"])
        for number, pair in enumerate(pairs)
        for place, run in enumerate((pair.then, pair.now, *pair.again))
    ]
    chosen = runs.sparkSession.createDataFrame(places, "pair int, place int, run string")
    rows = runs.select(*KEY, "run", "results", "environment").join(F.broadcast(chosen), "run")

    def compare(pair: pa.Table) -> pa.Table:
        then, now, *again = pair.sort_by("place").to_pylist()
        return pa.Table.from_pylist([*changes_of(then, now, again)], schema=tables.CHANGES)

    return rows.groupBy("pair").applyInArrow(compare, from_arrow_schema(tables.CHANGES))


def trend_tables(runs: "DataFrame", scores: "DataFrame") -> "Tables":
    """Return what ``trend`` shows, from rows of ``RUNS_FILE`` and ``SCORES_FILE``, by the names of its document."""
    of_requirements = findings(runs)
    return {
        "coverage": coverage(runs),
        "first_bad": first_bad(of_requirements),
        "matrix": matrix(of_requirements),
        "flakes": flakes(answers(runs)),
        "mutation": mutation(scores),
    }


def regress_tables(runs: "DataFrame", between: tuple[str, str] | None, *, every: bool) -> "Tables":
    """Return what ``regress`` shows, from rows of ``RUNS_FILE``, by the names of its document; see ``pairs_of``.

    Raises:
        UnusableInput: ``between`` names no two runs, or a file of the history cannot be read.
    """
    listed = rows_of(runs.select(*KEY, "run", "time", "question", "ended"))
    pairs = shown.pairs_of(listed, between, every=every)
    rows = pa.Table.from_pylist([pair.row() for pair in pairs], schema=tables.RUN_PAIRS)
    return {
        "pairs": runs.sparkSession.createDataFrame(rows),
        "changes": changes(runs, pairs),
        "first_bad": first_bad(findings(runs)),
    }


def records(shown_tables: Mapping[str, "DataFrame"]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of several DataFrames.

    Raises:
        UnusableInput: a file of the history cannot be read.
    """
    return {name: rows_of(table) for name, table in shown_tables.items()}


def rows_of(table: "DataFrame") -> list[dict[str, Any]]:
    """Return the rows of a DataFrame; see ``records``."""
    try:
        return list(table.toArrow().to_pylist())
    except JOB_FAILURES as error:
        raise UnusableInput(f"the history cannot be read: {root_cause(error)}") from error


def _each(rows: "DataFrame", function: Rows, shape: pa.Schema) -> "DataFrame":
    def apply(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield pa.RecordBatch.from_pylist([*function(batch.to_pylist())], schema=shape)

    return rows.mapInArrow(apply, from_arrow_schema(shape))


def _together(rows: "DataFrame", keys: tuple[str, ...], function: Rows, shape: pa.Schema) -> "DataFrame":
    def apply(table: pa.Table) -> pa.Table:
        return pa.Table.from_pylist([*function(table.to_pylist())], schema=shape)

    return judge_groups(rows, keys, apply, from_arrow_schema(shape), ROWS_TOGETHER)
