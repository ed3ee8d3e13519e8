"""Reading delivery logs in tasks, as long as they can be read in only one way; the rest is left to Spark."""

import io
import re
from collections.abc import Iterator, Sequence
from json import loads
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv, json

from mqconform.reports.pipeline.deliveries.bulk_texts import is_plain_csv
from mqconform.reports.pipeline.deliveries.shaping import Odd
from mqconform.reports.pipeline.deliveries.tables import ENTRY_COLUMNS, NUMBERS
from mqconform.reports.pipeline.storage import Place

PIECE: Final = 2**25
"""Octets of a text file, or about as many of a Parquet file, that one task reads."""
ROWS_TOGETHER: Final = 2**18
"""Rows of a Parquet file that are looked at in one go."""
OCTETS_OF_ROW: Final = 64
"""Octets of a row of text, about."""
LONGEST_LINE: Final = 2**20
TO_THE_END: Final = 2**63 - 1
_SIGNED_ZERO: Final = re.compile(rb"[:\s]-0")
"""A number that Spark shows as it was written."""
_NAME: Final = re.compile(r'([A-Za-z_][A-Za-z0-9_]*)|"([A-Za-z_][A-Za-z0-9_]*)"')


class Piece(NamedTuple):
    """What one task reads: the lines of a file that begin between two octets, or some of its row groups."""

    file: Place
    form: str
    columns: tuple[tuple[str, Any], ...]
    """Names and types: of text all columns, in their order, of Parquet those that are wanted."""
    begin: int
    end: int
    rows: int
    """How many rows these are, about."""


def planned(files: Sequence[Place], form: str, zone: str) -> list[Piece]:
    """Divide files among tasks.

    Args:
        files: the files of a log.
        form: ``parquet``, ``csv`` or ``json``.
        zone: of times that do not name theirs.

    Raises:
        Odd: Spark has to read them.
        OSError: a file cannot be read.
        pa.ArrowException: a file is none of its form.
    """
    if zone != "UTC":
        raise Odd("times that do not name their zone are not of UTC")
    pieces = [piece for file in files for piece in _pieces(file, form)]
    names = {name for piece in pieces for name, _ in piece.columns}
    if not names >= {"stream", "event", "message", "sequence"} or names.isdisjoint({"time", "position"}):
        raise Odd("a column is missing, which Spark tells")
    if len({piece.columns for piece in pieces}) > 1:
        raise Odd("the columns of the files differ")
    return pieces


def _pieces(file: Place, form: str) -> Iterator[Piece]:
    system, path = file.resolve()
    if form == "parquet":
        yield from _row_groups(file, system, path)
        return
    size = system.get_file_info(path).size or 0
    zipped = file.name.lower().endswith(".gz")
    with system.open_input_stream(path) as stream:
        first, newline, _ = stream.read(LONGEST_LINE).partition(b"\n")
    if not newline:
        raise Odd("a file without a line")
    columns = _head(first) if form == "csv" else _kinds(first)
    for begin in range(0, size, size if zipped else PIECE) if size else ():
        end = TO_THE_END if zipped else begin + PIECE
        yield Piece(file, form, columns, begin, end, (size * 8 if zipped else min(size, end) - begin) // OCTETS_OF_ROW)


def _row_groups(file: Place, system: Any, path: str) -> Iterator[Piece]:
    found = pq.ParquetFile(path, filesystem=system)
    _refuse_odd_names(found.schema_arrow.names)
    columns = tuple((one.name, one.type) for one in found.schema_arrow if one.name in ENTRY_COLUMNS)
    first, rows, octets = 0, 0, 0
    for group in range(found.num_row_groups):
        about = found.metadata.row_group(group)
        rows, octets = rows + about.num_rows, octets + about.total_byte_size
        if octets >= PIECE or group == found.num_row_groups - 1:
            yield Piece(file, "parquet", columns, first, group + 1, rows)
            first, rows, octets = group + 1, 0, 0


def _head(line: bytes) -> tuple[tuple[str, Any], ...]:
    """Return the columns that the head of a CSV file names."""
    found = [_NAME.fullmatch(name) for name in line.removesuffix(b"\r").decode("utf-8", "replace").split(",")]
    names = [one[1] or one[2] for one in found if one]
    if len(names) < len(found):
        raise Odd("the head has names with something special in them")
    _refuse_odd_names(names)
    return tuple((name, pa.string()) for name in names)


def _kinds(line: bytes) -> tuple[tuple[str, Any], ...]:
    """Return the columns that the first line of a JSON file has; what is null there is of the usual type."""
    try:
        entry = loads(line)
    except ValueError as error:
        raise Odd("a line that is no JSON") from error
    if not isinstance(entry, dict) or not set(entry) <= set(ENTRY_COLUMNS):
        raise Odd("an entry with something else in it")
    usual = dict.fromkeys(ENTRY_COLUMNS, pa.string()) | dict.fromkeys((*NUMBERS, "position"), pa.int64())
    kinds = {str: pa.string(), int: pa.int64()}
    if not {type(value) for value in entry.values()} <= {*kinds, type(None)}:
        raise Odd("an entry with values of another type")
    return tuple(sorted((name, kinds.get(type(value), usual[name])) for name, value in entry.items()))


def _refuse_odd_names(names: Sequence[str]) -> None:
    """Leave names to Spark that it takes for one another, as it does not look at their case."""
    if len({name.lower() for name in names}) < len(names):
        raise Odd("names of columns differ by their case alone")


def entries_of(piece: Piece) -> Iterator[pa.Table]:
    """Yield the entries of a piece, as they stand there, in portions that fit into memory.

    Raises:
        Odd: Spark has to read them.
        OSError: the file cannot be read.
        pa.ArrowException: the file is none of its form.
    """
    system, path = piece.file.resolve()
    if piece.form == "parquet":
        found = pq.ParquetFile(path, filesystem=system)
        batches = found.iter_batches(ROWS_TOGETHER, range(piece.begin, piece.end), [name for name, _ in piece.columns])
        yield from (pa.Table.from_batches([batch]) for batch in batches)
        return
    for number, lines in enumerate(_lines(system, path, piece)):
        if not lines:
            continue
        if not lines.isascii():
            _refuse_what_is_no_text(lines)
        if piece.form == "csv":
            yield _csv(lines, [name for name, _ in piece.columns], head=not number and not piece.begin)
        else:
            yield _json(lines, pa.schema(piece.columns))


def _refuse_what_is_no_text(lines: bytes) -> None:
    try:
        lines.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Odd("octets that are no UTF-8") from error
    if lines.startswith(b"\xef\xbb\xbf"):
        raise Odd("a byte order mark")


def _lines(system: Any, path: str, piece: Piece) -> Iterator[bytes]:
    """Yield the lines that begin in a piece, many at a time."""
    if piece.end == TO_THE_END:
        with system.open_input_stream(path) as stream:
            yield from _many_lines(stream)
        return
    with system.open_input_file(path) as file:
        begin, end = (_line_from(file, octet) for octet in (piece.begin, piece.end))
        yield file.read_at(end - begin, begin) if end > begin else b""


def _many_lines(stream: Any) -> Iterator[bytes]:
    rest = b""
    while block := stream.read(PIECE):
        whole, newline, rest_of_block = block.rpartition(b"\n")
        if newline:
            yield rest + whole + newline
            rest = rest_of_block
        else:
            rest += block
        if len(rest) > PIECE:
            raise Odd("a line that is very long")
    yield rest


def _line_from(file: Any, octet: int) -> int:
    """Return where the first line begins that does so at an octet or behind it."""
    size = int(file.size())
    if octet == 0 or octet >= size:
        return min(octet, size)
    near = file.read_at(LONGEST_LINE, octet - 1)
    found = int(near.find(b"\n"))
    if found < 0 and octet - 1 + len(near) < size:
        raise Odd("a line that is very long")
    return size if found < 0 else octet + found


def _csv(lines: bytes, columns: list[str], *, head: bool) -> pa.Table:
    octets = np.frombuffer(lines, np.uint8)
    if not is_plain_csv(octets, len(columns)):
        raise Odd("lines of CSV that are not plain")
    wanted = [name for name in columns if name in ENTRY_COLUMNS]
    return csv.read_csv(
        io.BytesIO(lines),
        csv.ReadOptions(use_threads=False, column_names=columns, skip_rows=int(head), block_size=2 * PIECE),
        convert_options=csv.ConvertOptions(
            column_types=dict.fromkeys(wanted, pa.string()), include_columns=wanted, null_values=[""],
            strings_can_be_null=True, quoted_strings_can_be_null=False,
        ),
    )  # fmt: skip


def _json(lines: bytes, schema: pa.Schema) -> pa.Table:
    written = [line for line in lines.split(b"\n") if line.strip()]
    if not all(line.lstrip().startswith(b"{") for line in written) or _SIGNED_ZERO.search(lines) or b"\0" in lines:
        raise Odd("lines that are not plain JSON")
    options = json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="error")
    found = json.read_json(io.BytesIO(lines), json.ReadOptions(use_threads=False, block_size=2 * PIECE), options)
    if found.num_rows != len(written):
        raise Odd("lines with more than one entry")
    if "time" in found.column_names:
        place = found.column_names.index("time")
        found = found.set_column(place, "time", found.column("time").cast(pa.string()))
    return found
