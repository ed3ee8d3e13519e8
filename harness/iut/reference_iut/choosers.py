"""Choose among all that a queue manager may do what follows the first readings of the register."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from mqconform.reference.choice import Choice
from mqconform.reference.mqso.events import Answer

Result = tuple[Any, Answer]
"""What comes of an event: the world of one queue manager or the system of several, and the answer."""
Chooser = Callable[[list[Result]], Result]


def most_usual(results: list[Result]) -> Result:
    """Return the result that follows the first reading at each place, as the register lists them.

    Of several that wait the first gets a message, and a start that is tried again succeeds at once: results come as a
    set, which has another order in each process, so that no result may be left to that order.
    """
    if len(results) == 1:
        return results[0]
    places = [_unusualness(result) for result in results]
    least = min(places)
    candidates = [result for result, place in zip(results, places, strict=True) if place == least]
    return candidates[0] if len(candidates) == 1 else min(candidates, key=text_of)


def _unusualness(result: Result) -> tuple[object, ...]:
    world, answer = result
    turns = sorted((type(choice).__name__, place_of(choice)) for choice in world.followed)
    served = sorted(operation for operation, _ in world.ended)
    return world.standing, sum(place for _, place in turns), turns, text_of(answer), served, not world.running


def place_of(choice: Choice) -> int:
    """Return the place of a reading among those of its register entry."""
    return [*type(choice)].index(choice)


def text_of(value: object) -> str:
    """Return a text that differs where values do and is the same in every process: sets have no order of their own."""
    match value:
        case frozenset():
            return f"{{{' '.join(sorted(map(text_of, value))) or ' '}}}"  # the empty one comes first
        case Mapping():
            return f"{{{' '.join(sorted(text_of(pair) for pair in value.items()))}}}"
        case tuple():
            return f"({' '.join(map(text_of, value))})"
        case Struct():
            return f"{type(value).__name__}({' '.join(text_of(part) for part in astuple(value))})"
        case _:
            return repr(value)
