"""What a profile changes: what is judged and binds, what a reading is worth, and that strict can be met."""

from pathlib import Path

from mqconform.harness.cli import run_command
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.result_file import read_results
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.execution import Plan, execute
from mqconform.harness.suite.ambiguity import load_register
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.selection import Selection


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


def judged(iut: str, cases: str, out: Path) -> int:
    return run_command(["run", "--iut", iut, "--profile", "strict", "-k", cases, "--out", str(out)])


def test_the_reference_passes(tmp_path: Path):
    """Its silence where there is nothing to answer by the text, and its failed attempts to route, included."""
    cases = "generated-malformed-datagrams or empty or fails or no-way"
    assert judged("ref:", cases, tmp_path / "out") == ExitCode.OK


def test_a_reply_that_the_text_neither_asks_for_nor_allows_is_left_open(tmp_path: Path):
    assert judged("mutant:no-networks-count-zero", "mqsd/2_2_message_syntax", tmp_path / "out") == ExitCode.INCONCLUSIVE


VARIANTS = (
    ("common-network-wanted", "BR-51/honoured", "networks-are-not-looked-at"),
    ("nulls-between", "SD-28/null-between-entries", "one-null-ends-the-list"),
    ("receiver-acknowledges-accepted-only", "EOD-16/accepted-only", "rejected-is-acknowledged-like-any-other"),
    ("queue-abort-puts-last", "QM-06/at-the-end", "what-is-given-back-has-its-old-place"),
)
"""Mutants with a reading that they follow, and part of the id of a case that shows it."""


def verdicts(mutant: str, reading: str, case: str, profile: Profile, out: Path) -> set[Verdict]:
    plan = Plan(f"mutant:{mutant}", AdapterOptions(), profile, 0, Selection(expression=case), out / mutant / profile)
    run = execute(plan)
    if profile is not Profile.STRICT:
        assert run.exit_code is not ExitCode.INCONCLUSIVE
    judgements = [witness.judgement for case in run.cases for witness in case.witnesses]
    return {judgement.verdict for judgement in judgements if judgement.reading == reading}


def test_a_reading_has_the_verdict_of_the_register(tmp_path: Path):
    for mutant, reading, case in VARIANTS:
        ambiguity, _, name = reading.partition("/")
        for profile in Profile:
            wanted = load_register().verdict_of(ambiguity, name, profile)
            assert verdicts(mutant, reading, case, profile, tmp_path) == {wanted}, (mutant, profile)
