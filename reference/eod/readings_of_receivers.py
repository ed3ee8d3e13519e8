"""Ambiguous places in what a receiver does: what the register lets it do there.

Ids and standings are those of the register; a test holds them to it.
"""

from dataclasses import dataclass
from typing import Final

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice

_TEXT: Final = Standing.TEXT
_PERMITTED: Final = Standing.PERMITTED
_REFUSED: Final = Standing.REFUSED


class Window(Choice):
    """Which messages move the last accepted number."""

    MOVES_ON_ACCEPTANCE = ("EOD-01", "moves-on-acceptance", _TEXT)
    MOVES_ON_ARRIVAL = ("EOD-01", "moves-on-arrival", _REFUSED)


class TooEarly(Choice):
    """What becomes of a message that is rejected because it came before its turn."""

    DISCARDED = ("EOD-02", "discarded-silently", _TEXT)
    KEPT = ("EOD-02", "kept-for-later", _PERMITTED)


class KeptFor(Choice):
    """What has a last accepted number of its own."""

    STREAM = ("EOD-04", "by-stream", _TEXT)
    SESSION = ("EOD-04", "by-session", _REFUSED)


class Timers(Choice):
    """Whose arrivals and sendings move a timer."""

    STREAM = ("EOD-04", "timer-by-stream", _TEXT)
    SESSION = ("EOD-04", "timer-by-session", _PERMITTED)


class NothingAccepted(Choice):
    """What acknowledges a stream of which nothing was accepted yet."""

    ZERO = ("EOD-13", "zero", _TEXT)
    SILENCE = ("EOD-13", "silence", _TEXT)


class NewerSequence(Choice):
    """What becomes of the first message of a newer sequence while the older one has gaps."""

    ACCEPTED = ("EOD-24", "newer-sequence-accepted", _TEXT)
    AWAITS_OLDER = ("EOD-24", "older-sequence-awaited", _PERMITTED)


class TenSeconds(Choice):
    """From when the delay of an acknowledgment counts."""

    SINCE_LAST_ACKNOWLEDGMENT = ("EOD-16", "since-the-last-acknowledgment", _TEXT)
    SINCE_OLDEST_ARRIVAL = ("EOD-16", "since-the-oldest-arrival", _TEXT)


class Arrivals(Choice):
    """Which arrivals ask for an acknowledgment."""

    EVERY = ("EOD-16", "every-arrival", _TEXT)
    ACCEPTED_ONLY = ("EOD-16", "accepted-only", _REFUSED)


@dataclass(frozen=True)
class ReceiverReadings:
    """What a receiver follows at each ambiguous place."""

    window: Window = Window.MOVES_ON_ACCEPTANCE
    too_early: TooEarly = TooEarly.DISCARDED
    kept_for: KeptFor = KeptFor.STREAM
    nothing_accepted: NothingAccepted = NothingAccepted.ZERO
    newer_sequence: NewerSequence = NewerSequence.ACCEPTED
    ten_seconds: TenSeconds = TenSeconds.SINCE_LAST_ACKNOWLEDGMENT
    arrivals: Arrivals = Arrivals.EVERY


UNDISPUTED: Final = ReceiverReadings()
"""At each place the reading that no profile objects to."""
