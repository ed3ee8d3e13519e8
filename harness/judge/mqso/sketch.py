"""Histories as they are drawn: kinds of deeds, each with a number that stands for the choices in it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeVar

from hypothesis import strategies as st

T = TypeVar("T")
LENGTH: Final = 18
"""Deeds of a history that is drawn: short ones show little, and what they show longer ones show as well."""
OCTETS: Final = 4
"""Of the number of a deed: room for the choices of several sends."""
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


def sketches(  # noqa: PLR0913 - what there is to draw from, and how much of it
    kinds: Collection[str],
    always: Collection[str],
    weights: Mapping[str, int] = MappingProxyType({}),
    *,
    first: str = "",
    last: str = "",
    length: int = LENGTH,
    octets: int = OCTETS,
) -> st.SearchStrategy[Sketch]:
    """Draw histories of some kinds of deeds, each of few of them: what they do to each other shows sooner so.

    Args:
        kinds: that may be drawn.
        always: those of them that every history has.
        weights: how often a kind is drawn beside others, once where it is not named.
        first: the kind of the deed with which each history begins, empty for any.
        last: the kind of the deed with which one of three ends, empty for any.
        length: deeds of a history, besides these.
        octets: of the number of each.
    """
    weighted = [kind for kind in kinds if kind != first for _ in range(weights.get(kind, 1))]
    of_all = [kind for kind in always if kind in kinds]

    def decoded(drawn: bytes) -> Sketch:
        few = [*of_all, *(weighted[octet % len(weighted)] for octet in drawn[:_FEW])]
        begins, ends, rest = drawn[_FEW], drawn[_FEW + 1], drawn[_FEW + 2 :]
        deeds = (rest[place : place + 1 + octets] for place in range(0, len(rest), 1 + octets))
        return (
            *([(first, begins)] if first in kinds else []),
            *((few[kind % len(few)], int.from_bytes(number, "little")) for kind, *number in deeds),
            *([(last, ends // 3)] if last in kinds and not ends % 3 else []),
        )

    size = _FEW + 2 + length * (1 + octets)
    return st.binary(min_size=size, max_size=size).map(decoded)


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
