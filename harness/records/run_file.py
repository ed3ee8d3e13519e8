"""The result file: one JSON object per line, written as it happens.

The file is the source of truth; every other output derives from it. It holds no clock time and no machine's
name, so that the same run writes the same octets; those stand in ``environment.json`` beside it.
Shapes: features/schemas/results.schema.json.
"""

import contextlib
import errno
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

from mqconform.harness.records.problem import ConfigurationError, OutputLost
from mqconform.harness.records.results import AnyRecord, line_of

RESULTS = "results.ndjson"
ENVIRONMENT = "environment.json"
LOCK = ".lock"
CAPTURES = "captures"
"""Folder with what passed on the networks of clients with the real clock."""
PARTS = "shards"
"""Folder with the parts of a run in several processes while it lasts; if it is killed, --resume goes on with them."""
OWN_FILES = (RESULTS, ENVIRONMENT, "junit.xml")
"""Files of an earlier run that a new run into the same directory replaces."""


FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
"""What the system says where there is no room."""


def remedied(error: OSError, results: Path) -> str:
    """Return why what belongs to a result file cannot be written, and what to do."""
    named = error.filename is not None and error.filename != str(results)
    remedy = "make room" if error.errno in FULL else "make the folder writable again"
    reason = f"{error.filename}: {error.strerror}" if named else error.strerror or str(error)
    return f"{reason}; {remedy} and go on with --resume, the cases until now are kept"


class ResultWriter:
    """Append records to the result file; each is on its way to disk when ``write`` returns.

    Attributes:
        lost: why nothing is written any more, None while all is well.
    """

    def __init__(self, path: Path, keep: int = 0) -> None:
        """Open the file, emptied but for its first ``keep`` octets."""
        self.path = path
        self.lost: OutputLost | None = None
        if keep:
            os.truncate(path, keep)
        self._file = path.open("ab" if keep else "wb", buffering=0)
        self._size = keep

    def write(self, record: AnyRecord) -> None:
        """Append one record as one line.

        Raises:
            OutputLost: it cannot be written, or the file is no longer what was written; so does every later call.
        """
        if self.lost is None:
            try:
                self._append(line_of(record).encode("ascii"))
            except OSError as error:
                self.lose(remedied(error, self.path))
        if self.lost is not None:
            raise self.lost

    def lose(self, why: str) -> None:
        """Write nothing any more."""
        self.lost = OutputLost(f"{self.path}: {why}")

    def _append(self, line: bytes) -> None:
        state = os.fstat(self._file.fileno())
        if not self._is_in_place(state):
            self.lose("was taken away while it was written; run again, and leave --out alone until the run has ended")
        elif state.st_size != self._size:
            self.lose("was changed by another program during the run; run again, into a separate folder")
        elif self._file.write(line) == len(line):
            self._size += len(line)
        else:  # the last octets of a disk: whole lines alone are kept
            os.ftruncate(self._file.fileno(), self._size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def _is_in_place(self, state: os.stat_result) -> bool:
        try:
            return os.path.samestat(self.path.stat(), state)
        except (FileNotFoundError, NotADirectoryError):
            return False

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


def write_environment(
    directory: Path, command: list[str], parts: Sequence[Mapping[str, Any]] = (), source: str = ""
) -> None:
    """Record when and where the run took place, apart from the results themselves.

    Args:
        directory: where the results are.
        command: the words of the command line.
        parts: what shards recorded.
        source: the file of the user's repository that stands for the implementation, empty where none does.
    """
    packages = ("mqconform", "pytest", "pytest-bdd", "hypothesis")
    facts: dict[str, Any] = {
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": command,
        "python": sys.version.split()[0],
        "platform": platform.platform(),
        "cores": os.cpu_count(),
        "packages": {name: version(name) for name in packages},
    }
    if source:
        facts["source"] = source
    if parts:
        facts["parts"] = list(parts)
    (directory / ENVIRONMENT).write_text(json.dumps(facts, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def read_environment(directory: Path) -> dict[str, Any]:
    """Return what a run recorded of its surroundings, nothing where that is lost."""
    try:
        environment = json.loads((directory / ENVIRONMENT).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return environment if isinstance(environment, dict) else {}
