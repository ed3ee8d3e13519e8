"""Faults of messages on their way: what loses their timers, keeps them, or takes them in where nothing may be taken."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso.elements import Entry, MachineName, QueueName
from mqconform.reference.mqso.events import At, Done, Event
from mqconform.reference.mqso.faults.network_fault import FaultTogether, breaks, fault
from mqconform.reference.mqso.immutable import FrozenMap
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import NetworkedQueueManager, is_far
from mqconform.reference.mqso.system import System
from mqconform.reference.mqso.transfers import Results
from mqconform.reference.mqso.world import World


@breaks("5.1.1.3-04", "5.5.1-03")
class TimersEndWithARestart(NetworkedQueueManager):
    """What waits for another machine has no timers any more after a restart."""

    def stopped(self, world: World, *, suddenly: bool) -> Iterator[World]:
        for after in super().stopped(world, suddenly=suddenly):
            timeless = after
            for name, queue in after.queues.items():
                if is_far(name):
                    timers_gone = (replace(entry, until=None, reach_until=None) for entry in queue.entries)
                    timeless = timeless.with_entries(name, timers_gone)
            yield timeless


@breaks("5.1.1.3-04")
class LaterTimerDiscards(NetworkedQueueManager):
    """Of the two timers of a message on its way, the one that ends last discards it."""

    def expires(self, entry: Entry) -> int | None:
        if entry.message.to is None or entry.until is None or entry.reach_until is None:
            return super().expires(entry)
        return max(entry.until, entry.reach_until)


@breaks("5.5.1-08", "5.1.1.3-03")
class KeepsExpressOutgoingInOrder(NetworkedQueueManager):
    """Express messages for other machines outlive a stop in order."""

    def stopped(self, world: World, *, suddenly: bool) -> Iterator[World]:
        waiting = {} if suddenly else {name: queue for name, queue in world.queues.items() if is_far(name)}
        for after in super().stopped(world, suddenly=suddenly):
            following = after
            for name, queue in waiting.items():
                committed = (entry for entry in queue.entries if entry.hidden_by is None)
                following = following.with_entries(name, committed)
            yield following


TRANSFERS_WITH_COORDINATOR_ONLY = fault(Network, "transfers-with-coordinator-only", "5.5.3-05",
    "Nothing is transferred from a machine that has lost its coordinator.",
    may_transfer=lambda self, system, machine, name: (
        not system.machines[machine].coordinator_lost and Network.may_transfer(self, system, machine, name)
    ))  # fmt: skip


@breaks("5.1.1.1-11")
class TakesFromAfarWhileThrottled(Network):
    """While it is throttled a queue manager takes messages of others."""

    def next_machines(
        self, system: System, machine: MachineName, name: QueueName, *, forced: bool = False
    ) -> tuple[MachineName, ...]:
        at_ease = {other: replace(world, throttled=False) for other, world in system.machines.items()}
        return super().next_machines(replace(system, machines=FrozenMap(at_ease)), machine, name, forced=forced)


ROOM_FOR_ALL_FROM_AFAR = fault(NetworkedQueueManager, "room-for-all-from-afar", "5.1.1.2-07",
    "A queue takes what comes from other machines, whether it has room or not.",
    has_room=lambda self, queue, message: (
        bool(message.source) or NetworkedQueueManager.has_room(self, queue, message)
    ))  # fmt: skip
DROPS_CORRELATION = fault(NetworkedQueueManager, "drops-correlation", "5.1.1-03",
    "What a message answers is lost on the way.",
    as_it_arrives=lambda self, message: (
        replace(NetworkedQueueManager.as_it_arrives(self, message), correlation=None)
    ))  # fmt: skip


@breaks("6.1.6.5-01")
class DropsReportsForWhoIsDown(Network):
    """An acknowledgment for a queue manager that does not run is dropped."""

    def results(self, event: Event, system: System) -> Results:
        down = [f"{name}/" for name, world in system.machines.items() if not world.running]
        for after, answer in super().results(event, system):
            left = after
            for machine, world in after.machines.items():
                for name, queue in world.queues.items():
                    if name.startswith(tuple(down)):
                        messages = (entry for entry in queue.entries if not entry.message.report)
                        left = left.having(machine, left.at(machine).with_entries(name, messages))
            yield left, answer


@breaks("3.3.4.7-02", "6.1.2.5-02")
class AbortsWhereItReaches(Network):
    """What a transaction received from a machine that is out of reach when it aborts stays locked there."""

    def ended(self, system: System, event: At) -> Results:
        away = [machine for machine in system.machines if not system.reaches(event.machine, machine)]
        for after, answer in super().ended(system, event):
            left = after
            for machine in away if answer == Done() else ():
                left = left.having(machine, system.at(machine))
            yield left, answer


TRANSIT_FAULTS: Final = tuple(value for value in [*vars().values()] if isinstance(value, FaultTogether))
"""One for each rule that messages on their way can be seen to break."""
