"""Faults of timers, dead letters, journals and acknowledgments."""

from collections.abc import Iterator

from msgspec.structs import replace

from mqconform.reference.mqso.acknowledgments import report_key
from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    JOURNAL,
    SYSTEM_QUEUES,
    TRANSACTIONAL_DEAD_LETTERS,
    Asked,
    Entry,
    Key,
    Message,
    QueueName,
    Report,
    TransactionId,
)
from mqconform.reference.mqso.faults.fault import breaks, fault
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.timers import TOLERANCE
from mqconform.reference.mqso.transactions import refused_of, told_of_refusals
from mqconform.reference.mqso.world import World

NEVER_EXPIRES = fault("never-expires", "5.1.1.3-04 4.3.1.2-16 5.1.1.3-05", "Time to be received is not counted.",
    expires=lambda self, entry: None)  # fmt: skip


@breaks("5.1.1.3-04", "4.3.1.2-16", "5.1.1.3-05")
class ExpiresLate(QueueManager):
    """Messages expire three seconds late."""

    def expires(self, entry: Entry) -> int | None:
        until = super().expires(entry)
        return None if until is None else until + 6 * TOLERANCE


@breaks("5.1.1.3-18")
class DeadLettersUnasked(QueueManager):
    """A message is a dead letter although its sender did not ask for that."""

    def undelivered(self, world: World, message: Message) -> Iterator[World]:
        with_report = self.acknowledged(world, message, Asked.NEGATIVE)
        yield self.kept(with_report, self.dead_letter_queue(message), message)


ASKED_AND_LOST = fault("asked-and-lost", "5.1.1.3-06 4.3.1.2-16 5.1.1.2-27",
    "A dead letter that was asked for is lost.",
    undelivered=lambda self, world, message: iter([self.acknowledged(world, message, Asked.NEGATIVE)]))  # fmt: skip
DEAD_LETTERS_IN_ONE_QUEUE = fault("dead-letters-in-one-queue", "5.1.1.2-28", "All dead letters are in one queue.",
    dead_letter_queue=lambda self, message: DEAD_LETTERS)  # fmt: skip
JOURNALS_NOTHING = fault("journals-nothing", "5.1.1.2-26", "Nothing is in the source journal.",
    journaled=lambda self, world, message: world)  # fmt: skip


@breaks("5.1.1.2-26")
class JournalsFailuresOnly(QueueManager):
    """The source journal has what could not be received, and nothing else."""

    def journaled(self, world: World, message: Message) -> World:
        return world

    def undelivered(self, world: World, message: Message) -> Iterator[World]:
        for after in super().undelivered(world, message):
            yield super().journaled(after, message)


JOURNALS_ALL = fault("journals-all", "5.1.1.2-26", "Everything is in the source journal.",
    journaled=lambda self, world, message: (
        QueueManager.journaled(self, world, replace(message, journal=True))
    ))  # fmt: skip


@breaks("6.1.6.5-01")
class AcknowledgesOnArrivalAsReceived(QueueManager):
    """A receive is acknowledged on arrival."""

    def acknowledged(self, world: World, message: Message, what: Asked) -> World:
        if what is Asked.RECEIVE:
            return world
        if what is Asked.REACH and Asked.RECEIVE in message.asked:
            world = super().acknowledged(world, message, Asked.RECEIVE)
        return super().acknowledged(world, message, what)


RECEIVE_UNTOLD = fault("receive-untold", "6.1.6.5-01", "A receive is not acknowledged.",
    acknowledged=lambda self, world, message, what: (
        world if what is Asked.RECEIVE else QueueManager.acknowledged(self, world, message, what)
    ))  # fmt: skip
EXPIRY_UNTOLD = fault("expiry-untold", "6.1.6.5-02", "An expiry is not told.",
    acknowledged=lambda self, world, message, what: (
        world if what is Asked.NEGATIVE else QueueManager.acknowledged(self, world, message, what)
    ))  # fmt: skip


@breaks("6.1.6.5-01")
class AcknowledgesAnother(QueueManager):
    """It names another message."""

    def acknowledged(self, world: World, message: Message, what: Asked) -> World:
        """Acknowledge another message than the one that it is about: the last that stands in any queue."""
        others = [
            entry.message.key
            for queue in world.queues.values()
            for entry in queue.entries
            if entry.message.report is None
        ]
        wrong = next((key for key in reversed(others) if key != message.key), Key("another"))
        if what not in message.asked or message.administration not in world.queues:
            return world
        assert message.administration is not None
        report = Report(wrong, positive=what is not Asked.NEGATIVE)
        return self.kept(world, message.administration, Message(report_key(report), report=report))


@breaks("6.1.6.5-01")
class AcknowledgmentWithoutIdentifier(QueueManager):
    """An acknowledgment names no message."""

    def acknowledged(self, world: World, message: Message, what: Asked) -> World:
        named = Key("another")
        asked = what in message.asked and message.administration in world.queues
        return super().acknowledged(world, replace(message, key=named) if asked else message, what)


@breaks("5.1.1.2-32")
class LettersLastFirst(QueueManager):
    """The last dead letter or copy is handed out first."""

    def kept(self, world: World, queue: QueueName, message: Message) -> World:
        if queue not in SYSTEM_QUEUES:
            return super().kept(world, queue, message)
        return world.with_entries(queue, (Entry(message), *world.queues[queue].entries))


@breaks("5.1.1.3-04", "5.5.1-07")
class TimeBeginsAnew(QueueManager):
    """Messages have their whole time again after a restart."""

    def stopped(self, world: World, *, suddenly: bool) -> Iterator[World]:
        for after in super().stopped(world, suddenly=suddenly):
            anew = after
            for name, queue in after.queues.items():
                anew = anew.with_entries(name, (_prolonged(entry, world.now) for entry in queue.entries))
            yield anew


@breaks("5.5.1-02", "5.1.1.2-32")
class CopiesEndWithARestart(QueueManager):
    """The source journal and the transactional dead-letter queue are empty after a restart."""

    def stopped(self, world: World, *, suddenly: bool) -> Iterator[World]:
        for after in super().stopped(world, suddenly=suddenly):
            yield after.with_entries(JOURNAL, ()).with_entries(TRANSACTIONAL_DEAD_LETTERS, ())


@breaks("5.1.1.3-04")
class ExpiresEarly(QueueManager):
    """Messages expire three seconds early."""

    def expires(self, entry: Entry) -> int | None:
        until = super().expires(entry)
        return None if until is None else until - 6 * TOLERANCE


@breaks("6.1.6.5-01")
class AbortedReceiveTold(QueueManager):
    """A receive is acknowledged although its transaction was aborted."""

    def aborted(self, world: World, transaction: TransactionId) -> Iterator[World]:
        for after in super().aborted(world, transaction):
            with_reports = after
            for queue in world.queues.values():
                for entry in queue.entries:
                    if entry.locked_by == transaction:
                        with_reports = self.consumed(with_reports, entry.message)
            yield with_reports


@breaks("3.3.4.4-02")
class RefusalOfAbortedTold(QueueManager):
    """What a queue had no room for is told of when its transaction ends, also where that aborts."""

    def put(
        self, world: World, name: QueueName, message: Message, transaction: TransactionId | None
    ) -> Iterator[tuple[World, bool]]:
        if transaction is None or self.has_room(world.queues[name], message):
            yield from super().put(world, name, message, transaction)
        else:
            yield replace(world, refused=(*world.refused, (transaction, message))), True

    def aborted(self, world: World, transaction: TransactionId) -> Iterator[World]:
        for after in super().aborted(world, transaction):
            yield from told_of_refusals(self, after, refused_of(world, transaction))


def _prolonged(entry: Entry, now: int) -> Entry:
    within = entry.message.receive_within
    return entry if within is None else replace(entry, until=now + within)
