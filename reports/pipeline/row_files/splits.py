"""Dividing files of rows among tasks: row groups of Parquet, ranges of lines of text."""

import gzip
import io
import math
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.storage import Place, files_in

PARQUET, CSV, JSON_LINES = "parquet", "csv", "json-lines"

FORMAT_OF: Final = {
    ".parquet": PARQUET,
    ".csv": CSV,
    ".csv.gz": CSV,
    ".jsonl": JSON_LINES,
    ".jsonl.gz": JSON_LINES,
    ".ndjson": JSON_LINES,
    ".ndjson.gz": JSON_LINES,
}

HEAD: Final = 4 * 2**20
"""Octets at the head of a text file from which its columns are derived."""


class Division(NamedTuple):
    """How rows are divided."""

    splits: int
    """Splits, at least, if there is that much to divide."""
    octets: int
    """Octets above which a split does not go."""
    smallest: int
    """Octets below which a text is not divided further."""

    def splits_of(self, octets: int) -> int:
        """Return the number of splits of some octets."""
        return max(self.splits, math.ceil(octets / self.octets))


class Piece(NamedTuple):
    """A part of one file: row groups ``first`` to before ``last``, or octets."""

    file: Place
    first: int
    last: int
    octets: int


class Split(NamedTuple):
    """What one task reads."""

    number: int
    pieces: tuple[Piece, ...]


class Input(NamedTuple):
    """The rows: their form, their columns, and how they are divided."""

    form: str
    schema: pa.Schema
    splits: tuple[Split, ...]


Check = Callable[[pa.Schema, str], None]
"""Refuses the columns of a file, which is the second argument."""


def planned(place: Place, division: Division, check: Check) -> Input:
    """Look at files of rows and divide them.

    Raises:
        UnusableInput: nothing is there, a file cannot be read, columns are missing, or the files differ in columns.
    """
    files = files_in(place, tuple(FORMAT_OF))
    forms = {_form_of(file) for file in files}
    if len(forms) > 1:
        raise UnusableInput(f"{place.text}: holds {' and '.join(sorted(forms))}; audit one form at a time")
    form = forms.pop()
    schema, pieces = _parquet_pieces(files, check) if form == PARQUET else _text_pieces(files, form, division, check)
    return Input(form, schema, divided(pieces, division))


def divided(pieces: list[Piece], division: Division) -> tuple[Split, ...]:
    """Return splits of about equal size, the pieces in their order."""
    total = sum(piece.octets for piece in pieces)
    size = max(1, total / division.splits_of(total))
    groups: list[list[Piece]] = []
    reached = 0.0
    for piece in pieces:
        if not groups or reached >= size * len(groups):
            groups.append([])
        groups[-1].append(piece)
        reached += piece.octets
    return tuple(Split(number, tuple(group)) for number, group in enumerate(groups))


def _form_of(file: Place) -> str:
    for suffix, form in FORMAT_OF.items():
        if file.name.lower().endswith(suffix):
            return form
    raise UnusableInput(f"{file.text}: the name has to end in {', '.join(FORMAT_OF)}")


def _parquet_pieces(files: Iterable[Place], check: Check) -> tuple[pa.Schema, list[Piece]]:
    schema: pa.Schema | None = None
    pieces = []
    for file in files:
        system, path = file.resolve()
        try:
            with system.open_input_file(path) as stream:
                parquet = pq.ParquetFile(stream)
                file_schema, footer = parquet.schema_arrow, parquet.metadata
        except (OSError, pa.ArrowException) as error:
            raise UnusableInput(f"{file.text}: is no Parquet file that can be read: {error}") from error
        schema = _same(schema, file_schema.remove_metadata(), file, check)
        sizes = (footer.row_group(group).total_byte_size for group in range(footer.num_row_groups))
        pieces += [Piece(file, group, group + 1, size) for group, size in enumerate(sizes)]
    assert schema is not None, "there is at least one file"
    return schema, pieces


def _same(schema: pa.Schema | None, file_schema: pa.Schema, file: Place, check: Check) -> pa.Schema:
    check(file_schema, file.text)
    if schema is not None and not schema.equals(file_schema):
        raise UnusableInput(f"{file.text}: has other columns or types than the files before; audit it on its own")
    return file_schema


def _text_pieces(files: Iterable[Place], form: str, division: Division, check: Check) -> tuple[pa.Schema, list[Piece]]:
    sizes = [(file, _size(file)) for file in files]
    total = sum(size for _, size in sizes)
    piece = max(division.smallest, total // division.splits_of(total))
    schema: pa.Schema | None = None
    pieces = []
    for file, size in sizes:
        file_schema = _csv_schema(file) if form == CSV else _json_schema(file)
        if schema is not None and form == JSON_LINES:
            schema = _joined(schema, file_schema, file)
        else:
            schema = _same(schema, file_schema, file, check)
        step = size if file.name.lower().endswith(".gz") else piece
        pieces += [Piece(file, start, min(start + step, size), step) for start in range(0, size, max(1, step))]
    assert schema is not None, "there is at least one file"
    return schema, pieces


def _joined(schema: pa.Schema, file_schema: pa.Schema, file: Place) -> pa.Schema:
    try:
        return pa.unify_schemas([schema, file_schema], promote_options="permissive")
    except pa.ArrowException as error:
        raise UnusableInput(f"{file.text}: {error}") from error


def _size(file: Place) -> int:
    system, path = file.resolve()
    return int(system.get_file_info(path).size)


def head_of(file: Place) -> bytes:
    """Return the first lines of a text file, none of them cut.

    Raises:
        UnusableInput: it cannot be read, is empty, or has a line without end.
    """
    system, path = file.resolve()
    try:
        with system.open_input_stream(path, compression=None) as stream:
            raw: Any = stream
            octets = gzip.GzipFile(fileobj=raw).read(HEAD) if file.name.lower().endswith(".gz") else raw.read(HEAD)
    except (OSError, EOFError) as error:
        raise UnusableInput(f"{file.text}: cannot be read: {error}") from error
    if not octets.strip():
        raise UnusableInput(f"{file.text}: is empty")
    cut = octets.rfind(b"\n")
    if len(octets) == HEAD and cut < 0:
        raise UnusableInput(f"{file.text}: the first line has more than {HEAD} octets; give one row on each line")
    return octets if len(octets) < HEAD else octets[: cut + 1]


def _csv_schema(file: Place) -> pa.Schema:
    """Return the columns of the header, all of them text: a type guessed from some lines would not fit all."""
    header = head_of(file).splitlines()[0] + b"\n"
    try:
        names = pyarrow.csv.read_csv(io.BytesIO(header)).schema.names
    except pa.ArrowException as error:
        raise UnusableInput(f"{file.text}: the first line is no header of CSV: {error}") from error
    return pa.schema([pa.field(name.removeprefix("\ufeff"), pa.string()) for name in names])


def _json_schema(file: Place) -> pa.Schema:
    """Return the fields of the first lines; a line that is no JSON object does not count."""
    head = head_of(file)
    for part in (head, *head.splitlines()):  # all at once, or else the first line that can be read
        try:
            schema = pyarrow.json.read_json(io.BytesIO(part + b"\n")).schema
        except pa.ArrowException:
            continue
        return pa.schema([field.with_type(_whole(field.name, field.type)) for field in schema])
    raise UnusableInput(f"{file.text}: none of the first lines is a JSON object")


def _whole(name: str, kind: pa.DataType) -> pa.DataType:
    """Return the type that a field is read as; what no line at the head shows may be text, or a list of it."""
    if pa.types.is_list(kind) and pa.types.is_null(kind.value_type):
        return pa.list_(pa.string())
    if pa.types.is_null(kind):
        return pa.list_(pa.string()) if name == "next_hops" else pa.string()
    if name == "time" and pa.types.is_timestamp(kind):
        return pa.string()
    return kind
