"""Search for a history that nothing explains, of one queue manager or of several; what is found is made small."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, Generic, TypeVar

from mqconform.harness.judge.counterexamples import reduced
from mqconform.harness.judge.mqso.queue_manager_checks import Played, judge
from mqconform.harness.judge.mqso.scenes import NetworkScene, QueueManagerScene
from mqconform.harness.judge.mqso.sketch import Sketch, smaller, varied
from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice

S = TypeVar("S", QueueManagerScene, NetworkScene)
Rows = Iterable[Sequence[str]]
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


@dataclass(slots=True)
class HistorySearch(Generic[S]):
    """A search of histories, of one queue manager or of several.

    Attributes:
        first: the scene of the scenario; each history has a scene of its own.
        explained: how many were by text and register, so that those that are left open count for nothing.
        assumed: the readings that the implementation seems to follow, by which the next history is explained sooner.
        unexplained: the scene of the smallest history that nothing explains, None without one.
    """

    first: S
    explained: int = field(default=0, init=False)
    assumed: frozenset[Choice] = field(default=frozenset(), init=False)
    unexplained: S | None = field(default=None, init=False)

    def sentences(self, sketch: Sketch) -> Iterable[str]:
        """Return what a history does."""
        raise NotImplementedError

    def play(self, sketch: Sketch) -> S | None:
        """Play a history on an implementation as freshly installed; return its scene where nothing explains it."""
        raise NotImplementedError

    def renew(self) -> None:
        """Allow as much as in the beginning of what is limited."""

    def search(self, draw: Callable[[Random], Sketch], number: int) -> Sketch | None:
        """Play histories, the same for each seed, and return one that nothing explains, made small.

        Args:
            draw: draws one.
            number: how many, in a run that is not thorough.
        """
        plan = self.first.run.plan
        random = Random(plan.seed)
        for sketch in varied(lambda: draw(random), self.sentences, number, plan.thorough):
            unexplained = self.play(sketch)
            if unexplained is not None:
                self.renew()
                smallest = reduced(sketch, smaller, lambda attempt: self.play(attempt) is not None, MOST_ATTEMPTS)
                self.renew()
                self.unexplained = self.play(smallest) or unexplained
                return smallest
        return None

    def conclude(self, scene: S) -> S | None:
        """Return the scene of a history that was played where nothing explains it; count it where it is explained."""
        if is_wrong(scene):
            return scene
        self.explained += scene.explanation.is_permitted
        followed = scene.explanation.simplest
        met = {type(choice) for choice in followed}
        self.assumed = followed.union(choice for choice in self.assumed if type(choice) not in met)
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

    def save(  # noqa: PLR0913, PLR0917 - the parts of a scenario
        self, sketch: Sketch, given: str, rows: Rows, then: str, needs: Iterable[str], also: str = ""
    ) -> None:
        """Save the history that nothing explains as a scenario of its own, beside the results.

        Args:
            sketch: the history.
            given: the sentence of its Given.
            rows: the table of that.
            then: the sentence of its Then.
            needs: capabilities without which it cannot be played.
            also: the sentence of a second Given, empty without one.
        """
        assert self.unexplained is not None
        steps: list[str] = [f"Given {given}", *(f"  | {' | '.join(row)} |" for row in rows)]
        steps += [f"And {also}"] if also else []
        steps += [f"{'And' if place else 'When'} {deed}" for place, deed in enumerate(self.sentences(sketch))]
        tags = " ".join(("@role:queue_manager", *(f"@needs:{capability}" for capability in sorted(needs))))
        title, requirement = "A history that nothing explains", self.unexplained.broken()[0]
        self.first.save_case([*steps, f"Then {then}"], tags=tags, requirement=requirement, title=title)
