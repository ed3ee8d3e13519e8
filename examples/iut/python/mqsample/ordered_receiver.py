"""The receiving end of exactly-once in-order delivery."""

from dataclasses import dataclass

ORDER_ACK_TIMEOUT = 500_000  # microseconds, MS-MQQB 3.1.1.3.1
MAXIMUM_ORDER_ACK_DELAY = 10_000_000

Name = str | int


@dataclass
class Stream:
    """What is known of one stream. The numbers are stored, the times are lost in a crash."""

    sequence_id: int = 0
    last_accepted: int = 0
    last_ack_at: int = 0
    ack_due_at: int | None = None


class OrderedReceiver:
    """One receiver of any number of streams, on a clock that begins with zero and counts microseconds."""

    def __init__(self) -> None:
        self._now = 0
        self._streams: dict[Name, Stream] = {}

    def receive(self, name: Name, sequence: int, previous: int, sequence_id: int | None = None) -> bool:
        """Whether the message is accepted. Without sequence ids a stream is one sequence for ever."""
        stream = self._stream(name)
        self._schedule_acknowledgment(stream)
        current = stream.sequence_id if sequence_id is None else sequence_id
        if current < stream.sequence_id:
            return False
        # A newer sequence begins at zero, whatever was accepted of the older one.
        last_accepted = stream.last_accepted if current == stream.sequence_id else 0
        if sequence <= last_accepted or previous > last_accepted:
            return False
        stream.sequence_id, stream.last_accepted = current, sequence
        return True

    def order_ack(self, name: Name) -> int:
        """The number that an order acknowledgment would carry now."""
        stream = self._streams.get(name)
        return stream.last_accepted if stream else 0

    def lose_state(self) -> None:
        """A crash after which no number can be recovered."""
        self._streams.clear()

    def restart(self) -> None:
        """A crash that the stored numbers outlive."""
        for stream in self._streams.values():
            stream.ack_due_at = None
            stream.last_ack_at = self._now

    def advance_clock(self, microseconds: int) -> list[tuple[Name, int]]:
        """Time passes; the order acknowledgments that go out meanwhile, in order."""
        self._now += microseconds
        due = [
            (stream.ack_due_at, name, stream)
            for name, stream in self._streams.items()
            if stream.ack_due_at is not None and stream.ack_due_at <= self._now
        ]
        acknowledgments = []
        for due_at, name, stream in sorted(due, key=lambda each: each[0]):
            stream.last_ack_at, stream.ack_due_at = due_at, None
            acknowledgments.append((name, stream.last_accepted))
        return acknowledgments

    def _stream(self, name: Name) -> Stream:
        if name not in self._streams:
            self._streams[name] = Stream(last_ack_at=self._now)
        return self._streams[name]

    def _schedule_acknowledgment(self, stream: Stream) -> None:
        """MS-MQQB 3.1.1.6.2, for accepted and rejected messages alike."""
        if stream.ack_due_at is None or self._now - stream.last_ack_at < MAXIMUM_ORDER_ACK_DELAY:
            stream.ack_due_at = self._now + ORDER_ACK_TIMEOUT
