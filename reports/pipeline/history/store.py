"""The folder of a history: a file for each run, named by content, that appears whole or not at all.

No table format is needed for that: nothing is ever changed or deleted, a run is one row in one file, and its name
follows from its content, so that two processes that add the same run write the same file. A rename within a file
system makes it appear, and readers list what is there. Delta Lake or Iceberg would add a log that every addition has to
agree on, jars to fetch, and nothing that is asked for.
"""

import contextlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from mqconform.reports.pipeline.history.tables import RUNS_FILE, SCORES_FILE
from mqconform.reports.pipeline.problems import UnusableInput

FORMAT: Final = 1
MARK: Final = "history.json"
PARTIAL: Final = ".partial"
"""Folder of files that are being written; one that stays there is of an addition that was killed, and harmless."""

_SCHEMAS: Final = {"runs": (RUNS_FILE, "run"), "scores": (SCORES_FILE, "score")}

Row = dict[str, Any]


class Store:
    """One history on a file system."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def prepare(self) -> None:
        """Make the folder a history where it is new or empty.

        Raises:
            UnusableInput: it is of something else or of another format, or cannot be written.
        """
        with _refusing_errors(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            if not (self.path / MARK).exists():
                strange = {path.name for path in self.path.iterdir()} - {PARTIAL, MARK, *_SCHEMAS}
                if strange:
                    raise UnusableInput(
                        f"--store {self.path}: holds {min(strange)} and is no history; name a new folder"
                    )
            for folder in (PARTIAL, *_SCHEMAS):
                (self.path / folder).mkdir(exist_ok=True)
            if not (self.path / MARK).exists():
                self._publish(self.path / MARK, json.dumps({"format": FORMAT}).encode("ascii"))
        self.check()

    def check(self) -> None:
        """Refuse a folder that is no history of this format.

        Raises:
            UnusableInput: it is not; the text says what to do.
        """
        try:
            store_format = json.loads((self.path / MARK).read_text("utf-8"))["format"]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise UnusableInput(
                f"--store {self.path}: is no history; make one with `mqconform history add RESULTS --store {self.path}`"
            ) from None
        if store_format != FORMAT:
            raise UnusableInput(
                f"--store {self.path}: has format {store_format!r:.20}, this is for {FORMAT}; use its mqconform"
            )

    def table(self, name: str) -> str:
        """Return the folder of a table."""
        return str((self.path / name).resolve())

    def add(self, table: str, row: Row) -> bool:
        """Add a row and return True, or False where it is there already.

        Raises:
            UnusableInput: the folder cannot be written.
        """
        schema, identity = _SCHEMAS[table]
        file = self.path / table / f"month={row['time']:%Y-%m}" / f"{row[identity]}.parquet"
        if file.exists():
            return False
        out = io.BytesIO()
        pq.write_table(pa.Table.from_pylist([row], schema), out, compression="zstd")
        with _refusing_errors(self.path):
            file.parent.mkdir(exist_ok=True)
            self._publish(file, out.getvalue())
        return True

    def _publish(self, file: Path, octets: bytes) -> None:
        partial = self.path / PARTIAL / uuid4().hex
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
