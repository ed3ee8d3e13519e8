"""One state that the observed client may be in, and the readings that lead there."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Protocol

from msgspec import structs

from mqconform.reference.allowed import Reading, Standing
from mqconform.reference.choice import Choice
from mqconform.reference.mqsd.client.events import ClockAdvanced, Event, Send
from mqconform.reference.mqsd.client.explain.observation import (
    Difference,
    Observation,
    effect_differences,
    holds_names_from_elsewhere,
    new_guid_after,
    request_ids,
    state_differences,
    without_repetitions,
)
from mqconform.reference.mqsd.client.explain.open_readings import Combinations, joined, under_each
from mqconform.reference.mqsd.client.readings import ListBetweenEvents, Readings, Requests
from mqconform.reference.mqsd.client.state import ClientState
from mqconform.reference.mqsd.client.step import transition
from mqconform.reference.mqsd.client.transition import Moment, Transition
from mqconform.reference.mqsd.guid import Guid

GoOn = Callable[[ClientState, Event, Moment], Transition]


class Rules(Protocol):
    """How a client goes on; see ``transition``."""

    def __call__(self, state: ClientState, event: Event, moment: Moment, /, *, slack: int = 0) -> Transition:
        """Return the client after an event."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """A state, and the combinations of readings under which the run so far ends in it."""

    state: ClientState
    combinations: Combinations

    @property
    def needed(self) -> tuple[Reading, ...]:
        """The readings that lead to this state; of several at one place, the one that stands best."""
        readings = (min(choices, key=_standing).reading for _, choices in self.combinations.narrowed)
        return tuple(sorted(set(readings)))

    @property
    def standing(self) -> Standing:
        """The worst standing among the readings that lead to it."""
        return max((reading.standing for reading in self.needed), default=Standing.TEXT)


@dataclass(frozen=True, slots=True)
class Seeing:
    """What is known and what can be seen of a client at all."""

    used_ids: frozenset[bytes]
    """RequestIDs that it has used so far."""
    heard_names: frozenset[str] = frozenset()
    """Names of servers that replies have brought, or that were in its list from the start."""
    completions: bool = True
    """Whether it tells that an event is complete."""
    rules: tuple[Rules, ...] = (transition,)
    """At each step it goes by one of them."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a hypothesis, with the choices that its rules asked for, makes of one observation."""

    combinations: Combinations
    transition: Transition
    differences: tuple[Difference, ...]

    @property
    def distance(self) -> tuple[int, int, int, Standing, int]:
        """How far it is from what was observed: other effects, too few or too many, all that differs, readings."""
        whole = sum(difference.requirements == self.transition.requirements for difference in self.differences)
        needed = Hypothesis(self.transition.state, self.combinations)
        unequal = sum("nothing" in {difference.expected, difference.observed} for difference in self.differences)
        return whole, unequal, len(self.differences), needed.standing, len(needed.needed)


def attempts(
    hypothesis: Hypothesis, observation: Observation, seeing: Seeing, slacks: Iterable[int]
) -> Iterator[Attempt]:
    """Yield every way in which a hypothesis can go on, whether it fits the observation or not.

    Args:
        hypothesis: the client before the observation.
        observation: what happened and what the client did.
        seeing: what is known of the client, and what can be seen.
        slacks: see ``transition``; each of them may be the case.
    """
    for slack, rules in product(slacks, seeing.rules):
        go_on = partial(rules, slack=slack)

        def run(readings: Readings, go_on: GoOn = go_on) -> tuple[Transition, tuple[Difference, ...]]:
            return _compare(hypothesis.state, observation, readings, seeing, go_on)

        for combinations, (after, differences) in under_each(hypothesis.combinations, run):
            yield Attempt(combinations, after, differences)


def merged(fitting: Iterable[Attempt]) -> tuple[Hypothesis, ...]:
    """Return one hypothesis for each state and each set of combinations that does not join another."""
    by_state: dict[ClientState, list[Combinations]] = {}
    for attempt in fitting:
        by_state.setdefault(attempt.transition.state, []).append(attempt.combinations)
    return tuple(
        Hypothesis(state, combinations) for state, several in by_state.items() for combinations in joined(several)
    )


def _compare(
    state: ClientState, observation: Observation, readings: Readings, seeing: Seeing, go_on: GoOn
) -> tuple[Transition, tuple[Difference, ...]]:
    current = state.last_request if state.in_progress else None
    observed = without_repetitions(observation.effects, current)
    repeats = observed != observation.effects and readings.requests is Requests.REPEATED
    if not repeats:
        observed = observation.effects
    ids = request_ids(observed)

    def new_guid(request: int) -> Guid:
        position = request - state.requests_sent
        chosen = ids[position] if position < len(ids) else b""
        return new_guid_after(seeing.used_ids.union(ids[:position]), chosen)

    after = go_on(state, observation.event, Moment(observation.now, readings, new_guid))
    # A network that is listed twice gets the same request twice by right, which cannot be told from a repetition.
    expected = without_repetitions(after.effects, current) if repeats else after.effects
    listed = observation.shown.get("directory_servers", ()) if observation.shown else ()
    if (
        isinstance(observation.event, ClockAdvanced)
        and holds_names_from_elsewhere(listed, after.state.directory_server_list, seeing.heard_names)
        and readings.list_between_events is ListBetweenEvents.CHANGED
    ):
        after = after.to(structs.replace(after.state, directory_server_list=listed))
    if not seeing.completions:
        expected = tuple(effect for effect in expected if isinstance(effect, Send))
    of_effects = effect_differences(expected, observed, after.requirements)
    of_state = state_differences(after.state, observation.shown) if observation.shown else ()
    return after, (*of_effects, *of_state)


def _standing(choice: Choice) -> Standing:
    return choice.reading.standing
