"""The rows of a capture: judged datagrams, fragments, what could not be read, and how many frames there were."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa

from mqconform.reference.mqbr.bulk_compiled import Int64s, Octets
from mqconform.reports.pipeline.arrow_columns import runs
from mqconform.reports.pipeline.captures.addresses import address_texts
from mqconform.reports.pipeline.captures.bulk_datagrams import Datagrams
from mqconform.reports.pipeline.captures.bulk_records import NO_TIME
from mqconform.reports.pipeline.captures.judging import JUDGED, Settings, judged_columns

PACKET, FRAGMENT, PROBLEM, COUNTS = "packet", "fragment", "problem", "counts"
"""What a row is."""
OCTETS: Final = 2_048
"""Octets that are kept of the payload of a packet with a failure or a doubt."""

ROWS: Final = pa.schema(
    [
        ("kind", pa.string()),
        ("file", pa.string()),
        ("frame", pa.int64()),
        ("offset", pa.int64()),
        ("time", pa.timestamp("us", "UTC")),
        ("nanoseconds", pa.int64()),
        ("source", pa.string()),
        ("source_port", pa.int32()),
        ("destination", pa.string()),
        ("destination_port", pa.int32()),
        ("identification", pa.int32()),
        ("length", pa.int32()),
        *JUDGED,
        ("octets", pa.binary()),
        ("problem", pa.string()),
        ("fragment", pa.struct([("key", pa.binary()), ("at", pa.int32()), ("more", pa.bool_())])),
        ("counts", pa.map_(pa.string(), pa.int64())),
    ]
)
"""One row for each datagram on a port of discovery, fragment of one, run of octets that could not be read, and for each
part of a file; ``kind`` says which.

``file``, ``offset`` and ``frame`` say where it was captured, ``time`` and ``nanoseconds`` (since 1970) when, null where
the capture has no time. ``identification`` is of IPv4. ``length`` is the payload length in the UDP header; where octets
could not be read (``problem``), their number. ``octets`` has the beginning of the payload of a packet whose verdict is
fail or inconclusive, and all of a fragment. ``counts`` has the frames of a part of a file by what they are, its octets,
and 1 as ``files`` if the part is the first.
"""


class Where(NamedTuple):
    """Where packets stand in their capture; one entry of each array for one packet."""

    frame: Int64s
    offset: Int64s
    time: Int64s


def packet_rows(file: str, octets: Octets, where: Where, datagrams: Datagrams, settings: Settings) -> pa.RecordBatch:
    """Return datagrams, judged, as rows of ``ROWS``.

    Args:
        file: name of the capture.
        octets: what the payloads lie in.
        where: where each datagram stands in the capture.
        datagrams: their addresses, ports and lengths.
        settings: by what they are judged.
    """
    judged = judged_columns(octets, datagrams, settings)
    verdict = judged["verdict"].to_numpy(zero_copy_only=False)
    not_passed = (verdict == "fail") | (verdict == "inconclusive")
    times = pa.array(where.time, mask=where.time == NO_TIME)
    return _filled(
        judged
        | {
            "kind": _same(PACKET, len(not_passed)),
            "file": _same(file, len(not_passed)),
            "frame": pa.array(where.frame),
            "offset": pa.array(where.offset),
            "time": pa.array(where.time // 1_000, mask=where.time == NO_TIME).cast(ROWS.field("time").type),
            "nanoseconds": times,
            "source": address_texts(datagrams.source),
            "source_port": pa.array(datagrams.source_port),
            "destination": address_texts(datagrams.destination),
            "destination_port": pa.array(datagrams.destination_port),
            "identification": pa.array(datagrams.identification, mask=datagrams.identification < 0),
            "length": pa.array(datagrams.length),
            "octets": runs(octets, datagrams.start, np.minimum(datagrams.captured, OCTETS), not_passed),
        },
        len(not_passed),
    )


def problem_row(file: str, offset: int, length: int, frame: int | None, problem: str) -> dict[str, Any]:
    """Return the row of octets that could not be read."""
    return {"kind": PROBLEM, "file": file, "offset": offset, "frame": frame, "length": length, "problem": problem}


def counts_row(file: str, counts: Mapping[str, int]) -> dict[str, Any]:
    """Return the row of what was counted in a part of a file."""
    return {"kind": COUNTS, "file": file, "counts": list(counts.items())}


def batch_of(rows: Iterable[Mapping[str, Any]]) -> pa.RecordBatch:
    """Return some of these rows as a batch."""
    empty = dict.fromkeys(ROWS.names)
    return pa.RecordBatch.from_pylist([empty | dict(row) for row in rows], ROWS)


def _filled(columns: Mapping[str, Any], rows: int) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays(
        [columns[field.name] if field.name in columns else pa.nulls(rows, field.type) for field in ROWS], schema=ROWS
    )


def _same(text: str, rows: int) -> pa.Array:
    return pa.repeat(pa.scalar(text, pa.string()), rows)
