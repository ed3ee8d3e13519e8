"""Which assertions pass through which line of steps and oracle: where a defect there can show."""

import sys
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from mqconform.harness.compare.mutation import watched
from mqconform.harness.compare.mutation.job import run_suite
from mqconform.harness.compare.mutation.kills import Place
from mqconform.harness.compare.mutation.seeded.places import JUDGING, package
from mqconform.harness.iut.connect import REFERENCE_TARGET
from mqconform.harness.records.case import Case
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.run.plugin import RunPlugin
from mqconform.harness.suite.telling import scenario_of

Line = tuple[str, int]
Tracer = Callable[[FrameType, str, Any], Any]


@dataclass(frozen=True, slots=True)
class Reach:
    """Scenario and step by file and line."""

    places: Mapping[Line, frozenset[Place]]

    def of(self, file: str, lines: range) -> frozenset[Place]:
        """Return what passes through any of some lines of a file."""
        return frozenset().union(*(self.places.get((file, line), ()) for line in lines))


def measured(cases: tuple[str, ...] = ()) -> Reach:
    """Run the suite on the reference and return what it passes through.

    Args:
        cases: parts of ids of the cases to run; none means all.

    Raises:
        RuntimeError: the reference does not conform, so nothing could be concluded.
    """
    seen: set[tuple[str, int, str]] = set()
    passed: dict[Line, set[Place]] = defaultdict(set)

    def turn(case: Case) -> None:
        for file, line, step in seen:
            passed[file, line].add((scenario_of(case.id), step))
        seen.clear()

    watched.watch(REFERENCE_TARGET)
    before = sys.gettrace()
    sys.settrace(_tracer(seen))
    try:
        outcome = run_suite(cases, progress=turn)
    finally:
        sys.settrace(before)
    if outcome.exit_code != ExitCode.OK:
        errors = "; ".join(case.error for case in outcome.cases if case.error)
        raise RuntimeError(f"the reference ends with exit code {outcome.exit_code}: {outcome.problem}{errors}")
    return Reach({line: frozenset(found) for line, found in passed.items()})


def _tracer(seen: set[tuple[str, int, str]]) -> Tracer:
    """Return a trace function that notes file, line and step of whatever runs in the folders that judge."""
    root = package()
    within = {str(path): path.relative_to(root).as_posix() for one in JUDGING for path in (root / one).rglob("*.py")}
    step_begins: CodeType = RunPlugin.pytest_bdd_before_step.__code__
    step = ""

    def within_function(frame: FrameType, event: str, _: Any) -> Tracer:
        if event == "line":
            seen.add((within[frame.f_code.co_filename], frame.f_lineno, step))
        return within_function

    def function_begins(frame: FrameType, _: str, __: Any) -> Tracer | None:
        nonlocal step
        code = frame.f_code
        if code is step_begins:
            now = frame.f_locals["step"]
            step = f"{now.keyword} {now.name}"
        return within_function if code.co_filename in within and code.co_name != "<module>" else None

    return function_begins
