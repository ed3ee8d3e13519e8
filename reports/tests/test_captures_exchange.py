"""What one task hands on, the task of a bucket reads again: every packet once, unchanged, in its order."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconform.reference.mqsd.audit.bulk_findings import new_verdicts
from mqconform.reports.pipeline.captures import bulk_datagrams as datagrams_of
from mqconform.reports.pipeline.captures import exchange
from mqconform.reports.pipeline.captures.bulk_datagrams import Datagrams
from mqconform.reports.pipeline.captures.bulk_fields import HAS_ID, REPLY, Fields
from mqconform.reports.pipeline.captures.exchange import (
    Batch,
    ExchangeWriter,
    Handed,
    handed_on,
    room_for,
    together,
    with_identifiers,
)
from mqconform.reports.pipeline.storage import Place

FILE = 7
IPV4 = 0xFFFF << 32
ADDRESSES = st.integers(0, 2**32 - 1).map(lambda one: IPV4 | one) | st.sampled_from([0, 1, IPV4 - 1, 2**64, 2**128 - 1])
PACKETS = st.lists(
    st.fixed_dictionaries(
        {
            "source": ADDRESSES,
            "destination": ADDRESSES,
            "ports": st.tuples(st.integers(0, 65_535), st.integers(0, 65_535)),
            "identification": st.sampled_from([-1, 0, 1, 65_535]),
            "length": st.integers(0, 65_535),
            "id": st.binary(min_size=16, max_size=16),
            "site": st.sampled_from([bytes(16), b"S" * 16, b"\xff" * 16]),
            "enterprise": st.sampled_from([0, 1, 2**64 - 1]),
            "shown": st.integers(0, 31),
            "message": st.integers(0, 2),
            "time": st.integers(-(2**63), 2**63 - 1),
            "step": st.sampled_from([1, 100, 2**31, 2**32]),
        }
    ),
    max_size=40,
)


def halves(address: int) -> tuple[int, int]:
    return address >> 64, address & 2**64 - 1


def columns(packets: list[dict[str, Any]]) -> tuple[Datagrams, Fields, Any, tuple[Any, Any]]:
    count = len(packets)
    datagrams = datagrams_of.room_for(count)
    fields = Fields(*(np.zeros((count, 16), np.uint8) for _ in range(2)), np.zeros(count, np.uint64),
                    np.zeros(count, np.uint8))  # fmt: skip
    verdicts = new_verdicts(count)
    for row, one in enumerate(packets):
        datagrams.source[row], datagrams.destination[row] = halves(one["source"]), halves(one["destination"])
        datagrams.source_port[row], datagrams.destination_port[row] = one["ports"]
        datagrams.identification[row], datagrams.length[row] = one["identification"], one["length"]
        fields.identifiers[row] = np.frombuffer(one["id"], np.uint8)
        fields.sites[row] = np.frombuffer(one["site"], np.uint8)
        fields.enterprises[row], fields.flags[row] = one["enterprise"], one["shown"]
        verdicts.message[row] = one["message"]
    times = np.array([one["time"] for one in packets], np.int64)
    offsets = np.cumsum([0, *(one["step"] for one in packets)])[:count].astype(np.int64)
    return datagrams, fields, verdicts, (times, offsets)


def expected(packets: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    offsets = columns(packets)[3][1].tolist()
    found = []
    for one, offset in zip(packets, offsets, strict=True):
        turned = one["message"] == REPLY
        ends = (one["source"], one["ports"][0]), (one["destination"], one["ports"][1])
        client, server = ends[::-1] if turned else ends
        if one["shown"] & HAS_ID:
            found.append(
                (one["id"], one["site"], one["enterprise"], one["time"], client, server, one["identification"],
                 one["length"], one["shown"], one["message"], offset, FILE)
            )  # fmt: skip
    return found


def told(handed: Handed) -> list[tuple[Any, ...]]:
    one = handed.exchange

    def number(row: int, high: Any, low: Any) -> int:
        return int(high[row]) << 64 | int(low[row])

    return [
        (
            number(row, one.id_high, one.id_low).to_bytes(16, "big"),
            number(row, one.site_high, one.site_low).to_bytes(16, "big"),
            int(one.enterprise[row]), int(one.time[row]),
            (number(row, one.client_high, one.client_low), int(one.client_port[row])),
            (number(row, one.server_high, one.server_low), int(one.server_port[row])),
            int(one.identification[row]), int(one.length[row]), int(one.shown[row]), int(one.message[row]),
            int(handed.offset[row]), int(handed.file[row]),
        )
        for row in range(handed.packets)
    ]  # fmt: skip


@contextmanager
def written(portions: list[list[dict[str, Any]]], buckets: int) -> Iterator[tuple[Place, list[Batch]]]:
    with tempfile.TemporaryDirectory() as folder:
        writer = ExchangeWriter(Place(f"{folder}/rows"), buckets)
        for portion in portions:
            datagrams, fields, verdicts, where = columns(portion)
            file = np.full(len(portion), FILE, np.int32)
            writer.write(with_identifiers(datagrams, fields, verdicts.message, where, file))
        writer.close()
        yield Place(folder), writer.batches


def come_through(portions: list[list[dict[str, Any]]], buckets: int) -> None:
    wanted = [packet for portion in portions for packet in expected(portion)]
    found = []
    with written(portions, buckets) as (folder, batches):
        for bucket in range(buckets):
            handed = handed_on(folder, [batch for batch in batches if batch.bucket == bucket])
            assert (handed.exchange.known_server == -1).all()
            rows = told(handed)
            own = {row[0] for row in rows}
            assert rows == [packet for packet in wanted if packet[0] in own]
            found += rows
    assert sorted(found) == sorted(wanted)


@given(st.lists(PACKETS, max_size=3), st.integers(1, 5))
def test_every_packet_with_an_identifier_comes_through_unchanged(portions: list[list[dict[str, Any]]], buckets: int):
    come_through(portions, buckets)


def test_what_is_written_in_several_goes_comes_through_in_order(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(exchange, "GATHERED", 2)
    usual = {"source": IPV4 | 1, "destination": IPV4 | 2, "ports": (1, 2), "identification": 0, "length": 52,
             "site": bytes(16), "enterprise": 0, "shown": 3, "message": 1, "time": 0, "step": 1}  # fmt: skip
    portions = [[usual | {"id": (place % 7).to_bytes(16, "big"), "length": place}] for place in range(50)]
    come_through(portions, 3)


def test_without_a_packet_there_is_no_file(tmp_path: Path):
    ExchangeWriter(Place(str(tmp_path / "rows")), 1).close()
    assert not (tmp_path / "rows").exists()
    assert handed_on(Place(str(tmp_path)), []).packets == together([]).packets == room_for(0).packets == 0
