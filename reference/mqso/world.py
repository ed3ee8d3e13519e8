"""One queue manager at one moment, as a value, and how choices are noted in it."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from msgspec.structs import replace

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice
from mqconform.reference.mqso import elements
from mqconform.reference.mqso.directory_contact import Contact
from mqconform.reference.mqso.events import Answer, Failed, Got, Send
from mqconform.reference.mqso.immutable import FrozenMap, Value

C = TypeVar("C", bound=Choice)


class TooManyWorlds(Exception):
    """An event may lead to more worlds than are followed."""


class World(Value, frozen=True):
    """A queue manager with its queues and their users.

    Attributes:
        now: nanoseconds since the beginning.
        throttled: memory or storage are scarce.
        full: the store is; ``coordinator_lost``: the external coordinator is away.
        damaged: the store is inconsistent beyond repair; ``repaired_at``: when it was repaired.
        retrying: a start has failed, so that starts are tried again.
        ended_at: when it was stopped last; at that instant it may still be stopping.
        bereft: operations that wait at a queue which was deleted, until their time is up.
        ended: what became of operations that waited, and was not yet asked for.
        curtailed: open transactions that have lost a queue, or a machine, with what they had there.
        blocked: sends that wait for the end of throttling.
        refused: messages that open transactions have sent and of whose refusal nothing was told yet, each with the
            transaction.
        registered: the users whose certificates the directory has, None in Workgroup mode.
        contact: what it has of a directory of queues, None where it is in no domain that has one.
        followed: the readings that this world follows, each since its place was met.
    """

    now: int = 0
    running: bool = True
    throttled: bool = False
    full: bool = False
    coordinator_lost: bool = False
    damaged: bool = False
    repaired_at: int = 0
    retrying: bool = False
    ended_at: int = -1
    queues: FrozenMap[elements.QueueName, elements.Queue] = FrozenMap(
        {name: elements.Queue() for name in elements.SYSTEM_QUEUES}
    )
    handles: FrozenMap[elements.Handle, elements.Opened] = FrozenMap()
    cursors: FrozenMap[elements.CursorId, elements.Cursor] = FrozenMap()
    transactions: FrozenMap[elements.TransactionId, elements.Kind] = FrozenMap()
    curtailed: frozenset[elements.TransactionId] = frozenset()
    ended: frozenset[tuple[elements.Operation, Got | Failed]] = frozenset()
    bereft: tuple[elements.Reader, ...] = ()
    blocked: tuple[Send, ...] = ()
    refused: tuple[tuple[elements.TransactionId, elements.Message], ...] = ()
    registered: frozenset[elements.User] | None = None
    contact: Contact | None = None
    followed: frozenset[Choice] = frozenset()

    @property
    def standing(self) -> Standing:
        """The worst standing among the readings that it follows."""
        return max((choice.reading.standing for choice in self.followed), default=Standing.TEXT)

    def with_queue(self, name: elements.QueueName, queue: elements.Queue) -> "World":
        """Return the same with a queue as given."""
        return replace(self, queues=self.queues.having(name, queue))

    def with_entries(self, name: elements.QueueName, entries: Iterable[elements.Entry]) -> "World":
        """Return the same with other messages in a queue."""
        return self.with_queue(name, replace(self.queues[name], entries=tuple(entries)))

    def with_ended(self, operation: elements.Operation, outcome: Got | Failed) -> "World":
        """Return the same where an operation that waited has ended."""
        return replace(self, ended=self.ended | {(operation, outcome)})


Branches = Iterator[tuple[World, Answer]]
"""What may come of an event: each world with the answer that goes with it."""


def decided(world: World, place: type[C]) -> Iterator[tuple[World, C]]:
    """Yield the world with the reading it follows at a place; where it follows none yet, with each that there is."""
    for choice in world.followed:
        if isinstance(choice, place):
            yield world, choice
            return
    for member in place:
        yield replace(world, followed=world.followed | {member}), member
