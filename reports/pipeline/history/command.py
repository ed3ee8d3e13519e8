"""The pipelines behind ``mqconform history``."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from mqconform.reports.pipeline.history import documents, shown
from mqconform.reports.pipeline.history.selection import Selection, stored_rows
from mqconform.reports.pipeline.history.store import Store
from mqconform.reports.pipeline.history.stored_run import stored_run
from mqconform.reports.pipeline.history.stored_score import stored_score
from mqconform.reports.pipeline.session import FEW_ROWS, SessionSettings, settings_of, spark_session
from mqconform.reports.pipeline.watching import watched

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Rendered = tuple[dict[str, Any], str, str]
"""A document, the same as JSON text, and text for a reader."""

FEW_RUNS: Final = 500
"""Up to these a history is read without Spark: in two seconds where Spark takes ten to start."""
SMALL_BATCHES: Final = {"spark.sql.execution.arrow.maxRecordsPerBatch": "128"}
"""Runs handed to Python at a time: each holds some hundred cases and requirements."""
PACKED: Final = ("results", "environment")
"""What only a comparison of runs needs."""


def add(store: Path, results: Sequence[Path], at: datetime | None) -> list[tuple[Path, str, bool]]:
    """Add runs, and kill matrices, to a history, which is made where there is none; Spark is not started for it.

    Returns:
        For each: where it was, its identity, and whether it was not there yet.

    Raises:
        UnusableInput: one cannot be used, and then none is added, or the folder cannot be written.
    """
    rows = [(path, *_row(path, at)) for path in results]
    history = Store(store)
    history.prepare()
    return [(path, row[identity], history.add(table, row)) for path, table, identity, row in rows]


def _row(path: Path, at: datetime | None) -> tuple[str, str, dict[str, Any]]:
    if path.suffix == ".json":
        return "scores", "score", stored_score(path, at)
    return "runs", "run", stored_run(path, at)


def trend(master: str | None, conf: tuple[str, ...], store: Path, selection: Mapping[str, Any]) -> Rendered:
    """Return what a history shows over time; Spark is started where it is large, or where its settings are given.

    Args:
        master: Spark's master, None for all cores of this machine.
        conf: entries ``KEY=VALUE`` of Spark's configuration.
        store: the history.
        selection: the attributes of ``Selection``.

    Raises:
        UnusableInput: the folder is no history, or a file of it cannot be read.
        NoSpark: Spark does not start.
    """
    history, chosen = Store(store), Selection(**selection)
    if _in_memory(history, master, conf):
        runs = stored_rows(history, "runs", chosen, without=PACKED)
        document = documents.trend_document(
            shown.trend_tables(runs, stored_rows(history, "scores", Selection(since=chosen.since)))
        )
    else:
        with _looking(history, settings_of(master, conf), "reading the history") as spark:
            from mqconform.reports.pipeline.history import frames  # noqa: PLC0415 - needs Spark

            tables = frames.trend_tables(
                frames.selected(frames.stored_runs(spark, history), chosen),
                frames.recent(frames.stored_scores(spark, history), chosen.since),
            )
            document = documents.trend_document(frames.records(tables))
    return document, documents.json_text(document), documents.trend_text(document)


def regress(  # noqa: PLR0913, PLR0917 - each option of the command line
    master: str | None,
    conf: tuple[str, ...],
    store: Path,
    selection: Mapping[str, Any],
    between: tuple[str, str] | None,
    every: bool,  # noqa: FBT001 - as the command line hands it on
) -> Rendered:
    """Return what differs between runs and those before them; see ``trend`` and ``shown.pairs_of``.

    Raises:
        UnusableInput: as ``trend``, or ``between`` names no two runs.
        NoSpark: Spark does not start.
    """
    history, chosen = Store(store), Selection(**selection)
    if _in_memory(history, master, conf):
        tables = shown.regress_tables(stored_rows(history, "runs", chosen), between, every=every)
        document = documents.regress_document(tables)
    else:
        with _looking(history, settings_of(master, conf), "comparing runs") as spark:
            from mqconform.reports.pipeline.history import frames  # noqa: PLC0415 - needs Spark

            runs = frames.selected(frames.stored_runs(spark, history), chosen)
            document = documents.regress_document(frames.records(frames.regress_tables(runs, between, every=every)))
    return document, documents.json_text(document), documents.regress_text(document)


def _in_memory(store: Store, master: str | None, conf: tuple[str, ...]) -> bool:
    store.check()
    return master is None and not conf and store.size() <= FEW_RUNS


@contextmanager
def _looking(store: Store, settings: SessionSettings, doing: str) -> "Iterator[SparkSession]":
    tuned = SMALL_BATCHES | (FEW_ROWS if store.size() <= FEW_RUNS else {}) | dict(settings.conf)
    chosen = SessionSettings(settings.master, tuned)
    with spark_session(chosen, "mqconform history") as spark, watched(spark, doing):
        yield spark
