"""Judgements on what a receiver makes of messages: the model, and beside it the readings that explain other answers.

Every operation is performed on models that follow different readings of the register. An answer that the plain model
does not give is explained by a reading whose model has given every answer so far; without one it is wrong, unless
what went before was already astray: then the situation that is to be judged never came about.
"""

from dataclasses import dataclass, field
from typing import Final

from mqconform.harness.builtin.ordered_receiver import ReferenceOrderedReceiver
from mqconform.harness.iut import Json
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.witness import Judgement
from mqconform.reference.eod.readings_of_receivers import KeptFor, NewerSequence, ReceiverReadings, Window


@dataclass(frozen=True)
class Otherwise:
    """A reading that makes a receiver answer otherwise in some situations, and the one that it stands against."""

    readings: ReceiverReadings
    follows: Window | KeptFor | NewerSequence
    instead: Window | KeptFor | NewerSequence


OTHERWISE: Final = (
    Otherwise(
        ReceiverReadings(window=Window.MOVES_ON_ARRIVAL), Window.MOVES_ON_ARRIVAL, instead=Window.MOVES_ON_ACCEPTANCE
    ),
    Otherwise(ReceiverReadings(kept_for=KeptFor.SESSION), KeptFor.SESSION, instead=KeptFor.STREAM),
    Otherwise(
        ReceiverReadings(newer_sequence=NewerSequence.AWAITS_OLDER),
        NewerSequence.AWAITS_OLDER,
        instead=NewerSequence.ACCEPTED,
    ),
)


@dataclass(frozen=True)
class Answer:
    """One answer of a receiver beside those of the models.

    Attributes:
        what: the operation in words, such as ``1 after 0 in stream a``.
        seen: what the receiver answered.
        expected: what the plain model answered.
        astray: whether an earlier answer was not the plain model's.
        fitting: readings whose models gave this answer and every one before it.
        telling: readings whose models answered otherwise than the plain one.
    """

    what: str
    seen: Json
    expected: Json
    astray: bool
    fitting: tuple[Otherwise, ...]
    telling: tuple[Otherwise, ...]


@dataclass
class ReceiverModels:
    """The models that keep pace with a receiver."""

    plain: ReferenceOrderedReceiver = field(default_factory=ReferenceOrderedReceiver)
    others: dict[Otherwise, ReferenceOrderedReceiver] = field(
        default_factory=lambda: {one: ReferenceOrderedReceiver(one.readings) for one in OTHERWISE}
    )
    _fitting: tuple[Otherwise, ...] = OTHERWISE
    _astray: bool = False

    def compare(self, operation: str, params: Json, seen: Json, what: str) -> Answer:
        """Perform an operation on every model, and hold what was seen against the answers."""
        expected: Json = getattr(self.plain, operation)(**params)
        answers = {one: getattr(model, operation)(**params) for one, model in self.others.items()}
        shown = {key: seen.get(key) for key in expected}
        self._fitting = tuple(one for one in self._fitting if answers[one] == shown)
        telling = tuple(one for one, answer in answers.items() if answer != expected)
        answer = Answer(what, shown, expected, self._astray, self._fitting, telling)
        self._astray |= shown != expected
        return answer


def judge_answer(judge: Judge, answer: Answer) -> Judgement:
    """Judge one answer (page, sections 2 and 4; MS-MQQB 3.1.5.8.6)."""
    expected, observed = (f"{answer.what}: {_told(one)}" for one in (answer.expected, answer.seen))
    if answer.seen == answer.expected and not answer.astray:
        for one in answer.telling:
            return judge.reading(*_named(one.instead), expected, observed)
        return judge.says(True, expected, observed)
    for one in answer.fitting:
        return judge.reading(*_named(one.follows), expected, observed)
    if answer.astray:
        return judge.undecided(expected, f"{observed}; what went before was not answered as it should be")
    return judge.says(False, expected, observed)


def _named(choice: Window | KeptFor | NewerSequence) -> tuple[str, str]:
    return choice.reading.register, choice.reading.name


def _told(answer: Json) -> str:
    match answer:
        case {"accepted": bool(accepted)}:
            return "accepted" if accepted else "rejected"
        case {"sequence": number}:
            return f"carries {number}"
    return "done"
