"""Faults of multicast addresses."""

from typing import Final

from mqconform.reference.mqso.elements import MachineName, QueueName
from mqconform.reference.mqso.faults.network_fault import FaultTogether, breaks, fault
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.system import System

FIRST_MULTICAST_QUEUE_ONLY = fault(Network, "first-multicast-queue-only", "6.1.8.5-01",
    "Of the queues of a multicast address the first one gets a message.",
    receivers=lambda self, system, address: Network.receivers(self, system, address)[:1])  # fmt: skip
ONE_MULTICAST_QUEUE_OF_A_MACHINE = fault(Network, "one-multicast-queue-of-a-machine", "6.1.8.5-01",
    "Of the queues of a multicast address each machine has one that gets a message.",
    receivers=lambda self, system, address: (
        [*dict(reversed(Network.receivers(self, system, address))).items()]
    ))  # fmt: skip


@breaks("6.1.8.5-01")
class ReachesAllMulticastQueues(Network):
    """A multicast message is in the queues of all multicast addresses."""

    def receivers(self, system: System, address: str) -> list[tuple[MachineName, QueueName]]:
        queues = (queue for world in system.machines.values() for queue in world.queues.values())
        addresses = {queue.properties.multicast or "" for queue in queues} - {""}
        of_address = super().receivers
        return [pair for other in sorted(addresses) for pair in of_address(system, other)]


MULTICAST_FAULTS: Final = tuple(value for value in [*vars().values()] if isinstance(value, FaultTogether))
"""One for each rule of multicast addresses that queue managers can be seen to break."""
