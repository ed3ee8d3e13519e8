"""A run in several processes: each makes one part, and the merge makes the octets of a run in one.

Processes and not threads: a run lives in the globals of pytest, and an implementation reached as an object would meet
itself. Each process reaches the implementation on its own.
"""

import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from mqconform.harness.iut.connect import connect
from mqconform.harness.iut.interface import ConfigurationError, IutFault, Unreachable
from mqconform.harness.records.case import Case
from mqconform.harness.records.problem import OutputLost
from mqconform.harness.records.run_file import PARTS, run_directory
from mqconform.harness.records.shard import Shard
from mqconform.harness.run.execution import Greet, execute
from mqconform.harness.run.own_processes import die_with_parent, inherit_nothing, safe_interpreters
from mqconform.harness.run.plan import Outcome, Plan
from mqconform.harness.run.sharding.merge import merge_into

TRACEBACK = 1
"""Exit code of a Python that printed one."""
LOOK_SECONDS = 0.5
MOST_STOPS = 40
"""How often a process that an implementation has stopped is woken before it counts as lost."""


class WorkerFailed(Exception):
    """A process of ours raised something: an error of the harness."""


def check_processes(plan: Plan, processes: int) -> None:
    """Raise ConfigurationError for a plan that cannot be run in that number of processes."""
    if plan.shard and processes > 1:
        raise ConfigurationError("--shard and -n exclude each other: a shard is run in one process")
    if plan.stop_first and (plan.shard or processes > 1):
        raise ConfigurationError("-x stops one process: it goes neither with -n nor with --shard")
    if plan.resume and processes == 1 and (parts := [*(plan.out / PARTS).glob("*")]):
        text = f"--resume: {plan.out} has the parts of a run in {len(parts)} processes; add -n {len(parts)}"
        raise ConfigurationError(text)


def execute_in_processes(
    plan: Plan, processes: int, progress: Callable[[Case], None], greet: Greet = lambda _: ()
) -> Outcome:
    """Run the plan in one or several processes, which leave the same; ``greet`` is for one, see ``execute``.

    Raises:
        ConfigurationError: the plan cannot work.
        OutputLost: results could not be written any more, or a process was killed.
        WorkerFailed: a process raised something.
    """
    if processes == 1 or not _starts(plan):
        return execute(plan, progress, greet)  # which says why, once
    with run_directory(plan.out, clear=not plan.resume):
        parts = plan.out / PARTS
        if not plan.resume:
            shutil.rmtree(parts, ignore_errors=True)
        parts.mkdir(exist_ok=True)
        part = replace(plan, baseline=None, earlier=None)  # the whole run alone is held against them
        plans = [
            replace(part, shard=Shard(index, processes), out=parts / str(index)) for index in range(1, processes + 1)
        ]
        with _started(plans) as running:
            _follow(running, progress)
        gate = replace(plan, shard=None)
        outcome = merge_into([worker.out for worker in plans], plan.out, sys.argv, lambda _: gate)
        shutil.rmtree(parts)
        return outcome


def _starts(plan: Plan) -> bool:
    try:
        connect(plan.iut, plan.options).close()
    except (IutFault, Unreachable):
        return False
    return True


@contextmanager
def _started(plans: list[Plan]) -> Iterator[dict[Connection, BaseProcess]]:
    spawning = get_context("spawn")
    running: dict[Connection, BaseProcess] = {}
    try:
        for plan in plans:
            receiving, sending = spawning.Pipe(duplex=False)
            process: BaseProcess = spawning.Process(target=_make_part, args=(plan, sending))
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # see _leave_ctrl_c_to_the_parent
            try:
                with safe_interpreters():
                    process.start()
            finally:
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
            sending.close()
            running[receiving] = process
        yield running
    finally:
        for process in running.values():
            process.terminate()
            process.join(LOOK_SECONDS)
            process.kill()  # it may be stopped
            process.join()


def _follow(running: dict[Connection, BaseProcess], progress: Callable[[Case], None]) -> None:
    left, stops = dict(running), Counter[int]()
    while left:
        ended = wait(list(left), LOOK_SECONDS)
        for process in left.values():
            _wake(process, stops)
        for ready in ended:
            assert isinstance(ready, Connection)
            try:
                message = ready.recv()
            except EOFError:
                _require_end(left.pop(ready))
                continue
            if isinstance(message, ConfigurationError | OutputLost):
                raise message
            progress(message)


def _wake(process: BaseProcess, stops: Counter[int]) -> None:
    """Let a process go on that was stopped, as a program with the user's rights can; kill one that is so for ever."""
    with suppress(OSError):  # it has ended
        if process.pid and os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOHANG):
            stops[process.pid] += 1
            os.kill(process.pid, signal.SIGCONT if stops[process.pid] <= MOST_STOPS else signal.SIGKILL)


def _require_end(process: BaseProcess) -> None:
    process.join()
    code = process.exitcode or 0
    if code == TRACEBACK:
        raise WorkerFailed("a process of the run failed, see above")
    if code:
        how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
        remedy = f"results are kept in the folder {PARTS}; add --resume to continue"
        raise OutputLost(
            f"process {process.pid} of the run {how}, by the implementation or for want of memory; {remedy}"
        )


def _make_part(plan: Plan, tell: Connection) -> None:
    die_with_parent()
    inherit_nothing()
    _leave_ctrl_c_to_the_parent()
    try:
        execute(plan, tell.send)
    except ConfigurationError as error:
        tell.send(ConfigurationError(str(error)))
    except OutputLost as lost:
        tell.send(lost)


def _leave_ctrl_c_to_the_parent() -> None:
    """Leave Ctrl-C to the parent: a terminal sends SIGINT to all processes, and each would print a traceback.

    SIGINT is blocked until here, so that it breaks no import. A handler, because programs that are started from here
    would inherit that it is blocked or ignored.
    """
    signal.signal(signal.SIGINT, lambda *_: None)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
