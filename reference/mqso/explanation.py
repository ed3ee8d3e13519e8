"""Whether a history can be explained: the worlds that fit all that was seen, or the first answer that none allows."""

from collections.abc import Iterable
from typing import Any, Final, Protocol

from msgspec.structs import replace

from mqconform.reference.allowed import Reading, Standing
from mqconform.reference.choice import Choice
from mqconform.reference.mqso.events import Answer, Event
from mqconform.reference.mqso.immutable import FrozenMap, Value
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import TooManyWorlds, World

MOST_WORLDS: Final = 4096
"""The most worlds that are kept; a history that needs more is not decided."""
TEXT: Final = QueueManager()
"""The rules of the text."""


class Followed(Protocol):
    """What a history may have led to: the world of one machine, or a system of several."""

    @property
    def followed(self) -> frozenset[Choice]:
        """The readings that it follows."""

    @property
    def standing(self) -> Standing:
        """The worst standing among them."""


class Rules(Protocol):
    """What may come of events in a world of their kind."""

    def step(self, world: Any, event: Event, /) -> frozenset[tuple[Any, Answer]]:
        """Return all that may come of an event."""


class Seen(Value, frozen=True):
    """An event and what was answered."""

    event: Event
    answer: Answer


class Contradiction(Value, frozen=True):
    """The first answer of a history that nothing allows.

    Attributes:
        place: how many events came before it.
        allowed: what might have been answered instead -> the readings that this answer needs and others do not.
    """

    place: int
    seen: Seen
    allowed: FrozenMap[Answer, frozenset[Reading]]


class Explanation(Value, frozen=True):
    """What a history shows.

    Attributes:
        worlds: those that fit; none where there is a contradiction or where there were too many.
        events: how many were explained.
        contradiction: the first answer that no world allows, None without.
        undecided: there were more worlds than are kept.
    """

    worlds: frozenset[Followed]
    events: int = 0
    contradiction: Contradiction | None = None
    undecided: bool = False

    @property
    def standing(self) -> Standing | None:
        """What the best of the worlds is worth, None without worlds."""
        return min((world.standing for world in self.worlds), default=None)

    @property
    def readings(self) -> frozenset[Reading]:
        """The readings that every world of the best standing follows: those that were shown."""
        best = [world for world in self.worlds if world.standing == self.standing]
        followed = [frozenset(choice.reading for choice in world.followed) for world in best]
        return frozenset.intersection(*followed) if followed else frozenset()

    @property
    def simplest(self) -> frozenset[Choice]:
        """The readings that one of the permitted worlds follows, the same each time; none without such worlds."""
        permitted = [world.followed for world in self.worlds if world.standing <= Standing.PERMITTED]
        return min(permitted, key=lambda followed: (len(followed), sorted(map(str, followed))), default=frozenset())

    @property
    def is_permitted(self) -> bool:
        """Whether the text and the register permit what was seen."""
        standing = self.standing
        return standing is not None and standing <= Standing.PERMITTED

    def assuming(self, followed: frozenset[Choice]) -> "Explanation":
        """Return the same where some readings are followed from here on, of which nothing was seen yet."""
        started: Any = self.worlds
        return Explanation(frozenset(replace(world, followed=followed) for world in started), self.events)

    def after(self, observation: Seen, model: Rules = TEXT, most: int = MOST_WORLDS) -> "Explanation":
        """Return the explanation of the history with one more event; one that has failed stays as it is.

        Args:
            observation: the event with its answer.
            model: the rules.
            most: the most worlds that are kept.
        """
        if self.contradiction is not None or self.undecided:
            return self
        try:
            results = {result for world in self.worlds for result in model.step(world, observation.event)}
        except TooManyWorlds:
            return Explanation(frozenset(), self.events, undecided=True)
        fitting = frozenset(world for world, answer in results if answer == observation.answer)
        if not fitting:
            return Explanation(frozenset(), self.events, Contradiction(self.events, observation, _allowed(results)))
        worlds = without_needless(fitting)
        if len(worlds) > most:
            return Explanation(frozenset(), self.events, undecided=True)
        return Explanation(worlds, self.events + 1)


NOTHING_SEEN: Final = Explanation(frozenset({World()}))
"""The explanation of a history without events."""


def explain(
    history: Iterable[Seen], model: Rules = TEXT, start: Followed | None = None, most: int = MOST_WORLDS
) -> Explanation:
    """Return whether a history can be explained.

    Args:
        history: what happened and what was answered, in order.
        model: the rules.
        start: the world before it, a new one where None.
        most: the most worlds that are kept.
    """
    explanation = NOTHING_SEEN if start is None else Explanation(frozenset({start}))
    for observation in history:
        explanation = explanation.after(observation, model, most)
    return explanation


def _allowed(results: Iterable[tuple[Followed, Answer]]) -> FrozenMap[Answer, frozenset[Reading]]:
    """Return the answers that the register permits, with the readings that tell them apart."""
    followed: dict[Answer, frozenset[Reading]] = {}
    for world, answer in results:
        if world.standing <= Standing.PERMITTED:
            readings = frozenset(choice.reading for choice in world.followed)
            followed[answer] = followed.get(answer, readings) & readings
    shared = frozenset.intersection(*followed.values()) if followed else frozenset()
    return FrozenMap({answer: readings - shared for answer, readings in followed.items()})


def without_needless(worlds: frozenset[Followed]) -> frozenset[Followed]:
    """Return the worlds without those of which another differs by better readings only.

    What such a world allows from here on, the other allows as well, but for places it has not met yet; these it
    may decide as it likes.
    """
    if len(worlds) == 1:
        return worlds
    best: dict[object, list[Followed]] = {}
    for world in worlds:
        content: Any = world
        best.setdefault(replace(content, followed=frozenset()), []).append(world)
    return frozenset(world for alike in best.values() for world in _least(alike))


def _least(alike: list[Followed]) -> list[Followed]:
    return [world for world in alike if not any(other.followed < world.followed for other in alike)]
