"""What one implementation made of one question, how the reference votes on it, and what all votes make together."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from mqconform.harness.iut.interface import Json
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
        readings = {f"{followed.ambiguity}/{followed.reading}" for followed in self.judge.readings.recent()}
        return Answer(place, clip(says), vote, clip(judgement.expected), blamed, tuple(sorted(readings)), objection)


Votes = Mapping[str, Sequence[Answer]]
"""Answers to one input, by the label of who gave them."""


class Kind(StrEnum):
    """What a disagreement is, the gravest first."""

    ORACLES = "oracles-disagree"
    """The reference and the independent oracle contradict each other: an error of ours."""
    IUT = "iut-leaves-the-set"
    """One implementation is outside the allowed set: its fault."""
    REFERENCE_ALONE = "reference-stands-alone"
    """All others, two or more, are outside the set in the same way: a question to the specification, or to us."""
    OPEN = "open-choice"
    """All are inside the set, or where the text decides nothing, and differ."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One question on which implementations or oracles disagree.

    Attributes:
        answers: by label.
        blamed: labels outside the allowed set; where there are none, of all that differ.
    """

    kind: Kind
    place: str
    answers: Mapping[str, Answer]
    blamed: tuple[str, ...]

    @property
    def first(self) -> Answer:
        """The answer of the first that is blamed."""
        return self.answers[self.blamed[0]]

    @property
    def objection(self) -> str:
        """What the independent oracle says, where that is what it is about."""
        return self.first.objection if self.kind is Kind.ORACLES else ""

    @property
    def register(self) -> tuple[str, ...]:
        """The entries that a choice is about, or that a question to the specification may belong to."""
        match self.kind:
            case Kind.OPEN:
                return _differing(self.answers)
            case Kind.REFERENCE_ALONE:
                entry_lists = map(load_register().for_requirement, self.first.requirements[:1])
                return tuple(entry.id for entries in entry_lists for entry in entries)
        return ()

    @property
    def signature(self) -> tuple[str, ...]:
        """What it is about; who makes which of the open choices is no matter."""
        who = self.blamed if self.kind is not Kind.OPEN else ()
        about = (*self.first.requirements[:1], *self.register) if self.kind is not Kind.ORACLES else ()
        return (self.kind.value, *who, "by", *about)

    @property
    def needed(self) -> tuple[str, ...]:
        """The labels that it needs: who is blamed, or of a choice two who differ."""
        if self.kind is not Kind.OPEN:
            return self.blamed
        return (self.blamed[0], *[name for name in self.blamed if self.answers[name].says != self.first.says][:1])

    def record(self) -> Json:
        """Return it as JSON, without its role and input."""
        record: Json = {
            "kind": self.kind.value,
            "place": self.place,
            "blamed": list(self.blamed),
            "requirements": list(self.first.requirements),
            "register": list(self.register),
            "answers": [
                {"label": label, "says": clip(answer.says), "vote": answer.vote.value}
                for label, answer in self.answers.items()
            ],
            "expected": clip(self.first.expected),
        }
        return record | ({"objection": clip(self.objection)} if self.objection else {})


def disagreements(votes: Votes, ours: Collection[str] = ()) -> Iterator[Disagreement]:
    """Yield every disagreement on one input, question by question in order.

    Args:
        votes: the answers, by label.
        ours: labels of the reference itself, where it takes part: it is no company for the reference.
    """
    by_place: dict[str, dict[str, Answer]] = {}
    for label, answers in votes.items():
        for answer in answers:
            by_place.setdefault(answer.place, {})[label] = answer
    for place, answer_by_label in by_place.items():
        yield from _on(place, answer_by_label, ours)


def _on(place: str, answers: Mapping[str, Answer], ours: Collection[str]) -> Iterator[Disagreement]:
    objecting = tuple(label for label, answer in answers.items() if answer.objection)
    if objecting:
        yield Disagreement(Kind.ORACLES, place, answers, objecting[:1])
        return
    wrong = tuple(label for label, answer in answers.items() if answer.wrong)
    alike = len({answer.says for answer in answers.values()}) == 1
    others = [answer for label, answer in answers.items() if label not in ours]
    together = len(others) > 1 and len({answer.says for answer in others}) == 1
    if together and not set(wrong) & set(ours) and all(answer.vote is Vote.REFUSED for answer in others):
        yield Disagreement(Kind.REFERENCE_ALONE, place, answers, wrong)
    elif wrong:
        yield from (Disagreement(Kind.IUT, place, answers, (label,)) for label in wrong)
    elif not alike:
        yield Disagreement(Kind.OPEN, place, answers, tuple(answers))


def _differing(answers: Mapping[str, Answer]) -> tuple[str, ...]:
    """Return the entries in whose readings the answers differ; where they do not, those that explain any answer."""
    readings = [{*answer.readings} for answer in answers.values()]
    shared = readings[0].intersection(*readings)
    every = set[str]().union(*readings)
    return tuple(sorted({reading.partition("/")[0] for reading in (every - shared or every)}))
