"""The suite on implementations that conform, drawn or shuffled by chance, and on those that offer less.

No verdict may depend on an order or a choice that the text leaves open, and none that conforms may fail or be left
open. What is verified of an implementation that offers less is proven there: a mutant fails each requirement.
"""

import os
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from typing import NamedTuple

from mqconform.harness.explore.mutation.kills import Kills
from mqconform.harness.explore.mutation.trial import REFERENCE, Job, Progress, Trial, altered, silent, tried
from mqconform.harness.iut import sampled as seeded
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
"""How many mutants are tried for a requirement before it is said that none fails it."""
MINUTE = 60.0
"""Seconds; with the real clock cases that wait as long are left out unless they are asked for."""


class Line(NamedTuple):
    """A line of the report of a round."""

    text: str
    wrong: bool = True
    """Whether it is of something to correct."""


def sampled(
    seeds: int, first: int = 0, processes: int = 0, cases: tuple[str, ...] = (), progress: Progress = silent
) -> Iterator[Line]:
    """Judge the reference as each seed draws it; report wrong verdicts, and now and then how far the round came.

    Args:
        seeds: how many.
        first: the lowest of them.
        processes: how many at once; 0 for what the machine has.
        cases: parts of ids of the cases to run; none means all.
        progress: shows each trial.
    """
    judged, wrong = set[int](), 0
    for trial in tried(_seeded("sampled", range(first, first + seeds), cases), processes, progress):
        texts = [*false_verdicts(trial)]
        judged.add(_seed(trial))
        wrong += bool(texts)
        yield from (Line(f"{trial.name}: {text}") for text in texts)
        if len(judged) % SEEDS_A_LINE == 0 or len(judged) == seeds:
            following = next(seed for seed in count(first) if seed not in judged)  # seeds end in any order
            yield Line(f"{len(judged)} seeds, {wrong or 'none'} with a wrong verdict; next is {following}", wrong=False)


def shuffled(seeds: int, first: int = 0, processes: int = 0, progress: Progress = silent) -> Iterator[Line]:
    """Judge the reference as it is and as each seed shuffles it; report what changes. See ``sampled``."""
    jobs = [Job(REFERENCE, REFERENCE_TARGET), *_seeded("shuffled", range(first, first + seeds), ())]
    trials = {trial.name: trial for trial in tried(jobs, processes, progress)}
    plain = trials.pop(REFERENCE)
    changes = [
        f"{trial.name}: {text}" for trial in sorted(trials.values(), key=_seed) for text in differences(plain, trial)
    ]
    yield from map(Line, changes)
    answers = {case for trial in trials.values() for case in altered(trial, plain)}
    verdicts = f"{len(changes)} verdicts" if changes else "no verdict"
    text = f"{seeds} seeds changed answers in {len(answers)} of {len(plain.behaviour)} cases, and {verdicts}"
    yield Line(text, wrong=False)


def _seeded(kind: str, seeds: range, cases: tuple[str, ...]) -> list[Job]:
    return [Job(f"seed {seed}", seeded.target_of(kind, seed), cases) for seed in seeds]


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


def configured(
    names: Sequence[str], processes: int = 0, progress: Progress = silent, longest: float = MINUTE
) -> Iterator[Line]:
    """Judge the reference in configurations, then mutants until each verified requirement has failed one.

    Args:
        names: of configurations.
        processes: how many implementations are judged at once; 0 for what the machine has.
        progress: shows each trial.
        longest: seconds; cases that wait as long with the real clock are left out.
    """
    for name in names:
        if CONFIGURATIONS[name].real_clock and (skipped := sum(seconds >= longest for seconds in _waits().values())):
            text = f"{name}: {skipped} cases that wait for {longest:g} s and more are left out (--longest)"
            yield Line(text, wrong=False)
    jobs = [_job(name, name, "", cases_of(name, longest)) for name in names]
    processes = processes or os.cpu_count() or 1
    references = {trial.name: trial for trial in tried(jobs, processes, progress)}
    unproven = 0
    for name in names:
        for text in _unproven(name, references[name], processes, progress):
            unproven += 1
            yield Line(f"{name}: {text}")
    text = f"{len(names)} configurations, {unproven or 'no'} requirements verified that nothing showed"
    yield Line(text, wrong=False)


def _unproven(name: str, reference: Trial, processes: int, progress: Progress) -> Iterator[str]:
    """Yield what is wrong with how a configuration is judged."""
    if wrong := _misjudged(reference, ()):
        yield f"the reference {wrong}"
        return
    yield from _without_failure(name, reference, processes, progress)
    besides = {mutant: all_mutants()[mutant] for mutant in CONFIGURATIONS[name].besides}
    waiting = [case for case, ran in reference.assertions.items() if ran and case.startswith("mqso/")]
    jobs = [_job(mutant, name, mutant, waiting) for mutant in besides]
    for trial in tried(jobs, processes * WAITING_AT_ONCE, progress):
        if wrong := _misjudged(trial, besides[trial.name].breaks):
            yield f"{trial.name} {wrong}"


def _misjudged(trial: Trial, breaks: Sequence[str]) -> str:
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


def _without_failure(name: str, reference: Trial, processes: int, progress: Progress) -> Iterator[str]:
    """Yield the verified requirements that none of some mutants known to fail them fails in a configuration."""
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
        for trial in tried(jobs, processes, progress):
            left.difference_update(trial.violated)
    for requirement in sorted(left):
        mutants = ", ".join(mutant for mutant, _ in suspects[requirement][:TRIES])
        whom = f"none of {mutants} fails it" if mutants else "no mutant is known to fail it"
        yield f"{requirement} is verified, and {whom}"


def _suspects(requirement: str, reference: Trial) -> list[tuple[str, set[str]]]:
    """Return mutants known to fail a requirement with the cases that may show it, those of most scenarios first.

    Only cases that ran on the reference count.
    """
    ran: dict[str, set[str]] = {}
    for case in (case for case, assertions in reference.assertions.items() if assertions):
        ran.setdefault(scenario_of(case), set()).add(case)
    scenarios_by_mutant: dict[str, set[str]] = {}
    for (scenario, _, judged), mutants in Kills.load().convicts.items():
        if scenario in ran and judged == requirement:
            for mutant in mutants:
                scenarios_by_mutant.setdefault(mutant, set()).add(scenario)
    alive = [(mutant, scenarios) for mutant, scenarios in scenarios_by_mutant.items() if mutant in all_mutants()]
    alive.sort(key=lambda suspect: (-len(suspect[1]), suspect[0]))
    return [(mutant, set().union(*(ran[scenario] for scenario in scenarios))) for mutant, scenarios in alive]
