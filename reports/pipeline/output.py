"""The folder of a command's output: new or empty, unfinished while ``_staging`` is there, whole with ``_SUCCESS``.

Spark writes tables with its own commit. What a command left that was killed is seen and named, and never taken for
whole.
"""

import contextlib
import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import pyarrow.parquet as pq
from pyarrow import fs

from mqconform.harness.records.problem import OutputLost
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.storage import Place

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

STAGING: Final = "_staging"
SUCCESS: Final = "_SUCCESS"


def check_output(out: Place) -> None:
    """Refuse a folder that is not new or empty.

    Raises:
        UnusableInput: naming what to do.
    """
    system, path = out.resolve()
    try:
        info = system.get_file_info(path)
        folder = info.type == fs.FileType.Directory
        names = {entry.base_name for entry in system.get_file_info(fs.FileSelector(path))} if folder else set()
    except OSError as error:
        raise UnusableInput(f"{out.text}: cannot be written: {error}") from error
    if STAGING in names:
        raise UnusableInput(
            f"{out.text}: another command is writing there, or was killed; name a new folder, or remove it first"
        )
    if info.is_file or names:
        raise UnusableInput(f"{out.text}: exists and is not empty; name a new folder, or remove it first")


@contextlib.contextmanager
def new_output(out: Place) -> Iterator[Place]:
    """Give the staging folder of an output; both are emptied if the output fails.

    Raises:
        UnusableInput: the folder is not empty, or cannot be written.
        OutputLost: the folder could not be written any more.
    """
    check_output(out)
    system, path = out.resolve()
    staging = out / STAGING
    try:
        system.create_dir(path, recursive=True)
        system.create_dir(staging.resolve()[1], recursive=False)
    except OSError as error:
        raise UnusableInput(f"{out.text}: cannot be written: {error}") from error
    made = _identity(out)
    try:
        yield staging
        system.delete_dir(staging.resolve()[1])
        if _identity(out) != made:
            raise OSError("another folder took its place")  # noqa: TRY301 - handled as what the system refuses
        write_text(out / SUCCESS, "")
    except BaseException as error:
        with contextlib.suppress(OSError):
            if _identity(out) == made:
                system.delete_dir_contents(path)
            else:  # what lies in another's folder is not ours but for what Spark put there meanwhile
                system.delete_dir(staging.resolve()[1])
        if isinstance(error, OSError):
            raise OutputLost(
                f"{out.text}: {error}; nothing was kept; make room or remove the cause, and run again"
            ) from error
        raise


def _identity(out: Place) -> tuple[int, int] | None:
    """Return what tells a folder of this machine from another of its name, without following links; else None."""
    if "://" in out.text:
        return None
    try:
        status = os.lstat(out.text)
    except OSError:
        return (0, 0)
    return status.st_dev, status.st_ino


def publish_table(written: Place, rows: "DataFrame", folder: Place) -> None:
    """Move the files of a table that Spark has written into a folder; without a row Spark writes none, so write one."""
    system, path = written.resolve()
    system.create_dir(folder.resolve()[1], recursive=True)
    infos = system.get_file_info(fs.FileSelector(path, allow_not_found=True))
    files = [info for info in infos if info.is_file and not info.base_name.startswith(("_", "."))]
    for info in files:
        system.move(info.path, (folder / info.base_name).resolve()[1])
    if not files:
        pq.write_table(rows.limit(0).toArrow(), (folder / "part-00000.parquet").resolve()[1], filesystem=system)


def move_file(file: Place, to: Place) -> None:
    """Move one file to where it belongs."""
    system, path = to.resolve()
    system.create_dir(path.rpartition("/")[0], recursive=True)
    system.move(file.resolve()[1], path)


def written(rows: "DataFrame", place: Place) -> "DataFrame":
    """Write rows as Parquet, and return them as they are read from there."""
    rows.write.mode("append").parquet(place.text)
    return rows.sparkSession.read.schema(rows.schema).parquet(place.pattern)


def write_json(place: Place, value: Any) -> None:
    """Write one JSON document."""
    write_text(place, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def write_text(place: Place, text: str) -> None:
    """Write a text as UTF-8."""
    system, path = place.resolve()
    with system.open_output_stream(path) as stream:
        stream.write(text.encode("utf-8", "backslashreplace"))
