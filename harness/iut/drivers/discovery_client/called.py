"""A discovery client that is driven over the IUT protocol, with the model's explanation keeping pace.

The explanation tells when waits may end, so that time passes in steps that show what happens then.
"""

from dataclasses import dataclass, field
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
    SECOND,
    ClockAdvanced,
    DatagramReceived,
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

TENTH: Final = SECOND // 10


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
    """

    run: Reaching
    configuration: Configuration
    stimuli: list[Stimulus] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    now: int = 0
    shows_completion: bool = True
    shows: bool = True
    shown: ShownState | None = None
    explanation: Explanation = field(init=False)

    def configure(self) -> None:
        """Give the client its configuration."""
        known_as = self.configuration
        self.run.iut.call("discovery_client.configure", known_as.params())
        self.shown = self._show()
        known = self.shown or {}
        # What a list holds at the start is the computer's own affair (register SD-64).
        servers, connected = known.get("directory_servers", ()), known.get("connected_networks", ())
        self.explanation = explanation_from(
            initialize(known_as.enterprise, known_as.site, known_as.networks, servers, connected),
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
        """Return whether an effect was seen at that time: to the tenth of a second, as the clock is virtual."""
        return effect.at == tenths * TENTH

    def timeline(self) -> str:
        """Return what happened and what the client did, a line for each stimulus or effect."""
        told = []
        for number, stimulus in enumerate(self.stimuli):
            calls = [one for one in self.seen if one.stimulus == number]
            told.append(Told(calls[0].before if calls else self.now, stimulus))
            told += [Told(one.observation.now, effect) for one in calls for effect in one.observation.effects]
        return timeline(self.configuration.networks, told)

    def _wait(self, nanoseconds: int) -> None:
        """Let time pass, no further than the next end of a wait in one call, and not into its last tenth."""
        end = self.now + nanoseconds
        while self.now < end:
            stops = (one for deadline in self._deadlines() for one in (deadline - TENTH, deadline))
            stop = min((one for one in stops if one > self.now), default=end)
            step = min(stop, end) - self.now
            self._call("advance_clock", {"seconds": step / SECOND}, ClockAdvanced(), step)

    def _deadlines(self) -> list[int]:
        timers = (one.state.wait_for_response_timer for one in self.explanation.hypotheses)
        known = [timer for timer in timers if timer is not None]
        active = [one.observation.now for one in self.seen if one.observation.effects]
        # A client that is no longer understood is watched as if its last deed had begun a wait.
        return known or [(active or [self.now])[-1] + RESPONSE_TIMEOUT, self.now + RESPONSE_TIMEOUT]

    def _call(self, operation: str, params: Json, event: Event, step: int = 0) -> None:
        answer = self.run.iut.call(f"discovery_client.{operation}", params)
        before, self.now = self.now, self.now + step
        self.shown = self._show()
        effects = tuple(effect_from(one) for one in answer.get("effects", ()))
        observation = Observation(event, self.now, effects, self.shown)
        self.seen.append(Seen(len(self.stimuli) - 1, before, observation))
        self.explanation = self.explanation.after(observation)

    def _show(self) -> ShownState | None:
        if not self.shows:
            return None
        try:
            return shown_from(self.run.iut.call("discovery_client.state", {}))
        except Unsupported:
            self.shows = False
            return None
