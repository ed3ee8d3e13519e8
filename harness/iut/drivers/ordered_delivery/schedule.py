"""What happens to two ends of some streams and the network between them: the steps of a fault schedule."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from mqconform.reference.eod.elements import SECOND


class Action(Enum):
    """What a step does; the value is its wording."""

    QUEUE = "queue"
    EXPIRE = "expire"
    LOSE_MESSAGE = "lose message"
    LOSE_ACKNOWLEDGMENT = "lose acknowledgment"
    DUPLICATE_MESSAGE = "duplicate message"
    DUPLICATE_ACKNOWLEDGMENT = "duplicate acknowledgment"
    DELAY_MESSAGE = "delay message"
    DELAY_ACKNOWLEDGMENT = "delay acknowledgment"
    PARTITION = "partition"
    RECEIVER_RESTARTS = "receiver restarts"
    RECEIVER_LOSES_STATE = "receiver loses state"
    SENDER_RESTARTS = "sender restarts"
    SENDER_LOSES_STATE = "sender loses state"

    @property
    def names_a_stream(self) -> bool:
        """Whether a stream follows the wording."""
        return self in {Action.QUEUE, Action.EXPIRE}

    @property
    def names_seconds(self) -> bool:
        """Whether a duration follows the wording."""
        return self in _LASTING


_LASTING: Final = {
    Action.DUPLICATE_MESSAGE,
    Action.DUPLICATE_ACKNOWLEDGMENT,
    Action.DELAY_MESSAGE,
    Action.DELAY_ACKNOWLEDGMENT,
    Action.PARTITION,
}


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a schedule."""

    action: Action
    after: int = 0
    """Nanoseconds since the step before."""
    stream: str = ""
    """Of queue and expire."""
    which: int = 1
    """Of expire: which of the unacknowledged messages, from 1; beyond the last one it is counted round."""
    lasting: int = 0
    """Nanoseconds: of a partition its length, of a delay the time on the way, of a duplicate that of the copy."""

    def __str__(self) -> str:
        """Return the step as ``parse_schedule`` reads it: ``+31 lose acknowledgment``."""
        words = [f"+{_seconds(self.after)}"] if self.after else []
        words.append(self.action.value)
        if self.action.names_a_stream:
            words.append(self.stream)
        if self.action is Action.EXPIRE:
            words.append(str(self.which))
        if self.action.names_seconds:
            words.append(_seconds(self.lasting))
        return " ".join(words)


Schedule = tuple[Step, ...]


def _seconds(nanoseconds: int) -> str:
    return f"{nanoseconds / SECOND:.10g}"


def written(schedule: Schedule) -> str:
    """Return a schedule in one line, as ``parse_schedule`` reads it."""
    return "; ".join(map(str, schedule))


STREAMS: Final = ("a", "b")
_GAPS: Final = (0, 0.1, 0.3, 0.6, 2, 12, 31, 300)
_LENGTHS: Final = (0.02, 0.3, 1, 5, 25, 40, 130, 700)
_CHANCES: Final = (
    *(Action.QUEUE,) * 10,
    *(Action.EXPIRE,) * 5,
    *(Action.LOSE_MESSAGE, Action.LOSE_ACKNOWLEDGMENT) * 3,
    *(Action.PARTITION,) * 4,
    *(Action.DELAY_MESSAGE, Action.DELAY_ACKNOWLEDGMENT) * 2,
    *(Action.DUPLICATE_MESSAGE, Action.DUPLICATE_ACKNOWLEDGMENT),
    *(Action.RECEIVER_RESTARTS, Action.RECEIVER_LOSES_STATE, Action.SENDER_RESTARTS, Action.SENDER_LOSES_STATE),
)
"""Each action as often as it should turn up."""

OCTETS_OF_A_STEP: Final = 2


def decoded(octets: bytes) -> Schedule:
    """Return the schedule that some octets stand for, two for each step; every octet string stands for one.

    Two zero octets are no step at all, and smaller numbers are simpler steps: what shrinks octets shrinks schedules.
    """
    pairs = zip(octets[::2], octets[1::2], strict=False)
    return tuple(_step(first, second) for first, second in pairs if first or second)


def _step(first: int, second: int) -> Step:
    action = _CHANCES[first % len(_CHANCES)]
    gap = round(_GAPS[second % 8] * SECOND)
    choice = second // 8
    if action.names_a_stream:
        return Step(action, gap, STREAMS[choice & 1], which=choice // 2 % 4 + 1 if action is Action.EXPIRE else 1)
    lasting = round(_LENGTHS[choice % 8] * SECOND) if action.names_seconds else 0
    return Step(action, gap, lasting=lasting)
