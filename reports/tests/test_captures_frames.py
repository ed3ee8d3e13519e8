"""Captures as a data source of Spark and judged from DataFrame to DataFrame: what the command says, row by row."""

import struct
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession
from scapy.layers.inet import IP, UDP, fragment
from scapy.layers.l2 import Ether
from scapy.packet import Raw
from test_audit_captures import Traffic, reply, request, spoiled_traffic

from mqconform.reports.pipeline.captures import conversation_frames
from mqconform.reports.pipeline.captures.audit import Order, audit_captures
from mqconform.reports.pipeline.captures.conversation_frames import CONVERSATION_VERDICTS, judge_conversations
from mqconform.reports.pipeline.captures.frames import PACKET_VERDICTS, judge_packets, reassembled
from mqconform.reports.pipeline.captures.source import FORMAT, Captures
from mqconform.reports.pipeline.problems import UnusableInput

Row = dict[str, Any]
IN_PLACE = itemgetter("file", "offset", "frame")


def written(folder: Path) -> Path:
    """Captures with wrong replies, a cut packet, an unknown link type, damage, fragments in two files and IPv6."""
    folder.mkdir()
    traffic, _ = spoiled_traffic(60, 1)
    traffic.ask(100.0, 900, request(b"a" * 16))
    traffic.answer(100.2, 900, reply(b"b" * 16), 7)  # to nobody: the answer to "a" with the wrong identifier
    traffic.answer(120.0, 901, reply(b"c" * 16), 7)  # to nobody, of whom no request is there
    traffic.ask(121.0, 902, request(b"d" * 16))  # not answered
    traffic.ask(140.0, 903, request(b"e" * 16))
    traffic.answer(140.3, 903, reply(b"e" * 16, site=b"S" * 16), 7)  # lists nothing, though the site is another
    half = len(traffic.frames) // 2
    (folder / "a.pcap").write_bytes(traffic.pcap(traffic.frames[:half]))
    whole = traffic.pcap(traffic.frames[half:])
    (folder / "b.pcap").write_bytes(whole[:-7])
    token_ring = Traffic().pcap([(1.0, b"x" * 40)])
    (folder / "c.pcap").write_bytes(token_ring[:20] + struct.pack("<I", 6) + token_ring[24:])
    many = ",".join("10PSC" for _ in range(150)) + "\0"
    packet = IP(src="10.2.0.9", dst="10.1.0.5", id=77) / UDP(sport=1801, dport=4000)
    first, second, *_ = fragment(packet / Raw(reply(b"F" * 16, many.encode("utf-16-le"))), 1200)
    (folder / "d.pcap").write_bytes(
        traffic.pcap(
            [(1.0, bytes(Ether() / first)), (1.5, bytes(Ether() / fragment(packet / Raw(b"x" * 1500), 1000)[1]))]
        )
    )
    (folder / "e.pcap").write_bytes(traffic.pcap([(1.1, bytes(Ether() / second))]))
    (folder / "f.txt").write_text("no capture")
    return folder


def datagrams_of(spark: SparkSession, folder: Path, **options: Any) -> DataFrame:
    spark.dataSource.register(Captures)
    return spark.read.format(FORMAT).options(**options).load(str(folder))


def collected(frame: DataFrame) -> list[Row]:
    return sorted((row.asDict() for row in frame.collect()), key=lambda row: tuple(map(str, IN_PLACE(row))))


def recorded(out: Path, what: str) -> list[Row]:
    rows = pq.read_table(out / what).to_pylist()
    for row in rows:
        if row.get("time") is not None:
            row["time"] = row["time"].to_pydatetime().replace(tzinfo=None)
    return sorted(rows, key=lambda row: tuple(map(str, IN_PLACE(row))))


@pytest.fixture(scope="module")
def judged(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Captures, and what the command says of them."""
    folder = tmp_path_factory.mktemp("frames")
    captures = written(folder / "captures")
    audit_captures(spark, Order(str(captures), str(folder / "out")))
    return captures, folder / "out"


def test_packets_are_judged_as_the_command_does(spark: SparkSession, judged: tuple[Path, Path]):
    captures, out = judged
    packets = judge_packets(reassembled(datagrams_of(spark, captures)))
    assert packets.schema == PACKET_VERDICTS
    found = collected(packets)
    assert found == recorded(out, "packets")
    assert any(row["length"] > 1_200 and row["verdict"] == "pass" for row in found), "the fragments make a datagram"


def test_conversations_are_judged_as_the_command_does(spark: SparkSession, judged: tuple[Path, Path]):
    captures, out = judged
    conversations = judge_conversations(reassembled(datagrams_of(spark, captures)))
    assert conversations.schema == CONVERSATION_VERDICTS
    expected = pq.read_table(out / "conversations").to_pylist()
    for row in expected:
        for name in ("first_time", "last_time"):
            row[name] = row[name].to_pydatetime().replace(tzinfo=None)
    by_id = itemgetter("id")
    assert sorted((row.asDict() for row in conversations.collect()), key=by_id) == sorted(expected, key=by_id)
    assert {"other-id", "reply-to-nobody", "unanswered"} <= {row["rule"] for row in expected}


def test_what_cannot_be_read_is_told_and_the_rest_is_read(spark: SparkSession, judged: tuple[Path, Path]):
    captures, out = judged
    datagrams = reassembled(datagrams_of(spark, captures))
    problems = datagrams.where("problem is not null").selectExpr(
        "file", "offset", "cast(length as long) length", "frame", "problem reason"
    )
    assert collected(problems) == recorded(out, "quarantine")
    assert {row["file"] for row in collected(problems)} == {"b.pcap", "c.pcap", "d.pcap", "f.txt"}


def test_a_capture_divided_among_tasks_gives_the_same_rows(spark: SparkSession, judged: tuple[Path, Path]):
    captures, _ = judged
    whole, divided = datagrams_of(spark, captures), datagrams_of(spark, captures, pieceOctets=2_000)
    assert divided.rdd.getNumPartitions() > whole.rdd.getNumPartitions()
    assert collected(divided) == collected(whole)


@pytest.mark.parametrize(
    ("load", "complaint"),
    [
        (lambda read: read.load(), "name a capture"),
        (lambda read: read.load("/no/such/capture"), "there is no such file or folder"),
        (lambda read: read.option("ports", "80,x").load("."), "give numbers from 1 to 65535"),
        (lambda read: read.option("pieceOctets", "0").load("."), "give a whole number above 0"),
    ],
)
def test_what_cannot_be_used_is_refused(spark: SparkSession, load: Callable[[Any], DataFrame], complaint: str):
    spark.dataSource.register(Captures)
    with pytest.raises(Exception, match=complaint):
        load(spark.read.format(FORMAT)).collect()


def test_rows_that_are_no_datagrams_are_refused(spark: SparkSession):
    with pytest.raises(UnusableInput, match="column file, offset"):
        judge_packets(spark.range(1))


def test_conversations_reach_the_loops_in_arrays_that_these_are_compiled_for():
    """Of a read-only array numba makes another type, and compiles the loops once more: half a minute in each worker."""
    schema = conversation_frames.PACKETS_OF_IDS
    row = {field.name: "a.pcap" if field.type == pa.string() else 0 for field in schema}
    packets, _, _ = conversation_frames._read(pa.Table.from_pylist([row], schema))
    assert [name for name, column in packets.exchange._asdict().items() if not column.flags.writeable] == []
