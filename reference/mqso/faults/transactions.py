"""Faults of transactions and of their coordinator."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso.elements import Entry, Kind, Message, Queue, QueueName, TransactionId
from mqconform.reference.mqso.events import Answer, Failed, Receive
from mqconform.reference.mqso.faults.fault import breaks, fault
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World

_SENT_EXTERNALLY: Final = QueueName("*sent externally")


@breaks("3.3.4.7-04", "1.1-04", "5.1.1.2-09", "4.3.1.2-09", "5.1.1.3-13", "3.3.4.7-05")
class TwoReadersOneMessage(QueueManager):
    """What one transaction has received another receives again."""

    def first(self, queue: Queue, transaction: TransactionId | None) -> int | None:
        return next((place for place, entry in enumerate(queue.entries) if entry.hidden_by is None), None)


SEEN_BEFORE_COMMIT = fault("seen-before-commit", "3.3.4.4-01 4.3.1.2-04", "Messages are received before their commit.",
    first=lambda self, queue, transaction: (
        next((place for place, entry in enumerate(queue.entries) if entry.locked_by is None), None)
    ))  # fmt: skip
SHOWN_AT_ONCE = fault("shown-at-once", "3.3.4.4-01 3.3.4.4-02 4.3.1.2-04 4.3.1.2-05 4.3.1.2-01 4.3.1-02",
    "What a transaction sends shows at once.",
    put=lambda self, world, name, message, transaction: QueueManager.put(self, world, name, message, None))  # fmt: skip
RECEIVED_NOT_LOCKED = fault("received-not-locked", "3.3.4.7-02 3.3.4.7-01 3.2.1-06 4.3.1.2-11 5.1.1.3-15 5.5.3-03",
    "A receive in a transaction takes at once.",
    received=lambda self, world, name, place, transaction: (
        QueueManager.received(self, world, name, place, None)
    ))  # fmt: skip


@breaks("3.3.4.4-02", "4.3.1.2-05", "3.2.1-05")
class AbortSends(QueueManager):
    """An aborted transaction sends."""

    def aborted(self, world: World, transaction: TransactionId) -> Iterator[World]:
        for after in super().aborted(world, transaction):
            following = after
            for name, queue in world.queues.items():
                mine = [replace(entry, hidden_by=None) for entry in queue.entries if entry.hidden_by == transaction]
                following = following.with_entries(name, (*following.queues[name].entries, *mine))
            yield following


@breaks("3.3.4.4-04")
class CommitsInPart(QueueManager):
    """Only the first message of a transaction shows."""

    def committed(self, world: World, transaction: TransactionId) -> Iterator[World]:
        for after in super().committed(world, transaction):
            sent = [
                (name, entry)
                for name, queue in world.queues.items()
                for entry in queue.entries
                if entry.hidden_by == transaction
            ]
            lost = {entry.message.key for _, entry in sent[1:]}
            for name, queue in after.queues.items():
                after = after.with_entries(name, (entry for entry in queue.entries if entry.message.key not in lost))  # noqa: PLW2901
            yield after


ABORT_LOSES = fault("abort-loses", "3.3.4.7-02 4.3.1.2-11 5.1.1.3-15 3.2.1-06 5.5.3-03 1.1-02 3.2.1-04 3.3.4.7-01",
    "What an aborted transaction received is lost.",
    given_back=lambda self, queue, transaction, *, last: (
        tuple(entry for entry in queue.entries if transaction not in {entry.hidden_by, entry.locked_by})
    ))  # fmt: skip
ABORT_PUTS_LAST = fault("abort-puts-last", "5.1.1.2-01 3.3.4.7-02", "What an aborted transaction received comes last.",
    given_back=lambda self, queue, transaction, *, last: (
        QueueManager.given_back(self, queue, transaction, last=True)
    ))  # fmt: skip


@breaks("3.3.4.7-02", "4.3.1.2-11", "5.1.1.3-15", "3.2.1-06", "5.5.3-03", "1.1-02", "3.2.1-04", "3.3.4.7-01")
class AbortKeepsLocked(QueueManager):
    """What an aborted transaction received stays hidden."""

    def given_back(self, queue: Queue, transaction: TransactionId, *, last: bool) -> tuple[Entry, ...]:
        return tuple(entry for entry in queue.entries if entry.hidden_by != transaction)


@breaks("4.3.1.2-10", "3.3.4.7-01", "5.1.1.3-16", "3.2.1-06", "1.1-02", "3.2.1-04")
class CommitKeeps(QueueManager):
    """What a transaction received is there after its commit."""

    def shown(self, queue: Queue, transaction: TransactionId, *, last: bool) -> Queue:
        given_back = tuple(
            replace(entry, locked_by=None) if entry.locked_by == transaction else entry for entry in queue.entries
        )
        return super().shown(replace(queue, entries=given_back), transaction, last=last)


@breaks("4.3.1.2-14", "4.3.3-02")
class InternalFailsWhereNoCoordinatorWasConfigured(QueueManager):
    """Internal transactions fail without a coordinator."""

    def coordinated(self, world: World, kind: Kind) -> bool:
        return not world.coordinator_lost


SENDS_GO_ON_WITHOUT_IT = fault("sends-go-on-without-it", "5.5.3-04 4.3.3-01 5.5.3-01",
    "External transactions go on without a coordinator.",
    coordinated=lambda self, world, kind: True)  # fmt: skip
PENDING_OUTLIVE_IT = fault("pending-outlive-it", "5.5.3-03 5.5.3-01",
    "External transactions outlive the loss of the coordinator.",
    coordinator_becomes=lambda self, world, *, lost: iter([replace(world, coordinator_lost=lost)]))  # fmt: skip
COORDINATOR_NEEDS_RESTART = fault("coordinator-needs-restart", "5.5.3-06 5.5.3-01",
    "External transactions never work again.",
    coordinator_becomes=lambda self, world, *, lost: (
        QueueManager.coordinator_becomes(self, world, lost=lost or world.coordinator_lost)
    ))  # fmt: skip


@breaks("5.5.3-06", "4.3.3-02")
class ReturnAborts(QueueManager):
    """The return of the coordinator aborts all transactions."""

    def coordinator_becomes(self, world: World, *, lost: bool) -> Iterator[World]:
        worlds = [*super().coordinator_becomes(world, lost=lost)]
        for transaction in () if lost else world.transactions:
            worlds = [after for current in worlds for after in self.aborted(current, transaction)]
        yield from worlds


@breaks("3.3.4.4-04", "3.2.1-05", "4.3.1.2-13", "4.3.1.2-04", "4.3.1.2-12")
class CommitShowsNothing(QueueManager):
    """A committed transaction has sent nothing."""

    def shown(self, queue: Queue, transaction: TransactionId, *, last: bool) -> Queue:
        entries = tuple(entry for entry in queue.entries if entry.hidden_by != transaction)
        return super().shown(replace(queue, entries=entries), transaction, last=last)


@breaks("4.3.1.2-15", "4.3.1-02", "4.3.1.2-01")
class ExternalReceivesNothing(QueueManager):
    """External transactions cannot receive."""

    def can_take_part(self, world: World, event: Receive) -> bool:
        external = event.transaction is not None and world.transactions.get(event.transaction) is Kind.EXTERNAL
        return not external and super().can_take_part(world, event)


@breaks("4.3.1.2-15")
class KindsDoNotMix(QueueManager):
    """What one kind of transaction sent the other kind does not receive."""

    def put(
        self, world: World, name: QueueName, message: Message, transaction: TransactionId | None
    ) -> Iterator[tuple[World, bool]]:
        external = transaction is not None and world.transactions[transaction] is Kind.EXTERNAL
        for after, taken in super().put(world, name, message, transaction):
            before = after.queues.get(_SENT_EXTERNALLY, Queue()).entries
            noted = after.with_queue(_SENT_EXTERNALLY, Queue(entries=(*before, Entry(message))))
            yield (noted if external and taken else after), taken

    def can_take_part(self, world: World, event: Receive) -> bool:
        if event.transaction is not None and event.transaction in world.transactions and event.handle in world.handles:
            external = world.transactions[event.transaction] is Kind.EXTERNAL
            sent = {entry.message.key for entry in world.queues.get(_SENT_EXTERNALLY, Queue()).entries}
            next_one = world.queues[world.handles[event.handle].queue].available[:1]
            if any((message.key in sent) is not external for message in next_one):
                return False
        return super().can_take_part(world, event)


@breaks("3.3.4.4-05", "3.3.4.4-04", "3.2.1-05", "4.3.1.2-13", "4.3.1.2-12")
class RefusesSendsInTransactions(QueueManager):
    """A send within a transaction fails."""

    def put(
        self, world: World, name: QueueName, message: Message, transaction: TransactionId | None
    ) -> Iterator[tuple[World, bool]]:
        if transaction is None:
            yield from super().put(world, name, message, transaction)
        else:
            yield world, False


@breaks("4.3.1.2-01", "4.3.1-02", "3.3.4.4-01", "3.3.4.4-02", "4.3.1.2-04")
class ExternalSendsAtOnce(QueueManager):
    """What an external transaction sends shows at once."""

    def put(
        self, world: World, name: QueueName, message: Message, transaction: TransactionId | None
    ) -> Iterator[tuple[World, bool]]:
        external = transaction is not None and world.transactions[transaction] is Kind.EXTERNAL
        yield from super().put(world, name, message, None if external else transaction)


ENDED_TRANSACTIONS_RECEIVE = fault("ended-transactions-receive", "3.3.4.6-03",
    "A transaction that has ended goes on receiving.",
    can_take_part=lambda self, world, event: (
        event.transaction not in world.transactions or QueueManager.can_take_part(self, world, event)
    ))  # fmt: skip


@breaks("5.5.3-02", "5.5.3-01")
class NeededAtStart(QueueManager):
    """It does not start without the coordinator."""

    def begun(self, world: World) -> Iterator[tuple[World, Answer]]:
        if world.coordinator_lost:
            yield world, Failed()
        else:
            yield from super().begun(world)


STOPS_WITHOUT_COORDINATOR = fault("stops-without-coordinator", "5.5.3-05 5.5.3-01",
    "No message is accepted without the coordinator.",
    refuses_all=lambda self, world: world.coordinator_lost or QueueManager.refuses_all(self, world))  # fmt: skip


@breaks("1.1-02", "3.2.1-04", "5.5.1-02", "3.3.4.7-01", "5.1.1.3-16")
class ConsumedComesBack(QueueManager):
    """What a transaction consumed is there again after a restart."""

    def committed(self, world: World, transaction: TransactionId) -> Iterator[World]:
        for after in super().committed(world, transaction):
            following = after
            for name, queue in world.queues.items():
                mine = [replace(entry, locked_by=None) for entry in queue.entries if entry.locked_by == transaction]
                consumed = QueueName(f"*consumed {name}")
                if mine:
                    before = following.queues.get(consumed, Queue()).entries
                    following = following.with_queue(consumed, Queue(entries=(*before, *mine)))
            yield following

    def stopped(self, world: World, *, suddenly: bool) -> Iterator[World]:
        for after in super().stopped(world, suddenly=suddenly):
            back = after
            for name, queue in after.queues.items():
                consumed = after.queues.get(QueueName(f"*consumed {name}"), Queue())
                if consumed.entries:
                    back = back.with_entries(name, (*consumed.entries, *queue.entries))
                    back = back.with_entries(QueueName(f"*consumed {name}"), ())
            yield back
