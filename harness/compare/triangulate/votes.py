"""What one implementation made of one question, and how the reference votes on it."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement, clip
from mqconform.harness.suite.ambiguity import ReadingLog, load_register


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


VOTES: Final = {Verdict.PASS: Vote.ALLOWED, Verdict.INCONCLUSIVE: Vote.OPEN, Verdict.FAIL: Vote.REFUSED}
CONTRARY: Final = {Vote.ALLOWED: "not allowed", Vote.REFUSED: "allowed"}
"""What an independent oracle may not say where the reference votes so; ``open`` contradicts nothing."""


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


@dataclass(slots=True)
class Ballot:
    """Judges one answer, and keeps which readings of the register explain it; it remembers no other answers."""

    profile: Profile
    judge: Judge = field(init=False)

    def __post_init__(self) -> None:
        """Make the judge."""
        register = load_register()
        self.judge = Judge(register, self.profile, ReadingLog(register))

    def answer(
        self, place: str, says: str, judgement: Judgement, requirements: tuple[str, ...] = (), objection: str = ""
    ) -> Answer:
        """Return an answer with the vote that a judgement is; a refused reading tells what it violates."""
        vote = VOTES[judgement.verdict]
        entry = judgement.reading.partition("/")[0]
        violated = (self.judge.register[entry].requirements if entry else ()) or requirements
        blamed = violated if vote is Vote.REFUSED else ()
        followed = self.judge.readings.followed()
        readings = {f"{entry}/{reading}" for (entry, _), seen in followed.items() for reading in seen}
        return Answer(place, clip(says), vote, clip(judgement.expected), blamed, tuple(sorted(readings)), objection)
