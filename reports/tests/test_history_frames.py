"""What a history shows, on a few rows each: DataFrame in, DataFrame out, schemas explicit at both ends."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

pytest.importorskip("pyspark", reason="the extra spark is not installed")

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from mqconform.reports.pipeline.history import tables
from mqconform.reports.pipeline.history.documents import plain
from mqconform.reports.pipeline.history.frames import (
    answers,
    coverage,
    findings,
    first_bad,
    flakes,
    matrix,
    mutation,
    rows_of,
    selected,
)
from mqconform.reports.pipeline.history.selection import Selection
from mqconform.reports.pipeline.history.shown import wilson

START = datetime(2026, 1, 1, 12, tzinfo=UTC)


def day(number: int) -> datetime:
    return START + timedelta(days=number)


def run(
    number: int, standings: dict[str, str] | None = None, cases: dict[str, str] | None = None, **changed: Any
) -> Any:
    """A row of ``RUNS_FILE`` with its month: the run of a day."""
    made = {
        "run": f"run-{number}", "time": day(number), "harness": "mqconform 1", "specifications": {"MQSD": "13.0"},
        "profile": "default", "seed": 0, "selection": "", "kind": "stdio", "target": "stdio:x", "vendor": "V",
        "name": "server", "version": f"{number}", "build": "b", "roles": ["router"], "question": "q", "ended": True,
        "exit_code": 0,
        "requirements": [(name, "must", standing, 1) for name, standing in (standings or {}).items()],
        "cases": [*(cases or {}).items()], "environment": "", "results": bytearray(b""),
        "month": f"{day(number):%Y-%m}",
    }  # fmt: skip
    return tuple((made | changed).values())


def runs_of(spark: SparkSession, *rows: Any) -> DataFrame:
    return spark.createDataFrame([*rows], from_arrow_schema(pa.schema([*tables.RUNS_FILE, *tables.MONTH])))


def collected(frame: DataFrame, shape: pa.Schema) -> list[dict[str, Any]]:
    """The rows as records, after their names and types were compared with the documented ones."""
    assert [(one.name, one.dataType.simpleString()) for one in frame.schema] == [
        (one.name, one.dataType.simpleString()) for one in from_arrow_schema(shape)
    ]
    return [*map(plain, rows_of(frame))]


def test_findings_and_answers_are_the_rows_within_a_run(spark: SparkSession):
    runs = runs_of(spark, run(1, {"A-1-01": "verified", "A-1-02": "violated"}, {"f/g/c": "fail", "f/g/d": "pass"}))
    found = collected(findings(runs), tables.FINDINGS)
    assert [(one["requirement"], one["standing"], one["version"]) for one in found] == [
        ("A-1-01", "verified", "1"),
        ("A-1-02", "violated", "1"),
    ]
    told = collected(answers(runs), tables.ANSWERS)
    assert [(one["case"], one["status"], one["question"]) for one in told] == [
        ("f/g/c", "fail", "q"),
        ("f/g/d", "pass", "q"),
    ]


def test_coverage_is_what_was_judged_of_what_was_due(spark: SparkSession):
    standings = (
        "verified",
        "verified",
        "violated",
        "inconclusive",
        "unverified",
        "error",
        "unobservable",
        "unsupported",
    )
    rows = runs_of(
        spark,
        run(1, {f"A-1-{number:02}": one for number, one in enumerate(standings)}),
        run(2, {"A-1-01": "unobservable"}),
        run(3, ended=False, exit_code=None),
    )
    found = collected(coverage(rows), tables.COVERAGE)
    assert [(one["due"], one["judged"], one["coverage"], one["violated"]) for one in found] == [
        (6, 4, 4 / 6, 1),
        (0, 0, None, 0),
        (0, 0, None, 0),
    ]
    assert (found[0]["time"], found[2]["ended"], found[2]["exit_code"]) == ("2026-01-02T12:00:00Z", False, None)


@pytest.mark.parametrize(
    ("story", "first", "last_good", "bad_runs"),
    [
        (["verified", "violated", "violated"], "run-1", "run-0", 2),
        (["violated", "verified", "inconclusive", "violated"], "run-3", "run-1", 1),
        (["violated", "inconclusive", "unverified"], "run-0", None, 1),
        (["verified", "violated", "verified"], None, None, 0),
        (["verified", "unsupported"], None, None, 0),
    ],
)
def test_the_first_bad_run_is_the_first_violation_after_the_last_verification(
    spark: SparkSession, story: Sequence[str], first: str | None, last_good: str | None, bad_runs: int
):
    other = [run(number, {"A-1-01": "verified"}, name="another") for number in range(10, 12)]
    rows = [run(number, {"A-1-01": standing}) for number, standing in enumerate(story)]
    found = collected(first_bad(findings(runs_of(spark, *reversed(rows), *other))), tables.FIRST_BAD)
    if first is None:
        assert found == []
        return
    (one,) = found
    assert (one["requirement"], one["first_bad"]["run"], one["bad_runs"]) == ("A-1-01", first, bad_runs)
    assert (one["last_good"] or {}).get("run") == last_good
    assert one["first_bad"]["version"] == first[-1]


def test_profiles_and_partial_runs_are_histories_of_their_own(spark: SparkSession):
    rows = runs_of(
        spark,
        run(1, {"A-1-01": "violated"}, profile="strict"),
        run(2, {"A-1-01": "violated"}, selection='{"expression": "burst"}'),
        run(3, {"A-1-01": "verified"}),
    )
    found = collected(first_bad(findings(rows)), tables.FIRST_BAD)
    assert sorted((one["profile"], one["selection"] != "") for one in found) == [("default", True), ("strict", False)]


def test_flakes_are_deviations_within_one_question_of_one_known_build(spark: SparkSession):
    steady = {"f/g/steady": "pass"}
    rows = [run(number, cases=steady | {"f/g/flaky": "fail" if number == 4 else "pass"}) for number in range(10)]
    rows += [
        run(20, cases=steady | {"f/g/flaky": "fail"}, question="another"),
        run(21, cases={"f/g/unknown": "fail"}, build=""),
        run(22, cases={"f/g/unknown": "pass"}, build=""),
    ]
    (one,) = collected(flakes(answers(runs_of(spark, *rows))), tables.FLAKES)
    assert (one["case"], one["runs"], one["deviating"], one["rate"]) == ("f/g/flaky", 10, 1, 0.1)
    assert (one["low"], one["high"]) == pytest.approx((0.0178762, 0.4041500), abs=1e-6)


@pytest.mark.parametrize(
    ("hits", "tries", "low", "high"),
    # the figures of Brown, Cai and DasGupta's formula, computed by hand with another program
    [(0, 10, 0.0, 0.2775328), (10, 10, 0.7224672, 1.0), (5, 10, 0.2365931, 0.7634069), (1, 1000, 0.0001765, 0.0056425)],
)
def test_wilsons_interval(hits: int, tries: int, low: float, high: float):
    assert wilson(hits, tries) == pytest.approx((low, high), abs=1e-6)


def test_the_matrix_has_the_latest_standing_of_each_version(spark: SparkSession):
    rows = runs_of(
        spark,
        run(2, {"A-1-01": "verified"}, version="1.0"),
        run(1, {"A-1-01": "violated", "A-1-02": "verified"}, version="1.0"),
        run(3, {"A-1-01": "violated"}, version="2.0"),
        run(4, {"A-1-01": "verified"}, version="1.0", vendor="W"),
    )
    found = collected(matrix(findings(rows)), tables.MATRIX)
    assert {(one["vendor"], one["requirement"], one["version"]): (one["standing"], one["runs"]) for one in found} == {
        ("V", "A-1-01", "1.0"): ("verified", 2),
        ("V", "A-1-02", "1.0"): ("verified", 1),
        ("V", "A-1-01", "2.0"): ("violated", 1),
        ("W", "A-1-01", "1.0"): ("verified", 1),
    }


def test_mutation_scores_are_shares_of_the_mutants(spark: SparkSession):
    rows = [
        ("s1", day(1), "h", "kill matrix", 10, 9, ["m"], "2026-01"),
        ("s2", day(2), "h", "kill matrix", 0, 0, [], "2026-01"),
    ]
    found = collected(
        mutation(spark.createDataFrame(rows, from_arrow_schema(pa.schema([*tables.SCORES_FILE, *tables.MONTH])))),
        tables.MUTATION,
    )
    assert [(one["rate"], one["survivors"]) for one in found] == [(0.9, ["m"]), (None, [])]


def test_a_selection_leaves_what_was_asked_for(spark: SparkSession):
    rows = runs_of(spark, run(1), run(40), run(41, vendor="W"), run(42, name="n"), run(43, profile="must"))

    def kept(**wanted: Any) -> list[str]:
        return sorted(row["run"] for row in selected(rows, Selection(**wanted)).collect())

    assert kept() == ["run-1", "run-40", "run-41", "run-42", "run-43"]
    assert kept(vendor="V", name="server", profile="default") == ["run-1", "run-40"]
    assert kept(since=day(41)) == ["run-41", "run-42", "run-43"]


def test_records_are_json_with_times_in_utc(spark: SparkSession):
    (one,) = map(plain, rows_of(runs_of(spark, run(1)).select("time", "exit_code", "build")))
    assert json.dumps(one, sort_keys=True) == '{"build": "b", "exit_code": 0, "time": "2026-01-02T12:00:00Z"}'
