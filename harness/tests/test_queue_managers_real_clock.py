"""A queue manager is judged by the real clock: the harness waits, and what expires late is convicted."""

import json
from pathlib import Path

import pytest
from long_tier import long

from mqconform.harness.cli import run_command

CASES = "a-message-whose-time-is-not-up or a-second-after-its-time"
NOT_UP = "mqso/5_1_1_3_messages/a-message-whose-time-is-not-up-is-there"
LATE = "mqso/5_1_1_3_messages/a-second-after-its-time-it-is-gone/express"


@long
@pytest.mark.real_clock
def test_who_is_late_is_convicted_with_its_calls_as_evidence(tmp_path: Path) -> None:
    asked = ["run", "--iut", "mutant:queue-expires-late", "--no-probe", "--clock", "real", "--req", "MQSO", "-k", CASES]
    assert run_command([*asked, "--out", str(tmp_path)]) == 1
    records = [json.loads(line) for line in (tmp_path / "results.ndjson").read_text("ascii").splitlines()[1:]]
    cases = {record["id"]: record for record in records if record["record"] == "case"}
    assert (cases[LATE]["verdict"], cases[NOT_UP]["verdict"]) == ("fail", "pass")
    assert "4." in str(cases[LATE]["timeline"])
    (calls,) = (tmp_path / "bundles").glob("*express*/calls.ndjson")
    assert "queue_manager.receive" in calls.read_text()
