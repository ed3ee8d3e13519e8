"""Which combinations of readings explain a whole run of one client, and where none does any more."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from mqconform.reference.allowed import Reading
from mqconform.reference.mqsd.client.discovery import RESPONSE_TIMEOUT
from mqconform.reference.mqsd.client.events import Effect
from mqconform.reference.mqsd.client.explain.hypothesis import (
    PERMITTED,
    Attempt,
    Choices,
    Combinations,
    Hypothesis,
    Rules,
    Seeing,
    Space,
    attempts,
    merged,
)
from mqconform.reference.mqsd.client.explain.observation import Difference, Observation, names_heard, request_ids
from mqconform.reference.mqsd.client.readings import Readings
from mqconform.reference.mqsd.client.state import ClientState
from mqconform.reference.mqsd.client.step import transition

CLOSEST: Final = 5
"""How many expectations a contradiction names at most."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What one hypothesis expected where none was right."""

    effects: tuple[Effect, ...]
    requirements: tuple[str, ...]
    """Ids of the rules that applied, in order."""
    readings: tuple[Reading, ...]
    """The readings that it rests on."""
    differences: tuple[Difference, ...]

    def __str__(self) -> str:
        """Return what differs, by which rules, under which readings."""
        differing = "; ".join(
            f"{difference.what}: expected {difference.expected}, observed {difference.observed}"
            for difference in self.differences
        )
        rules = ", ".join(dict.fromkeys(self.requirements)) or "no rule"
        return f"{differing} [{rules}; {', '.join(map(str, self.readings)) or 'any reading'}]"


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The first observation that no combination of readings explains."""

    number: int
    """Of the observation, counted from 0."""
    observation: Observation
    closest: tuple[Expectation, ...]
    """What would have been right by the hypotheses that come closest, the closest first."""

    def __str__(self) -> str:
        """Return the observation's number and what was expected instead."""
        return f"observation {self.number}: " + " | or ".join(map(str, self.closest))


@dataclass(frozen=True, slots=True)
class Explanation:
    """What the observations of one run leave possible; made by ``explanation_from``."""

    hypotheses: tuple[Hypothesis, ...]
    """Not one where the run is contradicted."""
    space: Space
    tolerance: int
    observed: int = 0
    """How many observations there were."""
    used_ids: frozenset[bytes] = frozenset()
    heard_names: frozenset[str] = frozenset()
    """Names of servers that replies have brought, or that were in its list from the start."""
    completions: bool = True
    """Whether the client tells that an event is complete."""
    rules: tuple[Rules, ...] = (transition,)
    """At each step the client goes by one of them."""
    applied: frozenset[str] = frozenset()
    """Ids of the rules that some hypothesis has gone by so far."""
    contradiction: Contradiction | None = None
    more_expected: bool = False
    """Whether the client did nothing at the last observation where some hypothesis expected it to."""

    @property
    def holds(self) -> bool:
        """Whether some combination of readings explains everything observed so far."""
        return self.contradiction is None

    @property
    def best(self) -> Hypothesis | None:
        """The hypothesis that needs the least from the register, None where there is none."""
        return min(self.hypotheses, key=lambda hypothesis: (hypothesis.standing, len(hypothesis.needed)), default=None)

    def allows(self, readings: Readings) -> bool:
        """Return whether a client that follows ``readings`` throughout may be what was observed."""
        return any(hypothesis.combinations.includes(readings) for hypothesis in self.hypotheses)

    def followed(self) -> dict[str, Choices]:
        """Return the places at which the observations rule out some choice, with the choices that remain."""
        left: dict[str, Choices] = {}
        for place, choices in self.space.items() if self.hypotheses else ():
            remaining = {choice for hypothesis in self.hypotheses for choice in hypothesis.combinations.left_at(place)}
            if len(remaining) < len(choices):
                left[place] = tuple(choice for choice in choices if choice in remaining)
        return left

    def after(self, observation: Observation) -> "Explanation":
        """Return the explanation with one more observation; once contradicted it stays as it is."""
        if self.contradiction:
            return self
        seeing = Seeing(self.used_ids, self.heard_names, self.completions, self.rules)
        tried = [
            attempt
            for hypothesis in self.hypotheses
            for attempt in attempts(hypothesis, observation, seeing, self._slacks(hypothesis, observation.now))
        ]
        fitting = [attempt for attempt in tried if not attempt.differences]
        hypotheses = merged(fitting)
        return replace(
            self,
            hypotheses=hypotheses,
            observed=self.observed + 1,
            used_ids=self.used_ids.union(request_ids(observation.effects)),
            heard_names=self.heard_names | names_heard(observation.event),
            applied=self.applied.union(*(attempt.transition.requirements for attempt in fitting)),
            contradiction=None if hypotheses else Contradiction(self.observed, observation, _closest(tried)),
            more_expected=not observation.effects and any(attempt.transition.effects for attempt in tried),
        )

    def _slacks(self, hypothesis: Hypothesis, now: int) -> tuple[int, ...]:
        """Return the slacks that make a difference; see ``transition``."""
        deadline = hypothesis.state.wait_for_response_timer
        if not self.tolerance or deadline is None or deadline > now + self.tolerance:
            return (0,)
        return self.tolerance, -self.tolerance

    def joined_with(self, other: "Explanation") -> "Explanation":
        """Return what is possible where either of two explanations of one run may be the right one."""
        if not other.holds or not self.holds:
            return self if self.holds or not other.holds else other
        return replace(
            self,
            hypotheses=tuple(dict.fromkeys((*self.hypotheses, *other.hypotheses))),
            used_ids=self.used_ids | other.used_ids,
            applied=self.applied | other.applied,
        )


def explanation_from(
    state: ClientState,
    *,
    space: Space = PERMITTED,
    tolerance: int = 0,
    completions: bool = True,
    rules: tuple[Rules, ...] = (transition,),
) -> Explanation:
    """Return the explanation of a run before its first observation.

    Args:
        state: the client as started, from ``initialize``.
        space: the choices that count as explaining: ``PERMITTED``, or ``EVERY_READING`` to name a violation.
        tolerance: nanoseconds by which the end of a wait may be early or late. What happens within it may come before
            or after the end of the wait (register SD-49, SD-67).
        completions: whether the client tells that an event is complete; else none is expected to be seen.
        rules: the client goes by one of them at each step; others than the text's, to find which one was broken.

    Raises:
        ValueError: if the tolerance is not at least 0 and less than the wait itself.
    """
    if not 0 <= tolerance < RESPONSE_TIMEOUT:
        raise ValueError(f"a tolerance of {tolerance} ns; give 0 or more, and less than 15 s")
    return Explanation(
        (Hypothesis(state, Combinations(space)),),
        space,
        tolerance,
        heard_names=frozenset(state.directory_server_list),
        completions=completions,
        rules=rules,
    )


def explain(
    state: ClientState, observations: Iterable[Observation], *, space: Space = PERMITTED, tolerance: int = 0
) -> Explanation:
    """Return the explanation of a whole run; see ``explanation_from``."""
    explanation = explanation_from(state, space=space, tolerance=tolerance)
    for observation in observations:
        explanation = explanation.after(observation)
    return explanation


def _closest(tried: Iterable[Attempt]) -> tuple[Expectation, ...]:
    """Return what the closest hypotheses expected, each expectation once."""
    expectations: dict[tuple[Difference, ...], Expectation] = {}
    for attempt in sorted(tried, key=lambda attempt: attempt.distance):
        needed = Hypothesis(attempt.transition.state, attempt.combinations).needed
        expectations.setdefault(
            attempt.differences,
            Expectation(attempt.transition.effects, attempt.transition.requirements, needed, attempt.differences),
        )
    return tuple(expectations.values())[:CLOSEST]
