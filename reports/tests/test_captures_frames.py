"""Captures as a data source of Spark and judged from DataFrame to DataFrame: what the command says, row by row."""

from collections.abc import Callable

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import StructType
from test_audit_captures import request

from mqconform.reports.pipeline.captures.conversation_frames import judge_conversations
from mqconform.reports.pipeline.captures.frames import judge_packets, judged_batch
from mqconform.reports.pipeline.captures.judging import JUDGED, Settings
from mqconform.reports.pipeline.captures.source import FORMAT, Captures, captures_in
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.storage import place_of


def test_what_cannot_be_used_is_refused(spark: SparkSession):
    spark.dataSource.register(Captures)
    with pytest.raises(Exception, match="name one file, or one folder"):
        spark.read.format(FORMAT).load(["a", "b"]).collect()
    for options, complaint in (
        ({}, "name a capture"),
        ({"path": ".", "ports": "80,x"}, "give numbers from 1 to 65535"),
        ({"path": ".", "pieceOctets": "0"}, "give a whole number above 0"),
        ({"path": ".", "profile": "lax"}, "give one of must, default"),
        ({"path": ".", "port": "80"}, "there is no option port"),
    ):
        captures = Captures(options)
        with pytest.raises(UnusableInput, match=complaint):
            captures.reader(captures.schema())
    with pytest.raises(UnusableInput, match="there is no such file or folder"):
        captures_in(place_of("/no/such/capture"))
    with pytest.raises(UnusableInput, match="omit schema"):
        Captures({"path": "."}).reader(StructType())


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


def test_tables_that_cannot_be_judged_are_refused_before_a_job_starts(spark: SparkSession):
    rows = spark.createDataFrame([tuple(DATAGRAM.values())], SHAPE)
    for changed, complaint in (
        (rows.drop("payload"), "column payload is missing; the columns are source"),
        (rows.withColumn("payload", F.hex("payload")), "payload has the type string.*unhex"),
        (rows.withColumn("source_port", F.lit("x")), "source_port has the type string.*cast"),
        (rows.withColumnRenamed("mine", "verdict"), "verdict is there already"),
    ):
        with pytest.raises(UnusableInput, match=complaint):
            judge_packets(changed)


OCTETS = {"source", "destination", "payload"}
TYPES: dict[str, Callable[[pa.Array], pa.Array]] = {
    "large": lambda column: column.cast({pa.string(): pa.large_string(), pa.binary(): pa.large_binary()}[column.type]),
    "view": lambda column: column.cast({pa.string(): pa.string_view(), pa.binary(): pa.binary_view()}[column.type]),
    "dictionary": lambda column: column.dictionary_encode(),
    "sliced": lambda column: pa.concat_arrays([column[-1:], column, column[:1]])[1:-1],
}


def test_datagrams_are_judged_alike_in_every_type_that_spark_may_hand_over():
    payloads = [DATAGRAM["payload"], b"", None, request(b"j" * 16)]
    batch = pa.RecordBatch.from_pylist([DATAGRAM | {"payload": payload} for payload in payloads])
    expected = judged_batch(batch, Settings()).select(JUDGED.names).to_pylist()
    for kind, changed in TYPES.items():
        other = pa.RecordBatch.from_pydict(
            {name: changed(batch.column(name)) if name in OCTETS else batch.column(name) for name in batch.schema.names}
        )
        assert judged_batch(other, Settings()).select(JUDGED.names).to_pylist() == expected, kind
    for kind, absent in (("null", pa.nulls(4, pa.binary())), ("of no type", pa.nulls(4))):
        other = batch.set_column(batch.schema.get_field_index("payload"), "payload", absent)
        assert set(judged_batch(other, Settings())["verdict"].to_pylist()) == {"none"}, kind
    assert judged_batch(batch[:0], Settings()).num_rows == 0


def test_large_types_of_spark_lose_nothing(spark: SparkSession):
    setting = "spark.sql.execution.arrow.useLargeVarTypes"
    before = spark.conf.get(setting)
    spark.conf.set(setting, "true")
    try:
        rows = spark.createDataFrame([tuple(DATAGRAM.values())] * 5, SHAPE)
        judged = judge_packets(rows)
        assert [row["verdict"] for row in judged.collect()] == ["fail"] * 5
        assert judge_conversations(judged).count() == 1
    finally:
        spark.conf.set(setting, before)


def test_a_reply_to_nobody_fails_where_its_client_had_a_request_that_this_server_left_unanswered(spark: SparkSession):
    asked, answered = (1, "request"), (2, "reply")
    strays = {
        b"wrong": (asked, ("10.1.0.8", *answered)),
        b"answered": (asked, ("10.1.0.9", *answered)),
        b"too late": ((-15, "request"),),
        b"other port": ((1, "request", 4001),),
        b"asked later": ((4, "request"),),
    }
    rows = [("10.0.0.99", 4000, "10.1.0.9", -100, "request", b"first")]
    for number, (name, packets) in enumerate(strays.items()):
        client = f"10.0.0.{number}"
        rows.append((client, 4000, "10.1.0.9", 3, "reply", name))
        for packet in packets:
            server, at, message, *port = packet if len(packet) == 3 and packet[2] == "reply" else ("10.1.0.9", *packet)
            rows.append((client, *(port or [4000]), server, at, message, name + b"?"))
    spread = [
        {
            "source": client if message == "request" else server,
            "source_port": port if message == "request" else 1801,
            "destination": server if message == "request" else client,
            "destination_port": 1801 if message == "request" else port,
            "nanoseconds": (at + 1000) * 10**9,
            "message": message,
            "id": name.ljust(16),
            "enterprise": 0,
            "shown": 0,
        }
        for client, port, server, at, message, name in rows
    ]
    found = {row["id"].strip(): row for row in judge_conversations(spark.createDataFrame(spread)).collect()}
    assert {name: found[name]["rule"] for name in strays} == dict.fromkeys(strays, "reply-to-nobody") | {
        b"wrong": "other-id"
    }
    assert (found[b"wrong"]["verdict"], found[b"wrong"]["host"]) == ("fail", "10.1.0.9")
    assert [finding["rule"] for finding in found[b"wrong"]["findings"]] == ["other-id"]
