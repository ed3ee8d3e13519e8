"""In each profile a reading of the ambiguity register gets exactly the verdict that the register says."""

from pathlib import Path

import pytest
from long_tier import LONG

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.execution import Plan, execute
from mqconform.harness.suite.ambiguity import load_register
from mqconform.harness.suite.selection import Selection

VARIANTS = (
    ("common-network-wanted", "BR-51/honoured", "networks-are-not-looked-at"),
    ("serves-workgroups", "BR-65/workgroup-machine-served", "a-machine-without-a-site-shares-none"),
    ("foreign-enterprise-unanswered", "SD-13/silent-for-foreign-enterprise", "a-client-of-another-enterprise"),
    ("nulls-between", "SD-28/null-between-entries", "one-null-ends-the-list"),
    ("client-repeats-requests", "SD-08/request-repeated", "every-network-is-asked-in-turn"),
    ("client-new-id-per-packet", "SD-14/new-id-per-packet", "each-event-has-a-requestid"),
    ("receiver-acknowledges-accepted-only", "EOD-16/accepted-only", "rejected-is-acknowledged-like-any-other"),
    ("queue-receives-outside-a-transaction", "QM-01/received", "a-transactional-queue-hands-out-within"),
    ("queue-abort-puts-last", "QM-06/at-the-end", "what-is-given-back-has-its-old-place"),
    ("receiver-silent-before-acceptance", "EOD-13/silence", "before-anything-is-accepted"),
)
"""Mutants with a reading that they follow, and part of the id of a case that shows it."""
FIRST_TIER = (Profile.DEFAULT, Profile.STRICT)
"""Profiles that differ in most entries; the others are tried with the tests that take long."""


def verdicts(mutant: str, reading: str, case: str, profile: Profile, out: Path) -> set[Verdict]:
    plan = Plan(f"mutant:{mutant}", AdapterOptions(), profile, 0, Selection(expression=case), out / mutant / profile)
    run = execute(plan)
    if profile is not Profile.STRICT:
        assert run.exit_code is not ExitCode.INCONCLUSIVE
    judgements = [witness.judgement for case in run.cases for witness in case.witnesses]
    return {judgement.verdict for judgement in judgements if judgement.reading == reading}


@pytest.mark.parametrize("profiles", [FIRST_TIER, pytest.param((Profile.MUST, Profile.WINDOWS), marks=LONG)])
def test_a_reading_has_the_verdict_of_the_register(profiles: tuple[Profile, ...], tmp_path: Path):
    for mutant, reading, case in VARIANTS:
        ambiguity, _, name = reading.partition("/")
        for profile in profiles:
            wanted = load_register().verdict_of(ambiguity, name, profile)
            assert verdicts(mutant, reading, case, profile, tmp_path) == {wanted}, (mutant, profile)
