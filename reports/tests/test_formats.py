"""Every written format against its published schema and a real consumer, from real runs and from hostile results."""

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import jsonschema_rs
import pytest
import xmlschema
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import validators
from long_tier import long
from result_records import FOOTER, header, hostile, requirement, written

from mqconform.harness.cli import run_command
from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.reports.formats import allure, badge, ctrf, cucumber, github, junit, sarif
from mqconform.reports.formats.repository import source_of

NODE = Path(__file__).parent / "node"
SCHEMAS = Path(__file__).parent / "schemas"
HOSTILE = "\0\x1b[31m ]]> \u202e<script>alert(1)</script>&\"' \ud800 \U000e0001\r\n::error::x | ` @a #1 %0A \\ end"


PART = ("--req", "MQSD-2.2", "--req", "MQSD-3.2")


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a real run left, with passes, failures, inconclusive and excused cases."""
    return reported(tmp_path_factory.mktemp("real"), *PART)


def reported(out: Path, *asked: str) -> Path:
    """Run the suite, or what is asked of it, on a wrong server, and have every report of it."""
    command = ["run", "--iut", "mutant:size-two-more", "--out", str(out), *asked]
    command += [part for name in ("ctrf", "sarif", "cucumber", "allure", "badge") for part in ("--report", name)]
    command += ["--report", "github-summary", "--report", "github-annotations"]
    assert run_command(command) == 1
    return out


@pytest.fixture(scope="module")
def run(real: Path) -> ResultFile:
    return read_result_file(real)


def counted(run: ResultFile) -> Counter[str]:
    assert run.footer
    return Counter(dict(run.footer.cases))


@cache
def judge_of(schema: Path) -> Any:
    rules = json.loads(schema.read_text("utf-8-sig"))
    return validators.validator_for(rules)(rules)


def valid(schema: Path, document: Any) -> None:
    assert [f"{one.json_path}: {one.message[:200]}" for one in judge_of(schema).iter_errors(document)] == []


def hostile_results(folder: Path, text: str) -> Path:
    return written(folder, *hostile(text)) / "results.ndjson"


def test_junit_is_valid(real: Path, tmp_path: Path):
    schema = xmlschema.XMLSchema(SCHEMAS / "junit-10.xsd")
    for name, results in (("real", real), ("hostile", hostile_results(tmp_path, HOSTILE))):
        junit.write(results, tmp_path / f"{name}.xml")
        assert [error.reason for error in schema.iter_errors(str(tmp_path / f"{name}.xml"))] == []


def test_ctrf_is_valid_and_counts_what_the_run_counted(tools: Path, real: Path, run: ResultFile):
    document = json.loads((real / "ctrf.json").read_text("utf-8"))
    valid(tools / "ctrf" / "dist" / "ctrf-schema-0.0.json", document)
    counts, summary = counted(run), document["results"]["summary"]
    assert summary["failed"] == counts["fail"] > 0
    assert summary["passed"] == counts["pass"] > 0
    assert summary["other"] == counts["inconclusive"] > 0
    assert summary["skipped"] == counts["not-applicable"]
    failed = [one for one in document["results"]["tests"] if one["status"] == "failed"]
    assert all(one["extra"]["requirements"] for one in failed)


def test_ctrf_is_read_by_its_own_tool(tools: Path, real: Path, tmp_path: Path):
    shutil.copy(real / "ctrf.json", tmp_path / "ctrf-report-1.json")
    merged = subprocess.run(
        [str(tools / ".bin" / "ctrf"), "merge", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert merged.returncode == 0, merged.stderr
    whole = json.loads(next(tmp_path.rglob("ctrf-report.json")).read_text("utf-8"))
    assert whole["results"]["summary"]["failed"] == len(
        [one for one in whole["results"]["tests"] if one["status"] == "failed"]
    )


def test_sarif_is_valid_and_blames_the_requirement(tools: Path, real: Path, run: ResultFile):
    document = json.loads((real / "results.sarif").read_text("utf-8"))
    valid(tools / "@microsoft" / "sarif-multitool-linux" / "sarif-2.1.0.json", document)
    (log,) = document["runs"]
    failed = {one["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] for one in _failed(log)}
    assert failed == {case.id for case in run.cases if case.verdict == "fail"}
    rules = [one["id"] for one in log["tool"]["driver"]["rules"]]
    assert all(rules[one["ruleIndex"]] == one["ruleId"] for one in log["results"])
    assert "MQSD-3.2.5.1-14" in {one["ruleId"] for one in _failed(log)}
    assert log["invocations"][0]["exitCode"] == 1


def _failed(log: Any) -> list[Any]:
    return [one for one in log["results"] if one["kind"] == "fail"]


def test_sarif_satisfies_the_validator_of_its_authors(tools: Path, real: Path):
    command = [str(tools / ".bin" / "sarif-multitool-linux"), "validate", str(real / "results.sarif")]
    done = subprocess.run([*command, "--rule-kind", "Sarif"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "error SARIF" not in done.stdout


def test_sarif_places_a_failure_at_the_line_of_its_scenario(run: ResultFile):
    failed = next(case for case in run.cases if case.verdict == "fail" and not case.row)
    located = next(
        one["locations"][0]["physicalLocation"]
        for one in sarif.document(run)["runs"][0]["results"]
        if one["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == failed.id
    )
    text = (Path(__file__).parents[2] / "features" / located["artifactLocation"]["uri"]).read_text("utf-8")
    assert failed.scenario in text.splitlines()[located["region"]["startLine"] - 1]


def test_each_cucumber_message_is_valid(tools: Path, real: Path):
    assert_every_message_is_valid(tools, real)


@long
def test_each_cucumber_message_of_the_whole_suite_is_valid(tools: Path, tmp_path: Path):
    assert_every_message_is_valid(tools, reported(tmp_path))


def assert_every_message_is_valid(tools: Path, real: Path) -> None:
    schema = tools / "@cucumber" / "messages" / "messages.schema.json"
    fast = jsonschema_rs.validator_for(json.loads(schema.read_text("utf-8-sig")))  # there are thousands of messages
    wrong = Counter(
        f"{error.json_path}: {error.message[:200]}"
        for line in (real / "cucumber.ndjson").read_text("utf-8").splitlines()
        if not fast.is_valid(json.loads(line))
        for error in judge_of(schema).iter_errors(json.loads(line))
    )
    assert not wrong


def test_cucumber_has_every_case_with_its_status(real: Path, run: ResultFile):
    messages = [json.loads(line) for line in (real / "cucumber.ndjson").read_text("utf-8").splitlines()]
    pickles = {one["pickle"]["id"]: one["pickle"] for one in messages if "pickle" in one}
    assert len(pickles) == len(run.cases)
    status: dict[str, set[str]] = {}
    for one in messages:
        if finished := one.get("testStepFinished"):
            status.setdefault(finished["testCaseStartedId"], set()).add(finished["testStepResult"]["status"])
    worst = Counter(
        next(word for word in ("FAILED", "PENDING", "SKIPPED", "PASSED") if word in found) for found in status.values()
    )
    counts = counted(run)
    assert worst["FAILED"] == counts["fail"]
    assert worst["PENDING"] == counts["inconclusive"]
    assert worst["PASSED"] == counts["pass"]
    tags = {tag["name"] for pickle in pickles.values() for tag in pickle["tags"]}
    assert "@req:MQSD-3.2.5.1-14" in tags


def test_the_cucumber_formatter_makes_its_page(tools: Path, real: Path):
    node = shutil.which("node")
    assert node
    with (real / "cucumber.ndjson").open("rb") as stream:
        done = subprocess.run(
            [node, str(NODE / "cucumber_html.mjs"), str(tools.parent)], stdin=stream, capture_output=True, check=False
        )
    assert done.returncode == 0, done.stderr
    assert b"MQSD-3.2.5.1-14" in done.stdout


def test_allure_makes_its_report_of_every_case(tools: Path, real: Path, run: ResultFile, tmp_path: Path):
    if not shutil.which("java"):
        pytest.skip("Allure's report generator needs java on PATH")
    out = tmp_path / "report"
    command = [str(tools / ".bin" / "allure"), "generate", str(real / "allure-results"), "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    statistic = json.loads((out / "widgets" / "summary.json").read_text("utf-8"))["statistic"]
    counts = counted(run)
    assert (statistic["failed"], statistic["passed"]) == (counts["fail"], counts["pass"])
    assert statistic["broken"] == counts["inconclusive"]
    assert statistic["skipped"] == counts["not-applicable"]


def test_allure_results_carry_requirement_ids(run: ResultFile):
    failed = next(case for case in run.cases if case.verdict == "fail")
    document = next(one for one in allure.documents(run) if one["fullName"] == failed.id)
    assert set(failed.requirements) <= {one["name"] for one in document["links"]}


def test_a_second_report_leaves_nothing_of_the_first(real: Path, tmp_path: Path):
    target = tmp_path / "allure"
    allure.write(hostile_results(tmp_path, "a"), target)
    before = {one.name for one in target.glob("*-result.json")}
    allure.write(real, target)
    assert before.isdisjoint(one.name for one in target.glob("*-result.json"))


def test_the_badge_says_the_verdict(real: Path, tmp_path: Path):
    said = json.loads((real / "badge.json").read_text("utf-8"))
    assert said["schemaVersion"] == 1
    assert said["message"].startswith("does not conform")
    assert said["color"] == "red"
    assert badge.document(read_result_file(hostile_results(tmp_path, "a")))["message"] == "run did not end"


def test_a_run_that_left_something_out_has_no_green_badge(tmp_path: Path):
    findings = [requirement(standing="verified", witnesses=1), requirement(id="MQSD-3.2.5-03", standing="unsupported")]
    counts = {"requirements": {"verified": 1, "unsupported": 1}}
    whole = read_result_file(written(tmp_path / "whole", header(), *findings, FOOTER | counts))
    assert badge.document(whole)["message"] == (
        "conforms in what was judged (discovery_server), 1/2 verified, 1 not judged"
    )
    asked = FOOTER | counts | {"selected_from": 82}
    part = badge.document(read_result_file(written(tmp_path / "part", header(), *findings, asked)))
    assert (part["message"], part["color"]) == ("PARTIAL: 1 of 82 requirements (discovery_server)", "yellow")


def test_annotations_are_one_command_a_line(real: Path, run: ResultFile):
    lines = (real / "annotations.txt").read_text("utf-8").splitlines()
    counts = counted(run)
    assert sum(line.startswith("::error title=mqsd/") for line in lines) == counts["fail"]
    assert sum(line.startswith("::warning title=mqsd/") for line in lines) == counts["inconclusive"]


def test_findings_stand_at_the_file_of_the_repository_that_the_run_noted(
    tools: Path, real: Path, run: ResultFile, tmp_path: Path
):
    shutil.copy(real / "results.ndjson", tmp_path)
    (tmp_path / "environment.json").write_text(json.dumps({"source": "src/my server.py"}), "utf-8")
    github.write_annotations(tmp_path / "results.ndjson", tmp_path / "annotations.txt")
    lines = (tmp_path / "annotations.txt").read_text("utf-8").splitlines()
    failing = [line for line in lines if line.startswith("::error file=src/my server.py,line=1,title=mqsd/")]
    assert len(failing) == counted(run)["fail"]
    sarif.write(tmp_path / "results.ndjson", tmp_path / "results.sarif")
    document = json.loads((tmp_path / "results.sarif").read_text("utf-8"))
    valid(tools / "@microsoft" / "sarif-multitool-linux" / "sarif-2.1.0.json", document)
    result = document["runs"][0]["results"][0]
    location = result["locations"][0]["physicalLocation"]["artifactLocation"]
    assert location == {"uri": "src/my%20server.py", "uriBaseId": "%SRCROOT%"}
    related = result["relatedLocations"][0]["physicalLocation"]["artifactLocation"]
    assert related["uri"].startswith("mqsd/")


@pytest.mark.parametrize("source", ["/etc/passwd", "../other/file", "a\nb", "", 3, None, "x" * 1000])
def test_a_result_folder_of_a_stranger_points_nowhere_else(source: object, tmp_path: Path):
    parts = [3, {"source": source}]
    (tmp_path / "environment.json").write_text(json.dumps({"source": source, "parts": parts}), "utf-8")
    assert source_of(tmp_path / "results.ndjson") == ""


def test_what_shards_noted_counts(tmp_path: Path):
    (tmp_path / "environment.json").write_text(json.dumps({"parts": [{"source": "server.py"}]}), "utf-8")
    assert source_of(tmp_path / "results.ndjson") == "server.py"


def test_the_summary_lists_failures_before_what_is_inconclusive(real: Path):
    rows = [line for line in (real / "summary.md").read_text("utf-8").splitlines() if line.startswith("| ")]
    verdicts = [row.split(" ")[1] for row in rows if row.split(" ")[1] in ("fail", "inconclusive")]
    assert verdicts == sorted(verdicts)
    assert set(verdicts) == {"fail", "inconclusive"}


def test_hostile_text_is_no_workflow_command_and_no_markup(tmp_path: Path):
    run = read_result_file(hostile_results(tmp_path, HOSTILE))
    commands = list(github.annotations(run))
    assert all(len(line.splitlines()) == 1 and line.startswith(("::error ", "::warning ")) for line in commands)
    assert all("\x1b" not in unquote(line) and "\u202e" not in unquote(line) for line in commands)
    page = "\n".join(github.summary(run))
    assert "<script>" not in page
    assert "@a" not in page
    assert all(row.count("|") in (3, 5) for row in page.splitlines() if row.startswith("|"))


@pytest.mark.parametrize(
    "write", [ctrf.write, sarif.write, cucumber.write, badge.write], ids=lambda one: one.__module__
)
def test_hostile_text_stays_visible_text_in_every_json(tmp_path: Path, write: Callable[[Path, Path], None]):
    target = tmp_path / "out"
    write(hostile_results(tmp_path, HOSTILE), target)
    text = target.read_text("utf-8")
    for line in text.splitlines() if write is cucumber.write else [text]:
        for value in _strings(json.loads(line)):
            assert all(one.isprintable() or one == "\n" for one in value), value


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [found for one in value.values() for found in _strings(one)]
    if isinstance(value, list):
        return [found for one in value for found in _strings(one)]
    return [value] if isinstance(value, str) else []


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(exclude_categories=()), min_size=1, max_size=40))
def test_no_text_breaks_a_format(tools: Path, tmp_path_factory: pytest.TempPathFactory, text: str):
    run = read_result_file(hostile_results(tmp_path_factory.mktemp("hostile"), text))
    valid(tools / "ctrf" / "dist" / "ctrf-schema-0.0.json", ctrf.document(run))
    valid(tools / "@microsoft" / "sarif-multitool-linux" / "sarif-2.1.0.json", sarif.document(run))
    judge = judge_of(tools / "@cucumber" / "messages" / "messages.schema.json")
    assert all(judge.is_valid(json.loads(json.dumps(one))) for one in cucumber.envelopes(run))


def test_a_scenario_of_a_feature_that_the_package_lacks_is_written_with_what_is_known(tmp_path: Path):
    text = hostile_results(tmp_path, "Then it answers").read_text("ascii").replace("mqsd/3_2_discovery_server", "own/x")
    (tmp_path / "results.ndjson").write_text(text, "ascii")
    names = [one["pickle"]["name"] for one in cucumber.envelopes(read_result_file(tmp_path)) if "pickle" in one]
    assert names == ["Then it answers"] * 2
