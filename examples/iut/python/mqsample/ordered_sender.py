"""The sending end of exactly-once in-order delivery."""

from dataclasses import dataclass, field

Name = str | int

_SECOND = 1_000_000
# MS-MQQB 3.1.6.5: how long to wait for an order acknowledgment; the last interval repeats.
RESEND_INTERVALS = [seconds * _SECOND for seconds in (30, 30, 30, 300, 300, 300, 1_800, 1_800, 1_800, 21_600)]


@dataclass(frozen=True)
class Numbered:
    """A message with its two numbers, as it is transmitted now."""

    message: Name
    sequence: int
    previous: int


@dataclass
class Stream:
    """Messages that nobody has acknowledged, with their numbers, in order."""

    queue: list[tuple[Name, int]] = field(default_factory=list)
    last_sequence: int = 0
    interval: int = 0
    resend_at: int | None = None

    def transmission(self) -> list[Numbered]:
        """The whole queue. Each message is linked to the one before it in the queue, the first to none.

        So links lead past whatever was discarded, and a receiver that lost its numbers accepts the first.
        """
        previous = [0, *(sequence for _message, sequence in self.queue)]
        return [
            Numbered(message, sequence, before)
            for (message, sequence), before in zip(self.queue, previous, strict=False)
        ]

    def wait(self, now: int) -> None:
        """Begin the wait for an order acknowledgment anew."""
        self.resend_at = now + RESEND_INTERVALS[self.interval]

    def settle(self) -> None:
        """With nothing left to send there is nothing to wait for."""
        if not self.queue:
            self.resend_at = None
            self.interval = 0


class OrderedSender:
    """One sender of any number of streams, on a clock that begins with zero and counts microseconds."""

    def __init__(self) -> None:
        self._now = 0
        self._streams: dict[Name, Stream] = {}

    def enqueue(self, name: Name, message: Name) -> Numbered:
        """Take on a message and give it its number for good."""
        stream = self._stream(name)
        stream.last_sequence += 1
        stream.queue.append((message, stream.last_sequence))
        return stream.transmission()[-1]

    def transmit(self, name: Name) -> list[Numbered]:
        """All that would be sent now, in order; the wait for an acknowledgment begins where none runs."""
        stream = self._stream(name)
        if stream.queue and stream.resend_at is None:
            stream.wait(self._now)
        return stream.transmission()

    def order_ack(self, name: Name, sequence: int) -> None:
        """An order acknowledgment arrives: everything up to its number is there."""
        stream = self._stream(name)
        kept = [each for each in stream.queue if each[1] > sequence]
        if len(kept) == len(stream.queue):
            return
        stream.queue = kept
        if stream.resend_at is not None:
            stream.wait(self._now)
        stream.settle()

    def discard(self, name: Name, message: Name) -> None:
        """A message expired before it was acknowledged."""
        stream = self._stream(name)
        stream.queue = [each for each in stream.queue if each[0] != message]
        stream.settle()

    def receiver_lost_state(self, name: Name) -> None:
        """Nothing to do: the first message of the queue is always one that a new receiver accepts."""
        self._stream(name)

    def restart(self) -> None:
        """A crash that queue and numbers outlive; what is in the queue waits for an acknowledgment anew."""
        for stream in self._streams.values():
            stream.interval = 0
            if stream.queue:
                stream.wait(self._now)

    def advance_clock(self, microseconds: int) -> list[tuple[Name, Numbered]]:
        """Time passes; what is sent again meanwhile, in order."""
        until = self._now + microseconds
        resent: list[tuple[Name, Numbered]] = []
        while due := [
            (s.resend_at, n) for n, s in self._streams.items() if s.resend_at is not None and s.resend_at <= until
        ]:
            self._now, name = min(due, key=lambda each: each[0])
            stream = self._streams[name]
            stream.interval = min(stream.interval + 1, len(RESEND_INTERVALS) - 1)
            stream.wait(self._now)
            resent += [(name, message) for message in stream.transmission()]
        self._now = until
        return resent

    def _stream(self, name: Name) -> Stream:
        return self._streams.setdefault(name, Stream())
