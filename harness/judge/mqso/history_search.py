"""Search for a history that nothing explains, of one queue manager or of several; what is found is made small.

A history is drawn as a sketch: kinds of deeds, each with a number that stands for the choices in it.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeVar

from hypothesis import strategies as st

from mqconform.harness.judge.counterexamples import reduced
from mqconform.harness.judge.mqso.queue_manager_checks import Played, judge
from mqconform.harness.judge.search import search
from mqconform.reference.allowed import Standing

T = TypeVar("T")
LENGTH: Final = 16
"""Deeds of a history that is drawn: short ones show little, and what they show longer ones show as well."""
OCTETS: Final = 2
"""Of the number of a deed: room for several choices."""
_FEW: Final = 6
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


def sketches(
    kinds: Collection[str],
    always: Collection[str],
    weights: Mapping[str, int] = MappingProxyType({}),
    *,
    length: int = LENGTH,
    octets: int = OCTETS,
) -> st.SearchStrategy[Sketch]:
    """Draw histories of some kinds of deeds, each of few of them: what they do to each other shows sooner so.

    Args:
        kinds: that may be drawn.
        always: those of them that every history has.
        weights: how often a kind is drawn beside others, once where it is not named.
        length: deeds of a history.
        octets: of the number of each.
    """
    weighted = [kind for kind in kinds for _ in range(weights.get(kind, 1))]
    of_all = [kind for kind in always if kind in kinds]

    def decoded(drawn: bytes) -> Sketch:
        few = [*of_all, *(weighted[octet % len(weighted)] for octet in drawn[:_FEW])]
        deeds = (drawn[place : place + 1 + octets] for place in range(_FEW, len(drawn), 1 + octets))
        return tuple((few[kind % len(few)], int.from_bytes(number, "little")) for kind, *number in deeds)

    size = _FEW + length * (1 + octets)
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


S = TypeVar("S", bound=Played)
MOST_ATTEMPTS: Final = 80
"""How often a history that no reading explains is tried again to make it smaller."""
EXPECTED: Final = "histories that the specification permits"


def is_wrong(scene: Played) -> bool:
    """Return whether nothing that the register permits explains what was seen, more histories aside."""
    standing = scene.explanation.standing
    return scene.explanation.contradiction is not None or standing is Standing.REFUSED


def smallest_unexplained(
    strategy: st.SearchStrategy[Sketch],
    play: Callable[[Sketch], S | None],
    renew: Callable[[], None],
    *,
    seed: int,
    examples: int,
) -> tuple[Sketch, S] | None:
    """Return the smallest history found that nothing explains, with its scene; None where each is explained.

    Args:
        strategy: where histories come from.
        play: plays one from the beginning; returns its scene where nothing explains it.
        renew: allows as much as in the beginning of what is limited.
        seed: makes the search the same each time.
        examples: how many to try while all is well.
    """
    counterexample = search(strategy, play, seed=seed, examples=examples, size=len)
    if counterexample is None:
        return None
    renew()
    smallest = reduced(counterexample.example, smaller, lambda sketch: play(sketch) is not None, MOST_ATTEMPTS)
    renew()
    return smallest, play(smallest) or counterexample.finding


def judge_search(first: Played, unexplained: Played | None, explained: int) -> None:
    """Judge the history that nothing explains, or say that there was none."""
    if unexplained is not None:
        judge(unexplained, EXPECTED, "a history without a permitted explanation", holds=False)
        return
    if explained:
        judgement = first.judge.says(True, EXPECTED, f"no violation in {explained} histories")
    else:
        judgement = first.judge.undecided(EXPECTED, "no history could be decided")
    first.witness(judgement)


def save_history(first: Played, unexplained: Played, steps: Sequence[str], needs: Collection[str]) -> None:
    """Save a history as a scenario of its own, beside the results."""
    tags = " ".join(("@role:queue_manager", *(f"@needs:{capability}" for capability in sorted(needs))))
    first.save_case(steps, tags=tags, requirement=unexplained.broken()[0], title="A history that nothing explains")
