"""One machine-made mutant, tried until the first scenario convicts it."""

import time
from dataclasses import dataclass, replace

import pytest

from mqconform.harness.compare.mutation import watched
from mqconform.harness.compare.mutation.job import Job, run_suite
from mqconform.harness.compare.mutation.machine.loading import TARGET, MutatedReference
from mqconform.harness.compare.mutation.machine.places import Place
from mqconform.harness.compare.mutation.trial import Trial, gist
from mqconform.harness.records.case import Case
from mqconform.harness.records.verdict import Verdict

DEADLINE = 10.0
"""Seconds that a call may take: many changes never end."""


@dataclass(frozen=True, slots=True)
class MachineJob(Job):
    """The run of a change, on the scenarios that pass through it."""

    module: str = ""
    number: int = 0


def machine_job(place: Place, scenarios: tuple[str, ...], seed: int) -> MachineJob:
    """Return what to run for a change."""
    return MachineJob(place.id, TARGET, scenarios, DEADLINE, seed, place.module, place.number)


def convict(job: Job) -> Trial:
    """Load the change in this process and run the suite until something convicts it."""
    assert isinstance(job, MachineJob)
    started = time.process_time()
    MutatedReference(job.module, job.number).install()
    notebook = watched.watch(job.target)

    def turn(case: Case) -> None:
        notebook.turn(case.id)
        if case.verdict is Verdict.FAIL:
            pytest.exit("convicted")

    outcome = run_suite(job.cases, job.deadline, job.seed, turn)
    if any(case.verdict is Verdict.FAIL for case in outcome.cases):
        outcome.problem = ""  # that the run was broken off is what was wanted
    trial = gist(job.name, outcome, notebook.pages, time.process_time() - started)
    return replace(trial, convictions=trial.convictions[:1])
