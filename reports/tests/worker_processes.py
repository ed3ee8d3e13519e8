"""The processes below a worker of Spark: what they write and hold, how they are held up, and their end."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path


class Gate:
    """A Python that does not start before a test lets it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder, self._opened = folder, folder / "opened"
        self.python = folder / "python"
        self.python.write_text(f"""#!/bin/sh
: > '{folder}/'$$.waits
until [ -e '{self._opened}' ]; do sleep 0.1; done
exec '{sys.executable}' "$@"
""")
        self.python.chmod(0o755)

    def waiting(self) -> set[int]:
        """Return the processes that have come to the gate."""
        return {int(mark.stem) for mark in self._folder.glob("*.waits")}

    def open(self) -> None:
        self._opened.touch()


def kill_whole(started: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it has started."""
    for process in (started.pid, *descendants(started.pid)):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
    started.wait()


def parts_of_a_shuffle(worker: subprocess.Popen[bytes]) -> list[Path]:
    """Return the indices of what the executors of a worker hold for those of others, in its own temporary folder."""
    return list(Path(f"/proc/{worker.pid}/root{tempfile.gettempdir()}").glob("spark-*/*/blockmgr-*/*/shuffle_*.index"))


def writes_below(folder: Path, process: int) -> bool:
    """Tell whether a process has a file below a folder open for writing."""
    with contextlib.suppress(OSError):
        for one in Path(f"/proc/{process}/fd").iterdir():
            if str(one.readlink()).startswith(str(folder)) and _is_written(process, one.name):
                return True
    return False


def _is_written(process: int, number: str) -> bool:
    told = Path(f"/proc/{process}/fdinfo/{number}").read_text().splitlines()
    flags = next(int(line.split()[1], 8) for line in told if line.startswith("flags:"))
    return flags & os.O_ACCMODE != os.O_RDONLY


def descendants(process: int) -> list[int]:
    """Return the processes below one, those that others started before what they started."""
    found = []
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            children = [int(child) for child in (thread / "children").read_text().split()]
            found += [one for child in children for one in (child, *descendants(child))]
    return found
