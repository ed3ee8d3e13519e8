"""What a run on a cluster leaves: rows as octets, and the events that Spark has told of."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa


def events_in(folder: Path, kind: str) -> list[dict[str, Any]]:
    """Return the events of a kind that Spark has told of."""
    (log,) = (one for one in folder.iterdir() if one.is_file() and not one.name.startswith("."))
    return [event for event in map(json.loads, log.read_text().splitlines()) if event["Event"] == kind]


def octets_in_order(table: pa.Table, *columns: str) -> bytes:
    """Return the octets of a table's rows, put in the order of some columns, as Arrow writes them."""
    rows = table.sort_by([(column, "ascending") for column in columns]).combine_chunks()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema.remove_metadata()) as stream:
        stream.write_table(rows.replace_schema_metadata())
    return sink.getvalue().to_pybytes()
