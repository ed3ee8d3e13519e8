"""A history as a time line for a terminal."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from mqconform.harness.eod.schedule import Schedule
from mqconform.harness.printable import visible
from mqconform.reference.eod.elements import SECOND
from mqconform.reference.eod.findings import RULES
from mqconform.reference.eod.history import Entry, Kind
from mqconform.reference.eod.history_check import Violation

_SAYS = {
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
    for one in violations:
        wrong[one.position].append(one)
    several = len({entry.stream for entry in history}) > 1
    for position, entry in enumerate(history):
        who, what = _SAYS[entry.kind]
        said = what.format(message=entry.message, number=entry.number, previous=entry.previous)
        stream = f"{visible(str(entry.stream)):4}" if several else ""
        yield f"{_seconds(entry.time)}  {stream}{who:8}  {visible(said)}"
        for one in wrong[position]:
            yield f"{'':12}  {'':4}" + f"!! {one.requirement}: {RULES[one.finding].says}"


def _seconds(time: int) -> str:
    return f"{time / SECOND:10.3f} s"
