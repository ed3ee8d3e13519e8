"""A whole run: connect, play the selected scenarios, record what was established, and conclude how to exit."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Final

import pytest

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import AdapterOptions, IutDescription, IutFault, Unreachable
from mqconform.harness.iut.protocol import CheckedIut
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.finding import Finding
from mqconform.harness.records.profile import Profile, binding_levels
from mqconform.harness.records.requirement import Requirement
from mqconform.harness.records.run_file import ResultWriter, run_directory
from mqconform.harness.records.scope import UNSEEN
from mqconform.harness.records.verdict import Standing, Verdict, standing
from mqconform.harness.run.bundles.writing import Bundler
from mqconform.harness.run.decision import settle
from mqconform.harness.run.diagnosis import CaseFailures, diagnose, failures_of, with_standings
from mqconform.harness.run.header_and_footer import header, write_end
from mqconform.harness.run.plan import Outcome, Plan
from mqconform.harness.run.playing import play
from mqconform.harness.run.preflight import silence_text, why_nothing_was_judged, with_hidden_order
from mqconform.harness.run.resume import EarlierRun, begun, read_kept, restore
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.selection import Selection
from mqconform.harness.suite.telling import NOT_SHOWN, load_telling

__all__ = ["Outcome", "Plan", "execute"]

UNKNOWN_IUT = IutDescription(name="", version="")
"""One that did not introduce itself; reports name its target."""
PLAYED_TIMEOUT = 2.0
"""Seconds to wait for a known fault to answer over loopback: several are played, and some are silent by nature."""
Greet = Callable[[CheckedIut], tuple[str, ...]]
"""Is called before the first case, and returns what of the facts is doubtful."""
REGULAR = (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
NOT_ASKED_FOR: Final = "not selected; selected cases show it"
"""Why a requirement that was not selected has a standing."""
PRECEDENCE = (Standing.UNSUPPORTED, Standing.NOT_APPLICABLE)


def execute(
    plan: Plan,
    progress: Callable[[Case], None] = lambda _: None,
    greet: Greet = lambda _: (),
) -> Outcome:
    """Run the plan; results are on disk immediately.

    Args:
        plan: what the user asked for.
        progress: told of each case that is over.
        greet: see ``Greet``.

    Raises:
        ConfigurationError: the plan cannot work.
        OutputLost: results could not be written any more.
    """
    with run_directory(plan.out, clear=not plan.resume) as directory:
        earlier = read_kept(directory) if plan.resume else EarlierRun()

        def begin(description: IutDescription) -> ResultWriter:
            return begun(directory, earlier, header(plan, description), plan.source)

        try:
            iut = connect(plan.iut, replace(plan.options, evidence=plan.out))
        except (IutFault, Unreachable) as problem:
            if earlier.cases:
                raise
            reason = why_nothing_was_judged(problem)  # so that no requirement is violated either
            outcome = Outcome(plan, UNKNOWN_IUT, problem=reason, exit_code=ExitCode.INCONCLUSIVE)
            with begin(UNKNOWN_IUT) as writer:
                write_end(writer, outcome)
            return outcome
        with (
            Session(plan, iut, Bundler(plan).after if plan.bundles else None) as session,
            begin(iut.description) as session.writer,
        ):
            restore(session, earlier)
            doubtful = greet(iut)
            planned, code = play(session, plan, progress)
            outcome = Outcome(plan, iut.description, session.cases, planned=planned, doubtful_facts=doubtful)
            conclude(outcome)
            if any(
                case.id == session.patience.dead_since and case.verdict is Verdict.INCONCLUSIVE
                for case in session.cases
            ):
                outcome.problem = silence_text(plan.iut)
            if code not in REGULAR:
                outcome.problem, outcome.exit_code = f"the test runner ended with code {code}", ExitCode.ERROR
            write_end(session.writer, outcome)
            return outcome


def conclude(outcome: Outcome) -> None:
    """Complete an outcome from its cases: findings, what a red run behaves like, readings, and the exit code."""
    plan = outcome.plan
    if not plan.shard:  # a part of a run establishes nothing of a requirement
        judged = [case for case in outcome.cases if not case.crashed]
        plays = plan.diagnosis and monotonic() < plan.until
        outcome.diagnosis = diagnose(judged, partial(_failures, plan) if plays else None, plan.selection)
        established = with_hidden_order(findings(outcome), plan.options.facts)
        outcome.findings = with_standings(established, outcome.cases, outcome.diagnosis)
    settle(outcome)


def _failures(plan: Plan, fault: str, cases: Sequence[str]) -> dict[str, CaseFailures]:
    with TemporaryDirectory() as folder:
        options = AdapterOptions(deadline=inf, reply_timeout=min(plan.options.reply_timeout, PLAYED_TIMEOUT))
        selection, added = Selection(cases=tuple(cases)), plan.features
        played = Plan(f"mutant:{fault}", options, plan.profile, plan.seed, selection, Path(folder), added)
        outcome = execute(replace(played, thorough=plan.thorough))
    return {case.id: failures_of(case) for case in outcome.cases if not case.excused}


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
