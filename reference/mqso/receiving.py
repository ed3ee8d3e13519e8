"""What may come of a receive or a peek, and where cursors stand (3.3.4.6, 3.3.4.7, 5.1.1, 5.1.1.2).

The checks of a call come first, then the kind of the queue, then the message that it finds, or the wait for one. What
becomes of those who wait is in `queues` (a message comes) and `timers` (their time is up).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mqconform.reference.mqso import elements, readings
from mqconform.reference.mqso.events import Failed, Move, Pending, Receive
from mqconform.reference.mqso.queues import failed, in_order
from mqconform.reference.mqso.world import Branches, World, decided

if TYPE_CHECKING:
    from mqconform.reference.mqso.queue_manager import QueueManager


def asked_for(rules: "QueueManager", world: World, event: Receive) -> Branches:
    """Yield what may come of a receive or a peek: one that does not pass the checks fails.

    Section 3.3.4.6 (MQSO-3.3.4.6-03).
    """
    opened = world.handles.get(event.handle)
    if (
        opened is None
        or opened.queue not in world.queues
        or not rules.may(opened.access, event)
        or not rules.can_take_part(world, event)
        or (event.cursor is not None and event.cursor not in world.cursors)
    ):
        yield world, Failed()
        return
    allowed = rules.may_use(world, opened)
    if not allowed:
        yield world, Failed()
    if allowed or opened.user is None:  # the rights of an unnamed user are left open
        if event.takes:
            yield from _taken_from_kind(rules, world, opened.queue, event)
        else:
            yield from rules.looked_for(world, opened.queue, event)


def _taken_from_kind(rules: "QueueManager", world: World, name: elements.QueueName, event: Receive) -> Branches:
    """Yield what may come of a receive from a queue of one kind or the other.

    The transactional dead-letter queue hands out in a transaction, and without one if it likes (register QM-01).
    """
    transactional = world.queues[name].properties.transactional
    if event.transaction is None and transactional:
        yield from rules.outside_transactions(world, name, event)
    elif event.transaction is None and name == elements.TRANSACTIONAL_DEAD_LETTERS:
        for following, choice in decided(world, readings.DeadLettersOutside):
            if choice is readings.DeadLettersOutside.REFUSED:
                yield following, Failed()
            else:
                yield from rules.looked_for(following, name, event)
    elif event.transaction is None or transactional or name == elements.TRANSACTIONAL_DEAD_LETTERS:
        yield from rules.looked_for(world, name, event)
    else:
        yield from rules.from_plain(world, name, event)


def from_plain(rules: "QueueManager", world: World, name: elements.QueueName, event: Receive) -> Branches:
    """Yield what may come of a receive in a transaction from a queue that is not transactional (register QM-46)."""
    for following, choice in decided(world, readings.TransactionalFromPlain):
        if choice is readings.TransactionalFromPlain.REFUSED:
            yield following, Failed()
        elif choice is readings.TransactionalFromPlain.LOCKED:
            yield from rules.looked_for(following, name, event)
        else:
            yield from rules.looked_for(following, name, replace(event, transaction=None))


def may(rules: "QueueManager", access: elements.Access, event: Receive) -> bool:
    """Return whether a queue was opened for what is asked of it (3.3.4.6, MQSO-3.3.4.6-03)."""
    return access is elements.Access.RECEIVE or (access is elements.Access.PEEK and not event.takes)


def can_take_part(rules: "QueueManager", world: World, event: Receive) -> bool:
    """Return whether the transaction of a receive, if it has one, is open and its coordinator there (5.5.3)."""
    if event.transaction is None:
        return True
    return rules.can_work(world, event.transaction)


def outside_transactions(rules: "QueueManager", world: World, name: elements.QueueName, event: Receive) -> Branches:
    """Yield what comes of a receive from a transactional queue without a transaction.

    Section 3.2.1 (MQSO-3.2.1-07), register QM-01.
    """
    for following, choice in decided(world, readings.OutsideTransactions):
        if choice is readings.OutsideTransactions.REFUSED:
            yield following, Failed()
        else:
            yield from rules.looked_for(following, name, event)


def looked_for(rules: "QueueManager", world: World, name: elements.QueueName, event: Receive) -> Branches:
    """Yield what comes of a receive that passed the checks: a message, a wait for one, or none."""
    for following, place in _places(rules, world, name, event):
        if place is not None:
            yield from _handed_out_from(rules, following, name, place, event)
        elif event.wait and (event.cursor is not None or event.key is not None):
            yield following, Failed()  # no case gives these a time to wait, so their waits are not modelled
        else:
            yield from rules.waits(following, name, event)


def _handed_out_from(
    rules: "QueueManager", world: World, name: elements.QueueName, place: int, event: Receive
) -> Branches:
    message = world.queues[name].entries[place].message
    stored = event.takes and message.assurance is not elements.Assurance.EXPRESS
    for following, works in rules.can_take(world) if stored else [(world, True)]:
        if not works:
            yield following, Failed()
            continue
        after = following if event.cursor is None else rules.moved(following, event.cursor, place)
        yield (rules.taken(after, name, place, event) if event.takes else after), rules.handed_out(message)


def can_take(rules: "QueueManager", world: World) -> Iterator[tuple[World, bool]]:
    """Yield whether a message that is stored can be received: with a full store perhaps not (register QM-41)."""
    if not world.full:
        yield world, True
    else:
        yield from (
            (after, choice is readings.ReceivesWhileFull.WORK)
            for after, choice in decided(world, readings.ReceivesWhileFull)
        )


def taken(rules: "QueueManager", world: World, name: elements.QueueName, place: int, event: Receive) -> World:
    """Return the world where a receive has its message."""
    return rules.received(world, name, place, event.transaction)


def waits(rules: "QueueManager", world: World, name: elements.QueueName, event: Receive) -> Branches:
    """Yield what becomes of an operation that finds nothing: it waits, or fails where it has no time to.

    Sections 3.3.4.6 and 5.1.1.2 (MQSO-3.3.4.6-04, MQSO-5.1.1.2-10), register QM-03.
    """
    queue = world.queues[name]
    reader = elements.Reader(event.operation, world.now + event.wait, event.takes, event.transaction)
    waiting = world.with_queue(name, replace(queue, readers=(*queue.readers, reader)))
    if event.wait:
        yield waiting, Pending()
        return
    ends: tuple[World, ...] = (waiting, failed(world, (reader,)))  # the next call may come when its time is up
    if event.key is not None or event.cursor is not None:  # what it asked for is not the next that comes: it ends
        ends = (replace(world, bereft=(*world.bereft, reader)),)
    for following, choice in decided(world, readings.NothingToWaitFor):
        if choice is readings.NothingToWaitFor.FAILS_AT_ONCE:
            yield following, Failed()
        else:
            for after in ends:
                yield replace(after, followed=following.followed), Pending()


def _places(
    rules: "QueueManager", world: World, name: elements.QueueName, event: Receive
) -> Iterator[tuple[World, int | None]]:
    if event.cursor is not None:  # moved on, it may go by one more
        passed = world.cursors[event.cursor].passed
        for following in in_order(world, world.cursors[event.cursor].queue, passed, 2):
            yield from rules.places_of(following, event.cursor, event.move)
    elif event.key is not None:
        entries = enumerate(world.queues[name].entries)
        places = (at for at, entry in entries if entry.available and entry.message.key == event.key)
        yield world, next(places, None)
    else:
        for following in in_order(world, name):
            yield from _first_places(rules, following, following.queues[name], event.transaction)


def _first_places(
    rules: "QueueManager", world: World, queue: elements.Queue, transaction: elements.TransactionId | None
) -> Iterator[tuple[World, int | None]]:
    """Yield the places of the message that is first, for a transaction perhaps one of its own (register QM-60)."""
    first = rules.first(queue, transaction)
    own = next((place for place, entry in enumerate(queue.entries) if _is_own(entry, transaction)), None)
    if own is None:
        yield world, first
        return
    for following, choice in decided(world, readings.OwnSends):
        if choice is readings.OwnSends.UNSEEN or first is not None:
            yield following, first
        if choice is readings.OwnSends.SEEN:
            yield following, own


def _is_own(entry: elements.Entry, transaction: elements.TransactionId | None) -> bool:
    """Return whether a transaction has sent a message, and neither committed nor received it."""
    return transaction is not None and entry.hidden_by == transaction and entry.locked_by is None


def places_of(
    rules: "QueueManager", world: World, cursor: elements.CursorId, move: Move
) -> Iterator[tuple[World, int | None]]:
    """Yield the places that a cursor may come to: if its message has left the queue there are two readings.

    Section 5.1.1 (MQSO-5.1.1-04), register QM-59.
    """
    position = world.cursors[cursor]
    queue = world.queues[position.queue]
    if position.at is None and move is Move.NEXT:
        yield from rules.next_of_new(world, cursor)
        return
    following = rules.place_of(queue, position, Move.NEXT)
    if position.at in {None, *(entry.message.key for entry in queue.entries)} or following is None:
        yield world, rules.place_of(queue, position, move)
        return
    for after, choice in decided(world, readings.CursorOfGone):
        stands = rules.moved(after, cursor, following) if choice is readings.CursorOfGone.AT_THE_FOLLOWING else after
        yield stands, rules.place_of(queue, stands.cursors[cursor], move)


def next_of_new(rules: "QueueManager", world: World, cursor: elements.CursorId) -> Iterator[tuple[World, int | None]]:
    """Yield the places to which a cursor that was not moved yet may come when it is moved on (register QM-62)."""
    queue = world.queues[world.cursors[cursor].queue]
    first = rules.place_of(queue, world.cursors[cursor], Move.NEXT)
    for after, choice in (
        decided(world, readings.NextOfNew) if first is not None else [(world, readings.NextOfNew.THE_FIRST)]
    ):
        if choice is readings.NextOfNew.THE_SECOND and first is not None:
            stands = rules.moved(after, cursor, first)
            yield stands, rules.place_of(queue, stands.cursors[cursor], Move.NEXT)
        else:
            yield after, None if choice is readings.NextOfNew.REFUSED else first


def place_of(rules: "QueueManager", queue: elements.Queue, cursor: elements.Cursor, move: Move) -> int | None:
    """Return the place of the message that a cursor comes to: where it stands, or the next; None without one.

    A cursor that was not moved yet stands at the first message. Section 5.1.1.2 (MQSO-5.1.1.2-15).
    """
    for place, entry in enumerate(queue.entries):
        key = entry.message.key
        if not entry.available:
            continue
        if move is Move.CURRENT and (cursor.at is None or key == cursor.at):
            return place
        if move is Move.NEXT and key not in cursor.passed:
            return place
    return None


def moved(rules: "QueueManager", world: World, cursor: elements.CursorId, place: int) -> World:
    """Return the world where a cursor stands at a message."""
    before = world.cursors[cursor]
    entries = world.queues[before.queue].entries
    passed = before.passed | {entry.message.key for entry in entries[: place + 1]}
    now = replace(before, at=entries[place].message.key, passed=passed)
    return replace(world, cursors=world.cursors.having(cursor, now))
