"""Output that survives retries and speculation: every attempt writes under a name of its own, the driver picks.

A task attempt writes into the staging folder and returns the name. Spark hands the driver the result of exactly one
attempt of each task; the driver moves the files of those into place and drops the rest. What a lost executor or a
slower twin wrote is never seen, whenever it ends.
"""

import contextlib
import json
import pickle
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

from pyarrow import fs

from mqconform.harness.records.problem import OutputLost
from mqconform.reports.pipeline.claim import STAGING, SUCCESS, claimed
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.storage import Place


@contextlib.contextmanager
def new_output(out: Place) -> Iterator[Place]:
    """Give the folder into which attempts write for an output that does not exist yet; it goes when the context ends.

    On this machine what a killed command left is removed first. An output that fails leaves an empty folder there.

    Raises:
        UnusableInput: the folder is not empty, another command is writing there, or it cannot be written.
        OutputLost: the folder could not be written any more.
    """
    system, path = out.resolve()
    attempts = out / STAGING / uuid4().hex
    with contextlib.ExitStack() as stack:
        try:
            here = isinstance(system, fs.LocalFileSystem)
            stack.enter_context(claimed(Path(path)) if here else _claimed_elsewhere(out))
            system.create_dir(attempts.resolve()[1])
        except OSError as error:
            raise UnusableInput(f"{out.text}: cannot be written: {error}") from error
        try:
            yield attempts
        except OSError as error:
            raise OutputLost(
                f"{out.text}: {error}; nothing was kept; make room or remove the cause, and run again"
            ) from error


@contextlib.contextmanager
def _claimed_elsewhere(out: Place) -> Iterator[None]:
    """Claim a folder of a file system that cannot tell which of two commands made it, or whether one was killed."""
    system, path = out.resolve()
    staging = (out / STAGING).resolve()[1]
    info = system.get_file_info(path)
    names = {entry.base_name for entry in _entries(system, info)}
    if info.is_file or names - {STAGING}:
        raise UnusableInput(f"{out.text}: exists and is not empty; name a new folder, or remove it first")
    if names:
        raise UnusableInput(
            f"{out.text}: another command is writing there, or was killed; name a new folder, or remove it first"
        )
    try:
        system.create_dir(staging, recursive=True)
        yield
    finally:
        with contextlib.suppress(OSError):
            system.delete_dir(staging)


def _entries(system: fs.FileSystem, folder: fs.FileInfo) -> list[fs.FileInfo]:
    if folder.type != fs.FileType.Directory:
        return []
    return list(system.get_file_info(fs.FileSelector(folder.path)))


def attempt_name(task: int, suffix: str) -> str:
    """Return a name that no other attempt has."""
    return f"{task:05d}-{uuid4().hex}{suffix}"


def publish(staging: Place, names: Mapping[str, str], folder: Place) -> None:
    """Move the chosen files of the staging folder into a folder.

    Args:
        staging: where the attempts wrote.
        names: for each name in ``folder`` the name in ``staging``.
        folder: made if it is not there.
    """
    system, path = folder.resolve()
    system.create_dir(path, recursive=True)
    for name, attempt in names.items():
        system.move((staging / attempt).resolve()[1], (folder / name).resolve()[1])


def write_sums(place: Place, sums: Any) -> None:
    """Write what a task has counted, for a driver that reads the sums of one task at a time."""
    system, path = place.resolve()
    with system.open_output_stream(path) as stream:
        stream.write(pickle.dumps(sums, protocol=pickle.HIGHEST_PROTOCOL))


def read_sums(place: Place) -> Any:
    """Return what a task of this very job has written by ``write_sums``."""
    system, path = place.resolve()
    with system.open_input_file(path) as stream:
        return pickle.loads(stream.read())  # noqa: S301 - written by a task of this very job


def mark_whole(out: Place) -> None:
    """Say that the output is whole; the last that is written, and while the folder is still claimed."""
    write_text(out / SUCCESS, "")


def write_json(place: Place, value: Any) -> None:
    """Write one JSON document."""
    write_text(place, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def write_text(place: Place, text: str) -> None:
    """Write a text as UTF-8."""
    system, path = place.resolve()
    with system.open_output_stream(path) as stream:
        stream.write(text.encode("utf-8", "backslashreplace"))
