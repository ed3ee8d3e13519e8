"""Captures as a data source of Spark and judged from DataFrame to DataFrame: what the command says, row by row."""

from collections.abc import Callable

import pyarrow as pa
import pytest
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import StructType
from test_audit_captures import request

from mqconform.reports.pipeline.captures.conversation_frames import judge_conversations
from mqconform.reports.pipeline.captures.exchange import READ, packets_in
from mqconform.reports.pipeline.captures.frames import judge_packets, judged_batch
from mqconform.reports.pipeline.captures.judging import JUDGED, Settings
from mqconform.reports.pipeline.captures.planning import captures_in
from mqconform.reports.pipeline.captures.source import FORMAT, Captures
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


def test_conversations_reach_the_loops_in_arrays_that_these_are_compiled_for():
    """Of a read-only array numba makes another type, and compiles the loops once more: half a minute in each worker."""
    texts = {"file": "a", "source": "10.0.0.1", "destination": "10.0.0.2", "message": "request"}
    row = dict.fromkeys(READ, 0) | texts | {"id": b"i" * 16, "site": None}
    packets = packets_in(pa.Table.from_pylist([row]), ())
    assert [name for name, column in packets.exchange._asdict().items() if not column.flags.writeable] == []
