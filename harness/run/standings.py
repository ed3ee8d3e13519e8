"""What a run established about each requirement that it should have judged."""

from collections.abc import Iterator, Mapping
from typing import Final, Protocol

from mqconform.harness.records.case import Case
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.profile import Profile, binding_levels
from mqconform.harness.records.requirement import Requirement
from mqconform.harness.records.scope import UNSEEN
from mqconform.harness.records.verdict import Standing, Verdict, standing
from mqconform.harness.suite.catalogue import Catalogue
from mqconform.harness.suite.selection import Selection
from mqconform.harness.suite.telling import NOT_SHOWN

NOT_ASKED_FOR: Final = "not selected; selected cases show it"
"""Why a requirement that was not selected has a standing."""
PRECEDENCE = (Standing.UNSUPPORTED, Standing.NOT_APPLICABLE)


class Established(Protocol):
    """What cases established, in this process or in others."""

    @property
    def cases(self) -> list[Case]:
        """All that are over."""

    @property
    def by_requirement(self) -> Mapping[str, list[Verdict]]:
        """What their witnesses are worth; see ``Telling.worth``."""

    @property
    def roles(self) -> frozenset[str]:
        """The roles of the implementation."""

    @property
    def profile(self) -> Profile:
        """How strictly it is judged."""

    @property
    def catalogue(self) -> Catalogue:
        """The requirements."""


def findings(run: Established, selection: Selection) -> Iterator[Finding]:
    """Yield the standing of every requirement that binds a role of the IUT and is asked for, in catalogue order.

    A requirement that is not asked for has one if it is violated: it is why a case failed.
    """
    cases = _cases_by_requirement(run.cases)
    roles = run.roles
    for requirement in run.catalogue.values():
        if not roles.intersection(requirement.roles):
            continue
        if selection.wants((requirement.id,)):
            yield _finding(run, requirement, cases.get(requirement.id, []))
        elif Verdict.FAIL in (verdicts := run.by_requirement.get(requirement.id, [])):
            yield Finding(requirement, Standing.VIOLATED, NOT_ASKED_FOR, len(verdicts))


def _finding(run: Established, requirement: Requirement, cases: list[Case]) -> Finding:
    verdicts = run.by_requirement.get(requirement.id, [])
    if verdicts and requirement.is_judged:
        if set(verdicts) == {Verdict.NONE}:
            return Finding(requirement, Standing.UNSUPPORTED, NOT_SHOWN, len(verdicts))
        return Finding(requirement, standing(verdicts), "", len(verdicts))
    where, reason = _unjudged(run, requirement, cases)
    return Finding(requirement, where, reason, 0)


def _unjudged(run: Established, requirement: Requirement, cases: list[Case]) -> tuple[Standing, str]:
    if requirement.judged == "no":
        return Standing.UNOBSERVABLE, requirement.reason
    if requirement.level not in binding_levels(run.profile):
        return Standing.NOT_APPLICABLE, f"does not bind in profile {run.profile.value}"
    if requirement.judged == "unseen":
        return Standing.UNSUPPORTED, f"{UNSEEN}: {requirement.reason}"
    if any(case.error for case in cases):
        return Standing.ERROR, "the harness failed while judging"
    excuses = {case.excused: case.reason for case in cases if case.excused}
    for excuse in PRECEDENCE:
        if excuse.value in excuses and all(case.excused for case in cases):
            return excuse, excuses[excuse.value]
    return Standing.UNVERIFIED, "no assertion that names it was executed"


def _cases_by_requirement(cases: list[Case]) -> dict[str, list[Case]]:
    by_requirement: dict[str, list[Case]] = {}
    for case in cases:
        for requirement in case.requirements:
            by_requirement.setdefault(requirement, []).append(case)
    return by_requirement
