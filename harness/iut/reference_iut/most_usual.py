"""Choose among all that a queue manager may do what follows the first readings of the register."""

from collections.abc import Callable
from typing import Any

from mqconform.reference.choice import Choice
from mqconform.reference.mqso.events import Answer

Result = tuple[Any, Answer]
"""What comes of an event: the world of one queue manager or the system of several, and the answer."""
Chooser = Callable[[list[Result]], Result]


def most_usual(results: list[Result]) -> Result:
    """Return the result that follows the first reading at each place, as the register lists them.

    Of several that wait the first gets a message, and a start that is tried again succeeds at once: results come as a
    set, which has another order in each process.
    """
    return results[0] if len(results) == 1 else min(results, key=_unusualness)


def _unusualness(result: Result) -> tuple[object, ...]:
    world, answer = result
    turns = sorted((type(choice).__name__, place_of(choice)) for choice in world.followed)
    served = sorted(operation for operation, _ in world.ended)
    return world.standing, sum(place for _, place in turns), turns, repr(answer), served, not world.running


def place_of(choice: Choice) -> int:
    """Return the place of a reading among those of its register entry."""
    return [*type(choice)].index(choice)
