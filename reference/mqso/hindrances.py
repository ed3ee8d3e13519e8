"""What hinders a message from leaving its machine, and which messages go as ordered streams (3.2.1, 5.1.1)."""

from collections.abc import Iterable

from mqconform.reference.mqso.elements import Assurance, Entry, Key, MachineName, QueueName
from mqconform.reference.mqso.station import is_public, parts_of
from mqconform.reference.mqso.system import System, Unacknowledged


def meets(system: System, machine: MachineName, other: MachineName) -> bool:
    """Return whether nothing hinders a machine from handing a message to another."""
    world = system.machines[other]
    takes = world.running and not world.throttled and not world.full and other not in system.offline
    return takes and system.linked(machine, other)


def waits_for_directory(system: System, machine: MachineName, name: QueueName) -> bool:
    """Return whether messages of an outgoing queue wait for the directory: those with its names do.

    Section 5.1.1.1 (MQSO-5.1.1.1-17), register QM-22.
    """
    contact = system.machines[machine].contact
    return is_public(name) and contact is not None and contact.offline


def is_ordered(entry: Entry) -> bool:
    """Return whether a message belongs to a stream: letters of queue managers do not."""
    message = entry.message
    for_system = message.to is not None and parts_of(message.to)[1].startswith("*")
    return message.assurance is Assurance.TRANSACTIONAL and message.report is None and not for_system


def ordered_in(entries: Iterable[Entry]) -> list[Entry]:
    """Return the messages of a stream among those that wait, in order."""
    return [entry for entry in entries if entry.available and is_ordered(entry)]


def system_without(system: System, machine: MachineName, name: QueueName, keys: set[Key]) -> System:
    """Return a system where messages have left an outgoing queue."""
    world = system.at(machine)
    if not keys or name not in world.queues:
        return system
    remaining = [entry for entry in world.queues[name].entries if entry.message.key not in keys]
    return system.having(machine, world.with_entries(name, remaining))


def without(system: System, transfer: Unacknowledged) -> System:
    """Return a system where one message has left an outgoing queue."""
    machine, name, key = transfer
    return system_without(system, machine, name, {key})
