"""What a fault of a discovery client is made of: a step of the model that is done in another way (MS-MQSD 3.1).

A changed rule is a function of a step: it returns what happens instead, or None where the right step stays.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import Any, TypeVar

from msgspec import structs

from mqconform.reference.mqsd.client import (
    ClientState,
    Complete,
    DatagramReceived,
    Effect,
    Event,
    GetDirectoryServerList,
    NetworkAddress,
    Send,
)
from mqconform.reference.mqsd.client.explain.hypothesis import Rules
from mqconform.reference.mqsd.client.step import transition
from mqconform.reference.mqsd.client.transition import Moment, Transition
from mqconform.reference.mqsd.messages import REPLY, FieldRule

SIZE = REPLY["DirectoryServiceServerSize"]


@dataclass(frozen=True)
class Step:
    """A step of the client, with what the text makes of it.

    Attributes:
        slack: of the clock, see ``transition``; a rule that sets the end of a wait itself leaves it none.
        breaks: ids of the requirements that the changed rule breaks.
    """

    before: ClientState
    event: Event
    moment: Moment
    slack: int
    breaks: tuple[str, ...]

    @cached_property
    def right(self) -> Transition:
        """The step by the text."""
        return transition(self.before, self.event, self.moment, slack=self.slack)

    @property
    def triggered(self) -> bool:
        """Whether the event is Get Directory Server List."""
        return isinstance(self.event, GetDirectoryServerList)

    @property
    def later_event(self) -> bool:
        """Whether the event is Get Directory Server List, and not the first one."""
        return self.triggered and self.before.request_id is not None

    @property
    def sends(self) -> bool:
        """Whether a request goes out."""
        return any(isinstance(effect, Send) for effect in self.right.effects)

    @property
    def hears(self) -> bool:
        """Whether the event is a datagram."""
        return isinstance(self.event, DatagramReceived)

    @property
    def concerned(self) -> bool:
        """Whether a rule applied that the change breaks."""
        return self.applies(*self.breaks)

    def applies(self, *requirements: str) -> bool:
        """Tell whether one of these rules applied."""
        return any(requirement in self.right.requirements for requirement in requirements)

    def leaving(self, **elements: Any) -> Transition:
        """Return the step that leaves the client with other data elements."""
        return self.right.to(structs.replace(self.right.state, **elements))

    def with_effects(self, *effects: Effect) -> Transition:
        """Return the step with other effects."""
        return structs.replace(self.right, effects=effects)

    def ignored(self) -> Transition:
        """Return the step without any effect, with the rules that are broken by that."""
        return Transition(self.before, (), self.right.requirements)

    def anew(self, **changes: Any) -> Transition:
        """Return what the text makes of another state, event or moment; the broken rules count as applied."""
        return replace(self, **changes).right.by(*self.breaks)


Sent = TypeVar("Sent", Send, Complete)
Change = Callable[[Step], Transition | None]
Networks = tuple[NetworkAddress, ...]


def going_by(breaks: tuple[str, ...], change: Change) -> Rules:
    """Return the rules of a client that changes its right steps."""

    def rules(state: ClientState, event: Event, moment: Moment, /, *, slack: int = 0) -> Transition:
        step = Step(state, event, moment, slack, breaks)
        return change(step) or step.right

    return rules


def storing(element: str, value: Callable[[Any, Any], Any]) -> Change:
    """Store something made of the value before and the right one, where a rule asks for storing that is broken."""

    def change(step: Step) -> Transition | None:
        if not step.concerned:
            return None
        return step.leaving(**{element: value(getattr(step.before, element), getattr(step.right.state, element))})

    return change


def ignoring(step: Step) -> Transition | None:
    """Take no notice of a reply to which a rule applies that is broken."""
    return step.ignored() if step.concerned and step.hears else None


def hearing(hears: Callable[[ClientState, DatagramReceived], DatagramReceived]) -> Change:
    """Take a datagram for another."""
    return lambda step: (
        step.anew(event=hears(step.before, step.event)) if isinstance(step.event, DatagramReceived) else step.anew()
    )


def asking(choose: Callable[[Networks], Networks]) -> Change:
    """Ask other networks than those of the moment."""

    def change(step: Step) -> Transition | None:
        if not step.triggered:
            return None
        after = step.anew(before=structs.replace(step.before, networks=choose(step.before.networks)))
        return after.to(structs.replace(after.state, networks=step.before.networks))

    return change


def following(**choices: Any) -> Change:
    """Follow other readings."""
    return lambda step: step.anew(
        moment=structs.replace(step.moment, readings=replace(step.moment.readings, **choices))
    )


def instead_of(kind: type[Sent], change: Callable[[Sent], Iterable[Effect]]) -> Change:
    """Do something else in place of each effect of a kind."""
    return lambda step: step.with_effects(
        *chain.from_iterable(change(effect) if isinstance(effect, kind) else (effect,) for effect in step.right.effects)
    )


def sending(datagrams: Callable[[bytes], Iterable[bytes]]) -> Change:
    """Send other datagrams in place of a request."""
    return instead_of(Send, lambda send: (replace(send, datagram=octets) for octets in datagrams(send.datagram)))


def with_field(field: FieldRule, value: Callable[[bytes], bytes]) -> Change:
    """Send requests with another value of a field, made of the right request."""
    return sending(lambda request: (field.put(request, value(request)),))
