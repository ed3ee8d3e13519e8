"""One run of the suite on one implementation, in a process that does nothing else."""

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from importlib import import_module
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

from mqconform.harness.explore.mutation import watched
from mqconform.harness.explore.mutation.trial import Trial, gist
from mqconform.harness.iut.connect import REFERENCE_TARGET
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.roles import step_modules
from mqconform.harness.iut.server_configurations import USUAL
from mqconform.harness.records.case import Case
from mqconform.harness.records.profile import Profile
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.catalogue import load_catalogue
from mqconform.harness.suite.index import load_suite_index
from mqconform.harness.suite.selection import Selection
from mqconform.harness.suite.telling import scenario_of

REPLY_TIMEOUT = 1.5
"""Seconds to wait for a datagram over loopback: a deaf mutant costs this for each request."""
WATCHED = f"api:{watched.__name__}:watched"
WARM_UP = "mqsd/2_1 or until-the-timer-fires or generated-requests"
"""Cases that pass through most of what runs: the first run of a process loads as it goes."""
DEADLINE = inf
"""Seconds that a call may take: the whole trial has a limit, and without a deadline calls need no thread."""
OPTIONS = AdapterOptions(deadline=DEADLINE, reply_timeout=REPLY_TIMEOUT)


@dataclass(frozen=True, slots=True)
class Job:
    """What to run.

    Attributes:
        name: what the trial is called.
        target: ``module:callable`` of the implementation.
        cases: scenarios to run, or parts of ids of cases; none means all.
        deadline: seconds that a call to the implementation may take.
        over_udp: whether its discovery server is configured as usual, and then reached by datagrams alone.
        real_clock: whether its discovery client lives by the real clock.
        profile: by which it is judged.
    """

    name: str
    target: str
    cases: tuple[str, ...] = ()
    deadline: float = DEADLINE
    seed: int = 0
    over_udp: bool = field(default=False, kw_only=True)
    real_clock: bool = field(default=False, kw_only=True)
    profile: Profile = field(default=Profile.DEFAULT, kw_only=True)


def perform(job: Job) -> Trial:
    """Run the suite on an implementation."""
    started = time.process_time()
    notebook = watched.watch(job.target)
    options = replace(OPTIONS, deadline=job.deadline, clock="real" if job.real_clock else "")
    if job.over_udp:
        options = replace(options, facts=USUAL)
    with _served() if job.over_udp else nullcontext(WATCHED) as iut:
        outcome = run_suite(job, options, lambda case: notebook.turn(case.id), iut)
    return gist(job.name, outcome, notebook.pages, time.process_time() - started)


@contextmanager
def _served() -> Iterator[str]:
    """Let what this process watches serve a UDP port of its own; give the ``KIND:ID`` that reaches it there."""
    server = watched.watched()
    server.call("reset", {})
    server.call("discovery_server.configure", USUAL.params())
    at = server.call("discovery_server.listen", {"host": "127.0.0.1", "port": 0})
    try:
        yield f"udp:{at['host']}:{at['port']}"
    finally:
        server.call("shutdown", {})


def run_suite(job: Job, options: AdapterOptions, progress: Callable[[Case], None], iut: str) -> Outcome:
    """Run the suite on what this process watches; nothing is left on disk."""
    scenarios = {scenario_of(case.id) for scenario in load_suite_index().scenarios for case in scenario.cases}
    whole = scenarios.issuperset(job.cases)  # to look for parts of ids takes the collection of the whole suite
    selection = Selection(cases=job.cases) if whole else Selection(expression=" or ".join(job.cases))
    with TemporaryDirectory() as folder:
        return execute(Plan(iut, options, job.profile, job.seed, selection, Path(folder)), progress)


def warm_up() -> None:
    """Import and read what every run needs, before processes are forked off that share it."""
    for module in step_modules():
        import_module(module)
    load_catalogue()
    perform(Job("warm-up", REFERENCE_TARGET, (WARM_UP,)))
    gc.collect()
    gc.freeze()
