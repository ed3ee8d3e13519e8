"""Whether what is verified of an implementation that offers less is shown there: each requirement has its convict."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from mqconform.harness.compare.mutation.job import Job
from mqconform.harness.compare.mutation.kills import Kills
from mqconform.harness.compare.mutation.nursery import tried
from mqconform.harness.compare.mutation.trial import Trial
from mqconform.harness.compare.mutation.whole_farm import Progress, silent
from mqconform.harness.iut.configurations import CONFIGURATIONS, target_of
from mqconform.harness.iut.drivers.discovery_client.script import scripts_from
from mqconform.harness.iut.drivers.discovery_client.stimulus_schedule import total
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.index import situations
from mqconform.harness.suite.telling import scenario_of
from mqconform.reference.mqsd.client import SECOND

WAITING_AT_ONCE = 8
"""Implementations for each core where the clock is that of the world: they wait and compute little."""
TRIES = 3
"""How many mutants are tried for a requirement before it is said that none is convicted."""
MINUTE = 60.0
"""Seconds; with the real clock cases that wait as long are left out unless they are asked for."""


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


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A configuration in which the reference was not judged as it ought to be, so that nothing is known of it."""

    configuration: str
    text: str

    def __str__(self) -> str:
        """Return it as a complaint."""
        return f"{self.configuration}: the reference {self.text}"


def unshown(
    names: Sequence[str], processes: int = 0, progress: Progress = silent, longest: float = MINUTE
) -> tuple[Unshown | Unjudged, ...]:
    """Judge the reference in configurations, then mutants until each verified requirement has convicted one.

    Args:
        names: of configurations.
        processes: how many implementations are judged at once; 0 for what the machine has.
        progress: shows each trial.
        longest: seconds; cases that wait as long with the real clock are left out.
    """
    jobs = [_job(name, name, "", cases_of(name, longest)) for name in names]
    processes = processes or os.cpu_count() or 1
    references = {one.name: one for one in _tried(jobs, processes, progress)}
    return tuple(one for name in names for one in _complaints(name, references[name], processes, progress))


def _complaints(name: str, reference: Trial, processes: int, progress: Progress) -> Iterator[Unshown | Unjudged]:
    if reference.ended != "run" or reference.errors:
        yield Unjudged(name, f"ended by {reference.ended}: {'; '.join(reference.errors)[:500]}")
    elif reference.convictions:
        yield Unjudged(name, f"is convicted of {', '.join(reference.violated)}")
    else:
        yield from _unshown_in(name, reference, processes, progress)


def cases_of(name: str, longest: float = MINUTE) -> tuple[str, ...]:
    """Return the ids of the cases that a configuration is tried with, none where it is all of them."""
    if not CONFIGURATIONS[name].real_clock:
        return ()
    return tuple(case for case, seconds in _waits().items() if seconds < longest)


def left_out(name: str, longest: float = MINUTE) -> int:
    """Return how many cases are left out because they would take too long with the real clock."""
    return sum(seconds >= longest for seconds in _waits().values()) if CONFIGURATIONS[name].real_clock else 0


@cache
def _waits() -> dict[str, float]:
    """Return for how many seconds each case about discovery clients waits, by its id."""
    scripts = {case: scripts_from(steps) for case, steps in situations().items()}
    return {case: max(total(one.stimuli) for one in clients) / SECOND for case, clients in scripts.items() if clients}


def _job(name: str, configuration: str, mutant: str, cases: Sequence[str]) -> Job:
    how = CONFIGURATIONS[configuration]
    target = target_of(configuration, mutant)
    return Job(name, target, tuple(cases), over_udp=how.over_udp, real_clock=how.real_clock)


def _unshown_in(name: str, reference: Trial, processes: int, progress: Progress) -> Iterator[Unshown]:
    catalogue, roles = load_catalogue(), CONFIGURATIONS[name].roles
    processes *= WAITING_AT_ONCE if CONFIGURATIONS[name].real_clock else 1
    left = {one for one in reference.verified if roles.intersection(catalogue[one].roles)}
    suspects = {one: _suspects(one, reference) for one in left}
    for turn in range(TRIES):
        wanted: dict[str, set[str]] = {}
        for requirement in sorted(left):
            for mutant, cases in suspects[requirement][turn : turn + 1]:
                wanted.setdefault(mutant, set()).update(cases)
        jobs = [_job(mutant, name, mutant, sorted(cases)) for mutant, cases in wanted.items()]
        for trial in _tried(jobs, processes, progress):
            left.difference_update(trial.violated)
    for requirement in sorted(left):
        yield Unshown(name, requirement, tuple(mutant for mutant, _ in suspects[requirement][:TRIES]))


def _suspects(requirement: str, reference: Trial) -> list[tuple[str, set[str]]]:
    """Return mutants known to be convicted of a requirement with the cases that may, those of most scenarios first.

    Only cases that ran on the reference count.
    """
    ran: dict[str, set[str]] = {}
    for case, assertions in reference.assertions.items():
        if assertions:
            ran.setdefault(scenario_of(case), set()).add(case)
    found: dict[str, set[str]] = {}
    for (scenario, step), mutants in Kills.load().convicts.items():
        if scenario in ran and step.endswith(f"[{requirement}]"):
            for mutant in mutants:
                found.setdefault(mutant, set()).add(scenario)
    known = all_mutants()
    alive = [(mutant, scenarios) for mutant, scenarios in found.items() if mutant in known]
    alive.sort(key=lambda one: (-len(one[1]), one[0]))
    return [(mutant, set().union(*(ran[scenario] for scenario in scenarios))) for mutant, scenarios in alive]


def _tried(jobs: Sequence[Job], processes: int, progress: Progress) -> Iterator[Trial]:
    for done, trial in enumerate(tried(jobs, processes), start=1):
        progress(trial, done, len(jobs))
        yield trial
