"""A process of its own for every trial, forked from one that has everything loaded, stopped if it takes too long."""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkServerProcess
from time import monotonic

from mqconform.harness.explore.mutation.job import Job, perform
from mqconform.harness.explore.mutation.trial import Trial
from mqconform.harness.run.own_processes import inherit_nothing, safe_interpreters

LIMIT = 600.0
"""Seconds after which a trial is stopped: far more than a whole run takes on a busy machine."""


@dataclass(slots=True)
class _Running:
    job: Job
    process: ForkServerProcess
    until: float


def tried(
    jobs: Iterable[Job], processes: int = 0, limit: float = LIMIT, work: Callable[[Job], Trial] = perform
) -> Iterator[Trial]:
    """Yield the trial of each job as it ends, in any order.

    Args:
        jobs: taken as processes become free, so that a generator may stop in time.
        processes: how many at once; 0 for one more than there are cores, as some wait for a silent mutant.
        limit: seconds that one trial may take.
        work: what a process does; a function that can be imported.
    """
    context = get_context("forkserver")
    context.set_forkserver_preload(["mqconform.harness.explore.mutation.warm"])
    workers = processes or (os.cpu_count() or 1) + 1
    waiting, running = iter(jobs), dict[Connection, _Running]()
    try:
        while True:
            while len(running) < workers and (job := next(waiting, None)) is not None:
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(target=_send, args=(theirs, job, work), daemon=True)
                with safe_interpreters():
                    process.start()
                theirs.close()
                running[ours] = _Running(job, process, monotonic() + limit)
            if not running:
                return
            yield from _collected(running)
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
    patience = min(run.until for run in running.values()) - monotonic()
    ready = wait([*running], timeout=max(patience, 0.0))
    for pipe in [pipe for pipe in running if pipe in ready]:
        run = running.pop(pipe)
        yield _received(pipe, run)
    for pipe in [pipe for pipe, run in running.items() if monotonic() > run.until]:
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
