"""A queue manager as a function: of a world and an event, all worlds that may follow, each with its answer."""

from collections.abc import Iterator
from functools import singledispatch
from itertools import product

from msgspec.structs import replace

from mqconform.reference.mqso import (
    acknowledgments,
    domains,
    events,
    lifecycle,
    queues,
    receiving,
    sending,
    timers,
    transactions,
)
from mqconform.reference.mqso.elements import SYSTEM_QUEUES, Access, Cursor, Opened, QueueName, TransactionId
from mqconform.reference.mqso.events import Answer, Committed, Done, Ended, Event, Failed, Shown
from mqconform.reference.mqso.readings import MissingToReceive
from mqconform.reference.mqso.simultaneous import in_any_order
from mqconform.reference.mqso.timers import without
from mqconform.reference.mqso.world import Branches, World, decided


class QueueManager:
    """What a queue manager may do: no state of its own, so that one serves all worlds.

    Each rule can be changed by name: a faulty queue manager differs in one of them.
    """

    # queues
    has_room = queues.has_room
    arrived = queues.arrived
    put = queues.put
    timed = queues.timed
    until = queues.until
    refused_later = queues.refused_later
    refused_within = queues.refused_within
    shows = queues.shows
    in_its_queue = queues.in_its_queue
    first = queues.first
    received = queues.received
    handed_out = queues.handed_out
    consumed = queues.consumed
    served = queues.served
    purged = queues.purged
    deleted = queues.deleted
    created = queues.created
    takes_sends = queues.takes_sends
    can_store_queues = queues.can_store_queues
    created_in_full_store = queues.created_in_full_store
    created_again = queues.created_again
    changed = queues.changed
    counted = queues.counted
    # sends, and who may
    sent = sending.sent
    refuses_all = sending.refuses_all
    not_accepted = sending.not_accepted
    unblocked = sending.unblocked
    can_keep = sending.can_keep
    of_kind = sending.of_kind
    to_wrong_kind = sending.to_wrong_kind
    put_and_served = sending.put_and_served
    sender_rejected = sending.sender_rejected
    proof = sending.proof
    admitted = sending.admitted
    verified = sending.verified
    authorised = sending.authorised
    may_write = sending.may_write
    may_read = sending.may_read
    may_use = sending.may_use
    # receives and cursors
    asked_for = receiving.asked_for
    from_plain = receiving.from_plain
    may = receiving.may
    can_take_part = receiving.can_take_part
    outside_transactions = receiving.outside_transactions
    looked_for = receiving.looked_for
    can_take = receiving.can_take
    taken = receiving.taken
    waits = receiving.waits
    places_of = receiving.places_of
    next_of_new = receiving.next_of_new
    place_of = receiving.place_of
    moved = receiving.moved
    # what is told of a message
    dead_letter_queue = acknowledgments.dead_letter_queue
    undelivered = acknowledgments.undelivered
    refused = acknowledgments.refused
    acknowledged = acknowledgments.acknowledged
    sent_for_journal = acknowledgments.sent_for_journal
    copied = acknowledgments.copied
    journaled = acknowledgments.journaled
    kept = acknowledgments.kept
    # timers
    expires = timers.expires
    expired = timers.expired
    expired_everywhere = timers.expired_everywhere
    waited = timers.waited
    left_waiting = timers.left_waiting
    # transactions
    can_commit = transactions.can_commit
    coordinated = transactions.coordinated
    fails_internal = transactions.fails_internal
    can_work = transactions.can_work
    committed = transactions.committed
    accepted = transactions.accepted
    with_room = transactions.with_room
    shown = transactions.shown
    aborted = transactions.aborted
    given_back = transactions.given_back
    touched_by = transactions.touched_by
    coordinator_becomes = transactions.coordinator_becomes
    # ends and starts
    outlives = lifecycle.outlives
    stopped = lifecycle.stopped
    with_reports = lifecycle.with_reports
    begun = lifecycle.begun
    retried = lifecycle.retried
    tried = lifecycle.tried
    starts_running = lifecycle.starts_running
    broken = lifecycle.broken
    states = lifecycle.states
    modes = lifecycle.modes
    shows_offline = lifecycle.shows_offline
    restored = lifecycle.restored
    cursors_after = lifecycle.cursors_after
    throttled = lifecycle.throttled
    # the domain of the machine
    provisioned = domains.provisioned
    initialized = domains.initialized
    may_be_integrated = domains.may_be_integrated
    out_of_domains = domains.out_of_domains
    in_its_domain = domains.in_its_domain
    in_new_domain = domains.in_new_domain
    object_moved = domains.object_moved
    registered = domains.registered
    compared = domains.compared

    def step(self, world: World, event: Event) -> frozenset[tuple[World, Answer]]:
        """Return all that may come of an event.

        While it is not running every call but those that start it fails (6.7.1, MQSO-6.7.1-01).
        """
        if not world.running and not isinstance(event, _WHILE_STOPPED) and self.refuses_while_stopped():
            return frozenset({(world, Failed())})
        worlds = [world]
        for name in self.touched(world, event):
            worlds = [after for current in worlds for after in self.expired(current, name, touched=True)]
        return frozenset(
            (served, answer)
            for current in worlds
            for after, answer in self.happens(event, current)
            for served in self.caught_up(world, after)
        )

    def caught_up(self, before: World, after: World) -> Iterator[World]:
        """Yield what may come of readers at queues that changed: an acknowledgment ends a wait as any message does.

        Section 5.1.1.2 (MQSO-5.1.1.2-08).
        """
        worlds = [after]
        for name, queue in after.queues.items() if after.queues is not before.queues else ():
            if queue.readers and queue != before.queues.get(name):
                worlds = [served for current in worlds for served in self.served(current, name)]
        yield from worlds

    def refuses_while_stopped(self) -> bool:
        """Return whether calls fail while the queue manager is stopped."""
        return True

    def touched(self, world: World, event: Event) -> tuple[QueueName, ...]:
        """Return the queues that an event looks at."""
        match event:
            case events.Purge(name) | events.Count(name):
                return (name,)
            case events.Receive(handle=handle) if handle in world.handles:
                return (world.handles[handle].queue,)
            case _:
                return ()

    def happens(self, event: Event, world: World) -> Branches:
        """Yield what may come of an event."""
        return _happens(event, self, world)

    def published(self, world: World, event: events.CreateQueue) -> Branches:
        """Yield what comes of creating a public queue: Workgroup mode has none (MQSO-1.1-06, MQSO-4.3.1.3-02)."""
        yield world, Failed()

    def closed(self, world: World, event: events.Close) -> World:
        """Return the world without a handle; what was sent with it stays (2.1, MQSO-2.1-01)."""
        return replace(world, handles=world.handles.without(event.handle))


@singledispatch
def _happens(event: Event, rules: QueueManager, world: World) -> Branches:
    """Yield what may come of an event."""
    raise NotImplementedError(event)


@_happens.register
def _(event: events.CreateQueue, rules: QueueManager, world: World) -> Branches:
    if event.public:
        yield from rules.published(world, event)
    elif event.queue in world.queues:
        yield from rules.created_again(world, event.queue)
    elif world.full:
        yield from rules.created_in_full_store(world, event)
    else:
        yield rules.created(world, event.queue, event.properties), Done()


@_happens.register
def _(event: events.SetQueue, rules: QueueManager, world: World) -> Branches:
    queue = world.queues.get(event.queue)
    if queue is None or event.queue in SYSTEM_QUEUES:
        yield world, Failed()
    else:
        for following, works in rules.can_store_queues(world):
            yield (rules.changed(following, event), Done()) if works else (following, Failed())


@_happens.register
def _(event: events.DeleteQueue, rules: QueueManager, world: World) -> Branches:
    if event.queue not in world.queues or event.queue in SYSTEM_QUEUES:
        yield world, Failed()
    else:
        yield from ((after, Done()) for after in rules.deleted(world, event.queue))


@_happens.register
def _(event: events.Purge, rules: QueueManager, world: World) -> Branches:
    if event.queue not in world.queues:
        yield world, Failed()
    else:
        yield from ((after, Done()) for after in rules.purged(world, event.queue))
        if event.queue in SYSTEM_QUEUES:
            yield world, Failed()


@_happens.register
def _(event: events.Count, rules: QueueManager, world: World) -> Branches:
    if event.queue not in world.queues:
        yield world, Failed()
    else:
        yield from rules.counted(world, event.queue)
        if event.queue in SYSTEM_QUEUES:
            yield world, Failed()


@_happens.register
def _(event: events.Open, rules: QueueManager, world: World) -> Branches:
    fit = event.queue in world.queues and (event.access is not Access.SEND or rules.takes_sends(event.queue))
    opened = Opened(event.queue, event.access, event.user)
    with_handle = replace(world, handles=world.handles.having(event.handle, opened))
    if not fit and event.access is not Access.SEND:
        for following, choice in decided(world, MissingToReceive):
            if choice is MissingToReceive.OPENED:
                yield replace(with_handle, followed=following.followed), Done()
            else:
                yield following, Failed()
        return
    # The checks may be those of the send, and those of the user's rights may be those of what is done.
    yield with_handle, Done()
    if not fit or not rules.may_use(world, opened):
        yield world, Failed()


@_happens.register
def _(event: events.Close, rules: QueueManager, world: World) -> Branches:
    yield rules.closed(world, event), Done()


@_happens.register
def _(event: events.Send, rules: QueueManager, world: World) -> Branches:
    yield from rules.sent(world, event)


@_happens.register
def _(event: events.Receive, rules: QueueManager, world: World) -> Branches:
    yield from rules.asked_for(world, event)


@_happens.register
def _(event: events.Cancel, rules: QueueManager, world: World) -> Branches:
    waiting = [*world.bereft, *(reader for queue in world.queues.values() for reader in queue.readers)]
    mine = tuple(reader for reader in waiting if reader.operation == event.operation)
    ended = without(world, mine)
    for reader in mine:
        ended = ended.with_ended(reader.operation, Failed())
    yield ended, Done()


@_happens.register
def _(event: events.Outcomes, rules: QueueManager, world: World) -> Branches:
    for after in rules.waited(world):
        yield replace(after, ended=frozenset()), Ended(after.ended)


@_happens.register
def _(event: events.CreateCursor, rules: QueueManager, world: World) -> Branches:
    opened = world.handles.get(event.handle)
    if opened is None or opened.queue not in world.queues or opened.access is Access.SEND:
        yield world, Failed()
    else:
        yield replace(world, cursors=world.cursors.having(event.cursor, Cursor(opened.queue))), Done()
        if not rules.may_use(world, opened):  # the rights may be those of the reads at the cursor
            yield world, Failed()


@_happens.register
def _(event: events.CloseCursor, rules: QueueManager, world: World) -> Branches:
    yield replace(world, cursors=world.cursors.without(event.cursor)), Done()


@_happens.register
def _(event: events.Begin, rules: QueueManager, world: World) -> Branches:
    if not rules.coordinated(world, event.kind):
        yield world, Failed()
        return
    yield replace(world, transactions=world.transactions.having(event.transaction, event.kind)), Done()
    if rules.fails_internal(world):
        yield world, Failed()


@_happens.register
def _(event: events.End, rules: QueueManager, world: World) -> Branches:
    if event.transaction not in world.transactions:
        yield world, Failed()
        yield world, Committed(committed=False) if event.commit else Done()
        return
    touched = rules.touched_by(world, event.transaction)
    whole = rules.can_commit(world, event.transaction)
    if event.commit and whole:
        yield from _committed(rules, world, event.transaction, touched)
    hindered = world.full or world.throttled or rules.fails_internal(world)
    # A queue manager takes part in the commit (4.3.1.2); where a queue of the transaction is gone it may vote against.
    curtailed = event.transaction in world.curtailed
    if not event.commit or not whole or curtailed or (touched and hindered):
        answers: list[Answer] = [Committed(committed=False) if event.commit else Done()]
        if event.commit and (hindered or curtailed):
            answers.append(Failed())  # 5.5.5 fails the entire operation, and all is undone
        yield from _undone(rules, world, event.transaction, touched, answers)


def _committed(
    rules: QueueManager, world: World, transaction: TransactionId, touched: tuple[QueueName, ...]
) -> Branches:
    """Yield what comes of a commit that nothing hinders but a want of room, which may undo it all."""
    for fitting, fits in rules.with_room(world, transaction):
        for after in rules.accepted(fitting, transaction):
            yield from ((settled, Committed(committed=True)) for settled in _settled(rules, after, touched))
        if not fits:
            answers: list[Answer] = [Committed(committed=False), Failed()]
            yield from _undone(rules, replace(world, followed=fitting.followed), transaction, touched, answers)


def _undone(
    rules: QueueManager,
    world: World,
    transaction: TransactionId,
    touched: tuple[QueueName, ...],
    answers: list[Answer],
) -> Branches:
    for after in rules.aborted(world, transaction):
        for settled in _settled(rules, after, touched):
            yield from ((settled, answer) for answer in answers)


@_happens.register
def _(event: events.TimePassed, rules: QueueManager, world: World) -> Branches:
    later = replace(world, now=world.now + event.by)
    worlds = [*rules.expired_everywhere(later)] if world.running else [later]
    # Whether a report came before the end of a wait for it is not followed: it may have been either way.
    before_waits_end = {either for current in worlds for either in (current, *rules.caught_up(world, current))}
    for current in before_waits_end:
        yield from ((after, Done()) for left in rules.waited(current) for after in rules.retried(left))


@_happens.register
def _(event: events.Stop, rules: QueueManager, world: World) -> Branches:
    if not world.running:
        yield world, Done()
        yield world, Failed()
        return
    yield from ((after, Done()) for after in rules.stopped(world, suddenly=event.suddenly))


@_happens.register
def _(event: events.Start, rules: QueueManager, world: World) -> Branches:
    yield from rules.begun(world)


@_happens.register
def _(event: events.Provision, rules: QueueManager, world: World) -> Branches:
    yield from rules.provisioned(world)


@_happens.register
def _(event: events.ShowState, rules: QueueManager, world: World) -> Branches:
    modes, offline = (None, *rules.modes(world)), (None, *rules.shows_offline(world))
    yield from ((world, Shown(*fields)) for fields in product(rules.states(world), modes, offline))


@_happens.register
def _(event: events.FindQueues, rules: QueueManager, world: World) -> Branches:
    """Yield what comes of a look into the directory of a machine that has none (MQSO-1.1-06)."""
    yield world, Failed()


@_happens.register
def _(event: events.StoreBreaks, rules: QueueManager, world: World) -> Branches:
    yield from ((after, Done()) for after in rules.broken(world, beyond_repair=event.beyond_repair))


@_happens.register
def _(event: events.StoreMended, rules: QueueManager, world: World) -> Branches:
    yield replace(world, damaged=False, full=False, repaired_at=world.now), Done()


@_happens.register
def _(event: events.Throttle, rules: QueueManager, world: World) -> Branches:
    after = rules.throttled(world, on=event.on)
    for following in [after] if after.throttled else rules.unblocked(after):
        yield following, Done()


@_happens.register
def _(event: events.StoreBecomes, rules: QueueManager, world: World) -> Branches:
    yield replace(world, full=event.full), Done()


@_happens.register
def _(event: events.NoCoordinator, rules: QueueManager, world: World) -> Branches:
    yield replace(world, coordinator_lost=True), Done()


@_happens.register
def _(event: events.JoinDomain, rules: QueueManager, world: World) -> Branches:
    yield replace(world, registered=event.registered), Done()


@_happens.register
def _(event: events.CoordinatorBecomes, rules: QueueManager, world: World) -> Branches:
    touched = (
        {name for transaction in world.transactions for name in rules.touched_by(world, transaction)}
        if event.lost
        else set()
    )
    for following in rules.coordinator_becomes(world, lost=event.lost):
        yield from ((after, Done()) for after in _settled(rules, following, tuple(sorted(touched))))


@_happens.register
def _(event: events.Together, rules: QueueManager, world: World) -> Branches:
    yield from in_any_order(rules.step, world, event)


_WHILE_STOPPED = (
    events.Start, events.Stop, events.TimePassed, events.Outcomes, events.StoreBecomes, events.CoordinatorBecomes,
    events.Throttle, events.ShowState, events.StoreBreaks, events.StoreMended, events.NoCoordinator, events.JoinDomain,
    events.Together, events.Provision,
)  # fmt: skip


def _settled(rules: QueueManager, world: World, names: tuple[QueueName, ...]) -> Iterator[World]:
    worlds = [*rules.left_waiting(world)]
    for name in names:
        worlds = [
            after
            for current in worlds
            for left in rules.expired(current, name, touched=False)
            for after in rules.served(left, name)
        ]
    yield from worlds
