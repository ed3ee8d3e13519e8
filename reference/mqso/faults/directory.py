"""Faults of queue managers with a directory: its loss and return, public queues and their changes."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso import events
from mqconform.reference.mqso.directory_contact import Contact
from mqconform.reference.mqso.elements import Entry, MachineName, Properties, QueueName
from mqconform.reference.mqso.events import At, Done, Event, Failed
from mqconform.reference.mqso.faults.network_fault import FaultTogether, breaks, fault
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import NetworkedQueueManager, far, is_far, is_public, parts_of
from mqconform.reference.mqso.system import Notice, System
from mqconform.reference.mqso.transfers import Results
from mqconform.reference.mqso.world import World


@breaks("5.1.1.1-17")
class TransfersByNameOffline(Network):
    """Messages for public queues are transferred without directory."""

    def may_transfer(self, system: System, machine: MachineName, name: QueueName) -> bool:
        contact = system.machines[machine].contact
        met = system if contact is None else self.knowing(system, machine, replace(contact, offline=False))
        return super().may_transfer(met, machine, name)

    def has_to_transfer(self, system: System, machine: MachineName, name: QueueName) -> bool:
        contact = system.machines[machine].contact
        return (contact is not None and contact.offline) or super().has_to_transfer(system, machine, name)


@breaks("5.1.1.1-16", "5.5.4-08")
class SendsNeedTheDirectory(Network):
    """Sends to other machines fail without directory."""

    def happens(self, event: Event, system: System) -> Results:
        if isinstance(event, At) and isinstance(event.event, events.Send):
            world = system.machines[event.machine]
            opened = world.handles.get(event.event.handle)
            if opened is not None and is_far(opened.queue) and world.contact is not None and world.contact.lost:
                yield system, Failed()
                return
        yield from super().happens(event, system)


@breaks("5.5.4-07", "5.5.4-01")
class AsksNoDirectory(Network):
    """Operations on the directory work although it is lost."""

    def asked_directory(self, system: System, machine: MachineName) -> Iterator[tuple[System, bool]]:
        for after, works in super().asked_directory(system, machine):
            contact = after.machines[machine].contact
            yield after, works or (contact is not None and contact.integrated)


@breaks("5.5.4-04")
class AsksADirectoryThatItNeverHad(Network):
    """Operations on the directory work after a start without it."""

    def asked_directory(self, system: System, machine: MachineName) -> Iterator[tuple[System, bool]]:
        for after, works in super().asked_directory(system, machine):
            contact = after.machines[machine].contact
            yield after, works or (contact is not None and not contact.integrated and contact.lost)


NEVER_SAYS_OFFLINE = fault(NetworkedQueueManager, "never-says-offline", "5.5.4-06 5.1.1.1-15",
    "DirectoryOffline is never true.",
    shows_offline=lambda self, world: (False,))  # fmt: skip


@breaks("5.5.4-08", "4.3.3-03")
class LossStopsAll(Network):
    """Without directory no queue is created and none sent to."""

    def happens(self, event: Event, system: System) -> Results:
        if isinstance(event, At) and isinstance(event.event, events.Send | events.CreateQueue):
            contact = system.machines[event.machine].contact
            if contact is not None and contact.integrated and contact.lost:
                yield system, Failed()
                return
        yield from super().happens(event, system)


@breaks("5.5.4-08", "4.3.3-03")
class LossStopsArrivals(Network):
    """Without directory no message of another machine is taken."""

    def may_transfer(self, system: System, machine: MachineName, name: QueueName) -> bool:
        host = system.machines.get(parts_of(name)[0])
        deaf = host is not None and host.contact is not None and host.contact.lost
        return not deaf and super().may_transfer(system, machine, name)


@breaks("5.5.4-09")
class NeverMeetsTheReturn(Network):
    """A directory that is back is not used until the next start."""

    def asked_directory(self, system: System, machine: MachineName) -> Iterator[tuple[System, bool]]:
        contact = system.machines[machine].contact
        if contact is not None and contact.offline:
            yield system, False
        else:
            yield from super().asked_directory(system, machine)

    def meetings(self, system: System, *, forced: bool) -> Iterator[System]:
        for machine, world in system.machines.items():
            contact = world.contact
            if not forced and contact is not None and contact.integrated and contact.lost and world.running:
                yield self.knowing(system, machine, replace(contact, offline=True))


@breaks("5.5.4-02", "5.5.4-04", "5.5.4-05", "4.3.1.3-01", "5.5.4-01")
class StartsIntegrated(NetworkedQueueManager):
    """A start without directory leads to Directory-Integrated mode, in which the directory is lost."""

    def initialized(self, world: World) -> Iterator[tuple[World, bool]]:
        contact = world.contact
        if contact is not None and contact.lost and contact.domain:
            yield replace(world, contact=replace(contact, offline=True)), True
        else:
            yield from super().initialized(world)


@breaks("5.5.4-03", "4.3.3-03")
class LittleWorksAfterAStartWithout(Network):
    """After a start without directory no send works."""

    def happens(self, event: Event, system: System) -> Results:
        if isinstance(event, At) and isinstance(event.event, events.Send):
            contact = system.machines[event.machine].contact
            if contact is not None and not contact.integrated and contact.domain:
                yield system, Failed()
                return
        yield from super().happens(event, system)


@breaks("5.5.4-05")
class IntegratedAgainByItself(Network):
    """A directory that comes back ends Workgroup mode without another start."""

    def directory_becomes(self, system: System, event: events.DirectoryBecomes) -> System:
        after = super().directory_becomes(system, event)
        for machine in event.machines:
            if after.machines[machine].contact is not None and after.machines[machine].running and not event.lost:
                after = self.knowing(after, machine, Contact())
        return after


@breaks("5.5.4-05")
class WorkgroupForGood(NetworkedQueueManager):
    """After a start without directory another start with it does not lead to Directory-Integrated mode."""

    def initialized(self, world: World) -> Iterator[tuple[World, bool]]:
        if world.contact is not None and not world.contact.integrated:
            yield world, True
        else:
            yield from super().initialized(world)


SENDS_BY_NAME_IN_WORKGROUP_MODE = fault(Network, "sends-by-name-in-workgroup-mode", "5.5.4-04 4.3.1.3-02",
    "In Workgroup mode messages are taken for public queues of other machines.",
    sent_by_name=lambda self, system, machine, event: self.at(system, machine, event))  # fmt: skip


@breaks("5.5.1-07", "5.5.1-05")
class DropsWhatIsPublic(Network):
    """A start without directory drops messages of public queues and for them."""

    def happens(self, event: Event, system: System) -> Results:
        for after, answer in super().happens(event, system):
            match event:
                case At(machine=machine, event=events.Start()):
                    yield self._without_public(after, machine), answer
                case _:
                    yield after, answer

    def _without_public(self, system: System, machine: MachineName) -> System:
        world = system.at(machine)
        if world.contact is None or not world.contact.lost:
            return system
        for name in world.queues:
            if is_public(name) or far(machine, name) in system.directory:
                world = world.with_entries(name, ())
        return system.having(machine, world)


STAYS_IN_ITS_DOMAIN = fault(Network, "stays-in-its-domain", "6.6.2.2-01 6.6.2-05",
    "A queue manager that left its domain works as before.",
    changes_domain=lambda self, system, machine, domain: (
        Network.changes_domain(self, system, machine, domain) if domain else system
    ))  # fmt: skip
TAKES_ANY_OBJECT_FOR_ITS_OWN = fault(NetworkedQueueManager, "takes-any-object-for-its-own", "5.5.6-03",
    "A queue manager does not look whether the directory's object of it is its own.",
    compared=lambda self, contact: replace(contact, offline=False))  # fmt: skip


@breaks("6.6.2.2-02")
class TakesItsQueuesAlong(Network):
    """A queue manager that leaves its domain removes its public queues from the directory."""

    def changes_domain(self, system: System, machine: MachineName, domain: str) -> System:
        after = super().changes_domain(system, machine, domain)
        for name in after.directory:
            if not domain and parts_of(name)[0] == machine:
                after = replace(after, directory=after.directory.without(name))
        return after


@breaks("6.6.2.2-01")
class LittleWorksOutOfItsDomain(Network):
    """A queue manager that left its domain takes no messages."""

    def happens(self, event: Event, system: System) -> Results:
        if isinstance(event, At) and isinstance(event.event, events.Send):
            contact = system.machines[event.machine].contact
            if contact is not None and contact.out:
                yield system, Failed()
                return
        yield from super().happens(event, system)


PUBLISHES_NOTHING = fault(Network, "publishes-nothing", "3.3.4.1-09 5.1.1.2-03 4.3.1.3-03",
    "A public queue is not in the directory.",
    found=lambda self, system, queue: frozenset())  # fmt: skip
FINDS_WHAT_RUNS = fault(Network, "finds-what-runs", "5.1.1.2-03 3.3.4.1-09",
    "A look into the directory finds no queue of a machine that is down.",
    found=lambda self, system, queue: frozenset(
        entry for entry in Network.found(self, system, queue) if system.machines[parts_of(entry[0])[0]].running
    ))  # fmt: skip
PUBLISHES_ITS_OWN_ALONE = fault(Network, "publishes-its-own-alone", "3.3.4.1-08",
    "Public queues of another machine are neither created nor changed.",
    published_from_afar=lambda self, system, event: iter([(system, Failed())]))  # fmt: skip
NOTIFIES_NOBODY = fault(Network, "notifies-nobody", "3.3.4.1-10 3.3.4.1-11 5.1.2-03 6.1.3.5-02",
    "A change in the directory never reaches the host.",
    noticed=lambda self, system, notice: system)  # fmt: skip


@breaks("6.1.3.5-02", "3.3.4.1-11")
class TakesOverNoChange(Network):
    """A host that is told of a change of a queue leaves the queue as it was."""

    def synchronized(self, system: System, notice: Notice) -> System:
        host, queue = parts_of(notice[1])
        if queue in system.machines[host].queues:
            return replace(system, notices=system.notices - {notice})
        return super().synchronized(system, notice)


@breaks("5.1.1.3-11", "3.3.4.1-11")
class MakesAChangedQueueAnew(Network):
    """A host that takes over a change of a queue makes that anew, without its messages."""

    def synchronized(self, system: System, notice: Notice) -> System:
        host, queue = parts_of(notice[1])
        world = system.at(host)
        emptied = world.with_entries(queue, ()) if queue in world.queues else world
        return super().synchronized(system.having(host, emptied), notice)


@breaks("3.3.4.1-06")
class FailsAfterTheChange(Network):
    """A change of a public queue fails without directory, and is done at its host."""

    def by_directory(self, system: System, event: At) -> Results:
        for after, answer in super().by_directory(system, event):
            if isinstance(event.event, events.SetQueue) and isinstance(answer, Failed):
                host = event.on or event.machine
                yield after.having(host, self.rules_at(host).changed(after.at(host), event.event)), answer
            else:
                yield after, answer


@breaks("6.1.3.5-01", "3.3.4.1-09")
class ChangesTheHostAlone(Network):
    """A change of a public queue is not in the directory."""

    def entered(self, system: System, name: QueueName, properties: Properties) -> System:
        return system if name in system.directory else super().entered(system, name, properties)

    def published_from_afar(self, system: System, event: At) -> Results:
        if isinstance(event.event, events.SetQueue):
            yield from self.at(system, event.on, event.event)
        else:
            yield from super().published_from_afar(system, event)


NOTICES_NEED_THE_NETWORK = fault(Network, "notices-need-the-network", "5.5.2-03",
    "A host that cannot be reached is never told of a change.",
    noticed=lambda self, system, notice: (
        Network.noticed(self, system, notice) if system.reaches(notice[0], parts_of(notice[1])[0]) else system
    ))  # fmt: skip


@breaks("5.1.1.2-04")
class PublishesAll(Network):
    """Private queues are in the directory."""

    def happens(self, event: Event, system: System) -> Results:
        for after, answer in super().happens(event, system):
            match event:
                case At(machine=machine, event=events.CreateQueue(queue=queue, public=False)) if answer == Done():
                    domain = after.machines[machine].contact is not None
                    yield (self.entered(after, far(machine, queue), Properties()) if domain else after), answer
                case _:
                    yield after, answer


@breaks("5.1.1.2-04", "4.3.3-03")
class TakesNamesOfTheDirectoryAlone(Network):
    """A public queue takes no messages with direct names."""

    def arrivals(self, system: System, machine: MachineName, entry: Entry) -> Iterator[System]:
        name = entry.message.to
        if name is not None and not is_public(name) and name in system.directory:
            yield system
        else:
            yield from super().arrivals(system, machine, entry)


@breaks("5.1.2-02", "3.3.4.1-09")
class PublishesUnderWhoAsked(Network):
    """A public queue that is created from afar is in the directory as one of the machine that was asked."""

    def published_from_afar(self, system: System, event: At) -> Results:
        for after, answer in super().published_from_afar(system, event):
            made = after.directory.keys() - system.directory.keys()
            yield (self.under_asked(after, event.machine, made) if made else after), answer

    def under_asked(self, system: System, machine: MachineName, names: set[QueueName]) -> System:
        """Return the system where the directory has queues as those of a machine."""
        for name in names:
            properties = system.directory[name]
            moved = system.directory.without(name).having(far(machine, parts_of(name)[1]), properties)
            notices = frozenset(notice for notice in system.notices if notice[1] != name)
            system = replace(system, directory=moved, notices=notices)
        return system


DIRECTORY_FAULTS: Final = tuple(value for value in [*vars().values()] if isinstance(value, FaultTogether))
"""One for each rule that machines with a directory can be seen to break."""
