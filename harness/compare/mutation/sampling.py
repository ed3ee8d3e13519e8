"""The suite on references drawn by chance from what conforms: whether it convicts any of them, or leaves one open."""

from collections.abc import Iterator
from dataclasses import dataclass

from mqconform.harness.compare.mutation.job import Job
from mqconform.harness.compare.mutation.nursery import tried
from mqconform.harness.compare.mutation.trial import Trial
from mqconform.harness.compare.mutation.whole_farm import Progress, silent
from mqconform.harness.iut.seeded_references import target_of
from mqconform.harness.records.exit_codes import ExitCode


@dataclass(frozen=True, slots=True)
class FalseVerdict:
    """What the suite said of an implementation that conforms, and should not have said."""

    seed: int
    text: str


def sample(
    seeds: int, first: int = 0, processes: int = 0, cases: tuple[str, ...] = (), progress: Progress = silent
) -> tuple[FalseVerdict, ...]:
    """Judge the reference as each seed draws it, and return what was said wrongly, by seed.

    Args:
        seeds: how many.
        first: the lowest of them.
        processes: how many at once; 0 for what the machine has.
        cases: parts of ids of the cases to run; none means all.
        progress: shows each trial.
    """
    names = {f"seed {seed}": seed for seed in range(first, first + seeds)}
    jobs = (Job(name, target_of("sampled", seed), cases) for name, seed in names.items())
    found: list[FalseVerdict] = []
    for done, trial in enumerate(tried(jobs, processes), start=1):
        progress(trial, done, seeds)
        found += (FalseVerdict(names[trial.name], text) for text in false_verdicts(trial))
    return tuple(sorted(found, key=lambda one: one.seed))


def false_verdicts(trial: Trial) -> Iterator[str]:
    """Yield what is wrong with a trial of an implementation that follows readings which the profile passes."""
    if trial.ended != "run" or trial.errors:
        yield f"{trial.ended}: {'; '.join(trial.errors)[:500]}"
    for one in trial.convictions:
        yield f"{one.requirement} violated in {one.case}, `{one.step}`"
    for requirement in trial.undecided:
        yield f"{requirement} undecided"
    if trial.exit_code != ExitCode.OK and not (trial.convictions or trial.undecided):
        yield f"exit code {trial.exit_code}"
