"""A lock file in a folder that belongs to one process: the system releases it when the process ends, killed too."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

LOCK: Final = "lock"
"""Lock file in a temporary folder."""


def locked(file: Path) -> BinaryIO:
    """Return a lock file, made if it is not there and locked until it is closed.

    Raises:
        BlockingIOError: another process holds it, or removed it at this moment.
        OSError: it cannot be made, or the file system has no locks.
    """
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600)
    lock = os.fdopen(descriptor, "r+b", buffering=0)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise
    if is_in_place(lock, file):
        return lock
    lock.close()  # the holder removes the file before it lets go, and a lock on a removed file protects nothing
    raise BlockingIOError(f"{file}: was removed by another process")


def is_in_place(lock: BinaryIO, file: Path) -> bool:
    """Return whether an open file is still what its path names."""
    try:
        return os.path.samestat(file.stat(), os.fstat(lock.fileno()))
    except OSError:
        return False


@contextmanager
def scratch_folder(prefix: str) -> Iterator[str]:
    """Give a temporary folder, and remove those with the same prefix whose processes were killed."""
    made = Path(tempfile.mkdtemp(prefix=f".{prefix}"))
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(made / LOCK))
        except OSError:  # the file system has no locks: without the file nothing takes the folder for left
            (made / LOCK).unlink(missing_ok=True)
        folder = made.rename(made.with_name(made.name[1:]))  # no folder has this name before it is locked
        try:
            for left in folder.parent.glob(f"{prefix}*"):
                if left != folder:
                    _remove_if_left(left)
            yield str(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _remove_if_left(folder: Path) -> None:
    """Remove a folder of this user's that no process holds; one without a lock file is not known to be left."""
    with suppress(OSError):
        if folder.lstat().st_uid == os.getuid() and (folder / LOCK).is_file():
            with locked(folder / LOCK):
                shutil.rmtree(folder)
