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

from mqconform.reports.pipeline.captures.audit import audit_captures
from mqconform.reports.pipeline.captures.conversation_frames import CONVERSATION_VERDICTS, judge_conversations
from mqconform.reports.pipeline.captures.exchange import READ, packets_in
from mqconform.reports.pipeline.captures.frames import judge_packets, judged_batch, reassembled
from mqconform.reports.pipeline.captures.judging import Settings
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


def rows_of(spark: SparkSession, folder: Path, **options: Any) -> DataFrame:
    spark.dataSource.register(Captures)
    return spark.read.format(FORMAT).options(**options).load(str(folder))


def collected(frame: DataFrame) -> list[Row]:
    return sorted((row.asDict() for row in frame.collect()), key=lambda row: tuple(map(str, IN_PLACE(row))))


def recorded(out: Path, what: str) -> list[Row]:
    rows = pq.read_table(out / what).to_pylist()
    for row in rows:
        for name in {"time", "first_time", "last_time"} & row.keys():
            row[name] = row[name] and row[name].replace(tzinfo=None)
    return rows


@pytest.fixture(scope="module")
def judged(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Captures, and what the command says of them."""
    folder = tmp_path_factory.mktemp("frames")
    captures = written(folder / "captures")
    audit_captures(spark, str(captures), str(folder / "out"))
    return captures, folder / "out"


def test_rows_are_what_the_command_writes(spark: SparkSession, judged: tuple[Path, Path]):
    captures, out = judged
    packets = reassembled(rows_of(spark, captures)).where("kind = 'packet'").drop("kind")
    found = collected(packets)
    assert found == sorted(recorded(out, "packets"), key=lambda row: tuple(map(str, IN_PLACE(row))))
    assert any(row["length"] > 1_200 and row["verdict"] == "pass" for row in found), "the fragments make a datagram"


def test_conversations_are_judged_as_the_command_does(spark: SparkSession, judged: tuple[Path, Path]):
    captures, out = judged
    conversations = judge_conversations(reassembled(rows_of(spark, captures)))
    assert conversations.schema == CONVERSATION_VERDICTS
    by_id, expected = itemgetter("id"), recorded(out, "conversations")
    found = sorted((row.asDict(recursive=True) for row in conversations.collect()), key=by_id)
    assert [{name: bytes(x) if isinstance(x, bytearray) else x for name, x in row.items()} for row in found] == sorted(
        expected, key=by_id
    )
    assert {"other-id", "reply-to-nobody", "unanswered"} <= {row["rule"] for row in expected}


def test_what_cannot_be_read_is_told_and_the_rest_is_read(spark: SparkSession, judged: tuple[Path, Path]):
    captures, out = judged
    problems = reassembled(rows_of(spark, captures)).where("kind = 'problem'")
    found = {(row["file"], row["offset"], row["length"], row["problem"]) for row in problems.collect()}
    assert found == {(row["file"], row["offset"], row["length"], row["reason"]) for row in recorded(out, "quarantine")}
    assert {file for file, *_ in found} == {"b.pcap", "c.pcap", "d.pcap", "f.txt"}


def test_a_capture_divided_among_tasks_gives_the_same_packets(spark: SparkSession, judged: tuple[Path, Path]):
    captures, _ = judged
    whole, divided = rows_of(spark, captures), rows_of(spark, captures, pieceOctets=2_000)
    assert divided.rdd.getNumPartitions() > whole.rdd.getNumPartitions()
    of_packets = "kind = 'packet'"
    assert collected(divided.where(of_packets)) == collected(whole.where(of_packets))


@pytest.mark.parametrize(
    ("load", "complaint"),
    [
        (lambda read: read.load(), "name a capture"),
        (lambda read: read.load(["a", "b"]), "name one file, or one folder"),
        (lambda read: read.load("/no/such/capture"), "there is no such file or folder"),
        (lambda read: read.option("ports", "80,x").load("."), "give numbers from 1 to 65535"),
        (lambda read: read.option("pieceOctets", "0").load("."), "give a whole number above 0"),
        (lambda read: read.option("profile", "lax").load("."), "give one of must, default"),
        (lambda read: read.option("port", "80").load("."), "there is no option port"),
        (lambda read: read.schema("file string").load("."), "leave out schema"),
    ],
)
def test_what_cannot_be_used_is_refused(spark: SparkSession, load: Callable[[Any], DataFrame], complaint: str):
    spark.dataSource.register(Captures)
    with pytest.raises(Exception, match=complaint):
        load(spark.read.format(FORMAT)).collect()


DATAGRAM = {
    "source": "10.0.0.1",
    "source_port": 4000,
    "destination": "10.0.0.2",
    "destination_port": 1801,
    "payload": b"\1" + request(b"i" * 16)[1:],
    "length": 52,
    "mine": "kept",
}
SHAPE = (
    "source string, source_port int, destination string, destination_port bigint, payload binary, "
    "length int, mine string"
)
MALFORMED = (
    {"source": None},
    {"destination": "server.example"},
    {"source_port": 65_536},
    {"destination_port": None},
    {"payload": None},
    {"payload": b"x" * 65_536},
    {"length": -1},
    {"length": 51},
)


def test_datagrams_of_any_table_are_judged_beside_its_own_columns(spark: SparkSession):
    rows = [DATAGRAM | change for change in ({}, {"length": None}, {"length": 60}, *MALFORMED)]
    judged = judge_packets(spark.createDataFrame([tuple(row.values()) for row in rows], SHAPE))
    found = [row.asDict() for row in judged.collect()]
    assert [row["mine"] for row in found] == ["kept"] * len(rows)
    assert [(row["verdict"], row["message"], row["rule"]) for row in found[:3]] == [
        ("fail", "request", "request-version"),
        ("fail", "request", "request-version"),
        ("none", "request", None),
    ]
    assert [(row["verdict"], row["problem"] is not None) for row in found[3:]] == [("none", True)] * len(MALFORMED)
    assert [(row["requests"], row["client"]) for row in judge_conversations(judged).collect()] == [(3, "10.0.0.1")]


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda rows: rows.drop("payload"), "column payload is missing; the columns are source"),
        (
            lambda rows: rows.selectExpr("* except (payload)", "hex(payload) payload"),
            "payload has the type string.*unhex",
        ),
        (
            lambda rows: rows.selectExpr("* except (source_port)", "'x' source_port"),
            "source_port has the type string.*cast",
        ),
        (lambda rows: rows.withColumnRenamed("mine", "verdict"), "verdict is there already"),
    ],
)
def test_tables_that_cannot_be_judged_are_refused_before_a_job_starts(
    spark: SparkSession, change: Callable[[DataFrame], DataFrame], complaint: str
):
    rows = spark.createDataFrame([tuple(DATAGRAM.values())], SHAPE)
    with pytest.raises(UnusableInput, match=complaint):
        judge_packets(change(rows))


TYPES: dict[str, Callable[[pa.Array], pa.Array]] = {
    "large": lambda column: column.cast({pa.string(): pa.large_string(), pa.binary(): pa.large_binary()}[column.type]),
    "view": lambda column: column.cast({pa.string(): pa.string_view(), pa.binary(): pa.binary_view()}[column.type]),
    "dictionary": lambda column: column.dictionary_encode(),
    "sliced": lambda column: pa.concat_arrays([column[-1:], column, column[:1]])[1:-1],
    "empty": lambda column: column[:0],
    "null": lambda column: pa.nulls(len(column), column.type),
    "of no type": lambda column: pa.nulls(len(column)),
}


@pytest.mark.parametrize("kind", TYPES)
def test_datagrams_are_judged_alike_in_every_type_that_spark_may_hand_over(kind: str):
    payloads = [DATAGRAM["payload"], b"", None, request(b"j" * 16)]
    batch = pa.RecordBatch.from_pylist([DATAGRAM | {"payload": payload} for payload in payloads])
    columns = {
        name: TYPES[kind](batch.column(name)) if name in {"source", "destination", "payload"} else batch.column(name)
        for name in batch.schema.names
    }
    rows = min(map(len, columns.values()))
    other = pa.RecordBatch.from_pydict({name: column[:rows] for name, column in columns.items()})
    found, expected = (judged_batch(one, Settings()).to_pylist() for one in (other, batch))
    if rows and "nul" not in kind and kind != "of no type":
        names = [name for name in found[0] if name not in batch.schema.names]
        assert [[row[name] for name in names] for row in found] == [[row[name] for name in names] for row in expected]
    assert all(row["verdict"] == "none" for row in found) or kind not in {"null", "of no type"}


@pytest.mark.parametrize("large", ["true", "false"])
def test_large_types_of_spark_lose_nothing(spark: SparkSession, large: str):
    setting = "spark.sql.execution.arrow.useLargeVarTypes"
    before = spark.conf.get(setting)
    spark.conf.set(setting, large)
    try:
        rows = spark.createDataFrame([tuple(DATAGRAM.values())] * 5, SHAPE)
        judged = judge_packets(rows)
        assert [row["verdict"] for row in judged.collect()] == ["fail"] * 5
        assert judge_conversations(judged).count() == 1
    finally:
        spark.conf.set(setting, before)


def test_conversations_reach_the_loops_in_arrays_that_these_are_compiled_for():
    """Of a read-only array numba makes another type, and compiles the loops once more: half a minute in each worker."""
    texts = {"file": "a", "source": "10.0.0.1", "destination": "10.0.0.2", "message": "request"}
    row = dict.fromkeys(READ, 0) | texts | {"id": b"i" * 16, "site": None}
    packets = packets_in(pa.Table.from_pylist([row]), ())
    assert [name for name, column in packets.exchange._asdict().items() if not column.flags.writeable] == []
