"""What happens to two ends of some streams and the network between them: the steps of a fault schedule.

As text, steps are divided by semicolons or line ends, such as ``queue a; +31 lose acknowledgment``.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeVar

from mqconform.harness.iut.interface import ConfigurationError, excerpt
from mqconform.reference.eod.elements import SECOND

T = TypeVar("T")


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


def written(schedule: Iterable[object]) -> str:
    """Return a schedule of any kind in one line, as its ``parse_schedule`` reads it."""
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


MAX_STEPS: Final = 1_000
LONGEST: Final = 10_000_000
"""Seconds; more than a hundred days tell nothing new and would overflow what an implementation counts."""

_ACTIONS: Final = {action.value: action for action in Action}
_STEP: Final = re.compile(
    rf"(?:\+(?P<after>\d+(?:\.\d+)?)\s+)?(?P<action>{'|'.join(sorted(_ACTIONS, key=len, reverse=True))})"
    r"(?P<rest>(?:\s+\S+)*)"
)
_STREAM: Final = re.compile(r"[A-Za-z0-9_-]{1,40}")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")


def parse_schedule(text: str) -> Schedule:
    """Return the schedule in a text; empty lines and what follows ``#`` count for nothing.

    Raises:
        ConfigurationError: naming the step that is wrong and what is expected there.
    """
    return steps_in(text, _parsed, "step {} of the fault schedule is {}")


def steps_in(text: str, parsed: Callable[[str], T], where: str) -> tuple[T, ...]:
    """Return the steps of a schedule of any kind, one a line or with semicolons between.

    Args:
        text: the schedule.
        parsed: returns a step; its ValueError says what is wrong.
        where: names a step by its number and words.

    Raises:
        ConfigurationError: there are more than are allowed, or one is wrong.
    """
    lines = (line.partition("#")[0] for line in text.splitlines())
    pieces = [step.strip() for line in lines for step in line.split(";") if step.strip()]
    if len(pieces) > MAX_STEPS:
        raise ConfigurationError(f"the fault schedule has {len(pieces)} steps; give at most {MAX_STEPS}")
    steps = []
    for number, piece in enumerate(pieces, 1):
        try:
            steps.append(parsed(piece))
        except ValueError as wrong:
            raise ConfigurationError(f"{where.format(number, excerpt(piece))}: {wrong}") from wrong
    return tuple(steps)


def _parsed(piece: str) -> Step:
    match = _STEP.fullmatch(piece)
    if match is None:
        raise ValueError(f"expected +SECONDS where time has to pass, then one of {', '.join(_ACTIONS)}")
    action, rest, after = _ACTIONS[match["action"]], match["rest"].split(), _nanoseconds(match["after"] or "0")
    if action.names_a_stream:
        return _of_stream(action, after, rest)
    if action.names_seconds:
        if len(rest) != 1:
            raise ValueError(f"expected seconds after {action.value!r}, such as '{action.value} 20'")
        return Step(action, after, lasting=_nanoseconds(rest[0]))
    if rest:
        raise ValueError(f"expected nothing after {action.value!r}")
    return Step(action, after)


def _of_stream(action: Action, after: int, rest: list[str]) -> Step:
    counted = action is Action.EXPIRE and len(rest) == 2
    if not (counted or len(rest) == 1) or not _STREAM.fullmatch(rest[0]):
        raise ValueError(f"expected a stream after {action.value!r}, such as '{action.value} a'")
    if counted and not re.fullmatch(r"[1-9]\d{0,3}", rest[1]):
        raise ValueError("expected a count from 1 after the stream: which unacknowledged message expires")
    return Step(action, after, rest[0], which=int(rest[1]) if counted else 1)


def _nanoseconds(text: str) -> int:
    if not _NUMBER.fullmatch(text) or float(text) > LONGEST:
        raise ValueError(f"{excerpt(text)} is not a number of seconds from 0 to {LONGEST}")
    return round(float(text) * SECOND)
