"""What became of each requirement."""

from collections.abc import Iterable, Iterator, Mapping

from mqconform.harness.records.result_file import ResultFile
from mqconform.harness.records.results import Finding, Header
from mqconform.reports.comparison.cases import covers
from mqconform.reports.comparison.change import Cause, Change
from mqconform.reports.comparison.pairing import paired
from mqconform.reports.comparison.setting import Setting
from mqconform.reports.comparison.verdict_change import Question, cause_of, is_worse

OTHER_SUITE = (Cause.NEW, Cause.REMOVED, Cause.RENAMED)
"""Causes of cases that are one cause for a requirement: the suite asks otherwise."""
PRECEDENCE = (
    Cause.SPECIFICATION,
    Cause.SUITE,
    Cause.PROFILE,
    Cause.IUT,
    Cause.ENVIRONMENT,
    Cause.FLAKE,
    Cause.REGRESSION,
    Cause.FIX,
)
TEXT_MOVED = "its text or its level changed"


def moved_requirements(then: ResultFile, now: ResultFile) -> dict[str, str]:
    """Return how the text differs that requirements stand on, for those whose text does."""
    before = {finding.id: finding.source for finding in then.findings}
    return {
        finding.id: TEXT_MOVED
        for finding in now.findings
        if finding.source and before.get(finding.id) and before[finding.id] != finding.source
    }


def requirement_changes(
    then: ResultFile, now: ResultFile, setting: Setting, moved: Mapping[str, str], cases: Iterable[Change]
) -> Iterator[Change]:
    """Yield each requirement that differs; ``cases`` are the changes of the cases."""
    pairs = paired(_asked_for(then), _asked_for(now), _mark)
    judging = _deciding(then, now, cases)
    for name, before, after in pairs.both:
        yield from _changed(setting, before, after, moved.get(name, ""), judging.get(name, ()))
    if now.ended:
        for finding in pairs.removed:
            cause, detail = _absent(setting.now, finding, Cause.REMOVED)
            yield Change("requirement", finding.id, finding.standing, "", cause, detail, worse=True)
    if then.ended:
        for finding in pairs.new:
            cause, detail = _absent(setting.then, finding, Cause.NEW)
            yield Change("requirement", finding.id, "", finding.standing, cause, detail)


def _asked_for(run: ResultFile) -> dict[str, Finding]:
    """Return what a run was asked to judge; what it tells of besides is there only when it is violated."""
    return {finding.id: finding for finding in run.findings if run.header.asks_for(finding.id)}


def _mark(finding: Finding) -> str:
    specification = finding.id.partition("-")[0]
    return f"{specification} {finding.source}" if finding.source else ""


def _deciding(then: ResultFile, now: ResultFile, changes: Iterable[Change]) -> dict[str, tuple[Change, ...]]:
    """Return the changed cases that bear on each requirement."""
    bearing: dict[str, set[str]] = {}
    for run in (then, now):
        for case in run.cases:
            bearing.setdefault(case.id, set()).update(case.requirements)
        for witness in run.witnesses:
            bearing.setdefault(witness.case, set()).add(witness.requirement)
    changes_by_requirement: dict[str, tuple[Change, ...]] = {}
    for change in changes:
        for requirement in sorted(bearing.get(change.id, set())):
            changes_by_requirement[requirement] = (*changes_by_requirement.get(requirement, ()), change)
    return changes_by_requirement


def _changed(
    setting: Setting, before: Finding, after: Finding, moved: str, cases: tuple[Change, ...]
) -> Iterator[Change]:
    formerly = before.id if before.id != after.id else ""
    was, is_now = before.standing, after.standing
    if was == is_now and not formerly and not moved:
        return
    worse = is_worse(was, is_now)
    if was == is_now:
        cause, detail = (Cause.SPECIFICATION, moved) if moved else (Cause.RENAMED, "it has the same source text")
        worse = False
    elif moved or not cases:
        cause, detail = cause_of(setting, Question(moved, setting.judging(_family(after))), was, is_now)
    else:
        cause, detail = _of_cases(cases, worse=worse)
    yield Change("requirement", after.id, was, is_now, cause, detail, formerly, worse)


def _family(finding: Finding) -> str:
    """Return the folder of features that a requirement is judged by."""
    return f"{finding.id.partition('-')[0].lower()}/"


def _of_cases(cases: tuple[Change, ...], *, worse: bool) -> tuple[Cause, str]:
    """Return the cause that the cases of a requirement have: an answer of the implementation before all else."""
    causes = {Cause.SUITE if case.cause in OTHER_SUITE else case.cause: case for case in reversed(cases)}
    answered = Cause.REGRESSION if worse else Cause.FIX
    cause = answered if answered in causes else next(cause for cause in PRECEDENCE if cause in causes)
    deciding = causes[cause]
    return cause, f"{deciding.id}: {deciding.before or 'absent'} -> {deciding.after or 'absent'}, {deciding.detail}"


def _absent(header: Header, finding: Finding, cause: Cause) -> tuple[Cause, str]:
    """Return why a run says nothing of a requirement."""
    if not set(header.iut.roles).intersection(finding.roles):
        return Cause.IUT, f"the implementation of one run has no role {' or '.join(finding.roles)}"
    if not covers(header.selection.requirements, finding.id):
        return cause, "it was not asked for"
    return cause, "the catalogue of one run does not have it"
