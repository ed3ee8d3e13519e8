"""Faults of what a restart or a deletion leaves: requests of senders, changes of queues, deleted queues."""

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from mqconform.reference.mqso.elements import Message, Properties, Queue, QueueName
from mqconform.reference.mqso.events import Answer, SetQueue
from mqconform.reference.mqso.faults.fault import breaks
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World


@breaks("5.5.1-02", "5.5.1-07")
class ForgetsRequests(QueueManager):
    """Reports, dead letters and copies that were asked for are forgotten in a restart."""

    def stopped(self, world: World, *, suddenly: bool) -> Iterator[World]:
        for after in super().stopped(world, suddenly=suddenly):
            yield _changed(after, lambda message: replace(message, asked=frozenset(), dead_letter=False, journal=False))


@breaks("5.1.1-03", "5.5.1-02")
class ForgetsAnswers(QueueManager):
    """What a sender says of answers is forgotten in a restart."""

    def stopped(self, world: World, *, suddenly: bool) -> Iterator[World]:
        for after in super().stopped(world, suddenly=suddenly):
            yield _changed(after, lambda message: replace(message, correlation=None, response=None))


@breaks("5.5.1-02", "3.3.4.1-05", "5.1.1-01")
class ForgetsChanges(QueueManager):
    """A restart undoes the changes of a queue."""

    def changed(self, world: World, event: SetQueue) -> World:
        before = QueueName(f"*before {event.queue}")
        after = super().changed(world, event)
        return (
            after if before in world.queues else after.with_queue(before, Queue(world.queues[event.queue].properties))
        )

    def stopped(self, world: World, *, suddenly: bool) -> Iterator[World]:
        for after in super().stopped(world, suddenly=suddenly):
            undone = after
            for name, queue in after.queues.items():
                before = after.queues.get(QueueName(f"*before {name}"))
                if before is not None:
                    undone = undone.with_queue(name, replace(queue, properties=before.properties))
            yield undone


@breaks("5.1.1.2-14", "5.5.1-02", "5.1.1.2-02")
class CrashUndoesDeletions(QueueManager):
    """A queue that was deleted is there again after a crash, with its messages."""

    def deleted(self, world: World, name: QueueName) -> Iterator[World]:
        for after in super().deleted(world, name):
            yield after.with_queue(QueueName(f"*deleted {name}"), replace(world.queues[name], readers=()))

    def stopped(self, world: World, *, suddenly: bool) -> Iterator[World]:
        for after in super().stopped(world, suddenly=suddenly):
            undone = after
            for name, queue in after.queues.items() if suddenly else ():
                original = QueueName(name.removeprefix("*deleted "))
                if original not in after.queues:
                    undone = undone.with_queue(original, queue)
            yield undone


@breaks("5.1.1.3-06", "4.3.1.2-16")
class LosesWhatExpiresMeanwhile(QueueManager):
    """What times out while it is stopped is lost, whatever its sender asked for."""

    def begun(self, world: World) -> Iterator[tuple[World, Answer]]:
        left = world
        for name, queue in world.queues.items():
            in_time = (entry for entry in queue.entries if entry.until is None or entry.until > world.now)
            left = left.with_entries(name, in_time)
        yield from super().begun(left)


@breaks("3.3.4.1-05", "5.1.1.2-14")
class CreatedAsItWas(QueueManager):
    """A queue that is made anew has the properties of the one that was deleted."""

    def deleted(self, world: World, name: QueueName) -> Iterator[World]:
        for after in super().deleted(world, name):
            yield after.with_queue(QueueName(f"*was {name}"), Queue(world.queues[name].properties))

    def created(self, world: World, name: QueueName, properties: Properties) -> World:
        earlier = world.queues.get(QueueName(f"*was {name}"))
        return super().created(world, name, properties if earlier is None else earlier.properties)


def _changed(world: World, change: Callable[[Message], Message]) -> World:
    """Return a world with all its messages changed."""
    after = world
    for name, queue in world.queues.items():
        after = after.with_entries(name, (replace(entry, message=change(entry.message)) for entry in queue.entries))
    return after
