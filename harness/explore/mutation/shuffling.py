"""The suite on shuffled references: whether any verdict leans on an order or a choice that the text leaves open."""

from collections.abc import Iterator
from dataclasses import dataclass

from mqconform.harness.explore.mutation.job import Job
from mqconform.harness.explore.mutation.jobs import REFERENCE
from mqconform.harness.explore.mutation.nursery import tried
from mqconform.harness.explore.mutation.trial import Trial
from mqconform.harness.explore.mutation.whole_farm import Progress, silent
from mqconform.harness.iut.connect import REFERENCE_TARGET
from mqconform.harness.iut.sampled import target_of


@dataclass(frozen=True, slots=True)
class Difference:
    """What changed with a seed."""

    seed: int
    text: str


@dataclass(frozen=True, slots=True)
class Shuffling:
    """What a row of seeds came to.

    Attributes:
        differences: verdicts that changed; there should be none.
        altered: in how many cases some seed made the implementation answer otherwise than the reference.
    """

    seeds: int
    cases: int
    altered: int
    differences: tuple[Difference, ...]


def shuffle(
    seeds: int, first: int = 0, processes: int = 0, cases: tuple[str, ...] = (), progress: Progress = silent
) -> Shuffling:
    """Judge the reference as it is and as each seed shuffles it.

    Args:
        seeds: how many.
        first: the lowest of them.
        processes: how many at once; 0 for what the machine has.
        cases: parts of ids of the cases to run; none means all.
        progress: shows each trial.
    """
    names = {f"seed {seed}": seed for seed in range(first, first + seeds)}
    jobs = [Job(REFERENCE, REFERENCE_TARGET, cases)]
    jobs += [Job(name, target_of("shuffled", seed), cases) for name, seed in names.items()]
    trials: dict[str, Trial] = {}
    for trial in tried(jobs, processes):
        trials[trial.name] = trial
        progress(trial, len(trials), len(jobs))
    plain = trials.pop(REFERENCE)
    changes = [Difference(names[name], text) for name, trial in trials.items() for text in differences(plain, trial)]
    altered = {
        case for trial in trials.values() for case, page in trial.behaviour.items() if page != plain.behaviour.get(case)
    }
    return Shuffling(
        seeds, len(plain.behaviour), len(altered), tuple(sorted(changes, key=lambda difference: difference.seed))
    )


def differences(plain: Trial, other: Trial) -> Iterator[str]:
    """Yield what the suite says of one and not of the other."""
    if other.ended != "run" or other.errors:
        yield f"{other.ended}: {'; '.join(other.errors)[:500]}"
    for conviction in other.convictions:
        yield f"{conviction.requirement} violated in {conviction.case}, `{conviction.check}`"
    for requirement in sorted({*plain.undecided} ^ {*other.undecided}):
        yield f"{requirement} undecided in one of the two"
    for requirement in sorted({*plain.verified} ^ {*other.verified}):
        yield f"{requirement} verified in one of the two"
    for case in sorted({*plain.assertions} | {*other.assertions}):
        if plain.assertions.get(case) != other.assertions.get(case):
            yield f"{case}: {other.assertions.get(case)} assertions, of the reference {plain.assertions.get(case)}"
    if plain.exit_code != other.exit_code:
        yield f"exit code {other.exit_code} instead of {plain.exit_code}"
