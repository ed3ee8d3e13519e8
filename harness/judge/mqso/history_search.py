"""Search for a history that nothing explains, of one queue manager or of several; what is found is made small."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, TypeVar

from mqconform.harness.judge.counterexamples import reduced
from mqconform.harness.judge.mqso.queue_manager_checks import Played, judge
from mqconform.harness.judge.mqso.sketch import Sketch, smaller
from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice
from mqconform.reference.mqso.explanation import Explanation

S = TypeVar("S", bound=Played)
MOST_ATTEMPTS: Final = 80
"""How often a history that no reading explains is tried again to make it smaller."""
EXPECTED: Final = "histories that the specification permits"


def is_wrong(scene: Played) -> bool:
    """Return whether nothing that the register permits explains what was seen, more histories aside."""
    standing = scene.explanation.standing
    return scene.explanation.contradiction is not None or standing is Standing.REFUSED


def readings_of(explanation: Explanation, assumed: frozenset[Choice]) -> frozenset[Choice]:
    """Return the readings that an implementation seems to follow, by a history and by what was assumed before it."""
    followed = explanation.simplest
    met = {type(choice) for choice in followed}
    return followed.union(choice for choice in assumed if type(choice) not in met)


def judge_explained(scene: Played) -> None:
    """Judge whether the register permits all that was seen."""
    observed = f"a history {'without' if is_wrong(scene) else 'with'} a permitted explanation"
    judge(scene, "a history with a permitted explanation", observed, holds=True)


def smallest_unexplained(
    histories: Iterable[Sketch], play: Callable[[Sketch], S | None], renew: Callable[[], None]
) -> tuple[Sketch, S] | None:
    """Return a history that nothing explains, made small, with its scene; None where each is explained.

    Args:
        histories: to try, the same each time.
        play: plays one from the beginning; returns its scene where nothing explains it.
        renew: allows as much as in the beginning of what is limited.
    """
    for sketch in histories:
        unexplained = play(sketch)
        if unexplained is not None:
            renew()
            smallest = reduced(sketch, smaller, lambda candidate: play(candidate) is not None, MOST_ATTEMPTS)
            renew()
            return smallest, play(smallest) or unexplained
    return None


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
