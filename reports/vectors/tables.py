"""The tables of test vectors, and the rows that follow from a seed and a number, for every caller alike."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

from mqconform.reports.vectors.decisions import decisions
from mqconform.reports.vectors.enterprises import enterprise
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

    def records(self, table: str, number: int) -> list[Record]:
        """Return the rows of a table that follow from the enterprise, or the packet, of a number."""
        if table == "packets":
            return [packet(self.seed, number, self.weights)]
        made = enterprise(self.seed, number, self.sites)
        if table == "decisions":
            return decisions(self.seed, made, self.pairs)
        directory = json.dumps(made.document, sort_keys=True)
        return [made._asdict() | {"enterprise": number, "directory": directory}]
