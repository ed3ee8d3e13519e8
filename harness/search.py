"""Search for a counterexample with Hypothesis, inside a step, with a seed of ours and a bound on failures.

An IUT that crashes is started anew for each attempt to shrink; the bound keeps that from taking forever, and the
smallest counterexample seen so far is good enough.
"""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as with_seed
from hypothesis import strategies as st
from hypothesis.errors import Flaky

T = TypeVar("T")
R = TypeVar("R")
MAX_FAILURES = 60


@dataclass(frozen=True, slots=True)
class Counterexample(Generic[T, R]):
    """The smallest input found for which the test gave a finding."""

    example: T
    finding: R


class _Found(Exception):
    """Raised inside a generated test to make Hypothesis shrink."""


class _Enough(BaseException):
    """Ends shrinking once it has cost enough; not an Exception, so that Hypothesis lets it through."""


def search(
    strategy: st.SearchStrategy[T],
    test: Callable[[T], R | None],
    *,
    seed: int,
    examples: int,
    size: Callable[[T], int],
) -> Counterexample[T, R] | None:
    """Return the smallest input for which ``test`` returns a finding, None if it never does.

    Args:
        strategy: where inputs come from.
        test: returns a finding for an input that is a counterexample.
        seed: makes the search the same each time.
        examples: how many inputs to try while all is well.
        size: what "smallest" means.
    """
    best: Counterexample[T, R] | None = None
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
    )
    @given(strategy)
    def attempt(example: T) -> None:
        nonlocal best, failures
        finding = test(example)
        if finding is None:
            return
        failures += 1
        if best is None or size(example) <= size(best.example):
            best = Counterexample(example, finding)
        if failures >= MAX_FAILURES:
            raise _Enough
        raise _Found

    # An IUT that answers the same input now one way and now another is still convicted by what it once did.
    with contextlib.suppress(_Found, _Enough, Flaky):
        attempt()
    return best
