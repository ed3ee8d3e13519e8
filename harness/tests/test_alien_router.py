"""A router written in another language from the specification alone: it conforms, and its faults are found."""

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

PROGRAM = Path(__file__).parent / "alien" / "router.mjs"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="the alien router is JavaScript, and no node is installed")

NOT_EVERY_SHAPE = "not generated_enterprises or allows/mesh or hop/ring"
"""Leaves out most of the generated enterprises: over a pipe each costs more than all hand-written scenarios."""

FAULTS = [
    ("hops-not-costs", "MQBR-3.1.3.1-10"),
    ("one-way", "MQBR-3.1.3.1-08"),
    ("greedy", "MQBR-3.1.3.1-12"),
    ("last-hop", "MQBR-3.1.3.1-16"),
    ("first-of-list", "MQBR-3.1.5.1-B08"),
    ("any-site-gate", "MQBR-3.1.5.6-B05"),
]


def run(out: Path, fault: str = "", requirements: tuple[str, ...] = ("MQBR",)) -> Outcome:
    command = shlex.join(filter(None, [str(NODE), str(PROGRAM), fault]))
    selection = Selection(requirements, NOT_EVERY_SHAPE)
    return execute(Plan(f"stdio:{command}", AdapterOptions(), Profile.DEFAULT, 0, selection, out))


def standings(outcome: Outcome, standing: Standing) -> set[str]:
    return {one.requirement.id for one in outcome.findings if one.standing is standing}


def test_it_verifies_every_judged_requirement(tmp_path: Path) -> None:
    outcome = run(tmp_path)
    judged = {one.requirement.id for one in outcome.findings if one.requirement.is_judged}
    assert (outcome.exit_code, outcome.mixed) == (ExitCode.OK, [])
    assert standings(outcome, Standing.VERIFIED) == judged


@pytest.mark.parametrize(("fault", "requirement"), FAULTS)
def test_a_fault_is_found_by_the_scenarios_of_its_requirement(fault: str, requirement: str, tmp_path: Path) -> None:
    outcome = run(tmp_path, fault, (requirement,))
    assert outcome.exit_code == ExitCode.FAIL
    assert requirement in standings(outcome, Standing.VIOLATED)


@pytest.mark.parametrize("requirement", [one for _, one in FAULTS])
def test_without_its_fault_the_same_scenarios_acquit_it(requirement: str, tmp_path: Path) -> None:
    outcome = run(tmp_path, requirements=(requirement,))
    assert outcome.exit_code == ExitCode.OK
    assert standings(outcome, Standing.VERIFIED) == {requirement}
