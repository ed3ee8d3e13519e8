"""Output that survives retries and speculation: every attempt writes under a name of its own, the driver picks.

A task attempt writes into the staging folder and returns the name. Spark hands the driver the result of exactly one
attempt of each task; the driver moves the files of those into place and drops the rest. What a lost executor or a
slower twin wrote is never seen, whenever it ends.
"""

import contextlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final
from uuid import uuid4

from pyarrow import fs

from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.storage import Place

STAGING: Final = "_staging"
SUCCESS: Final = "_SUCCESS"
"""Says, as Hadoop's own committers do, that the output is whole."""


@contextlib.contextmanager
def new_output(out: Place) -> Iterator[Place]:
    """Give the staging folder of an output that does not exist yet; what is left there goes when the context ends.

    Raises:
        UnusableInput: the folder holds something already, or cannot be written.
    """
    system, path = out.resolve()
    staging = out / STAGING
    try:
        held = system.get_file_info(path)
        full = held.type == fs.FileType.Directory and system.get_file_info(fs.FileSelector(path))
        if held.is_file or full:
            raise UnusableInput(f"{out.text}: exists and is not empty; name a new folder, or remove it first")
        system.create_dir(staging.resolve()[1], recursive=True)
    except OSError as error:
        raise UnusableInput(f"{out.text}: cannot be written: {error}") from error
    try:
        yield staging
    finally:
        with contextlib.suppress(OSError):
            system.delete_dir(staging.resolve()[1])


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


def mark_whole(out: Place) -> None:
    """Say that the output is whole."""
    write_text(out / SUCCESS, "")


def write_json(place: Place, value: Any) -> None:
    """Write one JSON document."""
    write_text(place, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def write_text(place: Place, text: str) -> None:
    """Write a text as UTF-8."""
    system, path = place.resolve()
    with system.open_output_stream(path) as stream:
        stream.write(text.encode("utf-8", "backslashreplace"))
