"""Models that keep pace with a sender's resends: one for each combination of readings (register EOD-10).

Each model tells when the next resend of a stream is due. A resend that is seen about then starts the next wait at the
time at which it was seen, so that a sender that is a little late each time is not late by the sum of it.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from mqconform.harness.iut.drivers.ordered_delivery.ends import NO_WINDOW
from mqconform.harness.iut.interface import Json
from mqconform.harness.records.profile import Profile
from mqconform.reference.eod import sender
from mqconform.reference.eod.elements import SECOND, resend_interval
from mqconform.reference.eod.readings_of_senders import UNDISPUTED, Intervals, SenderReadings
from mqconform.reference.eod.sender import Message, OrderedSender, OutgoingStream

HALF_A_SECOND: Final = SECOND // 2
TENTH: Final = SECOND // 10


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


@dataclass
class SenderModels:
    """The models that keep pace with a sender; those that a resend has refuted are left out.

    Attributes:
        profile: tells how late a resend may be. The times are recommended values: half a wait where the profile is
            not strict, half a second where it is. None may be more than half a second early.
        window: how many messages the sender has under way at most.
        resends: what was sent again.
        expected: what the plain model sent, as long as the sender did the same.
    """

    profile: Profile
    window: int = NO_WINDOW
    refuted: set[SenderReadings] = field(default_factory=set)
    resends: list[Resend] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    _performed: list[tuple[str, Json]] = field(default_factory=list)
    _now: int = 0
    _unsure: dict[str, int] = field(default_factory=dict)
    """Stream -> length of the time in which its last resend was seen, in nanoseconds."""

    @cached_property
    def left(self) -> dict[SenderReadings, OrderedSender]:
        """The models that nothing has refuted; made when time passes first, which few scenarios let it."""
        combinations = (SenderReadings(intervals=intervals) for intervals in Intervals)
        models = {readings: OrderedSender(readings) for readings in combinations}
        for model in models.values():
            for operation, params in self._performed:
                getattr(model, operation)(**params)
        return models

    def perform(self, operation: str, params: Json) -> None:
        """Perform an operation on every model."""
        if "left" not in self.__dict__:
            self._performed.append((operation, params))
            return
        for model in self.left.values():
            model.now = self._now
            getattr(model, operation)(**params)

    def next_step(self, most: int) -> int:
        """Return how many tenths of a second may pass at once: fewer where a resend is due, ``most`` at most."""
        pieces = [most * TENTH]
        for model in self.left.values():
            for key, stream in model.streams.items():
                if stream.wait_until is None:
                    continue
                begin, _ = self._window(stream, stream.wait_until, str(key))
                overdue = self._now - stream.wait_until
                pieces.append(begin - self._now if begin > self._now else max(HALF_A_SECOND, overdue // 8))
        return max(1, min(pieces) // TENTH)

    def compare(self, tenths: int, resends: Mapping[str, Sequence[Message]]) -> None:
        """Let time pass, and refute the models that would have sent something else meanwhile.

        Args:
            tenths: how much.
            resends: what was sent again, by stream.
        """
        since, self._now = self._now, self._now + tenths * TENTH
        for readings, model in [*self.left.items()]:
            fits = [self._fits(model, key, since, resends.get(key, ())) for key in {*map(str, model.streams), *resends}]
            if readings == UNDISPUTED:
                self.expected += self._wanted(model, resends, refuted=not all(fits))
            if not all(fits):
                del self.left[readings]
                self.refuted.add(readings)
                continue
            for key in resends:
                due_now = replace(model.streams[key], wait_until=self._now)
                model.streams[key], _ = sender.resend(due_now, self._now, readings)
        for key, messages in resends.items():
            self._unsure[key] = self._now - since
            self.resends.append(Resend(since / SECOND, self._now / SECOND, tuple(messages)))

    def _fits(self, model: OrderedSender, key: str, since: int, messages: Sequence[Message]) -> bool:
        """Tell whether a model allows what was seen of a stream from ``since`` to now."""
        stream = model.streams.get(key, sender.NEW)
        if stream.wait_until is None:
            return not messages
        begin, end = self._window(stream, stream.wait_until, key)
        if not messages:
            return self._now <= end
        return begin < self._now and since <= end and tuple(messages) == self._names(stream)

    def _window(self, stream: OutgoingStream, due: int, key: str) -> tuple[int, int]:
        """Return from when to when a resend that is due may be seen, in nanoseconds."""
        late = HALF_A_SECOND if self.profile is Profile.STRICT else resend_interval(stream.waits) // 2
        return due - HALF_A_SECOND - self._unsure.get(key, 0), due + late

    def _wanted(self, model: OrderedSender, resent_streams: Collection[str], *, refuted: bool) -> Iterator[str]:
        """Yield what the plain model wants at this time, where anything was seen or something else was due."""
        for key, stream in model.streams.items():
            if (refuted or key in resent_streams) and stream.wait_until is not None:
                begin, end = self._window(stream, stream.wait_until, str(key))
                names = ", ".join(map(str, self._names(stream)))
                yield f"{names} between {begin / SECOND:g} and {end / SECOND:g} s"

    def _names(self, stream: OutgoingStream) -> tuple[Message, ...]:
        return tuple(sent.message for sent in sender.transmission(stream)[: self.window])
