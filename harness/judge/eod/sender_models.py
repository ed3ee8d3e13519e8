"""Models that keep pace with a sender: one for each combination of readings on resends (registers EOD-06, EOD-10)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.ordered_sender import ReferenceOrderedSender
from mqconform.reference.eod.readings_of_senders import Intervals, Resends, ScheduleOverSessions, SenderReadings
from mqconform.reference.eod.sender import Message


@dataclass(frozen=True, slots=True)
class Resend:
    """What a sender sent of its own accord while some time passed."""

    since: float
    """Seconds since the start."""
    until: float
    messages: tuple[Message, ...]

    def __str__(self) -> str:
        """Return ``m1, m2 between 29.9 and 30.1 s``."""
        return f"{', '.join(map(str, self.messages))} between {self.since:g} and {self.until:g} s"


def _every_combination() -> dict[SenderReadings, ReferenceOrderedSender]:
    combinations = (
        SenderReadings(intervals=intervals, resends=resends, schedule_over_sessions=sessions)
        for intervals, resends, sessions in product(Intervals, Resends, ScheduleOverSessions)
    )
    return {readings: ReferenceOrderedSender(readings) for readings in combinations}


@dataclass
class SenderModels:
    """The models that keep pace with a sender; those that a resend has refuted are left out."""

    left: dict[SenderReadings, ReferenceOrderedSender] = field(default_factory=_every_combination)
    plain: ReferenceOrderedSender = field(default_factory=ReferenceOrderedSender)
    refuted: set[SenderReadings] = field(default_factory=set)
    seen: list[Resend] = field(default_factory=list)
    expected: list[Resend] = field(default_factory=list)

    def perform(self, operation: str, params: Json) -> Json:
        """Perform an operation on every model, and return what the plain one answers."""
        for model in self.left.values():
            getattr(model, operation)(**params)
        answer: Json = getattr(self.plain, operation)(**params)
        return answer

    def compare(self, since: float, seconds: float, seen: Sequence[Message]) -> None:
        """Let time pass in every model, and refute those that send something else meanwhile."""
        for readings, model in [*self.left.items()]:
            if _messages(model.advance_clock(seconds)) != tuple(seen):
                del self.left[readings]
                self.refuted.add(readings)
        wanted = _messages(self.plain.advance_clock(seconds))
        if wanted:
            self.expected.append(Resend(since, since + seconds, wanted))
        if seen:
            self.seen.append(Resend(since, since + seconds, tuple(seen)))


def _messages(answer: Json) -> tuple[Message, ...]:
    return tuple(sent["message"] for sent in answer["messages"])
