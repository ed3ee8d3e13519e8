"""Count the schedules that it takes to find each fault of a system of queue managers, and each mutant in its seat.

``python benchmarks/system_faults.py --schedules 1000 --drawn 50 --json FILE`` prints a line for each fault: what it is,
and the number of the first schedule that breaks a promise. Between three machines all schedules are drawn; in seats
those that come first for both enterprises go before the drawn ones.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from mqconform.harness.iut.drivers.queue_managers.schedule import Schedule
from mqconform.harness.iut.interface import AdapterOptions, IutFault, Json
from mqconform.harness.iut.mutants.mutant import Kind
from mqconform.harness.iut.reference_iut.queue_managers import ReferenceQueueManagers
from mqconform.harness.iut.roles import all_mutants
from mqconform.harness.iut.seats.hooks_of_seats import SEATS, Seats
from mqconform.harness.judge.mqso.schedule_search import Play, Trouble, find_trouble_in, steps_of_three, well_known
from mqconform.harness.judge.mqso.seat_search import classics, play_with, steps_in
from mqconform.reference.mqso.faults.fault_together import FaultTogether
from mqconform.reference.mqso.faults.together import TOGETHER_FAULTS
from mqconform.reference.mqso.topology import TOPOLOGIES, Topology


class Broke(BaseException):
    """A promise broke: the search has its answer, and nothing has to be made small."""


def stopping(plays: Play) -> Play:
    """Return a play that stops the search at the first schedule with which something is wrong."""

    class Stopping(Play):
        def of(self, schedule: Schedule) -> Trouble:
            trouble = super().of(schedule)
            if trouble.broken:
                raise Broke(trouble.broken[0].says)
            if trouble.unexplained:
                raise Broke(trouble.unexplained.says)
            return trouble

    return Stopping(plays.call, plays.stage, plays.check, plays.record)


def counted(search: Callable[[Callable[[], None]], object]) -> tuple[int, str]:
    """Return how many schedules a search tried, and what it found broken, empty where nothing was."""
    tried = 0

    def each() -> None:
        nonlocal tried
        tried += 1

    try:
        search(each)
    except Broke as broke:
        return tried, str(broke)
    except IutFault as fault:
        return tried, str(fault)
    return tried, ""


def of_system(fault: FaultTogether, schedules: int) -> tuple[int, str]:
    """Return the number of the schedule that finds a fault between three machines, and what is broken."""
    managers = ReferenceQueueManagers(fault.model)

    def call(method: str, params: Json) -> Json:
        answer: Json = getattr(managers, method.rpartition(".")[2])(**params) or {}
        return answer

    plays = stopping(Play(call))
    return counted(
        lambda each: find_trouble_in(plays, steps_of_three(), first=well_known(), schedules=schedules, each=each)
    )


def of_seat(seat: str, mutant: str, drawn: int) -> tuple[int, str]:
    """Return the number of the schedule that finds a mutant in a seat, and what is broken."""
    all_tried = 0
    for search in (first_ones, partial(drawn_ones, drawn)):
        for topology in TOPOLOGIES.values():
            with Seats({seat: f"mutant:{mutant}"}, AdapterOptions()) as seats:
                tried, says = counted(partial(search, stopping(play_with(seats, topology)), topology))
            all_tried += tried
            if says:
                return all_tried, says
    return all_tried, ""


def first_ones(plays: Play, topology: Topology, each: Callable[[], None]) -> None:
    """Try the schedules that come first."""
    for schedule in classics(topology):
        each()
        plays.of(schedule)


def drawn_ones(schedules: int, plays: Play, topology: Topology, each: Callable[[], None]) -> None:
    """Try schedules that are drawn."""
    if schedules:
        find_trouble_in(plays, steps_in(topology), schedules=schedules, each=each)


def rows(schedules: int, drawn: int) -> Iterator[tuple[str, str, int, str]]:
    """Yield who is at fault, its name, the number of schedules, and what is broken."""
    for fault in TOGETHER_FAULTS:
        yield ("system", fault.name, *of_system(fault, schedules))
    for seat, role in SEATS.items():
        for name, mutant in all_mutants().items():
            if (mutant.kind, mutant.role) == (Kind.FAULTY, role):
                yield (seat, name, *of_seat(seat, name, drawn))


def shown(found: Iterable[tuple[str, str, int, str]]) -> list[tuple[str, str, int, str]]:
    """Print each row when it is there, and return all."""
    kept = []
    for row in found:
        kept.append(row)
        where, name, tried, says = row
        sys.stdout.write(f"{where:<10}{name:<44}{tried if says else '-':>6}  {says[:70]}\n")
        sys.stdout.flush()
    return kept


def main() -> None:
    """Run everything that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schedules", type=int, default=1_000, help="for each fault of a system")
    parser.add_argument(
        "--drawn", type=int, default=50, help="for each mutant and enterprise, after those that come first"
    )
    parser.add_argument("--json", type=Path, help="file to write the rows to")
    options = parser.parse_args()
    table = shown(rows(options.schedules, options.drawn))
    if options.json:
        options.json.write_text(json.dumps(table, indent=1))


if __name__ == "__main__":
    main()
