"""Which scenarios pass through which line of the concrete implementation: what is worth running on a change there."""

from collections import defaultdict
from dataclasses import dataclass

from mqconform.harness.compare.mutation import watched
from mqconform.harness.compare.mutation.job import run_suite
from mqconform.harness.compare.mutation.machine.loading import TARGET, MutatedReference
from mqconform.harness.records.case import Case
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.suite.telling import scenario_of

Line = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Reach:
    """Scenarios by module and line; lines outside functions run at import and are in none."""

    scenarios: dict[Line, frozenset[str]]
    modules: frozenset[str]


def measured(seed: int) -> Reach:
    """Run the suite on an unchanged copy and return what it passes through.

    Raises:
        RuntimeError: the copy does not conform, so nothing could be concluded from changed ones.
    """
    lines: set[Line] = set()
    passed: dict[Line, set[str]] = defaultdict(set)
    modules: set[str] = set()

    def watch(module: str, line: int) -> None:
        lines.add((module, line))

    def turn(case: Case) -> None:
        notebook.turn(case.id)
        for line in lines:
            passed[line].add(scenario_of(case.id))
            modules.add(line[0])
        lines.clear()

    MutatedReference(watch=watch).install()
    notebook = watched.watch(TARGET)
    outcome = run_suite(seed=seed, progress=turn)
    if outcome.exit_code != ExitCode.OK:
        raise RuntimeError(f"an unchanged copy of the reference ends with exit code {outcome.exit_code}")
    return Reach({line: frozenset(names) for line, names in passed.items()}, frozenset(modules))
