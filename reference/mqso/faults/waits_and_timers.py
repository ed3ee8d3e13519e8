"""Faults of waits and timers: what ends them, begins them anew, or leaves them out; and of cursors and reports."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso import elements
from mqconform.reference.mqso.events import Move
from mqconform.reference.mqso.faults.fault import breaks, fault
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World

_NAMED_FIRST: Final = elements.QueueName("*administration queue")


@breaks("3.3.4.7-01", "3.3.4.6-05")
class TimeoutUndoes(QueueManager):
    """A wait that ends without a message undoes the transaction that it is in."""

    def waited(self, world: World) -> Iterator[World]:
        before = _waiting_within(world)
        for after in super().waited(world):
            worlds = [after]
            for transaction in before - _waiting_within(after):
                worlds = [undone for current in worlds for undone in self.aborted(current, transaction)]
            yield from worlds


def _waiting_within(world: World) -> set[elements.TransactionId]:
    readers = (reader for queue in world.queues.values() for reader in queue.readers)
    return {reader.transaction for reader in readers if reader.transaction is not None}


@breaks("3.3.4.7-02", "4.3.1.2-11", "5.1.1.3-15")
class WaitersTakeForGood(QueueManager):
    """What an operation has waited for in a transaction is taken at once."""

    def served(self, world: World, name: elements.QueueName) -> Iterator[World]:
        queue = world.queues.get(name)
        if queue is not None and queue.readers:
            outside = tuple(replace(reader, transaction=None) for reader in queue.readers)
            world = world.with_queue(name, replace(queue, readers=outside))
        yield from super().served(world, name)


@breaks("3.3.4.6-05", "5.1.1.2-11")
class WaitsGetLonger(QueueManager):
    """A wait is five seconds longer where another operation gets what arrives."""

    def served(self, world: World, name: elements.QueueName) -> Iterator[World]:
        before = world.queues.get(name)
        for after in super().served(world, name):
            queue = after.queues.get(name)
            if before is None or queue is None or len(queue.readers) == len(before.readers):
                yield after
            else:
                longer = tuple(replace(reader, until=reader.until + 5 * elements.SECOND) for reader in queue.readers)
                yield after.with_queue(name, replace(queue, readers=longer))


NOBODY_WAITS_FOR_LETTERS = fault("nobody-waits-for-letters", "5.1.1.2-32", "Who waits for a dead letter gets none.",
    served=lambda self, world, name: (
        (world,) if name in elements.SYSTEM_QUEUES else QueueManager.served(self, world, name)
    ))  # fmt: skip
LETTERS_ARE_TAKEN_FOR_GOOD = fault("letters-are-taken-for-good", "5.1.1.2-32 3.3.4.7-02",
    "A dead letter that a transaction has received is gone, however that ends.",
    received=lambda self, world, name, place, transaction: (
        QueueManager.received(self, world, name, place, None if name in elements.SYSTEM_QUEUES else transaction)
    ))  # fmt: skip


@breaks("5.1.1.2-26")
class CopiesExpire(QueueManager):
    """A copy in the source journal goes when the time of its message is up."""

    def kept(self, world: World, queue: elements.QueueName, message: elements.Message) -> World:
        after = super().kept(world, queue, message)
        if queue != elements.JOURNAL or message.receive_within is None:
            return after
        *others, copy = after.queues[queue].entries
        return after.with_entries(queue, (*others, replace(copy, until=world.now + message.receive_within)))


@breaks("5.1.1.3-04")
class LockEndsTimers(QueueManager):
    """A message that a transaction has received has no timer any more when it is given back."""

    def given_back(
        self, queue: elements.Queue, transaction: elements.TransactionId, *, last: bool
    ) -> tuple[elements.Entry, ...]:
        mine = {entry.message.key for entry in queue.entries if entry.locked_by == transaction}
        returned = super().given_back(queue, transaction, last=last)
        return tuple(replace(entry, until=None) if entry.message.key in mine else entry for entry in returned)


@breaks("5.1.1.3-04")
class AbortBeginsTimeAnew(QueueManager):
    """A message that is given back has its whole time again."""

    def aborted(self, world: World, transaction: elements.TransactionId) -> Iterator[World]:
        for after in super().aborted(world, transaction):
            following = after
            for name, queue in world.queues.items():
                mine = {entry.message.key for entry in queue.entries if entry.locked_by == transaction}
                prolonged = (
                    replace(entry, until=self.until(entry.message, world.now)) if entry.message.key in mine else entry
                    for entry in after.queues[name].entries
                )
                following = following.with_entries(name, prolonged)
            yield following


@breaks("5.1.1.2-15", "5.1.1-04")
class CursorCountsMessages(QueueManager):
    """A cursor moves on when a message before its own is received."""

    def place_of(self, queue: elements.Queue, cursor: elements.Cursor, move: Move) -> int | None:
        number = 0 if cursor.at is None else len(cursor.passed) - (move is Move.CURRENT)
        places = [place for place, entry in enumerate(queue.entries) if entry.available]
        return places[number] if number < len(places) else None


@breaks("6.1.6.5-01", "6.1.6.5-02")
class OneAdministrationQueue(QueueManager):
    """All acknowledgments come to the administration queue that was named first."""

    def acknowledged(self, world: World, message: elements.Message, what: elements.Asked) -> World:
        if message.administration is None or what not in message.asked:
            return world
        if _NAMED_FIRST not in world.queues:
            named = elements.Entry(
                elements.Message(elements.Key(message.administration), elements.Assurance.RECOVERABLE)
            )
            world = world.with_queue(_NAMED_FIRST, elements.Queue(entries=(named,)))
        first = elements.QueueName(world.queues[_NAMED_FIRST].entries[0].message.key)
        return super().acknowledged(world, replace(message, administration=first), what)
