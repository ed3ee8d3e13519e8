"""A requirement is verified by what convicts those that break it, and by nothing else, whatever its sentence says."""

from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from mqconform.harness.iut.connect import REFERENCE_TARGET
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.roles import ROLES, all_mutants, step_modules
from mqconform.harness.judge.mqbr.next_hops import next_hop_is
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.records.witness import Judgement, Witness
from mqconform.harness.run import execution
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite import steps
from mqconform.harness.suite.selection import Selection
from mqconform.harness.suite.tagged_scenarios import tagged_scenarios
from mqconform.harness.suite.telling import NOT_SHOWN, Telling, load_telling

CHECK, REQUIREMENT = "next_hop_is", "MQBR-3.1.3.1-08"
TELLING = Telling(frozenset({"mqbr/a/b"}), {("mqbr/a/b", CHECK, REQUIREMENT): ("some-fault",)})
ROUTE = f"""
@role:router
Feature: Mine
  @req:{REQUIREMENT}
  Scenario: Next door
    Given sites A and B
    And routing links A-B 1
    And queue managers
      | name | sites | routing server |
      | ga   | A     | yes            |
      | gb   | B     | yes            |
      | c    | A     | no             |
      | d    | B     | no             |
    And site gates A: ga; B: gb
    When ga asks for the way to d
    Then SENTENCE
"""


def seen(case: str, check: str = CHECK, requirement: str = REQUIREMENT, verdict: Verdict = Verdict.PASS) -> Witness:
    return Witness(case, requirement, "Then the next hop is gb", Judgement(verdict, "gb", "gb"), check=check)


@pytest.mark.parametrize(
    ("witness", "worth"),
    [
        (seen("mqbr/a/b/row"), Verdict.PASS),
        (seen("mqbr/a/b", check="no_next_hop"), Verdict.NONE),
        (seen("mqbr/a/b", requirement="MQBR-3.1.3.1-09"), Verdict.NONE),
        (seen("mine/a/b", check="no_next_hop"), Verdict.PASS),
        (seen("mqbr/a/b", check="no_next_hop", verdict=Verdict.FAIL), Verdict.FAIL),
        (seen("mqbr/a/b", check="no_next_hop", verdict=Verdict.INCONCLUSIVE), Verdict.INCONCLUSIVE),
    ],
    ids=["known to convict", "another check", "another requirement", "a user's scenario", "a failure", "a doubt"],
)
def test_a_pass_counts_where_a_faulty_implementation_would_fail(witness: Witness, worth: Verdict) -> None:
    assert TELLING.worth(witness) is worth


def run(out: Path) -> Outcome:
    selection = Selection((REQUIREMENT,))
    return execute(Plan(f"api:{REFERENCE_TARGET}", AdapterOptions(), Profile.DEFAULT, 0, selection, out))


def test_a_case_that_names_other_requirements_counts_for_those_that_it_is_known_to_fail(tmp_path: Path) -> None:
    requirement, case = "MQSO-3.3.4.4-04", "mqso/5_5_1_restart/transactional-messages-are-there"
    selection = Selection((requirement,), cases=(case,))
    plan = Plan("mutant:queue-commits-in-part", AdapterOptions(), Profile.DEFAULT, 0, selection, tmp_path)
    outcome = execute(plan)
    assert requirement not in outcome.cases[0].requirements
    assert [(finding.requirement.id, finding.standing) for finding in outcome.findings] == [
        (requirement, Standing.VIOLATED)
    ]


def test_a_requirement_that_nothing_showed_is_not_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run(tmp_path / "before")
    assert [one.standing for one in before.findings] == [Standing.VERIFIED]
    blunt = Telling(load_telling().scenarios, {})
    monkeypatch.setattr(execution, "load_telling", lambda: blunt)
    after = run(tmp_path / "after")
    (finding,) = after.findings
    assert (finding.standing, finding.reason) == (Standing.UNSUPPORTED, NOT_SHOWN)
    assert finding.witnesses == before.findings[0].witnesses
    assert after.exit_code == ExitCode.OK  # as for whatever else an implementation does not let be judged


@pytest.mark.parametrize(("check", "standing"), [(CHECK, Standing.VERIFIED), ("another_check", Standing.UNSUPPORTED)])
def test_a_sentence_may_be_reworded(
    check: str, standing: Standing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in step_modules():  # what is imported later would be in the changed table alone
        import_module(module)
    monkeypatch.setattr(steps, "_steps", [*steps._steps])
    steps.then("the hop to take is {name}")(next_hop_is)
    known = Telling(frozenset({"mine/a/next-door"}), {("mine/a/next-door", check, REQUIREMENT): ("some-fault",)})
    monkeypatch.setattr(execution, "load_telling", lambda: known)
    for sentence in ("the next hop is gb", "the hop to take is gb"):
        feature = tmp_path / sentence / "mine" / "a.feature"
        feature.parent.mkdir(parents=True)
        feature.write_text(ROUTE.replace("SENTENCE", sentence), "utf-8")
        selection = Selection((REQUIREMENT,), cases=("mine/a",))
        plan = Plan(f"api:{REFERENCE_TARGET}", AdapterOptions(), Profile.DEFAULT, 0, selection, tmp_path / "out")
        outcome = execute(replace(plan, features=(feature,)))
        assert [witness.step for case in outcome.cases for witness in case.witnesses] == [f"Then {sentence}"]
        assert [finding.standing for finding in outcome.findings] == [standing]


def test_the_kills_name_nothing_that_is_gone() -> None:
    modules = {*map(import_module, step_modules(ROLES))}
    checks = {step.check for step in steps.steps_of({module.__name__ for module in modules})}
    scenarios = {scenario.name for scenario in tagged_scenarios()}
    places = load_telling().places
    assert not {(scenario, check) for scenario, check, _ in places if scenario not in scenarios or check not in checks}
    assert {name for names in places.values() for name in names} <= {*all_mutants()}
