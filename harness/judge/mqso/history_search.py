"""Search for a history that nothing explains, of one queue manager or of several; what is found is made small."""

from collections.abc import Callable, Collection, Sequence
from typing import Final, Protocol, TypeVar

from hypothesis import strategies as st

from mqconform.harness.judge.mqso.queue_manager_checks import Played, judge
from mqconform.harness.judge.mqso.sketch import Sketch, smaller
from mqconform.harness.judge.reduction import reduced
from mqconform.harness.judge.saved_cases import save_steps
from mqconform.harness.judge.search import search
from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice
from mqconform.reference.mqso.explanation import Explanation

S = TypeVar("S", bound=Played)
MOST_ATTEMPTS: Final = 80
"""How often a history that no reading explains is tried again to make it smaller."""
EXPECTED: Final = "histories that the specification permits"


class Explained(Protocol):
    """Whatever has an explanation."""

    @property
    def explanation(self) -> Explanation:
        """Whether the text and the register explain what was seen."""


def is_wrong(scene: Explained) -> bool:
    """Return whether nothing that the register permits explains what was seen, more histories aside."""
    standing = scene.explanation.standing
    return scene.explanation.contradiction is not None or standing is Standing.REFUSED


def readings_of(explanation: Explanation, assumed: frozenset[Choice]) -> frozenset[Choice]:
    """Return the readings that an implementation seems to follow, by a history and by what was assumed before it."""
    followed = explanation.simplest
    met = {type(choice) for choice in followed}
    return followed.union(choice for choice in assumed if type(choice) not in met)


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
    """Judge the history that nothing explains, or say that there was none.

    Args:
        first: the scene of the scenario.
        unexplained: that of the history, None without one.
        explained: how many histories were.
    """
    if unexplained is not None:
        judge(unexplained, EXPECTED, "a history without a permitted explanation", holds=False)
        return
    if explained:
        judgement = first.judge.says(True, EXPECTED, f"no violation in {explained} histories")
    else:
        judgement = first.judge.undecided(EXPECTED, "no history could be decided")
    first.run.witness(first.case, first.case.requirements, judgement)


def save_history(first: Played, unexplained: Played, steps: Sequence[str], needs: Collection[str]) -> None:
    """Save a history as a scenario of its own, beside the results.

    Args:
        first: the scene of the scenario.
        unexplained: that of the history.
        steps: each with its keyword.
        needs: the capabilities without which it cannot be played.
    """
    path = save_steps(
        first.run.writer.path.parent,
        steps,
        tags=" ".join(("@role:queue_manager", *(f"@needs:{capability}" for capability in sorted(needs)))),
        requirement=unexplained.broken()[0],
        title="A history that nothing explains",
        seed=first.run.seed,
    )
    first.case.saved.append(path)
