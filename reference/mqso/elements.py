"""What a queue manager keeps: messages, their places in queues, readers that wait, cursors, transactions (5.1.1)."""

from enum import StrEnum
from typing import Final, NewType

from mqconform.reference.mqso.immutable import Value

MachineName = NewType("MachineName", str)
QueueName = NewType("QueueName", str)
"""The name of a queue; one of another machine has that machine and a stroke before it, ``office/orders``.

A public queue that is addressed by its entry in the directory has a mark behind it, ``office/orders/public``.
"""
Key = NewType("Key", str)
"""What a message is known by: its body, which no other message of a history has."""
Handle = NewType("Handle", int)
Operation = NewType("Operation", int)
CursorId = NewType("CursorId", int)
TransactionId = NewType("TransactionId", int)
User = NewType("User", str)

HERE: Final = MachineName("")
"""The machine itself."""
SECOND: Final = 1_000_000_000
"""Nanoseconds; all times are whole numbers of them."""
HOUR: Final = 3600 * SECOND
DEAD_LETTERS: Final = QueueName("*dead_letter")
TRANSACTIONAL_DEAD_LETTERS: Final = QueueName("*transactional_dead_letter")
JOURNAL: Final = QueueName("*journal")
CONNECTOR: Final = QueueName("*connector")
"""The queue of a connector server for messages to foreign queues; an application receives from it as from any other."""
SYSTEM_QUEUES: Final = (DEAD_LETTERS, TRANSACTIONAL_DEAD_LETTERS, JOURNAL)
"""The queues of the queue manager's own that hold messages for applications; no application sends to them."""


class State(StrEnum):
    """A state of the queue manager (5.1.1.1)."""

    STOPPED = "stopped"
    INITIALIZING = "initializing"
    RUNNING = "running"
    STOPPING = "stopping"


class Assurance(StrEnum):
    """What becomes of a message in a failure (3.2.1)."""

    EXPRESS = "express"
    RECOVERABLE = "recoverable"
    TRANSACTIONAL = "transactional"


class Asked(StrEnum):
    """An acknowledgment that a sender asks for (6.1.6)."""

    REACH = "reach"
    RECEIVE = "receive"
    NEGATIVE = "negative"


class Access(StrEnum):
    """What a queue is opened for."""

    SEND = "send"
    RECEIVE = "receive"
    PEEK = "peek"


class Kind(StrEnum):
    """A transaction of the queue manager alone, or one of an external coordinator (4.3.1.2)."""

    INTERNAL = "internal"
    EXTERNAL = "external"


class Report(Value, frozen=True):
    """An acknowledgment as a message: which message it is about, and whether all went well."""

    of: Key
    positive: bool


class Seal(Value, frozen=True):
    """What a message carries of its sender (7.4.1.4).

    Attributes:
        signed_by: the user whose certificate it has, with a signature by the key of that; None without either.
        identity: the user named as its sender, or None.
        altered: it is no longer what was signed.
    """

    signed_by: User | None = None
    identity: User | None = None
    altered: bool = False


class Message(Value, frozen=True):
    """What a sender handed over; it never changes.

    Attributes:
        size: kilobytes, for queues whose room counts them.
        reach_within: time to reach its queue, nanoseconds from the send; None without one.
        receive_within: time to be received, the same.
        dead_letter: negative source journaling is asked for; ``journal``: positive.
        report: what it says, where it is an acknowledgment.
        correlation: the message that it answers; ``response``: the queue to which an answer is to be sent.
        to: the queue of another machine that it is for, with the name of the machine; None in its own queue.
        source: the machine that it came from; empty where it was sent on this one.
        seal: what it carries of its sender, None where it is sent without a word of that.
        encrypted: is asked for; its receiver gets what was sent all the same.
        authenticated: what its queue found of its sender, None where that is not looked at.
    """

    key: Key
    assurance: Assurance = Assurance.EXPRESS
    reach_within: int | None = None
    receive_within: int | None = None
    dead_letter: bool = False
    journal: bool = False
    asked: frozenset[Asked] = frozenset()
    administration: QueueName | None = None
    report: Report | None = None
    correlation: Key | None = None
    response: QueueName | None = None
    size: int = 1
    to: QueueName | None = None
    source: MachineName = HERE
    seal: Seal | None = None
    encrypted: bool = False
    authenticated: bool | None = None


def kilobytes(body: str) -> int:
    """Return how many kilobytes a message with a body counts for; what else counts of a message is open."""
    return max(1, -(-len(body.encode(errors="surrogatepass")) // 1024))


class Series(Value, frozen=True):
    """What one commit brings for the messages that it sends to a queue, or receives from one, in their order.

    Attributes:
        commit: the transaction; what its other series bring comes before, after or between.
        queue: of the messages, or what else they have in common; ``received``: it has received them.
    """

    commit: TransactionId
    queue: QueueName
    received: bool = False


class Entry(Value, frozen=True):
    """A message at its place in a queue, which it keeps until it leaves (register QM-06).

    Attributes:
        until: when its time to be received is up, None without one.
        reach_until: when its time to reach its queue is up, the same.
        hidden_by: the transaction that sent it and has not committed.
        locked_by: the transaction that received it and has not ended.
        series: the series of a commit that it came with, None once its place in the queue is certain (register QM-65).
    """

    message: Message
    until: int | None = None
    reach_until: int | None = None
    hidden_by: TransactionId | None = None
    locked_by: TransactionId | None = None
    series: Series | None = None

    @property
    def available(self) -> bool:
        """Whether any application may receive it."""
        return self.hidden_by is None and self.locked_by is None


class Reader(Value, frozen=True):
    """An operation that waits for a message; ``caller``: the other machine that it is of, empty for none."""

    operation: Operation
    until: int
    takes: bool
    transaction: TransactionId | None = None
    caller: MachineName = HERE


class Properties(Value, frozen=True):
    """What an application says of a queue.

    Attributes:
        room: how much it holds, None for any number; in kilobytes where ``in_kilobytes``, else in messages.
        writers: who may add messages, None for everybody; ``readers``: who may look into it and receive.
        authenticated_only: it wants messages of authenticated senders alone.
        multicast: the multicast address whose messages it gets as well, None for none.
        foreign: it is one of another messaging system, and its messages go to a connector server.
    """

    transactional: bool = False
    room: int | None = None
    in_kilobytes: bool = False
    writers: frozenset[User] | None = None
    readers: frozenset[User] | None = None
    authenticated_only: bool = False
    multicast: str | None = None
    foreign: bool = False


PLAIN: Final = Properties()
"""Those of a queue of which nothing is said."""


class Queue(Value, frozen=True):
    """A queue; its sub-state (5.1.1.2) follows from ``entries`` and ``readers`` and is not stored."""

    properties: Properties = PLAIN
    entries: tuple[Entry, ...] = ()
    readers: tuple[Reader, ...] = ()

    @property
    def available(self) -> tuple[Message, ...]:
        """The messages that an application may receive now, in order."""
        return tuple(entry.message for entry in self.entries if entry.available)

    @property
    def used(self) -> int:
        """How much of its room is taken, messages of open transactions included."""
        return sum(entry.message.size if self.properties.in_kilobytes else 1 for entry in self.entries)


class Opened(Value, frozen=True):
    """A handle: which queue it stands for, for what, and for whom; None where that is not said."""

    queue: QueueName
    access: Access
    user: User | None = None


class Cursor(Value, frozen=True):
    """A place in a queue: the message it stands at, or None before the first.

    Attributes:
        passed: keys of the messages that it stood at or went by, so that the next is known when they are gone.
    """

    queue: QueueName
    at: Key | None = None
    passed: frozenset[Key] = frozenset()
