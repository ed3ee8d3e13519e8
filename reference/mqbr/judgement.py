"""What the model says about one observed outcome: allowed, allowed by the register, or not allowed."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Generic, TypeVar

from mqconform.reference.allowed import Allowed, Alternative, Reading, Standing

T = TypeVar("T")


class Outcome(StrEnum):
    """How an observation relates to the set of allowed outcomes."""

    ALLOWED = "allowed"
    """The text says so, or leaves the choice."""
    BY_REGISTER = "allowed-by-register"
    """Only a reading that the ambiguity register permits explains it."""
    NOT_ALLOWED = "not-allowed"
    """No reading explains it, or only one that the register refuses."""


OUTCOME_OF: Final = MappingProxyType(
    {
        Standing.TEXT: Outcome.ALLOWED,
        Standing.PERMITTED: Outcome.BY_REGISTER,
        Standing.REFUSED: Outcome.NOT_ALLOWED,
    }
)
"""What the best explanation's standing makes of an observation."""


@dataclass(frozen=True, slots=True)
class Judgement(Generic[T]):
    """One observation, judged.

    Attributes:
        matches: the alternatives that explain it, those that need the least from the register first.
        ambiguities: ids of the register entries whose readings explain the observation.
        explanation: the verdict in words.
    """

    outcome: Outcome
    matches: tuple[Alternative[T], ...]
    ambiguities: frozenset[str]
    explanation: str

    @property
    def matched(self) -> Alternative[T] | None:
        """The best explanation, None without any."""
        return self.matches[0] if self.matches else None

    @property
    def readings(self) -> frozenset[Reading]:
        """Readings that the best explanation rests on."""
        return self.matches[0].readings if self.matches else frozenset()

    @property
    def requirements(self) -> tuple[str, ...]:
        """Requirement ids along the best explanation's derivation; empty without any."""
        return self.matches[0].requirements if self.matches else ()


def judge(allowed: Allowed[T], observed: T) -> Judgement[T]:
    """Return what the model says about an outcome that is compared as it stands, such as that of IsSiteGate."""
    matches = [alternative for alternative in allowed.alternatives if alternative.outcome == observed]
    return judged(matches, f"{observed}", expected(allowed))


def expected(allowed: Allowed[T], text: Callable[[T], str] = str) -> str:
    """Return the allowed outcomes in words, each by its ``text``."""
    outcomes = sorted({text(outcome) for outcome in allowed.outcomes(Standing.PERMITTED)})
    return f"Allowed: {' or '.join(outcomes) or 'nothing'}."


def judged(matches: Iterable[Alternative[T]], observed: str, otherwise: str) -> Judgement[T]:
    """Return the judgement on an observation that ``matches`` explain.

    Args:
        matches: alternatives, or variations of them, whose outcome is the observed one.
        observed: the observation in words.
        otherwise: what should have been seen instead, in words.
    """
    ranked = tuple(sorted(matches, key=lambda alternative: (alternative.standing, len(alternative.readings))))
    resting = ", ".join(map(str, sorted(ranked[0].readings))) if ranked else ""
    registers = frozenset(reading.register for alternative in ranked[:1] for reading in alternative.readings)
    if ranked and ranked[0].standing <= Standing.PERMITTED:
        because = "; ".join(map(str, ranked[0].derivation))
        text = f"{observed}: {because}. Rests on {resting or 'no open reading'}."
        return Judgement(OUTCOME_OF[ranked[0].standing], ranked, registers, text)
    refused = f"; it is what {resting} gives" if ranked else ""
    return Judgement(Outcome.NOT_ALLOWED, ranked, registers, f"{observed} is not allowed{refused}. {otherwise}")
