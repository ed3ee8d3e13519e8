"""Delivery logs as a data source of Spark: what its rows are, how files are divided, and what cannot be read."""

import gzip
import json
from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession
from test_audit_deliveries import ONE, Row, recorded, rows_of, written

from mqconform.reports.pipeline.deliveries.frames import judge_deliveries
from mqconform.reports.pipeline.deliveries.source import FORMAT, Deliveries


def entries_of(spark: SparkSession, log: Path | str, **options: Any) -> DataFrame:
    spark.dataSource.register(Deliveries)
    return spark.read.format(FORMAT).options(**options).load(str(log))


def collected(frame: DataFrame, key: str = "stream") -> list[Row]:
    return sorted((row.asDict(recursive=True) for row in frame.collect()), key=lambda row: str(row[key]))


@pytest.mark.parametrize("form", ["csv", "ndjson", "parquet"])
def test_its_rows_are_judged_as_those_of_sparks_own_readers(spark: SparkSession, tmp_path: Path, form: str):
    log = written(tmp_path / f"log.{form}", rows_of(recorded(20, wrong=True)))
    read = {
        "csv": lambda: spark.read.csv(log, header=True),
        "ndjson": lambda: spark.read.json(log, primitivesAsString=True),
        "parquet": lambda: spark.read.parquet(log),
    }
    streams = collected(judge_deliveries(entries_of(spark, log), healed=True))
    assert streams == collected(judge_deliveries(read[form](), healed=True))
    assert {"pass", "fail"} == {stream["verdict"] for stream in streams}


@pytest.mark.parametrize("form", ["csv", "ndjson", "parquet"])
def test_a_log_divided_among_tasks_gives_the_same_rows(spark: SparkSession, tmp_path: Path, form: str):
    log = written(tmp_path / f"log.{form}", rows_of(recorded(20, wrong=False)))
    whole, divided = entries_of(spark, log), entries_of(spark, log, pieceOctets=2_000)
    assert whole.rdd.getNumPartitions() == 1
    assert divided.rdd.getNumPartitions() > 3
    by_all = itemgetter("stream", "position", "event")
    assert sorted(map(by_all, divided.collect())) == sorted(map(by_all, whole.collect()))


def test_lines_that_cannot_be_read_are_told_and_leave_their_stream_undecided(spark: SparkSession, tmp_path: Path):
    lines = ["stream,event,message,sequence,position", "s,sent,m,1,1", "s,accepted", "t,sent,m,1,1", "t,accepted,m,1,2"]
    log = tmp_path / "log.csv"
    log.write_text("\n".join(lines))
    entries = entries_of(spark, log)
    (problem,) = collected(entries.where("problem is not null"))
    at = "\n".join(lines).index("s,accepted")
    assert problem == dict.fromkeys(problem) | {
        "stream": "s", "file": str(log), "offset": at, "problem": "cannot be read: s,accepted",
    }  # fmt: skip
    verdicts = {stream["stream"]: stream["verdict"] for stream in collected(judge_deliveries(entries))}
    assert verdicts == {"s": "inconclusive", "t": "pass"}


def test_a_folder_of_packed_lines_is_read_and_what_is_no_entry_is_told(spark: SparkSession, tmp_path: Path):
    for number, entry in enumerate(ONE):
        octets = f"{json.dumps(entry)}\n{{\n".encode()
        (tmp_path / f"{number}.jsonl.gz").write_bytes(gzip.compress(octets))
    rows = collected(entries_of(spark, tmp_path), "file")
    assert [(row["event"], row["problem"]) for row in rows if row["event"]] == [("sent", None), ("accepted", None)]
    problems = [(row["file"], row["stream"], row["problem"]) for row in rows if row["problem"]]
    assert problems == [(str(tmp_path / f"{number}.jsonl.gz"), None, "cannot be read: {") for number in range(2)]


def parquet_of(folder: Path, **columns: Any) -> str:
    pq.write_table(pa.table({name: [value] for name, value in (ONE[0] | columns).items()}), folder / "log.parquet")
    return str(folder)


@pytest.mark.parametrize(
    ("load", "complaint"),
    [
        (lambda read, _: read.load(), "name a delivery log"),
        (lambda read, _: read.load("/no/such/log"), "there is no such file or folder"),
        (lambda read, _: read.option("pieceOctets", "x").load("."), "give a whole number above 0"),
        (lambda read, folder: read.load(parquet_of(folder, stream=[1])), "column stream holds list"),
        (lambda read, folder: read.load(written(folder / "a.csv", [{"stream": "s"}])), "columns event, message, seq"),
    ],
)
def test_what_cannot_be_used_is_refused(
    spark: SparkSession, tmp_path: Path, load: Callable[[Any, Path], DataFrame], complaint: str
):
    spark.dataSource.register(Deliveries)
    with pytest.raises(Exception, match=complaint):
        load(spark.read.format(FORMAT), tmp_path).collect()
