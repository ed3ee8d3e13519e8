"""Writing the verdicts of a split: the rows as they came, and what was found about each."""

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from mqconform.reports.pipeline.routes.judging import NEEDED, Judged
from mqconform.reports.pipeline.routes.verdicts import ADDED, added_columns
from mqconform.reports.pipeline.storage import Place

GROUP_ROWS: Final = 1_000_000
GROUP_OCTETS: Final = 192 * 2**20

_AS_NUMBERS: Final = pa.dictionary(pa.int32(), pa.string())
_ADDED: Final = pa.schema([pa.field(name, pa.dictionary(pa.int8(), pa.string())) for name in ADDED.names])


@contextmanager
def verdict_file(place: Place, schema: pa.Schema, identifiers: pa.Array | None) -> Iterator["VerdictWriter"]:
    """Give a writer for one Parquet file: the columns of the decisions, then ``verdict``, ``rule`` and ``requirement``.

    Args:
        place: the file.
        schema: columns of the decisions.
        identifiers: by number, what text columns may refer to; None where several versions have numbers of their own.
    """
    system, path = place.resolve()
    as_numbers = [] if identifiers is None else [name for name in NEEDED if schema.field(name).type == pa.string()]
    fields = [field.with_type(_AS_NUMBERS) if field.name in as_numbers else field for field in schema]
    written = pa.schema([*fields, *_ADDED])
    ids = [name for name in NEEDED if not pa.types.is_list(schema.field(name).type)]
    with (
        system.open_output_stream(path) as stream,
        pq.ParquetWriter(
            stream,
            written,
            store_schema=False,  # it would call columns dictionaries that readers see as text
            # statistics of GUIDs are useless; those of the verdict let readers skip row groups without a failure
            write_statistics=[*(name for name in schema.names if name not in ids), "verdict"],
            use_dictionary=[name for name in written.names if name not in ids or name in as_numbers],
            compression=_compression(schema),
            write_batch_size=16_384,
            dictionary_pagesize_limit=16 * 2**20,
        ) as file,
    ):
        writer = VerdictWriter(file, written, as_numbers, identifiers)
        yield writer
        writer.flush()
        arrow_schema = base64.b64encode(pa.schema([*schema, *ADDED]).serialize().to_pybytes())
        file.add_key_value_metadata({"ARROW:schema": arrow_schema})


def _compression(schema: pa.Schema) -> str | dict[str, str]:
    """Return what is packed: all but numbers of machines, which hardly become smaller for a fifth of the time.

    Parquet names nested columns by paths of its own, so that beside one of those everything is packed.
    """
    if any(pa.types.is_nested(field.type) for field in schema):
        return "snappy"
    numbers = [name for name in NEEDED if pa.types.is_integer(schema.field(name).type)]
    return {name: "none" if name in numbers else "snappy" for name in [*schema.names, *ADDED.names]}


class VerdictWriter:
    """Collects batches into row groups.

    Text that is, letter by letter, the identifier of its machine is written as the machine's number into a dictionary
    of identifiers: Parquet readers see the same text, and it neither has to be hashed nor copied again.
    """

    def __init__(self, file: Any, schema: pa.Schema, as_numbers: list[str], identifiers: pa.Array | None) -> None:
        self._file, self._schema = file, schema
        self._as_numbers, self._identifiers = as_numbers, identifiers
        self._batches: list[list[Any]] = []
        self._rows = self._octets = 0

    def add(self, batch: pa.RecordBatch, judged: Judged) -> None:
        """Add rows with what was found about them."""
        columns = [*batch.columns, *added_columns(judged.verdict, judged.rule)]
        for place, name in enumerate(self._schema.names):
            if name in self._as_numbers:
                columns[place] = judged.identifiers.get(name, columns[place])
        self._batches.append(columns)
        self._rows += batch.num_rows
        self._octets += sum(column.nbytes for column in columns)
        if self._rows >= GROUP_ROWS or self._octets >= GROUP_OCTETS:
            self.flush()

    def flush(self) -> None:
        """Write what was collected as a row group."""
        if self._rows:
            columns = list(map(self._joined, self._schema, zip(*self._batches, strict=True)))
            self._file.write_table(pa.Table.from_arrays(columns, schema=self._schema), row_group_size=self._rows)
        self._batches, self._rows, self._octets = [], 0, 0

    def _joined(self, field: pa.Field, parts: tuple[Any, ...]) -> Any:
        if field.name not in self._as_numbers:
            return pa.chunked_array(parts, type=field.type)
        if all(isinstance(part, np.ndarray) for part in parts):
            return self._named(np.concatenate(parts))
        texts = [self._named(part).dictionary_decode() if isinstance(part, np.ndarray) else part for part in parts]
        return pa.concat_arrays(texts).dictionary_encode()

    def _named(self, numbers: Any) -> pa.DictionaryArray:
        assert self._identifiers is not None, "columns are written as numbers only where numbers have identifiers"
        if len(numbers) >= 2 * len(self._identifiers):
            return pa.DictionaryArray.from_arrays(pa.array(numbers), self._identifiers)
        used, places = np.unique(numbers, return_inverse=True)
        return pa.DictionaryArray.from_arrays(pa.array(places.astype(np.int32)), self._identifiers.take(pa.array(used)))
