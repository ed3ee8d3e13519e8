"""Search for a fault schedule under which queue managers break what they promise together."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import strategies as st

from mqconform.harness.iut.drivers.queue_managers.player import THREE_MACHINES, Call, Stage, play
from mqconform.harness.iut.drivers.queue_managers.schedule import MACHINES, OF_SEATS, Deed, Schedule, Step
from mqconform.harness.judge.reduction import reduced
from mqconform.harness.judge.search import search
from mqconform.reference.mqso.promises import Broken, broken_promises, refusals

STEPS: Final = 16
"""Steps of a generated schedule, at most."""
_PAUSES: Final = (0, 0, 0, 31, 601, 1900)
"""Seconds before a step."""
_DEEDS: Final = (*(deed for deed in Deed if deed not in OF_SEATS), Deed.SENDS, Deed.SENDS, Deed.CUT, Deed.CRASHES)
"""What a step is drawn from: of what shows most there is more."""
_MACHINES: Final = (*MACHINES, MACHINES[0], MACHINES[0])
"""So that some of them have much to do with each other."""


Check = Callable[[Sequence[Any]], tuple[Broken, ...]]
"""Returns what is broken in a history."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A schedule under which something is broken, what happened, and what is broken: at least one promise."""

    schedule: Schedule
    history: tuple[Any, ...]
    broken: tuple[Broken, ...]


def broken_in(history: Sequence[Any]) -> tuple[Broken, ...]:
    """Return what is broken in a history of queue managers that had every right and all room."""
    return (*broken_promises(history), *refusals(history))


@dataclass(frozen=True, slots=True)
class Play:
    """How schedules are played and checked.

    Attributes:
        call: performs the operations of what is tried.
        stage: the machines.
        check: what is held against their histories.
        record: takes each history.
    """

    call: Call
    stage: Stage = THREE_MACHINES
    check: Check = broken_in
    record: Callable[[Sequence[Any]], None] = lambda _: None

    def of(self, schedule: Schedule) -> Trouble:
        """Play a schedule from the beginning, and return what happened and what of it is broken, if anything."""
        history = play(schedule, self.call, self.stage)
        self.record(history)
        return Trouble(schedule, history, self.check(history))


def find_trouble_in(  # noqa: PLR0913 - what to search, and how far
    plays: Play,
    kinds: st.SearchStrategy[Step],
    *,
    first: Iterable[Schedule] = (),
    schedules: int,
    seed: int = 0,
    steps: int = STEPS,
    each: Callable[[], None] = lambda: None,
) -> Trouble | None:
    """Return the smallest trouble that a search finds, None where all is well.

    Args:
        plays: plays a schedule.
        kinds: what its steps are drawn from.
        first: schedules to try before any is drawn.
        schedules: how many schedules to try while all is well.
        seed: makes the search the same each time.
        steps: length of a schedule, at most.
        each: called for each schedule that was tried.

    Raises:
        IutProblem: the implementation could not be asked and no trouble was found before.
    """
    for schedule in first:
        each()
        if trouble := _trouble(schedule, plays):
            return _smallest(trouble, plays)

    def attempt(chosen: list[Step]) -> Trouble | None:
        each()
        return _trouble(tuple(chosen), plays)

    counterexample = search(
        st.lists(kinds, min_size=steps // 2, max_size=steps), attempt, seed=seed, examples=schedules, size=len
    )
    return None if counterexample is None else _smallest(counterexample.finding, plays)


def steps_of_three() -> st.SearchStrategy[Step]:
    """Return where the steps of schedules of three machines come from."""
    machines = st.sampled_from(_MACHINES)

    def step(machine: str, deed: Deed, other: str, after: int) -> Step:
        if not deed.names_another:
            return Step(machine, deed, after=after)
        others = [name for name in MACHINES if name != machine]
        return Step(machine, deed, other if other != machine else others[0], after)

    return st.builds(step, machines, st.sampled_from(_DEEDS), st.sampled_from(MACHINES), st.sampled_from(_PAUSES))


def _trouble(schedule: Schedule, plays: Play) -> Trouble | None:
    trouble = plays.of(schedule)
    return trouble if trouble.broken else None


def _smallest(trouble: Trouble, plays: Play) -> Trouble:
    """Return the trouble under the smallest schedule that still breaks one of its sentences."""
    requirements = {violation.requirements[0] for violation in trouble.broken}

    def shows(schedule: Schedule) -> bool:
        return any(violation.requirements[0] in requirements for violation in plays.of(schedule).broken)

    return _trouble(reduced(trouble.schedule, _smaller, shows), plays) or trouble


def _smaller(schedule: Schedule) -> Iterator[Schedule]:
    yield from (schedule[:place] + schedule[place + 1 :] for place in range(len(schedule)))
    for place, step in enumerate(schedule):
        if step.after:
            calm = Step(step.machine, step.deed, step.other)
            yield (*schedule[:place], calm, *schedule[place + 1 :])
