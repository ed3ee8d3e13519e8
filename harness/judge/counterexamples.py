"""What a search found, made small and kept as a named case that a later run can include with ``--features``."""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
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


FOLDER: Final = "cases"
"""In the results' directory."""


def save_steps(  # noqa: PLR0913 - the parts of one scenario
    directory: Path, steps: Sequence[str], *, tags: str, requirement: str, title: str, seed: int
) -> Path:
    """Write a scenario of some steps, and return its path; the same steps always have the same name.

    Args:
        directory: of the results.
        steps: each with its keyword.
        tags: of the feature.
        requirement: that the scenario judges.
        title: of the scenario, without the digest that makes it unique.
        seed: of the run that found it.
    """
    digest = sha256("\n".join(steps).encode()).hexdigest()[:10]
    lines = [
        tags,
        f"Feature: Cases that a run of seed {seed} found",
        "",
        f"  @req:{requirement}",
        f"  Scenario: {title} {digest}",
        *(f"    {step}" for step in steps),
        "",
    ]
    folder = directory / FOLDER
    folder.mkdir(exist_ok=True)
    path = folder / f"{requirement}-{digest}.feature"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path
