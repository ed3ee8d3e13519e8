"""A discovery client that is driven over the IUT protocol, with the model's explanation keeping pace.

The explanation tells when waits may end, so that time passes in steps that show what happens then.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from mqconform.harness.iut.connect import Reaching
from mqconform.harness.iut.drivers.discovery_client import observations
from mqconform.harness.iut.drivers.discovery_client.calls import ClientCalls
from mqconform.harness.iut.drivers.discovery_client.script import Configuration, Passes, Stimulus, event_of
from mqconform.reference.mqsd import client
from mqconform.reference.mqsd.client.discovery import RESPONSE_TIMEOUT

TENTH: Final = client.SECOND // 10
TOLERANCE: Final = 0.5
"""Seconds by which the end of a wait may be early or late, unless the user says otherwise (register SD-49)."""
LOOK: Final = 5 * client.SECOND
"""After so long a client is looked at, though nothing is due."""
EDGE: Final = client.SECOND // 1000
"""By so much a look at the client goes before the earliest permitted end of a wait."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One call and what came of it.

    Attributes:
        stimulus: number of the stimulus that it was part of, counted from 0.
        before: when the observation before was made; what the client did, it did since.
    """

    stimulus: int
    before: int
    observation: client.Observation


@dataclass(slots=True)
class DrivenClient:
    """One client from ``configure`` on.

    Attributes:
        stimuli: what has happened to it, in order.
        now: nanoseconds since it was configured.
        shows_completion: as with ``ObservedClient``.
        explanation: what the model makes of it; none before ``configure``.
        start: the explanation before anything was seen.
        looks: what was seen at each look, with the reaction that was waited for.
        tolerance: nanoseconds by which the end of a wait, or what follows an event, may be early or late.
        contradicted_at: number of the stimulus at which no reading explained it any more; None while one does.
    """

    run: Reaching
    configuration: Configuration
    tolerance: int = 0
    stimuli: list[Stimulus] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    now: int = 0
    shows_completion: bool = True
    shown: client.ShownState | None = None
    contradicted_at: int | None = None
    explanation: client.Explanation = field(init=False)
    start: client.Explanation = field(init=False)
    looks: list[tuple[client.Observation, ...]] = field(default_factory=list)
    _calls: ClientCalls = field(init=False)
    _ahead: int = 0

    def __post_init__(self) -> None:
        """Know how to call it."""
        self._calls = ClientCalls(self.run)

    def configure(self) -> None:
        """Give the client its configuration."""
        known_as = self.configuration
        self._calls.call("configure", known_as.params())
        self.shown = self._show()
        state = self.shown or {}
        # What a list holds at the start is the computer's own affair (register SD-64).
        servers, connected = state.get("directory_servers", ()), state.get("connected_networks", ())
        self.start = self.explanation = client.explanation_from(
            client.initialize(known_as.enterprise, known_as.site, known_as.networks, servers, connected),
            tolerance=self.tolerance,
        )

    def meet(self, stimulus: Stimulus) -> None:
        """Let something happen to it."""
        self.stimuli.append(stimulus)
        if isinstance(stimulus, Passes):
            self._wait(stimulus.nanoseconds, at_once=stimulus.at_once)
        else:
            self._call(event_of(stimulus, self.request_ids))

    def wait_for_effects(self, nanoseconds: int) -> None:
        """Let time pass beyond what the stimuli take, up to the first thing that the client does."""
        end, effects_before = self.now + nanoseconds, len(self.effects())
        while self.now < end and len(self.effects()) == effects_before:
            step = min(LOOK, end - self.now)
            self._call(client.ClockAdvanced(), step)

    @property
    def request_ids(self) -> tuple[bytes, ...]:
        """RequestIDs sent so far; see ``request_ids_of``."""
        return observations.request_ids_of(effect for call in self.seen for effect in call.observation.effects)

    def effects(self) -> list[observations.Timed]:
        """Return all that the client did, in order."""
        return [
            observations.Timed(effect, call.stimulus, call.observation.now)
            for call in self.seen
            for effect in call.observation.effects
        ]

    def is_at(self, effect: observations.Timed, tenths: int) -> bool:
        """Return whether an effect was seen at that time; each effect before it may have been early or late."""
        before = sum(earlier.at <= effect.at for earlier in self.effects())
        return abs(effect.at - tenths * TENTH) <= self.tolerance * before

    def timeline(self) -> str:
        """Return what happened and what the client did, a line for each stimulus or effect."""
        entries = []
        for number, stimulus in enumerate(self.stimuli):
            calls = [call for call in self.seen if call.stimulus == number]
            entries.append(observations.Told(calls[0].before if calls else self.now, stimulus))
            entries += [
                observations.Told(call.observation.now, effect) for call in calls for effect in call.observation.effects
            ]
        return observations.timeline(self.configuration.networks, entries)

    def _wait(self, nanoseconds: int, *, at_once: bool) -> None:
        """Let time pass, in steps that show when a wait ends, or in one."""
        end = self.now + nanoseconds - min(nanoseconds, self._ahead)
        self._ahead -= min(nanoseconds, self._ahead)
        if at_once and self.now < end:
            self._call(client.ClockAdvanced(), end - self.now)
        while self.now < end:
            stops = (moment for deadline in self._deadlines() for moment in self._stops(deadline))
            stop = min((moment for moment in stops if moment > self.now), default=end)
            step = min(stop, end, self.now + LOOK) - self.now
            self._call(client.ClockAdvanced(), step)

    def _stops(self, deadline: int) -> Iterator[int]:
        """Yield when to look at the client around the end of a wait."""
        if not self.tolerance:
            yield from (deadline - TENTH, deadline)
            return
        yield deadline - self.tolerance - EDGE
        step = min(TENTH, self.tolerance)
        yield from range(deadline - self.tolerance, deadline + self.tolerance + 1, step)

    def _deadlines(self) -> list[int]:
        timers = (hypothesis.state.wait_for_response_timer for hypothesis in self.explanation.hypotheses)
        deadlines = [timer for timer in timers if timer is not None]
        active = [call.observation.now for call in self.seen if call.observation.effects]
        # A client that is no longer understood is watched as if its last deed had begun a wait.
        return deadlines or [(active or [self.now])[-1] + RESPONSE_TIMEOUT, self.now + RESPONSE_TIMEOUT]

    def _call(self, event: client.Event, step: int = 0) -> None:
        asked = self.explanation
        look: tuple[client.Observation, ...] = (self._observe(event, step),)
        self.explanation = explained_after(asked, look)
        if self.tolerance and not step and self.explanation.more_expected:
            look += tuple(self._time_to_react())
            self.explanation = explained_after(asked, look)
        self.looks.append(look)
        if not self.explanation.holds and self.contradicted_at is None:
            self.contradicted_at = len(self.stimuli) - 1

    def _time_to_react(self) -> Iterator[client.Observation]:
        """Let the time pass that a client may take, up to the first thing that it does."""
        step, left = min(TENTH, self.tolerance), self.tolerance
        while left > 0:
            left -= step
            self._ahead += step
            yield self._observe(client.ClockAdvanced(), step)
            if self.seen[-1].observation.effects:
                return

    def _observe(self, event: client.Event, step: int) -> client.Observation:
        answer = self._calls.meet(event, step)
        before, self.now = self.now, self.now + step
        self.shown = self._show()
        effects = tuple(observations.effect_from(effect) for effect in answer)
        # A client may already have taken note of what it has not sent yet.
        ending = (
            self.tolerance
            and step
            and any(abs(self.now - deadline) <= self.tolerance for deadline in self._deadlines())
        )
        observation = client.Observation(event, self.now, effects, None if ending and not effects else self.shown)
        self.seen.append(Seen(len(self.stimuli) - 1, before, observation))
        return observation

    def _show(self) -> client.ShownState | None:
        answer = self._calls.state()
        return None if answer is None else observations.shown_from(answer)


def explained_after(explanation: client.Explanation, look: tuple[client.Observation, ...]) -> client.Explanation:
    """Return an explanation after an event and the time to react; what came may have either for its cause."""
    silent = explanation.after(look[0])
    for observation in look[1:]:
        by_time = silent.after(observation)
        if observation.effects:
            by_event = explanation.after(replace(observation, event=look[0].event))
            # Of two that do not hold, the one that knows of the effects says more.
            return by_event.joined_with(by_time) if by_event.holds or not silent.holds else by_time
        silent = by_time
    return silent
