"""The cause of a verdict that is another than before: the rules in the order in which they are asked."""

from dataclasses import dataclass

from mqconform.reports.comparison.change import Cause
from mqconform.reports.comparison.setting import Setting

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
