"""What happens in a queue: arrivals, receives, readers that wait, purge and deletion (5.1.1.2, 5.1.1.3)."""

from collections.abc import Iterator

from msgspec.structs import replace

from mqconform.reference.mqso.acknowledgments import Acknowledgments, copy_of
from mqconform.reference.mqso.elements import (
    CONNECTOR,
    SYSTEM_QUEUES,
    Asked,
    Entry,
    Message,
    Properties,
    Queue,
    QueueName,
    Reader,
    TransactionId,
)
from mqconform.reference.mqso.events import Failed, Got
from mqconform.reference.mqso.readings import (
    DeletedLetters,
    DeletionReports,
    Journaling,
    NoRoom,
    PurgedLetters,
    PurgeReports,
    Purging,
    ReaderOfDeleted,
)
from mqconform.reference.mqso.world import World, decided


class Queues(Acknowledgments):
    """Rules of queues; each is a method, so that a faulty queue manager differs in one of them."""

    def has_room(self, queue: Queue, message: Message) -> bool:
        """Return whether a queue can take a message; one that cannot rejects it (5.1.1.2, MQSO-5.1.1.2-07)."""
        room, size = queue.properties.room, message.size if queue.properties.in_kilobytes else 1
        return room is None or queue.used + size <= room

    def arrived(self, queue: Queue, entry: Entry) -> Queue:
        """Return a queue with one more message, the last (5.1.1.2, MQSO-5.1.1.2-01)."""
        return replace(queue, entries=(*queue.entries, entry))

    def put(
        self, world: World, name: QueueName, message: Message, transaction: TransactionId | None
    ) -> Iterator[tuple[World, bool]]:
        """Yield what may come of putting a message into a queue, each with whether the send succeeds.

        A message for which there is no room is rejected: the send fails, or the sender is told later as it asked
        (register QM-19). Sections 3.3.4.3 and 5.1.1.2 (MQSO-3.3.4.3-05 to -07, MQSO-5.1.1.2-07).
        """
        queue = world.queues[name]
        if not self.has_room(queue, message):
            for following, choice in decided(world, NoRoom):
                if choice is NoRoom.SEND_FAILS:
                    yield following, False
                else:
                    yield from ((after, True) for after in self.refused_later(following, message))
            return
        entry = self.timed(Entry(message, hidden_by=transaction), world.now)
        taken = world.with_queue(name, self.arrived(queue, entry))
        for following in self.sent_for_journal(taken, message):
            yield (following if transaction is not None else self.shows(following, message)), True

    def timed(self, entry: Entry, now: int) -> Entry:
        """Return a message at its place with both its times counted from now (5.1.1.3, MQSO-5.1.1.3-04)."""
        message = entry.message
        if message.receive_within is None and message.reach_within is None:
            return entry
        reach_until = None if message.reach_within is None else now + message.reach_within
        return replace(entry, until=self.until(message, now), reach_until=reach_until)

    def until(self, message: Message, now: int) -> int | None:
        """Return when the time to be received of a message that is sent now will be up, None without one (5.1.1.3)."""
        return None if message.receive_within is None else now + message.receive_within

    def refused_later(self, world: World, message: Message) -> Iterator[World]:
        """Yield what may become of a message whose send succeeded and that its queue does not take."""
        for following in self.sent_for_journal(world, message):
            yield from self.refused(self.copied(following, message, Journaling.ON_SEND), message)

    def shows(self, world: World, message: Message) -> World:
        """Return the world where a message was sent, by its send or by a commit, and is in its queue."""
        return self.in_its_queue(self.copied(world, message, Journaling.ON_SEND), message)

    def in_its_queue(self, world: World, message: Message) -> World:
        """Return the world where a message has reached its queue and shows there."""
        return self.acknowledged(self.copied(world, message, Journaling.ON_ARRIVAL), message, Asked.REACH)

    def first(self, queue: Queue, transaction: TransactionId | None) -> int | None:  # noqa: ARG002 - mutants look at it
        """Return the place of the message that is received next: the first that is available, None without.

        Sections 5.1.1.2 and 5.1.1.3 (MQSO-5.1.1.2-01, MQSO-3.3.4.7-04).
        """
        return next((place for place, entry in enumerate(queue.entries) if entry.available), None)

    def received(self, world: World, name: QueueName, place: int, transaction: TransactionId | None) -> World:
        """Return the world where a message was received: gone, or locked until its transaction ends.

        Sections 3.3.4.6 and 3.3.4.7 (MQSO-3.3.4.6-02, MQSO-3.3.4.7-01, MQSO-3.3.4.7-04).
        """
        entries = world.queues[name].entries
        entry = entries[place]
        if transaction is not None:
            locked = replace(entry, locked_by=transaction)
            return world.with_entries(name, (*entries[:place], locked, *entries[place + 1 :]))
        gone = world.with_entries(name, (*entries[:place], *entries[place + 1 :]))
        return self.consumed(gone, entry.message)

    def handed_out(self, message: Message) -> Got:
        """Return what an application gets of a message: its body and what its sender said of answers.

        Sections 2.1 and 5.1.1 (MQSO-2.1-02, MQSO-5.1.1-03), 3.3.4.8 (MQSO-3.3.4.8-01).
        """
        return Got(message.key, message.correlation, message.response, message.authenticated)

    def consumed(self, world: World, message: Message) -> World:
        """Return the world where a message has left the system by being received (5.1.1.3)."""
        return self.acknowledged(self.copied(world, message, Journaling.ON_RECEIVE), message, Asked.RECEIVE)

    def served(self, world: World, name: QueueName) -> Iterator[World]:
        """Yield what may come of messages and readers that wait for each other; it does not matter whose turn it is.

        Section 5.1.1.2 (MQSO-5.1.1.2-08), register QM-04.
        """
        queue = world.queues.get(name)
        if queue is None or not queue.readers:
            yield world
            return
        all_wait = True
        for reader in queue.readers:
            place = self.first(queue, reader.transaction)
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
                after = self.received(without, name, place, transaction) if reader.takes else without
                after = after.with_ended(reader.operation, self.handed_out(queue.entries[place].message))
                yield from self.served(after, name)
        if all_wait:
            yield world

    def purged(self, world: World, name: QueueName) -> Iterator[World]:
        """Yield what may be left after a purge: nothing that shows, and readers go on waiting.

        What a transaction has sent and not committed is not yet there; what one has received may be spared, and what
        is gone may be told or dead-lettered (register QM-17). Section 5.1.1.2 (MQSO-5.1.1.2-12, MQSO-5.1.1.2-13).
        """
        entries = world.queues[name].entries
        if not entries:
            yield world
            return
        for following, locked in self._locked_at_purge(world, entries):
            left = [
                entry for entry in entries if entry.hidden_by or (entry.locked_by and locked is Purging.SPARES_LOCKED)
            ]
            gone = [entry.message for entry in entries if entry not in left]
            for after in self._told(following.with_entries(name, left), gone, PurgeReports):
                yield from self._dead_lettered(after, gone, PurgedLetters)

    def _told(
        self, world: World, gone: list[Message], place: type[PurgeReports] | type[DeletionReports]
    ) -> Iterator[World]:
        """Yield the worlds where the senders of removed messages get reports, or do not."""
        if not any(Asked.NEGATIVE in message.asked for message in gone):
            yield world
            return
        for following, reports in decided(world, place):
            with_reports = following
            for message in gone if reports is place.NEGATIVE else ():
                with_reports = self.acknowledged(with_reports, message, Asked.NEGATIVE)
            yield with_reports

    def _dead_lettered(
        self, world: World, gone: list[Message], place: type[PurgedLetters] | type[DeletedLetters]
    ) -> Iterator[World]:
        """Yield the worlds where removed messages that asked for it are dead letters, or are lost."""
        asked = [message for message in gone if message.dead_letter]
        for following, letters in decided(world, place) if asked else ((world, place.NONE),):
            with_letters = following
            for message in asked if letters is place.KEPT else ():
                with_letters = self.kept(with_letters, self.dead_letter_queue(message), copy_of(message))
            yield with_letters

    def _locked_at_purge(self, world: World, entries: tuple[Entry, ...]) -> Iterator[tuple[World, Purging]]:
        if any(entry.locked_by for entry in entries):
            yield from decided(world, Purging)
        else:
            yield world, Purging.SPARES_LOCKED

    def deleted(self, world: World, name: QueueName) -> Iterator[World]:
        """Yield the world without a queue and its messages; who waits there is told, at once or in its time.

        So may be who sent those messages (register QM-43). Section 5.1.1.2 (MQSO-5.1.1.2-14).
        """
        queue = world.queues[name]
        messages = [entry.message for entry in queue.entries if entry.hidden_by is None]
        reported = self._told(replace(world, queues=world.queues.without(name)), messages, DeletionReports)
        for gone in (after for current in reported for after in self._dead_lettered(current, messages, DeletedLetters)):
            if not queue.readers:
                yield gone
                continue
            for following, choice in decided(gone, ReaderOfDeleted):
                if choice is ReaderOfDeleted.AT_ONCE:
                    yield failed(following, queue.readers)
                else:
                    yield replace(following, bereft=(*following.bereft, *queue.readers))

    def created(self, world: World, name: QueueName, properties: Properties) -> World:
        """Return the world with a new queue, which can be used at once (5.1.1.2, MQSO-5.1.1.2-05)."""
        return world.with_queue(name, Queue(properties))

    def takes_sends(self, name: QueueName) -> bool:
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
