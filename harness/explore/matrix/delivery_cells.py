"""All cells of delivery, each in a process of its own: both ends go through the same fault schedules.

Whose fault lost, doubled or overtaken messages are, the history says, or the reference in the place of either end.
"""

import json
import multiprocessing
import random
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Final

from mqconform.harness.explore.matrix.matrix_cell import NOT_APPLICABLE, UNSUPPORTED, Cell, Finding, Played, Result
from mqconform.harness.explore.matrix.matrix_file import Settings
from mqconform.harness.explore.matrix.matrix_plan import Implementation
from mqconform.harness.explore.schedule_record import again, trouble_record
from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.drivers.ordered_delivery.ends import Call, operations_of
from mqconform.harness.iut.drivers.ordered_delivery.schedule import OCTETS_OF_A_STEP, Schedule, decoded, written
from mqconform.harness.iut.interface import ConfigurationError, IutFault, IutProblem, Unsupported
from mqconform.harness.judge.eod.fault_schedules.schedule_search import Ends, Trouble, smallest
from mqconform.harness.judge.eod.fault_schedules.timeline import timeline_lines
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.own_processes import die_with_parent, inherit_nothing, safe_interpreters

SENDER, RECEIVER = "sender", "receiver"
SIDE_OF = {"ordered_sender": SENDER, "ordered_receiver": RECEIVER}
SCENARIO: Final = "fault-schedules"
FOLDER: Final = "timelines"
MOST_TROUBLES: Final = 3
"""Schedules of one cell that are shrunk and kept."""


class EndProblem(Exception):
    """One end broke its contract, or cannot be asked what a simulation has to ask."""

    def __init__(self, side: str, problem: IutProblem) -> None:
        super().__init__(f"{side}: {problem}")
        self.side, self.problem = side, problem


def watched(side: str, call: Call) -> Call:
    """Return the operations of an end; what goes wrong there bears its name."""

    def perform(method: str, params: dict[str, object]) -> dict[str, object]:
        try:
            return call(method, params)
        except IutProblem as problem:
            if method.endswith(".restart"):
                raise  # an end that cannot restart is known by that; see ``SenderEnd.restart``
            raise EndProblem(side, problem) from problem

    return perform


def sides_at_fault(ends: Ends, trouble: Trouble) -> tuple[str, ...]:
    """Return the sides at fault: by the history, or by a substitution of either end; empty where neither tells.

    Raises:
        EndProblem: an end broke its contract meanwhile.
    """
    sides = {SIDE_OF[violation.finding.role] for violation in trouble.violations if violation.finding.role}
    if not sides:
        sides = set(_by_substitution(ends, trouble))
    return tuple(side for side in (SENDER, RECEIVER) if side in sides)


def _by_substitution(ends: Ends, trouble: Trouble) -> Iterator[str]:
    reference: Callable[[], Call] = lambda: operations_of(ReferenceIut())  # noqa: E731 - a fresh one each time
    if Ends(ends.sender, reference()).run(trouble.schedule):
        yield SENDER
    if Ends(reference(), ends.receiver).run(trouble.schedule):
        yield RECEIVER


def play_cells(cells: Sequence[Cell], by_name: dict[str, Implementation], settings: Settings) -> Iterator[Result]:
    """Yield the results of cells, each as soon as it is known."""
    fresh = multiprocessing.get_context("spawn")
    jobs = [Job(cell, tuple(by_name[name] for name in cell.pair), settings) for cell in cells]
    with ExitStack() as ending:
        with safe_interpreters():
            pool = ending.enter_context(ProcessPoolExecutor(max(1, settings.workers), fresh, initializer=_begin))
            waiting = [pool.submit(job.result) for job in jobs]
        try:
            for future in as_completed(waiting):
                yield future.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _begin() -> None:
    """Begin a process: it ends with the one that started it, and leaves an interrupt at the keyboard to that."""
    die_with_parent()
    inherit_nothing()
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def schedules(settings: Settings) -> Iterator[Schedule]:
    """Yield the fault schedules, the same in each cell for one seed."""
    for number in range(settings.tried.schedules):
        drawn = random.Random(f"{settings.seed} {number}")
        yield decoded(drawn.randbytes(settings.tried.steps * OCTETS_OF_A_STEP))


@dataclass(frozen=True, slots=True)
class Job:
    """One cell, as it travels to its process."""

    cell: Cell
    ends: tuple[Implementation, ...]
    settings: Settings

    def result(self) -> Result:
        """Play it."""
        sender, receiver = self.ends
        with ExitStack() as opened:
            try:
                calls = []
                for side, implementation in ((SENDER, sender), (RECEIVER, receiver)):
                    iut = implementation.connect(self.settings.deadline)
                    opened.callback(iut.close)
                    calls.append(watched(side, iut.call))
                return self._played(Ends(calls[0], calls[1]))
            except ConfigurationError as problem:
                return Result(self.cell, excuse=NOT_APPLICABLE, reason=str(problem))
            except EndProblem as problem:
                return self._problem(problem)

    def _played(self, ends: Ends) -> Result:
        trouble_by_sides: dict[tuple[str, ...], Trouble] = {}
        for schedule in schedules(self.settings):
            trouble = ends.run(schedule)
            if trouble is None:
                continue
            blamed = {SIDE_OF[violation.finding.role] for violation in trouble.violations if violation.finding.role}
            if blamed and blamed <= {side for sides in trouble_by_sides for side in sides}:
                continue  # the other end may be at fault as well: it is looked for in all schedules
            small = smallest(ends, trouble)
            trouble_by_sides.setdefault(sides_at_fault(ends, small), small)
            if len(trouble_by_sides) >= MOST_TROUBLES:
                break
        if trouble_by_sides:
            return self._trouble(trouble_by_sides)
        summary = f"{self.settings.tried.schedules} schedules: every message delivered once and in order"
        return Result(self.cell, (Played(SCENARIO, Verdict.PASS, summary),))

    def _trouble(self, trouble_by_sides: Mapping[tuple[str, ...], Trouble]) -> Result:
        played, findings, files = [], list[Finding](), []
        for number, (sides, trouble) in enumerate(trouble_by_sides.items()):
            file = self._kept(trouble, number)
            timeline = "\n".join(timeline_lines(trouble.history, trouble.violations))
            these = [*_findings(sides, trouble, timeline, file)]
            worst = max(finding.verdict for finding in these)
            played.append(Played(SCENARIO, worst, f"again: {self._again(trouble)}", timeline))
            findings += these
            files.append(file)
        return Result(self.cell, tuple(played), tuple(dict.fromkeys(findings)), tuple(files))

    def _problem(self, problem: EndProblem) -> Result:
        reason = f"{problem.side}: {problem.problem}"
        if isinstance(problem.problem, Unsupported):
            return Result(self.cell, excuse=UNSUPPORTED, reason=reason, excused=True)
        side = problem.side if isinstance(problem.problem, IutFault) else ""
        verdict = Verdict.FAIL if side else Verdict.INCONCLUSIVE
        finding = Finding(SCENARIO, side, "", verdict, str(problem.problem))
        return Result(self.cell, (Played(SCENARIO, verdict, reason),), (finding,))

    def _kept(self, trouble: Trouble, number: int) -> str:
        sender, receiver = self.cell.pair
        (self.settings.out / FOLDER).mkdir(parents=True, exist_ok=True)
        name = f"{FOLDER}/{sender}-to-{receiver}{f'-{number}' if number else ''}.json"
        (self.settings.out / name).write_text(json.dumps(trouble_record(trouble), indent=1) + "\n", encoding="utf-8")
        return name

    def _again(self, trouble: Trouble) -> str:
        sender, receiver = self.ends
        named = ["--sender", sender.target, "--receiver", receiver.target]
        return again(named, written(trouble.schedule))


def _findings(sides: tuple[str, ...], trouble: Trouble, timeline: str, file: str) -> Iterator[Finding]:
    """Yield what went wrong; what no rule attributes to one end is attributed to the offending ones."""
    for wrong in dict.fromkeys(violation.finding for violation in trouble.violations):
        says = f"{wrong.says}, under the schedule: {written(trouble.schedule)}"
        for side in (SIDE_OF[wrong.role],) if wrong.role else (sides or ("",)):
            verdict = Verdict.FAIL if side else Verdict.INCONCLUSIVE
            yield Finding(SCENARIO, side, wrong.requirement, verdict, says, timeline, file)
