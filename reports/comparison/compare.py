"""Two result files in, every change with its one cause out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mqconform.harness.records.result_file import ResultFault, ResultFile, read_result_file
from mqconform.harness.records.results import Finding, Header
from mqconform.reports.comparison.cases import case_changes, covers, paired, status
from mqconform.reports.comparison.change import Cause, Change, Question, cause_of, is_worse
from mqconform.reports.comparison.setting import Setting, Surroundings, read_surroundings

BAD = ("fail", "violated", "affected", "error")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs beside each other.

    Attributes:
        differences: what the runs differ in as wholes, in words.
        changes: requirements first, each in the order of its run.
        remarks: what a reader has to know about the files themselves.
    """

    setting: Setting
    differences: tuple[str, ...]
    changes: tuple[Change, ...]
    remarks: tuple[str, ...]

    def counts(self) -> Mapping[Cause, int]:
        """Return how many changes each cause has, causes without one left out."""
        counted = Counter(change.cause for change in self.changes)
        return {cause: counted[cause] for cause in Cause if counted[cause]}


def by_weight(comparison: Comparison, cause: Cause) -> list[Change]:
    """Return the changes of one cause: what got worse first, violations before the rest, requirements before cases."""
    changes = [change for change in comparison.changes if change.cause is cause]
    return sorted(changes, key=lambda change: (not change.worse, change.after not in BAD, change.kind == "case"))


def compare_files(then: Path, now: Path, again: Sequence[Path] = ()) -> Comparison:
    """Compare the result files of two runs, or of the directories that hold them.

    Args:
        then: the older run.
        now: the newer run.
        again: further runs of the newer one: what answers otherwise there is a flake.

    Raises:
        ResultFault: a file cannot be used, or is of a part of a run.
    """
    repeats = [_usable(path) for path in again]
    return compare(_usable(then), _usable(now), read_surroundings(then), read_surroundings(now), repeats)


def compare(
    then: ResultFile,
    now: ResultFile,
    surroundings_then: Surroundings | None = None,
    surroundings_now: Surroundings | None = None,
    again: Sequence[ResultFile] = (),
) -> Comparison:
    """Compare two runs."""
    setting = Setting(then.header, now.header, surroundings_then or {}, surroundings_now or {})
    moved = moved_requirements(then, now)
    cases = tuple(case_changes(then, now, setting, moved, dict(_flakes(now, again))))
    requirements = tuple(requirement_changes(then, now, setting, moved, cases))
    remarks = (*then.remarks(), *now.remarks())
    return Comparison(setting, tuple(setting.differences()), (*requirements, *cases), remarks)


def _usable(path: Path) -> ResultFile:
    run = read_result_file(path)
    if part := run.header.shard:
        raise ResultFault(f"{run.path}: is part {part} of a run; `mqconform merge` makes one result of all")
    if run.footer and run.footer.problem and not run.cases:
        raise ResultFault(f"{run.path}: the run judged nothing: {run.footer.problem}; run it again")
    return run


def _flakes(now: ResultFile, again: Sequence[ResultFile]) -> Iterator[tuple[str, str]]:
    """Yield each case that answered otherwise when the same run was made again."""
    for run in again:
        if now.header != run.header:
            raise ResultFault(
                f"{run.path}: is not a repetition of {now.path}: its header is another; repeat the same run"
            )
    answers = [{case.id: status(case) for case in run.cases} for run in again]
    for case in now.cases:
        others = [answer[case.id] for answer in answers if case.id in answer]
        if any(answer != status(case) for answer in others):
            yield case.id, f"answered {', '.join([status(case), *others])} in {len(others) + 1} equal runs"


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
