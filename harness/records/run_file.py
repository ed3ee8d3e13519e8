"""The result file: one JSON object per line, written as it happens.

The file is the source of truth; every other output derives from it. It holds no clock time and no machine's
name, so that the same run writes the same octets; those stand in ``environment.json`` beside it.
Shapes: features/schemas/results.schema.json.
"""

import contextlib
import fcntl
import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from mqconform.harness.records.problem import ConfigurationError
from mqconform.harness.records.results import AnyRecord, line_of

RESULTS = "results.ndjson"
ENVIRONMENT = "environment.json"
LOCK = ".lock"
CAPTURES = "captures"
"""Folder with what passed on the networks of clients with the real clock."""
OWN_FILES = (RESULTS, ENVIRONMENT, "junit.xml")
"""Files of an earlier run that a new run into the same directory replaces."""


class ResultWriter:
    """Append records to the result file; each is on its way to disk when ``write`` returns."""

    def __init__(self, path: Path, keep: int = 0) -> None:
        """Open the file, emptied but for its first ``keep`` octets."""
        self.path = path
        if keep:
            os.truncate(path, keep)
        self._file = path.open("a" if keep else "w", encoding="ascii", buffering=1)

    def write(self, record: AnyRecord) -> None:
        """Append one record as one line."""
        self._file.write(line_of(record))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()


@contextlib.contextmanager
def run_directory(path: Path, *, clear: bool = True) -> Iterator[Path]:
    """Claim a directory for one run: make it, lock it, clear what an earlier run of ours left.

    Args:
        path: the directory.
        clear: False leaves what an earlier run left, to go on with it.

    Raises:
        ConfigurationError: it cannot be made or written, or another run is writing there now.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = (path / LOCK).open("w")
    except OSError as error:
        raise ConfigurationError(
            f"--out {path}: {error.strerror or error}; name a directory that can be written"
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ConfigurationError(f"--out {path}: another run is writing there; name another directory") from None
        for name in OWN_FILES if clear else ():
            (path / name).unlink(missing_ok=True)
        yield path


def write_environment(directory: Path, command: list[str], parts: Sequence[Mapping[str, Any]] = ()) -> None:
    """Record when and where the run took place, apart from the results themselves; ``parts`` are those of shards."""
    packages = ("mqconform", "pytest", "pytest-bdd", "hypothesis", "scapy")
    facts: dict[str, Any] = {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "cores": os.cpu_count(),
        "packages": {name: version(name) for name in packages},
    }
    if parts:
        facts["parts"] = list(parts)
    (directory / ENVIRONMENT).write_text(json.dumps(facts, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def read_environment(directory: Path) -> dict[str, Any]:
    """Return what a run recorded of its surroundings, nothing where that is lost."""
    try:
        found = json.loads((directory / ENVIRONMENT).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
