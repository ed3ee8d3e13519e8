"""What one implementation made of one question, and what the reference says of it."""

from dataclasses import dataclass
from enum import StrEnum


class Vote(StrEnum):
    """What the reference, with the ambiguity register, says of an answer."""

    ALLOWED = "allowed"
    """Inside the set of allowed outcomes."""
    OPEN = "open"
    """The text decides nothing here: the register leaves it undecided."""
    REFUSED = "refused"
    """Outside the set."""
    FAULT = "fault"
    """No answer at all: the implementation broke the contract of its carrier."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer of one implementation.

    Attributes:
        place: which question of the input it answers; the same for every implementation.
        says: the answer in a form in which two that mean the same are equal.
        vote: what the reference says of it.
        expected: what would have been allowed, in words.
        requirements: ids that a refused answer violates, the main one first.
        readings: readings of the register that it follows, as ``BR-28/any-member``.
        objection: how the independent oracle contradicts the reference here, empty where it does not.
    """

    place: str
    says: str
    vote: Vote
    expected: str = ""
    requirements: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    objection: str = ""

    @property
    def wrong(self) -> bool:
        """Whether it is outside the allowed set, or no answer."""
        return self.vote in (Vote.REFUSED, Vote.FAULT)
