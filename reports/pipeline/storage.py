"""Where files lie: on this machine, or behind a URI that Arrow knows (s3, gs, hdfs, file)."""

import os
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar
from urllib.parse import unquote

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

from mqconform.reports.pipeline.problems import CORRUPT, UnusableInput, unreadable

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


_PATTERN: Final = re.compile(r"[][{}*?\\]")
"""What Spark takes for a pattern in a path unless a backslash stands before it."""
_HIDDEN: Final = re.compile(r"\.|_[^=]*$")
"""What begins a name of something that is not data; ``_column=value`` is a folder of rows, to Spark as well."""
_NULL_FOLDER: Final = "__HIVE_DEFAULT_PARTITION__"
"""What Spark, Hive and Arrow name the folder of rows without a value."""

T = TypeVar("T")


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
        raise UnusableInput(f"{place.text}: there is no such file or folder; name what is there")
    if info.is_file:
        return [place]
    below = system.get_file_info(fs.FileSelector(path, recursive=True))
    prefix = place.text.rstrip("/")
    names = sorted(file.path.removeprefix(path.rstrip("/")).lstrip("/") for file in below if file.is_file)
    visible_names = [name for name in names if not any(_HIDDEN.match(part) for part in name.split("/"))]
    files = [Place(f"{prefix}/{name}") for name in visible_names if name.lower().endswith(suffixes)]
    if not files:
        endings = f" that ends in {', '.join(suffixes)}" if all(suffixes) else ""
        raise UnusableInput(f"{place.text}: the folder has no file{endings}; name one that has")
    return files


def in_splits(things: Sequence[T], octets: Sequence[int], count: int) -> list[list[T]]:
    """Return things in their order, in at most this many splits of about equal size."""
    ends = np.cumsum(octets)
    places = np.clip((ends - 1) * count // max(1, int(ends[-1])), 0, count - 1)
    return [[things[int(at)] for at in np.flatnonzero(places == place)] for place in np.unique(places)]


def octets_in(files: Iterable[Place]) -> int:
    """Return how many octets files have together."""
    return sum(int(system.get_file_info(path).size or 0) for system, path in (file.resolve() for file in files))


PARQUET, CSV, JSON_LINES = "parquet", "csv", "json"
FORMS: Final = {".parquet": PARQUET, ".csv": CSV, ".csv.gz": CSV, ".jsonl": JSON_LINES, ".jsonl.gz": JSON_LINES,
                ".ndjson": JSON_LINES, ".ndjson.gz": JSON_LINES}  # fmt: skip


def row_files(place: Place) -> tuple[list[Place], str]:
    """Return the files in a place, and their form.

    Raises:
        UnusableInput: nothing is there, the files differ in form or in what their folders say, Spark would pass over
            one, or it is no Parquet.
    """
    files = files_in(place, tuple(FORMS))
    forms = {form for file in files for suffix, form in FORMS.items() if file.name.lower().endswith(suffix)}
    if len(forms) != 1:
        names = " and ".join(sorted(forms)) or "unknown"
        raise UnusableInput(
            f"{place.text}: the form of the files is {names}; give files that end in {', '.join(FORMS)}"
        )
    if hidden := [file.text for file in files if file.name.startswith(("_", "."))]:
        raise UnusableInput(f"{hidden[0]}: Spark passes over names that begin with _ or a dot; rename the file")
    first = [*folder_values(place, files[0])]
    for file in files:
        if [*folder_values(place, file)] != first:  # Spark would pass over some of them
            raise UnusableInput(
                f"{file.text}: its folders name other columns than those of {files[0].text}; sort all alike"
            )
        if forms == {PARQUET}:
            _refuse_twice(file, first, footer(file)[0].names)
    return files, forms.pop()


def _refuse_twice(file: Place, of_folders: Iterable[str], of_file: Iterable[str]) -> None:
    """Refuse a column that folders name as well: Spark, to which Stream is stream, would read the folder's value."""
    known = {name.lower() for name in of_file}
    for name in of_folders:
        if name.lower() in known:
            raise UnusableInput(f"{file.text}: column {name} stands in the file and in the name of its folder")


def folder_values(place: Place, file: Place) -> dict[str, str | None]:
    """Return the columns that the names of folders below a place hold for a file, as ``date=2026-01-31`` does."""
    folders = file.text.removeprefix(place.text).strip("/").split("/")[:-1]
    values = dict(folder.split("=", 1) for folder in folders if "=" in folder)
    return {unquote(name): None if value == _NULL_FOLDER else unquote(value) for name, value in values.items()}


def footer(file: Place) -> tuple[pa.Schema, pq.FileMetaData]:
    """Return the columns of a Parquet file, and what its footer says.

    Raises:
        UnusableInput: it is damaged, or no Parquet.
    """
    system, path = file.resolve()
    try:
        with system.open_input_file(path) as stream:
            parquet = pq.ParquetFile(stream)
            return parquet.schema_arrow.remove_metadata(), parquet.metadata
    except (OSError, pa.ArrowException) as error:
        raise unreadable(file.text, error) from error


def read_rows(spark: "SparkSession", place: Place, *, as_text: bool) -> "DataFrame":
    """Return the rows of files, with the columns that the names of folders hold.

    Rows of text have ``CORRUPT`` as well, which has a line that holds no row, and is null elsewhere.

    Numbers and Booleans of JSON may come ``as_text``.

    Raises:
        UnusableInput: nothing is there, the files differ in form, or one holds no row at all.
    """
    from pyspark.sql import functions as F  # noqa: N812, PLC0415 - needs Spark
    from pyspark.sql.types import StringType, StructField, StructType  # noqa: PLC0415

    files, form = row_files(place)
    paths = [file.pattern for file in files]
    of_folders = [*folder_values(place, files[0])]
    reader = spark.read.option("basePath", place.text) if of_folders else spark.read
    if form == PARQUET:  # Spark alone would take the columns of one file for those of all
        schema = spark.read.parquet(paths[0]).schema
        for file in files[1:]:
            known = {name.lower() for name in schema.names}
            if any(name.lower() not in known for name in footer(file)[0].names):
                further = spark.read.parquet(file.pattern).schema
                schema = StructType([*schema, *(field for field in further if field.name.lower() not in known)])
        return reader.schema(schema).parquet(*paths)
    if form == CSV:
        names = [name.removeprefix("\ufeff") for name in spark.read.csv(paths[:1], header=True).columns]
        if not names:
            raise UnusableInput(f"{files[0].text}: is empty; the first line must be a header")
        _refuse_twice(files[0], of_folders, names)
        schema = StructType([StructField(name, StringType()) for name in [*names, CORRUPT]])
        read = reader.schema(schema).option("columnNameOfCorruptRecord", CORRUPT)
        return read.csv(paths, header=True, enforceSchema=False)
    schema = spark.read.json(paths, primitivesAsString=as_text).schema  # without columns of folders
    _refuse_twice(place, of_folders, schema.names)
    rows = reader.schema(schema).json(paths, primitivesAsString=as_text)
    if schema.names == [CORRUPT]:
        raise UnusableInput(f"{place.text}: no line is a JSON object; give one object on each line")
    return rows if CORRUPT in rows.columns else rows.withColumn(CORRUPT, F.lit(None).cast("string"))
