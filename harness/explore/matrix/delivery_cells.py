"""Cells of delivery: both ends go through the same fault schedules.

Whose fault lost, doubled or overtaken messages are, the history says, or the reference in the place of either end.
"""

import json
import random
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from functools import partial
from typing import Any, Final

from mqconform.harness.explore.matrix.matrix_cell import NOT_APPLICABLE, UNSUPPORTED, Cell, Finding, Played, Result
from mqconform.harness.explore.matrix.matrix_file import Implementation, Settings
from mqconform.harness.explore.schedule_record import again, trouble_record
from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.drivers.ordered_delivery.ends import Call, operations_of
from mqconform.harness.iut.drivers.ordered_delivery.schedule import OCTETS_OF_A_STEP, decoded, written
from mqconform.harness.iut.interface import ConfigurationError, IutFault, IutProblem, Unsupported
from mqconform.harness.judge.eod.fault_schedules.schedule_search import Ends, Trouble, smallest, timeline_lines
from mqconform.harness.records.verdict import Verdict

SENDER, RECEIVER = SIDES = "sender", "receiver"
SIDE_OF: Final = {"ordered_sender": SENDER, "ordered_receiver": RECEIVER, "": ""}
SCENARIO: Final = "fault-schedules"
FOLDER: Final = "timelines"
MOST_TROUBLES: Final = 3
"""Schedules of one cell that are shrunk and kept."""


class EndProblem(Exception):
    """One end broke its contract, or cannot be asked what a simulation has to ask."""

    def __init__(self, side: str, problem: IutProblem) -> None:
        super().__init__(f"{side}: {problem}")
        self.side, self.problem = side, problem


def play_cells(cells: Sequence[Cell], by_name: Mapping[str, Implementation], settings: Settings) -> Iterator[Result]:
    """Yield the results of cells, each as soon as it is known."""
    stopped = threading.Event()
    with ThreadPoolExecutor(max(1, settings.workers)) as pool:
        play = partial(_result, settings=settings, stopped=stopped)
        waiting = [pool.submit(play, cell, *(by_name[name] for name in cell.pair)) for cell in cells]
        try:
            for future in as_completed(waiting):
                yield future.result()
        except BaseException:
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _result(
    cell: Cell, sender: Implementation, receiver: Implementation, *, settings: Settings, stopped: threading.Event
) -> Result:
    with ExitStack() as opened:
        try:
            calls = []
            for side, implementation in zip(SIDES, (sender, receiver), strict=True):
                iut = implementation.connect(settings.deadline)
                opened.callback(iut.close)
                calls.append(_attributed(side, iut.call, stopped))
            troubles = _troubles(Ends(calls[0], calls[1]), settings)
        except ConfigurationError as problem:
            return Result(cell, excuse=NOT_APPLICABLE, reason=str(problem))
        except EndProblem as broken:
            if isinstance(broken.problem, Unsupported):
                return Result(cell, excuse=UNSUPPORTED, reason=str(broken), excused=True)
            side = broken.side if isinstance(broken.problem, IutFault) else ""
            finding = _finding(side, "", str(broken.problem))
            return Result(cell, (Played(SCENARIO, finding.verdict, str(broken)),), (finding,))
    if not troubles:
        summary = f"{settings.tried.schedules} schedules: every message delivered once and in order"
        return Result(cell, (Played(SCENARIO, Verdict.PASS, summary),))
    played, findings, files = [], list[Finding](), []
    for number, (sides, trouble) in enumerate(troubles.items()):
        name = f"{FOLDER}/{sender.name}-to-{receiver.name}{f'-{number}' if number else ''}.json"
        (settings.out / FOLDER).mkdir(parents=True, exist_ok=True)
        (settings.out / name).write_text(json.dumps(trouble_record(trouble), indent=1) + "\n", encoding="utf-8")
        timeline = "\n".join(timeline_lines(trouble.history, trouble.violations))
        of_trouble = [*_findings(sides, trouble, timeline, name)]
        command = again(["--sender", sender.target, "--receiver", receiver.target], written(trouble.schedule))
        played.append(Played(SCENARIO, max(each.verdict for each in of_trouble), f"again: {command}", timeline))
        findings += of_trouble
        files.append(name)
    return Result(cell, tuple(played), tuple(dict.fromkeys(findings)), tuple(files))


def _attributed(side: str, call: Call, stopped: threading.Event) -> Call:
    """Return the operations of an end; what goes wrong there bears its name."""

    def perform(method: str, params: dict[str, Any]) -> dict[str, Any]:
        if stopped.is_set():
            raise CancelledError
        try:
            return call(method, params)
        except IutProblem as problem:
            if method.endswith(".restart"):
                raise  # an end that cannot restart is known by that; see ``restarted``
            raise EndProblem(side, problem) from problem

    return perform


def _troubles(ends: Ends, settings: Settings) -> dict[tuple[str, ...], Trouble]:
    """Return the smallest schedules that break the promise, by the sides at fault; each cell plays the same ones."""
    troubles: dict[tuple[str, ...], Trouble] = {}
    for number in range(settings.tried.schedules):
        drawn = random.Random(f"{settings.seed} {number}").randbytes(settings.tried.steps * OCTETS_OF_A_STEP)
        trouble = ends.run(decoded(drawn))
        if trouble is None:
            continue
        blamed = _blamed(trouble)
        if blamed and blamed <= {side for sides in troubles for side in sides}:
            continue  # the other end may be at fault as well: it is looked for in all schedules
        small = smallest(ends, trouble)
        troubles.setdefault(_sides_at_fault(ends, small), small)
        if len(troubles) >= MOST_TROUBLES:
            break
    return troubles


def _blamed(trouble: Trouble) -> set[str]:
    """Return the sides to which a rule attributes what is wrong."""
    return {SIDE_OF[violation.finding.role] for violation in trouble.violations} - {""}


def _sides_at_fault(ends: Ends, trouble: Trouble) -> tuple[str, ...]:
    """Return the sides at fault: by the history, or by a substitution of either end; empty where neither tells."""
    sides, reference = _blamed(trouble), operations_of(ReferenceIut())
    if not sides:
        alone = {SENDER: Ends(ends.sender, reference), RECEIVER: Ends(reference, ends.receiver)}
        sides = {side for side, others in alone.items() if others.run(trouble.schedule)}
    return tuple(side for side in SIDES if side in sides)


def _findings(sides: tuple[str, ...], trouble: Trouble, timeline: str, file: str) -> Iterator[Finding]:
    """Yield what went wrong; what no rule attributes to one end is attributed to the offending ones."""
    for wrong in dict.fromkeys(violation.finding for violation in trouble.violations):
        says = f"{wrong.says}, under the schedule: {written(trouble.schedule)}"
        for side in (SIDE_OF[wrong.role],) if wrong.role else (sides or ("",)):
            yield _finding(side, wrong.requirement, says, timeline, file)


def _finding(side: str, requirement: str, says: str, timeline: str = "", file: str = "") -> Finding:
    verdict = Verdict.FAIL if side else Verdict.INCONCLUSIVE
    return Finding(SCENARIO, side, requirement, verdict, says, timeline, file)
