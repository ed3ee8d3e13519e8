"""Decisions in Parquet, judged by tasks that read row groups and write verdicts with pyarrow.

This is the one exception: everywhere else rows are Spark's. Rows that pass through the JVM cost more than judging them.
Through ``judge_routes`` and Spark's reader and writer 10 M decisions with numbers take 6.0 s, here 1.4 s; with GUIDs as
text it is 10.6 s and 2.6 s (benchmarks/README.md). Spark divides, retries and sums up; files of dropped attempts are
never moved into place.
"""

import base64
import pickle
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from mqconform.reports.pipeline.problems import UnusableInput, unreadable
from mqconform.reports.pipeline.routes.counts import Counts, counts_of, merged
from mqconform.reports.pipeline.routes.enterprise import Enterprise, compiled_octets
from mqconform.reports.pipeline.routes.judging import ADDED, added_columns, check_columns, check_forms, judge_batch
from mqconform.reports.pipeline.storage import Place, folder_values, footer, in_splits

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SPLITS_PER_CORE: Final = 4
MOST_OCTETS: Final = 2**31
"""Octets of row groups above which one task does not go, so that a lost one costs little."""


class RowGroup(NamedTuple):
    """One row group of a file, and the columns that its rows have of the names of the file's folders."""

    file: Place
    number: int
    octets: int
    of_folders: dict[str, str | None]


class Judged(NamedTuple):
    """What tasks have left: for each split the name of its file of verdicts, and all counts; see ``counts_of``."""

    parts: dict[int, str]
    counts: Counts


def judge_row_groups(  # noqa: PLR0913, PLR0917 - what is read, by what, and where to
    spark: "SparkSession",
    enterprise: Enterprise,
    place: Place,
    files: Sequence[Place],
    out: Place,
    unread: Sequence[str] = (),
) -> Judged:
    """Judge the decisions in Parquet files in a place, and write them with their verdicts, without columns ``unread``.

    Raises:
        UnusableInput: a file cannot be read, columns are missing or of a wrong type, or there is no row.
    """
    schema, groups = _row_groups(place, files, unread) if files else (None, [])
    if not groups:
        raise UnusableInput("the decisions have no row; name files that have some")
    octets, context = [group.octets for group in groups], spark.sparkContext
    count = max(context.defaultParallelism * SPLITS_PER_CORE, -(-sum(octets) // MOST_OCTETS))
    splits = in_splits(groups, octets, count)
    shared = context.broadcast(enterprise.packed)

    def judge(numbered: Iterable[tuple[int, list[RowGroup]]]) -> Iterator[tuple[int, bytes]]:
        pa.set_cpu_count(1)  # Spark gives a task one core
        for number, some in numbered:
            octets = pickle.dumps(_judged(compiled_octets(shared.value), schema, number, some, out))
            yield len(octets), pa.compress(octets, "lz4", asbytes=True)

    # Counts of a million pairs of sites pass the JVM: as few octets as can be, and once.
    packed = context.parallelize([*enumerate(splits)], len(splits)).mapPartitions(judge).collect()
    shared.unpersist()
    judged: list[Judged] = [pickle.loads(pa.decompress(octets, size, "lz4")) for size, octets in packed]  # noqa: S301
    parts = {split: name for some in judged for split, name in some.parts.items()}
    return Judged(parts, merged(*(some.counts for some in judged)))


def _row_groups(place: Place, files: Sequence[Place], unread: Sequence[str]) -> tuple[pa.Schema, list[RowGroup]]:
    schema: pa.Schema | None = None
    groups = []
    for file in files:
        columns, metadata = footer(file)
        of_folders = folder_values(place, file)
        fields = [field for field in columns if field.name not in unread]
        of_file = pa.schema([*fields, *(pa.field(name, pa.string()) for name in of_folders)])
        check_columns(of_file, file.text)
        if schema is not None and not schema.equals(of_file):
            raise UnusableInput(f"{file.text}: has other columns or types than the files before; audit it on its own")
        schema = of_file
        check_forms(schema)
        sizes = [metadata.row_group(number) for number in range(metadata.num_row_groups)]
        groups += [
            RowGroup(file, number, size.total_byte_size, of_folders)
            for number, size in enumerate(sizes)
            if size.num_rows
        ]
    assert schema is not None, "there is at least one file"
    return schema, groups


def _judged(enterprise: Any, schema: pa.Schema, number: int, groups: Sequence[RowGroup], out: Place) -> Judged:
    counts = Counts({}, {})
    rows, name = 0, f"{uuid4().hex}.parquet"
    system, path = (out / name).resolve()
    added = [pa.field(name, pa.dictionary(pa.int8(), pa.string())) for name in ADDED.names]
    # differences of neighbours cost numbers half the time of a dictionary, and no more octets
    numbers = [field.name for field in schema if pa.types.is_integer(field.type)]
    paths = (name for field in (*schema, *added) for name in (field.name, f"{field.name}.list.element"))
    options = {
        "use_dictionary": [name for name in paths if name not in numbers],
        "column_encoding": dict.fromkeys(numbers, "DELTA_BINARY_PACKED"),
    }
    columns = pa.schema([*schema, *added])
    with pq.ParquetWriter(path, columns, filesystem=system, store_schema=False, **options) as writer:
        for group in groups:
            for batch in _read(group, schema):
                judged = judge_batch(enterprise, batch)
                counts = merged(counts, counts_of(enterprise, batch, judged, number, rows))
                rows += batch.num_rows
                columns = [*batch.columns, *added_columns(judged.verdict, judged.rule)]
                writer.write_table(pa.Table.from_arrays(columns, schema=writer.schema))
        # of the columns as readers see them, which are not dictionaries
        arrow_schema = base64.b64encode(pa.schema([*schema, *ADDED]).serialize().to_pybytes())
        writer.add_key_value_metadata({"ARROW:schema": arrow_schema})
    return Judged({number: name}, counts)


def _read(group: RowGroup, schema: pa.Schema) -> list[pa.RecordBatch]:
    """Return the rows of a row group, nearly always in one batch."""
    system, path = group.file.resolve()
    try:
        with system.open_input_file(path) as stream:
            file = pq.ParquetFile(stream, pre_buffer=False)
            columns = [name for name in schema.names if name not in group.of_folders]
            table = file.read_row_group(group.number, columns=columns, use_threads=False)
            for name, value in group.of_folders.items():
                table = table.append_column(name, pa.repeat(pa.scalar(value, pa.string()), table.num_rows))
            batches: list[pa.RecordBatch] = table.replace_schema_metadata(None).combine_chunks().to_batches()
            return batches
    except (OSError, pa.ArrowException) as error:
        raise unreadable(f"{group.file.text}, row group {group.number}", error) from error
