"""Choose among all that a queue manager may do: the most usual, or, to try those who rely on one, the worst."""

import random
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice
from mqconform.reference.mqso.events import Answer, Committed, Failed, Pending

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


def least_convenient(seed: int) -> Chooser:
    """Return a choice of results that applications are least prepared for, all of them permitted.

    At each place of the register another reading than the most usual one is followed. Where an outcome may differ each
    time, it is a failure rather than a success, and else another than the most usual one, drawn by the seed.
    """
    rng = random.Random(seed)

    def choose(results: list[Result]) -> Result:
        if len(results) == 1:
            return results[0]
        worst = max(Standing.PERMITTED, min(world.standing for world, _ in results))
        allowed = [result for result in results if result[0].standing <= worst]
        most = max(map(_inconvenience, allowed))
        candidates = sorted((result for result in allowed if _inconvenience(result) == most), key=text_of)
        usual = most_usual(candidates)
        return rng.choice([result for result in candidates if result is not usual] or candidates)

    return choose


def _inconvenience(result: Result) -> tuple[int, int]:
    world, answer = result
    return sum(map(place_of, world.followed)), _disappointment(answer)


def _disappointment(answer: Answer) -> int:
    match answer:
        case Failed() | Committed(committed=False):
            return 2
        case Pending():
            return 1
        case _:
            return 0
