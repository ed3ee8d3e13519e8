"""A discovery client that is driven over the IUT protocol, with the model's explanation keeping pace."""

from dataclasses import dataclass, field
from typing import Final

from mqconform.harness.iut import IutFault, Json, Unsupported
from mqconform.harness.mqsd.client_replies import guid_named
from mqconform.harness.mqsd.client_stimuli import (
    Brings,
    NetworksBecome,
    Passes,
    Starts,
    Stimulus,
    address_of,
    name_of,
    networks_text,
)
from mqconform.harness.running.session import Session
from mqconform.reference.errors import MalformedGuid
from mqconform.reference.mqsd.client import (
    SECOND,
    ClockAdvanced,
    Complete,
    DatagramReceived,
    Effect,
    Event,
    Explanation,
    GetDirectoryServerList,
    NetworkAddress,
    NetworksChanged,
    Observation,
    Result,
    Send,
    ShownState,
    explanation_from,
    initialize,
)
from mqconform.reference.mqsd.guid import GUID_SIZE, Guid, guid_from_text, guid_text

TENTH: Final = SECOND // 10
WAIT: Final = 15 * SECOND
ENTERPRISE, SITE = Guid(guid_named("enterprise")), Guid(guid_named("site own"))


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
class ClientUnderTest:
    """One client from ``configure`` on.

    Attributes:
        stimuli: what has happened to it, in order.
        now: nanoseconds since it was configured.
        shows: whether it offers ``discovery_client.state``.
        explanation: what the model makes of it; none before ``configure``.
    """

    run: Session
    networks: tuple[NetworkAddress, ...]
    enterprise: Guid = ENTERPRISE
    site: Guid = SITE
    stimuli: list[Stimulus] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)
    now: int = 0
    shows: bool = True
    shown: ShownState | None = None
    explanation: Explanation = field(init=False)

    def configure(self) -> None:
        """Give the client its configuration."""
        params = {"enterprise": guid_text(self.enterprise), "site": guid_text(self.site)}
        self.run.iut.call("discovery_client.configure", {**params, "networks": _params(self.networks)})
        self.shown = self._show()
        known = self.shown or {}
        # What a list holds at the start is the computer's own affair (register SD-64).
        servers, connected = known.get("directory_servers", ()), known.get("connected_networks", ())
        self.explanation = explanation_from(
            initialize(self.enterprise, self.site, self.networks, servers, connected),
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
                networks = {"networks": _params(stimulus.networks)}
                self._call("change_networks", networks, NetworksChanged(stimulus.networks))

    @property
    def request_ids(self) -> tuple[bytes, ...]:
        """RequestIDs sent so far, each once, padded where a request is cut."""
        sent = (one for seen in self.seen for one in seen.observation.effects if isinstance(one, Send))
        return tuple(dict.fromkeys(one.datagram[20:36].ljust(GUID_SIZE, b"\0") for one in sent))

    @property
    def contradicted_at_the_end(self) -> bool:
        """Whether what no reading explains came with the last stimulus."""
        contradiction = self.explanation.contradiction
        return contradiction is not None and self.seen[contradiction.number].stimulus == len(self.stimuli) - 1

    def timeline(self) -> str:
        """Return what happened and what the client did, a line for each stimulus or effect."""
        lines = [f"    0.0 s  a client on networks {networks_text(self.networks)}"]
        for number, stimulus in enumerate(self.stimuli):
            calls = [one for one in self.seen if one.stimulus == number]
            started = calls[0].before if calls else self.now
            lines.append(f"{_seconds(started)}  {stimulus}")
            lines += [
                f"{_seconds(one.observation.now)}    -> {_told(effect)}"
                for one in calls
                for effect in one.observation.effects
            ]
        return "\n".join(lines)

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
        return known or [(active or [self.now])[-1] + WAIT, self.now + WAIT]

    def _call(self, operation: str, params: Json, event: Event, step: int = 0) -> None:
        answer = self.run.iut.call(f"discovery_client.{operation}", params)
        before, self.now = self.now, self.now + step
        self.shown = self._show()
        effects = tuple(_effect(one) for one in answer.get("effects", ()))
        observation = Observation(event, self.now, effects, self.shown)
        self.seen.append(Seen(len(self.stimuli) - 1, before, observation))
        self.explanation = self.explanation.after(observation)

    def _show(self) -> ShownState | None:
        if not self.shows:
            return None
        try:
            return _shown(self.run.iut.call("discovery_client.state", {}))
        except Unsupported:
            self.shows = False
            return None


def _params(networks: tuple[NetworkAddress, ...]) -> list[Json]:
    return [{"address": one.address, "remote_access": one.remote_access} for one in networks]


def _effect(effect: Json) -> Effect:
    try:
        if "send" in effect:
            return Send(effect["send"]["network"], bytes.fromhex(effect["send"]["datagram"]))
        return Complete(Result(effect["complete"]["result"]))
    except (KeyError, ValueError, TypeError) as error:
        raise IutFault("schema", f"effects: {error}; expected a send or a complete, see the protocol") from None


def _shown(answer: Json) -> ShownState:
    shown: ShownState = {}
    try:
        if "directory_servers" in answer:
            shown["directory_servers"] = tuple(answer["directory_servers"])
        if "connected_networks" in answer:
            shown["connected_networks"] = tuple(guid_from_text(one) for one in answer["connected_networks"])
        if "request_id" in answer:
            request_id = answer["request_id"]
            shown["request_id"] = None if request_id is None else guid_from_text(request_id)
    except (MalformedGuid, TypeError) as error:
        raise IutFault("schema", f"discovery_client.state: {error}") from None
    if "valid_last_successful_network_address" in answer:
        shown["valid_last_successful_network_address"] = answer["valid_last_successful_network_address"]
    if "last_successful_network_address" in answer:
        shown["last_successful_network_address"] = answer["last_successful_network_address"]
    if "current_network_index" in answer:
        shown["current_network_index"] = answer["current_network_index"]
    return shown


def _seconds(nanoseconds: int) -> str:
    return f"{nanoseconds / SECOND:7.1f} s"


def _told(effect: Effect) -> str:
    if isinstance(effect, Send):
        return f"request {effect.datagram[20:36].hex()[:8]} on network {name_of(effect.network)}"
    return f"{effect}"
