"""Faults of queues, cursors and those who read them."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from mqconform.reference.mqso.elements import (
    SYSTEM_QUEUES,
    Access,
    Cursor,
    Entry,
    Message,
    Properties,
    Queue,
    QueueName,
    TransactionId,
)
from mqconform.reference.mqso.events import (
    Close,
    Counted,
    CreateQueue,
    Done,
    Failed,
    Got,
    Move,
    Receive,
    Send,
    SetQueue,
)
from mqconform.reference.mqso.faults.fault import breaks
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.queues import failed
from mqconform.reference.mqso.world import Branches, World


@breaks("3.3.4.6-04", "5.1.1.2-10")
class NeverWaits(QueueManager):
    """A receive fails at once where there is nothing."""

    def waits(self, world: World, name: QueueName, event: Receive) -> Branches:
        yield world, Failed()


@breaks("5.1.1.2-07")
class BeyondItsRoom(QueueManager):
    """A queue takes what it has no room for."""

    def has_room(self, queue: Queue, message: Message) -> bool:
        return True


@breaks("5.1.1.2-01", "1.1-04", "5.1.1.2-32")
class LastFirst(QueueManager):
    """The last message is handed out first."""

    def first(self, queue: Queue, transaction: TransactionId | None) -> int | None:
        places = [place for place, entry in enumerate(queue.entries) if entry.available]
        return places[-1] if places else None


@breaks("3.3.4.6-02", "5.1.1.3-14", "5.1.1.2-09", "1.1-04")
class ReceiveLeavesIt(QueueManager):
    """A received message stays."""

    def received(self, world: World, name: QueueName, place: int, transaction: TransactionId | None) -> World:
        entry = world.queues[name].entries[place]
        if transaction is not None:
            return super().received(world, name, place, transaction)
        return self.consumed(world, entry.message)


@breaks("5.1.1.3-12")
class PeekTakes(QueueManager):
    """Looking at a message takes it."""

    def asked_for(self, world: World, event: Receive) -> Branches:
        yield from super().asked_for(world, event if event.takes else replace(event, takes=True))


@breaks("5.1.1.2-08", "5.1.1.1-09")
class ReadersNeverWoken(QueueManager):
    """Who waits gets nothing."""

    def served(self, world: World, name: QueueName) -> Iterator[World]:
        yield world


@breaks("3.3.4.6-05", "5.1.1.2-11")
class WaitWithoutEnd(QueueManager):
    """A wait never ends."""

    def waited(self, world: World) -> Iterator[World]:
        yield world


@breaks("3.3.4.6-02", "5.1.1.3-11", "5.1.1.2-06")
class HandsOutNothing(QueueManager):
    """A receive waits beside messages."""

    def looked_for(self, world: World, name: QueueName, event: Receive) -> Branches:
        if event.key is None and event.cursor is None and self.first(world.queues[name], event.transaction) is not None:
            yield from self.waits(world, name, event)
            return
        yield from super().looked_for(world, name, event)


@breaks("5.1.1.2-12")
class PurgeLeavesTheLast(QueueManager):
    """A purge leaves the last message."""

    def purged(self, world: World, name: QueueName) -> Iterator[World]:
        yield world.with_entries(name, world.queues[name].entries[-1:])


@breaks("5.1.1.2-12")
class PurgeDoesNothing(QueueManager):
    """A purge leaves all messages."""

    def purged(self, world: World, name: QueueName) -> Iterator[World]:
        yield world


@breaks("5.1.1.2-13")
class PurgeEndsReaders(QueueManager):
    """A purge ends who waits."""

    def purged(self, world: World, name: QueueName) -> Iterator[World]:
        readers = world.queues[name].readers
        for after in super().purged(world, name):
            yield failed(after.with_queue(name, replace(after.queues[name], readers=())), readers)


@breaks("3.3.4.6-05")
class ReaderOfDeletedForgotten(QueueManager):
    """Who waits at a deleted queue is never told."""

    def deleted(self, world: World, name: QueueName) -> Iterator[World]:
        yield replace(world, queues=world.queues.without(name))


@breaks("3.3.4.2-05")
class CountingConsumes(QueueManager):
    """Asking for the number takes a message."""

    def counted(self, world: World, name: QueueName) -> Branches:
        queue = world.queues[name]
        place = self.first(queue, None)
        after = world if place is None else self.received(world, name, place, None)
        yield after, Counted(len(queue.available))


@breaks("5.1.1.2-25")
class SystemQueueTakesSends(QueueManager):
    """Applications send to system queues."""

    def takes_sends(self, name: QueueName) -> bool:
        return True


@breaks("5.1.1.2-15")
class CursorsShareAPlace(QueueManager):
    """Cursors of a queue move together."""

    def moved(self, world: World, cursor: Any, place: int) -> World:
        after = super().moved(world, cursor, place)
        here = after.cursors[cursor]
        for other, position in after.cursors.items():
            if position.queue == here.queue:
                after = replace(after, cursors=after.cursors.having(other, here))
        return after


@breaks("5.1.1-04")
class CursorNeverMoves(QueueManager):
    """A cursor stays where it is."""

    def place_of(self, queue: Queue, cursor: Cursor, move: Move) -> int | None:
        return super().place_of(queue, cursor, Move.CURRENT)


@breaks("3.2.1-07")
class TakesAnyKind(QueueManager):
    """A transactional queue takes any message."""

    def to_wrong_kind(self, world: World, name: QueueName, event: Send) -> Branches:
        yield from self.put_and_served(world, name, event)


@breaks("3.3.4.3-06", "3.2.1-07")
class RefusesSilently(QueueManager):
    """What is refused is told as taken on."""

    def to_wrong_kind(self, world: World, name: QueueName, event: Send) -> Branches:
        yield world, Done()


@breaks(
    "3.3.4.3-07",
    "3.3.4.3-05",
    "3.3.4.8-01",
    "5.1.1.2-05",
    "5.1.1.3-02",
    "5.1.1.3-11",
    "5.1.1.2-06",
    "4.3.3-03",
    "5.1.1.2-01",
)
class ArrivalsVanish(QueueManager):
    """What is sent is nowhere."""

    def arrived(self, queue: Queue, entry: Entry) -> Queue:
        return queue


@breaks("3.3.4.1-06")
class CreatedAgain(QueueManager):
    """A creation that fails empties the queue that is there."""

    def created_again(self, world: World, name: QueueName) -> Branches:
        yield world.with_entries(name, ()), Failed()


@breaks("3.3.4.2-06")
class CountsNothing(QueueManager):
    """There are said to be no messages."""

    def counted(self, world: World, name: QueueName) -> Branches:
        yield world, Counted(0)


@breaks("5.1.1.2-14")
class DeleteKeepsMessages(QueueManager):
    """A queue made anew has the messages of the deleted one."""

    def deleted(self, world: World, name: QueueName) -> Iterator[World]:
        for after in super().deleted(world, name):
            yield after.with_queue(QueueName(f"*kept {name}"), Queue(entries=world.queues[name].entries))

    def created(self, world: World, name: QueueName, properties: Properties) -> World:
        deleted_queue = world.queues.get(QueueName(f"*kept {name}"))
        return world.with_queue(name, Queue(properties, deleted_queue.entries if deleted_queue else ()))


@breaks("1.1-04", "5.1.1.2-09")
class ServesAllReaders(QueueManager):
    """Everybody who waits gets the same message."""

    def served(self, world: World, name: QueueName) -> Iterator[World]:
        queue = world.queues.get(name)
        place = None if queue is None else self.first(queue, None)
        if queue is None or place is None or not queue.readers:
            yield world
            return
        message = queue.entries[place].message
        after = world.with_queue(name, replace(queue, readers=()))
        for reader in queue.readers:
            after = after.with_ended(reader.operation, self.handed_out(message))
        taken = any(reader.takes for reader in queue.readers)
        yield self.received(after, name, place, None) if taken else after


@breaks("5.1.1.3-02")
class MessagesGoWithTheirSender(QueueManager):
    """What was sent is gone when its sender ends."""

    def closed(self, world: World, event: Close) -> World:
        opened = world.handles.get(event.handle)
        after = super().closed(world, event)
        if opened is None or opened.access is not Access.SEND or opened.queue not in world.queues:
            return after
        return after.with_entries(opened.queue, ())


@breaks("5.1.1-03")
class ForgetsWhatIsAnswered(QueueManager):
    """An answer does not say what it answers."""

    def handed_out(self, message: Message) -> Got:
        return replace(super().handed_out(message), correlation=None)


@breaks("5.1.1-03")
class ForgetsWhereToAnswer(QueueManager):
    """A message does not say where an answer is wanted."""

    def handed_out(self, message: Message) -> Got:
        return replace(super().handed_out(message), response=None)


@breaks("5.1.1-03")
class DropsProperties(QueueManager):
    """A message comes without what its sender said of answers."""

    def handed_out(self, message: Message) -> Got:
        return Got(message.key)


@breaks("3.3.4.1-04", "5.5.5-01")
class FailedCreateLeavesAQueue(QueueManager):
    """A creation that fails for want of room leaves a queue."""

    def created_in_full_store(self, world: World, event: CreateQueue) -> Branches:
        yield self.created(world, event.queue, event.properties), Failed()


@breaks("3.3.4.1-05", "3.3.4.1-07", "5.1.1-01")
class ChangesNothing(QueueManager):
    """A change of a queue is told as done and is not."""

    def changed(self, world: World, event: SetQueue) -> World:
        return world


@breaks("3.3.4.1-05", "3.3.4.1-07", "5.1.1.2-05", "5.1.1-01")
class CreatesNothing(QueueManager):
    """A creation is told as done and is not."""

    def created(self, world: World, name: QueueName, properties: Properties) -> World:
        return world


@breaks("4.3.1.3-02", "1.1-06")
class PublicInAWorkgroup(QueueManager):
    """Public queues are created in Workgroup mode."""

    def published(self, world: World, event: CreateQueue) -> Branches:
        yield self.created(world, event.queue, event.properties), Done()


@breaks("3.3.4.3-07", "3.3.4.3-05", "3.3.4.8-01", "4.3.3-03")
class NeedsADirectory(QueueManager):
    """Nothing can be sent without a directory."""

    def refuses_all(self, world: World) -> bool:
        return True


@breaks("3.3.4.6-03")
class AnyHandleReceives(QueueManager):
    """A message is received through a handle that was opened for something else."""

    def may(self, access: Access, event: Receive) -> bool:
        return True


@breaks("5.1.1-04")
class CursorBeginsAgain(QueueManager):
    """Behind the last message a cursor begins with the first one again."""

    def place_of(self, queue: Queue, cursor: Cursor, move: Move) -> int | None:
        place = super().place_of(queue, cursor, move)
        return self.first(queue, None) if place is None and move is Move.NEXT else place


@breaks("6.1.6.5-01")
class CursorTakesUntold(QueueManager):
    """What is received at a cursor is not acknowledged."""

    def taken(self, world: World, name: QueueName, place: int, event: Receive) -> World:
        return super().taken(world if event.cursor is None else _unasked(world, name, place), name, place, event)


def _unasked(world: World, name: QueueName, place: int) -> World:
    """Return the world where the sender of a message has asked for no acknowledgment of it."""
    entries = [*world.queues[name].entries]
    entries[place] = replace(entries[place], message=replace(entries[place].message, asked=frozenset()))
    return world.with_entries(name, entries)


@breaks("3.3.4.6-02")
class IdentifierIgnored(QueueManager):
    """A receive by identifier hands out the first message."""

    def looked_for(self, world: World, name: QueueName, event: Receive) -> Branches:
        yield from super().looked_for(world, name, replace(event, key=None))


@breaks("3.3.4.6-02", "5.1.1.3-14")
class IdentifierLeavesIt(QueueManager):
    """What is received by its identifier stays in its queue."""

    def looked_for(self, world: World, name: QueueName, event: Receive) -> Branches:
        yield from super().looked_for(world, name, replace(event, takes=event.takes and event.key is None))


@breaks("5.1.1.3-12")
class IdentifierTakesAtALook(QueueManager):
    """What is looked at by its identifier is gone."""

    def looked_for(self, world: World, name: QueueName, event: Receive) -> Branches:
        yield from super().looked_for(world, name, replace(event, takes=event.takes or event.key is not None))


@breaks("3.3.4.7-04")
class IdentifierFindsLocked(QueueManager):
    """By its identifier a message is found that a transaction has received."""

    def looked_for(self, world: World, name: QueueName, event: Receive) -> Branches:
        locked = [entry.message for entry in world.queues[name].entries if entry.locked_by is not None]
        found = next((message for message in locked if message.key == event.key), None)
        if found is None:
            yield from super().looked_for(world, name, event)
        else:
            yield world, self.handed_out(found)


@breaks("3.3.4.7-01", "5.1.1.3-15")
class IdentifierTakesForGood(QueueManager):
    """What a transaction receives by its identifier is gone, however the transaction ends."""

    def taken(self, world: World, name: QueueName, place: int, event: Receive) -> World:
        return super().taken(world, name, place, event if event.key is None else replace(event, transaction=None))


@breaks("6.1.6.5-01")
class IdentifierUntold(QueueManager):
    """What is received by its identifier is not acknowledged."""

    def taken(self, world: World, name: QueueName, place: int, event: Receive) -> World:
        return super().taken(world if event.key is None else _unasked(world, name, place), name, place, event)


@breaks("5.1.1.2-02")
class EmptyQueuesGoAway(QueueManager):
    """A queue goes away when it is purged."""

    def purged(self, world: World, name: QueueName) -> Iterator[World]:
        for after in super().purged(world, name):
            yield after if name in SYSTEM_QUEUES else replace(after, queues=after.queues.without(name))


@breaks("5.1.1.3-17")
class RejectedYetTold(QueueManager):
    """What is rejected for want of room is journaled and acknowledged."""

    def put(
        self, world: World, name: QueueName, message: Message, transaction: TransactionId | None
    ) -> Iterator[tuple[World, bool]]:
        if self.has_room(world.queues[name], message):
            yield from super().put(world, name, message, transaction)
        else:
            yield self.in_its_queue(world, message), False
