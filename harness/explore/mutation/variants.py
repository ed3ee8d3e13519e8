"""The suite on implementations that conform, drawn or shuffled by chance, and on those that offer less.

No verdict may lean on an order or a choice that the text leaves open, and none that conforms may be convicted or left
open. What is verified of an implementation that offers less is shown there: each requirement has its convict.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import count

from mqconform.harness.explore.mutation.kills import Kills
from mqconform.harness.explore.mutation.trial import REFERENCE, Job, Progress, Trial, silent, tried
from mqconform.harness.iut import sampled
from mqconform.harness.iut.configurations import CONFIGURATIONS, target_of
from mqconform.harness.iut.connect import REFERENCE_TARGET
from mqconform.harness.iut.drivers.discovery_client.script import scripts_from
from mqconform.harness.iut.drivers.discovery_client.stimulus_schedule import total
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.judge.mqso.queue_manager_steps import waits_in
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.index import load_suite_index, situations
from mqconform.harness.suite.telling import scenario_of
from mqconform.reference.mqsd.client import SECOND

WAITING_AT_ONCE = 8
"""Implementations for each core where the clock is that of the world: they wait and compute little."""
SEEDS_A_LINE = 10
TRIES = 5
"""How many mutants are tried for a requirement before it is said that none is convicted."""
MINUTE = 60.0
"""Seconds; with the real clock cases that wait as long are left out unless they are asked for."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """What the suite said of an implementation that conforms, and should not have said: nothing, if all is well."""

    seed: int
    wrong: tuple[str, ...] = ()


@dataclass(slots=True)
class Account:
    """How many seeds were judged, kept so that a round which is stopped has still said what it came to.

    Attributes:
        first: the lowest seed of the round; they end in any order.
        judged: the seeds that ended.
        wrong: how many of them got a verdict that is wrong.
    """

    first: int
    judged: set[int] = field(default_factory=set)
    wrong: int = 0

    def added(self, sampled: Sampled, seeds: int) -> Iterator[str]:
        """Take one of the seeds into account; yield what went wrong, and now and then, and at last, the account."""
        self.judged.add(sampled.seed)
        self.wrong += bool(sampled.wrong)
        yield from (f"seed {sampled.seed}: {text}" for text in sampled.wrong)
        if len(self.judged) % SEEDS_A_LINE == 0 or len(self.judged) == seeds:
            yield str(self)

    def __str__(self) -> str:
        """Return how many seeds were judged, and where another round goes on."""
        following = next(seed for seed in count(self.first) if seed not in self.judged)
        wrong = f"{self.wrong or 'none'} with a wrong verdict"
        return f"{len(self.judged)} seeds, {wrong}; next is {following}"


def sample(
    seeds: int, first: int = 0, processes: int = 0, cases: tuple[str, ...] = (), progress: Progress = silent
) -> Iterator[Sampled]:
    """Judge the reference as each seed draws it, and yield each as it ends, in any order.

    Args:
        seeds: how many.
        first: the lowest of them.
        processes: how many at once; 0 for what the machine has.
        cases: parts of ids of the cases to run; none means all.
        progress: shows each trial.
    """
    jobs = _seeded("sampled", range(first, first + seeds), cases)
    for trial in _tried([*jobs], processes, progress):
        yield Sampled(_seed(trial), tuple(false_verdicts(trial)))


def _seeded(kind: str, seeds: range, cases: tuple[str, ...]) -> Iterator[Job]:
    return (Job(f"seed {seed}", sampled.target_of(kind, seed), cases) for seed in seeds)


def _seed(trial: Trial) -> int:
    return int(trial.name.removeprefix("seed "))


def _went_wrong(trial: Trial) -> Iterator[str]:
    if trial.ended != "run" or trial.errors:
        yield f"{trial.ended}: {'; '.join(trial.errors)[:500]}"
    for conviction in trial.convictions:
        yield f"{conviction.requirement} violated in {conviction.case}, `{conviction.check}`"


def false_verdicts(trial: Trial) -> Iterator[str]:
    """Yield what is wrong with a trial of an implementation that follows readings which the profile passes."""
    yield from _went_wrong(trial)
    for requirement in trial.undecided:
        yield f"{requirement} undecided"
    if trial.exit_code != ExitCode.OK and not (trial.convictions or trial.undecided):
        yield f"exit code {trial.exit_code}"


@dataclass(frozen=True, slots=True)
class Shuffling:
    """What a row of seeds came to.

    Attributes:
        differences: verdicts that changed, each with the seed that changed it; there should be none.
        altered: in how many cases some seed made the implementation answer otherwise than the reference.
    """

    cases: int
    altered: int
    differences: tuple[tuple[int, str], ...]


def shuffle(seeds: int, first: int = 0, processes: int = 0, progress: Progress = silent) -> Shuffling:
    """Judge the reference as it is and as each seed shuffles it; see ``sample`` for the arguments."""
    jobs = [Job(REFERENCE, REFERENCE_TARGET), *_seeded("shuffled", range(first, first + seeds), ())]
    trials = {trial.name: trial for trial in _tried(jobs, processes, progress)}
    plain = trials.pop(REFERENCE)
    changes = [(_seed(trial), text) for trial in trials.values() for text in differences(plain, trial)]
    altered = {
        case for trial in trials.values() for case, page in trial.behaviour.items() if page != plain.behaviour.get(case)
    }
    changes.sort(key=lambda change: change[0])
    return Shuffling(len(plain.behaviour), len(altered), tuple(changes))


def differences(plain: Trial, other: Trial) -> Iterator[str]:
    """Yield what the suite says of one and not of the other."""
    yield from _went_wrong(other)
    for requirement in sorted({*plain.undecided} ^ {*other.undecided}):
        yield f"{requirement} undecided in one of the two"
    for requirement in sorted({*plain.verified} ^ {*other.verified}):
        yield f"{requirement} verified in one of the two"
    for case in sorted({*plain.assertions} | {*other.assertions}):
        if plain.assertions.get(case) != other.assertions.get(case):
            yield f"{case}: {other.assertions.get(case)} assertions, of the reference {plain.assertions.get(case)}"
    if plain.exit_code != other.exit_code:
        yield f"exit code {other.exit_code} instead of {plain.exit_code}"


@dataclass(frozen=True, slots=True)
class Unshown:
    """A requirement that is verified in a configuration in which no faulty implementation was convicted of it."""

    configuration: str
    requirement: str
    tried: tuple[str, ...]

    def __str__(self) -> str:
        """Return it as a complaint."""
        whom = f"none of {', '.join(self.tried)} fails it" if self.tried else "no mutant is known to fail it"
        return f"{self.configuration}: {self.requirement} is verified, and {whom}"


@dataclass(frozen=True, slots=True)
class Unjudged:
    """A configuration in which an implementation was not judged as it ought to be."""

    configuration: str
    text: str
    who: str = "the reference"

    def __str__(self) -> str:
        """Return it as a complaint."""
        return f"{self.configuration}: {self.who} {self.text}"


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
    references = {trial.name: trial for trial in _tried(jobs, processes, progress)}
    return tuple(complaint for name in names for complaint in _complaints(name, references[name], processes, progress))


def _complaints(name: str, reference: Trial, processes: int, progress: Progress) -> Iterator[Unshown | Unjudged]:
    if wrong := _wrong(reference, ()):
        yield Unjudged(name, wrong)
        return
    yield from _unshown_in(name, reference, processes, progress)
    besides = {mutant: all_mutants()[mutant] for mutant in CONFIGURATIONS[name].besides}
    waiting = [case for case, ran in reference.assertions.items() if ran and case.startswith("mqso/")]
    jobs = [_job(mutant, name, mutant, waiting) for mutant in besides]
    for trial in _tried(jobs, processes * WAITING_AT_ONCE, progress):
        if wrong := _wrong(trial, besides[trial.name].breaks):
            yield Unjudged(name, wrong, trial.name)


def _wrong(trial: Trial, breaks: Sequence[str]) -> str:
    """Return what is wrong with how an implementation was judged that breaks so much; empty where nothing is."""
    if trial.ended != "run" or trial.errors:
        return f"ended by {trial.ended}: {'; '.join(trial.errors)[:500]}"
    if breaks and not {*breaks}.intersection(trial.violated):
        return f"fails nothing that it breaks: {', '.join(breaks)}"
    return f"fails {', '.join(trial.violated)}" if trial.violated and not breaks else ""


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
    """Return for how many seconds each case about discovery clients or queue managers waits, by its id."""
    scripts = {case: scripts_from(steps) for case, steps in situations().items()}
    clients = {
        case: max(total(script.stimuli) for script in of_case) / SECOND for case, of_case in scripts.items() if of_case
    }
    timers = {
        case.id for scenario in load_suite_index().scenarios if "clock" in scenario.needs for case in scenario.cases
    }
    queues = {case: float(seconds) for case in sorted(timers) if (seconds := waits_in(situations()[case]))}
    return clients | queues


def _job(name: str, configuration: str, mutant: str, cases: Sequence[str]) -> Job:
    how = CONFIGURATIONS[configuration]
    target = target_of(configuration, mutant)
    return Job(name, target, tuple(cases), over_udp=how.over_udp, real_clock=how.real_clock)


def _unshown_in(name: str, reference: Trial, processes: int, progress: Progress) -> Iterator[Unshown]:
    catalogue, roles = load_catalogue(), CONFIGURATIONS[name].roles
    processes *= WAITING_AT_ONCE if CONFIGURATIONS[name].real_clock else 1
    left = {requirement for requirement in reference.verified if roles.intersection(catalogue[requirement].roles)}
    suspects = {requirement: _suspects(requirement, reference) for requirement in left}
    for turn in range(TRIES):
        cases_by_mutant: dict[str, set[str]] = {}
        for requirement in sorted(left):
            for mutant, cases in suspects[requirement][turn : turn + 1]:
                cases_by_mutant.setdefault(mutant, set()).update(cases)
        jobs = [_job(mutant, name, mutant, sorted(cases)) for mutant, cases in cases_by_mutant.items()]
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
    scenarios_by_mutant: dict[str, set[str]] = {}
    for (scenario, _, judged), mutants in Kills.load().convicts.items():
        if scenario in ran and judged == requirement:
            for mutant in mutants:
                scenarios_by_mutant.setdefault(mutant, set()).add(scenario)
    mutant_by_name = all_mutants()
    alive = [(mutant, scenarios) for mutant, scenarios in scenarios_by_mutant.items() if mutant in mutant_by_name]
    alive.sort(key=lambda suspect: (-len(suspect[1]), suspect[0]))
    return [(mutant, set().union(*(ran[scenario] for scenario in scenarios))) for mutant, scenarios in alive]


def _tried(jobs: Sequence[Job], processes: int, progress: Progress) -> Iterator[Trial]:
    for done, trial in enumerate(tried(jobs, processes), start=1):
        progress(trial, done, len(jobs))
        yield trial
