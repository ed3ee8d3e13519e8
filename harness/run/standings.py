"""What a run established about each requirement that it should have judged."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from mqconform.harness.records.case import Case
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.profile import Profile, binding_levels
from mqconform.harness.records.requirement import Requirement
from mqconform.harness.records.scope import UNSEEN
from mqconform.harness.records.verdict import Standing, Verdict, standing
from mqconform.harness.run.plan import Outcome
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.telling import NOT_SHOWN, load_telling

NOT_ASKED_FOR: Final = "not selected; selected cases show it"
"""Why a requirement that was not selected has a standing."""
PRECEDENCE = (Standing.UNSUPPORTED, Standing.NOT_APPLICABLE)


def findings(outcome: Outcome) -> Iterator[Finding]:
    """Yield the standing of every requirement that binds a role of the IUT and is asked for, in catalogue order.

    A requirement that is not asked for has one if it is violated: it is why a case failed.
    """
    cases, verdicts = defaultdict[str, list[Case]](list), defaultdict[str, list[Verdict]](list)
    for case in outcome.cases:
        for requirement in case.requirements:
            cases[requirement].append(case)
        for witness in case.witnesses:
            verdicts[witness.requirement].append(load_telling().worth(witness))
    for bound in load_catalogue().values():
        if not outcome.description.roles.intersection(bound.roles):
            continue
        if outcome.plan.selection.wants((bound.id,)):
            yield _finding(bound, verdicts[bound.id], cases[bound.id], outcome.plan.profile)
        elif Verdict.FAIL in verdicts[bound.id]:
            yield Finding(bound, Standing.VIOLATED, NOT_ASKED_FOR, len(verdicts[bound.id]))


def _finding(requirement: Requirement, verdicts: list[Verdict], cases: list[Case], profile: Profile) -> Finding:
    if verdicts and requirement.is_judged:
        if set(verdicts) == {Verdict.NONE}:
            return Finding(requirement, Standing.UNSUPPORTED, NOT_SHOWN, len(verdicts))
        return Finding(requirement, standing(verdicts), "", len(verdicts))
    where, reason = _unjudged(requirement, cases, profile)
    return Finding(requirement, where, reason, 0)


def _unjudged(requirement: Requirement, cases: list[Case], profile: Profile) -> tuple[Standing, str]:
    if requirement.judged == "no":
        return Standing.UNOBSERVABLE, requirement.reason
    if requirement.level not in binding_levels(profile):
        return Standing.NOT_APPLICABLE, f"does not bind in profile {profile.value}"
    if requirement.judged == "unseen":
        return Standing.UNSUPPORTED, f"{UNSEEN}: {requirement.reason}"
    if any(case.error for case in cases):
        return Standing.ERROR, "the harness failed while judging"
    excuses = {case.excused: case.reason for case in cases if case.excused}
    for excuse in PRECEDENCE:
        if excuse.value in excuses and all(case.excused for case in cases):
            return excuse, excuses[excuse.value]
    return Standing.UNVERIFIED, "no assertion that names it was executed"
