"""In each profile a reading of the ambiguity register gets exactly the verdict that the register says."""

from pathlib import Path

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.execution import Plan, execute
from mqconform.harness.suite.ambiguity import load_register
from mqconform.harness.suite.selection import Selection

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
