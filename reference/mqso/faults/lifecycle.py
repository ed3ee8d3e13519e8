"""Faults of ends, starts, throttling and the store."""

from collections.abc import Iterator
from typing import Any, Final

from msgspec.structs import replace

from mqconform.reference.mqso.elements import (
    PLAIN,
    SECOND,
    Assurance,
    Entry,
    Message,
    Queue,
    QueueName,
    State,
    TransactionId,
)
from mqconform.reference.mqso.events import Answer, Event, Failed, SetQueue
from mqconform.reference.mqso.faults.fault import breaks
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World

_FIRST_RETRY: Final = 120 * SECOND


@breaks("5.1.1-05", "5.1.1.2-16")
class CursorSurvives(QueueManager):
    """Cursors outlive a restart."""

    def cursors_after(self, cursors: Any) -> Any:
        return cursors


@breaks("5.5.1-08", "1.1-03", "3.2.1-01", "5.1.1.3-03")
class KeepsExpress(QueueManager):
    """Express messages survive."""

    def outlives(self, entry: Entry) -> bool:
        return entry.hidden_by is None


@breaks("5.5.1-07", "1.1-05", "3.2.1-02")
class LosesRecoverable(QueueManager):
    """Recoverable messages are lost in a restart."""

    def outlives(self, entry: Entry) -> bool:
        return entry.hidden_by is None and entry.message.assurance is Assurance.TRANSACTIONAL


@breaks("5.5.1-04", "1.1-02", "3.2.1-04")
class LosesTransactional(QueueManager):
    """Transactional messages are lost in a restart."""

    def outlives(self, entry: Entry) -> bool:
        return entry.hidden_by is None and entry.message.assurance is Assurance.RECOVERABLE


@breaks("5.5.1-02", "3.3.4.4-01")
class CommitsWhatWasOpen(QueueManager):
    """What was sent and not committed shows after a restart."""

    def restored(self, queue: Queue) -> Queue:
        entries = [replace(entry, hidden_by=None, locked_by=None) for entry in queue.entries]
        return Queue(
            queue.properties, tuple(entry for entry in entries if entry.message.assurance is not Assurance.EXPRESS)
        )


@breaks("5.5.1-04", "1.1-02", "3.2.1-04")
class LockedAreGone(QueueManager):
    """What was received and not committed is gone after a restart."""

    def outlives(self, entry: Entry) -> bool:
        return super().outlives(entry) and entry.locked_by is None


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


@breaks("6.7.1-01", "5.1.1.1-03")
class ServesWhileStopped(QueueManager):
    """Calls succeed while it is stopped."""

    def refuses_while_stopped(self) -> bool:
        return False


@breaks("5.1.1.1-11", "5.1.1.1-12")
class DeafToThrottling(QueueManager):
    """Messages are accepted while it is throttled."""

    def refuses_all(self, world: World) -> bool:
        return False


@breaks("5.1.1.1-13")
class ThrottledForEver(QueueManager):
    """Throttling never ends."""

    def throttled(self, world: World, *, on: bool) -> World:
        return replace(world, throttled=world.throttled or on)


@breaks("5.5.5-01")
class FullStoreTakesOn(QueueManager):
    """A full store takes messages on and keeps them."""

    def can_keep(self, world: World, message: Message) -> Iterator[tuple[World, bool]]:
        yield world, True


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


@breaks("5.1.1.1-02", "5.1.1.1-05", "5.5.5-03", "6.6.2-09", "6.6.2-10")
class RunsAfterFailedStart(QueueManager):
    """It starts with a store that cannot be repaired."""

    def begun(self, world: World) -> Iterator[tuple[World, Answer]]:
        yield from super().begun(replace(world, damaged=False))


@breaks("5.5.5-03", "5.1.1.1-10")
class BrokenStoreGoesOn(QueueManager):
    """It goes on with a store that cannot be repaired."""

    def broken(self, world: World, *, beyond_repair: bool) -> Iterator[World]:
        yield world if world.running else replace(world, damaged=beyond_repair)


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


@breaks("5.1.1.1-06", "6.4.4.1-01", "6.6.2-11")
class NeverRetries(QueueManager):
    """A start that fails is not tried again."""

    def retried(self, world: World) -> Iterator[World]:
        yield world


@breaks("6.4.4.1-02", "6.6.2-10", "5.1.1.1-02")
class RunsAfterTheWaitWithoutTheSteps(QueueManager):
    """A start that failed succeeds after the wait, even with a damaged store."""

    def retried(self, world: World) -> Iterator[World]:
        waited = world.retrying and not world.running and world.now >= world.ended_at + _FIRST_RETRY
        yield from (replace(world, running=True, retrying=False),) if waited else super().retried(world)


@breaks("5.1.1.1-04", "6.6.1-08", "6.6-06")
class SaysItInitializes(QueueManager):
    """It says that it initialises while it runs."""

    def states(self, world: World) -> tuple[State, ...]:
        return (State.INITIALIZING,) if world.running else super().states(world)


@breaks("5.1.1.1-18", "5.1.1.1-10", "5.1.1.1-02")
class SaysItStops(QueueManager):
    """It says that it is stopping for ever."""

    def states(self, world: World) -> tuple[State, ...]:
        return super().states(world) if world.running else (State.STOPPING,)


@breaks("4.3.1.3-01", "6.6.1-06")
class SaysItIsIntegrated(QueueManager):
    """It says that it is integrated and is not."""

    def modes(self, world: World) -> tuple[str, ...]:
        return ("integrated",)


@breaks("5.1.1.1-09", "5.5.1-01")
class DeafAfterRestart(QueueManager):
    """No waiting reader gets a message after a restart."""

    def served(self, world: World, name: QueueName) -> Iterator[World]:
        yield from super().served(world, name) if world.ended_at < 0 else iter((world,))


@breaks("5.5.1-02", "4.3.1-01")
class ForgetsProperties(QueueManager):
    """A queue is a plain one after a restart."""

    def restored(self, queue: Queue) -> Queue:
        return replace(super().restored(queue), properties=PLAIN)


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
