"""Runs of the router features: what a wrong router is convicted of is small and kept."""

import json
from pathlib import Path

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqbr.message_walks import End, judge_walk
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import FAILED, Verdict
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.ambiguity import ReadingLog, load_register
from mqconform.harness.suite.selection import Selection

WRONG = "mutant:hop-count-for-cost"
MOST_SITES, MOST_QUEUE_MANAGERS = 4, 8


def judged(iut: str, out: Path, expression: str, features: tuple[Path, ...] = ()) -> Outcome:
    return execute(Plan(iut, AdapterOptions(), Profile.DEFAULT, 0, Selection(("MQBR",), expression), out, features))


def violated(outcome: Outcome) -> set[str]:
    return {one.requirement.id for one in outcome.findings if one.standing in FAILED}


def test_a_wrong_router_is_convicted_with_a_small_enterprise_and_again_by_what_was_saved(tmp_path: Path) -> None:
    outcome = judged(WRONG, tmp_path / "first", "algorithm-allows/ring or the-cost-of-a-link")
    assert outcome.exit_code == ExitCode.FAIL
    assert "MQBR-3.1.3.1-10" in violated(outcome)
    assert all(case.verdict is not Verdict.ERROR for case in outcome.cases)
    (document,) = (tmp_path / "first" / "cases").glob("*.json")
    enterprise = json.loads(document.read_text())
    assert len(enterprise["sites"]) <= MOST_SITES
    assert len(enterprise["queue_managers"]) <= MOST_QUEUE_MANAGERS
    (saved,) = (tmp_path / "first" / "cases").glob("*.feature")
    again = judged(WRONG, tmp_path / "again", "wrong-next-hop", features=(saved,))
    right = judged("ref:", tmp_path / "right", "wrong-next-hop", features=(saved,))
    assert (again.exit_code, right.exit_code) == (ExitCode.FAIL, ExitCode.OK)


def test_allowed_hops_that_do_not_arrive_are_wrong_though_no_router_has_any() -> None:
    register = load_register()
    judge = Judge(register, Profile.DEFAULT, ReadingLog(register))
    hops = [judge.says(True, "an allowed hop", "ga")]
    for end in (End.LOOP, End.TOO_LONG, End.ASTRAY):
        assert judge_walk(judge, "ca -> ga", end, hops).verdict is Verdict.FAIL, end
    assert judge_walk(judge, "ca -> ga", End.ARRIVED, hops).verdict is Verdict.PASS
