"""Role ``ordered_sender``: numbers, links and what is sent again (exactly-once page, section 3)."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Final

from hypothesis import strategies as st

from mqconform.harness.compare.triangulate.sender_under_test import Outgoing
from mqconform.harness.compare.triangulate.subjects import Subject, with_one_less, with_one_plainer
from mqconform.harness.compare.triangulate.votes import Answer
from mqconform.harness.iut.interface import Iut, Json

STREAMS: Final = ("a", "b")
LONGEST: Final = 16


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
        sender = Outgoing(iut, self.profile)
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
