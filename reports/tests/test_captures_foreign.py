"""Pings and junk in an audit of captures: named, and held against nobody."""

import pyarrow as pa

from mqconform.reports.pipeline.captures.frames import judged_batch
from mqconform.reports.pipeline.captures.judging import Settings

PING = bytes.fromhex("0100485501000000") + b"\x11" * 16
JUNK = [b"", b"\0" * 8, b"GET / HTTP/1.0\r\n\r\n", b"\xff" * 51, b"HELP\r\n"]
FAULTY = b"\0\x03\0\0" + b"\x11" * 48


def judged(payloads: list[bytes], source_port: int, destination_port: int) -> list[tuple[str, str]]:
    batch = pa.RecordBatch.from_pydict(
        {
            "source": ["192.0.2.66"] * len(payloads),
            "source_port": [source_port] * len(payloads),
            "destination": ["192.0.2.1"] * len(payloads),
            "destination_port": [destination_port] * len(payloads),
            "payload": payloads,
        }
    )
    rows = judged_batch(batch, Settings()).to_pylist()
    return [(row["message"], row["verdict"]) for row in rows]


def test_junk_to_a_server_and_pings_are_foreign_and_have_no_verdict():
    assert judged([*JUNK, PING], 40_000, 1801) == [("foreign", "none")] * 6


def test_what_a_server_sends_is_judged_whatever_it_is():
    assert judged([*JUNK, PING], 1801, 40_000) == [("unknown", "fail")] + [("reply", "fail")] * 4 + [
        ("foreign", "none")
    ]


def test_a_faulty_request_is_no_junk():
    assert judged([FAULTY], 40_000, 1801) == [("request", "fail")]
