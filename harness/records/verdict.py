"""Verdicts of cases and of requirements.

A verdict is a value, never an exception: fail is the implementation's, error is the harness's own, and
"unsupported" or "not applicable" is not a verdict at all but a reason why there is none.
"""

from collections.abc import Iterable
from enum import IntEnum, StrEnum


class Verdict(IntEnum):
    """Verdict of a witness or a case, in the rising order of TTCN-3 (ETSI ES 201 873-1, 24.1)."""

    NONE = 0
    PASS = 1
    INCONCLUSIVE = 2
    FAIL = 3
    ERROR = 4

    @property
    def word(self) -> str:
        """The lower-case name that results and schemas use."""
        return self.name.lower()

    @classmethod
    def of(cls, word: str) -> "Verdict":
        """Return the verdict that results spell as ``word``.

        Raises:
            ValueError: if no verdict is spelled so.
        """
        try:
            return cls[word.upper()]
        except KeyError:
            names = ", ".join(verdict.word for verdict in cls)
            raise ValueError(f"{word!r} is not a verdict; the verdicts are {names}") from None


class Standing(StrEnum):
    """What a run established about one requirement."""

    VERIFIED = "verified"
    """At least one witness passed and none was worse than inconclusive."""
    VIOLATED = "violated"
    """At least one witness failed, and nothing else that is wrong explains it."""
    AFFECTED = "affected"
    """It failed in cases alone that another violated requirement explains: neither verified nor violated."""
    INCONCLUSIVE = "inconclusive"
    """Witnesses exist, none passed and none failed."""
    UNVERIFIED = "unverified"
    """It should have been judged and no assertion ran."""
    UNSUPPORTED = "unsupported"
    """The implementation does not offer what the judgement needs, or nothing of this harness sees it."""
    NOT_APPLICABLE = "not-applicable"
    """It does not apply here: another configuration, or it does not bind in this profile."""
    UNOBSERVABLE = "unobservable"
    """Nothing that an implementation shows could tell; the catalogue gives the reason."""
    ERROR = "error"
    """The harness itself failed while judging."""


FAILED = (Standing.VIOLATED, Standing.AFFECTED)
"""Standings of requirements that some check found violated."""


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the highest verdict of several, ``NONE`` of none."""
    return max(verdicts, default=Verdict.NONE)


def standing(verdicts: Iterable[Verdict]) -> Standing:
    """Return what the witnesses of one requirement establish together."""
    unique = set(verdicts)
    if Verdict.FAIL in unique:
        return Standing.VIOLATED
    if Verdict.ERROR in unique:
        return Standing.ERROR
    if Verdict.PASS in unique:
        return Standing.VERIFIED
    if Verdict.INCONCLUSIVE in unique:
        return Standing.INCONCLUSIVE
    return Standing.UNVERIFIED
