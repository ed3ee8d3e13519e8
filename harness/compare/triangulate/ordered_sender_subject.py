"""Role ``ordered_sender``: numbers, links and what is sent again (exactly-once page, section 3)."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import Final

from hypothesis import strategies as st

from mqconform.harness.compare.triangulate.subjects import Subject, with_one_less, with_one_plainer
from mqconform.harness.compare.triangulate.votes import Answer, Ballot, Vote
from mqconform.harness.iut.connect import Reached
from mqconform.harness.iut.interface import Iut, Json
from mqconform.harness.judge.eod import sender_checks
from mqconform.harness.judge.eod.sender_models import SenderModels
from mqconform.harness.judge.eod.sending import DrivenSender
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.records.witness import Judgement
from mqconform.reference.eod.history import Entry, Kind
from mqconform.reference.eod.history_check import check_history

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

    def enqueue(self, stream: str, place: str) -> Answer:
        """Queue a message and judge the numbers that it gets."""
        self.queued += 1
        message = f"{stream}{self.queued}"
        self.driven.queue(stream, message)
        given = self.driven.given[stream]
        self.history.append(Entry(Kind.ENQUEUED, self._sequence(stream), message))
        ballot = self._ballot()
        weighed = [(sender_checks.given_numbers_rise(ballot.judge, given), "EOD-3-01")]
        return self._answer(ballot, place, f"{given[-1]}", weighed, ())

    def transmit(self, stream: str, place: str) -> Answer:
        """Send what is queued and judge it."""
        self.driven.transmit(stream)
        seen, given = self.driven.transmission, self.driven.given.get(stream, [])
        self.reached[stream] = len(given)
        start = len(self.history)
        self.history += [
            Entry(Kind.SENT, self._sequence(stream), one.message, one.numbers.sequence, one.numbers.previous)
            for one in seen.sent
        ]
        ballot = self._ballot()
        waiting = [one.message for one in seen.stream.queue]
        weighed = [(sender_checks.holds(ballot.judge, waiting, seen), "EOD-3-06")]
        if seen.sent:
            weighed += [
                (sender_checks.numbers_are_those_given(ballot.judge, given, seen), "EOD-3-10"),
                (sender_checks.numbers_rise(ballot.judge, seen), "EOD-3-01"),
                (sender_checks.links_lead_to_the_one_before(ballot.judge, seen), "EOD-3-02"),
                (sender_checks.first_has_previous_zero(ballot.judge, seen), "EOD-3-09"),
            ]
        return self._answer(ballot, place, f"{seen}", weighed, self._violated(start))

    def acknowledge(self, stream: str, which: int) -> None:
        """Hand over the acknowledgment of everything up to one of the messages that went out, if any did."""
        if reached := self.reached.get(stream, 0):
            last = self.driven.given[stream][(which - 1) % reached]
            self.driven.acknowledge(stream, last.message)
            self.history.append(Entry(Kind.RELEASED, self._sequence(stream), number=last.numbers.sequence))

    def discard(self, stream: str, which: int) -> None:
        """Let one of the messages that wait expire, if any does."""
        waiting = self.driven.stream(stream).queue
        if not waiting:
            return
        gone = waiting[(which - 1) % len(waiting)]
        self.driven.expire(stream, gone.message)
        if not gone.transmitted:
            given = self.driven.given[stream]
            self.driven.given[stream] = [one for one in given if one.message != gone.message]
        self.history.append(Entry(Kind.DISCARDED, self._sequence(stream), gone.message, gone.numbers.sequence))

    def receiver_lost_state(self, stream: str) -> None:
        """Tell that the receiver starts from zero."""
        self.driven.receiver_lost_state(stream)
        self.reached[stream] = 0
        self.history.append(Entry(Kind.RECEIVER_LOST_STATE, self._sequence(stream)))

    def _ballot(self) -> Ballot:
        return Ballot(self.driven.judge.profile)

    def _sequence(self, name: str) -> str:
        """Return the name that a history has for the sequence of a stream (register EOD-30)."""
        return f"{name}{self.driven.stream(name).sequence_id or ''}"

    def _violated(self, start: int) -> tuple[str, ...]:
        """Return the requirements that entries from ``start`` on violate by the check of histories."""
        found = (one for one in check_history(self.history, healed=False) if one.position >= start)
        return tuple(dict.fromkeys(one.requirement for one in found if one.role == "ordered_sender"))

    def _answer(
        self, ballot: Ballot, place: str, says: str, weighed: Iterable[Weighed], wrong: tuple[str, ...]
    ) -> Answer:
        known = list(weighed)
        worst = max((one for one, _ in known), key=lambda one: one.verdict)
        blamed = tuple(dict.fromkeys(name for one, name in known if one.verdict is Verdict.FAIL))
        if self.astray and worst.verdict is Verdict.FAIL:
            worst = ballot.judge.undecided(worst.expected, f"{says}; what went before was not right either")
        answer = ballot.answer(place, says, worst, blamed)
        objection = "" if self.astray else _objection(answer, wrong)
        self.astray |= answer.vote is Vote.REFUSED
        return replace(answer, objection=objection)


def _objection(answer: Answer, wrong: tuple[str, ...]) -> str:
    """Return where the check of histories refuses what the model allows by the text alone."""
    if answer.vote is Vote.ALLOWED and wrong:
        return f"the model of senders allows {answer.says!r}, the check of histories says {', '.join(wrong)}"
    return ""


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
        """Return it in words."""
        return WORDS[self.action].format(stream=self.stream, which=self.which)


OrderedSenderInput = tuple[Step, ...]


def decoded(octets: bytes) -> OrderedSenderInput:
    """Return the steps that some octets stand for, two for each: so they are drawn evenly, and at once."""
    return tuple(_step(*pair) for pair in zip(octets[::2], octets[1::2], strict=False))


def _step(first: int, second: int) -> Step:
    action = OFTEN[first % len(OFTEN)]
    stream = STREAMS[second % 4 == 3]
    return Step(action, stream, 1 + second // 4 % 4 if action in OF_ONE_MESSAGE else 0)


class OrderedSenderSubject(Subject[OrderedSenderInput]):
    """Plays steps to senders of streams; a step that cannot happen to a sender as it is, is passed over."""

    role = "ordered_sender"

    def inputs(self) -> st.SearchStrategy[OrderedSenderInput]:
        return st.binary(min_size=2 * LONGEST, max_size=2 * LONGEST).map(decoded)

    def play(self, iut: Iut, given: OrderedSenderInput) -> list[Answer]:
        """Let each step happen, and judge what is given and sent."""
        judge = Ballot(self.profile).judge
        sender = Outgoing(DrivenSender(Reached(iut), judge, SenderModels(self.profile)))
        answers = (_performed(sender, step, f"event {number}, {step}") for number, step in enumerate(given, 1))
        return [answer for answer in answers if answer]

    def smaller(self, given: OrderedSenderInput) -> Iterator[OrderedSenderInput]:
        yield from with_one_less(given)
        if any(step.stream != STREAMS[0] for step in given):
            yield tuple(replace(step, stream=STREAMS[0]) for step in given)
        yield from with_one_plainer(given, lambda step: [replace(step, which=step.which - 1)] if step.which > 1 else [])

    def size(self, given: OrderedSenderInput) -> int:
        """Return the number of steps first."""
        return sum(100 + one.which + STREAMS.index(one.stream) for one in given)

    def record(self, given: OrderedSenderInput) -> Json:
        return {"steps": list(map(asdict, given))}

    def read(self, record: Json) -> OrderedSenderInput:
        steps = tuple(Step(one["action"], one["stream"], int(one["which"])) for one in record["steps"])
        if unknown := {one.action for one in steps} - set(WORDS):
            raise ValueError(f"steps: action is {unknown.pop()!r}; expected {', '.join(WORDS)}")
        return steps

    def told(self, given: OrderedSenderInput) -> list[str]:
        return list(map(str, given))


def _performed(sender: Outgoing, step: Step, place: str) -> Answer | None:
    match step.action:
        case "enqueue":
            return sender.enqueue(step.stream, place)
        case "transmit":
            return sender.transmit(step.stream, place)
        case "order_ack":
            sender.acknowledge(step.stream, step.which)
        case "discard":
            sender.discard(step.stream, step.which)
        case "receiver_lost_state":
            sender.receiver_lost_state(step.stream)
    return None
