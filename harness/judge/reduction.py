"""Reduce an input: take out what is not needed to show the failure."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, TypeVar

I = TypeVar("I")  # noqa: E741 - an input
MOST_ATTEMPTS: Final = 300


def reduced(
    example: I, smaller: Callable[[I], Iterator[I]], shows: Callable[[I], bool], attempts: int = MOST_ATTEMPTS
) -> I:
    """Return a smaller input that still shows it.

    Args:
        example: an input that shows it.
        smaller: yields inputs that are smaller in one respect, the boldest first.
        shows: puts an input to the implementations once more.
        attempts: how often that may be; the smallest input so far is returned then.
    """
    left, place, shrunk = attempts, 0, False
    while left > 0:
        candidate = next(islice(smaller(example), place, None), None)
        if candidate is None and not shrunk:
            break
        if candidate is None:
            place, shrunk = 0, False  # what was needed in the larger input may not be in this one
            continue
        left -= 1
        if shows(candidate):
            example, shrunk = candidate, True
        else:
            place += 1
    return example
