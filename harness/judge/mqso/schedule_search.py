"""Search for a fault schedule under which queue managers break what they promise together."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hypothesis import strategies as st

from mqconform.harness.iut.drivers.queue_managers import MACHINES, SERVICES, Deed, Schedule, Step, needed_by
from mqconform.harness.judge.counterexamples import reduced
from mqconform.harness.judge.mqso.network_blame import broken_by_several
from mqconform.harness.judge.mqso.schedule_player import Call, Played, Unexplained, play
from mqconform.harness.judge.search import search
from mqconform.reference.history.breach import Breach
from mqconform.reference.history.system import broken_promises, refusals
from mqconform.reference.mqso.elements import SECOND
from mqconform.reference.mqso.transfers import SETTLED

STEPS: Final = 16
"""Steps of a generated schedule, at most."""
_LONG: Final = SETTLED // SECOND
"""Seconds after which everything has passed that nothing hinders; before, it may still be under way."""
_PAUSES: Final = (0, 0, 0, 31, 601, 1900, _LONG)
"""Seconds before a step."""
_OFTEN: Final = (Deed.SENDS, Deed.SENDS, Deed.CUT, Deed.CRASHES)
"""Of what shows most there is more."""
UNEXPLAINED: Final = "an answer without a permitted explanation"


@dataclass(frozen=True, slots=True)
class Trouble:
    """A schedule with what happened, and what of it is wrong, if anything.

    Attributes:
        broken: the promises that are broken.
        unexplained: the first answer that nothing explains, None without.
    """

    schedule: Schedule
    history: tuple[Any, ...]
    broken: tuple[Breach, ...]
    unexplained: Unexplained | None = None

    @property
    def kinds(self) -> frozenset[str]:
        """What is wrong: the plainest requirement of each broken promise, and that an answer is unexplained."""
        broken = {violation.requirements[0] for violation in self.broken}
        return frozenset(broken if self.unexplained is None else {*broken, UNEXPLAINED})

    def all_broken(self) -> tuple[Breach, ...]:
        """Return the promises that are broken, or else the answer that is unexplained.

        That breaks what a fault breaks that explains it. To look for one takes seconds; where none is known, nothing is
        named.
        """
        if self.unexplained is None or self.broken:
            return self.broken
        of_answer = broken_by_several(self.unexplained.calls, (), self.unexplained.start)
        return (Breach(self.unexplained.says, of_answer, (self.unexplained.place,)),)


def broken_in(history: Sequence[Any]) -> tuple[Breach, ...]:
    """Return what is broken in a history of queue managers that had every right and all room."""
    return (*broken_promises(history), *refusals(history))


@dataclass(frozen=True, slots=True)
class Play:
    """How schedules are played and checked.

    Attributes:
        call: performs the operations of what is tried.
        record: takes what came of each schedule.
    """

    call: Call
    record: Callable[[Played], None] = lambda _: None

    def of(self, schedule: Schedule) -> Trouble:
        """Play a schedule from the beginning, and return what happened and what of it is broken, if anything."""
        played = play(schedule, self.call)
        self.record(played)
        return Trouble(schedule, played.history, broken_in(played.history), played.unexplained)


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
        schedules: how many drawn schedules to try while all is well.
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

    if not schedules:
        return None
    counterexample = search(
        st.lists(kinds, min_size=steps // 2, max_size=steps),
        attempt,
        seed=seed,
        examples=schedules,
        size=len,
    )
    return None if counterexample is None else _smallest(counterexample.finding, plays)


def well_known(capabilities: Collection[str] | None = None) -> tuple[Schedule, ...]:
    """Return what is tried before schedules are drawn: everything that a does with b while something hinders it.

    Args:
        capabilities: what the implementation offers, None for all; steps that need another are left out.
    """
    hindrances = (
        (),
        (Step("a", Deed.CUT, "b"), Step("a", Deed.LINKED, "b")),
        (Step("b", Deed.CRASHES), Step("b", Deed.STARTS)),
        (Step("a", Deed.PAUSES, "b"), Step("a", Deed.RESUMES, "b")),
        (Step("b", Deed.GOES_OFFLINE), Step("b", Deed.COMES_ONLINE)),
        (Step("b", Deed.FILLS_ITS_STORE), Step("b", Deed.HAS_ROOM)),
        *((Step(service, Deed.IS_LOST), Step(service, Deed.IS_BACK)) for service in SERVICES),
    )
    sends = [
        Step("a", deed, "b")
        for deed in (Deed.SENDS, Deed.SENDS_PLAIN, Deed.SENDS_EXPRESS, Deed.SENDS_ASKING, Deed.SENDS_BY_NAME)
    ]
    reads = [
        Step("a", deed, "b")
        for deed in (
            Deed.COUNTS,
            Deed.RECEIVES_FROM,
            Deed.RECEIVES_EXTERNALLY_AND_ABORTS_FROM,
            Deed.RECEIVES_EXTERNALLY_FROM,
            Deed.RECEIVES_PLAIN_FROM,
        )
    ]
    restarts = [Step("a", Deed.CRASHES), Step("a", Deed.STARTS)]
    elsewhere = [Step("a", Deed.SENDS, "c"), Step("c", Deed.RECEIVES, after=_LONG)]
    directory = [Step("a", deed) for deed in (Deed.LOOKS_UP, Deed.SHOWS)]
    at_once = [Step("b", deed) for deed in (Deed.RECEIVES, Deed.RECEIVES_PLAIN)]
    wait = Step("c", Deed.STARTS, after=_LONG)
    deeds = (
        (sends[0], *sends[:2], *elsewhere),
        (*sends[:3], *restarts),
        (*sends[3:], Step("a", Deed.SENDS_WRONG_KIND, "b")),
        (sends[0], wait, *reads),
        (*directory, wait, *directory, sends[4]),
        (*restarts, wait, *directory, sends[4]),
    )
    drawn = [
        (*hindrance[:1], *during, wait, *at_once, *hindrance[1:], wait, *after)
        for hindrance in hindrances
        for during in deeds
        for after in ((), (sends[0], wait, *reads), (*directory, sends[4], *restarts, wait, *directory))
    ]
    return tuple(tuple(step for step in schedule if _offered(step, capabilities)) for schedule in drawn)


def _offered(step: Step, capabilities: Collection[str] | None) -> bool:
    return capabilities is None or needed_by(step) <= {*capabilities}


def steps_of_three(capabilities: Collection[str] | None = None) -> st.SearchStrategy[Step]:
    """Return where the steps of schedules of three machines come from.

    Args:
        capabilities: what the implementation offers, None for all; nothing is drawn that needs another.
    """
    deeds = (*Deed, *_OFTEN)
    steps = {
        Step(machine, deed, other)
        for deed in deeds
        for machine in (SERVICES if deed.is_of_service else MACHINES)
        for other in (MACHINES if deed.names_another else ("",))
        if machine != other
    }
    offered = [*filter(lambda step: _offered(step, capabilities), sorted(steps, key=str))]
    often = [step for step in offered for _ in range(_weight(step))]
    return st.builds(lambda step, after: replace(step, after=after), st.sampled_from(often), st.sampled_from(_PAUSES))


def _weight(step: Step) -> int:
    """Return how often a step is drawn: each deed as often as others, but for what shows most; more at one machine."""
    pairs = len(MACHINES) * (len(MACHINES) - 1)
    alike = len(SERVICES) if step.deed.is_of_service else pairs if step.deed.names_another else len(MACHINES)
    often = 1 + _OFTEN.count(step.deed)
    return pairs // alike * often * (3 if step.machine == MACHINES[0] else 1)


def _trouble(schedule: Schedule, plays: Play) -> Trouble | None:
    trouble = plays.of(schedule)
    return trouble if trouble.kinds else None


def _smallest(trouble: Trouble, plays: Play) -> Trouble:
    """Return the trouble under the smallest schedule that still shows something of it."""
    kinds = trouble.kinds

    def shows(schedule: Schedule) -> bool:
        return not kinds.isdisjoint(plays.of(schedule).kinds)

    return _trouble(reduced(trouble.schedule, _smaller, shows), plays) or trouble


def _smaller(schedule: Schedule) -> Iterator[Schedule]:
    yield from (schedule[:place] + schedule[place + 1 :] for place in range(len(schedule)))
    for place, step in enumerate(schedule):
        if step.after:
            calm = replace(step, after=0)
            yield (*schedule[:place], calm, *schedule[place + 1 :])
        if step.after and not any(following.after for following in schedule[place + 1 : place + 2]):
            later = [replace(following, after=step.after) for following in schedule[place + 1 : place + 2]]
            yield (*schedule[:place], *later, *schedule[place + 2 :])
