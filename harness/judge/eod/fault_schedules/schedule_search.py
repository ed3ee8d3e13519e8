"""Fault schedules under which two ends of a stream break their promise: searched for, reduced, and told as time lines.

Steps are in ``delivery``.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hypothesis import strategies as st

from mqconform.harness.iut.drivers.ordered_delivery.ends import Call
from mqconform.harness.iut.drivers.ordered_delivery.schedule import (
    OCTETS_OF_A_STEP,
    STREAMS,
    Schedule,
    Step,
    decoded,
    written,
)
from mqconform.harness.iut.drivers.ordered_delivery.simulator import simulate
from mqconform.harness.judge.counterexamples import reduced
from mqconform.harness.judge.search import search
from mqconform.harness.records.printable import visible
from mqconform.harness.records.witness import MAX_TEXT
from mqconform.reference.eod.elements import SECOND
from mqconform.reference.history.streams import Entry, Kind, Violation, check_history, with_kept_delivered

STEPS: Final = 16
"""Steps of a generated schedule, at most."""

MOST_RUNS: Final = 600
"""How often a schedule that shows trouble may run to become a small one."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A schedule under which something went wrong."""

    schedule: Schedule
    history: tuple[Entry, ...]
    violations: tuple[Violation, ...]
    """At least one."""


@dataclass(frozen=True, slots=True)
class Ends:
    """A sender and a receiver that can begin afresh; both may be one implementation."""

    sender: Call
    receiver: Call
    left_open: list[Trouble] | None = None
    """Where the receiver is judged: what is none if it keeps early messages for their turn (register EOD-02)."""

    def history(self, schedule: Schedule) -> tuple[Entry, ...]:
        """Run a schedule from the beginning, and return what happened."""
        self.sender("reset", {})
        if self.receiver is not self.sender:
            self.receiver("reset", {})
        return simulate(schedule, self.sender, self.receiver)

    def run(self, schedule: Schedule) -> Trouble | None:
        """Run a schedule from the beginning, and return what went wrong, None where nothing did."""
        history = self.history(schedule)
        violations = check_history(history)
        if not violations:
            return None
        trouble = Trouble(schedule, history, violations)
        if self.left_open is None or check_history([*with_kept_delivered(history)]):
            return trouble
        self.left_open.append(trouble)
        return None


def find_trouble(
    ends: Ends,
    *,
    schedules: int,
    seed: int = 0,
    steps: int = STEPS,
    each: Callable[[], None] = lambda: None,
) -> Trouble | None:
    """Return the smallest trouble that a search finds, None where all is well.

    Args:
        ends: what is tried.
        schedules: how many schedules to try while all is well.
        seed: makes the search the same each time.
        steps: length of a schedule, at most.
        each: called for each schedule that was tried.

    Raises:
        IutProblem: an implementation could not be asked and no trouble was found before.
    """
    size = steps * OCTETS_OF_A_STEP

    def attempt(octets: bytes) -> Trouble | None:
        each()
        return ends.run(decoded(octets))

    counterexample = search(
        st.binary(min_size=size, max_size=size),
        attempt,
        seed=seed,
        examples=schedules,
        size=lambda octets: len(decoded(octets)),
    )
    return None if counterexample is None else smallest(ends, counterexample.finding)


def smallest(ends: Ends, trouble: Trouble) -> Trouble:
    """Return the trouble under the smallest schedule that still shows one of its findings."""
    findings = {violation.finding for violation in trouble.violations}

    def shows(schedule: Schedule) -> bool:
        again = ends.run(schedule)
        return again is not None and any(violation.finding in findings for violation in again.violations)

    return ends.run(reduced(trouble.schedule, smaller_schedules, shows, MOST_RUNS)) or trouble


_SHORT: Final = (SECOND, 40 * SECOND)
"""Durations that a step may come down to, shortest first."""


def smaller_schedules(schedule: Schedule) -> Iterator[Schedule]:
    """Yield schedules that are smaller in one respect: halves gone, steps gone, steps plainer."""
    half = len(schedule) // 2
    if half > 1:
        yield schedule[half:]
        yield schedule[:half]
    for place in reversed(range(len(schedule))):
        yield _without(schedule, place)
        yield schedule[:place] + schedule[place + 1 :]
    for place, step in enumerate(schedule):
        for plainer in _plainer(step):
            yield (*schedule[:place], plainer, *schedule[place + 1 :])
    for place in reversed(range(len(schedule) - 1)):  # two that only make sense together
        yield schedule[:place] + schedule[place + 2 :]
    for stream in (name for name in STREAMS[1:] if any(step.stream == name for step in schedule)):
        yield tuple(replace(step, stream=STREAMS[0]) if step.stream == stream else step for step in schedule)


def _without(schedule: Schedule, place: int) -> Schedule:
    """Take a step out; its time passes all the same where another step follows."""
    gone, rest = schedule[place], schedule[place + 1 :]
    if rest and gone.after:
        rest = (replace(rest[0], after=rest[0].after + gone.after), *rest[1:])
    return (*schedule[:place], *rest)


def _plainer(step: Step) -> Iterator[Step]:
    if step.after:
        yield replace(step, after=0)
    for short in _SHORT:
        if step.after > short:
            yield replace(step, after=short)
        if step.lasting > short:
            yield replace(step, lasting=short)
    if step.which > 1:
        yield replace(step, which=1)


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
