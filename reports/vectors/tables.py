"""The tables that vectors come in, and their octets: Parquet, and JSON Lines with the same content."""

import io
import json
from collections.abc import Sequence
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

Record = dict[str, Any]

_TEXTS: Final = pa.list_(pa.string())


def _shape(names: str, **types: pa.DataType) -> pa.Schema:
    """Return a schema of columns that hold text unless a type is given."""
    return pa.schema([(name, types.get(name, pa.string())) for name in names.split()])


def _rows(names: str, **types: pa.DataType) -> pa.DataType:
    return pa.list_(pa.struct(_shape(names, **types)))


ENTERPRISES: Final = _shape("enterprise shape oddities directory", enterprise=pa.int64(), oddities=_TEXTS)
"""``directory`` is the enterprise document as JSON text."""

_ANSWERS: Final = _rows(
    "must may first least verdict requirement requirements readings",
    least=pa.int32(),
    **dict.fromkeys(("must", "may", "first", "requirements", "readings"), _TEXTS),
)
DECISIONS: Final = _shape(
    "id enterprise source destination requirement answers otherwise samples",
    enterprise=pa.int64(),
    answers=_ANSWERS,
    samples=_rows("next_hops verdict", next_hops=_TEXTS),
)

_SPAN: Final = {"offset": pa.int32(), "length": pa.int32()}
PACKETS: Final = _shape(
    "id network direction made octets message verdict findings fields servers",
    findings=_rows("rule requirement verdict reading field offset length says", **_SPAN),
    fields=_rows("name offset length value", **_SPAN),
    servers=_rows("name ip ipx", ip=pa.bool_(), ipx=pa.bool_()),
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
