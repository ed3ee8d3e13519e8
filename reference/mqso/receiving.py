"""What may come of a receive or a peek (3.3.4.6, 3.3.4.7)."""

from collections.abc import Iterator

from msgspec.structs import replace

from mqconform.reference.mqso.elements import (
    TRANSACTIONAL_DEAD_LETTERS,
    Access,
    Assurance,
    Entry,
    Queue,
    QueueName,
    Reader,
    TransactionId,
)
from mqconform.reference.mqso.events import Failed, Pending, Receive
from mqconform.reference.mqso.queues import failed
from mqconform.reference.mqso.readings import (
    DeadLettersOutside,
    NothingToWaitFor,
    OutsideTransactions,
    OwnSends,
    ReceivesWhileFull,
    TransactionalFromPlain,
)
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
            or not self.may(opened.access, event)
            or not self.can_take_part(world, event)
            or (event.cursor is not None and event.cursor not in world.cursors)
        ):
            yield world, Failed()
            return
        allowed = self.may_use(world, opened)
        if not allowed:
            yield world, Failed()
        if allowed or opened.user is None:  # the rights of an unnamed user are left open
            looks = self._taken_from_kind if event.takes else self.looked_for
            yield from looks(world, opened.queue, event)

    def _taken_from_kind(self, world: World, name: QueueName, event: Receive) -> Branches:
        """Yield what may come of a receive from a queue of one kind or the other.

        The transactional dead-letter queue hands out in a transaction, and without one if it likes (register QM-01).
        """
        transactional = world.queues[name].properties.transactional
        if event.transaction is None and transactional:
            yield from self.outside_transactions(world, name, event)
        elif event.transaction is None and name == TRANSACTIONAL_DEAD_LETTERS:
            for following, choice in decided(world, DeadLettersOutside):
                if choice is DeadLettersOutside.REFUSED:
                    yield following, Failed()
                else:
                    yield from self.looked_for(following, name, event)
        elif event.transaction is None or transactional or name == TRANSACTIONAL_DEAD_LETTERS:
            yield from self.looked_for(world, name, event)
        else:
            yield from self.from_plain(world, name, event)

    def from_plain(self, world: World, name: QueueName, event: Receive) -> Branches:
        """Yield what may come of a receive in a transaction from a queue that is not transactional (register QM-46)."""
        for following, choice in decided(world, TransactionalFromPlain):
            if choice is TransactionalFromPlain.REFUSED:
                yield following, Failed()
            elif choice is TransactionalFromPlain.LOCKED:
                yield from self.looked_for(following, name, event)
            else:
                yield from self.looked_for(following, name, replace(event, transaction=None))

    def may(self, access: Access, event: Receive) -> bool:
        """Return whether a queue was opened for what is asked of it (3.3.4.6, MQSO-3.3.4.6-03)."""
        return access is Access.RECEIVE or (access is Access.PEEK and not event.takes)

    def can_take_part(self, world: World, event: Receive) -> bool:
        """Return whether the transaction of a receive, if it has one, is open and its coordinator there (5.5.3)."""
        if event.transaction is None:
            return True
        return self.can_work(world, event.transaction)

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
        for following, place in self._places(world, name, event):
            if place is not None:
                yield from self._handed_out_from(following, name, place, event)
            elif event.wait and (event.cursor is not None or event.key is not None):
                yield following, Failed()  # no case gives these a time to wait, so their waits are not modelled
            else:
                yield from self.waits(following, name, event)

    def _handed_out_from(self, world: World, name: QueueName, place: int, event: Receive) -> Branches:
        message = world.queues[name].entries[place].message
        stored = event.takes and message.assurance is not Assurance.EXPRESS
        for following, works in self.can_take(world) if stored else [(world, True)]:
            if not works:
                yield following, Failed()
                continue
            after = following if event.cursor is None else self.moved(following, event.cursor, place)
            yield (self.taken(after, name, place, event) if event.takes else after), self.handed_out(message)

    def can_take(self, world: World) -> Iterator[tuple[World, bool]]:
        """Yield whether a message that is stored can be received: with a full store perhaps not (register QM-41)."""
        if not world.full:
            yield world, True
        else:
            yield from (
                (after, choice is ReceivesWhileFull.WORK) for after, choice in decided(world, ReceivesWhileFull)
            )

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
        ends: tuple[World, ...] = (waiting, failed(world, (reader,)))  # the next call may come when its time is up
        if event.key is not None or event.cursor is not None:  # what it asked for is not the next that comes: it ends
            ends = (replace(world, bereft=(*world.bereft, reader)),)
        for following, choice in decided(world, NothingToWaitFor):
            if choice is NothingToWaitFor.FAILS_AT_ONCE:
                yield following, Failed()
            else:
                for after in ends:
                    yield replace(after, followed=following.followed), Pending()

    def _places(self, world: World, name: QueueName, event: Receive) -> Iterator[tuple[World, int | None]]:
        queue = world.queues[name]
        if event.cursor is not None:
            yield from self.places_of(world, event.cursor, event.move)
        elif event.key is not None:
            places = (
                at for at, entry in enumerate(queue.entries) if entry.available and entry.message.key == event.key
            )
            yield world, next(places, None)
        else:
            yield from self._first_places(world, queue, event.transaction)

    def _first_places(
        self, world: World, queue: Queue, transaction: TransactionId | None
    ) -> Iterator[tuple[World, int | None]]:
        """Yield the places of the message that is first, for a transaction perhaps one of its own (register QM-60)."""
        first = self.first(queue, transaction)
        own = next((place for place, entry in enumerate(queue.entries) if _is_own(entry, transaction)), None)
        if own is None:
            yield world, first
            return
        for following, choice in decided(world, OwnSends):
            if choice is OwnSends.UNSEEN or first is not None:
                yield following, first
            if choice is OwnSends.SEEN:
                yield following, own


def _is_own(entry: Entry, transaction: TransactionId | None) -> bool:
    """Return whether a transaction has sent a message, and neither committed nor received it."""
    return transaction is not None and entry.hidden_by == transaction and entry.locked_by is None
