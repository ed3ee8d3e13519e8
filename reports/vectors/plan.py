"""What is to be generated, cut into chunks that do not depend on who generates them."""

import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from mqconform.reference.directory.document import document_from_directory
from mqconform.reports.vectors.decisions import decisions
from mqconform.reports.vectors.enterprises import VectorEnterprise, enterprise
from mqconform.reports.vectors.packets import packet

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


ENTERPRISES_IN_CHUNK: Final = 50
PACKETS_IN_CHUNK: Final = 5_000


@dataclass(frozen=True)
class Plan:
    """Everything that the vectors follow from.

    Attributes:
        enterprises: how many.
        pairs: questions for each enterprise.
        sites: sites of the largest enterprises.
        packets: how many.
        weights: verdict on each reading of the ambiguity register that packets may rest on.
    """

    seed: int
    enterprises: int
    pairs: int
    sites: int
    packets: int
    weights: Mapping[str, str] = field(default_factory=dict)

    @property
    def enterprise_chunks(self) -> int:
        """Number of chunks of enterprises."""
        return -(-self.enterprises // ENTERPRISES_IN_CHUNK)

    @property
    def chunks(self) -> int:
        """Number of chunks, those of enterprises first."""
        return self.enterprise_chunks - (-self.packets // PACKETS_IN_CHUNK)

    def chunk(self, number: int) -> Iterator[tuple[str, int, list[Record]]]:
        """Yield each table of a chunk: its name, the chunk's number in it, and its records."""
        if number < self.enterprise_chunks:
            first = number * ENTERPRISES_IN_CHUNK
            items = range(first, min(self.enterprises, first + ENTERPRISES_IN_CHUNK))
            made = [enterprise(self.seed, item, self.sites) for item in items]
            yield "enterprises", number, [_record(enterprise) for enterprise in made]
            asked = [record for enterprise in made for record in decisions(self.seed, enterprise, self.pairs)]
            yield "decisions", number, asked
            return
        place = number - self.enterprise_chunks
        numbers = range(place * PACKETS_IN_CHUNK, min(self.packets, (place + 1) * PACKETS_IN_CHUNK))
        yield "packets", place, [packet(self.seed, number, self.weights) for number in numbers]


def _record(enterprise: VectorEnterprise) -> Record:
    return {
        "enterprise": enterprise.number,
        "shape": enterprise.shape,
        "oddities": list(enterprise.oddities),
        "directory": document_from_directory(enterprise.directory),
    }
