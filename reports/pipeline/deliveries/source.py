"""The data source ``mqconform.deliveries``: delivery logs in Parquet, CSV and JSON Lines as a DataFrame of Spark.

    spark.dataSource.register(Deliveries)
    streams = judge_deliveries(spark.read.format("mqconform.deliveries").load("logs/"))

Files are divided among tasks at the ends of lines or row groups. A line that cannot be read is a row with ``problem``;
the rest of its file is read.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reports.pipeline.deliveries.tables import ENTRY_COLUMNS, check_columns
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.row_files.reading import SHOWN, BadLine, batches_of
from mqconform.reports.pipeline.row_files.splits import CSV, Division, Input, Split, planned
from mqconform.reports.pipeline.source_options import number_in, path_in
from mqconform.reports.pipeline.storage import place_of

if TYPE_CHECKING:
    from pyspark.sql.types import StructType

FORMAT: Final = "mqconform.deliveries"
PIECE: Final = 2**25
"""Octets that one task reads, about, unless the option ``pieceOctets`` says otherwise."""

PLACE: Final = pa.schema([("file", pa.string()), ("offset", pa.int64()), ("problem", pa.string())])
"""What a row has after the columns of ``ENTRY_COLUMNS`` that are in the log, which are text.

A row with ``problem`` is a line that cannot be read, at ``offset`` octets in ``file`` once it is unpacked. It has no
event; of CSV it has the other columns as far as the line goes, so that its stream is inconclusive.
"""


class Deliveries(DataSource):
    """Delivery logs as rows of text; numbers and times mean what Spark reads in them.

    Options:
        path: a file, or a folder of files of one form, given by ``load``.
        pieceOctets: about how many octets one task reads; 32 MiB unless given.
    """

    @classmethod
    def name(cls) -> str:
        """Return the name of the format."""
        return FORMAT

    def schema(self) -> "StructType":
        """Return the columns of ``ENTRY_COLUMNS`` that the log has, and those of ``PLACE``."""
        return from_arrow_schema(_shape(_Reader(self.options).plan().schema.names))

    def reader(self, schema: "StructType") -> DataSourceReader:  # noqa: ARG002 - Spark's interface
        """Return the reader of the logs that the options name."""
        return _Reader(self.options)


class _Part(InputPartition):
    """What one task reads."""

    def __init__(self, split: Split, form: str, columns: pa.Schema) -> None:
        super().__init__((split, form, columns))


class _Reader(DataSourceReader):
    def __init__(self, options: Mapping[str, str]) -> None:
        self._place = place_of(path_in(options, FORMAT, "a delivery log, or a folder of logs"))
        self._octets = number_in(options, FORMAT, "pieceOctets", PIECE)

    def plan(self) -> Input:
        """Look at the files, and divide them."""
        return planned(self._place, Division(1, self._octets, self._octets), _check)

    def partitions(self) -> Sequence[InputPartition]:
        """Return which task reads what."""
        plan = self.plan()
        return [_Part(split, plan.form, plan.schema) for split in plan.splits]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """Yield the rows of some pieces."""
        split, form, columns = partition.value
        shape = _shape(columns.names)
        for piece in split.pieces:
            bad: list[BadLine] = []
            for batch in batches_of(piece, form, columns, bad):
                yield _entries(batch, piece.file.text, shape)
            yield pa.RecordBatch.from_pylist([_problem(line, form, columns.names) for line in bad], shape)


def _shape(names: Sequence[str]) -> pa.Schema:
    return pa.schema([*(pa.field(name, pa.string()) for name in ENTRY_COLUMNS if name in names), *PLACE])


def _check(columns: pa.Schema, where: str) -> None:
    check_columns(columns.names, where)
    for field in columns:
        if field.name in ENTRY_COLUMNS and (pa.types.is_nested(field.type) or pa.types.is_binary(field.type)):
            raise UnusableInput(
                f"{where}: column {field.name} holds {field.type}; it has to hold text, numbers or times"
            )


def _entries(batch: pa.RecordBatch, file: str, shape: pa.Schema) -> pa.RecordBatch:
    rows = batch.num_rows
    place = [pa.repeat(file, rows), *(pa.nulls(rows, PLACE.field(name).type) for name in ("offset", "problem"))]
    entries = [batch.column(name).cast(pa.string()) for name in shape.names if name in ENTRY_COLUMNS]
    return pa.RecordBatch.from_arrays([*entries, *place], schema=shape)


def _problem(line: BadLine, form: str, names: Sequence[str]) -> dict[str, Any]:
    cells = next(csv.reader([line.text]), []) if form == CSV and len(line.text) < SHOWN else []
    problem = {"event": None, "file": line.file, "offset": line.offset, "problem": f"cannot be read: {line.text}"}
    return dict(zip(names, cells, strict=False)) | problem
