"""The tables of test vectors, and the rows that follow from a seed and a number, for every caller alike."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import pyarrow as pa

from mqconform.reports.shapes import columns
from mqconform.reports.vectors.decisions import decisions
from mqconform.reports.vectors.enterprises import enterprise
from mqconform.reports.vectors.packets import packet

Record = dict[str, Any]

_TEXTS: Final = pa.list_(pa.string())
ENTERPRISES: Final = columns("enterprise:int64 shape oddities directory", oddities=_TEXTS)
"""``directory`` is the enterprise document as JSON text."""

_ANSWER: Final = columns(
    "must may first least:int32 verdict requirement requirements readings",
    **dict.fromkeys(("must", "may", "first", "requirements", "readings"), _TEXTS),
)
_SAMPLE: Final = columns("next_hops verdict", next_hops=_TEXTS)
DECISIONS: Final = columns(
    "id enterprise:int64 source destination requirement answers otherwise samples",
    answers=pa.list_(pa.struct(_ANSWER)),
    samples=pa.list_(pa.struct(_SAMPLE)),
)
_FINDING: Final = columns("rule requirement verdict reading field offset:int32 length:int32 says")
PACKETS: Final = columns(
    "id network direction made octets message verdict findings fields servers",
    findings=pa.list_(pa.struct(_FINDING)),
    fields=pa.list_(pa.struct(columns("name offset:int32 length:int32 value"))),
    servers=pa.list_(pa.struct(columns("name ip:bool ipx:bool"))),
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
