"""What a canary keeps: each run with a change, and a line for every run."""

import fcntl
import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from mqconform.harness.iut.interface import ConfigurationError
from mqconform.reports.comparison.compare import Comparison, compare_files

LOG: Final = "canary.ndjson"
"""A line for each run: when it was, how many changes of each cause there were, and where it is kept."""
RUNNING: Final = ".running"
"""The run that is made now, or that was killed."""
LOCK: Final = ".lock"


@dataclass(frozen=True, slots=True)
class History:
    """The folder of a canary; runs stand in folders that are called by their moment."""

    folder: Path

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep other canaries out.

        Raises:
            ConfigurationError: one is at work, or the folder cannot be written.
        """
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / LOCK).open("w")
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            remedy = "wait, or give each a folder of its own"
            raise ConfigurationError(f"--keep {self.folder}: another canary is at work there; {remedy}") from error
        except OSError as error:
            remedy = "name a folder that can be written"
            raise ConfigurationError(f"--keep {self.folder}: {error.strerror}; {remedy}") from error
        with lock:
            yield

    def empty(self, name: str) -> Path:
        """Return where a run is to be made; what a killed one has left there is removed."""
        place = self.folder / name
        shutil.rmtree(place, ignore_errors=True)
        return place

    def last(self) -> Path | None:
        """Return the last run that is kept, None where there is none."""
        return max((run for run in self.folder.iterdir() if run.is_dir() and run.name[0] != "."), default=None)

    def compare(self, run: Path, again: Sequence[Path] = ()) -> Comparison | None:
        """Compare a run with the last that is kept; None where it is the first.

        Raises:
            ConfigurationError: what is kept cannot be used.
        """
        last = self.last()
        try:
            return compare_files(last, run, again) if last else None
        except ValueError as error:
            raise ConfigurationError(f"{error}; remove that run from --keep, or name another folder") from error

    def keep(self, run: Path, comparison: Comparison | None) -> None:
        """Keep a run if it is the first or has a change, and log it."""
        moment = datetime.now(UTC)
        is_kept = comparison is None or bool(comparison.changes)
        name = moment.strftime("%Y-%m-%dT%H%M%S.%fZ")
        if is_kept:
            run.rename(self.folder / name)
        else:
            shutil.rmtree(run)
        counts = {cause.value: number for cause, number in comparison.counts().items()} if comparison else {}
        line = {"at": moment.isoformat(timespec="seconds"), "changes": counts, "kept": name if is_kept else None}
        with (self.folder / LOG).open("a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")
