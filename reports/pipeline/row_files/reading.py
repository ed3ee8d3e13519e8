"""Reading the rows of a split, batch by batch; lines that cannot be read are put aside with their place."""

import gzip
import io
import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import pyarrow as pa
import pyarrow.csv
import pyarrow.json
import pyarrow.parquet as pq

from mqconform.harness.records.printable import shortened, visible
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.row_files.splits import CSV, PARQUET, Piece

BATCH_ROWS: Final = 131_072
BLOCK: Final = 8 * 2**20
"""Octets of text that are parsed at once."""
LONGEST_LINE: Final = 64 * 2**20
SHOWN: Final = 300
"""Characters that are kept of a line that cannot be read."""


class BadLine(NamedTuple):
    """A line that holds no row."""

    file: str
    offset: int
    """Octets before it in the file, of the text once it is unpacked."""
    text: str

    def record(self) -> str:
        """Return the line of the quarantine file."""
        return json.dumps({"file": self.file, "offset": self.offset, "line": self.text})


def batches_of(piece: Piece, form: str, schema: pa.Schema, bad: list[BadLine]) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a piece in order.

    Args:
        piece: the part of a file.
        form: how the file is written.
        schema: columns and types of every batch.
        bad: lines that cannot be read are added here.

    Raises:
        UnusableInput: the file cannot be read on.
    """
    try:
        if form == PARQUET:
            yield from _parquet_batches(piece)
            return
        parse = _csv_batch if form == CSV else _json_batches
        for offset, block in _blocks(piece):
            if form == CSV and offset == 0:
                header = block.index(b"\n") + 1 if b"\n" in block else len(block)
                offset, block = header, block[header:]  # noqa: PLW2901 - the header is no row
            if block.strip():
                yield from parse(_Block(piece.file.text, offset, block), schema, bad)
    except (OSError, EOFError, pa.ArrowException) as error:
        where = f"row groups {piece.first} to {piece.last - 1}" if form == PARQUET else f"from octet {piece.first} on"
        raise UnusableInput(f"{piece.file.text}, {where}: cannot be read: {error}") from error


def _parquet_batches(piece: Piece) -> Iterator[pa.RecordBatch]:
    system, path = piece.file.resolve()
    with system.open_input_file(path) as stream:
        file = pq.ParquetFile(stream, pre_buffer=False)
        groups = range(piece.first, piece.last)
        for batch in file.iter_batches(BATCH_ROWS, row_groups=groups, use_threads=False):
            yield batch.replace_schema_metadata(None)


class _Block(NamedTuple):
    file: str
    offset: int
    octets: bytes


def _blocks(piece: Piece) -> Iterator[tuple[int, bytes]]:
    """Yield whole lines, some millions of octets at once; the piece has each line that begins before its end."""
    system, path = piece.file.resolve()
    packed = piece.file.name.lower().endswith(".gz")
    with system.open_input_file(path) as raw:
        stream: Any = gzip.GzipFile(fileobj=raw) if packed else io.BufferedReader(raw)
        end = None if packed else piece.last
        position = piece.first
        if position:
            stream.seek(position - 1)
            position += len(_rest_of_line(stream)) - 1
        while end is None or position < end:
            block = stream.read(BLOCK if end is None else min(BLOCK, end - position))
            if not block:
                return
            block += _rest_of_line(stream) if not block.endswith(b"\n") else b""
            yield position, block
            position += len(block)


def _rest_of_line(stream: Any) -> bytes:
    """Return what is left of the line, its end included."""
    line = bytes(stream.readline(LONGEST_LINE + 1))
    if len(line) > LONGEST_LINE:
        raise UnusableInput(f"a line before octet {stream.tell()} has more than {LONGEST_LINE} octets")
    return line


def _csv_batch(block: _Block, schema: pa.Schema, bad: list[BadLine]) -> Iterator[pa.RecordBatch]:
    starts: list[int] = []

    def put_aside(row: Any) -> str:
        if not starts:
            starts.extend(_line_starts(block.octets))
        offset = starts[row.number - 1] if row.number and row.number <= len(starts) else 0
        bad.append(BadLine(block.file, block.offset + offset, _shown(row.text)))
        return "skip"

    table = pyarrow.csv.read_csv(
        io.BytesIO(block.octets.decode("utf-8", "replace").encode()),
        pyarrow.csv.ReadOptions(column_names=schema.names, use_threads=False, block_size=2 * len(block.octets) + 1024),
        pyarrow.csv.ParseOptions(invalid_row_handler=put_aside),
        pyarrow.csv.ConvertOptions(column_types=schema, strings_can_be_null=True, null_values=[""]),
    )
    yield from table.to_batches(BATCH_ROWS)


def _json_batches(block: _Block, schema: pa.Schema, bad: list[BadLine]) -> Iterator[pa.RecordBatch]:
    try:
        table = pyarrow.json.read_json(
            io.BytesIO(block.octets),
            pyarrow.json.ReadOptions(use_threads=False, block_size=2 * len(block.octets) + 1024),
            pyarrow.json.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
        )
    except pa.ArrowException:
        yield from _halves(block, schema, bad)
        return
    yield from table.select(schema.names).to_batches(BATCH_ROWS)


def _halves(block: _Block, schema: pa.Schema, bad: list[BadLine]) -> Iterator[pa.RecordBatch]:
    """Parse each half of a block on its own; one line that cannot be parsed is put aside."""
    starts = _line_starts(block.octets)
    if len(starts) <= 1:
        bad.append(BadLine(block.file, block.offset, _shown(block.octets.decode("utf-8", "replace"))))
        return
    cut = starts[len(starts) // 2]
    for start, end in ((0, cut), (cut, len(block.octets))):
        half = _Block(block.file, block.offset + start, block.octets[start:end])
        if half.octets.strip():
            yield from _json_batches(half, schema, bad)


def _line_starts(octets: bytes) -> list[int]:
    return [0, *(line.end() for line in re.finditer(rb"\n(?=.)", octets, re.DOTALL))]


def _shown(text: str) -> str:
    return shortened(visible(text.strip()), SHOWN)
