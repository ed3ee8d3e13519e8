"""Judgements on when a sender sends again (MS-MQQB 3.1.5.6, 3.1.6.5; registers EOD-06, EOD-10).

A model for each combination of readings is driven beside the sender. Whatever no combination explains is wrong; of the
combinations that explain everything, the best one counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

from mqconform.harness.builtin.ordered_sender import ReferenceOrderedSender
from mqconform.harness.iut import Json
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.verdict import Verdict, worst
from mqconform.harness.witness import Judgement
from mqconform.reference.allowed import Reading
from mqconform.reference.eod.readings_of_senders import Intervals, Resends, ScheduleOverSessions, SenderReadings
from mqconform.reference.eod.sender import Message


@dataclass(frozen=True, slots=True)
class Resent:
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
    seen: list[Resent] = field(default_factory=list)
    expected: list[Resent] = field(default_factory=list)

    def perform(self, operation: str, params: Json) -> Json:
        """Perform an operation on every model, and return what the plain one answers."""
        for model in self.left.values():
            getattr(model, operation)(**params)
        answer: Json = getattr(self.plain, operation)(**params)
        return answer

    def compare(self, since: float, seconds: float, seen: Sequence[Message]) -> None:
        """Let time pass in every model, and refute those that send something else meanwhile."""
        for readings, model in [*self.left.items()]:
            if _names(model.advance_clock(seconds)) != tuple(seen):
                del self.left[readings]
                self.refuted.add(readings)
        wanted = _names(self.plain.advance_clock(seconds))
        if wanted:
            self.expected.append(Resent(since, since + seconds, wanted))
        if seen:
            self.seen.append(Resent(since, since + seconds, tuple(seen)))


def judge_resends(judge: Judge, models: SenderModels) -> Judgement:
    """Judge everything that was sent again so far."""
    expected, observed = (_told(one) for one in (models.expected, models.seen))
    if not models.left:
        return judge.says(False, expected, observed)
    best = min(models.left, key=lambda one: worst(_verdict(judge, reading) for reading in _readings(one)))
    judgements = [
        judge.reading(one.register, one.name, expected, observed)
        for one in _readings(best)
        if any(one not in _readings(other) for other in models.refuted)
        and all(one in _readings(other) for other in models.left)
    ]
    return max(judgements, key=lambda one: one.verdict, default=judge.says(True, expected, observed))


def first_resend_holds(judge: Judge, wanted: Sequence[Message], models: SenderModels) -> Judgement:
    """Judge that the first resend has all that is not acknowledged, in order (EOD-3.1.6.5-01)."""
    expected = ", ".join(map(str, wanted))
    right = bool(models.seen) and models.seen[0].messages == tuple(wanted)
    return judge.says(right, expected, _told(models.seen))


def nothing_was_resent(judge: Judge, models: SenderModels) -> Judgement:
    """Judge that nothing was sent again."""
    return judge.says(not models.seen, "nothing is sent again", _told(models.seen))


def _readings(readings: SenderReadings) -> tuple[Reading, ...]:
    chosen = (readings.intervals, readings.resends, readings.schedule_over_sessions)
    return tuple(one.reading for one in chosen)


def _verdict(judge: Judge, reading: Reading) -> Verdict:
    return judge.register.verdict_of(reading.register, reading.name, judge.profile)


def _names(answer: Json) -> tuple[Message, ...]:
    return tuple(one["message"] for one in answer["messages"])


def _told(resent: Sequence[Resent]) -> str:
    return "; ".join(map(str, resent)) or "nothing is sent again"
