"""In each profile a reading of the ambiguity register gets exactly the verdict that the register says."""

from pathlib import Path

import pytest
from long_tier import LONG

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.profile import Profile
from mqconform.harness.run.execution import Plan, execute
from mqconform.harness.suite.ambiguity import load_register
from mqconform.harness.suite.selection import Selection

VARIANTS = (
    ("common-network-wanted", "BR-51/honoured", "networks-are-not-looked-at"),
    ("serves-workgroups", "BR-65/workgroup-machine-served", "a-machine-without-a-site-shares-none"),
    ("foreign-enterprise-unanswered", "SD-13/silent-for-foreign-enterprise", "a-client-of-another-enterprise"),
    ("nulls-between", "SD-28/null-between-entries", "one-null-ends-the-list"),
    ("client-repeats-requests", "SD-08/request-repeated", "version-is-zero"),
    ("client-new-id-per-packet", "SD-14/new-id-per-packet", "each-event-has-a-requestid"),
    ("receiver-acknowledges-accepted-only", "EOD-16/accepted-only", "rejected-is-acknowledged-like-any-other"),
    ("queue-receives-outside-a-transaction", "QM-01/received", "a-transactional-queue-hands-out-within"),
    ("queue-abort-puts-last", "QM-06/at-the-end", "what-is-given-back-has-its-old-place"),
    ("receiver-silent-before-acceptance", "EOD-13/silence", "before-anything-is-accepted"),
)
"""Mutants with a reading that they follow, and part of the id of a case that shows it."""
FIRST_TIER = {Profile.DEFAULT, Profile.STRICT}
"""Profiles that differ in most entries; the others are tried with the tests that take long."""


@pytest.mark.parametrize(("mutant", "reading", "case"), VARIANTS, ids=lambda value: value)
@pytest.mark.parametrize("profile", [pytest.param(one, marks=() if one in FIRST_TIER else LONG) for one in Profile])
def test_a_reading_has_the_verdict_of_the_register(
    mutant: str, reading: str, case: str, profile: Profile, tmp_path: Path
):
    plan = Plan(f"mutant:{mutant}", AdapterOptions(), profile, 0, Selection(expression=case), tmp_path)
    witnesses = [one.judgement for run in execute(plan).cases for one in run.witnesses]
    ambiguity, _, name = reading.partition("/")
    wanted = load_register().verdict_of(ambiguity, name, profile)
    assert {one.verdict for one in witnesses if one.reading == reading} == {wanted}
