"""The reference's vote on one judgement of the oracle."""

from dataclasses import dataclass, field

from mqconform.harness.compare.triangulate.answer import Answer, Vote
from mqconform.harness.judge.judge import Judge
from mqconform.harness.records.profile import Profile
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement, clip
from mqconform.harness.suite.ambiguity import ReadingLog, load_register

VOTES = {Verdict.PASS: Vote.ALLOWED, Verdict.INCONCLUSIVE: Vote.OPEN, Verdict.FAIL: Vote.REFUSED}


@dataclass(slots=True)
class Ballot:
    """Judges one answer, and keeps which readings of the register explain it."""

    profile: Profile
    judge: Judge = field(init=False)

    def __post_init__(self) -> None:
        """Make a judge that remembers nothing of other answers."""
        register = load_register()
        self.judge = Judge(register, self.profile, ReadingLog(register))

    @property
    def readings(self) -> tuple[str, ...]:
        """The readings that were followed, as ``BR-28/any-member``."""
        followed = self.judge.readings.followed()
        return tuple(sorted({f"{entry}/{reading}" for (entry, _), seen in followed.items() for reading in seen}))

    def answer(
        self, place: str, says: str, judgement: Judgement, requirements: tuple[str, ...] = (), objection: str = ""
    ) -> Answer:
        """Return an answer with the vote that a judgement is."""
        vote = VOTES[judgement.verdict]
        blamed = (self._of_register(judgement) or requirements) if vote is Vote.REFUSED else ()
        return Answer(place, clip(says), vote, clip(judgement.expected), blamed, self.readings, objection)

    def _of_register(self, judgement: Judgement) -> tuple[str, ...]:
        """Return what a reading that the register refuses violates."""
        entry = judgement.reading.partition("/")[0]
        return self.judge.register[entry].requirements if entry else ()
