"""What may come of a send (3.3.4.3, 3.3.4.4)."""

from collections.abc import Iterator

from msgspec.structs import replace

from mqconform.reference.mqso.elements import Access, Assurance, Message, QueueName
from mqconform.reference.mqso.events import Done, Failed, Pending, Send
from mqconform.reference.mqso.readings import (
    FullStore,
    RejectedSender,
    TransactionalToPlain,
    WhileThrottled,
    WrongKindOfQueue,
)
from mqconform.reference.mqso.senders import Senders
from mqconform.reference.mqso.world import Branches, World, decided


class Sending(Senders):
    """Rules of sends; each is a method, so that a faulty queue manager differs in one of them."""

    def sent(self, world: World, event: Send) -> Branches:
        """Yield what may come of a send: one that does not pass the checks fails (3.3.4.3, MQSO-3.3.4.3-06)."""
        opened = world.handles.get(event.handle)
        if opened is None or opened.access is not Access.SEND or not self.takes_sends(opened.queue):
            yield world, Failed()
        elif self.refuses_all(world):
            yield from self.not_accepted(world, event)
        elif opened.queue not in world.queues:
            yield world, Failed()
            yield from ((after, Done()) for after in self.refused_later(world, event.message))
        elif event.transaction is None:
            yield from self._stored(world, opened.queue, event)
        elif self.can_work(world, event.transaction):
            message = replace(event.message, assurance=Assurance.TRANSACTIONAL)
            yield from self._stored(world, opened.queue, replace(event, message=message))
        else:
            yield world, Failed()

    def refuses_all(self, world: World) -> bool:
        """Return whether no message is accepted: while throttled (5.1.1.1, MQSO-5.1.1.1-11)."""
        return world.throttled

    def not_accepted(self, world: World, event: Send) -> Branches:
        """Yield what comes of a send while no message is accepted: it fails, or waits for the end of throttling.

        Section 5.1.1.1 (MQSO-5.1.1.1-11), register QM-20.
        """
        for following, choice in (
            decided(world, WhileThrottled) if world.throttled else [(world, WhileThrottled.REFUSED)]
        ):
            if choice is WhileThrottled.REFUSED:
                yield following, Failed()
            else:
                yield replace(following, blocked=(*following.blocked, event)), Pending()

    def unblocked(self, world: World) -> Iterator[World]:
        """Yield what may come of the sends that waited, now that throttling has ended: each is done, or fails."""
        worlds = {replace(world, blocked=())}
        for event in world.blocked:
            worlds = {after for current in worlds for after, _ in self.sent(current, event)}
        yield from worlds

    def can_keep(self, world: World, message: Message) -> Iterator[tuple[World, bool]]:
        """Yield whether a message can be kept: with a full store nothing that has to be stored can.

        Section 5.5.5 (MQSO-5.5.5-01), register QM-41.
        """
        if not world.full:
            yield world, True
        elif message.assurance is not Assurance.EXPRESS:
            yield world, False
        else:
            yield from ((after, choice is FullStore.TAKES_EXPRESS) for after, choice in decided(world, FullStore))

    def _stored(self, world: World, name: QueueName, event: Send) -> Branches:
        for following, storable in self.can_keep(world, event.message):
            if storable:
                yield from self._of_kind(following, name, event)
            else:
                yield following, Failed()

    def _of_kind(self, world: World, name: QueueName, event: Send) -> Branches:
        """Yield what comes of a send to a queue of one kind or the other.

        Messages go to a transactional queue within transactions only (3.2.1, MQSO-3.2.1-07).
        """
        transactional = world.queues[name].properties.transactional
        if transactional and event.transaction is None:
            yield from self.to_wrong_kind(world, name, event)
        elif not transactional and event.transaction is not None:
            for following, choice in decided(world, TransactionalToPlain):
                if choice is TransactionalToPlain.REFUSED:
                    yield following, Failed()
                else:
                    yield from self.put_and_served(following, name, event)
        else:
            yield from self.put_and_served(world, name, event)

    def to_wrong_kind(self, world: World, name: QueueName, event: Send) -> Branches:  # noqa: ARG002 - mutants look at it
        """Yield what comes of a send to a transactional queue without a transaction: it never arrives.

        The send fails, or the message is refused later. Section 3.2.1 (MQSO-3.2.1-07), register QM-12.
        """
        for following, choice in decided(world, WrongKindOfQueue):
            if choice is WrongKindOfQueue.SEND_FAILS:
                yield following, Failed()
            else:
                yield from ((after, Done()) for after in self.refused_later(following, event.message))

    def put_and_served(self, world: World, name: QueueName, event: Send) -> Branches:
        """Yield what comes of a message that passed the checks: it is in its queue, or a waiting reader has it."""
        for following, message in self.admitted(world, name, event.message):
            if message is None:
                yield from self.sender_rejected(following, event.message)
                continue
            for after, taken in self.put(following, name, message, event.transaction):
                if taken:
                    yield from ((served, Done()) for served in self.served(after, name))
                else:
                    yield after, Failed()

    def sender_rejected(self, world: World, message: Message) -> Branches:
        """Yield what comes of a message that is rejected for its sender: it never arrives.

        The send fails, or the message is refused later (register QM-51). Sections 7.3 and 7.4.1.4.2 (MQSO-7.3-03,
        MQSO-7.4.1.4.2-03).
        """
        for following, choice in decided(world, RejectedSender):
            if choice is RejectedSender.SEND_FAILS:
                yield following, Failed()
            else:
                yield from ((after, Done()) for after in self.refused_later(following, message))
