"""What is behind ``mqconform history``: Parquet, read by pyarrow."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from mqconform.reports.pipeline.history import documents, shown
from mqconform.reports.pipeline.history.selection import Selection, stored_rows
from mqconform.reports.pipeline.history.store import Store
from mqconform.reports.pipeline.history.stored_run import stored_run, stored_score

Rendered = tuple[dict[str, Any], str, str]
"""A document, the same as JSON text, and text for a reader."""

PACKED: Final = ("results", "environment")
"""What only a comparison of runs needs."""


def add(store: Path, results: Sequence[Path], at: datetime | None) -> list[tuple[Path, str, bool]]:
    """Add runs, and kill matrices, to a history, which is made where there is none.

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


def trend(store: Path, selection: Mapping[str, Any]) -> Rendered:
    """Return what a history shows over time.

    Args:
        store: the history.
        selection: the attributes of ``Selection``.

    Raises:
        UnusableInput: the folder is no history, or a file of it cannot be read.
    """
    history, chosen = _checked(store), Selection(**selection)
    runs = stored_rows(history, "runs", chosen, without=PACKED)
    scores = stored_rows(history, "scores", Selection(since=chosen.since))
    document = documents.trend_document(shown.trend_tables(runs, scores))
    return document, documents.json_text(document), documents.trend_text(document)


def regress(store: Path, selection: Mapping[str, Any], between: tuple[str, str] | None, *, every: bool) -> Rendered:
    """Return what differs between runs and those before them; see ``trend`` and ``shown.pairs_of``.

    Raises:
        UnusableInput: as ``trend``, or ``between`` names no two runs.
    """
    history, chosen = _checked(store), Selection(**selection)
    runs = stored_rows(history, "runs", chosen, without=PACKED)

    def packed(names: Sequence[str]) -> dict[str, dict[str, Any]]:
        return {row["run"]: row for row in stored_rows(history, "runs", chosen, only=("run", names))}

    document = documents.regress_document(shown.regress_tables(runs, between, packed, every=every))
    return document, documents.json_text(document), documents.regress_text(document)


def _checked(store: Path) -> Store:
    history = Store(store)
    history.check()
    return history
