"""What a run comes to as an exit code."""

from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.verdict import Standing, Verdict, worst
from mqconform.harness.run.gate.baseline import Baseline, write_baseline
from mqconform.harness.run.gate.expectations import Judged, expectations
from mqconform.harness.run.gate.losses import losses, unmatched_selectors
from mqconform.harness.run.gate.update import updated
from mqconform.harness.run.plan import Outcome
from mqconform.harness.suite.ambiguity import ReadingLog
from mqconform.harness.suite.index import load_suite_index


def settle(outcome: Outcome, readings: ReadingLog) -> None:
    """Complete an outcome whose cases and findings are known: readings, and what it comes to."""
    followed = readings.followed()
    outcome.readings = sorted({f"{entry}/{reading}" for (entry, _), seen in followed.items() for reading in seen})
    outcome.mixed = [
        f"{one.ambiguity} ({one.situation or 'always'}): {', '.join(one.readings)}" for one in readings.mixed()
    ]
    if outcome.plan.baseline:
        _hold_against(outcome.plan.baseline, outcome)
    outcome.lost = [*unmatched_selectors(outcome.plan.selection, outcome.cases)] if not outcome.plan.shard else []
    if outcome.plan.earlier:
        outcome.lost += losses(outcome.plan.earlier, outcome.cases)
    outcome.exit_code = exit_code(outcome)


def _hold_against(baseline: Baseline, outcome: Outcome) -> None:
    """Tell expected failures from others; where the baseline is to be updated, by what it is afterwards."""
    plan = outcome.plan
    asked = plan.selection
    partial = bool(asked.requirements or asked.expression or asked.cases or plan.shard)
    known = frozenset(case.id for one in load_suite_index().scenarios for case in one.cases) if partial else frozenset()
    judged = Judged(outcome.cases, outcome.description.name, plan.today, partial, known)
    outcome.expected = expectations(baseline, judged)
    if plan.update:
        newer = updated(baseline, outcome.expected, judged, grow=plan.update == "grow")
        write_baseline(newer)
        outcome.expected = expectations(newer, judged)


def exit_code(outcome: Outcome) -> ExitCode:
    """Return the gate: the worst verdict that was not expected decides, then whether all was judged that should be."""
    tolerated = outcome.expected.tolerated
    verdict = worst(case.verdict for case in outcome.cases if case.id not in tolerated)
    if verdict is Verdict.ERROR:
        return ExitCode.ERROR
    if verdict is Verdict.FAIL:
        return ExitCode.FAIL
    if verdict is Verdict.INCONCLUSIVE or outcome.mixed:
        return ExitCode.INCONCLUSIVE
    if _something_is_missing(outcome):
        return ExitCode.INCOMPLETE
    return ExitCode.BASELINE if outcome.expected.problems else ExitCode.OK


def _something_is_missing(outcome: Outcome) -> bool:
    judged = [case for case in outcome.cases if not case.excused]
    nothing = not outcome.planned if outcome.plan.shard else not judged
    silent = any(not case.witnesses for case in judged)
    unverified = any(one.standing is Standing.UNVERIFIED for one in outcome.findings)
    filtered = bool(outcome.plan.selection.expression)
    return nothing or silent or bool(outcome.lost) or (unverified and not filtered)
