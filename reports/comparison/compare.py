"""Two result files in, every change with its one cause out."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mqconform.harness.records.result_file import ResultFault, ResultFile, read_result_file
from mqconform.reports.comparison.cases import case_changes, status
from mqconform.reports.comparison.change import Cause, Change
from mqconform.reports.comparison.requirements import moved_requirements, requirement_changes
from mqconform.reports.comparison.setting import Setting
from mqconform.reports.comparison.surroundings import Surroundings, read_surroundings

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
        if not _same_run(now, run):
            raise ResultFault(
                f"{run.path}: is not a repetition of {now.path}: its header is another; repeat the same run"
            )
    answers = [{case.id: status(case) for case in run.cases} for run in again]
    for case in now.cases:
        others = [answer[case.id] for answer in answers if case.id in answer]
        if any(answer != status(case) for answer in others):
            yield case.id, f"answered {', '.join([status(case), *others])} in {len(others) + 1} equal runs"


def _same_run(now: ResultFile, other: ResultFile) -> bool:
    return now.header == other.header
