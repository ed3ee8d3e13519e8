"""Ambiguous places in what a sender does: what the register lets it do there.

Ids and standings are those of the register; a test holds them to it.
"""

from dataclasses import dataclass
from typing import Final

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice

_TEXT: Final = Standing.TEXT
_PERMITTED: Final = Standing.PERMITTED
_REFUSED: Final = Standing.REFUSED


class NumbersOverSessions(Choice):
    """What a new session does with the numbers of messages that are not acknowledged."""

    KEPT = ("EOD-05", "numbers-kept", _TEXT)
    ANEW = ("EOD-05", "numbered-anew", _REFUSED)


class ScheduleOverSessions(Choice):
    """Where the schedule of resends stands after a restart."""

    GOES_ON = ("EOD-06", "schedule-goes-on", _TEXT)
    BEGINS_ANEW = ("EOD-06", "schedule-begins-anew", _TEXT)


class Intervals(Choice):
    """When the interval between resends grows."""

    WITH_WAITS = ("EOD-10", "interval-grows-with-waits", _TEXT)
    ANEW_WITH_PROGRESS = ("EOD-10", "interval-begins-anew-with-progress", _TEXT)
    WITH_ACKNOWLEDGMENTS = ("EOD-10", "interval-grows-with-acknowledgments", _PERMITTED)


class Resends(Choice):
    """How often a message is sent again."""

    UNTIL_ACKNOWLEDGED = ("EOD-10", "resends-until-acknowledged", _TEXT)
    ONCE = ("EOD-10", "one-resend", _REFUSED)


class OtherSequence(Choice):
    """What an acknowledgment of another sequence does."""

    IGNORED = ("EOD-11", "other-sequence-ignored", _TEXT)
    ACTED_UPON = ("EOD-11", "other-sequence-acted-upon", _PERMITTED)


class Relinking(Choice):
    """When the successor of a discarded message is linked anew."""

    AT_ONCE = ("EOD-15", "linked-at-once", _TEXT)
    ON_RESENDS = ("EOD-15", "linked-on-resends", _TEXT)


class FirstOfQueue(Choice):
    """The previous number of the first message of the queue where acknowledged ones were before it."""

    ZERO = ("EOD-27", "zero-from-the-first", _TEXT)
    ZERO_ON_RESENDS = ("EOD-27", "zero-on-resends", _TEXT)
    NEVER_ZERO = ("EOD-27", "never-zero", _REFUSED)


class NextSequence(Choice):
    """What the numbers of a stream do once everything is acknowledged."""

    GOES_ON = ("EOD-30", "numbers-go-on", _TEXT)
    FROM_ONE = ("EOD-30", "numbers-from-one", _PERMITTED)


@dataclass(frozen=True)
class SenderReadings:
    """What a sender follows at each ambiguous place."""

    numbers_over_sessions: NumbersOverSessions = NumbersOverSessions.KEPT
    schedule_over_sessions: ScheduleOverSessions = ScheduleOverSessions.GOES_ON
    intervals: Intervals = Intervals.WITH_WAITS
    resends: Resends = Resends.UNTIL_ACKNOWLEDGED
    other_sequence: OtherSequence = OtherSequence.IGNORED
    relinking: Relinking = Relinking.AT_ONCE
    first_of_queue: FirstOfQueue = FirstOfQueue.ZERO
    next_sequence: NextSequence = NextSequence.GOES_ON


UNDISPUTED: Final = SenderReadings()
"""At each place the reading that no profile objects to."""
