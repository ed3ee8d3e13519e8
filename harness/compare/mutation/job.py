"""One run of the suite on one implementation, in a process that does nothing else."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

from mqconform.harness.compare.mutation import watched
from mqconform.harness.compare.mutation.trial import Trial, gist
from mqconform.harness.iut.connect import REFERENCE_TARGET
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.roles import step_modules
from mqconform.harness.records.case import Case
from mqconform.harness.records.profile import Profile
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.selection import Selection

REPLY_TIMEOUT = 1.5
"""Seconds to wait for a datagram over loopback: a deaf mutant costs this for each request."""
WARM_UP = "mqsd/2_1 or until-the-timer-fires or generated-requests"
"""Cases that pass through most of what runs: the first run of a process loads as it goes."""
DEADLINE = inf
"""Seconds that a call may take: the whole trial has a limit, and without a deadline calls need no thread."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to run.

    Attributes:
        name: what the trial is called.
        target: ``module:callable`` of the implementation.
        cases: parts of ids of the cases to run; none means all.
        deadline: seconds that a call to the implementation may take.
    """

    name: str
    target: str
    cases: tuple[str, ...] = ()
    deadline: float = DEADLINE
    seed: int = 0


def perform(job: Job) -> Trial:
    """Run the suite on an implementation."""
    started = time.process_time()
    notebook = watched.watch(job.target)
    outcome = run_suite(job.cases, job.deadline, job.seed, lambda case: notebook.turn(case.id))
    return gist(job.name, outcome, notebook.pages, time.process_time() - started)


def run_suite(
    cases: tuple[str, ...] = (),
    deadline: float = DEADLINE,
    seed: int = 0,
    progress: Callable[[Case], None] = lambda _: None,
) -> Outcome:
    """Run the suite on what this process watches; nothing is left on disk."""
    options = AdapterOptions(deadline=deadline, reply_timeout=REPLY_TIMEOUT)
    selection = Selection(expression=" or ".join(cases))
    with TemporaryDirectory() as folder:
        iut = f"api:{watched.__name__}:watched"
        return execute(Plan(iut, options, Profile.DEFAULT, seed, selection, Path(folder)), progress)


def warm_up() -> None:
    """Import and read what every run needs, before processes are forked off that share it."""
    for module in step_modules():
        import_module(module)
    load_catalogue()
    perform(Job("warm-up", REFERENCE_TARGET, (WARM_UP,)))
    gc.collect()
    gc.freeze()
