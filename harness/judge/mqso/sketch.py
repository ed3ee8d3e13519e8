"""Histories as they are drawn: kinds of deeds, each with a number that stands for the choices in it."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from random import Random
from types import MappingProxyType
from typing import Final, TypeVar

T = TypeVar("T")
LENGTH: Final = 18
"""Deeds of a history that is drawn: short ones show little, and what they show longer ones show as well."""
OCTETS: Final = 4
"""Of the number of a deed: room for the choices of several sends."""
DRAWN_FOR_ONE: Final = 8
"""Histories that are drawn for one that is played."""
NEAR: Final = 8
"""Sentences after which a deed counts no more as one that follows another."""
NUMBERS: Final = re.compile(r"\d+")
"""What sentences that do the same differ in: names of messages, durations."""
_FEW: Final = 3
"""Kinds of deeds that a history has, besides those that all have."""

Sketch = tuple[tuple[str, int], ...]
"""Kinds of deeds, each with a number that says the rest."""


@dataclass(slots=True)
class Choices:
    """Choices that a number stands for, one after the other; 0 stands for the first of each."""

    number: int

    def of(self, options: Sequence[T]) -> T:
        """Return one of some options."""
        self.number, place = divmod(self.number, len(options))
        return options[place]


def drawn(  # noqa: PLR0913 - what there is to draw from, and how much of it
    random: Random,
    kinds: Collection[str],
    always: Collection[str],
    weights: Mapping[str, int] = MappingProxyType({}),
    *,
    first: str = "",
    last: str = "",
    length: int = LENGTH,
) -> Sketch:
    """Draw a history of some kinds of deeds, of few of them: what they do to each other shows sooner so.

    Args:
        random: where it comes from.
        kinds: that may be drawn.
        always: those of them that every history has.
        weights: how often a kind is drawn beside others, once where it is not named.
        first: the kind of the deed with which the history begins, empty for any.
        last: the kind of the deed with which one of three ends, empty for any.
        length: deeds of the history, besides these.
    """

    def number() -> int:
        return random.getrandbits(8 * OCTETS)

    weighted = [kind for kind in kinds if kind != first for _ in range(weights.get(kind, 1))]
    few = [*(kind for kind in always if kind in kinds), *random.choices(weighted, k=_FEW)]
    return (
        *([(first, number())] if first in kinds else []),
        *((random.choice(few), number()) for _ in range(length)),
        *([(last, number())] if last in kinds and random.random() * 3 < 1 else []),
    )


def varied(
    draw: Callable[[], Sketch], sentences: Callable[[Sketch], Iterable[str]], number: int, rounds: int
) -> Iterator[Sketch]:
    """Yield histories that differ: of many that are drawn, each time one with the most pairs of deeds not tried yet.

    A fault of two deeds shows where the one comes soon after the other: histories that are chosen so convict what takes
    twice as many as they come. To draw one costs nothing beside playing it.

    Args:
        draw: draws a history.
        sentences: what a history does.
        number: how many of each round; the rounds before it are the same whatever their number.
        rounds: how often histories are drawn and chosen of.
    """
    tried: set[tuple[str, str]] = set()
    for _ in range(rounds):
        pool = [draw() for _ in range(number * DRAWN_FOR_ONE)]
        pairs = [_pairs([NUMBERS.sub("", sentence) for sentence in sentences(sketch)]) for sketch in pool]
        best = [(-len(pairs[place] - tried), place) for place in range(len(pool))]
        heapify(best)
        left = number
        while left:
            _, place = heappop(best)
            fresh = -len(pairs[place] - tried)
            if best and fresh > best[0][0]:  # those chosen since have tried what it would
                heappush(best, (fresh, place))
                continue
            tried |= pairs[place]
            left -= 1
            yield pool[place]


def _pairs(sentences: Sequence[str]) -> set[tuple[str, str]]:
    return {
        (sentence, later)
        for place, sentence in enumerate(sentences)
        for later in sentences[place + 1 : place + 1 + NEAR]
    }


def smaller(sketch: Sketch) -> Iterator[Sketch]:
    """Yield histories without a half, without two deeds, without one, and with a plainer one."""
    half = len(sketch) // 2
    if half > 1:
        yield from (sketch[half:], sketch[:half])
    for place in reversed(range(len(sketch))):
        yield sketch[:place] + sketch[place + 1 :]
    for place in reversed(range(len(sketch) - 1)):
        yield sketch[:place] + sketch[place + 2 :]
    for place, (kind, number) in enumerate(sketch):
        if number:
            yield (*sketch[:place], (kind, 0), *sketch[place + 1 :])
