"""Trials as they end, in a file, so that a farm that was stopped goes on where it was."""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from mqconform.harness.explore.lines import lines_written, records_in
from mqconform.harness.explore.mutation.job import Job
from mqconform.harness.explore.mutation.trial import Trial
from mqconform.harness.iut.interface import Json
from mqconform.harness.suite.telling import KILLS

FOLDERS = ("features", "reference", "harness", "adapters")
KINDS = (".py", ".feature", ".toml", ".json", ".ini")


class Ledger:
    """The file of one farm: a line that says what was tried by what, then a line for each trial."""

    def __init__(self, path: Path) -> None:
        """Open the file.

        Raises:
            ConfigurationError: it cannot be written.
        """
        self._path, header = path, {"fingerprint": fingerprint()}
        self.earlier = dict(self._kept(header))
        if not self.earlier:
            with lines_written(path, [header]):
                pass

    def done(self, jobs: Iterable[Job]) -> dict[str, Trial]:
        """Return the trials that are there, by name."""
        return {job.name: self.earlier[key_of(job)] for job in jobs if key_of(job) in self.earlier}

    def add(self, job: Job, trial: Trial) -> None:
        """Keep a trial."""
        self.earlier[key_of(job)] = trial
        with self._path.open("a", encoding="ascii") as file:
            file.write(json.dumps({"key": key_of(job), "trial": trial.record()}) + "\n")

    def _kept(self, header: Json) -> Iterator[tuple[str, Trial]]:
        """Yield what an earlier farm of the same code left."""
        records = [record for _, record in records_in(self._path)] if self._path.exists() else []
        for record in records[1:] if records[:1] == [header] else ():
            with suppress(ValueError, KeyError, TypeError):
                yield record["key"], Trial.read(record["trial"])


def key_of(job: Job) -> str:
    """Return what tells a job from others."""
    return sha256(repr(job).encode()).hexdigest()[:24]


def fingerprint() -> str:
    """Return a digest of everything that decides what a trial comes to."""
    digest = sha256()
    for folder in FOLDERS:
        for path, file in _sources(files(f"mqconform.{folder}"), folder):
            digest.update(f"{path}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def _sources(folder: Traversable, path: str) -> Iterable[tuple[str, Traversable]]:
    for file in sorted(folder.iterdir(), key=lambda child: child.name):
        name = f"{path}/{file.name}"
        if file.is_dir():
            if file.name not in {"tests", "__pycache__", "cli"}:
                yield from _sources(file, name)
        elif file.name.endswith(KINDS) and file.name != KILLS:
            yield name, file
