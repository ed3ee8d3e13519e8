"""What may come of a receive or a peek (3.3.4.6, 3.3.4.7)."""

from dataclasses import replace

from mqconform.reference.mqso.elements import Access, QueueName, Reader
from mqconform.reference.mqso.events import Failed, Got, Pending, Receive
from mqconform.reference.mqso.readings import NothingToWaitFor, OutsideTransactions
from mqconform.reference.mqso.sending import Sending
from mqconform.reference.mqso.world import Branches, World, decided


class Receiving(Sending):
    """Rules of receives; each is a method, so that a faulty queue manager differs in one of them."""

    def asked_for(self, world: World, event: Receive) -> Branches:
        """Yield what may come of a receive or a peek: one that does not pass the checks fails.

        Section 3.3.4.6 (MQSO-3.3.4.6-03).
        """
        opened = world.handles.get(event.handle)
        if (
            opened is None
            or opened.queue not in world.queues
            or not _fits(opened.access, event)
            or not self.can_take_part(world, event)
            or (event.cursor is not None and event.cursor not in world.cursors)
        ):
            yield world, Failed()
        elif world.queues[opened.queue].properties.transactional and event.takes and event.transaction is None:
            yield from self.outside_transactions(world, opened.queue, event)
        else:
            yield from self.looked_for(world, opened.queue, event)

    def can_take_part(self, world: World, event: Receive) -> bool:
        """Return whether the transaction of a receive, if it has one, is open and its coordinator there (5.5.3)."""
        if event.transaction is None:
            return True
        return event.transaction in world.transactions and self.can_commit(world, event.transaction)

    def outside_transactions(self, world: World, name: QueueName, event: Receive) -> Branches:
        """Yield what comes of a receive from a transactional queue without a transaction.

        Section 3.2.1 (MQSO-3.2.1-07), register QM-01.
        """
        for following, choice in decided(world, OutsideTransactions):
            if choice is OutsideTransactions.REFUSED:
                yield following, Failed()
            else:
                yield from self.looked_for(following, name, event)

    def looked_for(self, world: World, name: QueueName, event: Receive) -> Branches:
        """Yield what comes of a receive that passed the checks: a message, a wait for one, or none."""
        place = self._place(world, name, event)
        if place is not None:
            key = world.queues[name].entries[place].message.key
            after = world if event.cursor is None else self.moved(world, event.cursor, place)
            yield (self.taken(after, name, place, event) if event.takes else after), Got(key)
        elif event.cursor is not None or event.key is not None:
            yield world, Failed()
        else:
            yield from self.waits(world, name, event)

    def taken(self, world: World, name: QueueName, place: int, event: Receive) -> World:
        """Return the world where a receive has its message."""
        return self.received(world, name, place, event.transaction)

    def waits(self, world: World, name: QueueName, event: Receive) -> Branches:
        """Yield what becomes of an operation that finds nothing: it waits, or fails where it has no time to.

        Sections 3.3.4.6 and 5.1.1.2 (MQSO-3.3.4.6-04, MQSO-5.1.1.2-10), register QM-03.
        """
        queue = world.queues[name]
        reader = Reader(event.operation, world.now + event.wait, event.takes, event.transaction)
        waiting = world.with_queue(name, replace(queue, readers=(*queue.readers, reader)))
        if event.wait:
            yield waiting, Pending()
            return
        for following, choice in decided(world, NothingToWaitFor):
            if choice is NothingToWaitFor.FAILS_AT_ONCE:
                yield following, Failed()
            else:
                yield replace(waiting, followed=following.followed), Pending()

    def _place(self, world: World, name: QueueName, event: Receive) -> int | None:
        queue = world.queues[name]
        if event.cursor is not None:
            return self.place_of(queue, world.cursors[event.cursor], event.move)
        if event.key is not None:
            wanted = (at for at, one in enumerate(queue.entries) if one.available and one.message.key == event.key)
            return next(wanted, None)
        return self.first(queue, event.transaction)


def _fits(access: Access, event: Receive) -> bool:
    return access is Access.RECEIVE or (access is Access.PEEK and not event.takes)
