"""Shrunk counterexamples kept as named cases: features that a later run can include with ``--features``."""

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final

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
