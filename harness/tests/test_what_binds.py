"""In a profile only what binds there is judged, and what nothing could tell carries no witness."""

from pathlib import Path

from mqconform.harness.cli import run_command
from mqconform.harness.records.result_file import read_results
from mqconform.harness.suite.catalogue import load_catalogue


def test_witnesses_speak_of_what_is_judged_and_binds(tmp_path: Path):
    run_command(["run", "--profile", "must", "--out", str(tmp_path), "-k", "3_1_6_refresh or mqsd/3_2"])
    catalogue = load_catalogue()
    records = read_results(tmp_path)
    witnessed = {record["requirement"] for record in records if record["record"] == "witness"}
    assert witnessed
    assert [one for one in witnessed if catalogue[one].judged == "no"] == []
    assert {catalogue[one].level for one in witnessed} <= {"must", "must-not", "may"}
    standings = {record["standing"] for record in records if record.get("level") == "should"}
    assert standings == {"not-applicable", "unobservable"}
