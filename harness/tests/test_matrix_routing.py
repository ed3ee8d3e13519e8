"""Routers against each other: who misleads a message is found, in pairs and in the walk of all."""

import json
import shlex
import sys
from pathlib import Path

import pytest
from matrices import implementations, of, played, requirements, written

from mqconform.harness.cli import run_command
from mqconform.harness.explore.matrix.matrix_run import Outcome
from mqconform.harness.records.verdict import Verdict

TARGETS = {
    "ref": "ref:",
    "hops": "mutant:hop-count-for-cost",
    "loops": "mutant:source-in-the-list",
    "hole": "mutant:far-away-fails",
    "chooses": "mutant:seeded-gate",
}
TWO_SITES = '[routing]\ngenerated = 7\nquestions = 80\nshapes = ["multi-site"]\n'
TRIED = "[routing]\ngenerated = 7\nquestions = 40\n"


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("routing")


@pytest.fixture(scope="module")
def outcome(out: Path) -> Outcome:
    return played(written(out, implementations(TARGETS) + TRIED), out / "out", "routing", workers=2)


def test_routers_that_conform_bring_every_message_home(subtests: pytest.Subtests, outcome: Outcome):
    for one in ["ref", "chooses"]:
        for other in ["ref", "chooses"]:
            with subtests.test(one=one, other=other):
                result = of(outcome, "routing", one, other)
                assert (result.outcome, result.findings) == ("pass", ())
                assert len(result.scenarios) == 7


def test_the_wrong_one_is_to_blame_on_whichever_side_it_is(subtests: pytest.Subtests, outcome: Outcome):
    for wrong in ["hops", "loops", "hole"]:
        with subtests.test(wrong=wrong):
            for side, pair in (("first", (wrong, "ref")), ("second", ("ref", wrong))):
                result = of(outcome, "routing", *pair)
                assert result.blame == side
                assert all(one.startswith("MQBR-3.1.5") for one in requirements(result, side))
            assert of(outcome, "routing", wrong, wrong).blame == "both"
            assert of(outcome, "routing", "hops", "hole").blame == "both"


def test_loops_and_black_holes_are_told_with_the_way(outcome: Outcome):
    loop = of(outcome, "routing", "ref", "loops").findings[0]
    assert "returned to an earlier queue manager" in loop.observed
    hole = [one.observed for one in of(outcome, "routing", "ref", "hole").findings]
    assert any("(first) ->" in one and "no next hop" in one for one in hole)


def test_the_walk_of_all_names_those_who_mislead(outcome: Outcome):
    result = of(outcome, "routing", "all", "all")
    assert result.at_fault == ("hops", "loops", "hole")


def test_a_loop_of_permitted_choices_is_nobodys_fault_and_told(tmp_path: Path):
    targets = {"ref": "ref:", "chance": "mutant:seeded-choices"}
    outcome = played(written(tmp_path, implementations(targets) + TWO_SITES), tmp_path / "out", "routing")
    result = of(outcome, "routing", "ref", "chance")
    assert (result.outcome, result.blame, outcome.exit_code) == ("inconclusive", "undecided", 2)
    assert "although each answer on its path is allowed" in result.findings[0].says


def test_the_smallest_enterprise_of_a_wrong_answer_is_kept_and_explained(
    outcome: Outcome, out: Path, monkeypatch: pytest.MonkeyPatch
):
    (finding, *_) = of(outcome, "routing", "ref", "hops").findings
    small = json.loads((out / "out" / finding.evidence).read_text("utf-8"))
    assert finding.evidence.startswith("enterprises/smallest-hops-MQBR-3.1.5")
    assert len(small["sites"]) <= 4
    _, command = finding.observed.split("explained by, in this folder: ")
    monkeypatch.chdir(out / "out")
    assert run_command(shlex.split(command)[1:]) == 0


HOSTILE = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    who = {"protocol": 1, "name": "hostile", "version": "1", "roles": ["router"], "capabilities": []}
    if asked["method"] == "router.get_next_hops":
        if sys.argv[1] == "dies":
            sys.exit(3)
        print("\\x1b[2J" * 1000, flush=True)
    result = who if asked["method"] == "initialize" else {}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""


def test_a_router_that_breaks_its_contract_is_at_fault_and_the_matrix_goes_on(tmp_path: Path):
    (tmp_path / "hostile.py").write_text(HOSTILE, "utf-8")
    command = f"stdio:{sys.executable} {tmp_path}/hostile.py"
    targets = {"ref": "ref:", "gone": "stdio:false", "dies": f"{command} dies", "garbles": f"{command} garbles"}
    text = implementations(targets) + "[routing]\ngenerated = 2\n"
    outcome = played(written(tmp_path, text), tmp_path / "out", "routing")
    assert of(outcome, "routing", "ref", "ref").verdict is Verdict.PASS
    for name in ("gone", "dies", "garbles"):
        assert of(outcome, "routing", "ref", name).at_fault == ("second",)
        assert of(outcome, "routing", name, "ref").at_fault == ("first",)
    assert outcome.exit_code == 1
