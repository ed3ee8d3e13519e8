"""The folder of a history: a file for each run, named by content, that appears whole or not at all.

Nothing is ever changed or deleted, a run is one row in one file, and its name follows from its content, so that two
processes that add the same run write the same file (docs/history.md).
"""

import contextlib
import io
import json
import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.shapes import columns

_TIME: Final = pa.timestamp("us", tz="UTC")
_TEXTS: Final = pa.list_(pa.string())


RUNS_FILE: Final = columns(
    "run time harness specifications profile seed:int64 selection kind target vendor name version build roles question "
    "ended:bool exit_code:int32 requirements cases environment results:binary",
    time=_TIME,
    specifications=pa.map_(pa.string(), pa.string()),
    roles=_TEXTS,
    requirements=pa.list_(pa.struct(columns("requirement level standing witnesses:int32"))),
    cases=pa.list_(pa.struct(columns("case status"))),
)
"""A stored run.

``run`` is its identity, ``question`` a fingerprint of all that was asked and of whom: runs of one question should
answer alike. ``results`` is the result file, compressed by zlib.
"""

SCORES_FILE: Final = columns(
    "score time harness measure mutants:int32 killed:int32 survivors", time=_TIME, survivors=_TEXTS
)
MONTH: Final = columns("month")
"""The partition, by which files lie in folders."""

KEY: Final = ("vendor", "name", "profile", "selection")
"""What makes runs comparable over time: one implementation, judged in one way."""
WHEN: Final = ("time", "run", "version")
"""Columns that order runs, and name one."""

STANDINGS: Final = ("verified", "violated", "inconclusive", "unverified")
"""Standings that are counted for each run."""
VERSIONS: Final = ("vendor", "name", "profile", "requirement", "version")


FORMAT: Final = 1
MARK: Final = "history.json"
PARTIAL: Final = ".partial"
"""Folder of files that are being written; one that stays there is of an addition that was killed, and harmless."""

_SCHEMAS: Final = {"runs": (RUNS_FILE, "run"), "scores": (SCORES_FILE, "score")}

Row = dict[str, Any]


def prepare(store: Path) -> None:
    """Make a folder a history where it is new or empty.

    Raises:
        UnusableInput: it is of something else or of another format, or cannot be written.
    """
    with _refusing_errors(store):
        store.mkdir(parents=True, exist_ok=True)
        strange = {path.name for path in store.iterdir()} - {PARTIAL, MARK, *_SCHEMAS}
        if strange and not (store / MARK).exists():
            raise UnusableInput(f"--store {store}: holds {min(strange)} and is not a history; name a new folder")
        for folder in (PARTIAL, *_SCHEMAS):
            (store / folder).mkdir(exist_ok=True)
        if not (store / MARK).exists():
            _publish(store, store / MARK, json.dumps({"format": FORMAT}).encode("ascii"))
    check(store)


def check(store: Path) -> None:
    """Refuse a folder that is no history of this format.

    Raises:
        UnusableInput: it is not; the text says what to do.
    """
    try:
        store_format = json.loads((store / MARK).read_text("utf-8"))["format"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise UnusableInput(
            f"--store {store}: is not a history; `mqconform history add RESULTS --store {store}` makes one"
        ) from None
    if store_format != FORMAT:
        raise UnusableInput(
            f"--store {store}: has format {store_format!r:.20}, this is for {FORMAT}; use its mqconform"
        )


def add_row(store: Path, table: str, row: Row) -> bool:
    """Add a row to a history and return True, or False where it is there already.

    Raises:
        UnusableInput: the folder cannot be written.
    """
    schema, identity = _SCHEMAS[table]
    file = store / table / f"month={row['time']:%Y-%m}" / f"{row[identity]}.parquet"
    if file.exists():
        return False
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist([row], schema), out, compression="zstd")
    with _refusing_errors(store):
        file.parent.mkdir(exist_ok=True)
        _publish(store, file, out.getvalue())
    return True


def _publish(store: Path, file: Path, octets: bytes) -> None:
    partial = store / PARTIAL / uuid4().hex
    with partial.open("xb") as out:
        out.write(octets)
        out.flush()
        os.fsync(out.fileno())
    partial.replace(file)


@contextlib.contextmanager
def _refusing_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UnusableInput(f"--store {path}: {error.strerror or error}; name a folder that can be written") from error


NEVER_EMPTY: Final = frozenset({"run", "time", "requirements", "cases", "score", "mutants", "killed"})


def check_named(runs: Collection[str], then: str, now: str) -> None:
    """Refuse identities, which may be shortened, that do not name two different runs of those looked at.

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
    store: Path,
    table: str,
    selection: Mapping[str, Any],
    without: Sequence[str] = (),
    only: tuple[str, Sequence[str]] | None = None,
) -> list[dict[str, Any]]:
    """Return the rows of ``runs`` or ``scores`` that a selection leaves, ``only`` those with some values in a column.

    A selection has values of columns, and the time ``since``; empty and None mean all.

    Raises:
        UnusableInput: a file of the history cannot be read.
    """
    folder, shape, condition = str((store / table).resolve()), _SCHEMAS[table][0], ds.scalar(value=True)
    for column, choice in selection.items():
        if choice and column != "since":
            condition = condition & (ds.field(column) == choice)
    if time := selection.get("since"):
        month = f"{time.astimezone(UTC) if time.tzinfo else time:%Y-%m}"  # by which files lie in folders, in UTC
        since = pa.scalar(time, shape.field("time").type)
        condition = condition & (ds.field("month") >= month) & (ds.field("time") >= since)
    if only:
        condition = condition & ds.field(only[0]).isin(list(only[1]))
    try:
        folders = ds.partitioning(MONTH, flavor="hive")
        dataset = ds.dataset(folder, pa.unify_schemas([shape, MONTH]), "parquet", partitioning=folders)
        names = [name for name in shape.names if name not in without]
        rows = dataset.to_table(names, filter=condition)
    except (pa.ArrowException, OSError) as error:
        raise UnusableInput(f"the history cannot be read: {error}") from error
    if lacking := sorted(NEVER_EMPTY.intersection(name for name in names if rows[name].null_count)):
        raise UnusableInput(f"the history cannot be read: a file of {folder} lacks {', '.join(lacking)}")
    return list(rows.to_pylist())
