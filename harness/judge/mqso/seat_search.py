"""Fault schedules over a system of queue managers in which implementations of other roles take seats."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hypothesis import strategies as st

from mqconform.harness.iut.drivers.queue_managers.schedule import Deed, Schedule, Step
from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.seats.forwarded_queue_managers import ForwardedQueueManagers
from mqconform.harness.iut.seats.hooks_of_seats import REFERENCE, Seats
from mqconform.harness.judge.mqso.player import Stage
from mqconform.harness.judge.mqso.schedule_search import Play, Trouble, broken_in
from mqconform.reference.mqso.promises import Broken
from mqconform.reference.mqso.topology import Topology
from mqconform.reference.mqso.wandering import wandering_in

ENDS: Final = 5
"""Number of machines that have queues, the first of the enterprise."""
_PAUSES: Final = (0, 0, 0, 1, 31, 31, 90, 1900)
"""Seconds before a step."""
_BETWEEN_ENDS: Final = (
    Deed.SENDS, Deed.SENDS, Deed.SENDS, Deed.SENDS, Deed.SENDS_BRIEFLY, Deed.SENDS_PLAIN, Deed.SENDS_AND_ABORTS,
    Deed.LOSES, Deed.LOSES, Deed.LOSES, Deed.DELAYS,
)  # fmt: skip
_AT_ENDS: Final = (Deed.RECEIVES, Deed.RECEIVES, Deed.RECEIVES_AND_ABORTS, Deed.RECEIVES_PLAIN)
_ANYWHERE: Final = (Deed.CRASHES, Deed.STARTS)


def stage_of(topology: Topology, managers: ForwardedQueueManagers | None = None) -> Stage:
    """Return the machines of an enterprise as schedules name them; ``managers`` tell what passes between them."""
    machines = tuple(map(str, topology.identifiers))
    if managers is None:
        return Stage(machines, machines[:ENDS], built_in=True)
    return Stage(machines, machines[:ENDS], managers.passages, managers.waiting, built_in=True)


def play_with(seats: Seats, topology: Topology) -> Play:
    """Return how schedules are played to an enterprise with its seats taken, and what is held against it."""
    managers = ForwardedQueueManagers(seats.hooks, topology)
    wandering = wandering_in(topology)

    def call(method: str, params: Json) -> Json:
        answer: Json = getattr(managers, method.rpartition(".")[2])(**params) or {}
        return answer

    def check(history: Sequence[Any]) -> tuple[Broken, ...]:
        return (*broken_in(history), *wandering(history))

    return Play(call, stage_of(topology, managers), check)


def steps_in(topology: Topology) -> st.SearchStrategy[Step]:
    """Return where the steps of schedules for an enterprise come from."""
    stage = stage_of(topology)
    pauses = st.sampled_from(_PAUSES)
    pairs = [(end, other) for end in stage.ends for other in stage.ends if end != other]
    links = st.sampled_from(sorted(tuple(sorted(map(str, pair))) for pair in topology.neighbours))
    between = st.builds(
        lambda pair, deed, after: Step(pair[0], deed, pair[1], after),
        # Most goes one way, so that what fails there meets what is sent there.
        st.sampled_from([*pairs, *[pairs[0]] * len(pairs)]),
        st.sampled_from(_BETWEEN_ENDS),
        pauses,
    )
    at_ends = st.builds(
        lambda end, deed, after: Step(end, deed, after=after),
        st.sampled_from(stage.ends),
        st.sampled_from(_AT_ENDS),
        pauses,
    )
    networks = st.builds(
        lambda link, deed, after: Step(link[0], deed, link[1], after),
        links,
        st.sampled_from((Deed.CUT, Deed.LINKED)),
        pauses,
    )
    anywhere = st.builds(
        lambda machine, deed, after: Step(machine, deed, after=after),
        st.sampled_from(stage.machines),
        st.sampled_from(_ANYWHERE),
        pauses,
    )
    return st.one_of(between, between, between, at_ends, networks, anywhere)


def classics(topology: Topology) -> tuple[Schedule, ...]:
    """Return what is tried before schedules are drawn: all ways, gaps, copies that come late, restarts, expiry."""
    ends = stage_of(topology).ends
    end, other = ends[:2]
    sends, plain, brief = (Step(end, deed, other) for deed in (Deed.SENDS, Deed.SENDS_PLAIN, Deed.SENDS_BRIEFLY))
    soon, late = replace(sends, after=1), replace(sends, after=31)
    loses, delays = (Step(end, deed, other) for deed in (Deed.LOSES, Deed.DELAYS))
    loses_back, delays_back = (Step(other, deed, end) for deed in (Deed.LOSES, Deed.DELAYS))
    restarts, restarts_other = (
        [Step(machine, deed) for deed in (Deed.CRASHES, Deed.STARTS)] for machine in (end, other)
    )
    return (
        tuple(Step(source, Deed.SENDS, to) for source in ends for to in ends if source != to),
        (sends, soon, late, sends, plain, late),
        (sends,) * 8,
        (loses, sends, loses, sends, late),
        (sends, soon, loses, soon, loses_back, loses_back, late, sends),
        (delays, sends, late, late, late),
        (sends, *restarts_other, soon, *restarts, sends, *restarts_other, *restarts, sends, *restarts_other, *restarts),
        (
            sends,
            soon,
            soon,
            *restarts_other,
            *restarts,
            sends,
            soon,
            *restarts,
            soon,
            *restarts_other,
            *restarts,
            sends,
        ),
        (loses_back, sends, sends, *restarts, sends, *restarts_other, *restarts, late),
        (sends, soon, *[loses] * 4, brief, late, soon, sends),
        (*[loses] * 8, sends, brief, sends, late, sends, soon),
        (*[loses_back] * 6, brief, late, soon),
        (*[loses_back] * 6, brief, sends, late, soon, late),
        (delays, brief, late, sends, late, sends),
        (delays_back, sends, soon, soon, late, late),
        (loses, sends, Step(end, Deed.SENDS, ends[-1]), late),
    )


@dataclass(frozen=True, slots=True)
class Culprit:
    """Whose fault a broken promise is.

    Attributes:
        seats: those with which the promise is broken and without which it is kept; empty where it is the system's.
    """

    seats: tuple[str, ...]

    def __str__(self) -> str:
        """Name the culprit."""
        return " and ".join(f"the {seat}" for seat in self.seats) or "the system"


def culprit_of(
    trouble: Trouble, specs: Mapping[str, str], played_with: Callable[[Mapping[str, str]], Trouble]
) -> Culprit:
    """Return whose fault it is: a seat's where the reference in it keeps the promises under the same schedule.

    Args:
        trouble: what is broken.
        specs: seat -> what takes it.
        played_with: plays the schedule with other specs.
    """
    requirements = {violation.requirements[0] for violation in trouble.broken}
    occupied = tuple(seat for seat, spec in specs.items() if spec != REFERENCE)

    def kept_without(*seats: str) -> bool:
        broken = played_with({**specs, **dict.fromkeys(seats, REFERENCE)}).broken
        return requirements.isdisjoint(violation.requirements[0] for violation in broken)

    alone = tuple(seat for seat in occupied if kept_without(seat))
    if alone or len(occupied) < 2 or not kept_without(*occupied):
        return Culprit(alone)
    return Culprit(occupied)
