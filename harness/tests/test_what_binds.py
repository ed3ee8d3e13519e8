"""In a profile only what binds there is judged, and what nothing could tell carries no witness."""

from pathlib import Path

import pytest
from long_tier import LONG

from mqconform.harness.cli import run_command
from mqconform.harness.records.result_file import read_results
from mqconform.harness.suite.catalogue import load_catalogue

RUNS = [
    ("must", "ref:", "mqsd and not generated"),
    pytest.param("must", "mutant:refreshes-once", "", marks=LONG),
    pytest.param("default", "mutant:client-literal", "", marks=LONG),
]
"""Profile, implementation and cases: what needs whole runs belongs to the long lane."""


@pytest.mark.parametrize(("profile", "iut", "cases"), RUNS)
def test_witnesses_speak_of_what_is_judged_and_binds(tmp_path: Path, profile: str, iut: str, cases: str):
    chosen = ["-k", cases] if cases else []
    run_command(["run", "--iut", iut, "--profile", profile, "--out", str(tmp_path), *chosen])
    catalogue = load_catalogue()
    records = read_results(tmp_path)
    witnessed = {record["requirement"] for record in records if record["record"] == "witness"}
    assert witnessed
    assert [one for one in witnessed if catalogue[one].judged == "no"] == []
    if profile == "must":
        assert {catalogue[one].level for one in witnessed} <= {"must", "must-not", "may"}
        standings = {record["standing"] for record in records if record.get("level") == "should"}
        assert standings <= {"not-applicable", "unobservable"}
