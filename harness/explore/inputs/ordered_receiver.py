"""Role ``ordered_receiver``: arrivals in any order, acknowledgments, losses of state (exactly-once page, section 4)."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final

from hypothesis import strategies as st

from mqconform.harness.explore.inputs.role_inputs import Inputs, with_one_less, with_one_plainer
from mqconform.harness.explore.votes import Answer, Ballot, Vote
from mqconform.harness.iut.interface import Iut, Json
from mqconform.harness.judge.eod.receiver_checks import judge_answer
from mqconform.harness.judge.eod.receiver_models import ReceiverModels
from mqconform.reference.history.streams import Entry, Kind, check_history

STREAMS: Final = ("a", "b")
LONGEST: Final = 14
AHEAD: Final = (0, 0, 0, 0, 1, 2, -1, -2)
"""By how much the number of an arrival differs from what a right sender would send next."""
BEFORE: Final = (1, 1, 1, 2, 3, 99)
"""By how much the previous number is lower; 99 makes it zero."""
BY_THE_RULES: Final = "EOD-2-08"


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message arrives."""

    stream: str
    sequence: int
    previous: int

    def __str__(self) -> str:
        return f"{self.sequence} after {self.previous} arrives in stream {self.stream}"


@dataclass(frozen=True, slots=True)
class Acknowledgment:
    """The receiver is asked what an order acknowledgment would carry."""

    stream: str

    def __str__(self) -> str:
        return f"stream {self.stream} is acknowledged"


@dataclass(frozen=True, slots=True)
class LossOfState:
    """The receiver crashes and forgets its numbers."""

    def __str__(self) -> str:
        return "the receiver loses its state"


Event = Arrival | Acknowledgment | LossOfState
OPERATIONS: Final[dict[str, type[Event]]] = {
    "receive": Arrival,
    "order_ack": Acknowledgment,
    "lose_state": LossOfState,
}
"""Each operation with its event, which has the parameters for attributes."""
OrderedReceiverInput = tuple[Event, ...]


def decoded(octets: bytes) -> OrderedReceiverInput:
    """Return the events that some octets stand for, two for each: most arrivals come as a right sender sends them."""
    events: list[Event] = []
    sent = dict.fromkeys(STREAMS, 0)
    for first, second in zip(octets[::2], octets[1::2], strict=False):
        stream = STREAMS[first // 16 % 4 == 3]
        match first % 16:
            case 15:
                events.append(LossOfState())
            case 12 | 13 | 14:
                events.append(Acknowledgment(stream))
            case _:
                sent[stream] += 1
                number = max(1, sent[stream] + AHEAD[second % 8])
                events.append(Arrival(stream, number, max(0, number - BEFORE[second // 8 % 6])))
    return tuple(events)


class OrderedReceiverInputs(Inputs[OrderedReceiverInput]):
    """Plays events to receivers of streams."""

    role = "ordered_receiver"

    def inputs(self) -> st.SearchStrategy[OrderedReceiverInput]:
        return st.binary(min_size=2 * LONGEST, max_size=2 * LONGEST).map(decoded)

    def play(self, iut: Iut, role_input: OrderedReceiverInput) -> list[Answer]:
        """Let each event happen, and judge each answer by the models and by the check of histories."""
        models, history, answers = ReceiverModels(), list[Entry](), list[Answer]()
        for number, event in enumerate(role_input, 1):
            operation, params = _operation(event)
            reply = iut.call(f"ordered_receiver.{operation}", params)
            compared = models.compare(operation, params, reply, str(event))
            history += _entries(event, compared.observed, number)
            if isinstance(event, LossOfState):
                continue
            ballot = Ballot(self.profile)
            judgement = judge_answer(ballot.judge, compared)
            wrong = violated_from(len(history) - 1, history)
            place, says = f"event {number}, {event}", judgement.observed.rpartition(": ")[2]
            answer = ballot.answer(place, says, judgement, wrong or (BY_THE_RULES,))
            answers.append(answer if compared.astray else replace(answer, objection=_objection(answer, wrong)))
        return answers

    def smaller(self, role_input: OrderedReceiverInput) -> Iterator[OrderedReceiverInput]:
        yield from with_one_less(role_input)
        yield from with_one_plainer(role_input, _plainer)

    def size(self, role_input: OrderedReceiverInput) -> int:
        """Return the number of events first, then how large their numbers are."""
        return sum(100 + (event.sequence + event.previous if isinstance(event, Arrival) else 0) for event in role_input)

    def record(self, role_input: OrderedReceiverInput) -> Json:
        """Return methods with their parameters."""
        return {"events": [dict(zip(("operation", "params"), _operation(event), strict=True)) for event in role_input]}

    def read(self, record: Json) -> OrderedReceiverInput:
        if unknown := {event["operation"] for event in record["events"]} - OPERATIONS.keys():
            raise ValueError(f"events: {unknown.pop()!r} is not an operation; expected {', '.join(OPERATIONS)}")
        return tuple(OPERATIONS[event["operation"]](**event["params"]) for event in record["events"])

    def told(self, role_input: OrderedReceiverInput) -> list[str]:
        return list(map(str, role_input))


def _operation(event: Event) -> tuple[str, Json]:
    return next(name for name, kind in OPERATIONS.items() if isinstance(event, kind)), asdict(event)


def _entries(event: Event, reply: Json, number: int) -> Iterator[Entry]:
    """Yield what a history tells of an event; each arrival is a message of its own, so that numbers alone decide."""
    match event:
        case Arrival(stream, sequence, previous):
            kind = Kind.ACCEPTED if reply["accepted"] else Kind.REJECTED
            yield Entry(kind, stream, f"m{number}", sequence, previous)
        case Acknowledgment(stream):
            yield Entry(Kind.ACKNOWLEDGED, stream, number=reply["sequence"])
        case LossOfState():
            yield from (Entry(Kind.RECEIVER_LOST_STATE, stream) for stream in STREAMS)


def violated_from(start: int, history: Sequence[Entry], role: str = "") -> tuple[str, ...]:
    """Return the requirements that entries from ``start`` on violate by the check of histories, for one role or all."""
    findings = (each.finding for each in check_history(history, healed=False) if each.position >= start)
    return tuple(dict.fromkeys(finding.requirement for finding in findings if not role or finding.role == role))


def _objection(answer: Answer, wrong: tuple[str, ...]) -> str:
    """Return how model and check of histories contradict each other; readings are the model's alone."""
    if answer.vote is Vote.REFUSED and not wrong:
        return f"the model of receivers refuses {answer.says!r}, the check of histories does not"
    if answer.vote is Vote.ALLOWED and wrong:
        return f"the model of receivers allows {answer.says!r}, the check of histories says {', '.join(wrong)}"
    return ""


def _plainer(event: Event) -> Iterator[Event]:
    if isinstance(event, Arrival):
        if event.stream != STREAMS[0]:
            yield replace(event, stream=STREAMS[0])
        if event.previous:
            yield replace(event, previous=0)
        if event.sequence > max(1, event.previous + 1):
            yield replace(event, sequence=event.sequence - 1)
