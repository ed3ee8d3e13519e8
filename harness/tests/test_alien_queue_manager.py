"""Clocks, restarts, sequences and transactional sends in another language: all is verified, and faults are found."""

import shlex
import shutil
from pathlib import Path

import pytest

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Standing
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.selection import Selection

PROGRAM = Path(__file__).parent / "alien" / "queue_manager.mjs"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="the other house writes JavaScript: needs node")

FAULTS = [
    ("acknowledges-after-two-seconds", "EOD-3.1.1.3.1-03"),
    ("puts-off-for-ever", "EOD-3.1.1.6.2-03"),
    ("acknowledges-on-and-on", "EOD-3.1.1.6.2-05"),
    ("forgets-at-restart", "EOD-3.1.1.3.1-05"),
    ("newer-sequence-amid", "EOD-3.1.5.8.6-02"),
    ("resends-the-first-only", "EOD-3.1.6.5-01"),
    ("resends-every-thirty-seconds", "EOD-3.1.6.5-02"),  # acknowledgments do not make its intervals longer either
    ("numbers-anew-at-restart", "EOD-3-10"),
    ("commits-in-part", "EOD-1-03"),
    ("refuses-nontransactional", "EOD-1-05"),
    ("takes-everything-in", "EOD-1-06"),
    ("dead-letters-at-home", "EOD-1-07"),
    ("does-not-tell", "EOD-1-08"),
    ("forgets-nested-lists", "EOD-1-01"),
]


def run(out: Path, fault: str = "", requirement: str = "EOD") -> Outcome:
    command = shlex.join(filter(None, [str(NODE), str(PROGRAM), fault]))
    plan = Plan(f"stdio:{command}", AdapterOptions(), Profile.DEFAULT, 0, Selection((requirement,)), out)
    return execute(plan)


def standings(outcome: Outcome, standing: Standing) -> set[str]:
    return {one.requirement.id for one in outcome.findings if one.standing is standing}


def test_it_verifies_every_judged_requirement(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    judged = {one.requirement.id for one in outcome.findings if one.requirement.is_judged}
    assert (outcome.exit_code, outcome.mixed) == (ExitCode.OK, [])
    assert standings(outcome, Standing.VERIFIED) == judged


@pytest.mark.parametrize(("fault", "requirement"), FAULTS)
def test_a_fault_is_found_by_the_scenarios_of_its_requirement(fault: str, requirement: str, tmp_path: Path) -> None:
    outcome = run(tmp_path, fault, requirement)
    assert outcome.exit_code == ExitCode.FAIL
    assert requirement in standings(outcome, Standing.VIOLATED)
