"""Ordered senders against ordered receivers: the end that breaks the promise is found, with the smallest schedule."""

import json
import sys
from pathlib import Path

import pytest
from matrices import implementations, of, played, requirements, written

from mqconform.harness.explore.matrix.matrix_run import Outcome

TARGETS = {
    "ref": "ref:",
    "duplicates": "mutant:receiver-accepts-duplicates",
    "gaps": "mutant:receiver-accepts-gaps",
    "unlinked": "mutant:sender-unlinked",
}
ROLES = {"duplicates": "ordered_receiver", "gaps": "ordered_receiver", "unlinked": "ordered_sender"}


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("delivery")


@pytest.fixture(scope="module")
def outcome(out: Path) -> Outcome:
    text = implementations(TARGETS, **ROLES) + "[delivery]\nschedules = 40\n"
    return played(written(out, text), out / "out", "delivery")


def test_ends_that_conform_keep_the_promise(outcome: Outcome):
    result = of(outcome, "delivery", "ref", "ref")
    assert (result.outcome, result.findings) == ("pass", ())


def test_the_wrong_end_is_to_blame_and_both_where_both_are_wrong(outcome: Outcome):
    for receiver, requirement in [("duplicates", "EOD-4-04"), ("gaps", "EOD-4-05")]:
        result = of(outcome, "delivery", "ref", receiver)
        assert result.blame == "receiver"
        assert requirement in requirements(result, "receiver")
    assert of(outcome, "delivery", "unlinked", "ref").blame == "sender"
    assert of(outcome, "delivery", "unlinked", "duplicates").blame == "both"


def test_the_time_line_and_the_smallest_schedule_are_kept(outcome: Outcome, out: Path):
    result = of(outcome, "delivery", "ref", "duplicates")
    (file,) = result.evidence
    kept = json.loads((out / "out" / file).read_text("utf-8"))
    assert kept["steps"] <= 2
    assert "!! EOD-4-04" in result.scenarios[0].timeline
    assert kept["schedule"] in result.scenarios[0].told


def test_an_end_that_dies_is_to_blame(tmp_path: Path):
    (tmp_path / "dies.py").write_text(DIES, "utf-8")
    targets = {"ref": "ref:", "dies": f"stdio:{sys.executable} {tmp_path}/dies.py"}
    text = implementations(targets) + "[delivery]\nschedules = 3\n"
    outcome = played(written(tmp_path, text), tmp_path / "out", "delivery")
    assert of(outcome, "delivery", "ref", "dies").blame == "receiver"
    assert of(outcome, "delivery", "dies", "ref").blame == "sender"


DIES = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    roles = ["ordered_sender", "ordered_receiver"]
    who = {"protocol": 1, "name": "dies", "version": "1", "roles": roles, "capabilities": []}
    if asked["method"].startswith("ordered"):
        sys.exit(7)
    result = who if asked["method"] == "initialize" else {}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""
