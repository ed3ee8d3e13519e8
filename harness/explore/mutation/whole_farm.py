"""A farm from beginning to end: which runs, in which processes, and what they come to."""

from collections.abc import Callable, Sequence

from mqconform.harness.explore.mutation.complaints import complaints_about
from mqconform.harness.explore.mutation.exemptions import load_exemptions
from mqconform.harness.explore.mutation.jobs import quick_jobs, reference_job, whole_jobs
from mqconform.harness.explore.mutation.kills import Kills
from mqconform.harness.explore.mutation.ledger import Ledger
from mqconform.harness.explore.mutation.matrix import Matrix
from mqconform.harness.explore.mutation.nursery import tried
from mqconform.harness.explore.mutation.trial import Trial
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.records.profile import Profile

Progress = Callable[[Trial, int, int], None]
"""Gets each trial as it ends, how many have ended, and how many there are."""


def silent(trial: Trial, done: int, total: int) -> None:
    """Show nothing."""
    del trial, done, total


def run_farm(  # noqa: PLR0913 - whom to try, how far, and where to keep it
    specimens: Sequence[Mutant],
    kills: Kills,
    *,
    whole: bool,
    ledger: Ledger | None = None,
    profile: Profile = Profile.DEFAULT,
    processes: int = 0,
    progress: Progress = silent,
) -> Matrix:
    """Try the mutants, those left out that the ledger has, and return the kill matrix.

    Args:
        specimens: whom to try; the reference is tried as well.
        kills: what each mutant was known to be convicted by.
        whole: whether faulty mutants run every case.
        ledger: keeps trials as they end.
        profile: by which whole runs are judged.
        processes: how many at once; 0 for what the machine has.
        progress: shows each trial.
    """
    others = [*(whole_jobs(specimens, profile) if whole else quick_jobs(specimens, kills))]
    jobs = [reference_job(others), *others]
    trials = ledger.done(jobs) if ledger else {}
    left = {job.name: job for job in jobs if job.name not in trials}
    for trial in tried(left.values(), processes):
        trials[trial.name] = trial
        if ledger and trial.ended == "run":
            ledger.add(left[trial.name], trial)
        progress(trial, len(trials), len(jobs))
    exempt, asked = load_exemptions(), jobs[0].cases
    complaints = complaints_about(specimens, trials, kills, exempt, whole=whole, asked=asked, profile=profile)
    return Matrix(specimens, trials, exempt, tuple(complaints), whole)
