"""Whose fault a failed case is in a run with seats taken: the case is judged again with the reference there."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from mqconform.harness.iut.seats.hooks_of_seats import REFERENCE
from mqconform.harness.records.case import Case
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.run.execution import execute
from mqconform.harness.run.plan import Outcome, Plan
from mqconform.harness.suite.index import load_suite_index
from mqconform.harness.suite.selection import Selection

CULPRITS: Final = "culprits.json"
SEVERAL_MACHINES: Final = "several-machines"


@dataclass(frozen=True, slots=True)
class Blame:
    """A failed case and the seats without whose occupants it passes; none where it is the system's fault."""

    case: str
    seats: tuple[str, ...]


def cases_of_several_machines() -> tuple[str, ...]:
    """Return the ids of the cases in which queue managers send to each other."""
    return tuple(
        case.id
        for scenario in load_suite_index().scenarios
        if SEVERAL_MACHINES in scenario.needs
        for case in scenario.cases
    )


def blamed(outcome: Outcome, progress: Callable[[Case], None] = lambda _: None) -> tuple[Blame, ...]:
    """Return whose fault each failed case is, and keep it beside the results.

    A seat is to blame where the case passes with the reference in it and everything else as it was; several are where
    it takes the reference in all of them; else the system is. ``progress`` is told each case that is judged again.
    """
    plan = outcome.plan
    failed = tuple(case.id for case in outcome.cases if not case.excused and case.verdict is Verdict.FAIL)
    if not failed:
        (plan.out / CULPRITS).unlink(missing_ok=True)
        return ()
    occupied = tuple(seat for seat, spec in plan.seats.items() if spec != REFERENCE)
    passing = {seat: _passing(plan, failed, (seat,), progress) for seat in occupied}
    passing_without_any = _passing(plan, failed, occupied, progress) if len(occupied) > 1 else frozenset()
    blames = tuple(Blame(case, _seats(case, passing, passing_without_any)) for case in failed)
    _write(plan.out, plan.seats, blames)
    return blames


def _seats(case: str, passing: Mapping[str, frozenset[str]], passing_without_any: frozenset[str]) -> tuple[str, ...]:
    alone = tuple(seat for seat, cases in passing.items() if case in cases)
    return alone or (tuple(passing) if case in passing_without_any else ())


def _passing(
    plan: Plan, cases: tuple[str, ...], seats: Iterable[str], progress: Callable[[Case], None]
) -> frozenset[str]:
    """Return which cases pass with the reference in some seats."""
    specs = {**plan.seats, **dict.fromkeys(seats, REFERENCE)}
    with TemporaryDirectory() as folder:
        again = execute(
            replace(
                plan,
                seats=specs,
                out=Path(folder),
                selection=Selection(cases=cases),
                resume=False,
                stop_first=False,
                baseline=None,  # which this run must not bring up to date
                update="",
                earlier=None,
            ),
            progress,
        )
    return frozenset(case.id for case in again.cases if not case.excused and case.verdict is Verdict.PASS)


def _write(out: Path, specs: Mapping[str, str], blames: Iterable[Blame]) -> None:
    document = {"seats": {**specs}, "cases": {blame.case: [*blame.seats] for blame in blames}}
    (out / CULPRITS).write_text(f"{json.dumps(document, indent=1)}\n", encoding="utf-8")
