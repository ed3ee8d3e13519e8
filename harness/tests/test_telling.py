"""A requirement is verified by what convicts those that break it, and by nothing else."""

from pathlib import Path

import pytest

from mqconform.harness.iut.connect import REFERENCE_TARGET
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.records.witness import Judgement, Witness
from mqconform.harness.run import recorded, session
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.selection import Selection
from mqconform.harness.suite.telling import NOT_SHOWN, Telling, load_telling

STEP, REQUIREMENT = "Then the next hop is gb", "MQBR-3.1.3.1-08"
TELLING = Telling(frozenset({"mqbr/a/b"}), {"mqbr/a/b": {f"{STEP} [{REQUIREMENT}]": "some-fault"}})


def seen(case: str, step: str = STEP, requirement: str = REQUIREMENT, verdict: Verdict = Verdict.PASS) -> Witness:
    return Witness(case, requirement, step, Judgement(verdict, "gb", "gb"))


@pytest.mark.parametrize(
    ("witness", "worth"),
    [
        (seen("mqbr/a/b/row"), Verdict.PASS),
        (seen("mqbr/a/b", step="Then there is no next hop"), Verdict.NONE),
        (seen("mqbr/a/b", requirement="MQBR-3.1.3.1-09"), Verdict.NONE),
        (seen("mine/a/b", step="Then there is no next hop"), Verdict.PASS),
        (seen("mqbr/a/b", step="Then there is no next hop", verdict=Verdict.FAIL), Verdict.FAIL),
        (seen("mqbr/a/b", step="Then there is no next hop", verdict=Verdict.INCONCLUSIVE), Verdict.INCONCLUSIVE),
    ],
    ids=["known to convict", "another step", "another requirement", "a user's scenario", "a failure", "a doubt"],
)
def test_a_pass_counts_where_a_faulty_implementation_would_fail(witness: Witness, worth: Verdict) -> None:
    assert TELLING.worth(witness) is worth


def run(out: Path) -> Outcome:
    selection = Selection((REQUIREMENT,))
    return execute(Plan(f"api:{REFERENCE_TARGET}", AdapterOptions(), Profile.DEFAULT, 0, selection, out))


def test_a_requirement_that_nothing_showed_is_not_verified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = run(tmp_path / "before")
    assert [one.standing for one in before.findings] == [Standing.VERIFIED]
    blunt = Telling(load_telling().scenarios, {})
    for module in (session, recorded):
        monkeypatch.setattr(module, "load_telling", lambda: blunt)
    after = run(tmp_path / "after")
    (finding,) = after.findings
    assert (finding.standing, finding.reason) == (Standing.UNSUPPORTED, NOT_SHOWN)
    assert finding.witnesses == before.findings[0].witnesses
    assert after.exit_code == ExitCode.OK  # as for whatever else an implementation does not let be judged


def test_most_assertions_of_the_suite_are_known_to_convict() -> None:
    telling = load_telling()
    assert len([one for one in telling.scenarios if telling.places.get(one)]) > 0.8 * len(telling.scenarios)
