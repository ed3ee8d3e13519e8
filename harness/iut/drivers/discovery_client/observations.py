"""What is observed of a discovery client: what reached it, what it did and when, and all that as a time line.

Effects and states are in the terms of the model, in whichever form they came.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from mqconform.harness.iut.drivers.discovery_client.script import Stimulus, name_of, networks_text
from mqconform.harness.iut.interface import IutFault, Json
from mqconform.reference.errors import MalformedGuid
from mqconform.reference.mqsd.client import SECOND, Complete, Effect, Event, NetworkAddress, Result, Send, ShownState
from mqconform.reference.mqsd.guid import GUID_SIZE, guid_from_text
from mqconform.reference.mqsd.specification import FACTS


@dataclass(frozen=True, slots=True)
class Timed:
    """One effect and when it was seen.

    Attributes:
        stimulus: number of the stimulus after which it was seen, counted from 0.
        at: nanoseconds since the client was configured.
    """

    effect: Effect
    stimulus: int
    at: int

    @property
    def seconds(self) -> str:
        """When it was seen, in words."""
        return f"at {self.at / SECOND:.1f} s"


@dataclass(frozen=True, slots=True)
class Arrived:
    """A datagram arrived, or the client was started, or nothing but time had passed."""

    at: int
    """Nanoseconds."""
    event: Event
    shown: ShownState | None = None
    """State that it showed, where it did nothing else."""


@dataclass(frozen=True, slots=True)
class Done:
    """The client did something."""

    at: int
    """Nanoseconds."""
    effect: Effect
    shown: ShownState | None = None
    """State that it showed afterwards."""


def effect_from(effect: Json) -> Effect:
    """Return one of the ``effects`` of an answer.

    Raises:
        IutFault: it is none.
    """
    try:
        if "send" in effect:
            return Send(effect["send"]["network"], bytes.fromhex(effect["send"]["datagram"]))
        return Complete(Result(effect["complete"]["result"]))
    except (KeyError, ValueError, TypeError) as error:
        raise IutFault("schema", f"effects: {error}; expected a send or a complete, see the protocol") from None


def shown_from(answer: Json) -> ShownState:
    """Return what ``discovery_client.state`` answered.

    Raises:
        IutFault: an element of it is not what it should be.
    """
    state: ShownState = {}
    try:
        if "directory_servers" in answer:
            state["directory_servers"] = tuple(answer["directory_servers"])
        if "connected_networks" in answer:
            state["connected_networks"] = tuple(guid_from_text(network) for network in answer["connected_networks"])
        if "request_id" in answer:
            request_id = answer["request_id"]
            state["request_id"] = None if request_id is None else guid_from_text(request_id)
    except (MalformedGuid, TypeError) as error:
        raise IutFault("schema", f"discovery_client.state: {error}") from None
    if "valid_last_successful_network_address" in answer:
        state["valid_last_successful_network_address"] = answer["valid_last_successful_network_address"]
    if "last_successful_network_address" in answer:
        state["last_successful_network_address"] = answer["last_successful_network_address"]
    if "current_network_index" in answer:
        state["current_network_index"] = answer["current_network_index"]
    return state


def request_ids_of(effects: Iterable[Effect]) -> tuple[bytes, ...]:
    """Return the RequestIDs of what was sent, each once and in order, padded where a request is cut."""
    sent = (effect for effect in effects if isinstance(effect, Send))
    return tuple(dict.fromkeys(request.datagram[FACTS.request_id].ljust(GUID_SIZE, b"\0") for request in sent))


class Told(NamedTuple):
    """One line."""

    at: int
    """Nanoseconds since the client was configured."""
    what: Stimulus | Effect


def timeline(networks: tuple[NetworkAddress, ...], entries: Sequence[Told]) -> str:
    """Return the lines, those of the client's own deeds with an arrow."""
    ids = dict.fromkeys(entry.what.datagram[FACTS.request_id] for entry in entries if isinstance(entry.what, Send))
    numbers = {request_id: number for number, request_id in enumerate(ids, start=1)}
    lines = [f"    0.0 s  a client on networks {networks_text(networks)}"]
    for at, what in entries:
        arrow = "  -> " if isinstance(what, Send | Complete) else ""
        lines.append(f"{at / SECOND:7.1f} s  {arrow}{_words(what, numbers)}")
    return "\n".join(lines)


def _words(what: Stimulus | Effect, numbers: Mapping[bytes, int]) -> str:
    if isinstance(what, Send):
        # RequestIDs are another in each run, what a run says is not.
        number = numbers[what.datagram[FACTS.request_id]]
        return f"request with RequestID {number} on network {name_of(what.network)}"
    return f"{what}"
