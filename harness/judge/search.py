"""Search for a counterexample with Hypothesis, inside a step, with a seed of ours and a bound on failures.

An IUT that crashes is started anew for each attempt to shrink; the bound keeps that from taking forever, and the
smallest counterexample seen so far is good enough.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis import strategies as st
from hypothesis.errors import Flaky
from hypothesis.internal.conjecture.providers import AVAILABLE_PROVIDERS, HypothesisProvider

from mqconform.harness.iut.interface import IutProblem


class SeedAlone(HypothesisProvider):
    """A backend of Hypothesis that draws no constants.

    Hypothesis reads them from source files where a project is not installed among packages: a checkout and an installed
    package would try different inputs with the same seed, and so might differ in a verdict. It has no setting for that.
    """

    def _maybe_draw_constant(self, *_: object, **__: object) -> None:
        return None


BY_SEED_ALONE: Final = "mqconform-seed-alone"
"""Name of the backend, for the settings of Hypothesis."""
AVAILABLE_PROVIDERS[BY_SEED_ALONE] = f"{SeedAlone.__module__}.{SeedAlone.__qualname__}"


T = TypeVar("T")
R = TypeVar("R")
MAX_FAILURES = 60


@dataclass(frozen=True, slots=True)
class Counterexample(Generic[T, R]):
    """The smallest input found for which the test gave a finding."""

    example: T
    finding: R


class _Failing(Exception):
    """Raised inside a generated test to make Hypothesis shrink."""


class _Enough(BaseException):
    """Ends shrinking once it has cost enough; not an Exception, so that Hypothesis lets it through."""


def search(  # noqa: PLR0913 - what to search, how far, and what counts
    strategy: st.SearchStrategy[T],
    test: Callable[[T], R | None],
    *,
    seed: int,
    examples: int,
    size: Callable[[T], int],
    cost: Callable[[R], int] = lambda finding: 1,  # noqa: ARG005 - all findings cost alike
) -> Counterexample[T, R] | None:
    """Return the smallest input for which ``test`` returns a finding, None if it never does.

    Args:
        strategy: where inputs come from.
        test: returns a finding for an input that is a counterexample.
        seed: makes the search the same each time.
        examples: how many inputs to try while all is well.
        size: what "smallest" means.
        cost: how much of ``MAX_FAILURES`` a finding uses up.

    Raises:
        IutProblem: the IUT could not be asked and no counterexample was found before.
    """
    best: Counterexample[T, R] | None = None
    ended: IutProblem | None = None
    failures = 0

    @with_seed(seed)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
        print_blob=False,
        backend=BY_SEED_ALONE,
    )
    @given(strategy)
    def attempt(example: T) -> None:
        nonlocal best, ended, failures
        try:
            finding = test(example)
        except IutProblem as problem:  # nothing to shrink: the IUT cannot be asked any more
            ended = problem
            raise _Enough from problem
        if finding is None:
            return
        failures += cost(finding)
        if best is None or size(example) <= size(best.example):
            best = Counterexample(example, finding)
        if failures >= MAX_FAILURES:
            raise _Enough
        raise _Failing

    # An IUT that answers the same input now one way and now another is still convicted by what it once did.
    with contextlib.suppress(_Failing, _Enough, Flaky):
        attempt()
    if ended is not None and best is None:
        raise ended
    return best
