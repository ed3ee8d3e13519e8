"""What queue managers do by the directory: public queues, names, notices, objects of their own (3.3.4.1, 5.1.2, 5.5.4).

A queue manager meets the loss of the directory when it asks for something, or sooner. Until it has met it and after the
directory is back, what needs the directory may work or fail; in the end, without hindrance, it works.
"""

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mqconform.reference.mqso import events
from mqconform.reference.mqso.directory_contact import Contact
from mqconform.reference.mqso.elements import CONNECTOR, Access, MachineName, Opened, Properties, Queue, QueueName
from mqconform.reference.mqso.events import At, Done, Event, Failed, Found
from mqconform.reference.mqso.networked_queue_manager import far, is_public, parts_of
from mqconform.reference.mqso.readings import HostOutOfReach, StrangeObject
from mqconform.reference.mqso.system import Notice, System
from mqconform.reference.mqso.transfers import Results
from mqconform.reference.mqso.world import decided

if TYPE_CHECKING:
    from mqconform.reference.mqso.network import Network


def is_of_directory(network: "Network", system: System, event: At) -> bool:
    """Return whether a call needs the directory: for public queues, or for their names."""
    inner, world = event.event, system.machines[event.machine]
    match inner:
        case events.FindQueues():
            return True
        case events.CreateQueue(public=True):
            return world.contact is not None
        case events.SetQueue(queue):
            return far(event.on or event.machine, queue) in system.directory
        case events.Open(queue=name):
            return is_public(name)
        case events.Send(handle=handle) if handle in world.handles:
            return is_public(world.handles[handle].queue)
        case _:
            return False


def by_directory(network: "Network", system: System, event: At) -> Results:
    """Yield what comes of a call that needs the directory.

    Sections 4.3.1.3, 5.5.2 and 5.5.4 (MQSO-4.3.1.3-03, MQSO-5.5.4-04, MQSO-5.5.4-07).
    """
    machine, inner = event.machine, event.event
    if isinstance(inner, events.Open):
        yield from network.opened_by_name(system, machine, inner)
    elif isinstance(inner, events.Send):
        yield from network.sent_by_name(system, machine, inner)
    else:
        for after, works in network.asked_directory(system, machine):
            if not works:
                yield after, Failed()
                if isinstance(inner, events.FindQueues) and network.is_in_no_domain(system, machine):
                    yield after, Found(frozenset())
            elif isinstance(inner, events.FindQueues):
                yield after, Found(network.found(after, inner.queue))
            elif event.on in {"", machine}:
                yield from network.published_here(after, machine, inner)
            else:
                yield from network.published_from_afar(after, event)


def is_in_no_domain(network: "Network", system: System, machine: MachineName) -> bool:
    """Return whether a machine has no directory to ask, so that to find nothing is as good as to fail (1.1)."""
    contact = system.machines[machine].contact
    return contact is None or contact.out


def asked_directory(network: "Network", system: System, machine: MachineName) -> Iterator[tuple[System, bool]]:
    """Yield whether an operation on the directory works; one that cannot shows that the directory is lost.

    Sections 5.1.1.1 and 5.5.4 (MQSO-5.1.1.1-15, MQSO-5.5.4-06, MQSO-5.5.4-07).
    """
    contact = system.machines[machine].contact
    if contact is None or not contact.integrated:
        yield system, False
    elif contact.lost:
        yield network.knowing(system, machine, replace(contact, offline=True)), False
    else:
        if contact.offline:
            yield system, False
        if not contact.offline or network.may_regain(system, machine):  # objects are compared at a start only
            yield network.regained(system, machine, contact), True


def found(network: "Network", system: System, queue: QueueName) -> frozenset[tuple[QueueName, int | None]]:
    """Return the public queues of a name with what the directory says of them (5.1.1.2, MQSO-5.1.1.2-03)."""
    named = ((name, properties) for name, properties in system.directory.items() if parts_of(name)[1] == queue)
    return frozenset((name, properties.room) for name, properties in named)


def published_here(network: "Network", system: System, machine: MachineName, event: Event) -> Results:
    """Yield what comes of creating or changing a public queue at its host, and in the directory."""
    inner = replace(event, public=False) if isinstance(event, events.CreateQueue) else event
    assert isinstance(inner, events.CreateQueue | events.SetQueue)
    existed = inner.queue in system.machines[machine].queues
    for after, answer in network.at(system, machine, inner):
        again = existed and isinstance(inner, events.CreateQueue)
        if isinstance(answer, Failed) or again:
            yield after, answer
        else:
            properties = after.machines[machine].queues[inner.queue].properties
            yield network.entered(after, far(machine, inner.queue), properties), answer


def published_from_afar(network: "Network", system: System, event: At) -> Results:
    """Yield what comes of creating or changing a public queue of another machine.

    The directory has it first, and the host is notified; when it takes the change over is its own affair (register
    QM-33). Sections 3.3.4.1 and 6.1.3 (MQSO-3.3.4.1-08, MQSO-3.3.4.1-09, MQSO-6.1.3.5-01).
    """
    host, inner = event.on, event.event
    assert isinstance(inner, events.CreateQueue | events.SetQueue)
    name = far(host, inner.queue)
    there = system.machines.get(host)
    if there is None or there.contact is None:
        yield system, Failed()
    elif isinstance(inner, events.CreateQueue) and (name in system.directory or inner.queue in there.queues):
        yield system, Failed()
        yield system, Done()
    else:
        reached = system.reaches(event.machine, host) and there.contact.usable
        choices = [(system.at(host), HostOutOfReach.DONE)] if reached else decided(system.at(host), HostOutOfReach)
        for world, choice in choices:
            following = replace(system, followed=world.followed)
            if choice is HostOutOfReach.REFUSED:
                yield following, Failed()
                continue
            if isinstance(inner, events.CreateQueue):
                properties = inner.properties
            else:
                properties = replace(system.directory[name], room=inner.room)
            changed = network.entered(following, name, properties)
            yield network.noticed(changed, (event.machine, name)), Done()


def entered(network: "Network", system: System, name: QueueName, properties: Properties) -> System:
    """Return the system with what the directory says of a queue (3.3.4.1, MQSO-3.3.4.1-09)."""
    return replace(system, directory=system.directory.having(name, properties))


def entered_foreign(network: "Network", system: System, machine: MachineName, queue: QueueName) -> System:
    """Return the system with a foreign queue in the directory, and the connector queue of its connector server.

    Section 6.1.9.4.
    """
    world = system.at(machine)
    connected = world if CONNECTOR in world.queues else world.with_queue(CONNECTOR, Queue())
    return network.entered(system.having(machine, connected), far(machine, queue), Properties(foreign=True))


def noticed(network: "Network", system: System, notice: Notice) -> System:
    """Return the system where a host is to be told of a change (3.3.4.1, 5.1.2, MQSO-3.3.4.1-10, MQSO-5.1.2-03)."""
    return replace(system, notices=system.notices | {notice})


def opened_by_name(network: "Network", system: System, machine: MachineName, event: events.Open) -> Results:
    """Yield what comes of opening a public queue by its name in the directory; Workgroup mode has no such names.

    Sections 4.3.1.3 and 5.5.4 (MQSO-4.3.1.3-02, MQSO-5.5.4-04). While the directory is lost a queue may be opened
    or not.
    """
    contact = system.machines[machine].contact
    host, queue = parts_of(event.queue)
    sends = event.access is Access.SEND
    published = contact is not None and contact.integrated and far(host, queue) in system.directory
    if published and host == machine:
        yield from network.at(system, machine, replace(event, queue=queue))
    elif published and not sends:
        yield from network.opened(system, machine, replace(event, queue=far(host, queue)))
    elif sends:  # the checks may be those of the send
        handles = system.machines[machine].handles.having(event.handle, Opened(event.queue, event.access))
        yield system.having(machine, replace(system.at(machine), handles=handles)), Done()
    if not published or contact is None or not contact.usable:
        yield system, Failed()


def opened(network: "Network", system: System, machine: MachineName, event: events.Open) -> Results:
    """Yield what comes of opening another machine's queue: sending does not need that machine (3.3.4.3)."""
    to, queue = parts_of(event.queue)
    world = replace(
        system.at(machine),
        handles=system.machines[machine].handles.having(event.handle, Opened(event.queue, event.access)),
    )
    yield system.having(machine, world), Done()
    there = system.machines.get(to)
    fails = not system.reaches(machine, to) or there is None or queue not in there.queues
    if (event.access is not Access.SEND and fails) or not network.rules_at(machine).takes_sends(event.queue):
        yield system, Failed()


def sent_by_name(network: "Network", system: System, machine: MachineName, event: events.Send) -> Results:
    """Yield what comes of a send by a name of the directory: it is taken while the directory is lost.

    Sections 4.3.1.3 and 5.1.1.1 (MQSO-5.1.1.1-16, MQSO-4.3.1.3-02).
    """
    contact = system.machines[machine].contact
    host, queue = parts_of(system.machines[machine].handles[event.handle].queue)
    published = far(host, queue) in system.directory
    if contact is not None and contact.integrated:
        yield from network.at(system, machine, event)
    if contact is None or not contact.integrated or not published:
        yield system, Failed()


def knowing(network: "Network", system: System, machine: MachineName, contact: Contact) -> System:
    """Return the system where a machine knows what it has of the directory."""
    return system.having(machine, replace(system.at(machine), contact=contact))


def may_regain(network: "Network", system: System, machine: MachineName) -> bool:
    """Return whether a machine can work with a directory that is in reach: with a strange object not at its start.

    Section 5.5.6 (MQSO-5.5.6-03).
    """
    world = system.machines[machine]
    own = world.contact is not None and world.contact.own
    return own or world.now > world.ended_at


def regained(network: "Network", system: System, machine: MachineName, contact: Contact) -> System:
    """Return the system where a machine works with the directory; where its object is strange, see QM-31."""
    after = network.knowing(system, machine, replace(contact, offline=False))
    doubtful = contact.offline and not contact.own
    return replace(after, followed=after.followed | {StrangeObject.BY_ITSELF}) if doubtful else after


def directory_becomes(network: "Network", system: System, event: events.DirectoryBecomes) -> System:
    """Return the system where the directory has gone out of the reach of machines, or is back."""
    for machine in event.machines:
        world = system.at(machine)
        if world.contact is not None:
            met = replace(world, contact=replace(world.contact, lost=event.lost))
            waits = world.retrying and not world.damaged and not event.lost
            system = system.having(machine, replace(met, repaired_at=world.now) if waits else met)
    return system


def meetings(network: "Network", system: System, *, forced: bool) -> Iterator[System]:
    """Yield the system where a machine meets that the directory is lost or, in the end by itself, that it is back.

    Section 5.5.4 (MQSO-5.5.4-06, MQSO-5.5.4-09).
    """
    for machine, world in system.machines.items():
        contact = world.contact
        if contact is None or not contact.integrated or not world.running or contact.lost == contact.offline:
            continue
        if contact.lost and not forced:
            yield network.knowing(system, machine, replace(contact, offline=True))
        elif not contact.lost and network.may_regain(system, machine) and (contact.own or not forced):
            yield network.regained(system, machine, contact)


def taken_over(network: "Network", system: System, notice: Notice, *, forced: bool) -> Iterator[System]:
    """Yield what may become of a notice: the host takes over what the directory says.

    An outage does not harm it; whether it outlives the end of a machine, or a directory that its reader has not, is
    not said. Sections 3.3.4.1, 5.5.2 and 6.1.3 (MQSO-3.3.4.1-11, MQSO-5.5.2-03, MQSO-6.1.3.5-02).
    """
    machine, name = notice
    host = parts_of(name)[0]
    sender, there = system.machines[machine], system.machines[host]
    reads = there.running and there.contact is not None and there.contact.usable
    sends = sender.contact is not None and not sender.contact.lost and not sender.contact.offline
    free = sends and system.reaches(machine, host) and not there.throttled and not there.full
    if reads and (free or not forced):
        yield network.synchronized(system, notice)
    elif not forced and not (reads and sender.running):
        yield replace(system, notices=system.notices - {notice})


def synchronized(network: "Network", system: System, notice: Notice) -> System:
    """Return the system where a host has taken over what the directory says (MQSO-6.1.3.5-02)."""
    name = notice[1]
    host, queue = parts_of(name)
    properties, world = system.directory[name], system.at(host)
    if queue in world.queues:
        world = world.with_queue(queue, replace(world.queues[queue], properties=properties))
    else:
        world = network.rules_at(host).created(world, queue, properties)
    return replace(system.having(host, world), notices=system.notices - {notice})


def has_to_transfer(network: "Network", system: System, machine: MachineName, name: QueueName) -> bool:
    """Return whether the directory leaves no reason why messages of an outgoing queue wait.

    Without contact direct names may wait as well (register QM-22); in Workgroup mode for want of a directory public
    names may, and so may messages for public queues whose host has none (register QM-24). Section 5.5.4
    (MQSO-5.5.4-03, MQSO-5.5.4-08, MQSO-5.5.4-09).
    """
    here, (to, queue) = system.machines[machine].contact, parts_of(name)
    if here is not None and here.integrated and not here.usable:
        return False
    if is_public(name) and (here is None or not here.integrated):
        return False
    host = system.machines.get(to)
    public_there = far(to, queue) in system.directory
    return not (public_there and host is not None and host.contact is not None and not host.contact.usable)


def next_by_directory(network: "Network", system: System) -> System | None:
    """Return the system after the next notice or look that nothing holds back, None where there is none."""
    notices = (after for notice in sorted(system.notices) for after in network.taken_over(system, notice, forced=True))
    return next(chain(network.meetings(system, forced=True), notices), None)


def changes_domain(network: "Network", system: System, machine: MachineName, domain: str) -> System:
    """Return the system where a machine is in another domain or in none; its objects stay (MQSO-6.6.2.2-02)."""
    contact = system.machines[machine].contact
    return system if contact is None else network.knowing(system, machine, replace(contact, domain=domain))


def put_object(network: "Network", system: System, event: events.PutObject) -> System:
    """Return the system where the directory has an object of a queue manager in a domain (5.5.6, 6.6.2.1)."""
    contact = system.machines[event.machine].contact
    if contact is None:
        return system
    return network.knowing(system, event.machine, contact.with_object(event.domain or contact.domain, own=event.own))


def shown_objects(network: "Network", system: System, event: events.ShowObjects) -> tuple[System, events.Objects]:
    """Return the directory's objects of queue managers, and the system where their identifiers were shown.

    Section 5.1.2 (MQSO-5.1.2-01).
    """
    identifiers, objects = list(system.identifiers), set()
    contacts = {machine: world.contact for machine, world in system.machines.items() if world.contact is not None}
    for machine, contact in sorted(contacts.items(), key=lambda item: item[0]):
        for domain, number in sorted(contact.objects.items()):
            identifier = network.identifier(machine, number)
            if identifier not in identifiers:
                identifiers.append(identifier)
            own = number == contact.identifier if machine in event.identified else None
            roles = network.shown_roles(contact) if machine in event.with_roles else (None, None)
            objects.add(events.ShownObject(machine, domain, identifiers.index(identifier), own, *roles))
    return replace(system, identifiers=tuple(identifiers)), events.Objects(frozenset(objects))


def identifier(network: "Network", machine: MachineName, number: int) -> tuple[MachineName, int]:
    """Return what tells an identifier apart from all others, also of other machines (6.6.1, MQSO-6.6.1-04)."""
    return machine, number


def shown_roles(network: "Network", contact: Contact) -> tuple[bool, bool]:
    """Return whether the directory says that this is a routing server, and a directory server.

    Section 6.6.1 (MQSO-6.6.1-02, MQSO-6.6.1-07).
    """
    return contact.roles.routing, contact.roles.directory
