"""Delivery logs as Spark reads them: numbers and times in whatever form, many files, many tasks."""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow", reason="the extra spark is not installed")
pytest.importorskip("pyspark", reason="the extra spark is not installed")
import pyarrow.parquet as pq  # noqa: E402
from test_audit_deliveries import ONE, Row, audit_deliveries, expected_findings, read, recorded, rows_of, written  # noqa: E402

from mqconform.reports.pipeline.problems import UnusableInput  # noqa: E402

INTEGERS = [
    "1", " 1", "1 ", "\t1\x7f", "+1", "-1", "--1", "01", "1.0", "1.", ".1", "1e0", "0x1", "1_0", "\u0661", "\u00a01",
    "x", " ", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "1" * 30,
    "0" * 30 + "1",
]  # fmt: skip
TIMES = [
    "1", "0.5", "-1", "-0.000000001", "1.000000001", "999999999999999999", "2026-01-01T10:00:00Z",
    "2026-01-01 10:00:00",
    "2024-02-29T23:59:59.999999Z", "2026-01-01T10:00:00.5+02:30", "2026-01-01T10:00:00-14:00", "0001-01-01T00:00:00Z",
    "1600-02-29T12:00:00.000001Z", "1969-12-31T23:59:59.9Z", "9999-12-31T23:59:59Z",
]  # fmt: skip
ODD_TIMES = [
    "1e3", "+5", " 5", "5 ", "1.", ".5", "1.0000000005", "2026", "2026-01-01", "10:00", "2026-1-1 1:1:1",
    "2026-01-01T10:00:00.1234567Z", "2026-01-01T10:00:00 UTC", "2026-01-01T10:00:00+1:00",
    "2026-01-01T10:00:00+18:00", "2026-01-01T10:00:00Europe/Oslo",
]  # fmt: skip
NO_TIMES = ["nan", "x", "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "1" * 40]
NO_INTEGERS = {
    "--1", "1.0", "1.", ".1", "1e0", "0x1", "1_0", "\u0661", "\u00a01", "x", " ", "9223372036854775808",
    "-9223372036854775809", "1" * 30,
}  # fmt: skip
NO_NUMBERS = {"-1", "9223372036854775807", "-9223372036854775808"}
"""Integers that are no sequence numbers; a previous number that is no integer counts as none."""


def texts(times: list[str]) -> list[Row]:
    """A log in which every text is the number or the time of an entry of a stream of its own."""
    found: list[Row] = []
    for name, values in {"sequence": INTEGERS, "previous": INTEGERS, "position": INTEGERS, "time": times}.items():
        for number, value in enumerate(values):
            for entry in (*ONE, ONE[1] | {"message": 'm,"\u00e5"' if number % 5 == 0 else "m"}):
                row = entry | {"stream": f"{name} {number}", "time": "7.5"}
                odd = row | {name: value} if entry is not ONE[0] else row
                found.append({key: str(each) for key, each in odd.items()})
    between = [
        ("2026-01-01T00:00:00.5Z", 2),
        ("1767225600.25", 1),
        ("1767225600.75", 3),
        ("2026-01-01T01:00:00+01:00", 0),
    ]
    found += [
        ONE[1] | {"stream": "times", "time": time, "message": f"m{place}", "sequence": place, "position": 0}
        for time, place in between
    ]
    return [{key: str(value) for key, value in row.items()} for row in found]


def told(spark: Any, log: str, out: Path) -> tuple[Any, list[Row], list[Row]]:
    summary = audit_deliveries(spark, log, str(out), healed=True)
    found = (sorted(read(out / folder), key=json.dumps) for folder in ("streams", "findings"))
    return summary, *found


@pytest.fixture
def many_tasks(spark: Any) -> Iterator[None]:
    """Small parts of files, and several tasks that judge."""
    settings = {
        "spark.sql.files.maxPartitionBytes": "5000",
        "spark.sql.shuffle.partitions": "5",
        "spark.sql.adaptive.coalescePartitions.enabled": "false",
    }
    before = {name: spark.conf.get(name) for name in settings}
    for name, value in settings.items():
        spark.conf.set(name, value)
    yield
    for name, value in before.items():
        spark.conf.set(name, value)


@pytest.mark.parametrize("form", ["csv", "ndjson", "parquet"])
def test_a_text_means_the_same_in_every_form(spark: Any, tmp_path: Path, form: str):
    rows = texts([*TIMES, *ODD_TIMES, *NO_TIMES])
    if form == "csv":
        rows = [row | {"message": row["message"].replace('"', "'")} for row in rows]
    log = written(tmp_path / f"log.{form}", rows)
    summary, streams, _ = told(spark, log, tmp_path / "out")
    undecided = {stream["stream"] for stream in streams if stream["verdict"] == "inconclusive"}
    without_meaning = {"sequence": NO_INTEGERS | NO_NUMBERS, "previous": NO_NUMBERS, "position": NO_INTEGERS}
    expected = {f"{name} {INTEGERS.index(text)}" for name, texts_of in without_meaning.items() for text in texts_of}
    assert undecided == expected | {f"time {len(TIMES) + len(ODD_TIMES) + place}" for place in range(len(NO_TIMES))}
    assert (summary["found"], summary["unusable"]) == (185, 78)


@pytest.mark.usefixtures("many_tasks")
def test_many_tasks_make_no_difference(spark: Any, tmp_path: Path):
    histories = recorded(30, wrong=True)
    log = written(tmp_path / "log.csv", rows_of(histories))
    found = told(spark, log, tmp_path / "cut")
    assert len(list((tmp_path / "cut" / "streams").iterdir())) > 3
    expected = expected_findings(histories)
    assert Counter((one["stream"], one["finding"], one["position"]) for one in found[2]) == expected


def test_compressed_logs_and_many_files_are_read(spark: Any, tmp_path: Path):
    histories = recorded(12, wrong=True)
    rows = rows_of(histories)
    whole = told(spark, written(tmp_path / "log.ndjson", rows), tmp_path / "one")
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(3):
        path = Path(written(tmp_path / f"{number}.ndjson", rows[number::3]))
        (folder / f"{number}.ndjson.gz").write_bytes(gzip.compress(path.read_bytes()))
    many = told(spark, str(folder), tmp_path / "several")
    assert (many[0] | {"log": ""}, many[1:]) == (whole[0] | {"log": ""}, whole[1:])


def test_a_column_that_only_a_later_file_has_is_read_or_the_file_is_named(spark: Any, tmp_path: Path):
    plain = [{name: entry[name] for name in entry if name != "previous"} for entry in ONE]
    for form in ("parquet", "jsonl", "csv"):
        folder = tmp_path / form
        folder.mkdir()
        written(folder / f"1.{form}", plain)
        written(folder / f"2.{form}", [entry | {"stream": "chained", "previous": 7} for entry in plain])
        if form == "csv":
            with pytest.raises(UnusableInput, match=r"csv"):
                audit_deliveries(spark, str(folder), str(tmp_path / f"{form}-out"), healed=True)
            continue
        audit_deliveries(spark, str(folder), str(tmp_path / f"{form}-out"), healed=True)
        assert {row["stream"] for row in read(tmp_path / f"{form}-out" / "findings")} == {"chained"}


def test_a_column_that_the_names_of_folders_hold_is_read(spark: Any, tmp_path: Path):
    plain = [{name: entry[name] for name in entry if name != "stream"} for entry in ONE]
    for form in ("parquet", "jsonl", "csv"):
        for folder in ("stream=01", "stream=1", "stream=a%20b"):
            (tmp_path / form / folder).mkdir(parents=True)
            written(tmp_path / form / folder / f"log.{form}", plain)
        audit_deliveries(spark, str(tmp_path / form), str(tmp_path / f"{form}-out"), healed=True)
        assert {row["stream"] for row in read(tmp_path / f"{form}-out" / "streams")} == {"01", "1", "a b"}
        written(tmp_path / form / f"beside.{form}", ONE)
        with pytest.raises(UnusableInput, match=r"its folders name other columns than those of .*beside"):
            audit_deliveries(spark, str(tmp_path / form), str(tmp_path / f"{form}-mixed"), healed=True)


@pytest.mark.parametrize("form", ["parquet", "jsonl", "csv"])
def test_a_column_of_a_file_is_not_replaced_by_what_its_folder_says(form: str, spark: Any, tmp_path: Path):
    for name in ("stream", "Stream"):
        folder = tmp_path / name / f"{name}=F"
        folder.mkdir(parents=True)
        written(folder / f"log.{form}", ONE)
        with pytest.raises(UnusableInput, match=rf"column {name} stands in the file and in the name of its folder"):
            audit_deliveries(spark, str(tmp_path / name), str(tmp_path / f"{name}-out"), healed=True)


def test_rows_below_a_folder_of_a_column_with_an_underscore_are_read(spark: Any, tmp_path: Path):
    for folder in ("_day=1", "_day=2", "_temporary"):
        (tmp_path / "log" / folder).mkdir(parents=True)
        written(tmp_path / "log" / folder / "log.csv", [entry | {"stream": folder} for entry in ONE])
    audit_deliveries(spark, str(tmp_path / "log"), str(tmp_path / "out"), healed=True)
    assert {row["stream"] for row in read(tmp_path / "out" / "streams")} == {"_day=1", "_day=2"}


def test_a_file_with_any_name_is_read_and_one_that_spark_would_pass_over_is_named(spark: Any, tmp_path: Path):
    name = "a[1]{x}*? b%20c\\d.csv"
    assert audit_deliveries(spark, written(tmp_path / name, ONE), str(tmp_path / "read"), healed=True)["entries"] == 2
    with pytest.raises(UnusableInput, match=r"_log\.csv: Spark passes over names that begin with"):
        audit_deliveries(spark, written(tmp_path / "_log.csv", ONE), str(tmp_path / "out"), healed=True)


def test_times_of_any_type_order_entries(spark: Any, tmp_path: Path):
    for times in (
        [datetime(2026, 1, 1, 10, 0, second, tzinfo=UTC) for second in (0, 1)],
        [date(2026, 1, day) for day in (9, 10)],
        [Decimal("9.5"), Decimal("10.5")],
        [-9.5, 1e10],
    ):
        assert verdicts_of(spark, tmp_path / type(times[0]).__name__, times) == {
            "right": "pass", "wrong": "fail", "unknown": "inconclusive",
        }  # fmt: skip


def verdicts_of(spark: Any, folder: Path, times: list[Any]) -> dict[str, str]:
    """Return the verdicts on streams in which an entry that comes first has a time before the other, or behind it."""
    folder.mkdir()
    acknowledged = ONE[1] | {"event": "acknowledged", "message": None}
    rows = [
        {**{key: value for key, value in entry.items() if key != "position"}, "stream": stream, "time": time}
        for stream, own in (("right", times), ("wrong", times[::-1]), ("unknown", [None, times[0]]))
        for entry, time in zip((ONE[1], acknowledged), own, strict=True)
    ]
    pq.write_table(pa.Table.from_pylist(rows[::-1]), folder / "log.parquet")
    audit_deliveries(spark, str(folder / "log.parquet"), str(folder / "out"), healed=False)
    return {one["stream"]: one["verdict"] for one in read(folder / "out" / "streams")}
