"""What an audit refuses, it names; decisions of several versions are judged by the one in force."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from result_records import guid

from mqconform.harness.cli import run_command
from mqconform.reference.directory import Directory, directory_from_document, document_from_directory
from mqconform.reports.pipeline.problems import UnusableInput
from mqconform.reports.pipeline.routes.audit import audit_routes
from mqconform.reports.pipeline.routes.enterprise import DirectoryVersion, Enterprise, enterprise_of

RIGHT = {"source": [guid(3)], "destination": [guid(4)], "next_hops": [guid(0)]}


@pytest.fixture
def enterprise(three_sites: Directory) -> Enterprise:
    return Enterprise((DirectoryVersion(None, three_sites),))


def refused(spark: SparkSession, enterprise: Enterprise, decisions: Path) -> str:
    out = decisions.parent / "audited"
    with pytest.raises(UnusableInput) as error:
        audit_routes(spark, enterprise, str(decisions), str(out))
    assert not (out / "_SUCCESS").exists()
    assert not (out / "verdicts").exists()
    return str(error.value)


def test_columns_that_cannot_be_used_are_named(spark: SparkSession, enterprise: Enterprise, tmp_path: Path):
    file = tmp_path / "decisions.parquet"
    for changed, said in (
        ({"source": None}, "column source is missing; the columns are destination, next_hops"),
        ({"verdict": ["pass"]}, "column verdict is there already"),
        ({"source": [1.5]}, "column source holds double; it must hold GUIDs as text"),
        ({"outcome": [[1]]}, "column outcome holds list"),
    ):
        pq.write_table(pa.table({name: one for name, one in (RIGHT | changed).items() if one is not None}), file)
        assert said in refused(spark, enterprise, file)


def test_what_is_not_there_and_what_is_no_table_is_named(spark: SparkSession, enterprise: Enterprise, tmp_path: Path):
    assert "there is no such file" in refused(spark, enterprise, tmp_path / "missing.parquet")
    (tmp_path / "empty").mkdir()
    assert "has no file that ends in .parquet" in refused(spark, enterprise, tmp_path / "empty")
    (tmp_path / "text.parquet").write_text("no Parquet")
    assert "text.parquet: cannot be read: Parquet" in refused(spark, enterprise, tmp_path / "text.parquet")
    (tmp_path / "empty.csv").write_text("")
    assert "empty.csv: is empty" in refused(spark, enterprise, tmp_path / "empty.csv")
    (tmp_path / "decisions.jsonl").write_text("nothing\nof the kind\n")
    assert "no line is a JSON object" in refused(spark, enterprise, tmp_path / "decisions.jsonl")


def test_a_spoilt_row_group_is_named_and_nothing_is_published(
    spark: SparkSession, enterprise: Enterprise, tmp_path: Path
):
    file = tmp_path / "decisions.parquet"
    many = pa.table({name: column * 4_000 for name, column in RIGHT.items()} | {"at": range(4_000)})
    pq.write_table(many, file, row_group_size=1_000)
    spoilt = bytearray(file.read_bytes())
    column = pq.ParquetFile(file).metadata.row_group(2).column(3)
    spoilt[column.data_page_offset : column.data_page_offset + 40] = b"\xff" * 40
    file.write_bytes(spoilt)
    assert f"{file}, row group 2: cannot be read: " in refused(spark, enterprise, file)


def test_files_of_other_columns_are_refused(spark: SparkSession, enterprise: Enterprise, tmp_path: Path):
    folder = tmp_path / "decisions"
    folder.mkdir()
    pq.write_table(pa.table(RIGHT), folder / "a.parquet")
    pq.write_table(pa.table(RIGHT | {"more": [1]}), folder / "b.parquet")
    assert "b.parquet: has other columns or types" in refused(spark, enterprise, folder)


def test_columns_that_the_names_of_folders_hold_are_read_unless_the_file_has_them_as_well(
    spark: SparkSession, enterprise: Enterprise, tmp_path: Path
):
    folder = tmp_path / "decisions" / "date=2026-01-31" / f"source={RIGHT['source'][0]}"
    folder.mkdir(parents=True)
    pq.write_table(pa.table({name: RIGHT[name] for name in ("destination", "next_hops")}), folder / "1.parquet")
    out = tmp_path / "out"
    assert audit_routes(spark, enterprise, str(tmp_path / "decisions"), str(out))["verdicts"]["pass"] == 1
    (part,) = (out / "verdicts").iterdir()
    row = pq.read_table(part, partitioning=None).to_pylist()[0]
    assert (row["date"], row["source"], row["verdict"]) == ("2026-01-31", RIGHT["source"][0], "pass")
    pq.write_table(pa.table(RIGHT), folder / "2.parquet")
    assert "2.parquet: column source stands in the file and in" in refused(spark, enterprise, tmp_path / "decisions")


def test_an_output_that_holds_something_is_left_alone(spark: SparkSession, enterprise: Enterprise, tmp_path: Path):
    pq.write_table(pa.table(RIGHT), tmp_path / "decisions.parquet")
    (tmp_path / "audited").mkdir()
    (tmp_path / "audited" / "mine.txt").write_text("mine")
    assert "exists and is not empty" in refused(spark, enterprise, tmp_path / "decisions.parquet")
    assert [one.name for one in (tmp_path / "audited").iterdir()] == ["mine.txt"]


def test_a_decision_is_judged_by_the_directory_of_its_time(spark: SparkSession, three_sites: Directory, tmp_path: Path):
    """In the new year Oslo is linked with Tromso directly; tables may be old for another hour, and clocks behind."""
    document = document_from_directory(three_sites)
    ends = {"site1": document["sites"][0]["id"], "site2": document["sites"][2]["id"]}
    document["routing_links"].append({"id": "direct", **ends, "cost": 1})
    versions = [
        DirectoryVersion(datetime(2027, 1, 1, tzinfo=UTC), directory_from_document(document)),
        DirectoryVersion(datetime(2026, 1, 1, tzinfo=UTC), three_sites),
    ]
    rows = [
        ("2025-12-31T23:59:59Z", guid(1), "inconclusive", "no-directory"),
        ("2026-01-01T00:00:00Z", guid(1), "pass", "via-next-site"),
        ("2027-01-01T00:59:59+01:00", guid(1), "pass", "via-next-site"),
        ("2027-01-01T00:30:00Z", guid(1), "inconclusive", "via-next-site"),
        ("2027-01-01T00:30:00Z", guid(2), "pass", "via-next-site"),
        ("2027-01-01T01:01:00Z", guid(1), "fail", "via-next-site"),
        ("2027-01-01", guid(2), "pass", "via-next-site"),
        ("2027-02-30T00:00:00Z", guid(2), "inconclusive", "unreadable-time"),
        (None, guid(2), "inconclusive", "unreadable-time"),
        ("2026-12-31T23:59:00Z", guid(2), "inconclusive", "via-next-site"),
        ("2026-12-31T23:58:59Z", guid(2), "fail", "via-next-site"),
    ]
    times, hops, verdicts, rules = (list(one) for one in zip(*rows, strict=True))
    ends = {"source": [guid(0)] * len(rows), "destination": [guid(5)] * len(rows)}
    pq.write_table(pa.table(ends | {"next_hops": hops, "time": times}), tmp_path / "decisions.parquet")
    summary = audit_routes(spark, enterprise_of(versions), str(tmp_path / "decisions.parquet"), str(tmp_path / "out"))
    found = pq.read_table(tmp_path / "out" / "verdicts")
    assert found.column("verdict").to_pylist() == verdicts
    assert found.column("rule").to_pylist() == rules
    assert [one["valid_from"][:4] for one in summary["enterprise"]["versions"]] == ["2026", "2027"]
    assert summary["routers"]["worst"][0]["example"]["time"] == "2026-12-31T23:58:59Z"


def test_versions_need_times_and_times_of_their_own(spark: SparkSession, three_sites: Directory, tmp_path: Path):
    dated = DirectoryVersion(datetime(2026, 1, 1, tzinfo=UTC), three_sites)
    with pytest.raises(UnusableInput, match="in force from 2026"):
        enterprise_of([dated, dated])
    pq.write_table(pa.table(RIGHT), tmp_path / "decisions.parquet")
    assert "need a column time" in refused(spark, enterprise_of([dated]), tmp_path / "decisions.parquet")


@pytest.mark.usefixtures("spark")
def test_the_command_prints_a_summary_and_tells_by_its_exit_code(
    three_sites: Directory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "enterprise.json").write_text(json.dumps(document_from_directory(three_sites)))
    wrong = {name: column * 2 for name, column in RIGHT.items()} | {"next_hops": [guid(0), guid(4)]}
    pq.write_table(pa.table(wrong), tmp_path / "decisions.parquet")
    words = "audit routes --directory enterprise.json --decisions decisions.parquet --out out"
    assert run_command(words.split()) == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines()[:2] == [
        "2 decisions: 1 pass, 1 fail, 0 inconclusive",
        "             1  fail MQBR-3.1.5.1-B10 (via-server)",
    ]
    assert not printed.err
    assert run_command(words.split()) == 4
    again = capsys.readouterr().err
    assert again.startswith("mqconform: ")
    assert "exists and is not empty" in again
