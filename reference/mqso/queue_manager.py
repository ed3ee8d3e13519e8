"""A queue manager as a function: of a world and an event, all worlds that may follow, each with its answer."""

from collections.abc import Iterator
from dataclasses import replace
from functools import singledispatchmethod

from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import SYSTEM_QUEUES, Access, Cursor, Kind, Opened, QueueName
from mqconform.reference.mqso.events import Answer, Committed, Counted, Done, Ended, Event, Failed
from mqconform.reference.mqso.receiving import Receiving
from mqconform.reference.mqso.timers import without
from mqconform.reference.mqso.world import Branches, World


class QueueManager(Receiving):
    """What a queue manager may do: no state of its own, so that one serves all worlds."""

    def step(self, world: World, event: Event) -> frozenset[tuple[World, Answer]]:
        """Return all that may come of an event.

        While it is not running every call but those that start it fails (6.7.1, MQSO-6.7.1-01).
        """
        if not world.running and not isinstance(event, _WHILE_STOPPED) and self.refuses_while_stopped():
            return frozenset({(world, Failed())})
        worlds = [world]
        for name in self.touched(world, event):
            worlds = [after for one in worlds for after in self.expired(one, name, touched=True)]
        return frozenset(result for one in worlds for result in self.happens(event, one))

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

    @singledispatchmethod
    def happens(self, event: Event, world: World) -> Branches:
        """Yield what may come of an event."""
        raise NotImplementedError(event)

    @happens.register
    def _(self, event: events.CreateQueue, world: World) -> Branches:
        if event.queue in world.queues:
            yield world, Failed()
        else:
            yield self.created(world, event.queue, event.properties), Done()

    @happens.register
    def _(self, event: events.SetQueue, world: World) -> Branches:
        queue = world.queues.get(event.queue)
        if queue is None or event.queue in SYSTEM_QUEUES:
            yield world, Failed()
        else:
            changed = replace(queue, properties=replace(queue.properties, room=event.room))
            yield world.with_queue(event.queue, changed), Done()

    @happens.register
    def _(self, event: events.DeleteQueue, world: World) -> Branches:
        if event.queue not in world.queues or event.queue in SYSTEM_QUEUES:
            yield world, Failed()
        else:
            yield from ((after, Done()) for after in self.deleted(world, event.queue))

    @happens.register
    def _(self, event: events.Purge, world: World) -> Branches:
        if event.queue not in world.queues:
            yield world, Failed()
        else:
            yield from ((after, Done()) for after in self.purged(world, event.queue))

    @happens.register
    def _(self, event: events.Count, world: World) -> Branches:
        if event.queue not in world.queues:
            yield world, Failed()
        else:
            yield from self.counted(world, event.queue)

    def counted(self, world: World, name: QueueName) -> Branches:
        """Yield the number of messages; those that a transaction has may count or not. It changes nothing.

        Section 3.3.4.2 (MQSO-3.3.4.2-05, MQSO-3.3.4.2-06).
        """
        queue = world.queues[name]
        least, most = len(queue.available), len(queue.entries)
        yield from ((world, Counted(number)) for number in range(least, most + 1))

    @happens.register
    def _(self, event: events.Open, world: World) -> Branches:
        fit = event.queue in world.queues and (event.access is not Access.SEND or self.takes_sends(event.queue))
        if fit or (event.access is Access.SEND and event.queue in SYSTEM_QUEUES):
            opened = Opened(event.queue, event.access)
            yield replace(world, handles=world.handles.having(event.handle, opened)), Done()
        if not fit:
            yield world, Failed()

    @happens.register
    def _(self, event: events.Close, world: World) -> Branches:
        yield replace(world, handles=world.handles.without(event.handle)), Done()

    @happens.register
    def _(self, event: events.Send, world: World) -> Branches:
        yield from self.sent(world, event)

    @happens.register
    def _(self, event: events.Receive, world: World) -> Branches:
        yield from self.asked_for(world, event)

    @happens.register
    def _(self, event: events.Cancel, world: World) -> Branches:
        waiting = [*world.bereft, *(one for queue in world.queues.values() for one in queue.readers)]
        mine = tuple(one for one in waiting if one.operation == event.operation)
        ended = without(world, mine)
        for reader in mine:
            ended = ended.with_ended(reader.operation, Failed())
        yield ended, Done()

    @happens.register
    def _(self, event: events.Outcomes, world: World) -> Branches:  # noqa: ARG002 - has nothing in it
        yield replace(world, ended=frozenset()), Ended(world.ended)

    @happens.register
    def _(self, event: events.CreateCursor, world: World) -> Branches:
        opened = world.handles.get(event.handle)
        if opened is None or opened.queue not in world.queues or opened.access is Access.SEND:
            yield world, Failed()
        else:
            yield replace(world, cursors=world.cursors.having(event.cursor, Cursor(opened.queue))), Done()

    @happens.register
    def _(self, event: events.CloseCursor, world: World) -> Branches:
        yield replace(world, cursors=world.cursors.without(event.cursor)), Done()

    @happens.register
    def _(self, event: events.Begin, world: World) -> Branches:
        if event.kind is Kind.EXTERNAL and world.coordinator_lost:
            yield world, Failed()
        else:
            yield replace(world, transactions=world.transactions.having(event.transaction, event.kind)), Done()

    @happens.register
    def _(self, event: events.End, world: World) -> Branches:
        if event.transaction not in world.transactions:
            yield world, Failed()
            if event.commit:
                yield world, Committed(committed=False)
            return
        touched = self.touched_by(world, event.transaction)
        whole = self.can_commit(world, event.transaction)
        if event.commit and whole:
            for after in self.committed(world, event.transaction):
                yield from ((one, Committed(committed=True)) for one in self._settled(after, touched))
        if not event.commit or not whole or (world.full and touched):
            answer: Answer = Committed(committed=False) if event.commit else Done()
            for after in self.aborted(world, event.transaction):
                yield from ((one, answer) for one in self._settled(after, touched))

    def _settled(self, world: World, names: tuple[QueueName, ...]) -> Iterator[World]:
        worlds = [world]
        for name in names:
            worlds = [
                after
                for one in worlds
                for left in self.expired(one, name, touched=False)
                for after in self.served(left, name)
            ]
        yield from worlds

    @happens.register
    def _(self, event: events.TimePassed, world: World) -> Branches:
        worlds = [replace(world, now=world.now + event.by)]
        for name in world.queues if world.running else ():
            worlds = [after for one in worlds for after in self.expired(one, name, touched=False)]
        yield from ((after, Done()) for one in worlds for after in self.waited(one))

    @happens.register
    def _(self, event: events.Stop, world: World) -> Branches:
        if not world.running:
            yield world, Done()
            yield world, Failed()
            return
        yield from ((after, Done()) for after in self.stopped(world, suddenly=event.suddenly))

    @happens.register
    def _(self, event: events.Start, world: World) -> Branches:  # noqa: ARG002 - has nothing in it
        yield replace(world, running=True), Done()

    @happens.register
    def _(self, event: events.Throttle, world: World) -> Branches:
        yield self.throttled(world, on=event.on), Done()

    def throttled(self, world: World, *, on: bool) -> World:
        """Return the world where throttling has begun or ended, with its cause (5.1.1.1, MQSO-5.1.1.1-13)."""
        return replace(world, throttled=on)

    @happens.register
    def _(self, event: events.StoreBecomes, world: World) -> Branches:
        yield replace(world, full=event.full), Done()

    @happens.register
    def _(self, event: events.CoordinatorBecomes, world: World) -> Branches:
        yield from ((after, Done()) for after in self.coordinator_becomes(world, lost=event.lost))

    def coordinator_becomes(self, world: World, *, lost: bool) -> Iterator[World]:
        """Yield the worlds after the external coordinator went away or came back.

        Its loss aborts the transactions that it coordinates and no others; its return needs nobody. Section 5.5.3
        (MQSO-5.5.3-03, MQSO-5.5.3-05, MQSO-5.5.3-06).
        """
        worlds = [replace(world, coordinator_lost=lost)]
        for transaction, kind in world.transactions.items() if lost else ():
            if kind is Kind.EXTERNAL:
                worlds = [after for one in worlds for after in self.aborted(one, transaction)]
        yield from worlds


_WHILE_STOPPED = (
    events.Start, events.Stop, events.TimePassed, events.Outcomes, events.StoreBecomes, events.CoordinatorBecomes,
    events.Throttle,
)  # fmt: skip
