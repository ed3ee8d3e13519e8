"""The folder of a history: additions happen once, whole, whoever else adds, and whenever one is killed."""

import json
import subprocess
import sys
import zlib
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="the extra spark is not installed")

import pyarrow as pa
import pyarrow.parquet as pq
from jsonschema import Draft202012Validator
from pyspark.sql import SparkSession

from mqconform.harness.cli import run_command
from mqconform.reports.comparison.compare import compare_files
from mqconform.reports.pipeline.history import shown
from mqconform.reports.pipeline.history.command import add, regress, trend
from mqconform.reports.pipeline.history.store import MONTH, PARTIAL, RUNS_FILE, check, stored_rows
from mqconform.reports.pipeline.problems import UnusableInput

SCHEMA = json.loads(files("mqconform.features").joinpath("schemas", "history.schema.json").read_text("utf-8"))
REQUIREMENT = "MQSD-3.2.5-01"
CASES = ("mqsd/f/one", "mqsd/f/two", "mqsd/f/three")


def write_run(
    folder: Path, verdicts: Sequence[str] = ("pass",), started: object = "2026-03-01T10:00:00Z", **iut: Any
) -> Path:
    """A run of the first cases with these verdicts, as ``run --out`` leaves it."""
    folder.mkdir(parents=True)
    told = {"kind": "stdio", "target": "stdio:x", "name": "server", "version": "1", "vendor": "V", "build": "b"}
    lists = {"roles": ["discovery_server"], "capabilities": ["udp"]}
    header = {
        "record": "header", "schema": 1, "harness": "mqconform 0.1.0", "specifications": {"MQSD": "13.0"},
        "profile": "default", "seed": 0, "selection": {"requirements": [], "expression": ""}, "iut": told | lists | iut,
    }  # fmt: skip
    judged = [
        {"record": "case", "id": case, "feature": "mqsd/f", "scenario": "S", "requirements": [REQUIREMENT],
         "verdict": verdict}
        for case, verdict in zip(CASES, verdicts, strict=False)
    ]  # fmt: skip
    finding = {
        "record": "requirement", "id": REQUIREMENT, "section": "3.2.5", "level": "must", "kind": "prose",
        "roles": ["discovery_server"], "summary": "It answers.", "judged": "wire", "witnesses": 1,
        "standing": "violated" if "fail" in verdicts else "verified",
    }  # fmt: skip
    footer = {
        "record": "footer", "exit_code": int("fail" in verdicts), "cases": {}, "requirements": {}, "readings": [],
        "mixed_readings": [],
    }  # fmt: skip
    lines = (json.dumps(one, sort_keys=True) for one in (header, *judged, finding, footer))
    (folder / "results.ndjson").write_text("".join(f"{line}\n" for line in lines))
    (folder / "environment.json").write_text(json.dumps({"started": started, "python": "3.11.7"}))
    return folder


def files_of(store: Path) -> list[Path]:
    return sorted((store / "runs").rglob("*.parquet"))


def stored_runs(store: Path) -> list[dict[str, Any]]:
    return stored_rows(store, "runs", {})


def test_an_added_run_comes_back_to_the_octet(tmp_path: Path):
    one = write_run(tmp_path / "one", ("pass", "fail"))
    ((path, identity, new),) = add(tmp_path / "store", [one], None)
    assert (path, new) == (one, True)
    (row,) = stored_runs(tmp_path / "store")
    assert zlib.decompress(row["results"]) == (one / "results.ndjson").read_bytes()
    assert row["environment"] == (one / "environment.json").read_text()
    assert (row["run"], row["exit_code"], row["vendor"]) == (identity, 1, "V")
    assert row["requirements"][0] == {
        "requirement": REQUIREMENT,
        "level": "must",
        "standing": "violated",
        "witnesses": 1,
    }


def test_adding_a_run_again_changes_nothing_and_a_repetition_is_another_run(tmp_path: Path):
    one = write_run(tmp_path / "one")
    add(tmp_path / "store", [one], None)
    before = [(file, file.read_bytes(), file.stat().st_mtime_ns) for file in files_of(tmp_path / "store")]
    assert [new for _, _, new in add(tmp_path / "store", [one, one / "results.ndjson"], None)] == [False, False]
    assert before == [(file, file.read_bytes(), file.stat().st_mtime_ns) for file in files_of(tmp_path / "store")]
    again = write_run(tmp_path / "again", started="2026-03-01T11:00:00Z")
    assert [new for _, _, new in add(tmp_path / "store", [again], None)] == [True]
    assert len(files_of(tmp_path / "store")) == 2


ADDER = """
import sys
from pathlib import Path
from mqconform.reports.pipeline.history.command import add
store, *results = map(Path, sys.argv[1:])
print("ready", flush=True)
sys.stdin.readline()
for one in results:
    add(store, [one], None)
    print("added", flush=True)
"""


def adder(store: Path, results: Sequence[Path]) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", ADDER, str(store), *map(str, results)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stdout.readline() == "ready\n"
    return process


def test_processes_that_add_at_once_lose_and_spoil_nothing(tmp_path: Path):
    results = [write_run(tmp_path / f"{number}", started=f"2026-03-{number:02}T10:00:00Z") for number in range(1, 13)]
    adders = [adder(tmp_path / "store", results[place:] + results[:place]) for place in (0, 6)]
    for process in adders:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    assert [process.wait(120) for process in adders] == [0] * 2
    for process in adders:
        process.communicate()
    kept = pq.read_table(tmp_path / "store" / "runs", columns=["run"])
    assert kept.num_rows == len(set(kept["run"].to_pylist())) == len(results)
    assert list((tmp_path / "store" / PARTIAL).iterdir()) == []


def test_a_killed_addition_leaves_a_readable_history_and_is_made_good(tmp_path: Path):
    results = [write_run(tmp_path / f"{number}", started=f"2026-04-{number:02}T10:00:00Z") for number in range(1, 21)]
    process = adder(tmp_path / "store", results)
    assert process.stdin
    assert process.stdout
    process.stdin.write("\n")
    process.stdin.flush()
    assert process.stdout.readline() == "added\n"
    process.kill()
    process.communicate()
    # what a kill within the writing of a file leaves behind, however this one went
    (tmp_path / "store" / PARTIAL / "torn").write_bytes(files_of(tmp_path / "store")[0].read_bytes()[:100])
    assert 1 <= len(stored_runs(tmp_path / "store")) == len(files_of(tmp_path / "store"))
    add(tmp_path / "store", results, None)
    assert len({row["run"] for row in stored_runs(tmp_path / "store")}) == len(results)


@pytest.fixture
def told(tmp_path: Path) -> list[Path]:
    """Four runs: a better one, a regression by a new version, and that again with one answer otherwise."""
    return [
        write_run(tmp_path / "old", ("pass", "fail", "pass"), "2026-05-01T10:00:00Z", version="1", build="one"),
        write_run(tmp_path / "good", ("pass", "pass", "pass"), "2026-05-02T10:00:00Z", version="2", build="two"),
        write_run(tmp_path / "bad", ("fail", "pass", "pass"), "2026-05-03T10:00:00Z", version="3", build="three"),
        write_run(tmp_path / "flaky", ("fail", "pass", "fail"), "2026-05-04T10:00:00Z", version="3", build="three"),
    ]


def changes_of(store: Path, between: tuple[str, str] | None, *, every: bool = False) -> list[tuple[Any, ...]]:
    document, _, _ = regress(store, {}, between, every=every)
    names = ("id", "before", "after", "cause", "detail", "worse")
    return sorted(tuple(change[name] for name in names) for change in document["changes"])


def test_regressions_are_what_diff_says_of_the_same_runs(told: list[Path], tmp_path: Path):
    store = tmp_path / "store"
    added = add(store, told, None)
    for then, now in ((0, 1), (1, 2), (0, 2)):
        compared = compare_files(told[then], told[now]).changes
        expected = sorted((one.id, one.before, one.after, one.cause.value, one.detail, one.worse) for one in compared)
        assert changes_of(store, (added[then][1][:10], added[now][1][:10])) == expected
        assert expected
    assert {one[3] for one in changes_of(store, None)} == {"flake"}
    assert {one[3] for one in changes_of(store, None, every=True)} == {"fix", "regression", "flake"}


def test_anyone_joins_a_history_in_spark(spark: SparkSession, told: list[Path], tmp_path: Path):
    added = add(tmp_path / "store", told, None)
    runs = spark.read.parquet(str(tmp_path / "store" / "runs"))
    assert runs.columns == [*RUNS_FILE.names, *MONTH.names]
    builds = spark.createDataFrame([("three", "Ada")], "build string, author string")
    rows = runs.join(builds, "build").selectExpr("run", "author", "inline(requirements)").where("standing = 'violated'")
    assert {(row["run"], row["author"]) for row in rows.collect()} == {(run, "Ada") for _, run, _ in added[2:]}


def test_documents_have_the_published_shape_and_say_it_in_words_too(told: list[Path], tmp_path: Path):
    matrix = tmp_path / "matrix.json"
    plain = {"role": "router", "says": "", "breaks": [], "ended": "run", "exit_code": 0, "undecided": []}
    mutants = {name: plain | {"kind": "faulty", "killed_by": found} for name, found in (("m", {"A": ["c"]}), ("n", {}))}
    lists: dict[str, Any] = {"complete_roles": [], "requirements": {}, "complaints": []}
    told_of = {"schema": 1, "harness": "mqconform 0.1.0", "whole": True, "mutants": mutants}
    matrix.write_text(json.dumps(told_of | lists))
    add(tmp_path / "store", [*told, matrix], datetime(2026, 5, 5, tzinfo=UTC))
    trends, trend_json, trend_text = trend(tmp_path / "store", {})
    changes, changes_json, changes_text = regress(tmp_path / "store", {}, None, every=True)
    for kind, document, text in (("trend", trends, trend_json), ("regress", changes, changes_json)):
        Draft202012Validator({"$ref": f"#/$defs/{kind}", "$defs": SCHEMA["$defs"]}).validate(document)
        assert json.loads(text) == document
    assert [one["exit_code"] for one in trends["coverage"]] == [1, 0, 1, 1]
    assert [(one["rate"], one["survivors"]) for one in trends["mutation"]] == [(0.5, ["n"])]
    assert [(one["case"], one["deviating"], one["runs"]) for one in trends["flakes"]] == [(CASES[2], 1, 2)]
    assert [one["first_bad"]["version"] for one in trends["first_bad"]] == ["3"]
    assert changes["counts"] == {"fix": 2, "flake": 1, "regression": 2}
    lines = [" ".join(line.split()) for line in (trend_text + changes_text).splitlines()]
    assert "2026-05-05T00:00:00Z kill matrix mqconform 0.1.0 50.0% 1 2" in lines
    assert any(line.startswith(f"{REQUIREMENT} V server default 2026-05-03T10:00:00Z 3 ") for line in lines)
    assert any("version 2 -> 3" in line for line in lines)


def test_two_runs_are_named_by_what_is_theirs_alone(told: list[Path], tmp_path: Path):
    one, other, *_ = (identity for _, identity, _ in add(tmp_path / "store", told, None))
    runs = stored_rows(tmp_path / "store", "runs", {})
    assert [pair.row()["then_run"] for pair in shown.pairs_of(runs, (one[:12], other), every=False)] == [one]
    for then, now, why in ((one, "x", "names no run"), ("", other, "names 4 runs"), (one, one, "one run twice")):
        with pytest.raises(UnusableInput, match=why):
            shown.pairs_of(runs, (then, now), every=False)


def test_the_command_fails_on_a_regression(told: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    add(tmp_path / "store", told[:3], None)
    assert run_command(["history", "regress", "--store", str(tmp_path / "store")]) == 1
    printed = capsys.readouterr()
    assert printed.err == ""
    assert "changes: 2 regression" in printed.out


def test_what_an_implementation_says_of_itself_harms_no_history(tmp_path: Path):
    one = write_run(tmp_path / "one", name="../../x\ud800\x1b[31m", vendor="' OR 1=1 --", version="\x00")
    add(tmp_path / "store", [one], None)
    assert [file.parent.name for file in files_of(tmp_path / "store")] == ["month=2026-03"]
    assert trend(tmp_path / "store", {"build": "another"})[0]["coverage"] == []
    document, _, text = trend(tmp_path / "store", {"build": "b"})
    assert document["coverage"][0]["name"] == "../../x\ufffd\x1b[31m"
    assert "\x1b" not in text


def test_a_spoilt_file_is_named_as_such(tmp_path: Path):
    add(tmp_path / "store", [write_run(tmp_path / "one")], None)
    files_of(tmp_path / "store")[0].write_bytes(b"PAR1 and no more")
    with pytest.raises(UnusableInput, match=r"the history cannot be read: .*\.parquet"):
        stored_runs(tmp_path / "store")
    pq.write_table(pa.table({"run\x1b": ["x"], "time": ["\x1b"]}), files_of(tmp_path / "store")[0])
    with pytest.raises(UnusableInput, match=r"the history cannot be read: .*"):
        stored_runs(tmp_path / "store")
    pq.write_table(pa.table({"run\x1b": ["x"]}), files_of(tmp_path / "store")[0])
    with pytest.raises(UnusableInput, match="runs lacks cases, requirements, run, time"):
        stored_runs(tmp_path / "store")


def test_what_is_no_run_or_no_history_is_refused(tmp_path: Path):
    one = write_run(tmp_path / "one")
    (one / "environment.json").unlink()
    with pytest.raises(UnusableInput, match="give --at TIME"):
        add(tmp_path / "store", [one], None)
    assert not (tmp_path / "store").exists()
    ((_, identity, _),) = add(tmp_path / "store", [one], datetime(2026, 6, 1, tzinfo=UTC))
    assert files_of(tmp_path / "store")[0] == tmp_path / "store" / "runs" / "month=2026-06" / f"{identity}.parquet"
    with pytest.raises(UnusableInput, match=r"(?i)no such file"):
        add(tmp_path / "store", [tmp_path / "nowhere"], None)
    with pytest.raises(UnusableInput, match=r"holds results\.ndjson and is not a history"):
        add(one, [one], datetime(2026, 6, 1, tzinfo=UTC))
    with pytest.raises(UnusableInput, match=r"is not a history; `mqconform history add"):
        check(tmp_path / "nothing")
    (tmp_path / "store" / "history.json").write_text('{"format": 2}')
    with pytest.raises(UnusableInput, match="has format 2"):
        add(tmp_path / "store", [one], datetime(2026, 6, 1, tzinfo=UTC))


def test_times_that_cannot_be_are_refused_without_a_traceback(tmp_path: Path):
    for number, started in enumerate(("", "yesterday", "1601-01-01T00:00:00", "9999-12-31T23:59:59-12:00", 7)):
        one = write_run(tmp_path / f"{number}", started=started)
        with pytest.raises(UnusableInput, match="--at TIME"):
            add(tmp_path / "store", [one], None)
