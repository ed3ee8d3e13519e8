"""What passes between the machines of an enterprise, and what is noted of it (3.3.4.5, 4.3.1.2)."""

from dataclasses import dataclass, field
from enum import StrEnum

from mqconform.reference.eod.elements import Numbers
from mqconform.reference.mqso.elements import Assurance, Entry, Key, MachineName, QueueName
from mqconform.reference.mqso.hooks import NextHops
from mqconform.reference.mqso.promises import SentAgain, Waits
from mqconform.reference.mqso.station import parts_of
from mqconform.reference.mqso.value import Value


class Stream(Value, frozen=True):
    """The ordered messages of a machine for one queue of another machine.

    Attributes:
        sequence: how often its sender began anew when all was acknowledged (register EOD-30): a receiver without
            sequence ids takes each sequence for a stream of its own.
    """

    source: MachineName
    queue: QueueName
    sequence: int = 0

    def __str__(self) -> str:
        """Return what its ends call it."""
        return f"{self.source} to {self.queue}{f', sequence {self.sequence}' if self.sequence else ''}"

    @property
    def destination(self) -> MachineName:
        """The machine that has the queue."""
        return parts_of(self.queue)[0]


@dataclass(slots=True)
class StreamAtSource:
    """What is known of a stream at its source.

    Attributes:
        entries: every message that was ever queued in it.
        unacknowledged: the numbers of those that are not acknowledged, in order.
        sequence: that of the messages that are queued now.
        sent: the messages that went out at least once.
        wait_until: when the wait for an acknowledgment ends, in nanoseconds; None while nothing is waited for.
    """

    entries: dict[str, Entry] = field(default_factory=dict)
    unacknowledged: dict[str, int] = field(default_factory=dict)
    sequence: int = 0
    sent: set[str] = field(default_factory=set)
    wait_until: int | None = None
    waits: int = 0


class OrderAck(Value, frozen=True):
    """An order acknowledgment on its way."""

    stream: Stream
    number: int


class Packet(Value, frozen=True):
    """A message, or an order acknowledgment, on its way between machines.

    Attributes:
        source: the machine that it comes from; ``to``: the one it is for; ``at``: the one that has it now.
        content: the message as its source holds it, or the acknowledgment.
        numbers: of a message of a stream, None of another.
        sequence: that of the stream.
        hops: how often it was handed on.
    """

    source: MachineName
    to: MachineName
    at: MachineName
    content: Entry | OrderAck
    numbers: Numbers | None = None
    sequence: int = 0
    hops: int = 0

    @property
    def key(self) -> Key | None:
        """The message, None of an acknowledgment."""
        return self.content.message.key if isinstance(self.content, Entry) else None

    @property
    def ordered(self) -> bool:
        """Whether its ends, and not the sessions on its way, see to it that it arrives."""
        return isinstance(self.content, OrderAck) or self.numbers is not None

    @property
    def outlives_crash(self) -> bool:
        """Whether the machine that has it finds it again after a crash (3.2.1)."""
        return isinstance(self.content, Entry) and self.content.message.assurance is not Assurance.EXPRESS


class Mishap(StrEnum):
    """What can be made to happen to the next packet of a stream or of its acknowledgments, between two machines."""

    LOST = "lost"
    LATE = "late"


class Routed(Value, frozen=True):
    """A machine asked its router for the next hops of a packet.

    Attributes:
        key: the message, None for an acknowledgment.
        answer: what the router said.
        hop: the machine that the packet was handed to; empty where it stays.
    """

    at: MachineName
    to: MachineName
    key: Key | None
    answer: NextHops | None
    hop: MachineName


class Arrived(Value, frozen=True):
    """An ordered message came to its destination, which accepted it or not."""

    at: MachineName
    key: Key
    numbers: Numbers
    accepted: bool


class Vanished(Value, frozen=True):
    """A packet ended on its way."""

    at: MachineName
    key: Key | None
    why: str


class Undiscovered(Value, frozen=True):
    """A machine has started and found no directory server of its enterprise.

    Attributes:
        names: what it found instead.
    """

    at: MachineName
    names: tuple[str, ...]

    def __str__(self) -> str:
        """Return what happened in words."""
        instead = f", but {', '.join(self.names)}" if self.names else ""
        return f"{self.at} finds no directory server{instead}"


Passage = Undiscovered | Routed | Arrived | Vanished | SentAgain | Waits
