"""Schedules and histories in lines: for a terminal, and as evidence of what went wrong."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from mqconform.harness.iut.drivers.ordered_delivery.schedule import Schedule, written
from mqconform.harness.judge.eod.fault_schedules.schedule_search import Trouble
from mqconform.harness.records.printable import visible
from mqconform.harness.records.witness import MAX_TEXT
from mqconform.reference.eod.elements import SECOND
from mqconform.reference.history.streams import Entry, Kind, Violation

ROOM: Final = MAX_TEXT - 200
"""Characters for schedule and time line in a witness."""
_WRONG: Final = "!!"
_SAYS: Final = {
    Kind.ENQUEUED: ("sender", "queues {message}"),
    Kind.SENT: ("sender", "sends {message} as {number} after {previous}"),
    Kind.ACCEPTED: ("receiver", "accepts {message}, {number} after {previous}"),
    Kind.REJECTED: ("receiver", "rejects {message}, {number} after {previous}"),
    Kind.ACKNOWLEDGED: ("receiver", "acknowledges {number}"),
    Kind.RELEASED: ("sender", "gets the acknowledgment of {number}"),
    Kind.DISCARDED: ("sender", "discards {message}"),
    Kind.RECEIVER_LOST_STATE: ("receiver", "loses its state"),
    Kind.SENDER_LOST_STATE: ("sender", "loses its state"),
}


def schedule_lines(schedule: Schedule) -> Iterator[str]:
    """Yield the steps of a schedule, numbered, each with its time."""
    time = 0
    for number, step in enumerate(schedule, 1):
        time += step.after
        yield f"{number:3}. {_seconds(time)}  {visible(str(step).partition(' ')[2] if step.after else str(step))}"


def timeline_lines(history: Sequence[Entry], violations: Sequence[Violation] = ()) -> Iterator[str]:
    """Yield a line for each entry of a history, and below it what is wrong there."""
    wrong = defaultdict(list)
    for violation in violations:
        wrong[violation.position].append(violation)
    several = len({entry.stream for entry in history}) > 1
    for position, entry in enumerate(history):
        who, what = _SAYS[entry.kind]
        deed = what.format(message=entry.message, number=entry.number, previous=entry.previous)
        stream = f"{visible(str(entry.stream)):4}" if several else ""
        yield f"{_seconds(entry.time)}  {stream}{who:8}  {visible(deed)}"
        for violation in wrong[position]:
            yield f"{'':12}  {'':4}" + f"{_WRONG} {violation.finding.requirement}: {violation.finding.says}"


def story(trouble: Trouble) -> str:
    """Return schedule and time line; what is far from the first thing that is wrong is left out if it is too long."""
    steps = len(trouble.schedule)
    head = f"fault schedule, {steps} step{'s' * (steps != 1)}: {written(trouble.schedule)}"
    lines = [*timeline_lines(trouble.history, trouble.violations)]
    return "\n".join([head, *_shortened(lines, ROOM - len(head))])


def _shortened(lines: Sequence[str], room: int) -> Sequence[str]:
    """Drop lines from the end down to the first that is wrong, then from the beginning, until the rest fits."""
    wrong = next((place for place, line in enumerate(lines) if _WRONG in line), len(lines) - 1)
    first, last = 0, len(lines)
    while last > wrong + 1 and _length(lines[first:last]) > room:
        last -= 1
    while first < wrong and _length(lines[first:last]) > room:
        first += 1
    return [*["..."] * (first > 0), *lines[first:last], *["..."] * (last < len(lines))]


def _length(lines: Sequence[str]) -> int:
    return sum(len(line) + 1 for line in lines)


def _seconds(time: int) -> str:
    return f"{time / SECOND:10.3f} s"
