"""How a message for a multicast address becomes a message for each queue that has the address (6.1.8)."""

from collections.abc import Iterator

from msgspec.structs import replace

from mqconform.reference.mqso.elements import Entry, MachineName, Queue, QueueName
from mqconform.reference.mqso.networked_queue_manager import far, is_multicast, parts_of
from mqconform.reference.mqso.system import System, without


class Multicast:
    """Who receives a multicast message."""

    def multicasts(self, system: System) -> Iterator[System]:
        """Yield what comes of sending a multicast message: each queue of its address has a copy on its way.

        Section 6.1.8.5 (MQSO-6.1.8.5-01).
        """
        for machine, world in system.machines.items():
            for name, queue in world.queues.items():
                if not is_multicast(name) or not queue.available or not world.running:
                    continue
                entry = next(entry for entry in queue.entries if entry.available)
                sent = without(system, (machine, name, entry.message.key))
                for other, there in self.receivers(system, parts_of(name)[1]):
                    sent = self.copied(sent, machine, entry, other, there)
                yield sent

    def receivers(self, system: System, address: str) -> list[tuple[MachineName, QueueName]]:
        """Return the queues that a multicast address reaches (MQSO-6.1.8.5-01)."""
        return [
            (machine, name)
            for machine, world in system.machines.items()
            for name, queue in world.queues.items()
            if queue.properties.multicast == address
        ]

    def copied(self, system: System, machine: MachineName, entry: Entry, to: MachineName, queue: QueueName) -> System:
        """Return a system where a copy of a message waits for a queue."""
        name = far(to, queue)
        world = system.at(machine)
        waiting = world.queues.get(name) or Queue()
        copy = replace(entry, message=replace(entry.message, to=name))
        return system.having(machine, world.with_queue(name, replace(waiting, entries=(*waiting.entries, copy))))
