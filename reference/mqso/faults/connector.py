"""Faults of connector servers, which stand for queues of other messaging systems (6.1.9)."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso.elements import CONNECTOR, Entry, MachineName, Queue, QueueName
from mqconform.reference.mqso.faults.network_fault import FaultTogether, breaks, fault
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import far, parts_of
from mqconform.reference.mqso.system import System
from mqconform.reference.mqso.transfers import Answers

FOREIGN_QUEUE_UNKNOWN = fault(Network, "foreign-queue-unknown", "6.1.9.5-01 5.1.1.2-31",
    "The gateway refuses a message for a foreign queue, as it has no queue of that name.",
    home=lambda self, system, name: parts_of(name))  # fmt: skip


@breaks("6.1.9.5-01", "5.1.1.2-31")
class ForeignMessagesStay(Network):
    """A message for a foreign queue has no next hop, and stays where it was sent."""

    def onward(self, system: System, machine: MachineName, name: QueueName) -> Answers:
        if self.home(system, name)[1] == CONNECTOR:
            return ((),)
        return super().onward(system, machine, name)


@breaks("5.1.1.2-31", "6.1.9.5-01")
class ForeignMessagesOnTheirOwn(Network):
    """The gateway keeps the messages of a foreign queue in a queue of that name."""

    def home(self, system: System, name: QueueName) -> tuple[MachineName, QueueName]:
        return parts_of(name)

    def entered_foreign(self, system: System, machine: MachineName, queue: QueueName) -> System:
        entered = super().entered_foreign(system, machine, queue)
        return entered.having(machine, entered.at(machine).with_queue(queue, Queue()))


@breaks("6.1.9.5-02")
class ConnectorSendsNothing(Network):
    """What an application sends at a connector server is for foreign queues, or goes nowhere."""

    def arrivals(self, system: System, machine: MachineName, entry: Entry) -> Iterator[System]:
        assert entry.message.to is not None
        if CONNECTOR in system.machines[machine].queues and self.home(system, entry.message.to)[1] != CONNECTOR:
            yield system
        else:
            yield from super().arrivals(system, machine, entry)


@breaks("6.1.9.5-02")
class AnswersToTheConnector(Network):
    """What an application sends at a connector server is put into the connector queue."""

    def arrivals(self, system: System, machine: MachineName, entry: Entry) -> Iterator[System]:
        assert entry.message.to is not None
        if CONNECTOR in system.machines[machine].queues and self.home(system, entry.message.to)[1] != CONNECTOR:
            back = replace(entry, message=replace(entry.message, to=far(machine, CONNECTOR)))
            yield from super().arrivals(system, machine, back)
        else:
            yield from super().arrivals(system, machine, entry)


CONNECTOR_FAULTS: Final = tuple(value for value in [*vars().values()] if isinstance(value, FaultTogether))
"""One for each rule of connector servers that queue managers can be seen to break."""
