"""Where files lie: on this machine, or behind a URI that Arrow knows (s3, gs, hdfs, file)."""

import os
import re
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import pyarrow as pa
from pyarrow import fs

from mqconform.reports.pipeline.problems import UnusableInput

_PATTERN: Final = re.compile(r"[][{}*?\\]")
"""What Spark takes for a pattern in a path unless a backslash stands before it."""


class Place(NamedTuple):
    """A file or folder; what crosses from driver to worker is its text."""

    text: str

    def resolve(self) -> tuple[Any, str]:
        """Return the file system and the path there.

        Raises:
            UnusableInput: no such file system can be reached.
        """
        if "://" not in self.text:
            return fs.LocalFileSystem(use_mmap=True), self.text
        try:
            location: tuple[Any, str] = fs.FileSystem.from_uri(self.text)
        except (OSError, pa.ArrowException, NotImplementedError) as error:
            raise UnusableInput(f"{self.text}: {error}") from error
        return location

    def __truediv__(self, name: str) -> "Place":
        """Return what has a name in this folder."""
        return Place(f"{self.text.rstrip('/')}/{name}")

    @property
    def pattern(self) -> str:
        """The path as Spark reads it, which takes some characters for a pattern."""
        return _PATTERN.sub(r"\\\g<0>", self.text)

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.text.rstrip("/").rpartition("/")[2]


def place_of(text: str) -> Place:
    """Return the place that a user names; a path of this machine is made absolute, as workers stand elsewhere."""
    return Place(text if "://" in text else os.path.abspath(text))  # noqa: PTH100 - Path.resolve would follow links


def exists(place: Place) -> bool:
    """Return whether there is a file or folder."""
    system, path = place.resolve()
    return bool(system.get_file_info(path).type != fs.FileType.NotFound)


def files_in(place: Place, suffixes: tuple[str, ...]) -> list[Place]:
    """Return a file, or the files below a folder in order of their names; hidden ones and those of logs are left out.

    Raises:
        UnusableInput: there is nothing, or nothing with one of the suffixes.
    """
    system, path = place.resolve()
    info = system.get_file_info(path)
    if info.type == fs.FileType.NotFound:
        raise UnusableInput(f"{place.text}: there is no such file or folder")
    if info.is_file:
        return [place]
    below = system.get_file_info(fs.FileSelector(path, recursive=True))
    prefix = place.text.rstrip("/")
    names = sorted(file.path.removeprefix(path.rstrip("/")).lstrip("/") for file in below if file.is_file)
    visible_names = [name for name in names if not any(part.startswith(("_", ".")) for part in name.split("/"))]
    files = [Place(f"{prefix}/{name}") for name in visible_names if name.lower().endswith(suffixes)]
    if not files:
        endings = f" that ends in {', '.join(suffixes)}" if all(suffixes) else ""
        raise UnusableInput(f"{place.text}: the folder has no file{endings}")
    return files


def octets_in(files: Iterable[Place]) -> int:
    """Return how many octets files have together."""
    return sum(int(system.get_file_info(path).size or 0) for system, path in (file.resolve() for file in files))
