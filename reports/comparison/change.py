"""One thing that differs between two runs, and its cause; of a verdict also which cases changed it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from mqconform.reports.comparison.setting import Setting


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


EXCUSES = ("unsupported", "not-applicable")
RANKS = {
    "pass": 0,
    "verified": 0,
    "unobservable": 1,
    "none": 2,
    "unverified": 2,
    "inconclusive": 3,
    "fail": 4,
    "affected": 4,
    "violated": 4,
    "error": 5,
}
"""Verdicts and standings from good to bad."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is known of one thing that both runs judged, beside what they said of it.

    Attributes:
        specification: how the text differs that it stands on, empty where it does not.
        suite: how it is asked otherwise than before, empty where it is not.
        flaky: why it is known to answer now so and now otherwise, empty where it is not.
    """

    specification: str = ""
    suite: str = ""
    flaky: str = ""


def is_worse(before: str, after: str) -> bool:
    """Tell whether an answer is worse than before; what was judged and is no longer counts as worse."""
    if after in EXCUSES:
        return True
    if before in EXCUSES:
        return RANKS[after] > 0
    return RANKS[after] > RANKS[before]


def cause_of(setting: Setting, question: Question, before: str, after: str) -> tuple[Cause, str]:
    """Return the one cause of another answer, and what makes it known.

    What changes the question comes before who was asked, and that before how the answer came about: a worse answer to
    another question says nothing about the implementation.
    """
    excused = {before, after}.intersection(EXCUSES)
    failed = "the harness failed in one of the runs; this is not a result of the implementation"
    rules = (
        (Cause.SPECIFICATION, question.specification),
        (Cause.SUITE, question.suite),
        (Cause.PROFILE, setting.profile),
        (Cause.IUT, setting.who or (setting.declared if excused else "")),
        (Cause.ENVIRONMENT, failed if "error" in {before, after} else ""),
        (Cause.FLAKE, question.flaky),
    )
    reason = next(((cause, why) for cause, why in rules if why), None)
    return reason or _of_the_answer(setting, before, after)


def _of_the_answer(setting: Setting, before: str, after: str) -> tuple[Cause, str]:
    if setting.same_build:
        if setting.environment:
            return Cause.ENVIRONMENT, setting.environment
        return Cause.FLAKE, f"the same build {setting.now.iut.build} answered the same questions"
    return (Cause.REGRESSION if is_worse(before, after) else Cause.FIX), setting.build
