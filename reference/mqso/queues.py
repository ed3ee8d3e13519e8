"""What happens in a queue: creation, arrivals, messages taken, readers served, purge, deletion (5.1.1.2, 5.1.1.3).

Only what concerns one queue; which call leads here is for `sending` and `receiving`.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mqconform.reference.mqso import events
from mqconform.reference.mqso.acknowledgments import copy_of
from mqconform.reference.mqso.elements import (
    CONNECTOR,
    SYSTEM_QUEUES,
    Asked,
    Entry,
    Key,
    Message,
    Properties,
    Queue,
    QueueName,
    Reader,
    Series,
    TransactionId,
)
from mqconform.reference.mqso.events import Counted, Done, Failed, Got
from mqconform.reference.mqso.readings import (
    DeletedLetters,
    DeletionReports,
    Journaling,
    NoRoom,
    NoRoomWithin,
    PurgedLetters,
    PurgeReports,
    Purging,
    QueuesWhileFull,
    ReaderOfDeleted,
    RefusalWithin,
    TransactionOfDeleted,
)
from mqconform.reference.mqso.world import Branches, World, decided

if TYPE_CHECKING:
    from mqconform.reference.mqso.queue_manager import QueueManager


def has_room(rules: "QueueManager", queue: Queue, message: Message) -> bool:
    """Return whether a queue can take a message; one that cannot rejects it (5.1.1.2, MQSO-5.1.1.2-07)."""
    room, size = queue.properties.room, message.size if queue.properties.in_kilobytes else 1
    return room is None or queue.used + size <= room


def arrived(rules: "QueueManager", queue: Queue, entry: Entry) -> Queue:
    """Return a queue with one more message, the last (5.1.1.2, MQSO-5.1.1.2-01)."""
    return replace(queue, entries=(*queue.entries, entry))


def put(
    rules: "QueueManager", world: World, name: QueueName, message: Message, transaction: TransactionId | None
) -> Iterator[tuple[World, bool]]:
    """Yield what may come of putting a message into a queue, each with whether the send succeeds.

    A message for which there is no room is rejected: the send fails, or the sender is told later as it asked
    (register QM-19). Sections 3.3.4.3 and 5.1.1.2 (MQSO-3.3.4.3-05 to -07, MQSO-5.1.1.2-07).
    """
    queue = world.queues[name]
    if not rules.has_room(queue, message):
        for following, choice in decided(world, NoRoom if transaction is None else NoRoomWithin):
            if choice in {NoRoom.SEND_FAILS, NoRoomWithin.SEND_FAILS}:
                yield following, False
            elif choice is NoRoomWithin.ROOM_AT_COMMIT:
                yield from _taken_in(rules, following, name, message, transaction)
            else:
                yield from ((after, True) for after in rules.refused_within(following, message, transaction))
        return
    yield from _taken_in(rules, world, name, message, transaction)


def _taken_in(
    rules: "QueueManager", world: World, name: QueueName, message: Message, transaction: TransactionId | None
) -> Iterator[tuple[World, bool]]:
    queue = world.queues[name]
    entry = rules.timed(Entry(message, hidden_by=transaction), world.now)
    taken = world.with_queue(name, rules.arrived(queue, entry))
    for following in rules.sent_for_journal(taken, message):
        yield (following if transaction is not None else rules.shows(following, message)), True


def timed(rules: "QueueManager", entry: Entry, now: int) -> Entry:
    """Return a message at its place with both its times counted from now (5.1.1.3, MQSO-5.1.1.3-04)."""
    message = entry.message
    if message.receive_within is None and message.reach_within is None:
        return entry
    reach_until = None if message.reach_within is None else now + message.reach_within
    return replace(entry, until=rules.until(message, now), reach_until=reach_until)


def until(rules: "QueueManager", message: Message, now: int) -> int | None:
    """Return when the time to be received of a message that is sent now will be up, None without one (5.1.1.3)."""
    return None if message.receive_within is None else now + message.receive_within


def refused_later(rules: "QueueManager", world: World, message: Message) -> Iterator[World]:
    """Yield what may become of a message whose send succeeded and that its queue does not take."""
    for following in rules.sent_for_journal(world, message):
        yield from rules.refused(rules.copied(following, message, Journaling.ON_SEND), message)


def refused_within(
    rules: "QueueManager", world: World, message: Message, transaction: TransactionId | None
) -> Iterator[World]:
    """Yield what may become of such a message, which a transaction may have sent: it is told of at once or later.

    What is sent in a transaction is accepted when that commits, and not at all where it aborts. Section 3.3.4.4
    (MQSO-3.3.4.4-02).
    """
    if transaction is None:
        yield from rules.refused_later(world, message)
        return
    for following, choice in decided(world, RefusalWithin):
        if choice is RefusalWithin.AT_ONCE:
            yield from rules.refused_later(following, message)
        else:
            yield replace(following, refused=(*following.refused, (transaction, message)))


def shows(rules: "QueueManager", world: World, message: Message) -> World:
    """Return the world where a message was sent, by its send or by a commit, and is in its queue."""
    return rules.in_its_queue(rules.copied(world, message, Journaling.ON_SEND), message)


def in_its_queue(rules: "QueueManager", world: World, message: Message) -> World:
    """Return the world where a message has reached its queue and shows there."""
    return rules.acknowledged(rules.copied(world, message, Journaling.ON_ARRIVAL), message, Asked.REACH)


def first(rules: "QueueManager", queue: Queue, transaction: TransactionId | None) -> int | None:
    """Return the place of the message that is received next: the first that is available, None without.

    Sections 5.1.1.2 and 5.1.1.3 (MQSO-5.1.1.2-01, MQSO-3.3.4.7-04).
    """
    return next((place for place, entry in enumerate(queue.entries) if entry.available), None)


def in_order(world: World, name: QueueName, passed: Collection[Key] = (), number: int = 1) -> Iterator[World]:
    """Yield the worlds with the order of a queue decided as far as a look at it can tell (register QM-65).

    What one commit brings has no order before it is looked at, but for that within each series.

    Args:
        world: before the look.
        name: of the queue.
        passed: messages that are not looked for.
        number: how many available messages the look may go through.
    """
    entries = world.queues[name].entries
    for place, entry in enumerate(entries):
        if entry.series is not None:
            for later in _next_of(entry.series.commit, entries, place):
                certain = replace(entries[later], series=None)
                ordered = (*entries[:place], certain, *entries[place:later], *entries[later + 1 :])
                yield from in_order(world.with_entries(name, ordered), name, passed, number)
            return
        number -= entry.available and entry.message.key not in passed
        if not number:
            break
    yield world


def _next_of(commit: TransactionId, entries: tuple[Entry, ...], start: int) -> Iterable[int]:
    """Return the places of the messages that may come next of what a commit brought: the first of each series."""
    firsts: dict[Series, int] = {}
    for place, entry in enumerate(entries[start:], start):
        if entry.series is None or entry.series.commit != commit:
            break
        firsts.setdefault(entry.series, place)
    return firsts.values()


def received(
    rules: "QueueManager", world: World, name: QueueName, place: int, transaction: TransactionId | None
) -> World:
    """Return the world where a message was received: gone, or locked until its transaction ends.

    Sections 3.3.4.6 and 3.3.4.7 (MQSO-3.3.4.6-02, MQSO-3.3.4.7-01, MQSO-3.3.4.7-04).
    """
    entries = world.queues[name].entries
    entry = entries[place]
    if transaction is not None:
        locked = replace(entry, locked_by=transaction)
        return world.with_entries(name, (*entries[:place], locked, *entries[place + 1 :]))
    gone = world.with_entries(name, (*entries[:place], *entries[place + 1 :]))
    return rules.consumed(gone, entry.message)


def handed_out(rules: "QueueManager", message: Message) -> Got:
    """Return what an application gets of a message: its body and what its sender said of answers.

    Sections 2.1 and 5.1.1 (MQSO-2.1-02, MQSO-5.1.1-03), 3.3.4.8 (MQSO-3.3.4.8-01).
    """
    return Got(message.key, message.correlation, message.response, message.authenticated)


def consumed(rules: "QueueManager", world: World, message: Message) -> World:
    """Return the world where a message has left the system by being received (5.1.1.3)."""
    return rules.acknowledged(rules.copied(world, message, Journaling.ON_RECEIVE), message, Asked.RECEIVE)


def served(rules: "QueueManager", world: World, name: QueueName) -> Iterator[World]:
    """Yield what may come of messages and readers that wait for each other; it does not matter whose turn it is.

    Section 5.1.1.2 (MQSO-5.1.1.2-08), register QM-04.
    """
    queue = world.queues.get(name)
    if queue is None or not queue.readers:
        yield world
        return
    for following in in_order(world, name):
        yield from _served(rules, following, name)


def _served(rules: "QueueManager", world: World, name: QueueName) -> Iterator[World]:
    queue = world.queues[name]
    all_wait = True
    for reader in queue.readers:
        place = rules.first(queue, reader.transaction)
        if place is None:
            continue
        waiting = replace(queue, readers=tuple(other for other in queue.readers if other is not reader))
        without = world.with_queue(name, waiting)
        within = [reader.transaction]
        if bereft_of_transaction(world, reader):
            within.append(None)  # it may get no message, a message for good, or one that is lost (QM-49)
        else:
            all_wait = False
        for transaction in within if reader.takes else within[:1]:
            after = rules.received(without, name, place, transaction) if reader.takes else without
            after = after.with_ended(reader.operation, rules.handed_out(queue.entries[place].message))
            yield from rules.served(after, name)
    if all_wait:
        yield world


def purged(rules: "QueueManager", world: World, name: QueueName) -> Iterator[World]:
    """Yield what may be left after a purge: nothing that shows, and readers go on waiting.

    What a transaction has sent and not committed is not yet there; what one has received may be spared, and what
    is gone may be told or dead-lettered (register QM-17). Section 5.1.1.2 (MQSO-5.1.1.2-12, MQSO-5.1.1.2-13).
    """
    entries = world.queues[name].entries
    if not entries:
        yield world
        return
    for following, locked in _locked_at_purge(world, entries):
        left = [entry for entry in entries if entry.hidden_by or (entry.locked_by and locked is Purging.SPARES_LOCKED)]
        gone = [entry.message for entry in entries if entry not in left]
        for after in _told(rules, following.with_entries(name, left), gone, PurgeReports):
            yield from _dead_lettered(rules, after, gone, PurgedLetters)


def _told(
    rules: "QueueManager", world: World, gone: list[Message], place: type[PurgeReports] | type[DeletionReports]
) -> Iterator[World]:
    """Yield the worlds where the senders of removed messages get reports, or do not."""
    if not any(Asked.NEGATIVE in message.asked for message in gone):
        yield world
        return
    for following, reports in decided(world, place):
        with_reports = following
        for message in gone if reports is place.NEGATIVE else ():
            with_reports = rules.acknowledged(with_reports, message, Asked.NEGATIVE)
        yield with_reports


def _dead_lettered(
    rules: "QueueManager", world: World, gone: list[Message], place: type[PurgedLetters] | type[DeletedLetters]
) -> Iterator[World]:
    """Yield the worlds where removed messages that asked for it are dead letters, or are lost."""
    asked = [message for message in gone if message.dead_letter]
    for following, letters in decided(world, place) if asked else ((world, place.NONE),):
        with_letters = following
        for message in asked if letters is place.KEPT else ():
            with_letters = rules.kept(with_letters, rules.dead_letter_queue(message), copy_of(message))
        yield with_letters


def _locked_at_purge(world: World, entries: tuple[Entry, ...]) -> Iterator[tuple[World, Purging]]:
    if any(entry.locked_by for entry in entries):
        yield from decided(world, Purging)
    else:
        yield world, Purging.SPARES_LOCKED


def deleted(rules: "QueueManager", world: World, name: QueueName) -> Iterator[World]:
    """Yield the world without a queue and its messages; who waits there is told, at once or in its time.

    So may be who sent those messages (register QM-43). Section 5.1.1.2 (MQSO-5.1.1.2-14).
    """
    queue = world.queues[name]
    messages = [entry.message for entry in queue.entries if entry.hidden_by is None]
    removed = _without_deleted(rules, world, name)
    reported = (after for without in removed for after in _told(rules, without, messages, DeletionReports))
    for gone in (after for current in reported for after in _dead_lettered(rules, current, messages, DeletedLetters)):
        if not queue.readers:
            yield gone
            continue
        for following, choice in decided(gone, ReaderOfDeleted):
            if choice is ReaderOfDeleted.AT_ONCE:
                yield failed(following, queue.readers)
            else:
                yield replace(following, bereft=(*following.bereft, *queue.readers))


def _without_deleted(rules: "QueueManager", world: World, name: QueueName) -> Iterator[World]:
    """Yield the worlds without a queue: open transactions with messages there go on, or are aborted at once.

    A queue manager that takes part in a transaction may vote against it (4.3.1.2), and need not wait for that.
    """
    within = {ender for entry in world.queues[name].entries for ender in (entry.hidden_by, entry.locked_by)}
    without = replace(world, queues=world.queues.without(name))
    hit = sorted(ender for ender in within if ender is not None and ender in world.transactions)
    for following, choice in decided(without, TransactionOfDeleted) if hit else [(without, None)]:
        if choice is TransactionOfDeleted.ABORTED:
            worlds = [following]
            for transaction in hit:
                worlds = [after for current in worlds for after in rules.aborted(current, transaction)]
            yield from worlds
        else:
            yield replace(following, curtailed=following.curtailed.union(hit))


def created(rules: "QueueManager", world: World, name: QueueName, properties: Properties) -> World:
    """Return the world with a new queue, which can be used at once (5.1.1.2, MQSO-5.1.1.2-05)."""
    return world.with_queue(name, Queue(properties))


def takes_sends(rules: "QueueManager", name: QueueName) -> bool:
    """Return whether applications may send to a queue: not to the queue manager's own (MQSO-5.1.1.2-25)."""
    return name not in SYSTEM_QUEUES and name != CONNECTOR


def bereft_of_transaction(world: World, reader: Reader) -> bool:
    """Return whether an operation waits in a transaction that has ended."""
    return reader.transaction is not None and reader.transaction not in world.transactions


def failed(world: World, readers: tuple[Reader, ...]) -> World:
    """Return the world where readers have been told that there is nothing for them."""
    for reader in readers:
        world = world.with_ended(reader.operation, Failed())
    return world


def can_store_queues(rules: "QueueManager", world: World) -> Iterator[tuple[World, bool]]:
    """Yield whether a queue can be created or changed: with a full store perhaps not (5.5.5, register QM-41)."""
    if not world.full:
        yield world, True
    else:
        yield from ((after, choice is QueuesWhileFull.TAKEN) for after, choice in decided(world, QueuesWhileFull))


def created_in_full_store(rules: "QueueManager", world: World, event: events.CreateQueue) -> Branches:
    """Yield what comes of a creation for which the store may have no room: all of it or nothing.

    Sections 3.3.4.1 and 5.5.5 (MQSO-3.3.4.1-04, MQSO-5.5.5-01).
    """
    for following, works in rules.can_store_queues(world):
        created = rules.created(following, event.queue, event.properties)
        yield (created, Done()) if works else (following, Failed())


def created_again(rules: "QueueManager", world: World, name: QueueName) -> Branches:
    """Yield the results of creating an existing queue: no change, either answer (MQSO-3.3.4.1-06)."""
    yield world, Failed()
    yield world, Done()


def changed(rules: "QueueManager", world: World, event: events.SetQueue) -> World:
    """Return the world with the change of a queue (3.3.4.1, MQSO-3.3.4.1-05)."""
    queue = world.queues[event.queue]
    return world.with_queue(event.queue, replace(queue, properties=replace(queue.properties, room=event.room)))


def counted(rules: "QueueManager", world: World, name: QueueName) -> Branches:
    """Yield the number of messages; those that a transaction has may count or not. It changes nothing.

    Section 3.3.4.2 (MQSO-3.3.4.2-05, MQSO-3.3.4.2-06).
    """
    queue = world.queues[name]
    least, most = len(queue.available), len(queue.entries)
    yield from ((world, Counted(number)) for number in range(least, most + 1))
