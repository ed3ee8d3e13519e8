"""What a run comes to as an exit code."""

from mqconform.harness.ambiguity import ReadingLog
from mqconform.harness.gate.exit_codes import (
    EXIT_ERROR,
    EXIT_FAIL,
    EXIT_INCONCLUSIVE,
    EXIT_NOTHING,
    EXIT_OK,
)
from mqconform.harness.running.plan import Outcome
from mqconform.harness.verdict import Standing, Verdict, worst


def settle(outcome: Outcome, readings: ReadingLog) -> None:
    """Complete an outcome whose cases and findings are known: readings, and what it comes to."""
    followed = readings.followed()
    outcome.readings = sorted({f"{entry}/{reading}" for (entry, _), seen in followed.items() for reading in seen})
    outcome.mixed = [
        f"{one.ambiguity} ({one.situation or 'always'}): {', '.join(one.readings)}" for one in readings.mixed()
    ]
    outcome.exit_code = exit_code(outcome)


def exit_code(outcome: Outcome) -> int:
    """Return the gate: the worst verdict decides, then whether anything was judged at all."""
    judged = [case for case in outcome.cases if not case.excused]
    verdict = worst(case.verdict for case in outcome.cases)
    if verdict is Verdict.ERROR:
        return EXIT_ERROR
    if verdict is Verdict.FAIL:
        return EXIT_FAIL
    if verdict is Verdict.INCONCLUSIVE or outcome.mixed:
        return EXIT_INCONCLUSIVE
    nothing = not outcome.planned if outcome.plan.shard else not judged
    silent = any(not case.witnesses for case in judged)
    unverified = any(one.standing is Standing.UNVERIFIED for one in outcome.findings)
    filtered = bool(outcome.plan.selection.expression)
    return EXIT_NOTHING if nothing or silent or (unverified and not filtered) else EXIT_OK
