"""Shapes of what an audit of systems reads and writes."""

from typing import Final

import pyarrow as pa

NEEDED: Final = ("event", "message", "machine", "to")
"""Columns that every log has; one of ``position`` and ``time`` has to be there as well."""
PASS, FAIL, INCONCLUSIVE = "pass", "fail", "inconclusive"

_TEXTS: Final = pa.list_(pa.string())
PROMISE: Final = pa.struct(
    [
        pa.field("requirement", pa.string(), nullable=False),
        pa.field("requirements", _TEXTS, nullable=False),
        pa.field("says", pa.string(), nullable=False),
        pa.field("positions", pa.list_(pa.int64()), nullable=False),
    ]
)
"""A broken promise: the requirement that it breaks most plainly, all that it breaks, and the entries that show it."""

MESSAGES: Final = pa.schema(
    [
        pa.field("history", pa.string(), nullable=False),
        pa.field("message", pa.string(), nullable=False),
        pa.field("source", pa.string()),
        pa.field("to", pa.string()),
        pa.field("queue", pa.string()),
        pa.field("received", pa.int64(), nullable=False),
        pa.field("unusable", pa.int64(), nullable=False),
        pa.field("verdict", pa.string(), nullable=False),
        pa.field("broken", pa.list_(PROMISE), nullable=False),
    ]
)
"""One message: how often it was received, entries of it that could not be used, and what is broken for it."""

HOPS: Final = pa.schema(
    [
        pa.field("history", pa.string(), nullable=False),
        pa.field("machine", pa.string(), nullable=False),
        pa.field("to", pa.string(), nullable=False),
        pa.field("next_hops", _TEXTS),
        pa.field("hop", pa.string()),
        pa.field("times", pa.int64(), nullable=False),
        pa.field("position", pa.int64(), nullable=False),
        pa.field("verdict", pa.string(), nullable=False),
        pa.field("requirement", pa.string()),
        pa.field("says", pa.string()),
    ]
)
"""One answer of a router: how often it was given, the first entry that has it, and what is wrong with it."""
