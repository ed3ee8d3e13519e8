"""Times of decisions as microseconds since 1970."""

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from mqconform.reports.pipeline.problems import UnusableInput

ISO = r"^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$"
"""What is read as a time; one without a zone counts as UTC."""


def microseconds_of(column: pa.Array) -> tuple[Any, Any]:
    """Return the time of each row, and which rows have one that can be read.

    Raises:
        UnusableInput: the column holds neither times nor text.
    """
    kind = column.type
    if pa.types.is_null(kind):
        return np.zeros(len(column), dtype=np.int64), np.zeros(len(column), dtype=np.bool_)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        column = _from_text(column)
    elif not (pa.types.is_timestamp(kind) or pa.types.is_date(kind)):
        raise UnusableInput(f"column time holds {kind}; it must hold timestamps, or text such as 2026-01-31T12:00:00Z")
    times = column.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
    return np.asarray(pc.fill_null(times, 0)), np.asarray(times.is_valid())


def _from_text(column: pa.Array) -> pa.Array:
    """Return text as times, null where it is none."""
    text = column.cast(pa.string())
    formed = pc.if_else(pc.match_substring_regex(text, ISO), text, pa.scalar(None, pa.string()))
    only_date = pc.match_substring_regex(formed, r"^\d{4}-\d\d-\d\d$")
    formed = pc.if_else(only_date, pc.binary_join_element_wise(formed, "T00:00:00", ""), formed)
    zoned = pc.match_substring_regex(formed, r"(Z|[+-]\d\d:?\d\d)$")
    complete = pc.if_else(zoned, formed, pc.binary_join_element_wise(formed, "Z", ""))
    try:
        return complete.cast(pa.timestamp("us", "UTC"))
    except pa.ArrowInvalid:  # a day that no month has, say: one by one, so that the others count
        return pa.array([_time_or_none(text) for text in complete.to_pylist()], pa.timestamp("us", "UTC"))


def _time_or_none(text: str | None) -> Any:
    try:
        return pa.scalar(text).cast(pa.timestamp("us", "UTC")).as_py()
    except pa.ArrowInvalid:
        return None
