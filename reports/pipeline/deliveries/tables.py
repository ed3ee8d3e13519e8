"""Shapes of what an audit of deliveries reads and writes."""

from collections.abc import Sequence
from typing import Final

import pyarrow as pa

from mqconform.reports.pipeline.problems import without_columns

ENTRY_COLUMNS: Final = ("stream", "event", "message", "sequence", "previous", "position", "time")
"""Columns of a delivery log; ``previous`` may be missing or null, and one of the last two has to be there."""

NUMBERS: Final = ("sequence", "previous")
"""Which of them are integers; all others are texts."""

_NEEDED: Final = ("stream", "event", "message", "sequence")
ORDERING: Final = ("time", "position")
"""By what entries of a stream are ordered: by time, then by position, as far as a log has them."""
ROW: Final = "_row_in_its_file"
"""Where a log comes from files, orders entries of the same time and position."""


def check_columns(names: Sequence[str], where: str) -> None:
    """Refuse a log that lacks a column which every log has.

    Raises:
        UnusableInput: naming the columns.
    """
    missing = [name for name in _NEEDED if name not in names]
    if missing or not set(names).intersection(ORDERING):
        raise without_columns(where, missing, "neither column time nor position is there", names)


FINDING: Final = pa.struct(
    [
        pa.field("finding", pa.string(), nullable=False),
        pa.field("requirement", pa.string(), nullable=False),
        pa.field("role", pa.string(), nullable=False),
        pa.field("event", pa.string()),
        pa.field("message", pa.string()),
        pa.field("sequence", pa.int64()),
        pa.field("previous", pa.int64()),
        pa.field("position", pa.string()),
        pa.field("time", pa.string()),
    ]
)
"""One thing that is wrong at one entry."""

STREAM: Final = pa.schema(
    [
        pa.field("stream", pa.string()),
        pa.field("entries", pa.int64(), nullable=False),
        pa.field("deliveries", pa.int64(), nullable=False),
        pa.field("unusable", pa.int64(), nullable=False),
        pa.field("found", pa.int64(), nullable=False),
        pa.field("undecided", pa.int64(), nullable=False),
        pa.field("verdict", pa.string(), nullable=False),
        pa.field("findings", pa.list_(FINDING), nullable=False),
    ]
)
"""One stream: how many entries and deliveries it has, how many entries could not be used, what was found, and how many
entries are wrong only if the stream begins in the log, which the log does not tell."""

SHOWN_OF_A_STREAM: Final = 1_000
"""Findings of one stream that are listed; all are counted."""

PASS, FAIL, INCONCLUSIVE = "pass", "fail", "inconclusive"
