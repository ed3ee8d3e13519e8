"""How rules pass on what has happened so far within one step of the client."""

from collections.abc import Callable

from msgspec import Struct

from mqconform.reference.mqsd.client.events import Effect
from mqconform.reference.mqsd.client.readings import Readings
from mqconform.reference.mqsd.client.state import ClientState
from mqconform.reference.mqsd.guid import Guid

NewGuid = Callable[[int], Guid]
"""Supplies new GUIDs: given the ordinal of a request, counted from 0, a GUID that no other ordinal gives."""


class Moment(Struct, frozen=True, gc=False):
    """What a rule may ask for besides the state."""

    now: int
    """Nanoseconds."""
    readings: Readings
    new_guid: NewGuid


class Transition(Struct, frozen=True, gc=False):
    """The client within a step: its state, what it has done, and by which rules."""

    state: ClientState
    effects: tuple[Effect, ...] = ()
    requirements: tuple[str, ...] = ()
    """Ids of the rules that applied, in order."""

    def by(self, *requirements: str) -> "Transition":
        """Return the same with rules that applied."""
        return Transition(self.state, self.effects, self.requirements + requirements)

    def to(self, state: ClientState, *requirements: str) -> "Transition":
        """Return the same in another state, with the rules that led there."""
        return Transition(state, self.effects, self.requirements + requirements)

    def with_effects(self, *effects: Effect) -> "Transition":
        """Return the same with further effects."""
        return Transition(self.state, self.effects + effects, self.requirements)
