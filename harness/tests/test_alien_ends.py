"""Both ends of streams, written in another language: they conform, and the usual mistakes are found, told and kept."""

import json
import shlex
import shutil
from pathlib import Path

import pytest
from long_tier import mostly_long

from mqconform.harness.iut.drivers.ordered_delivery.schedule_text import parse_schedule
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Standing
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.selection import Selection

PROGRAM = Path(__file__).parent / "alien" / "exactly_once.mjs"
NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="the other house writes JavaScript: needs node")

SEARCH = "whatever-happens"
"""The scenarios that search for a fault schedule."""
RECEIVER, SENDER = "ordered_receiver", "ordered_sender"
MISTAKES = [
    ("accepts-duplicates", RECEIVER, "EOD-4-04"),
    ("rejects-legal-gaps", RECEIVER, "EOD-4-06"),
    ("compares-previous-for-equality", RECEIVER, "EOD-4-06"),
    ("acknowledges-next-number", RECEIVER, "EOD-2-11"),
    ("shares-state-across-streams", RECEIVER, "EOD-4-06"),
    ("rejects-after-lost-state", RECEIVER, "EOD-4-06"),
    ("renumbers-on-discard", SENDER, "EOD-3-01"),
    ("never-relinks", SENDER, "EOD-3-09"),
    ("first-previous-not-zero", SENDER, "EOD-3-09"),
    ("discards-beyond-acknowledgment", SENDER, "EOD-2-03"),
]


def run(out: Path, fault: str, selection: Selection, features: tuple[Path, ...] = ()) -> Outcome:
    command = shlex.join(filter(None, [str(NODE), str(PROGRAM), fault]))
    return execute(Plan(f"stdio:{command}", AdapterOptions(), Profile.DEFAULT, 0, selection, out, features))


def standings(outcome: Outcome, standing: Standing) -> set[str]:
    return {one.requirement.id for one in outcome.findings if one.standing is standing}


def test_without_a_mistake_everything_is_verified_that_it_offers(tmp_path: Path) -> None:
    outcome = run(tmp_path, "", Selection(("EOD",)))
    assert (outcome.exit_code, outcome.mixed) == (ExitCode.OK, [])
    judged = {one.requirement.id for one in outcome.findings if one.requirement.is_judged}
    unsupported = standings(outcome, Standing.UNSUPPORTED)
    assert standings(outcome, Standing.VERIFIED) == judged - unsupported
    assert {one.removeprefix("EOD-").split("-")[0] for one in unsupported & judged} == {
        "4",  # acknowledgments of themselves need a clock, as all of the timers do
        "3.1.1.3.1",
        "3.1.1.6.2",
        "3.1.5.6",
        "3.1.5.8.6",
        "3.1.6.5",
    }


@pytest.mark.parametrize(
    ("fault", "role", "requirement"),
    mostly_long(MISTAKES, first=["acknowledges-next-number", "discards-beyond-acknowledgment"]),
)
def test_a_mistake_is_found_by_the_search_and_kept_as_a_case_that_shows_it_again(
    fault: str, role: str, requirement: str, tmp_path: Path
) -> None:
    outcome = run(tmp_path / "found", fault, Selection(("EOD",), SEARCH))
    assert outcome.exit_code == ExitCode.FAIL
    assert requirement in standings(outcome, Standing.VIOLATED)
    (saved,) = (tmp_path / "found" / "cases").glob("*.feature")
    text = saved.read_text(encoding="utf-8")
    assert text.startswith(f"@role:{role}\n")
    schedule = text.partition('the fault schedule "')[2].partition('"')[0]
    assert 1 <= len(parse_schedule(schedule)) <= 10
    told = [json.loads(line) for line in outcome.results.read_text(encoding="utf-8").splitlines()]
    (witness, *_) = (one for one in told if one.get("verdict") == "fail" and one["record"] == "witness")
    assert f"fault schedule, {len(parse_schedule(schedule))} step" in witness["observed"]
    assert " sender    sends m1 as 1 after " in witness["observed"]

    case = "breaks-the-promise"
    again = run(tmp_path / "again", fault, Selection(("EOD",), case), (saved,))
    assert again.exit_code == ExitCode.FAIL
    right = run(tmp_path / "right", "", Selection(("EOD",), case), (saved,))
    assert right.exit_code == ExitCode.OK


@pytest.mark.parametrize(
    ("fault", "requirement"),
    [
        ("accepts-duplicates", "EOD-2-01"),
        ("accepts-gaps", "EOD-4-05"),
        ("window-moves-on-rejection", "EOD-4-08"),
        ("acknowledges-late", "EOD-2-10"),
        ("keeps-acknowledged", "EOD-3-07"),
        ("sends-discarded", "EOD-3-04"),
    ],
)
def test_a_fault_is_found_by_the_scenarios_of_its_requirement(fault: str, requirement: str, tmp_path: Path) -> None:
    outcome = run(tmp_path, fault, Selection((requirement,), f"not {SEARCH}"))
    assert outcome.exit_code == ExitCode.FAIL
    assert requirement in standings(outcome, Standing.VIOLATED)
