"""A discovery client that is driven over the IUT protocol, with the model's explanation keeping pace.

The explanation tells when waits may end, so that time passes in steps that show what happens then.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from mqconform.harness.iut.drivers.discovery_client.answers import effect_from, request_ids_of, shown_from
from mqconform.harness.iut.drivers.discovery_client.observations import Timed
from mqconform.harness.iut.drivers.discovery_client.script import Configuration, network_params
from mqconform.harness.iut.drivers.discovery_client.stimuli import (
    Brings,
    NetworksBecome,
    Passes,
    Starts,
    Stimulus,
    address_of,
)
from mqconform.harness.iut.drivers.discovery_client.timeline import Told, timeline
from mqconform.harness.iut.interface import Iut, Json, Unsupported
from mqconform.reference.mqsd.client import (
    PERMITTED,
    SECOND,
    ClockAdvanced,
    DatagramReceived,
    Effect,
    Event,
    Explanation,
    GetDirectoryServerList,
    NetworksChanged,
    Observation,
    ShownState,
    explanation_from,
    initialize,
)
from mqconform.reference.mqsd.client.discovery import RESPONSE_TIMEOUT
from mqconform.reference.mqsd.client.explain.hypothesis import Rules
from mqconform.reference.mqsd.client.explain.open_readings import Space

TENTH: Final = SECOND // 10
TOLERANCE: Final = 0.5
"""Seconds by which the end of a wait may be early or late, unless the user says otherwise (register SD-49)."""
LOOK: Final = 5 * SECOND
"""After so long a client is looked at, though nothing is due."""
EDGE: Final = SECOND // 1000
"""By so much a look at the client goes before the earliest permitted end of a wait."""

MOST: Final = 48
"""So many states at most are followed in the search for the sentence that is broken, which bounds what it costs."""


class Reaching(Protocol):
    """Whatever knows how the client is reached; a session may reach another one after a crash."""

    @property
    def iut(self) -> Iut:
        """The client."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One call and what came of it.

    Attributes:
        stimulus: number of the stimulus that it was part of, counted from 0.
        before: when the observation before was made; what the client did, it did since.
    """

    stimulus: int
    before: int
    observation: Observation


@dataclass(slots=True)
class DrivenClient:
    """One client from ``configure`` on.

    Attributes:
        stimuli: what has happened to it, in order.
        now: nanoseconds since it was configured.
        shows_completion: as with ``ObservedClient``.
        shows: whether it offers ``discovery_client.state``.
        explanation: what the model makes of it; none before ``configure``.
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
    shows: bool = True
    shown: ShownState | None = None
    contradicted_at: int | None = None
    explanation: Explanation = field(init=False)
    _ahead: int = 0
    _looks: list[tuple[Observation, ...]] = field(default_factory=list)
    _start: Explanation = field(init=False)

    def configure(self) -> None:
        """Give the client its configuration."""
        known_as = self.configuration
        self.run.iut.call("discovery_client.configure", known_as.params())
        self.shown = self._show()
        known = self.shown or {}
        # What a list holds at the start is the computer's own affair (register SD-64).
        servers, connected = known.get("directory_servers", ()), known.get("connected_networks", ())
        self._start = self.explanation = explanation_from(
            initialize(known_as.enterprise, known_as.site, known_as.networks, servers, connected),
            tolerance=self.tolerance,
        )

    def meet(self, stimulus: Stimulus) -> None:
        """Let something happen to it."""
        self.stimuli.append(stimulus)
        match stimulus:
            case Starts():
                self._call("start", {}, GetDirectoryServerList())
            case Passes():
                self._wait(stimulus.nanoseconds)
            case Brings():
                datagram = stimulus.datagram(self.request_ids)
                address = address_of(stimulus.network)
                params = {"network": address, "datagram": datagram.hex()}
                self._call("receive", params, DatagramReceived(address, datagram))
            case NetworksBecome():
                networks = {"networks": network_params(stimulus.networks)}
                self._call("change_networks", networks, NetworksChanged(stimulus.networks))

    def wait_for_effects(self, nanoseconds: int) -> None:
        """Let time pass beyond what the stimuli take, up to the first thing that the client does."""
        end, known = self.now + nanoseconds, len(self.effects())
        while self.now < end and len(self.effects()) == known:
            step = min(LOOK, end - self.now)
            self._call("advance_clock", {"seconds": step / SECOND}, ClockAdvanced(), step)

    def explained_by(
        self,
        rules: tuple[Rules, ...],
        space: Space = PERMITTED,
        repair: Callable[[tuple[Effect, ...]], tuple[Effect, ...]] | None = None,
    ) -> Explanation:
        """Return what a model with other rules or readings makes of everything that was seen, repaired if wanted."""
        client = self._start.hypotheses[0].state
        explanation = explanation_from(client, space=space, tolerance=self.tolerance, rules=rules)
        for look in _without_silence(self._looks):
            repaired = look if repair is None else tuple(replace(one, effects=repair(one.effects)) for one in look)
            explanation = _after(explanation, repaired)
            explanation = replace(explanation, hypotheses=explanation.hypotheses[:MOST])
        return explanation

    @property
    def request_ids(self) -> tuple[bytes, ...]:
        """RequestIDs sent so far; see ``request_ids_of``."""
        return request_ids_of(effect for seen in self.seen for effect in seen.observation.effects)

    def effects(self) -> list[Timed]:
        """Return all that the client did, in order."""
        return [
            Timed(effect, seen.stimulus, seen.observation.now)
            for seen in self.seen
            for effect in seen.observation.effects
        ]

    def is_at(self, effect: Timed, tenths: int) -> bool:
        """Return whether an effect was seen at that time; whatever went before it may have been early or late."""
        before = sum(one.at <= effect.at for one in self.effects())
        return abs(effect.at - tenths * TENTH) <= self.tolerance * before

    def timeline(self) -> str:
        """Return what happened and what the client did, a line for each stimulus or effect."""
        told = []
        for number, stimulus in enumerate(self.stimuli):
            calls = [one for one in self.seen if one.stimulus == number]
            told.append(Told(calls[0].before if calls else self.now, stimulus))
            told += [Told(one.observation.now, effect) for one in calls for effect in one.observation.effects]
        return timeline(self.configuration.networks, told)

    def _wait(self, nanoseconds: int) -> None:
        """Let time pass, in steps that show when a wait ends."""
        end = self.now + nanoseconds - min(nanoseconds, self._ahead)
        self._ahead -= min(nanoseconds, self._ahead)
        while self.now < end:
            stops = (one for deadline in self._deadlines() for one in self._stops(deadline))
            stop = min((one for one in stops if one > self.now), default=end)
            step = min(stop, end, self.now + LOOK) - self.now
            self._call("advance_clock", {"seconds": step / SECOND}, ClockAdvanced(), step)

    def _stops(self, deadline: int) -> Iterator[int]:
        """Yield when to look at the client around the end of a wait."""
        if not self.tolerance:
            yield from (deadline - TENTH, deadline)
            return
        yield deadline - self.tolerance - EDGE
        step = min(TENTH, self.tolerance)
        yield from range(deadline - self.tolerance, deadline + self.tolerance + 1, step)

    def _deadlines(self) -> list[int]:
        timers = (one.state.wait_for_response_timer for one in self.explanation.hypotheses)
        known = [timer for timer in timers if timer is not None]
        active = [one.observation.now for one in self.seen if one.observation.effects]
        # A client that is no longer understood is watched as if its last deed had begun a wait.
        return known or [(active or [self.now])[-1] + RESPONSE_TIMEOUT, self.now + RESPONSE_TIMEOUT]

    def _call(self, operation: str, params: Json, event: Event, step: int = 0) -> None:
        asked = self.explanation
        look: tuple[Observation, ...] = (self._observe(operation, params, event, step),)
        self.explanation = _after(asked, look)
        if self.tolerance and not step and self.explanation.more_expected:
            look += tuple(self._time_to_react())
            self.explanation = _after(asked, look)
        self._looks.append(look)
        if not self.explanation.holds and self.contradicted_at is None:
            self.contradicted_at = len(self.stimuli) - 1

    def _time_to_react(self) -> Iterator[Observation]:
        """Let the time pass that a client may take, up to the first thing that it does."""
        step, left = min(TENTH, self.tolerance), self.tolerance
        while left > 0:
            left -= step
            self._ahead += step
            yield self._observe("advance_clock", {"seconds": step / SECOND}, ClockAdvanced(), step)
            if self.seen[-1].observation.effects:
                return

    def _observe(self, operation: str, params: Json, event: Event, step: int) -> Observation:
        answer = self.run.iut.call(f"discovery_client.{operation}", params)
        before, self.now = self.now, self.now + step
        self.shown = self._show()
        effects = tuple(effect_from(one) for one in answer.get("effects", ()))
        # A client may already have taken note of what it has not sent yet.
        ending = self.tolerance and step and any(abs(self.now - one) <= self.tolerance for one in self._deadlines())
        observation = Observation(event, self.now, effects, None if ending and not effects else self.shown)
        self.seen.append(Seen(len(self.stimuli) - 1, before, observation))
        return observation

    def _show(self) -> ShownState | None:
        if not self.shows:
            return None
        try:
            return shown_from(self.run.iut.call("discovery_client.state", {}))
        except Unsupported:
            self.shows = False
            return None


def _without_silence(looks: Sequence[tuple[Observation, ...]]) -> list[tuple[Observation, ...]]:
    """Leave out looks at which time had passed and nothing was done, where the next one says the same."""
    left: list[tuple[Observation, ...]] = []
    for look in looks:
        if left and _silent(left[-1]) and _silent(look) and left[-1][0].shown in (None, look[0].shown):
            left.pop()
        left.append(look)
    return left


def _silent(look: tuple[Observation, ...]) -> bool:
    return len(look) == 1 and isinstance(look[0].event, ClockAdvanced) and not look[0].effects


def _after(explanation: Explanation, look: tuple[Observation, ...]) -> Explanation:
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
