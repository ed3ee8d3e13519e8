"""Models that keep pace with a receiver: the plain one, and beside it the readings that explain other answers.

Every operation is performed on models that follow different readings of the register. An answer that the plain model
does not give is explained by a reading whose model has given every answer so far; without one it is wrong, unless
what went before was already astray: then the situation that is to be judged never came about.
"""

from dataclasses import dataclass, field
from typing import Final

from mqconform.harness.iut.interface import Json
from mqconform.reference.eod.readings_of_receivers import KeptFor, NewerSequence, ReceiverReadings, TooEarly, Window
from mqconform.reference.eod.receiver import OrderedReceiver

Choice = Window | TooEarly | KeptFor | NewerSequence
"""What a reading decides that makes a receiver answer otherwise."""


@dataclass(frozen=True)
class Alternative:
    """A reading that makes a receiver answer otherwise in some situations, and the one that it stands against."""

    readings: ReceiverReadings
    follows: Choice
    instead: Choice


ALTERNATIVES: Final = (
    Alternative(
        ReceiverReadings(window=Window.MOVES_ON_ARRIVAL), Window.MOVES_ON_ARRIVAL, instead=Window.MOVES_ON_ACCEPTANCE
    ),
    Alternative(ReceiverReadings(too_early=TooEarly.KEPT), TooEarly.KEPT, instead=TooEarly.DISCARDED),
    Alternative(ReceiverReadings(kept_for=KeptFor.SESSION), KeptFor.SESSION, instead=KeptFor.STREAM),
    Alternative(
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
        observed: what the receiver answered.
        expected: what the plain model answered.
        astray: whether an earlier answer was not the plain model's.
        fitting: readings whose models gave this answer and every one before it.
        telling: readings whose models answered otherwise than the plain one.
    """

    what: str
    observed: Json
    expected: Json
    astray: bool
    fitting: tuple[Alternative, ...]
    telling: tuple[Alternative, ...]


@dataclass
class ReceiverModels:
    """The models that keep pace with a receiver."""

    plain: OrderedReceiver = field(default_factory=OrderedReceiver)
    others: dict[Alternative, OrderedReceiver] = field(
        default_factory=lambda: {other: OrderedReceiver(other.readings) for other in ALTERNATIVES}
    )
    fitting: tuple[Alternative, ...] = ALTERNATIVES
    """Readings whose models gave every answer so far."""
    _astray: bool = False

    def compare(self, operation: str, params: Json, response: Json, what: str) -> Answer:
        """Perform an operation on every model, and compare the response with their answers."""
        expected: Json = getattr(self.plain, operation)(**params)
        answers = {other: getattr(model, operation)(**params) for other, model in self.others.items()}
        observed = {key: response.get(key) for key in expected}
        self.fitting = tuple(other for other in self.fitting if answers[other] == observed)
        telling = tuple(other for other, answer in answers.items() if answer != expected)
        answer = Answer(what, observed, expected, self._astray, self.fitting, telling)
        self._astray |= observed != expected
        return answer
