"""One run of the suite on one implementation, in a process that does nothing else, and what the suite found of it.

What it found is small enough to be passed between processes and kept in a file. Each process is forked from one that
has everything loaded, and stopped if it takes too long.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from itertools import count
from math import inf
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from mqconform.harness.explore.mutation import watched
from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.server_configurations import USUAL
from mqconform.harness.records.exit_codes import ExitCode
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Standing, Verdict
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.run.own_processes import inherit_nothing, safe_interpreters
from mqconform.harness.suite.index import load_suite_index
from mqconform.harness.suite.selection import Selection
from mqconform.harness.suite.telling import scenario_of

REFERENCE = "the reference"
"""The name of the trial that all others are compared with; no mutant can have it."""
GENERATED = "generated"
"""In the ids of cases that search: what they find bears on a whole procedure, not on one rule of it."""
REPLY_TIMEOUT = 1.5
"""Seconds to wait for a datagram over loopback: a deaf mutant costs this for each request."""
WATCHED = f"api:{watched.__name__}:watched"
LIMIT = 600.0
"""Seconds after which a trial is stopped: far more than a whole run takes on a busy machine."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to run.

    Attributes:
        name: what the trial is called.
        target: ``module:callable`` of the implementation.
        cases: scenarios to run, or parts of ids of cases; none means all.
        over_udp: whether its discovery server is configured as usual, and then reached by datagrams alone.
        real_clock: whether its discovery client lives by the real clock.
        profile: by which it is judged.
        stop_first: whether the first case that fails ends the run.
    """

    name: str
    target: str
    cases: tuple[str, ...] = ()
    over_udp: bool = field(default=False, kw_only=True)
    real_clock: bool = field(default=False, kw_only=True)
    profile: Profile = field(default=Profile.DEFAULT, kw_only=True)
    stop_first: bool = field(default=False, kw_only=True)


class Statement(NamedTuple):
    """What an assertion said of an implementation, unless it passed without a reading of the register."""

    case: str
    requirement: str
    check: str
    verdict: str = Verdict.FAIL.word
    reading: str = ""
    """``AMBIGUITY/reading`` that explains the observation, empty without one."""

    @property
    def generated(self) -> bool:
        """Whether a search found it."""
        return GENERATED in self.case


@dataclass(frozen=True, slots=True)
class Trial:
    """What the suite found of one implementation.

    Attributes:
        name: of the mutant.
        ended: ``run``, ``timeout`` where it was stopped, or ``crash`` where its process died.
        followed: readings of the register that were noted in a case without an assertion that depends on them.
        errors: what the harness stumbled over; there should be nothing.
        reasons: what it says of cases that ended early, by the id of the case.
        assertions: how many assertions were executed in each case.
        behaviour: a digest of all that the implementation answered in each case.
    """

    name: str
    ended: str = "run"
    exit_code: int = ExitCode.ERROR
    statements: tuple[Statement, ...] = ()
    followed: tuple[str, ...] = ()
    verified: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    reasons: dict[str, str] = field(default_factory=dict)
    assertions: dict[str, int] = field(default_factory=dict)
    behaviour: dict[str, str] = field(default_factory=dict)

    def of_verdict(self, verdict: Verdict) -> tuple[Statement, ...]:
        """Return the statements with a verdict."""
        return tuple(statement for statement in self.statements if statement.verdict == verdict.word)

    @property
    def convictions(self) -> tuple[Statement, ...]:
        """The assertions that it failed."""
        return self.of_verdict(Verdict.FAIL)

    @property
    def undecided(self) -> tuple[str, ...]:
        """Ids of requirements that have an inconclusive assertion, sorted."""
        return tuple(sorted({statement.requirement for statement in self.of_verdict(Verdict.INCONCLUSIVE)}))

    @property
    def violated(self) -> tuple[str, ...]:
        """Ids of violated requirements, sorted."""
        return tuple(sorted({conviction.requirement for conviction in self.convictions}))

    @property
    def killed(self) -> bool:
        """Whether anything gave the mutant away: a verdict against it, a crash, or that it never ended."""
        return self.ended != "run" or bool(self.convictions)

    def cases_against(self, requirement: str) -> tuple[str, ...]:
        """Return the ids of the cases that found a requirement violated."""
        return tuple(
            sorted({conviction.case for conviction in self.convictions if conviction.requirement == requirement})
        )


def altered(trial: Trial, plain: Trial) -> list[str]:
    """Return the ids of the cases in which an implementation answered otherwise than another."""
    return [case for case, page in trial.behaviour.items() if page != plain.behaviour.get(case)]


def perform(job: Job) -> Trial:
    """Run the suite on an implementation."""
    notebook = watched.watch(job.target)
    clock, facts = "real" if job.real_clock else "", USUAL if job.over_udp else None
    # The whole trial has a limit, and without a deadline no call needs a thread.
    options = AdapterOptions(inf, REPLY_TIMEOUT, facts, clock=clock)
    scenarios = {scenario_of(case.id) for scenario in load_suite_index().scenarios for case in scenario.cases}
    whole = scenarios.issuperset(job.cases)  # to look for parts of ids takes the collection of the whole suite
    selection = Selection(cases=job.cases) if whole else Selection(expression=" or ".join(job.cases))
    with _served() if job.over_udp else nullcontext(WATCHED) as iut, TemporaryDirectory() as folder:
        plan = Plan(iut, options, job.profile, 0, selection, Path(folder), stop_first=job.stop_first)
        outcome = execute(plan, lambda case: notebook.turn(case.id))
    return gist(job.name, outcome, notebook.pages)


@contextmanager
def _served() -> Iterator[str]:
    """Let the watched implementation serve a UDP port of its own; give the ``KIND:ID`` that reaches it there."""
    server = watched.watched()
    server.call("reset", {})
    server.call("discovery_server.configure", USUAL.params())
    at = server.call("discovery_server.listen", {"host": "127.0.0.1", "port": 0})
    try:
        yield f"udp:{at['host']}:{at['port']}"
    finally:
        server.call("shutdown", {})


def gist(name: str, outcome: Outcome, behaviour: dict[str, str]) -> Trial:
    """Return the gist of a run."""
    witnesses = [witness for case in outcome.cases for witness in case.witnesses]
    statements = {
        Statement(each.case, each.requirement, each.check, each.judgement.verdict.word, each.judgement.reading)
        for each in witnesses
    }
    errors = [f"{case.id}: {case.error}\n{case.trace}" for case in outcome.cases if case.error]
    followed = {noted.record().reading for case in outcome.cases for noted in case.followed}
    return Trial(
        name,
        exit_code=outcome.exit_code,
        statements=tuple(sorted(each for each in statements if each.reading or each.verdict != Verdict.PASS.word)),
        followed=tuple(sorted(followed - {statement.reading for statement in statements})),
        verified=tuple(finding.requirement.id for finding in outcome.findings if finding.standing is Standing.VERIFIED),
        errors=tuple(filter(None, (*errors, outcome.problem))),
        reasons={case.id: case.reason for case in outcome.cases if case.reason and not case.excused},
        assertions={case.id: len(case.witnesses) for case in outcome.cases if not case.excused},
        behaviour=behaviour,
    )


Progress = Callable[[Trial, int, int], None]
"""Gets each trial as it ends, how many have ended, and how many there are."""


def silent(_trial: Trial, _done: int, _total: int) -> None:
    """Show nothing."""


@dataclass(slots=True)
class _Running:
    job: Job
    process: ForkServerProcess
    until: float


def tried(  # noqa: PLR0913 - what is tried, how, and who watches
    jobs: Iterable[Job],
    processes: int = 0,
    progress: Progress = silent,
    *,
    total: int = 0,
    limit: float = LIMIT,
    work: Callable[[Job], Trial] = perform,
) -> Iterator[Trial]:
    """Yield the trial of each job as it ends, in any order.

    Args:
        jobs: taken as processes become free, so that a generator may stop in time.
        processes: how many at once; 0 for one more than there are cores, as some wait for a silent mutant.
        progress: shows each trial.
        total: how many jobs a generator gives at most.
        limit: seconds that one trial may take.
        work: what a process does; a function that can be imported.
    """
    context = get_context("forkserver")
    context.set_forkserver_preload(["mqconform.harness.explore.mutation.warm"])
    workers = processes or (os.cpu_count() or 1) + 1
    total = len(jobs) if isinstance(jobs, Sized) else total
    waiting, running, done = iter(jobs), dict[Connection, _Running](), count(1)
    try:
        while True:
            while len(running) < workers and (job := next(waiting, None)) is not None:
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(target=_send, args=(theirs, job, work), daemon=True)
                with safe_interpreters():
                    process.start()
                theirs.close()
                running[ours] = _Running(job, process, time.monotonic() + limit)
            if not running:
                return
            for trial in _collected(running):
                progress(trial, next(done), total)
                yield trial
    finally:
        for pipe, run in running.items():
            run.process.kill()
            pipe.close()


def _send(pipe: Connection, job: Job, work: Callable[[Job], Trial]) -> None:
    inherit_nothing()
    pipe.send(work(job))
    pipe.close()
    os._exit(0)  # a thread that hangs in an implementation must not keep the process


def _collected(running: dict[Connection, _Running]) -> Iterator[Trial]:
    """Yield what has arrived, waiting until something has or the first time is up."""
    patience = min(run.until for run in running.values()) - time.monotonic()
    ready = wait([*running], timeout=max(patience, 0.0))
    for pipe in [pipe for pipe in running if pipe in ready]:
        run = running.pop(pipe)
        yield _received(pipe, run)
    for pipe in [pipe for pipe, run in running.items() if time.monotonic() > run.until]:
        run = running.pop(pipe)
        run.process.kill()
        run.process.join()
        pipe.close()
        yield Trial(run.job.name, ended="timeout")


def _received(pipe: Connection, run: _Running) -> Trial:
    try:
        trial: Trial = pipe.recv()
    except EOFError:
        run.process.join()
        return Trial(run.job.name, ended="crash", errors=(f"the process ended with code {run.process.exitcode}",))
    finally:
        pipe.close()
    run.process.join()
    return trial
