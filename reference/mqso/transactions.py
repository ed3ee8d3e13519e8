"""How transactions end: all that they sent and received shows, or nothing does (3.3.4.4, 3.3.4.7, 4.3.1.2)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mqconform.reference.mqso import readings
from mqconform.reference.mqso.elements import Entry, Kind, Message, Queue, QueueName, Series, TransactionId
from mqconform.reference.mqso.world import World, decided

if TYPE_CHECKING:
    from mqconform.reference.mqso.queue_manager import QueueManager


def can_commit(rules: "QueueManager", world: World, transaction: TransactionId) -> bool:
    """Return whether a transaction can be committed now.

    An external one needs its coordinator, an internal one needs none. Sections 4.3.1.2, 4.3.3 and 5.5.3
    (MQSO-4.3.1.2-14, MQSO-5.5.3-04).
    """
    return rules.coordinated(world, world.transactions[transaction])


def coordinated(rules: "QueueManager", world: World, kind: Kind) -> bool:
    """Return whether transactions of a kind have what coordinates them (4.3.3, MQSO-4.3.3-01, MQSO-4.3.3-02)."""
    return kind is Kind.INTERNAL or not world.coordinator_lost


def fails_internal(rules: "QueueManager", world: World) -> bool:
    """Return whether sends and receives fail in internal transactions too, as the coordinator was lost.

    Section 5.5.3 says so of all, section 4.3.3 excepts internal ones (register QM-25).
    """
    return world.coordinator_lost and readings.InternalWhileLost.FAIL in world.followed


def can_work(rules: "QueueManager", world: World, transaction: TransactionId) -> bool:
    """Return whether a transaction can send and receive now: it is open and has what coordinates it (5.5.3)."""
    if transaction not in world.transactions or not rules.can_commit(world, transaction):
        return False
    return world.transactions[transaction] is Kind.EXTERNAL or not rules.fails_internal(world)


def with_room(rules: "QueueManager", world: World, transaction: TransactionId) -> Iterator[tuple[World, bool]]:
    """Yield the worlds in which all that a transaction has sent has room, the rest refused, and whether all of it has.

    Room may be looked at when a transaction commits, with which its messages arrive. Sections 3.3.4.4 and 5.1.1.2
    (MQSO-5.1.1.2-07), register QM-19.
    """
    queues = world.queues.items()
    if not any(_beyond_room(rules, queue, transaction, beside_received=True) for _, queue in queues):
        yield world, True
        return
    excess = {name: _beyond_room(rules, queue, transaction, beside_received=False) for name, queue in queues}
    for following, choice in decided(world, readings.NoRoomWithin):
        if choice is not readings.NoRoomWithin.ROOM_AT_COMMIT:
            yield following, True
            continue
        after = following
        for name, sent in ((name, sent) for name, sent in excess.items() if sent):
            refused = tuple((transaction, entry.message) for entry in sent)
            left = (entry for entry in world.queues[name].entries if entry not in sent)
            after = replace(after.with_entries(name, left), refused=(*after.refused, *refused))
        yield after, False


def _beyond_room(
    rules: "QueueManager", queue: Queue, transaction: TransactionId, *, beside_received: bool
) -> list[Entry]:
    """Return what a transaction has sent to a queue and that has no room there.

    Args:
        rules: those of the queue manager.
        queue: before the commit.
        transaction: the one that commits.
        beside_received: what it has received itself takes room until it has committed.
    """
    mine = [entry for entry in queue.entries if entry.hidden_by == transaction]
    if not mine or queue.properties.room is None:
        return []
    there = (entry for entry in queue.entries if entry.hidden_by is None)
    left = tuple(entry for entry in there if beside_received or entry.locked_by != transaction)
    taken, excess = replace(queue, entries=left), []
    for entry in mine:
        if rules.has_room(taken, entry.message):
            taken = replace(taken, entries=(*taken.entries, entry))
        else:
            excess.append(entry)
    return excess


def accepted(rules: "QueueManager", world: World, transaction: TransactionId) -> Iterator[World]:
    """Yield the worlds after a commit, which tells of messages that were refused as well.

    Section 3.3.4.4 (MQSO-3.3.4.4-02).
    """
    messages = refused_of(world, transaction)
    for after in rules.committed(world, transaction):
        for told in told_of_refusals(rules, after, messages):
            yield _in_series(after, told, Series(transaction, QueueName("*refused")))


def refused_of(world: World, transaction: TransactionId) -> list[Message]:
    """Return the messages of a transaction that are refused and of which nothing was told yet."""
    return [message for sender, message in world.refused if sender == transaction]


def told_of_refusals(rules: "QueueManager", world: World, messages: list[Message]) -> Iterator[World]:
    """Yield the worlds where the senders of some messages are told that these are refused."""
    worlds = [world]
    for message in messages:
        worlds = [after for current in worlds for after in rules.refused_later(current, message)]
    yield from worlds


def committed(rules: "QueueManager", world: World, transaction: TransactionId) -> Iterator[World]:
    """Yield the worlds where all messages of a transaction show, and all that it received is gone.

    Sections 3.3.4.4 and 3.3.4.7 (MQSO-3.3.4.4-04, MQSO-3.3.4.7-01, MQSO-4.3.1-02, MQSO-4.3.1.2-04,
    MQSO-4.3.1.2-10).
    """
    for begun in _with_timers(rules, world, transaction):
        for timed in _with_timer_of_first(begun, transaction):
            yield from (_with_all(rules, following, transaction) for following in _with_order(timed, transaction))


def _with_all(rules: "QueueManager", world: World, transaction: TransactionId) -> World:
    """Return the world after a commit, with what it tells in series of each queue: their order is open (QM-65)."""
    in_commit_order = readings.Order.OF_COMMITS in world.followed
    after = _without(world, transaction)
    for name, queue in world.queues.items():
        after = after.with_queue(name, rules.shown(queue, transaction, last=in_commit_order))
    for name, queue in world.queues.items():
        for entry in queue.entries:
            if entry.hidden_by == transaction:
                after = _in_series(after, rules.shows(after, entry.message), Series(transaction, name))
            if entry.locked_by == transaction:
                told = rules.consumed(after, entry.message)
                after = _in_series(after, told, Series(transaction, name, received=True))
    for name, queue in world.queues.items():
        entries = after.queues[name].entries
        own = {entry.message.key for entry in queue.entries if entry.hidden_by == transaction}
        if own and entries and entries[-1].series:  # what it tells comes before, after or between its own messages
            series = Series(transaction, QueueName("*own"))
            marked = (replace(entry, series=series) if entry.message.key in own else entry for entry in entries)
            after = after.with_entries(name, marked)
    return after


def _in_series(before: World, after: World, series: Series) -> World:
    """Return a world with what is new in its queues marked as of a series."""
    for name, queue in after.queues.items() if after.queues is not before.queues else ():
        known = len(before.queues[name].entries) if name in before.queues else 0
        if len(queue.entries) > known:
            fresh = (replace(entry, series=series) for entry in queue.entries[known:])
            after = after.with_entries(name, (*queue.entries[:known], *fresh))
    return after


def _without(world: World, transaction: TransactionId) -> World:
    return replace(
        world,
        transactions=world.transactions.without(transaction),
        curtailed=world.curtailed - {transaction},
        refused=tuple(refusal for refusal in world.refused if refusal[0] != transaction),
    )


def shown(rules: "QueueManager", queue: Queue, transaction: TransactionId, *, last: bool) -> Queue:
    """Return a queue after the commit of a transaction; ``last``: its messages come after all others."""
    left = tuple(entry for entry in queue.entries if entry.locked_by != transaction)
    mine = tuple(replace(entry, hidden_by=None) for entry in left if entry.hidden_by == transaction)
    if last:
        return replace(queue, entries=(*(entry for entry in left if entry.hidden_by != transaction), *mine))
    return replace(
        queue,
        entries=tuple(replace(entry, hidden_by=None) if entry.hidden_by == transaction else entry for entry in left),
    )


def _with_timers(rules: "QueueManager", world: World, transaction: TransactionId) -> Iterator[World]:
    """Yield the worlds with the timers of what a transaction has sent begun, where its send is some time ago.

    They run from the send or from the commit (register QM-15).
    """
    begun = {name: _begun_now(rules, queue, transaction, world.now) for name, queue in world.queues.items()}
    if all(queue is world.queues[name] for name, queue in begun.items()):
        yield world
        return
    for following, choice in decided(world, readings.TimerOfUnseen):
        after = following
        for name, queue in begun.items() if choice is readings.TimerOfUnseen.FROM_COMMIT else ():
            after = after.with_queue(name, queue)
        yield after


def _with_timer_of_first(world: World, transaction: TransactionId) -> Iterator[World]:
    """Yield the worlds where each message that a transaction has sent has its own time, or that of the first.

    In several queues each may have the first. Section 5.1.1.3 (MQSO-5.1.1.3-04), register QM-64.
    """
    queues = {
        name: sent
        for name, queue in world.queues.items()
        if (sent := [entry for entry in queue.entries if entry.hidden_by == transaction])
    }
    if len({entry.message.receive_within for sent in queues.values() for entry in sent}) <= 1:
        yield world
        return
    for following, choice in decided(world, readings.TimersOfTransaction):
        if choice is readings.TimersOfTransaction.THEIR_OWN:
            yield following
            continue
        for until in dict.fromkeys(sent[0].until for sent in queues.values()):
            after = following
            for name, sent in queues.items():
                entries = world.queues[name].entries
                after = after.with_entries(
                    name, (replace(entry, until=until) if entry in sent else entry for entry in entries)
                )
            yield after


def _begun_now(rules: "QueueManager", queue: Queue, transaction: TransactionId, now: int) -> Queue:
    """Return a queue where the messages of a transaction have their time from now on."""
    begun = tuple(rules.timed(entry, now) if entry.hidden_by == transaction else entry for entry in queue.entries)
    return queue if begun == queue.entries else replace(queue, entries=begun)


def _with_order(world: World, transaction: TransactionId) -> Iterator[World]:
    """Yield the worlds with the order decided, where something came in between the messages of a transaction."""
    if any(_overtaken(queue, transaction) for queue in world.queues.values()):
        yield from (following for following, _ in decided(world, readings.Order))
    else:
        yield world


def _overtaken(queue: Queue, transaction: TransactionId) -> bool:
    mine = [entry.hidden_by == transaction for entry in queue.entries]
    return any(mine) and not all(mine[mine.index(True) :])


def aborted(rules: "QueueManager", world: World, transaction: TransactionId) -> Iterator[World]:
    """Yield the worlds where nothing of a transaction is left: its sends are gone, what it received is back.

    It is back at its place, which it never left (register QM-06). Sections 3.3.4.4 and 3.3.4.7
    (MQSO-3.3.4.4-02, MQSO-3.3.4.7-02, MQSO-4.3.1.2-05, MQSO-4.3.1.2-11).
    """
    for following, place in _with_place(rules, world, transaction):
        after = _without(following, transaction)
        for name, queue in following.queues.items():
            after = after.with_entries(
                name, rules.given_back(queue, transaction, last=place is readings.AfterAbort.AT_THE_END)
            )
        yield after


def given_back(rules: "QueueManager", queue: Queue, transaction: TransactionId, *, last: bool) -> tuple[Entry, ...]:
    """Return the messages of a queue after a transaction was aborted; ``last``: what it received is at the end."""
    left = [entry for entry in queue.entries if entry.hidden_by != transaction]
    back = [replace(entry, locked_by=None) if entry.locked_by == transaction else entry for entry in left]
    if not last:
        return tuple(back)
    mine = [entry.locked_by == transaction for entry in left]
    return (
        *(entry for entry, was in zip(back, mine, strict=True) if not was),
        *(entry for entry, was in zip(back, mine, strict=True) if was),
    )


def _with_place(
    rules: "QueueManager", world: World, transaction: TransactionId
) -> Iterator[tuple[World, readings.AfterAbort]]:
    """Yield the worlds with the place decided, where it makes a difference."""
    if any(_would_move(rules, queue, transaction) for queue in world.queues.values()):
        yield from decided(world, readings.AfterAbort)
    else:
        yield world, readings.AfterAbort.AT_ITS_PLACE


def _would_move(rules: "QueueManager", queue: Queue, transaction: TransactionId) -> bool:
    return rules.given_back(queue, transaction, last=True) != rules.given_back(queue, transaction, last=False)


def touched_by(rules: "QueueManager", world: World, transaction: TransactionId) -> tuple[QueueName, ...]:
    """Return the queues in which a transaction has messages."""
    return tuple(
        name
        for name, queue in world.queues.items()
        if any(transaction in {entry.hidden_by, entry.locked_by} for entry in queue.entries)
    )


def coordinator_becomes(rules: "QueueManager", world: World, *, lost: bool) -> Iterator[World]:
    """Yield the worlds after the external coordinator went away or came back.

    Its loss aborts the transactions that it coordinates, and perhaps all others; while it is lost internal ones may
    fail as well (register QM-25, QM-26). Its return has no further effect. Section 5.5.3
    (MQSO-5.5.3-03, MQSO-5.5.3-06).
    """
    became = replace(world, coordinator_lost=lost)
    if not lost:
        yield became
        return
    pending = Kind.INTERNAL in world.transactions.values()
    for following, _ in decided(became, readings.InternalWhileLost):
        for after, internal in (
            decided(following, readings.PendingInternal) if pending else [(following, readings.PendingInternal.KEPT)]
        ):
            worlds = [after]
            for transaction, kind in world.transactions.items():
                if kind is Kind.EXTERNAL or internal is readings.PendingInternal.ABORTED:
                    worlds = [gone for current in worlds for gone in rules.aborted(current, transaction)]
            yield from worlds
