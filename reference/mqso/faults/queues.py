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
    Done,
    Failed,
    Got,
    Move,
    Receive,
)
from mqconform.reference.mqso.faults.fault import breaks, fault
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.queues import failed
from mqconform.reference.mqso.world import Branches, World

NEVER_WAITS = fault("never-waits", "3.3.4.6-04 5.1.1.2-10", "A receive fails at once where there is nothing.",
    waits=lambda self, world, name, event: iter([(world, Failed())]))  # fmt: skip
BEYOND_ITS_ROOM = fault("beyond-its-room", "5.1.1.2-07", "A queue takes what it has no room for.",
    has_room=lambda self, queue, message: True)  # fmt: skip

KILOBYTES_ARE_MESSAGES = fault("kilobytes-are-messages", "5.1.1.2-07", "A queue counts messages and not kilobytes.",
    has_room=lambda self, queue, message: (
        queue.properties.room is None or len(queue.entries) < queue.properties.room
    ))  # fmt: skip
MESSAGES_ARE_KILOBYTES = fault("messages-are-kilobytes", "5.1.1.2-07", "A queue counts kilobytes and not messages.",
    has_room=lambda self, queue, message: (
        QueueManager.has_room(self, replace(queue, properties=replace(queue.properties, in_kilobytes=True)), message)
    ))  # fmt: skip


@breaks("5.1.1.2-07", "5.1.1.3-04")
class ExpiredKeepsItsRoom(QueueManager):
    """What has expired in a queue takes its room for good."""

    def expired(self, world: World, name: QueueName, *, touched: bool) -> Iterator[World]:
        before = world.queues.get(name)
        for after in super().expired(world, name, touched=touched):
            queue = after.queues.get(name)
            if before is None or queue is None or before.properties.room is None:
                yield after
            else:
                room = before.properties.room - (before.used - queue.used)
                yield after.with_queue(name, replace(queue, properties=replace(queue.properties, room=room)))


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


PEEK_TAKES = fault("peek-takes", "5.1.1.3-12", "Looking at a message takes it.",
    asked_for=lambda self, world, event: (
        QueueManager.asked_for(self, world, event if event.takes else replace(event, takes=True))
    ))  # fmt: skip
READERS_NEVER_WOKEN = fault("readers-never-woken", "5.1.1.2-08 5.1.1.1-09", "Who waits gets nothing.",
    served=lambda self, world, name: iter([world]))  # fmt: skip
WAIT_WITHOUT_END = fault("wait-without-end", "3.3.4.6-05 5.1.1.2-11", "A wait never ends.",
    waited=lambda self, world: iter([world]))  # fmt: skip


@breaks("3.3.4.6-02", "5.1.1.3-11", "5.1.1.2-06")
class HandsOutNothing(QueueManager):
    """A receive waits beside messages."""

    def looked_for(self, world: World, name: QueueName, event: Receive) -> Branches:
        if event.key is None and event.cursor is None and self.first(world.queues[name], event.transaction) is not None:
            yield from self.waits(world, name, event)
            return
        yield from super().looked_for(world, name, event)


PURGE_LEAVES_THE_LAST = fault("purge-leaves-the-last", "5.1.1.2-12", "A purge leaves the last message.",
    purged=lambda self, world, name: iter([world.with_entries(name, world.queues[name].entries[-1:])]))  # fmt: skip
PURGE_DOES_NOTHING = fault("purge-does-nothing", "5.1.1.2-12", "A purge leaves all messages.",
    purged=lambda self, world, name: iter([world]))  # fmt: skip


@breaks("5.1.1.2-13")
class PurgeEndsReaders(QueueManager):
    """A purge ends who waits."""

    def purged(self, world: World, name: QueueName) -> Iterator[World]:
        readers = world.queues[name].readers
        for after in super().purged(world, name):
            yield failed(after.with_queue(name, replace(after.queues[name], readers=())), readers)


READER_OF_DELETED_FORGOTTEN = fault("reader-of-deleted-forgotten", "3.3.4.6-05",
    "Who waits at a deleted queue is never told.",
    deleted=lambda self, world, name: iter([replace(world, queues=world.queues.without(name))]))  # fmt: skip


@breaks("3.3.4.2-05")
class CountingConsumes(QueueManager):
    """Asking for the number takes a message."""

    def counted(self, world: World, name: QueueName) -> Branches:
        queue = world.queues[name]
        place = self.first(queue, None)
        after = world if place is None else self.received(world, name, place, None)
        yield after, Counted(len(queue.available))


@breaks("3.3.4.2-06")
class PurgeZeroesTheCount(QueueManager):
    """A purge sets the number of messages to zero, and what it spared is not counted when it is back."""

    def purged(self, world: World, name: QueueName) -> Iterator[World]:
        for after in super().purged(world, name):
            spared = after.queues[name].entries
            yield after.with_entries(name, (replace(entry, message=replace(entry.message, size=0)) for entry in spared))

    def counted(self, world: World, name: QueueName) -> Branches:
        yield world, Counted(sum(message.size for message in world.queues[name].available))


SYSTEM_QUEUE_TAKES_SENDS = fault("system-queue-takes-sends", "5.1.1.2-25", "Applications send to system queues.",
    takes_sends=lambda self, name: True)  # fmt: skip


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


CURSOR_NEVER_MOVES = fault("cursor-never-moves", "5.1.1-04", "A cursor stays where it is.",
    place_of=lambda self, queue, cursor, move: QueueManager.place_of(self, queue, cursor, Move.CURRENT))  # fmt: skip
TAKES_ANY_KIND = fault("takes-any-kind", "3.2.1-07", "A transactional queue takes any message.",
    to_wrong_kind=lambda self, world, name, event: self.put_and_served(world, name, event))  # fmt: skip
REFUSES_SILENTLY = fault("refuses-silently", "3.3.4.3-06 3.2.1-07", "What is refused is told as taken on.",
    to_wrong_kind=lambda self, world, name, event: iter([(world, Done())]))  # fmt: skip


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


CREATED_AGAIN = fault("created-again", "3.3.4.1-06", "A creation that fails empties the queue that is there.",
    created_again=lambda self, world, name: iter([(world.with_entries(name, ()), Failed())]))  # fmt: skip
COUNTS_NOTHING = fault("counts-nothing", "3.3.4.2-06", "There are said to be no messages.",
    counted=lambda self, world, name: iter([(world, Counted(0))]))  # fmt: skip


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


FORGETS_WHAT_IS_ANSWERED = fault("forgets-what-is-answered", "5.1.1-03", "An answer does not say what it answers.",
    handed_out=lambda self, message: replace(QueueManager.handed_out(self, message), correlation=None))  # fmt: skip
FORGETS_WHERE_TO_ANSWER = fault("forgets-where-to-answer", "5.1.1-03",
    "A message does not say where an answer is wanted.",
    handed_out=lambda self, message: replace(QueueManager.handed_out(self, message), response=None))  # fmt: skip
DROPS_PROPERTIES = fault("drops-properties", "5.1.1-03", "A message comes without what its sender said of answers.",
    handed_out=lambda self, message: Got(message.key))  # fmt: skip
FAILED_CREATE_LEAVES_A_QUEUE = fault("failed-create-leaves-a-queue", "3.3.4.1-04 5.5.5-01",
    "A creation that fails for want of room leaves a queue.",
    created_in_full_store=lambda self, world, event: (
        iter([(self.created(world, event.queue, event.properties), Failed())])
    ))  # fmt: skip
CHANGES_NOTHING = fault("changes-nothing", "3.3.4.1-05 3.3.4.1-07 5.1.1-01",
    "A change of a queue is told as done and is not.",
    changed=lambda self, world, event: world)  # fmt: skip
CREATES_NOTHING = fault("creates-nothing", "3.3.4.1-05 3.3.4.1-07 5.1.1.2-05 5.1.1-01",
    "A creation is told as done and is not.",
    created=lambda self, world, name, properties: world)  # fmt: skip
PUBLIC_IN_A_WORKGROUP = fault("public-in-a-workgroup", "4.3.1.3-02 1.1-06",
    "Public queues are created in Workgroup mode.",
    published=lambda self, world, event: (
        iter([(self.created(world, event.queue, event.properties), Done())])
    ))  # fmt: skip
NEEDS_A_DIRECTORY = fault("needs-a-directory", "3.3.4.3-07 3.3.4.3-05 3.3.4.8-01 4.3.3-03",
    "Nothing can be sent without a directory.",
    refuses_all=lambda self, world: True)  # fmt: skip
ANY_HANDLE_RECEIVES = fault("any-handle-receives", "3.3.4.6-03",
    "A message is received through a handle that was opened for something else.",
    may=lambda self, access, event: True)  # fmt: skip


@breaks("5.1.1-04")
class CursorBeginsAgain(QueueManager):
    """Behind the last message a cursor begins with the first one again."""

    def place_of(self, queue: Queue, cursor: Cursor, move: Move) -> int | None:
        place = super().place_of(queue, cursor, move)
        return self.first(queue, None) if place is None and move is Move.NEXT else place


CURSOR_TAKES_UNTOLD = fault("cursor-takes-untold", "6.1.6.5-01", "What is received at a cursor is not acknowledged.",
    taken=lambda self, world, name, place, event: (
        QueueManager.taken(self, world if event.cursor is None else _unasked(world, name, place), name, place, event)
    ))  # fmt: skip


def _unasked(world: World, name: QueueName, place: int) -> World:
    """Return the world where the sender of a message has asked for no acknowledgment of it."""
    entries = [*world.queues[name].entries]
    entries[place] = replace(entries[place], message=replace(entries[place].message, asked=frozenset()))
    return world.with_entries(name, entries)


IDENTIFIER_IGNORED = fault("identifier-ignored", "3.3.4.6-02", "A receive by identifier hands out the first message.",
    looked_for=lambda self, world, name, event: (
        QueueManager.looked_for(self, world, name, replace(event, key=None))
    ))  # fmt: skip
IDENTIFIER_LEAVES_IT = fault("identifier-leaves-it", "3.3.4.6-02 5.1.1.3-14",
    "What is received by its identifier stays in its queue.",
    looked_for=lambda self, world, name, event: (
        QueueManager.looked_for(self, world, name, replace(event, takes=event.takes and event.key is None))
    ))  # fmt: skip
IDENTIFIER_TAKES_AT_A_LOOK = fault("identifier-takes-at-a-look", "5.1.1.3-12",
    "What is looked at by its identifier is gone.",
    looked_for=lambda self, world, name, event: (
        QueueManager.looked_for(self, world, name, replace(event, takes=event.takes or event.key is not None))
    ))  # fmt: skip


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


IDENTIFIER_TAKES_FOR_GOOD = fault("identifier-takes-for-good", "3.3.4.7-01 5.1.1.3-15",
    "What a transaction receives by its identifier is gone, however the transaction ends.",
    taken=lambda self, world, name, place, event: (
        QueueManager.taken(self, world, name, place, event if event.key is None else replace(event, transaction=None))
    ))  # fmt: skip
IDENTIFIER_UNTOLD = fault("identifier-untold", "6.1.6.5-01", "What is received by its identifier is not acknowledged.",
    taken=lambda self, world, name, place, event: (
        QueueManager.taken(self, world if event.key is None else _unasked(world, name, place), name, place, event)
    ))  # fmt: skip


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
