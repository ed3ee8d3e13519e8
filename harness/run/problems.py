"""What an exception out of a step means for the case: the IUT's fault, an excuse, or a defect of ours."""

import traceback

from mqconform.harness.iut.interface import (
    ForeignResponder,
    IutErrorAnswer,
    IutFault,
    NotApplicable,
    Silent,
    Unreachable,
    Unsupported,
)
from mqconform.harness.records.case import Case
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.harness.run.session import Session


def note_problem(run: Session, case: Case, problem: BaseException) -> None:
    """Record on the case what a step raised."""
    match problem:
        case Unsupported():
            case.excused, case.reason = "unsupported", str(problem) or "the implementation has no such operation"
        case NotApplicable():
            case.excused, case.reason = "not-applicable", str(problem)
        case Unreachable() | ForeignResponder():
            if isinstance(problem, Silent):
                run.wait_in_vain(case, run.options.reply_timeout)
            _inconclusive(run, case, str(problem))
        case IutFault():
            if problem.kind == "deadline":
                run.wait_in_vain(case)
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
    judgement = Judgement(Verdict.FAIL, "an answer by the IUT protocol", with_evidence)
    run.witness(case, case.requirements, judgement)


def _inconclusive(run: Session, case: Case, reason: str) -> None:
    case.reason = reason
    unanswered = Judgement(Verdict.INCONCLUSIVE, "an answer of the implementation under test", reason)
    run.witness(case, case.requirements, unanswered)
