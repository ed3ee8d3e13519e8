"""Pages of trends and audits: from documents of the published shapes, and what is said of others."""

import json
from pathlib import Path
from typing import Any

import pytest
import result_records
from result_records import header, requirement

from mqconform.reports.html.audits import audits_page
from mqconform.reports.html.command import write
from mqconform.reports.html.documents import DocumentFault
from mqconform.reports.html.trends import first_bad, trends_page

WHO = {"vendor": "Example", "name": "server", "profile": "default", "selection": ""}
REQUIREMENT = "MQSD-2.2.3-11"


def moment(day: int) -> dict[str, str]:
    return {"time": f"2026-06-{day:02}T10:00:00Z", "run": f"run-{day}", "version": f"1.{day}"}


def trend() -> dict[str, Any]:
    counts = {
        "ended": True,
        "exit_code": 1,
        "inconclusive": 0,
        "unverified": 0,
        "due": 10,
        "judged": 10,
        "coverage": 1.0,
    }
    coverage = [WHO | moment(day) | counts | {"verified": 10 - day, "violated": day} for day in (1, 2)]
    bad = WHO | {"requirement": REQUIREMENT, "level": "must", "bad_runs": 1}
    flake = WHO | {"case": "mqsd/x/<b>y</b>", "runs": 4, "deviating": 1, "rate": 0.25, "low": 0.05, "high": 0.7}
    score = {"score": "s", "time": moment(2)["time"], "harness": "mqconform 0.1.0", "mutants": 200, "killed": 150}
    score |= {"measure": "machine changes"}
    return {
        "schema": 1,
        "runs": 2,
        "coverage": coverage,
        "mutation": [score | {"rate": 0.75, "survivors": ["one"]}],
        "first_bad": [bad | {"first_bad": moment(2), "last_good": moment(1)}],
        "flakes": [flake],
        "matrix": [],
    }


def result(folder: Path) -> Path:
    """A result file in which one requirement is violated."""
    return result_records.written(
        folder, header(), requirement(id=REQUIREMENT, section="2.2.3", standing="violated", witnesses=1)
    )


def written(folder: Path, document: Any) -> Path:
    file = folder / "document.json"
    file.write_text(json.dumps(document), "utf-8")
    return file


def test_a_requirement_says_since_which_run_it_is_violated(tmp_path: Path):
    file = written(tmp_path, trend())
    write([result(tmp_path / "run")], tmp_path / "site", trend=file)
    page = (tmp_path / "site" / "requirement" / f"{REQUIREMENT}.html").read_text("utf-8")
    assert "violated since 2026-06-02T10:00:00Z, version 1.2; last verified 2026-06-01T10:00:00Z" in page
    assert set(first_bad(file)) == {REQUIREMENT}


def test_trends_show_every_run_and_escape_what_they_hold(tmp_path: Path):
    write([result(tmp_path / "run")], tmp_path / "site", trend=written(tmp_path, trend()))
    page = (tmp_path / "site" / "trends.html").read_text("utf-8")
    assert "<b>y</b>" not in page
    assert "25.0 % (5.0 to 70.0)" in page
    (series,) = trends_page(written(tmp_path, trend())).values["mutation"]["series"]
    assert series["data"] == [["2026-06-02T10:00:00Z", 75.0]]


def test_runs_of_a_part_of_the_suite_have_a_line_of_their_own(tmp_path: Path):
    for selection, called in (
        ('{"expression": "not slow", "requirements": ["MQSD"]}', "(MQSD not slow)"),
        ('{"expression": 7}', "(part of the suite)"),
        ("[", "(part of the suite)"),
    ):
        document = trend()
        document["coverage"][1]["selection"] = selection
        series = trends_page(written(tmp_path, document)).values["coverage"]["series"]
        assert len(series) == 4, (selection, called)
        assert [called in one["name"] for one in series] == [False, False, True, True], (selection, called)


def test_a_document_of_another_shape_is_refused_by_file_and_field(tmp_path: Path):
    for document, complaint in (
        ({}, r"\$: 'schema' is a required property"),
        (trend() | {"runs": "two"}, r"\$\.runs: 'two' is not of type"),
        ([], r"\$: \[\] is not of type 'object'"),
    ):
        with pytest.raises(
            DocumentFault, match=f"document.json: {complaint}.*; write it with `mqconform history trend"
        ):
            trends_page(written(tmp_path, document))


def test_what_is_no_json_or_not_there_is_refused(tmp_path: Path):
    (tmp_path / "torn.json").write_text('{"schema": 1, "ru', "utf-8")
    with pytest.raises(DocumentFault, match=r"torn\.json: is not JSON"):
        trends_page(tmp_path / "torn.json")
    with pytest.raises(DocumentFault, match="No such file"):
        audits_page([tmp_path / "nowhere"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(DocumentFault, match=r"empty/summary.json: No such file .*--out folder of `mqconform audit`"):
        audits_page([tmp_path / "empty"])


def kill_matrix() -> dict[str, Any]:
    mutant = {"role": "discovery_server", "kind": "faulty", "says": "adds <i>two</i>", "breaks": [REQUIREMENT]}
    mutant |= {"ended": "run", "exit_code": 1, "killed_by": {}, "undecided": []}
    requirement = {"killed_by": {"discovery_server": ["size-two-more", "other"]}, "aimed": ["size-two-more"]}
    matrix = {"schema": 1, "harness": "mqconform 0.1.0", "whole": True, "complete_roles": [], "complaints": []}
    return matrix | {"mutants": {"size-two-more": mutant}, "requirements": {REQUIREMENT: requirement}}


def test_a_requirement_names_the_wrong_implementations_that_are_convicted_of_it(tmp_path: Path):
    write([result(tmp_path / "run")], tmp_path / "site", mutants=written(tmp_path, kill_matrix()))
    page = (tmp_path / "site" / "requirement" / f"{REQUIREMENT}.html").read_text("utf-8")
    assert "<dt>size-two-more <small>aimed at it</small></dt><dd>adds &lt;i&gt;two&lt;/i&gt;</dd>" in page
    assert "<dt>other</dt>" in page
