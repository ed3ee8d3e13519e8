"""Entries handed from the tasks that read a log to those that judge its streams, in files of Arrow.

A task writes one file: for each portion and each bucket that has entries in it one batch. The task of a bucket reads
its batches of all files.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from mqconform.reports.pipeline.commit import attempt_name
from mqconform.reports.pipeline.deliveries.shaping import hashes_of
from mqconform.reports.pipeline.storage import Place

_OPTIONS: Final = pa.ipc.IpcWriteOptions(compression="lz4")


class Batch(NamedTuple):
    """One batch in a file of the staging folder."""

    name: str
    place: int
    bucket: int


def hand_on(tables: Iterable[pa.Table], buckets: int, staging: Place, number: int) -> list[Batch]:
    """Write entries by the buckets of their streams; return which batches there are.

    Args:
        tables: what ``shaped`` gives.
        buckets: among how many buckets the streams are divided.
        staging: where the file is made, if there is an entry.
        number: of the task.
    """
    name, found, writer = attempt_name(number, ".arrow"), list[Batch](), None
    system, path = (staging / name).resolve()
    try:
        for table in tables:
            for bucket, batch in _divided(table, buckets):
                if writer is None:
                    writer = _Writer(system.open_output_stream(path, compression=None), batch.schema)
                writer.write(batch)
                found.append(Batch(name, len(found), bucket))
    finally:
        if writer is not None:
            writer.close()
    return found


class _Writer:
    """A file of batches."""

    def __init__(self, stream: Any, schema: pa.Schema) -> None:
        self._stream = stream
        self._batches = pa.ipc.new_file(stream, schema, options=_OPTIONS)

    def write(self, batch: pa.RecordBatch) -> None:
        """Add a batch."""
        self._batches.write_batch(batch)

    def close(self) -> None:
        """End the file."""
        self._batches.close()
        self._stream.close()


def _divided(table: pa.Table, buckets: int) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield the entries of each bucket, in their order."""
    whole = table.combine_chunks()
    if not whole.num_rows:
        return
    bucket = (hashes_of(_one(whole.column("stream"))) % np.uint64(buckets)).astype(np.int64)
    if buckets > 1:
        whole = whole.take(pa.array(np.argsort(bucket, kind="stable"))).combine_chunks()
    (batch,) = whole.to_batches()
    bounds = np.concatenate([[0], np.cumsum(np.bincount(bucket, minlength=buckets))]).tolist()
    for number in range(buckets):
        if bounds[number + 1] > bounds[number]:
            yield number, batch.slice(bounds[number], bounds[number + 1] - bounds[number])


def _one(column: Any) -> Any:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)


def handed(batches: Iterable[Batch], staging: Place) -> pa.Table:
    """Return the entries of batches, in their order."""
    files: dict[str, list[int]] = {}
    for one in batches:
        files.setdefault(one.name, []).append(one.place)
    found = []
    for name, places in files.items():
        system, path = (staging / name).resolve()
        with system.open_input_file(path) as file:
            reader = pa.ipc.open_file(file)
            found += [reader.get_batch(place) for place in places]
    return pa.Table.from_batches(found)
