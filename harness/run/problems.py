"""What an exception out of a step means for the case: the IUT's fault, an excuse, or a defect of ours."""

import traceback
from collections.abc import Iterable

from mqconform.harness.iut.drivers.discovery_server.port import ServerLost
from mqconform.harness.iut.interface import (
    ForeignResponder,
    IutErrorAnswer,
    IutFault,
    NotApplicable,
    Unreachable,
    Unsupported,
)
from mqconform.harness.records.case import Case
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement, Witness
from mqconform.harness.run.session import Session, silent_since


def note_problem(run: Session, case: Case, problem: BaseException) -> None:
    """Record on the case what a step raised."""
    match problem:
        case Unsupported():
            case.excused, case.reason = "unsupported", str(problem) or "the implementation has no such operation"
        case NotApplicable():
            case.excused, case.reason = "not-applicable", str(problem)
        case Unreachable() | ForeignResponder():
            run.unreachable = isinstance(problem, Unreachable) and not isinstance(problem, ServerLost)
            _inconclusive(run, case, str(problem))
        case IutFault():
            _fault(run, case, f"{problem.kind}: {problem}")
            if not (run.recordings and case.id in run.recordings.scripts):  # whose clients are over anyway
                run.lose_iut(case)
        case IutErrorAnswer():
            _fault(run, case, f"unexpected answer, {problem}")
        case _:
            case.error = "".join(traceback.format_exception_only(problem)).strip()
            case.trace = "".join(traceback.format_exception(problem)[-6:])


def _fault(run: Session, case: Case, observed: str) -> None:
    case.reason = observed
    evidence = run.iut.evidence()
    with_evidence = observed + "".join(f"\n{line}" for line in evidence[-3:])
    judgement = Judgement(
        Verdict.FAIL, "the implementation keeps the contract of its carrier and answers", with_evidence
    )
    run.witness(case, case.requirements, judgement)


def _inconclusive(run: Session, case: Case, reason: str) -> None:
    case.reason = reason
    run.witness(case, case.requirements, _unanswered(reason))


def _unanswered(reason: str) -> Judgement:
    return Judgement(Verdict.INCONCLUSIVE, "an answer of the implementation under test", reason)


def unasked(case: Case, dead_since: str, requirements: Iterable[str]) -> None:
    """Record on a case that the implementation was given up before it, after the case ``dead_since``.

    Args:
        case: to write to.
        dead_since: id of the case after which it answered nothing.
        requirements: those of the case that are judged in the run's profile.
    """
    case.reason = silent_since(dead_since)
    judgement = _unanswered(case.reason)
    case.witnesses += [
        Witness(case.id, requirement, case.step, judgement, check=case.check) for requirement in requirements
    ]
