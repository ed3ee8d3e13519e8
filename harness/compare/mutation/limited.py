"""Whether what is verified of an implementation that offers less is shown there: each requirement has its convict."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mqconform.harness.compare.mutation.job import Job
from mqconform.harness.compare.mutation.kills import Kills
from mqconform.harness.compare.mutation.nursery import tried
from mqconform.harness.compare.mutation.trial import Trial
from mqconform.harness.compare.mutation.whole_farm import Progress, silent
from mqconform.harness.iut.configurations import CONFIGURATIONS, target_of
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.telling import scenario_of

TRIES = 3
"""How many mutants are tried for a requirement before it is said that none is convicted."""


@dataclass(frozen=True, slots=True)
class Unshown:
    """A requirement that is verified in a configuration in which no faulty implementation was convicted of it."""

    configuration: str
    requirement: str
    tried: tuple[str, ...]

    def __str__(self) -> str:
        """Return it as a complaint."""
        whom = f"convicted is none of {', '.join(self.tried)}" if self.tried else "no mutant is known to be convicted"
        return f"{self.configuration}: {self.requirement} is verified, and {whom}"


def unshown(names: Sequence[str], processes: int = 0, progress: Progress = silent) -> tuple[Unshown, ...]:
    """Judge the reference in configurations, then mutants until each verified requirement has convicted one.

    Args:
        names: of configurations.
        processes: how many implementations are judged at once; 0 for what the machine has.
        progress: shows each trial.
    """
    references = {one.name: one for one in _tried([Job(name, target_of(name)) for name in names], processes, progress)}
    return tuple(one for name in names for one in _unshown_in(name, references[name], processes, progress))


def _unshown_in(name: str, reference: Trial, processes: int, progress: Progress) -> Iterator[Unshown]:
    catalogue, roles = load_catalogue(), CONFIGURATIONS[name].roles
    left = {one for one in reference.verified if roles.intersection(catalogue[one].roles)}
    suspects = {one: _suspects(one, reference) for one in left}
    for turn in range(TRIES):
        wanted: dict[str, set[str]] = {}
        for requirement in sorted(left):
            for mutant, scenarios in suspects[requirement][turn : turn + 1]:
                wanted.setdefault(mutant, set()).update(scenarios)
        jobs = [Job(mutant, target_of(name, mutant), tuple(sorted(scenarios))) for mutant, scenarios in wanted.items()]
        for trial in _tried(jobs, processes, progress):
            left -= {*trial.violated}
    for requirement in sorted(left):
        yield Unshown(name, requirement, tuple(mutant for mutant, _ in suspects[requirement][:TRIES]))


def _suspects(requirement: str, reference: Trial) -> list[tuple[str, set[str]]]:
    """Return mutants known to be convicted of a requirement with the scenarios that do, those by most scenarios first.

    Only scenarios that ran on the reference count.
    """
    ran = {scenario_of(case) for case, assertions in reference.assertions.items() if assertions}
    found: dict[str, set[str]] = {}
    for (scenario, step), mutants in Kills.load().convicts.items():
        if scenario in ran and step.endswith(f"[{requirement}]"):
            for mutant in mutants:
                found.setdefault(mutant, set()).add(scenario)
    known = all_mutants()
    alive = [(mutant, scenarios) for mutant, scenarios in found.items() if mutant in known]
    return sorted(alive, key=lambda one: (-len(one[1]), one[0]))


def _tried(jobs: Sequence[Job], processes: int, progress: Progress) -> Iterator[Trial]:
    for done, trial in enumerate(tried(jobs, processes), start=1):
        progress(trial, done, len(jobs))
        yield trial
