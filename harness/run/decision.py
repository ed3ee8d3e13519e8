"""The exit code of a run."""

from mqconform.harness.records.case import Case
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import binds
from mqconform.harness.records.scope import not_tried
from mqconform.harness.records.verdict import Standing, Verdict, worst
from mqconform.harness.run.gate.baseline import Baseline, write_baseline
from mqconform.harness.run.gate.expectations import Judged, expectations, tolerates, updated
from mqconform.harness.run.gate.losses import losses, unmatched_selectors
from mqconform.harness.run.plan import Outcome, Plan
from mqconform.harness.suite.ambiguity import ReadingLog
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.index import load_suite_index


def settle(outcome: Outcome) -> None:
    """Complete an outcome from its cases and findings: readings and exit code."""
    readings = ReadingLog()
    for case in outcome.cases:
        readings.add(case.followed)
    followed = readings.followed()
    outcome.readings = sorted({f"{entry}/{reading}" for (entry, _), cases in followed.items() for reading in cases})
    outcome.mixed = [*readings.mixed()]
    if outcome.plan.baseline:
        _hold_against(outcome.plan.baseline, outcome)
    outcome.lost = [*unmatched_selectors(outcome.plan.selection, outcome.cases)] if not outcome.plan.shard else []
    if outcome.plan.earlier:
        outcome.lost += losses(outcome.plan.earlier, outcome.cases)
    outcome.not_tried = not_tried(outcome.cases)
    outcome.selected_from = _selected_from(outcome)
    outcome.exit_code = exit_code(outcome)


def _selected_from(outcome: Outcome) -> int:
    """Return how many requirements of its roles a whole run judges; 0 for a run that is one."""
    asked = outcome.plan.selection
    if not (asked.requirements or asked.expression or asked.cases):
        return 0
    bound = [requirement for requirement in load_catalogue().values() if requirement.roles & outcome.description.roles]
    return sum(requirement.judged != "no" and binds(requirement.level, outcome.plan.profile) for requirement in bound)


def _hold_against(baseline: Baseline, outcome: Outcome) -> None:
    """Tell expected failures from others; where the baseline is to be updated, by what it is afterwards."""
    plan = outcome.plan
    asked = plan.selection
    partial = bool(asked.requirements or asked.expression or asked.cases or plan.shard or plan.stop_first)
    case_ids = (
        frozenset(case.id for scenario in load_suite_index().scenarios for case in scenario.cases)
        if partial
        else frozenset()
    )
    judged = Judged(outcome.cases, outcome.description.name, plan.today, partial, case_ids)
    outcome.expected = expectations(baseline, judged)
    if plan.update:
        newer = updated(baseline, outcome.expected, judged, grow=plan.update == "grow")
        write_baseline(newer)
        before = {entry.case for entry in baseline.entries}
        outcome.added = tuple(entry.case for entry in newer.entries if entry.case not in before)
        outcome.expected = expectations(newer, judged)


def stops_at(plan: Plan, name: str, case: Case) -> bool:
    """Tell whether a finished case ends a run of the implementation of that name."""
    return plan.stop_first and case.verdict >= Verdict.FAIL and not is_expected(plan, name, case)


def is_expected(plan: Plan, name: str, case: Case) -> bool:
    """Tell whether the baseline expects of the implementation of that name what a case came to."""
    entries = plan.baseline.entries if plan.baseline else ()
    return any(entry.is_about(name) and entry.case == case.id and tolerates(entry, case) for entry in entries)


def exit_code(outcome: Outcome) -> ExitCode:
    """Return the gate: the worst verdict that was not expected decides, then whether all was judged that should be."""
    tolerated = outcome.expected.tolerated
    verdict = worst(case.verdict for case in outcome.cases if case.id not in tolerated)
    if verdict is Verdict.ERROR:
        return ExitCode.ERROR
    if verdict is Verdict.FAIL:
        return ExitCode.FAIL
    if verdict is Verdict.INCONCLUSIVE or outcome.inconstant:
        return ExitCode.INCONCLUSIVE
    if _something_is_missing(outcome):
        return ExitCode.INCOMPLETE
    return ExitCode.BASELINE if outcome.expected.problems else ExitCode.OK


def _something_is_missing(outcome: Outcome) -> bool:
    judged = [case for case in outcome.cases if not case.excused]
    nothing = not outcome.planned if outcome.plan.shard else not judged
    silent = any(not case.witnesses for case in judged)
    unverified = any(finding.standing is Standing.UNVERIFIED for finding in outcome.findings)
    filtered = bool(outcome.plan.selection.expression or outcome.plan.selection.cases)
    return nothing or silent or bool(outcome.lost) or (unverified and not filtered)
