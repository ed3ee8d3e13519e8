"""One state that the observed client may be in, the readings that lead there, and those that are still open.

A client has some thirty ambiguous places, far too many for a list of combinations. So a rule that asks at an open
place is stopped, and runs again once for each choice that is left there; places at which no rule has asked stay whole.
"""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import partial
from itertools import product
from types import MappingProxyType
from typing import Final, Protocol, TypeVar

from msgspec import structs

from mqconform.reference.allowed import Reading, Standing
from mqconform.reference.choice import Choice
from mqconform.reference.mqsd.client.events import ClockAdvanced, Effect, Event, Send
from mqconform.reference.mqsd.client.explain.observation import (
    Difference,
    Observation,
    effect_differences,
    holds_names_from_elsewhere,
    new_guid_after,
    repeats_with_new_id,
    request_ids,
    state_differences,
    without_repetitions,
)
from mqconform.reference.mqsd.client.readings import (
    LITERAL,
    HeaderNotZero,
    LesserError,
    ListBetweenEvents,
    Readings,
    RequestIds,
    Requests,
)
from mqconform.reference.mqsd.client.received_reply import HEADER_IRREGULARITIES, Irregularity
from mqconform.reference.mqsd.client.state import ClientState
from mqconform.reference.mqsd.client.step import transition
from mqconform.reference.mqsd.client.transition import Moment, Transition
from mqconform.reference.mqsd.guid import Guid
from mqconform.reference.mqsd.specification import FACTS

T = TypeVar("T")

Choices = tuple[Choice, ...]
"""What is left at a place, in the order of declaration."""
Space = Mapping[str, Choices]
"""The choices at each place; a place is a field of ``Readings``, or one kind of irregularity."""


class StillOpen(Exception):
    """A rule asked at a place where several choices are left."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


def _place(kind: Irregularity) -> str:
    return f"{'header_not_zero' if kind in HEADER_IRREGULARITIES else 'lesser_error'}: {kind}"


def space(worst: Standing) -> Space:
    """Return, for each place, the choices whose standing is ``worst`` or better."""
    irregular = {"header_not_zero", "lesser_error"}
    kinds = {field.name: type(getattr(LITERAL, field.name)) for field in fields(Readings)}
    places = {name: kind for name, kind in kinds.items() if name not in irregular}
    # A client may take exception to one irregularity and not to another.
    places |= {_place(kind): type(LITERAL.on_irregularity(kind)) for kind in Irregularity}
    return MappingProxyType(
        {name: tuple(choice for choice in kind if choice.reading.standing <= worst) for name, kind in places.items()}
    )


PERMITTED: Final = space(Standing.PERMITTED)
"""Every reading that the default profile passes."""
EVERY_READING: Final = space(Standing.REFUSED)
"""The refused ones as well, to give a violation a name."""


@dataclass(frozen=True, slots=True)
class Combinations:
    """A set of combinations of readings: one of the choices left at each place, independently of each other."""

    space: Space = field(compare=False, repr=False)
    narrowed: tuple[tuple[str, Choices], ...] = ()
    """The places where fewer choices are left than there were, by name."""

    def left_at(self, place: str) -> Choices:
        """Return the choices left at a place."""
        for name, choices in self.narrowed:
            if name == place:
                return choices
        return self.space[place]

    def with_left_at(self, place: str, choices: Choices) -> "Combinations":
        """Return the same with these choices at a place, given in the order of declaration."""
        others = [entry for entry in self.narrowed if entry[0] != place]
        if len(choices) < len(self.space[place]):
            others.append((place, choices))
            others.sort(key=_name)
        return Combinations(self.space, tuple(others))

    def includes(self, readings: Readings) -> bool:
        """Return whether a client that follows ``readings`` throughout is among them."""
        return all(_choice_at(place, readings) in choices for place, choices in self.narrowed)


class OpenReadings(Readings):
    """Readings as a rule asks for them while some are open."""

    def __init__(self, combinations: Combinations) -> None:
        # Without fields of its own every field is looked up below.
        self.__dict__["_combinations"] = combinations

    def __getattr__(self, place: str) -> Choice:
        """Return the choice at a place that is a field.

        Raises:
            StillOpen: if several are left.
        """
        if place not in self.__dict__["_combinations"].space:
            raise AttributeError(place)
        return self._choice_at(place)

    def on_irregularity(self, kind: Irregularity) -> HeaderNotZero | LesserError:
        """Return what the client does with a reply that is irregular in that way.

        Raises:
            StillOpen: if both are possible.
        """
        choice = self._choice_at(_place(kind))
        assert isinstance(choice, HeaderNotZero | LesserError)
        return choice

    def _choice_at(self, place: str) -> Choice:
        combinations: Combinations = self.__dict__["_combinations"]
        choices = combinations.left_at(place)
        if len(choices) > 1:
            raise StillOpen(place)
        return choices[0]


def under_each(combinations: Combinations, run: Callable[[Readings], T]) -> Iterator[tuple[Combinations, T]]:
    """Yield what ``run`` returns under each choice that it asks for, with the combinations that lead to it."""
    try:
        outcome = run(OpenReadings(combinations))
    except StillOpen as asked:
        place = asked.place
    else:
        yield combinations, outcome
        return
    for choice in combinations.left_at(place):
        yield from under_each(combinations.with_left_at(place, (choice,)), run)


def joined(combinations: Iterable[Combinations]) -> tuple[Combinations, ...]:
    """Return the same combinations in fewer sets, by joining those that differ at one place only."""
    left = list(dict.fromkeys(combinations))
    count = 0
    while count != len(left):
        count = len(left)
        for place in sorted({name for combination in left for name, _ in combination.narrowed}):
            left = _joined_at(place, left)
    return tuple(left)


def _joined_at(place: str, combinations: list[Combinations]) -> list[Combinations]:
    alike: dict[Combinations, set[Choice]] = {}
    for combination in combinations:
        alike.setdefault(combination.with_left_at(place, combination.space[place]), set()).update(
            combination.left_at(place)
        )
    return [
        whole.with_left_at(place, tuple(choice for choice in whole.space[place] if choice in choices))
        for whole, choices in alike.items()
    ]


def _name(entry: tuple[str, Choices]) -> str:
    return entry[0]


def _choice_at(place: str, readings: Readings) -> Choice:
    choice: Choice = getattr(readings, place.partition(":")[0])
    return choice


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
    """Yield every way in which a hypothesis can go on, whether it fits the observation or not."""
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
    with_new_ids = without_repetitions(observation.effects, current, seeing.used_ids)
    used_ids = None
    if with_new_ids != observed and readings.request_ids is RequestIds.NEW_PER_PACKET:
        observed, used_ids = with_new_ids, seeing.used_ids
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
    expected = without_repetitions(after.effects, current, used_ids) if repeats else after.effects
    if repeats and used_ids is not None:
        after = _waiting_for_the_latest(after, observation.effects, used_ids)
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


def _waiting_for_the_latest(after: Transition, effects: Sequence[Effect], used_ids: Container[bytes]) -> Transition:
    """Return the same with the RequestID that the client has given the latest repetition of its request."""
    latest = next((effect for effect in reversed(effects) if isinstance(effect, Send)), None)
    if latest is None or not repeats_with_new_id(latest, after.state.last_request, used_ids):
        return after
    request_id = Guid(latest.datagram[FACTS.request_id])
    return after.to(structs.replace(after.state, request_id=request_id, last_request=latest))


def _standing(choice: Choice) -> Standing:
    return choice.reading.standing
