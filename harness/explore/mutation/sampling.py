"""The suite on references drawn by chance from what conforms: whether it convicts any of them, or leaves one open."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count

from mqconform.harness.explore.mutation.job import Job
from mqconform.harness.explore.mutation.nursery import tried
from mqconform.harness.explore.mutation.trial import Trial
from mqconform.harness.explore.mutation.whole_farm import Progress, silent
from mqconform.harness.iut.sampled import target_of
from mqconform.harness.records.exit_codes import ExitCode


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

    def add(self, sampled: Sampled) -> None:
        """Take a seed into account."""
        self.judged.add(sampled.seed)
        self.wrong += bool(sampled.wrong)

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
    jobs = {f"seed {seed}": seed for seed in range(first, first + seeds)}
    trials = tried((Job(name, target_of("sampled", seed), cases) for name, seed in jobs.items()), processes)
    for done, trial in enumerate(trials, start=1):
        progress(trial, done, seeds)
        yield Sampled(jobs[trial.name], tuple(false_verdicts(trial)))


def false_verdicts(trial: Trial) -> Iterator[str]:
    """Yield what is wrong with a trial of an implementation that follows readings which the profile passes."""
    if trial.ended != "run" or trial.errors:
        yield f"{trial.ended}: {'; '.join(trial.errors)[:500]}"
    for conviction in trial.convictions:
        yield f"{conviction.requirement} violated in {conviction.case}, `{conviction.check}`"
    for requirement in trial.undecided:
        yield f"{requirement} undecided"
    if trial.exit_code != ExitCode.OK and not (trial.convictions or trial.undecided):
        yield f"exit code {trial.exit_code}"
