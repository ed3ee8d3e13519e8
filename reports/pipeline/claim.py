"""A folder of this machine as the output of one command, taken over from one that was killed."""

import errno
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final
from uuid import uuid4

from mqconform.harness.records.problem import OutputLost
from mqconform.reports.pipeline.folder_lock import is_in_place, locked
from mqconform.reports.pipeline.problems import UnusableInput

STAGING: Final = "_staging"
"""Folder in an output that is unfinished: the lock, and what attempts of tasks have written."""
SUCCESS: Final = "_SUCCESS"
"""Says, as Hadoop's own committers do, that the output is whole."""
OUTPUTS: Final = (
    SUCCESS,
    "summary.json",
    "index.html",
    "verdicts",
    "quarantine",
    "routers.parquet",
    "site_pairs.parquet",
    "packets",
    "conversations",
    "streams",
    "findings",
    "messages",
    "broken",
    "hops",
    "vectors.json",
    "parquet",
    "jsonl",
)
"""All that commands write into a folder. Nothing else is ever removed; what says that an output is whole goes first."""

OWNER: Final = "owner"
"""Lock file in the staging folder."""
BEGUN: Final = b"The folder was empty when a command began to write here.\n"
"""Content of the lock file; without it nothing in the folder is taken for the work of a command that was killed."""
NO_LOCKS: Final = frozenset({errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL})
"""What a file system says that has no locks."""


@contextmanager
def claimed(out: Path) -> Iterator[None]:
    """Claim a folder for one command; an output that fails is removed from it.

    Raises:
        UnusableInput: the folder holds something already, or another command is writing there.
        OSError: the folder cannot be written.
        OutputLost: the folder was moved away or replaced meanwhile.
    """
    with _owned(out) as lock:
        try:
            yield
            _check_in_place(out, lock)
        except BaseException:
            with suppress(OSError):
                if is_in_place(lock, out / STAGING / OWNER):
                    _remove_outputs(out)
                    _release(out)
            raise
        with suppress(OSError):
            _release(out)


def _check_in_place(out: Path, lock: BinaryIO) -> None:
    if not is_in_place(lock, out / STAGING / OWNER):
        raise OutputLost(f"{out}: was moved or replaced while it was written; run again, and leave it alone")


def _owned(out: Path) -> BinaryIO:
    """Return the lock of a folder that is empty now, whatever a killed command left there."""
    if out.exists() and not out.is_dir():
        raise _not_empty(out)
    out.mkdir(parents=True, exist_ok=True)
    names = _names(out)
    if names and STAGING not in names:
        raise _not_empty(out)
    (out / STAGING).mkdir(exist_ok=True)
    try:
        lock = locked(out / STAGING / OWNER)
    except (BlockingIOError, FileNotFoundError) as error:
        raise UnusableInput(f"{out}: another command is writing there; name a new folder") from error
    except OSError as error:
        if error.errno not in NO_LOCKS or STAGING in names:
            raise
        lock = (out / STAGING / OWNER).open("r+b", buffering=0)
    try:
        _begin(out, lock)
    except BaseException:
        lock.close()
        raise
    return lock


def _begin(out: Path, lock: BinaryIO) -> None:
    """Empty the folder of what a killed command left, or note that it was empty and may be emptied likewise."""
    names = _names(out) - {STAGING}
    if lock.read() == BEGUN:
        if strange := names.difference(OUTPUTS):
            raise UnusableInput(
                f"{out}: was left unfinished by a command that was killed, and {min(strange)} is not its work; "
                "move that away, or name a new folder"
            )
        sys.stderr.write(f"{out}: what a command left unfinished that was killed is removed\n")
        _remove_outputs(out)
        _remove_attempts(out)
        return
    if names or _names(out / STAGING) != {OWNER}:
        with suppress(OSError):
            _release_lock(out)
        raise _not_empty(out)
    try:
        lock.seek(0)
        lock.truncate()
        lock.write(BEGUN)
    except OSError:
        with suppress(OSError):
            _release_lock(out)
        raise


def _names(folder: Path) -> set[str]:
    return {entry.name for entry in folder.iterdir()}


def _not_empty(out: Path) -> UnusableInput:
    return UnusableInput(f"{out}: exists and is not empty; name a new folder, or remove it first")


def _release(out: Path) -> None:
    """Remove the staging folder, the lock last: a command that is killed meanwhile leaves an unfinished folder."""
    _remove_attempts(out)
    _release_lock(out)


def _release_lock(out: Path) -> None:
    (out / STAGING / OWNER).unlink()
    (out / STAGING).rmdir()


def _remove_outputs(out: Path) -> None:
    for name in OUTPUTS:
        if os.path.lexists(out / name):
            _remove(out / name, out)


def _remove_attempts(out: Path) -> None:
    for left in [*(out / STAGING).iterdir()]:
        if left.name != OWNER:
            _remove(left, out)


def _remove(left: Path, out: Path) -> None:
    """Remove a file or folder, a folder under another name: workers may outlive a killed command by seconds."""
    if left.is_symlink() or not left.is_dir():
        left.unlink()
    else:
        shutil.rmtree(left.rename(out / STAGING / uuid4().hex))
