"""The reference discovery client with one thing done wrongly on purpose: what its mutants are made of (MS-MQSD 3.1)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeVar

from mqconform.harness.iut.mutants.mutant import Mutant, altered
from mqconform.harness.iut.reference_iut.discovery_client import ReferenceDiscoveryClient
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.mqsd.client import (
    UNDISPUTED,
    ClientState,
    Complete,
    DatagramReceived,
    Effect,
    Event,
    GetDirectoryServerList,
    Readings,
    Send,
)
from mqconform.reference.mqsd.messages import REPLY

SIZE = REPLY["DirectoryServiceServerSize"]

ClientFactory = Callable[[], ReferenceDiscoveryClient]
EffectKind = TypeVar("EffectKind", Send, Complete)


def client(name: str, says: str, make: ClientFactory, breaks: tuple[str, ...] = ()) -> Mutant:
    """Return the mutant of a role ``discovery_client``."""
    return Mutant(name, says, RoleName.DISCOVERY_CLIENT, make, breaks)


@dataclass(frozen=True, slots=True)
class Reaction:
    """What a client does at an event."""

    before: ClientState
    event: Event
    after: ClientState
    effects: Sequence[Effect]

    @property
    def to_trigger(self) -> bool:
        """Whether the event is Get Directory Server List."""
        return isinstance(self.event, GetDirectoryServerList)

    @property
    def to_datagram(self) -> bool:
        """Whether the event is a datagram."""
        return isinstance(self.event, DatagramReceived)

    @property
    def to_reply_of_another_site(self) -> bool:
        """Whether the event is a datagram that lists servers."""
        return isinstance(self.event, DatagramReceived) and any(self.event.datagram[SIZE.place])

    @property
    def sends(self) -> bool:
        """Whether a request goes out."""
        return any(isinstance(effect, Send) for effect in self.effects)

    @property
    def completes(self) -> bool:
        """Whether an event is completed."""
        return any(isinstance(effect, Complete) for effect in self.effects)

    @property
    def keeps_reply(self) -> bool:
        """Whether LastTopologyServerReply is filled."""
        return self.before.last_topology_server_reply is None and self.after.last_topology_server_reply is not None

    def leaving(self, **elements: Any) -> "Reaction":
        """Return the reaction that leaves the client with other data elements."""
        return replace(self, after=replace(self.after, **elements))

    def doing(self, *effects: Effect) -> "Reaction":
        """Return the reaction with other effects."""
        return replace(self, effects=effects)

    def undone(self) -> "Reaction":
        """Return the reaction of a client that ignores the event."""
        return replace(self, after=self.before, effects=())


def following(readings: Readings = UNDISPUTED, **choices: Any) -> ClientFactory:
    """Return the factory of a client that follows other readings, with choices at single places."""
    return lambda: ReferenceDiscoveryClient(replace(readings, **choices))


def reacting(change: Callable[[Reaction], Reaction]) -> ClientFactory:
    """Return the factory of a client that changes its right reactions."""

    def react(
        self: ReferenceDiscoveryClient, client: ClientState, event: Event
    ) -> tuple[ClientState, Sequence[Effect]]:
        changed = change(Reaction(client, event, *ReferenceDiscoveryClient.react(self, client, event)))
        return changed.after, changed.effects

    return altered(ReferenceDiscoveryClient, react=react)


def storing(element: str, value: Callable[[Any, Any], Any]) -> ClientFactory:
    """Return the factory of a client that stores a value made of the one before and the right one."""

    def changed(reaction: Reaction) -> Reaction:
        return reaction.leaving(**{element: value(getattr(reaction.before, element), getattr(reaction.after, element))})

    return reacting(changed)


def hearing(hears: Callable[[ClientState, DatagramReceived], DatagramReceived]) -> ClientFactory:
    """Return the factory of a client that takes a datagram for another."""

    def react(
        self: ReferenceDiscoveryClient, client: ClientState, event: Event
    ) -> tuple[ClientState, Sequence[Effect]]:
        heard = hears(client, event) if isinstance(event, DatagramReceived) else event
        return ReferenceDiscoveryClient.react(self, client, heard)

    return altered(ReferenceDiscoveryClient, react=react)


def instead_of(kind: type[EffectKind], change: Callable[[EffectKind], Sequence[Effect]]) -> ClientFactory:
    """Return the factory of a client that does something else in place of each effect of a kind."""

    def changed(reaction: Reaction) -> Reaction:
        each = [change(effect) if isinstance(effect, kind) else (effect,) for effect in reaction.effects]
        return reaction.doing(*chain.from_iterable(each))

    return reacting(changed)
