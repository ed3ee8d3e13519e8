"""What a breach is made of: a step of the model done in another way, or octets that are repaired (MS-MQSD 3.1)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from mqconform.reference.mqsd.client import (
    ClientState,
    Complete,
    DatagramReceived,
    Effect,
    Event,
    GetDirectoryServerList,
    NetworkAddress,
    Result,
    Send,
)
from mqconform.reference.mqsd.client.explain.hypothesis import Rules
from mqconform.reference.mqsd.client.step import transition
from mqconform.reference.mqsd.client.transition import Moment, Transition


class Step(NamedTuple):
    """A step of the client, with what the text makes of it."""

    before: ClientState
    event: Event
    moment: Moment
    right: Transition

    @property
    def triggered(self) -> bool:
        """Whether the event is Get Directory Server List."""
        return isinstance(self.event, GetDirectoryServerList)

    @property
    def sends(self) -> bool:
        """Whether a request goes out."""
        return any(isinstance(effect, Send) for effect in self.right.effects)

    def applies(self, *requirements: str) -> bool:
        """Tell whether one of these rules applied."""
        return any(requirement in self.right.requirements for requirement in requirements)

    def leaving(self, **elements: Any) -> Transition:
        """Return the step that leaves the client with other data elements."""
        return self.right.to(replace(self.right.state, **elements))

    def doing(self, *effects: Effect) -> Transition:
        """Return the step with other effects."""
        return replace(self.right, effects=effects)

    def ignored(self) -> Transition:
        """Return the step without any effect, with the rules that are broken by that."""
        return Transition(self.before, (), self.right.requirements)


Change = Callable[[Step], Transition | None]
Networks = tuple[NetworkAddress, ...]
Choose = Callable[[Networks], Networks]
Repair = Callable[[tuple[Effect, ...]], tuple[Effect, ...]]


@dataclass(frozen=True, slots=True)
class Breach:
    """A way to break a sentence, or several that say the same of different situations."""

    requirements: tuple[str, ...]
    rules: tuple[Rules, ...]
    repair: Repair | None = None
    """Makes what was seen right again; the rules are the text's then."""


def breaking(requirements: str, *changes: Change) -> Breach:
    """Return the breach of requirements, their ids without the specification, by steps that are changed."""
    return Breach(tuple(f"MQSD-{word}" for word in requirements.split()), tuple(map(going_by, changes)))


def going_by(change: Change) -> Rules:
    """Return the rules of a client that changes its right steps."""

    def rules(state: ClientState, event: Event, moment: Moment, /, *, slack: int = 0) -> Transition:
        right = transition(state, event, moment, slack=slack)
        return change(Step(state, event, moment, right)) or right

    return rules


def storing(requirements: str, element: str, *values: Callable[[Any, Any], Any]) -> Breach:
    """Store something made of the value before and the right one, where one of the rules asks for storing."""

    def change(value: Callable[[Any, Any], Any]) -> Change:
        def changed(step: Step) -> Transition | None:
            if not step.applies(*breach):
                return None
            return step.leaving(**{element: value(getattr(step.before, element), getattr(step.right.state, element))})

        return changed

    breach = tuple(f"MQSD-{word}" for word in requirements.split())
    return Breach(breach, tuple(going_by(change(value)) for value in values))


def ignoring(requirements: str) -> Breach:
    """Take no notice of a reply to which one of the rules applies."""
    ids = tuple(f"MQSD-{word}" for word in requirements.split())
    return Breach(ids, (going_by(lambda step: step.ignored() if step.applies(*ids) and is_datagram(step) else None),))


def hearing(requirements: str, hears: Callable[[ClientState, DatagramReceived], DatagramReceived]) -> Breach:
    """Take a datagram for another."""

    def rules(state: ClientState, event: Event, moment: Moment, /, *, slack: int = 0) -> Transition:
        heard = hears(state, event) if isinstance(event, DatagramReceived) else event
        return transition(state, heard, moment, slack=slack).by(*ids)

    ids = tuple(f"MQSD-{word}" for word in requirements.split())
    return Breach(ids, (rules,))


def asking(requirements: str, *choices: Choose) -> Breach:
    """Ask other networks than those of the moment."""

    def rules(choose: Choose) -> Rules:
        def changed(state: ClientState, event: Event, moment: Moment, /, *, slack: int = 0) -> Transition:
            if not isinstance(event, GetDirectoryServerList):
                return transition(state, event, moment, slack=slack)
            networks = choose(state.networks)
            after = transition(replace(state, networks=networks), event, moment, slack=slack)
            return after.to(replace(after.state, networks=state.networks), *ids)

        return changed

    ids = tuple(f"MQSD-{word}" for word in requirements.split())
    return Breach(ids, tuple(map(rules, choices)))


def sending(requirements: str, restore: Callable[[bytes], bytes]) -> Breach:
    """Send other octets than those of a request, which ``restore`` makes right again."""

    def repair(effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        return tuple(
            replace(effect, datagram=restore(effect.datagram)) if isinstance(effect, Send) else effect
            for effect in effects
        )

    return Breach(tuple(f"MQSD-{word}" for word in requirements.split()), (), repair)


def is_datagram(step: Step) -> bool:
    """Tell whether the event is a datagram."""
    return isinstance(step.event, DatagramReceived)


def completing(requirements: str, result: Result, *instead: Effect) -> Breach:
    """Report the end of an event in another way."""
    ids = tuple(f"MQSD-{word}" for word in requirements.split())

    def changed(step: Step) -> Transition | None:
        if Complete(result) not in step.right.effects or not step.applies(*ids):
            return None
        each = [instead if effect == Complete(result) else (effect,) for effect in step.right.effects]
        return step.doing(*(effect for several in each for effect in several))

    return Breach(ids, (going_by(changed),))
