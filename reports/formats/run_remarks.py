"""What a run came to beyond its cases, so that a build server shows it too."""

from collections.abc import Iterator
from typing import NamedTuple

from mqconform.harness.records.evidence_text import crash_text
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.result_file import ResultFile
from mqconform.harness.records.verdict import Standing
from mqconform.reports.formats.scope import remarks_on_declaration, scope_lines, scope_text

RUN = "run"
INFORMATION = frozenset({"not-judged", "declaration", "not-selected"})
"""Kinds of remarks that say what a verdict covers, and keep no gate shut themselves."""
TELLING = ("contradiction", "undeclared")
"""Kinds of remarks on a declaration after which less is judged than might be."""


class Remark(NamedTuple):
    """Something wrong with a run as a whole.

    Attributes:
        name: of the testcase.
        element: ``failure``, ``error`` or ``skipped``.
        kind: type of that element.
        text: further lines, may be empty.
    """

    name: str
    element: str
    kind: str
    message: str
    text: str = ""


def run_remarks(run: ResultFile) -> Iterator[Remark]:
    """Yield what keeps a run from being conformant although no case shows it, and what its verdict leaves out."""
    footer = run.footer
    if footer is None:
        text = "\n".join(run.remarks())
        yield Remark("end", "error", "not-ended", f"the run ended early, after {len(run.cases)} cases", text)
        return
    if text := crash_text(run.cases):
        yield Remark("crash", "failure", "crash", text)
    if footer.problem:
        yield _problem(footer.problem, footer.exit_code)
    unverified = [finding for finding in run.findings if finding.standing == "unverified"]
    if unverified and not footer.problem and not run.header.selection.expression:
        text = "\n".join(f"{finding.id}  {finding.summary}" for finding in unverified)
        message = f"no check ran for {len(unverified)} requirements"
        yield Remark("coverage", "error", "unverified", message, text)
    if footer.inconstant_readings:
        message = f"inconclusive: two readings followed of {len(footer.inconstant_readings)} ambiguities"
        yield Remark("readings", "skipped", "inconclusive", message, "\n".join(footer.inconstant_readings))
    if footer.lost:
        message = f"{len(footer.lost)} of the expected coverage lost"
        yield Remark("lost", "error", "lost", message, "\n".join(footer.lost))
    if footer.baseline and (problems := footer.baseline.problems):
        message = f"{len(problems)} entries of the baseline do not match the run"
        yield Remark("baseline", "error", "baseline", message, "\n".join(problems))
    yield from _beyond_selection(run)
    if left_out := scope_text(run):
        yield Remark("scope", "skipped", "not-judged", left_out, "\n".join(scope_lines(run)))
    remarks = [f"{remark.subject} {remark.text}" for remark in remarks_on_declaration(run) if remark.kind in TELLING]
    if remarks:
        message = f"{len(remarks)} declarations differ from the behaviour"
        yield Remark("declaration", "skipped", "declaration", message, "\n".join(remarks))


def _beyond_selection(run: ResultFile) -> Iterator[Remark]:
    """Yield what is violated that the run was not asked to judge, and whether it was asked to judge anything."""
    if not run.cases and run.footer and not run.footer.problem:
        yield Remark("selection", "error", "nothing-judged", "no case was selected, so nothing was judged")
    beyond = [
        finding
        for finding in run.findings
        if finding.standing == Standing.VIOLATED and not run.header.asks_for(finding.id)
    ]
    if beyond:
        text = "\n".join(f"{finding.id}  {finding.summary}" for finding in beyond)
        message = f"violated but not selected: {', '.join(finding.id for finding in beyond)}"
        yield Remark("selection", "skipped", "not-selected", message, text)


def _problem(problem: str, exit_code: int) -> Remark:
    """Return why the run could not be made: a fault of the IUT, an unreachable IUT, or a fault of the harness."""
    match exit_code:
        case ExitCode.FAIL:
            return Remark("connection", "failure", "fail", problem, problem)
        case ExitCode.INCONCLUSIVE:
            return Remark("connection", "skipped", "inconclusive", f"inconclusive: {problem}", problem)
        case _:
            return Remark("runner", "error", "error", problem, problem)
