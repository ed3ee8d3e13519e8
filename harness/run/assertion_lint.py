"""What lint finds in feature files, and what only a run shows: that a case asserts what it names."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.roles import all_mutants, step_modules
from mqconform.harness.records.case import Case
from mqconform.harness.records.profile import Profile
from mqconform.harness.run.execution import execute
from mqconform.harness.run.plan import Plan
from mqconform.harness.suite.feature_text import Finding
from mqconform.harness.suite.lint.check import LIST, check_features, check_suite, published, read_features
from mqconform.harness.suite.lint.coverage import cases_of, read_list, unlisted
from mqconform.harness.suite.selection import Selection

Progress = Callable[[Case], None]


def lint(paths: tuple[Path, ...], note: Callable[[str], None], progress: Progress | None) -> list[Finding]:
    """Return what is found in some files and folders, or in the suite of the package where there are none.

    Args:
        paths: the files and folders.
        note: takes what is remarkable.
        progress: is told of each case that is over, if cases are to be run; None where they are not.
    """
    features, findings = read_features(paths or (published(),))
    findings += check_features(features, step_modules())
    if not paths:
        case_list = published() / LIST
        findings += check_suite(features, case_list, {mutant.name: mutant.breaks for mutant in all_mutants().values()})
        more = unlisted(read_list(case_list), cases_of(features))
        if more:
            note(f"{more} cases are not in {LIST} yet; `mqconform lint --record` writes them there")
    if progress and not findings:
        names = tuple(feature.name for feature in features)
        findings += check_assertions(tuple(path.resolve() for path in paths), names, progress)
    return findings


def check_assertions(added: tuple[Path, ...], names: tuple[str, ...], progress: Progress) -> Iterator[Finding]:
    """Run features against the reference and yield cases that do not assert what they name.

    Args:
        added: files or folders beside the suite of the package.
        names: names of the features to run, ``FOLDER/STEM``.
        progress: is told of each case that is over.
    """
    with tempfile.TemporaryDirectory() as folder:
        chosen = Selection(cases=names)
        plan = Plan("ref:", AdapterOptions(), Profile.DEFAULT, 0, chosen, Path(folder), features=added)
        yield from unasserted(execute(plan, progress).cases)


def unasserted(cases: list[Case]) -> Iterator[Finding]:
    """Yield cases that ran without an assertion on a requirement that they name."""
    for case in cases:
        missing = sorted(set(case.requirements) - {witness.requirement for witness in case.witnesses})
        if missing and not case.excused:
            why = f": {case.error}" if case.error else ""
            text = f"{case.id} makes no assertion on {', '.join(missing)}{why}; add a Then or remove the tag"
            yield Finding(f"{case.feature}.feature", 1, "no-assertion", text)
