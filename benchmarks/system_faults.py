"""Count the schedules that it takes to find each fault of a system of queue managers.

``python benchmarks/system_faults.py --schedules 1000 --json FILE`` prints a line for each fault: what it is, and the
number of the first schedule that breaks a promise between three machines.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from mqconform.harness.iut.drivers.queue_managers import Schedule
from mqconform.harness.iut.interface import IutFault, Json
from mqconform.harness.iut.reference_iut.queue_managers import ReferenceQueueManagers
from mqconform.harness.judge.mqso.schedule_search import Play, Trouble, find_trouble_in, steps_of_three, well_known
from mqconform.reference.mqso.faults.network_fault import FaultTogether
from mqconform.reference.mqso.faults.transfers import TOGETHER_FAULTS


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

    return Stopping(plays.call, plays.record)


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


def rows(schedules: int) -> Iterator[tuple[str, int, str]]:
    """Yield the name of each fault, the number of schedules, and what is broken."""
    for fault in TOGETHER_FAULTS:
        yield (fault.name, *of_system(fault, schedules))


def shown(found: Iterable[tuple[str, int, str]]) -> list[tuple[str, int, str]]:
    """Print each row when it is there, and return all."""
    kept = []
    for row in found:
        kept.append(row)
        name, tried, says = row
        sys.stdout.write(f"{name:<44}{tried if says else '-':>6}  {says[:70]}\n")
        sys.stdout.flush()
    return kept


def main() -> None:
    """Run everything that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schedules", type=int, default=1_000, help="for each fault of a system")
    parser.add_argument("--json", type=Path, help="file to write the rows to")
    options = parser.parse_args()
    table = shown(rows(options.schedules))
    if options.json:
        options.json.write_text(json.dumps(table, indent=1))


if __name__ == "__main__":
    main()
