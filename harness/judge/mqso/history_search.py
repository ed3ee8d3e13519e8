"""Search for a history that nothing explains, of one queue manager or of several; what is found is made small.

A history is drawn as a sketch: kinds of deeds, each with a number that stands for the choices in it.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType, ModuleType
from typing import Final, Generic, TypeVar

from hypothesis import strategies as st

from mqconform.harness.judge.counterexamples import reduced
from mqconform.harness.judge.mqso.queue_manager_checks import Played, judge
from mqconform.harness.judge.search import search
from mqconform.harness.suite.steps import steps_of
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
Rows = Iterable[Sequence[str]]


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


def perform(scene: Played, sentence: str, steps: ModuleType) -> None:
    """Do what a sentence says, by the steps of a module."""
    step = next(step for step in steps_of((steps.__name__,)) if step.parser.is_matching(sentence))
    step.function(scene, **step.arguments(sentence))


S = TypeVar("S", bound=Played)
MOST_ATTEMPTS: Final = 80
"""How often a history that no reading explains is tried again to make it smaller."""
EXPECTED: Final = "histories that the specification permits"


def is_wrong(scene: Played) -> bool:
    """Return whether nothing that the register permits explains what was seen, more histories aside."""
    standing = scene.explanation.standing
    return scene.explanation.contradiction is not None or standing is Standing.REFUSED


def judge_explained(scene: Played) -> None:
    """Judge whether the register permits all that was seen."""
    observed = f"a history {'without' if is_wrong(scene) else 'with'} a permitted explanation"
    judge(scene, "a history with a permitted explanation", observed, holds=True)


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


@dataclass(slots=True)
class HistoriesPlayed(Generic[S]):
    """What a search of histories came to.

    Attributes:
        first: the scene of the scenario; each history has a scene of its own.
        explained: how many were by text and register, so that those that are left open count for nothing.
        unexplained: the scene of the smallest history that nothing explains, None without one.
    """

    first: S
    explained: int = field(default=0, init=False)
    unexplained: S | None = field(default=None, init=False)

    def conclude(self, scene: S) -> S | None:
        """Return the scene of a history where nothing explains it; count it where it is explained."""
        if is_wrong(scene):
            return scene
        standing = scene.explanation.standing
        self.explained += standing is not None and standing <= Standing.PERMITTED
        return None

    def judge(self) -> None:
        """Judge the history that nothing explains, or say that there was none."""
        first = self.first
        if self.unexplained is not None:
            judge(self.unexplained, EXPECTED, "a history without a permitted explanation", holds=False)
        elif self.explained:
            first.witness(first.judge.says(True, EXPECTED, f"no violation in {self.explained} histories"))
        else:
            first.witness(first.judge.undecided(EXPECTED, "no history could be decided"))

    def save(
        self, unexplained: S, scenario: tuple[str, Iterable[str], str], rows: Rows, needs: Collection[str]
    ) -> None:
        """Keep a history, and save it as a scenario of its own, beside the results.

        Args:
            unexplained: its scene.
            scenario: the Given, the sentences of the history, and the Then.
            rows: the table of the Given.
            needs: capabilities without which it cannot be played.
        """
        self.unexplained = unexplained
        given, sentences, then = scenario
        steps = [f"Given {given}", *(f"  | {' | '.join(row)} |" for row in rows)]
        steps += [f"{'And' if place else 'When'} {sentence}" for place, sentence in enumerate(sentences)]
        tags = " ".join(("@role:queue_manager", *(f"@needs:{capability}" for capability in sorted(needs))))
        title, requirement = "A history that nothing explains", unexplained.broken()[0]
        self.first.save_case([*steps, f"Then {then}"], tags=tags, requirement=requirement, title=title)
