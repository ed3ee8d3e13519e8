"""The pipelines behind ``mqconform history``."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from mqconform.reports.pipeline.history.store import Store
from mqconform.reports.pipeline.history.stored_run import stored_run
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.session import settings_of, spark_session
from mqconform.reports.pipeline.watching import watched

Document = dict[str, Any]

SMALL_BATCHES: Final = "16"
"""Pairs of runs handed to Python at a time: each holds result files."""


def add(store: Path, results: Sequence[Path], at: datetime | None) -> list[tuple[Path, str, bool]]:
    """Add runs to a history, which is made where there is none; Spark is not started for it.

    Returns:
        For each: where it was, its identity, and whether it was not there yet.

    Raises:
        UnusableInput: a run cannot be used, and then none is added, or the folder cannot be written.
    """
    rows = [(one, stored_run(one, at)) for one in results]
    kept = Store(store)
    kept.prepare()
    return [(path, row["run"], kept.add("runs", row)) for path, row in rows]


def trend(
    master: str | None, conf: tuple[str, ...], store: Path, selection: Mapping[str, Any]
) -> tuple[Document, str, str]:
    """Return what a history shows over time: the document, as JSON text, and as text for a reader."""
    from mqconform.reports.pipeline.history import documents, frames, reading  # noqa: PLC0415 - need Spark

    kept, chosen = Store(store), reading.Selection(**selection)
    kept.check()
    with spark_session(settings_of(master, conf), "mqconform history") as spark, watched(spark, "reading the history"):
        runs = reading.selected(reading.stored_runs(spark, kept), chosen)
        found = frames.findings(runs)
        scores = reading.recent(reading.stored_scores(spark, kept), chosen.since)
        tables = {
            "coverage": frames.coverage(runs),
            "first_bad": frames.first_bad(found),
            "matrix": frames.matrix(found),
            "flakes": frames.flakes(frames.answers(runs)),
            "mutation": frames.mutation(scores),
        }
        document = documents.trend_document(reading.records(tables))
    return document, documents.json_text(document), documents.trend_text(document)


def regress(
    master: str | None,
    conf: tuple[str, ...],
    store: Path,
    selection: Mapping[str, Any],
    between: tuple[str, str] | None,
    every: bool,  # noqa: FBT001 - an option of the command line
) -> tuple[Document, str, str]:
    """Return what differs between runs and those before them: the document, as JSON text, and as text.

    Args:
        master: Spark's master.
        conf: Spark's configuration.
        store: the history.
        selection: which runs are looked at.
        between: identities of two runs, which may be shortened; None for the latest run of each implementation.
        every: whether each run is compared with the one before it, not the latest alone.
    """
    from mqconform.reports.pipeline.history import documents, frames, reading, regressions  # noqa: PLC0415 - need Spark

    kept = Store(store)
    kept.check()
    with spark_session(settings_of(master, conf), "mqconform history") as spark, watched(spark, "comparing runs"):
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", SMALL_BATCHES)
        runs = reading.selected(reading.stored_runs(spark, kept), reading.Selection(**selection))
        if between:
            pairs = regressions.chosen_pair(runs, *between)
        else:
            pairs = (regressions.all_pairs if every else regressions.latest_pairs)(runs)
        tables = {
            "pairs": pairs.drop("then_results", "now_results", "then_environment", "now_environment", "again"),
            "changes": regressions.changes(pairs),
            "first_bad": frames.first_bad(frames.findings(runs)),
        }
        document = documents.regress_document(reading.records(tables))
    if between and len(document["pairs"]) != 1:
        raise UnusableInput(f"--between {' '.join(between)}: names no two runs; give their identities as trend shows them")
    return document, documents.json_text(document), documents.regress_text(document)
