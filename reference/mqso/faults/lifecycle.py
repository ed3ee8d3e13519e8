"""Faults of ends, starts, throttling and the store."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso.elements import (
    PLAIN,
    SECOND,
    Assurance,
    Queue,
    State,
    TransactionId,
)
from mqconform.reference.mqso.events import Answer, Event, Failed, SetQueue
from mqconform.reference.mqso.faults.fault import breaks, fault
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World

_FIRST_RETRY: Final = 120 * SECOND


CURSOR_SURVIVES = fault("cursor-survives", "5.1.1-05 5.1.1.2-16", "Cursors outlive a restart.",
    cursors_after=lambda self, cursors: cursors)  # fmt: skip
KEEPS_EXPRESS = fault("keeps-express", "5.5.1-08 1.1-03 3.2.1-01 5.1.1.3-03", "Express messages survive.",
    outlives=lambda self, entry: entry.hidden_by is None)  # fmt: skip
LOSES_RECOVERABLE = fault("loses-recoverable", "5.5.1-07 1.1-05 3.2.1-02",
    "Recoverable messages are lost in a restart.",
    outlives=lambda self, entry: (
        entry.hidden_by is None and entry.message.assurance is Assurance.TRANSACTIONAL
    ))  # fmt: skip
LOSES_TRANSACTIONAL = fault("loses-transactional", "5.5.1-04 1.1-02 3.2.1-04",
    "Transactional messages are lost in a restart.",
    outlives=lambda self, entry: (
        entry.hidden_by is None and entry.message.assurance is Assurance.RECOVERABLE
    ))  # fmt: skip


@breaks("5.5.1-02", "3.3.4.4-01")
class CommitsWhatWasOpen(QueueManager):
    """What was sent and not committed shows after a restart."""

    def restored(self, queue: Queue) -> Queue:
        entries = [replace(entry, hidden_by=None, locked_by=None) for entry in queue.entries]
        return Queue(
            queue.properties, tuple(entry for entry in entries if entry.message.assurance is not Assurance.EXPRESS)
        )


LOCKED_ARE_GONE = fault("locked-are-gone", "5.5.1-04 1.1-02 3.2.1-04",
    "What was received and not committed is gone after a restart.",
    outlives=lambda self, entry: QueueManager.outlives(self, entry) and entry.locked_by is None)  # fmt: skip


@breaks("4.3.1-01", "5.1.1.1-03", "5.1.1.2-02", "5.5.1-02")
class ForgetsQueuesAtStop(QueueManager):
    """Queues are gone after a restart."""

    def stopped(self, world: World, *, suddenly: bool) -> Iterator[World]:
        for after in super().stopped(world, suddenly=suddenly):
            gone = after
            for name in after.queues:
                if not name.startswith("*"):
                    gone = replace(gone, queues=gone.queues.without(name))
            yield gone


@breaks("5.5.1-01", "5.5.1-07", "5.5.1-04")
class LostInACrash(QueueManager):
    """A sudden end loses all messages."""

    def stopped(self, world: World, *, suddenly: bool) -> Iterator[World]:
        for after in super().stopped(world, suddenly=suddenly):
            emptied = after
            for name in after.queues if suddenly else ():
                emptied = emptied.with_entries(name, ())
            yield emptied


SERVES_WHILE_STOPPED = fault("serves-while-stopped", "6.7.1-01 5.1.1.1-03", "Calls succeed while it is stopped.",
    refuses_while_stopped=lambda self: False)  # fmt: skip
DEAF_TO_THROTTLING = fault("deaf-to-throttling", "5.1.1.1-11 5.1.1.1-12",
    "Messages are accepted while it is throttled.",
    refuses_all=lambda self, world: False)  # fmt: skip
THROTTLED_FOR_EVER = fault("throttled-for-ever", "5.1.1.1-13", "Throttling never ends.",
    throttled=lambda self, world, *, on: replace(world, throttled=world.throttled or on))  # fmt: skip
FULL_STORE_TAKES_ON = fault("full-store-takes-on", "5.5.5-01", "A full store takes messages on and keeps them.",
    can_keep=lambda self, world, message: iter([(world, True)]))  # fmt: skip


@breaks("3.3.4.1-06", "3.3.4.1-04", "5.5.5-01")
class FailedChangeIsThere(QueueManager):
    """A change of a queue that fails for want of room in the store is there all the same."""

    def step(self, world: World, event: Event) -> frozenset[tuple[World, Answer]]:
        results = super().step(world, event)
        if not (isinstance(event, SetQueue) and world.full and event.queue in world.queues):
            return results
        return frozenset(
            (self.changed(after, event) if isinstance(answer, Failed) else after, answer) for after, answer in results
        )


RUNS_AFTER_FAILED_START = fault("runs-after-failed-start", "5.1.1.1-02 5.1.1.1-05 5.5.5-03 6.6.2-09 6.6.2-10",
    "It starts with a store that cannot be repaired.",
    begun=lambda self, world: QueueManager.begun(self, replace(world, damaged=False)))  # fmt: skip
BROKEN_STORE_GOES_ON = fault("broken-store-goes-on", "5.5.5-03 5.1.1.1-10",
    "It goes on with a store that cannot be repaired.",
    broken=lambda self, world, *, beyond_repair: (
        iter([world if world.running else replace(world, damaged=beyond_repair)])
    ))  # fmt: skip


@breaks("5.5.5-03", "5.1.1.1-03")
class RepairedStoreIsEmpty(QueueManager):
    """A store that was damaged is empty after its repair."""

    def broken(self, world: World, *, beyond_repair: bool) -> Iterator[World]:
        for after in super().broken(world, beyond_repair=beyond_repair):
            emptied = after
            for name in after.queues if beyond_repair else ():
                emptied = emptied.with_entries(name, ())
            yield emptied


@breaks("5.5.5-02")
class RepairLosesMessages(QueueManager):
    """A repair of the store loses its messages."""

    def broken(self, world: World, *, beyond_repair: bool) -> Iterator[World]:
        for after in super().broken(world, beyond_repair=beyond_repair):
            emptied = after
            for name in () if beyond_repair else after.queues:
                emptied = emptied.with_entries(name, ())
            yield emptied


NEVER_RETRIES = fault("never-retries", "5.1.1.1-06 6.4.4.1-01 6.6.2-11", "A start that fails is not tried again.",
    retried=lambda self, world: iter([world]))  # fmt: skip


@breaks("6.4.4.1-02", "6.6.2-10", "5.1.1.1-02")
class RunsAfterTheWaitWithoutTheSteps(QueueManager):
    """A start that failed succeeds after the wait, even with a damaged store."""

    def retried(self, world: World) -> Iterator[World]:
        waited = world.retrying and not world.running and world.now >= world.ended_at + _FIRST_RETRY
        yield from (replace(world, running=True, retrying=False),) if waited else super().retried(world)


SAYS_IT_INITIALIZES = fault("says-it-initializes", "5.1.1.1-04 6.6.1-08 6.6-06",
    "It says that it initialises while it runs.",
    states=lambda self, world: (
        (State.INITIALIZING,) if world.running else QueueManager.states(self, world)
    ))  # fmt: skip
SAYS_IT_STOPS = fault("says-it-stops", "5.1.1.1-18 5.1.1.1-10 5.1.1.1-02", "It says that it is stopping for ever.",
    states=lambda self, world: QueueManager.states(self, world) if world.running else (State.STOPPING,))  # fmt: skip
SAYS_IT_IS_INTEGRATED = fault("says-it-is-integrated", "4.3.1.3-01 6.6.1-06",
    "It says that it is integrated and is not.",
    modes=lambda self, world: ("integrated",))  # fmt: skip
DEAF_AFTER_RESTART = fault("deaf-after-restart", "5.1.1.1-09 5.5.1-01",
    "No waiting reader gets a message after a restart.",
    served=lambda self, world, name: (
        QueueManager.served(self, world, name) if world.ended_at < 0 else iter((world,))
    ))  # fmt: skip
FORGETS_PROPERTIES = fault("forgets-properties", "5.5.1-02 4.3.1-01", "A queue is a plain one after a restart.",
    restored=lambda self, queue: replace(QueueManager.restored(self, queue), properties=PLAIN))  # fmt: skip


@breaks("5.5.5-01", "3.3.4.4-02")
class FullStoreHalfATransaction(QueueManager):
    """A transaction for which there is no room is undone in part."""

    def aborted(self, world: World, transaction: TransactionId) -> Iterator[World]:
        for after in super().aborted(world, transaction):
            names = self.touched_by(world, transaction) if world.full else ()
            following = after
            for name in names[:1]:
                queue = self.shown(world.queues[name], transaction, last=True)
                following = following.with_entries(name, queue.entries)
            yield following
