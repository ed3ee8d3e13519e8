"""A failure that the baseline of a run expected: each format shows it, and none counts it as a failure."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from junitparser import Error, Skipped
from junitparser.xunit2 import JUnitXml

from mqconform.harness.cli import run_command
from mqconform.harness.records.result_file import ResultFile, read_result_file
from mqconform.harness.records.scope import known_text
from mqconform.harness.records.verdict import Standing
from mqconform.reports.formats import github, junit, sarif
from mqconform.reports.formats.expected_failures import expected_failures

CASE = "mqsd/3_2_discovery_server/a-client-without-a-site-is-a-client-of-another-site"
BASELINE = f"""\
version: 1
expected:
  - scenario: {CASE}
    iut: "*"
    verdict: fail
    error: absent
    reason: known
    issue: https://issues.example/17
    owner: routing team
    since: 2020-01-01
    expires: 2099-01-01
"""
NONE: dict[str, list[str]] = {"expected": [], "flaked": [], "problems": []}
FORMATS = ("junit", "sarif", "github-summary", "github-annotations")


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a run with one failure, which was expected: the gate is open."""
    out = tmp_path_factory.mktemp("expected")
    (out / "baseline.yaml").write_text(BASELINE)
    command = ["run", "--iut", "mutant:zero-site-is-own", "-k", CASE.rpartition("/")[2], "--out", str(out)]
    command += ["--expected-failures", str(out / "baseline.yaml")]
    command += [part for name in FORMATS for part in ("--report", name)]
    assert run_command(command) == 0
    return out


@pytest.fixture
def changed(real: Path, tmp_path: Path) -> Callable[..., ResultFile]:
    """The run with another baseline in its footer."""

    def change(exit_code: int = 0, **baseline: list[str]) -> ResultFile:
        *lines, last = (real / "results.ndjson").read_text().splitlines()
        footer = json.loads(last) | {"exit_code": exit_code, "baseline": NONE | baseline}
        (tmp_path / "results.ndjson").write_text("\n".join([*lines, json.dumps(footer), ""]))
        return read_result_file(tmp_path)

    return change


def junit_case(xml: JUnitXml) -> Any:
    (found,) = (test for suite in xml for test in suite if test.name == CASE.rpartition("/")[2])
    return found


def test_junit_skips_it_and_says_why(real: Path):
    xml = JUnitXml.fromfile(str(real / "junit.xml"))
    assert [sum(getattr(one, kind) for one in xml) for kind in ("failures", "errors", "skipped")] == [0, 0, 1]
    (result,) = (test := junit_case(xml)).result
    assert isinstance(result, Skipped)
    assert result.type == "expected"
    assert result.message.startswith("expected failure: MQSD-3.2.5.1-12: expected ")
    assert "observed    absent" in result.text
    told = {one.name: one.value for one in test.properties()}
    assert (told["verdict"], told["expected"]) == ("fail", "expected failure")


def test_sarif_suppresses_it_with_the_reason(real: Path, changed: Callable[..., ResultFile]):
    (result,) = json.loads((real / "results.sarif").read_text("utf-8"))["runs"][0]["results"]
    assert result["kind"] == "fail"
    (suppression,) = result["suppressions"]
    assert (suppression["kind"], suppression["status"]) == ("external", "accepted")
    assert suppression["justification"].startswith("expected failure")
    (unexpected,) = sarif.document(changed())["runs"][0]["results"]
    assert unexpected["suppressions"] == []


def test_annotations_notice_it_and_the_summary_names_it_last(real: Path):
    (command,) = (real / "annotations.txt").read_text().splitlines()
    assert command.startswith("::notice title=mqsd/3_2_discovery_server/")
    assert "::expected failure: MQSD" in command
    rows = (real / "summary.md").read_text().splitlines()
    assert rows[0].endswith("NO NEW FAILURES: 1 known violation; PARTIAL: 1 of 81 requirements (discovery&#95;server)")
    assert any(row.startswith("- MQSD-3.2.5.1-12 violated, as expected") for row in rows)
    assert rows[-1].startswith("| expected failure | MQSD")


def test_the_site_marks_it_on_each_page(real: Path, tmp_path: Path):
    assert run_command(["report", str(real), "--out", str(tmp_path)]) == 0
    (case,) = (tmp_path / "case").glob("*a-client-without-a-site*")
    tag, requirement = '<span class="tag v-expected">expected', tmp_path / "requirement" / "MQSD-3.2.5.1-12.html"
    marks = {tmp_path / "index.html": f"{tag}</span>", tmp_path / "matrix.html": ">violated, expected<"}
    for page, mark in (marks | {requirement: f"{tag} failure</span>", case: f"{tag} failure</span></h2>"}).items():
        assert mark in page.read_text("utf-8"), page


def test_a_history_has_the_word_of_the_run(real: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert run_command(["history", "add", str(real), "--store", str(tmp_path / "store")]) == 0
    assert run_command(["history", "trend", "--store", str(tmp_path / "store")]) == 0
    assert "NO NEW FAILURES: 1 known violation\n" in capsys.readouterr().out


def test_what_is_known_is_in_the_word_of_the_run():
    known = known_text([Standing.VERIFIED, Standing.INCONCLUSIVE, Standing.VIOLATED])
    assert known == "NO NEW FAILURES: 1 known violation, 1 known inconclusive requirement"


def test_what_crashed_or_passed_was_never_expected(changed: Callable[..., ResultFile]):
    """A result file that names a case which cannot have been expected does not whitewash it."""
    run = changed(expected=[one.id for one in changed().cases] + ["mqsd/none/such"])
    assert set(expected_failures(run)) == {CASE}


def test_a_baseline_that_does_not_fit_is_no_green_report(changed: Callable[..., ResultFile]):
    run = changed(exit_code=7, expected=[CASE], problems=["a: passed; remove it", "b: expired"])
    (suite,) = (suite for suite in junit.document(run) if suite.name == "run")
    (test,) = suite
    (result,) = test.result
    assert isinstance(result, Error)
    assert (test.name, result.message) == ("baseline", "2 entries of the baseline do not match the run")
    assert result.text.splitlines() == ["a: passed; remove it", "b: expired"]
    assert any("baseline" in line and line.startswith("::error ") for line in github.annotations(run))
