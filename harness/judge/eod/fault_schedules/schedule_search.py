"""Search for a fault schedule under which two ends of a stream break their promise, and reduce it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from hypothesis import strategies as st

from mqconform.harness.iut.drivers.ordered_delivery.ends import Call
from mqconform.harness.iut.drivers.ordered_delivery.schedule import OCTETS_OF_A_STEP, STREAMS, Schedule, Step, decoded
from mqconform.harness.iut.drivers.ordered_delivery.simulator import simulate
from mqconform.harness.judge.reduction import reduced
from mqconform.harness.judge.search import search
from mqconform.reference.eod.elements import SECOND
from mqconform.reference.history.streams import Entry, Violation, check_history, with_kept_delivered

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
