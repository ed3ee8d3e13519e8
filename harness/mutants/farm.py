"""Runs the full suite on mutants, in several processes, and says what it found."""

import gc
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

from mqconform.harness.iut import AdapterOptions
from mqconform.harness.plugin import STEP_MODULES
from mqconform.harness.profile import Profile
from mqconform.harness.running.run import Outcome, Plan, execute
from mqconform.harness.running.selection import Selection
from mqconform.harness.verdict import Standing, Verdict

REPLY_TIMEOUT = 1.5
"""Seconds to wait for a datagram over loopback: a deaf mutant costs this for each request."""

DEADLINE = 60.0
"""Seconds that a call may take: no mutant hangs, but the machine may be busy."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What the suite found of one implementation.

    Attributes:
        iut: ``KIND:ID``, as on the command line.
        violated: ids of requirements, in catalogue order.
        verified: likewise.
        undecided: ids of requirements that have an inconclusive witness.
        errors: what the harness stumbled over; there should be nothing.
        reasons: what it says of cases that ended early, by the id of the case.
    """

    iut: str
    exit_code: int
    violated: tuple[str, ...]
    verified: tuple[str, ...]
    undecided: tuple[str, ...]
    errors: tuple[str, ...]
    reasons: dict[str, str]


def try_all(iuts: Iterable[str], processes: int | None = None) -> Iterator[Trial]:
    """Run the full suite on each implementation, in processes of their own, and yield what it found, in order."""
    workers = processes or (os.cpu_count() or 1) + 1  # one more, as some of them wait for a silent mutant
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_settle) as pool:
        yield from pool.map(try_one, iuts)


def try_one(iut: str) -> Trial:
    """Run the full suite on one implementation; nothing is left on disk."""
    options = AdapterOptions(deadline=DEADLINE, reply_timeout=REPLY_TIMEOUT)
    with TemporaryDirectory() as folder:
        return trial(execute(Plan(iut, options, Profile.DEFAULT, 0, Selection(), Path(folder))))


def _settle() -> None:
    """Let garbage collection pass over what a run imports, which lives as long as the process."""
    for module in STEP_MODULES:
        import_module(module)
    gc.freeze()


def trial(outcome: Outcome) -> Trial:
    """Return the gist of a run."""
    witnesses = [witness for case in outcome.cases for witness in case.witnesses]
    undecided = {one.requirement for one in witnesses if one.judgement.verdict is Verdict.INCONCLUSIVE}
    errors = tuple(f"{case.id}: {case.error}\n{case.trace}" for case in outcome.cases if case.error)
    return Trial(
        iut=outcome.plan.iut,
        exit_code=outcome.exit_code,
        violated=_standing(outcome, Standing.VIOLATED),
        verified=_standing(outcome, Standing.VERIFIED),
        undecided=tuple(sorted(undecided)),
        errors=errors,
        reasons={case.id: case.reason for case in outcome.cases if case.reason and not case.excused},
    )


def _standing(outcome: Outcome, standing: Standing) -> tuple[str, ...]:
    return tuple(one.requirement.id for one in outcome.findings if one.standing is standing)
