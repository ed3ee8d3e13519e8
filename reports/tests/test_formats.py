"""Every written format against its published schema and a real consumer, from real runs and from hostile results."""

import json
import shutil
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
import xmlschema
from jsonschema import validators
from result_records import hostile, written

from mqconform.harness.cli import run_command
from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.reports.formats import github, junit, sarif
from mqconform.reports.formats.repository import source_of

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
    command += [part for name in ("sarif", "github-summary", "github-annotations") for part in ("--report", name)]
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


def test_sarif_places_a_failure_at_the_line_of_its_scenario(run: ResultFile):
    failed = next(case for case in run.cases if case.verdict == "fail" and not case.row)
    located = next(
        one["locations"][0]["physicalLocation"]
        for one in sarif.document(run)["runs"][0]["results"]
        if one["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == failed.id
    )
    text = (Path(__file__).parents[2] / "features" / located["artifactLocation"]["uri"]).read_text("utf-8")
    assert failed.scenario in text.splitlines()[located["region"]["startLine"] - 1]


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


def test_hostile_text_stays_visible_text_in_sarif(tmp_path: Path):
    for value in _strings(sarif.document(read_result_file(hostile_results(tmp_path, HOSTILE)))):
        assert all(one.isprintable() or one == "\n" for one in value), value


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [found for one in value.values() for found in _strings(one)]
    if isinstance(value, list):
        return [found for one in value for found in _strings(one)]
    return [value] if isinstance(value, str) else []


def test_a_scenario_that_the_package_lacks_stands_at_the_first_line(tmp_path: Path):
    text = hostile_results(tmp_path, "Then it answers").read_text("ascii").replace("mqsd/3_2_discovery_server", "own/x")
    (tmp_path / "results.ndjson").write_text(text, "ascii")
    results = sarif.document(read_result_file(tmp_path))["runs"][0]["results"]
    assert {one["locations"][0]["physicalLocation"]["region"]["startLine"] for one in results} == {1}
