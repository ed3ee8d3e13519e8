"""Whether a history can be explained: the worlds that fit all that was seen, or the first answer that none allows."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from mqconform.reference.allowed import Reading, Standing
from mqconform.reference.mqso.events import Answer, Event
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World

MOST_WORLDS: Final = 4096
"""So many worlds are kept at most; a history that needs more is not decided."""


@dataclass(frozen=True, slots=True)
class Seen:
    """An event and what was answered."""

    event: Event
    answer: Answer


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The first answer of a history that nothing allows.

    Attributes:
        place: how many events came before it.
        allowed: what might have been answered instead.
    """

    place: int
    seen: Seen
    allowed: frozenset[Answer]


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a history shows.

    Attributes:
        worlds: those that fit; none where there is a contradiction or where there were too many.
        contradiction: the first answer that no world allows, None without.
        undecided: there were more worlds than are kept.
    """

    worlds: frozenset[World]
    contradiction: Contradiction | None = None
    undecided: bool = False

    @property
    def standing(self) -> Standing | None:
        """What the best of the worlds is worth, None without worlds."""
        return min((world.standing for world in self.worlds), default=None)

    @property
    def readings(self) -> frozenset[Reading]:
        """The readings that every world of the best standing follows: those that were shown."""
        best = [world.followed for world in self.worlds if world.standing == self.standing]
        return frozenset(one.reading for one in frozenset.intersection(*best)) if best else frozenset()


def explain(history: Iterable[Seen], model: QueueManager | None = None, start: World | None = None) -> Explanation:
    """Return whether a history can be explained.

    Args:
        history: what happened and what was answered, in order.
        model: the rules; those of the text where None.
        start: the world before it, a new one where None.
    """
    model = model or QueueManager()
    worlds = frozenset({start or World()})
    for place, seen in enumerate(history):
        results = {result for world in worlds for result in model.step(world, seen.event)}
        fitting = frozenset(world for world, answer in results if answer == seen.answer)
        if not fitting:
            allowed = frozenset(answer for world, answer in results if world.standing <= Standing.PERMITTED)
            return Explanation(frozenset(), Contradiction(place, seen, allowed))
        worlds = without_needless(fitting)
        if len(worlds) > MOST_WORLDS:
            return Explanation(frozenset(), undecided=True)
    return Explanation(worlds)


def without_needless(worlds: frozenset[World]) -> frozenset[World]:
    """Return the worlds without those of which another differs by better readings only.

    What such a world allows from here on, the other allows as well, but for places it has not met yet; these it
    may decide as it likes.
    """
    best: dict[World, list[World]] = {}
    for world in worlds:
        best.setdefault(replace(world, followed=frozenset()), []).append(world)
    return frozenset(one for alike in best.values() for one in _least(alike))


def _least(alike: list[World]) -> list[World]:
    return [one for one in alike if not any(other.followed < one.followed for other in alike)]
