"""What only a run shows: that a case makes an assertion on each requirement that it names."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.records.case import Case
from mqconform.harness.records.profile import Profile
from mqconform.harness.run.execution import execute
from mqconform.harness.run.plan import Plan
from mqconform.harness.suite.feature_text import Finding
from mqconform.harness.suite.selection import Selection


def check_assertions(
    added: tuple[Path, ...], names: tuple[str, ...], progress: Callable[[Case], None]
) -> Iterator[Finding]:
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
