"""The keeper of a server: a process of its own that ends the server and removes its folder when the wrapper is gone.

It is told by lines of JSON what to do. The end of its input, also by a killed wrapper, is the order to clean up; and
the kernel kills the server where the keeper itself is killed. The next keeper then removes the folder.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

SECONDS_TO_STOP = 30
LOCK = "lock"
IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
DIE_WITH_PARENT = ("setpriv", "--pdeathsig", "KILL", "--")


class Keeper:
    """Programs that make up one server; the last one started is the server proper."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs: list[subprocess.Popen[bytes]] = []

    def start(self, order: dict[str, object]) -> None:
        """Start the programs of a server."""
        with (self.folder / "output").open("ab") as output:
            for program in order["programs"]:
                self.programs.append(
                    subprocess.Popen(  # noqa: S603 - the wrapper's own programs
                        [*DIE_WITH_PARENT, *program],
                        cwd=self.folder,
                        env=order["environment"],
                        stdin=subprocess.DEVNULL,
                        stdout=output,
                        stderr=output,
                        start_new_session=True,
                    )
                )

    def stop(self, _order: dict[str, object]) -> None:
        """End the server as an administrator does."""
        if self.programs:
            self.programs[-1].terminate()
            try:
                self.programs[-1].wait(SECONDS_TO_STOP)
            except subprocess.TimeoutExpired:
                print("the server was killed, as it did not stop", file=sys.stderr)
        self.kill({})

    def kill(self, _order: dict[str, object]) -> None:
        """End the server at once, with all processes that it has started."""
        for program in self.programs:
            if program.poll() is None:
                os.killpg(program.pid, signal.SIGKILL)
            program.wait()
        self.programs.clear()

    def alive(self) -> bool:
        """Return whether every program runs."""
        return bool(self.programs) and all(each.poll() is None for each in self.programs)


def main() -> None:
    """Do what the wrapper says until it is gone, then clean up."""
    for ignored in IGNORED:
        signal.signal(ignored, lambda *_: None)  # not SIG_IGN, which the server would inherit
    folder, lock = own_folder(f"mqconform-{sys.argv[1]}-")
    keeper = Keeper(folder)
    orders = {"start": keeper.start, "stop": keeper.stop, "crash": keeper.kill, "look": lambda _: None}
    try:
        answer(folder=str(folder))
        for line in sys.stdin:
            order = json.loads(line)
            orders[order["do"]](order)
            answer(alive=keeper.alive())
    except BrokenPipeError:
        pass  # the wrapper is gone
    finally:
        keeper.kill({})
        remove(folder)
        lock.close()


def own_folder(prefix: str) -> tuple[Path, BinaryIO]:
    """Return a new folder with its lock, and remove those of keepers that were killed."""
    made = Path(tempfile.mkdtemp(prefix=f".{prefix}"))
    lock = (made / LOCK).open("wb")
    fcntl.flock(lock, fcntl.LOCK_EX)
    folder = made.rename(made.with_name(made.name[1:]))  # no folder has this name without a lock
    for left in folder.parent.glob(f"{prefix}*/{LOCK}"):
        with suppress(OSError), left.open("rb") as other:  # that of another user, or one that is in use
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(left.parent)
    return folder, lock


def answer(**values: object) -> None:
    """Tell the wrapper that an order is done."""
    print(json.dumps(values), flush=True)


def remove(folder: Path) -> None:
    """Remove the folder; what the server was writing when it was killed may need a second time.

    The lock goes last: a folder whose keeper is killed meanwhile is left for the next one, which knows it by its lock.
    """
    for _ in range(5):
        for entry in folder.glob("*"):
            if entry.is_dir() and not entry.is_symlink():
                shutil.rmtree(entry, ignore_errors=True)
            elif entry.name != LOCK:
                entry.unlink(missing_ok=True)
        if [entry.name for entry in folder.glob("*")] in ([LOCK], []):
            shutil.rmtree(folder, ignore_errors=True)
        if not folder.exists():
            return
        time.sleep(0.2)


if __name__ == "__main__":
    main()
