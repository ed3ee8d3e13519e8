"""The tables that vectors come in, and their octets: Parquet, and JSON Lines with the same content."""

import io
import json
from collections.abc import Sequence
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

Record = dict[str, Any]

_TEXT: Final = pa.string()
_TEXTS: Final = pa.list_(_TEXT)

ENTERPRISES: Final = pa.schema(
    [
        ("enterprise", pa.int64()),
        ("shape", _TEXT),
        ("oddities", _TEXTS),
        ("directory", _TEXT),
    ]
)
"""``directory`` is the enterprise document as JSON text."""

_ANSWER: Final = pa.struct(
    [
        ("must", _TEXTS),
        ("may", _TEXTS),
        ("first", _TEXTS),
        ("least", pa.int32()),
        ("verdict", _TEXT),
        ("requirement", _TEXT),
        ("requirements", _TEXTS),
        ("readings", _TEXTS),
    ]
)
DECISIONS: Final = pa.schema(
    [
        ("id", _TEXT),
        ("enterprise", pa.int64()),
        ("source", _TEXT),
        ("destination", _TEXT),
        ("requirement", _TEXT),
        ("answers", pa.list_(_ANSWER)),
        ("otherwise", _TEXT),
        ("samples", pa.list_(pa.struct([("next_hops", _TEXTS), ("verdict", _TEXT)]))),
    ]
)

_FINDING: Final = pa.struct(
    [
        ("rule", _TEXT),
        ("requirement", _TEXT),
        ("verdict", _TEXT),
        ("reading", _TEXT),
        ("field", _TEXT),
        ("offset", pa.int32()),
        ("length", pa.int32()),
        ("says", _TEXT),
    ]
)
_FIELD: Final = pa.struct([("name", _TEXT), ("offset", pa.int32()), ("length", pa.int32()), ("value", _TEXT)])
PACKETS: Final = pa.schema(
    [
        ("id", _TEXT),
        ("network", _TEXT),
        ("direction", _TEXT),
        ("made", _TEXT),
        ("octets", _TEXT),
        ("message", _TEXT),
        ("verdict", _TEXT),
        ("findings", pa.list_(_FINDING)),
        ("fields", pa.list_(_FIELD)),
        ("servers", pa.list_(pa.struct([("name", _TEXT), ("ip", pa.bool_()), ("ipx", pa.bool_())]))),
    ]
)

TABLES: Final = {"enterprises": ENTERPRISES, "decisions": DECISIONS, "packets": PACKETS}
"""By name, as the folders have it."""


def parquet_octets(table: str, records: Sequence[Record]) -> bytes:
    """Return records as one Parquet file; the same octets for the same records and release of pyarrow."""
    flat = (
        [record | {"directory": _json(record["directory"])} for record in records]
        if table == "enterprises"
        else records
    )
    out = io.BytesIO()
    pq.write_table(pa.Table.from_pylist(list(flat), TABLES[table]), out, compression="zstd")
    return out.getvalue()


def json_octets(records: Sequence[Record]) -> bytes:
    """Return records as JSON Lines: ASCII, keys sorted."""
    return "".join(f"{_json(record)}\n" for record in records).encode("ascii")


def _json(value: object) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))
