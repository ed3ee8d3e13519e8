"""What only a run shows: that a case makes an assertion on each requirement that it names."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from mqconform.harness.iut import AdapterOptions
from mqconform.harness.lint.finding import Finding
from mqconform.harness.profile import Profile
from mqconform.harness.running.plan import Plan
from mqconform.harness.running.run import execute
from mqconform.harness.running.selection import Selection
from mqconform.harness.running.session import Case


def check_assertions(added: tuple[Path, ...], progress: Callable[[Case], None]) -> Iterator[Finding]:
    """Run the suite against the reference and yield cases that do not assert what they name."""
    with tempfile.TemporaryDirectory() as folder:
        plan = Plan("ref:", AdapterOptions(), Profile.DEFAULT, 0, Selection(), Path(folder), features=added)
        yield from unasserted(execute(plan, progress).cases)


def unasserted(cases: list[Case]) -> Iterator[Finding]:
    """Yield cases that ran without an assertion on a requirement that they name."""
    for case in cases:
        missing = sorted(set(case.requirements) - {one.requirement for one in case.witnesses})
        if missing and not case.excused:
            why = f": {case.error}" if case.error else ""
            told = f"{case.id} makes no assertion on {', '.join(missing)}{why}; add a Then or take the tag away"
            yield Finding(f"{case.feature}.feature", 1, "no-assertion", told)
