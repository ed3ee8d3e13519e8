"""Which runs of a history are looked at, read by pyarrow."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import pyarrow as pa
import pyarrow.dataset as ds

from mqconform.reports.pipeline.history.store import Store
from mqconform.reports.pipeline.history.tables import MONTH, RUNS_FILE, SCORES_FILE
from mqconform.reports.pipeline.problems import UnusableInput

NEVER_EMPTY: Final = frozenset({"run", "time", "requirements", "cases", "score", "mutants", "killed"})


@dataclass(frozen=True, slots=True)
class Selection:
    """Which runs are looked at; empty and None mean all."""

    vendor: str = ""
    name: str = ""
    profile: str = ""
    build: str = ""
    since: datetime | None = None

    @property
    def choices(self) -> dict[str, str]:
        """Columns, each with the one value of it that is looked at."""
        columns = {"vendor": self.vendor, "name": self.name, "profile": self.profile, "build": self.build}
        return {column: choice for column, choice in columns.items() if choice}


def month_of(time: datetime) -> str:
    """Return the month in UTC, which is a folder of the history; a time without a zone is in UTC."""
    return f"{time.astimezone(UTC) if time.tzinfo else time:%Y-%m}"


def check_named(runs: Collection[str], then: str, now: str) -> None:
    """Refuse identities, which may be shortened, that do not name two different runs.

    Args:
        runs: identities of the runs that either of the two may mean.
        then: the earlier run.
        now: the later run.

    Raises:
        UnusableInput: naming the identity.
    """
    named = [run for run in runs if run.startswith((then, now))]
    for identity in (then, now):
        number = sum(run.startswith(identity) for run in named)
        if number != 1:
            how = "names no run that is looked at" if not number else f"names {number} runs"
            raise UnusableInput(
                f"--between: {identity[:40]!r} {how}; give the first characters as `history trend` shows them"
            )
    if len(named) != 2:
        raise UnusableInput("--between: names one run twice; give two")


def stored_rows(
    store: Store,
    table: str,
    selection: Selection,
    without: Sequence[str] = (),
    only: tuple[str, Sequence[str]] | None = None,
) -> list[dict[str, Any]]:
    """Return the rows of ``RUNS_FILE`` or ``SCORES_FILE`` that a selection leaves.

    Args:
        store: the history.
        table: ``runs`` or ``scores``.
        selection: which rows.
        without: columns that are left out.
        only: a column, and the values in it of the rows that are wanted.

    Raises:
        UnusableInput: a file of the history cannot be read.
    """
    shape = {"runs": RUNS_FILE, "scores": SCORES_FILE}[table]
    condition = ds.scalar(value=True)
    for column, choice in selection.choices.items():
        condition = condition & (ds.field(column) == choice)
    if selection.since:
        since = pa.scalar(selection.since, shape.field("time").type)
        condition = condition & (ds.field("month") >= month_of(selection.since)) & (ds.field("time") >= since)
    if only:
        condition = condition & ds.field(only[0]).isin(list(only[1]))
    try:
        folders = ds.partitioning(MONTH, flavor="hive")
        dataset = ds.dataset(store.table(table), pa.unify_schemas([shape, MONTH]), "parquet", partitioning=folders)
        columns = [name for name in shape.names if name not in without]
        rows = dataset.to_table(columns, filter=condition)
    except (pa.ArrowException, OSError) as error:
        raise UnusableInput(f"the history cannot be read: {error}") from error
    if lacking := sorted(NEVER_EMPTY.intersection(name for name in columns if rows[name].null_count)):
        raise UnusableInput(f"the history cannot be read: a file of {store.table(table)} lacks {', '.join(lacking)}")
    return list(rows.to_pylist())
