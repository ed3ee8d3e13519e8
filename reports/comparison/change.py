"""One thing that differs between two runs, and its cause."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Cause(StrEnum):
    """Why something differs; each change has exactly one."""

    REGRESSION = "regression"
    """The same question of the same implementation, another build of it, a worse answer."""
    FIX = "fix"
    """The same question of the same implementation, another build of it, a better answer."""
    NEW = "new"
    """It was not there before."""
    REMOVED = "removed"
    """It is there no more."""
    RENAMED = "renamed"
    """It has another name and is otherwise the same."""
    SPECIFICATION = "specification change"
    """The text that it stands on is another."""
    SUITE = "suite change"
    """The question is another: its steps, the code that judges, or what was generated."""
    IUT = "IUT change"
    """The implementation is another, or says other things of itself."""
    PROFILE = "profile change"
    """The answer was judged by another profile."""
    ENVIRONMENT = "environment"
    """The same build of the same implementation gave another answer in other surroundings, or the harness failed."""
    FLAKE = "flake"
    """The same build of the same implementation gave another answer to the same question in the same surroundings."""


FAIL_ON: Final = (Cause.REGRESSION.value, Cause.REMOVED.value)
"""Causes by which a command ends with exit code 1 unless it is told otherwise."""


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one requirement or case.

    Attributes:
        kind: ``requirement`` or ``case``.
        id: its name in the newer run, in the older one where it is gone.
        before: standing, verdict or excuse in the older run, empty where it was not there.
        after: the same in the newer run.
        detail: what makes the cause known, in words.
        formerly: its name in the older run where that was another.
        worse: whether it is worse than it was, being gone included.
    """

    kind: str
    id: str
    before: str
    after: str
    cause: Cause
    detail: str
    formerly: str = ""
    worse: bool = False
