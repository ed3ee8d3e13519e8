"""Role ``ordered_sender``: numbers, links and what is sent again (exactly-once page, section 3)."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Final

from hypothesis import strategies as st

from mqconform.harness.explore.inputs.ordered_receiver import violated_from
from mqconform.harness.explore.inputs.role_inputs import Inputs, with_one_less, with_one_plainer
from mqconform.harness.explore.votes import Answer, Ballot, Vote
from mqconform.harness.iut.connect import Reached
from mqconform.harness.iut.interface import Iut, Json
from mqconform.harness.judge.eod import sender_checks
from mqconform.harness.judge.eod.sender_models import SenderModels
from mqconform.harness.judge.eod.sending import DrivenSender
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.reference.history.streams import Entry, Kind

Weighed = tuple[Judgement, str]
"""A judgement and the requirement that it is about."""
STREAMS: Final = ("a", "b")
LONGEST: Final = 16
WORDS: Final = {
    "enqueue": "a message is queued in stream {stream}",
    "transmit": "stream {stream} is transmitted",
    "order_ack": "stream {stream} is acknowledged up to the {which}. message that went out",
    "discard": "the {which}. message that waits in stream {stream} expires",
    "receiver_lost_state": "the receiver of stream {stream} loses its numbers",
}
OFTEN: Final = (*("enqueue",) * 4, *("transmit",) * 5, *("order_ack",) * 2, *("discard",) * 2, "receiver_lost_state")
"""Each action as often as it should turn up."""
OF_ONE_MESSAGE: Final = ("order_ack", "discard")


@dataclass(slots=True)
class Outgoing:
    """One sender from its reset on, with the history that is checked.

    Attributes:
        driven: drives it and goes by its numbers, as in a scenario.
        reached: how many messages of a stream went out since its receiver began; more cannot be acknowledged.
    """

    driven: DrivenSender
    history: list[Entry] = field(default_factory=list)
    reached: dict[str, int] = field(default_factory=dict)
    queued: int = 0
    astray: bool = False
    """Whether something was refused before: what follows from it proves nothing."""

    def perform(self, step: "Step", place: str) -> Answer | None:
        """Let a step happen, and judge what is given or sent; one that cannot happen as it is, is passed over."""
        stream, driven = step.stream, self.driven
        match step.action:
            case "enqueue":
                return self._enqueue(stream, place)
            case "transmit":
                return self._transmit(stream, place)
            case "order_ack" if reached := self.reached.get(stream, 0):
                last = driven.numbered[stream][(step.which - 1) % reached]
                driven.acknowledge(stream, last.message)
                self.history.append(Entry(Kind.RELEASED, self._sequence(stream), number=last.numbers.sequence))
            case "discard" if waiting := driven.stream(stream).queue:
                gone = waiting[(step.which - 1) % len(waiting)]
                driven.expire(stream, gone.message)
                if not gone.transmitted:
                    left = [message for message in driven.numbered[stream] if message.message != gone.message]
                    driven.numbered[stream] = left
                self.history.append(Entry(Kind.DISCARDED, self._sequence(stream), gone.message, gone.numbers.sequence))
            case "receiver_lost_state":
                driven.receiver_lost_state(stream)
                self.reached[stream] = 0
                self.history.append(Entry(Kind.RECEIVER_LOST_STATE, self._sequence(stream)))
        return None

    def _enqueue(self, stream: str, place: str) -> Answer:
        self.queued += 1
        message = f"{stream}{self.queued}"
        self.driven.queue(stream, message)
        messages = self.driven.numbered[stream]
        self.history.append(Entry(Kind.ENQUEUED, self._sequence(stream), message))
        ballot = Ballot(self.driven.judge.profile)
        weighed = [(sender_checks.given_numbers_rise(ballot.judge, messages), "EOD-3-01")]
        return self._answer(ballot, place, f"{messages[-1]}", weighed, ())

    def _transmit(self, stream: str, place: str) -> Answer:
        self.driven.transmit(stream)
        transmission, messages = self.driven.transmission, self.driven.numbered.get(stream, [])
        self.reached[stream] = len(messages)
        start = len(self.history)
        self.history += [
            Entry(
                Kind.SENT, self._sequence(stream), message.message, message.numbers.sequence, message.numbers.previous
            )
            for message in transmission.sent
        ]
        ballot = Ballot(self.driven.judge.profile)
        waiting = [message.message for message in transmission.stream.queue]
        weighed = [(sender_checks.holds(ballot.judge, waiting, transmission), "EOD-3-06")]
        if transmission.sent:
            weighed += [
                (sender_checks.numbers_are_those_given(ballot.judge, messages, transmission), "EOD-3-10"),
                (sender_checks.numbers_rise(ballot.judge, transmission), "EOD-3-01"),
                (sender_checks.links_lead_to_the_one_before(ballot.judge, transmission), "EOD-3-02"),
                (sender_checks.first_has_previous_zero(ballot.judge, transmission), "EOD-3-09"),
            ]
        return self._answer(
            ballot, place, f"{transmission}", weighed, violated_from(start, self.history, "ordered_sender")
        )

    def _sequence(self, name: str) -> str:
        """Return the name that a history has for the sequence of a stream (register EOD-30)."""
        return f"{name}{self.driven.stream(name).sequence_id or ''}"

    def _answer(
        self, ballot: Ballot, place: str, says: str, weighed: Iterable[Weighed], wrong: tuple[str, ...]
    ) -> Answer:
        judgements = list(weighed)
        worst = max((judgement for judgement, _ in judgements), key=lambda judgement: judgement.verdict)
        blamed = tuple(dict.fromkeys(name for judgement, name in judgements if judgement.verdict is Verdict.FAIL))
        if self.astray and worst.verdict is Verdict.FAIL:
            worst = ballot.judge.undecided(worst.expected, f"{says}; what went before was not right either")
        answer = ballot.answer(place, says, worst, blamed)
        objection = f"the model of senders allows {answer.says!r}, the check of histories says {', '.join(wrong)}"
        contradicted = wrong and answer.vote is Vote.ALLOWED and not self.astray
        self.astray |= answer.vote is Vote.REFUSED
        return replace(answer, objection=objection) if contradicted else answer


@dataclass(frozen=True, slots=True)
class Step:
    """Something that happens to a sender.

    Attributes:
        action: a key of ``WORDS``.
        which: the message concerned, counted from 1 and beyond the last one round; 0 where none is.
    """

    action: str
    stream: str
    which: int = 0

    def __str__(self) -> str:
        return WORDS[self.action].format(stream=self.stream, which=self.which)


OrderedSenderInput = tuple[Step, ...]


def decoded(octets: bytes) -> OrderedSenderInput:
    """Return the steps that some octets stand for, two for each: so they are drawn evenly, and at once."""
    return tuple(_step(*pair) for pair in zip(octets[::2], octets[1::2], strict=False))


def _step(first: int, second: int) -> Step:
    action = OFTEN[first % len(OFTEN)]
    stream = STREAMS[second % 4 == 3]
    return Step(action, stream, 1 + second // 4 % 4 if action in OF_ONE_MESSAGE else 0)


class OrderedSenderInputs(Inputs[OrderedSenderInput]):
    """Plays steps to senders of streams; a step that cannot happen to a sender as it is, is passed over."""

    role = "ordered_sender"

    def inputs(self) -> st.SearchStrategy[OrderedSenderInput]:
        return st.binary(min_size=2 * LONGEST, max_size=2 * LONGEST).map(decoded)

    def play(self, iut: Iut, role_input: OrderedSenderInput) -> list[Answer]:
        """Let each step happen, and judge what is given and sent."""
        judge = Ballot(self.profile).judge
        sender = Outgoing(DrivenSender(Reached(iut), judge, SenderModels(self.profile)))
        answers = (sender.perform(step, f"event {number}, {step}") for number, step in enumerate(role_input, 1))
        return [answer for answer in answers if answer]

    def smaller(self, role_input: OrderedSenderInput) -> Iterator[OrderedSenderInput]:
        yield from with_one_less(role_input)
        if any(step.stream != STREAMS[0] for step in role_input):
            yield tuple(replace(step, stream=STREAMS[0]) for step in role_input)
        yield from with_one_plainer(
            role_input, lambda step: [replace(step, which=step.which - 1)] if step.which > 1 else []
        )

    def size(self, role_input: OrderedSenderInput) -> int:
        """Return the number of steps first."""
        return sum(100 + step.which + STREAMS.index(step.stream) for step in role_input)

    def record(self, role_input: OrderedSenderInput) -> Json:
        return {"steps": list(map(asdict, role_input))}

    def read(self, record: Json) -> OrderedSenderInput:
        steps = tuple(Step(step["action"], step["stream"], int(step["which"])) for step in record["steps"])
        if unknown := {step.action for step in steps} - set(WORDS):
            raise ValueError(f"steps: action is {unknown.pop()!r}; expected {', '.join(WORDS)}")
        return steps

    def told(self, role_input: OrderedSenderInput) -> list[str]:
        return list(map(str, role_input))
