"""Faults of queue managers that are provisioned in a domain, or whose machines are moved to another one."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso import events
from mqconform.reference.mqso.directory_contact import Contact
from mqconform.reference.mqso.elements import MachineName
from mqconform.reference.mqso.events import Answer, Failed
from mqconform.reference.mqso.faults.network_fault import FaultTogether, breaks, fault
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import NetworkedQueueManager
from mqconform.reference.mqso.system import System
from mqconform.reference.mqso.world import World


@breaks("6.6.2-02", "6.6.2-06", "6.6.2.1-01")
class MeetsNoOtherDomain(NetworkedQueueManager):
    """A queue manager does not compare its domain with the last one."""

    def in_its_domain(self, world: World, contact: Contact) -> Iterator[World]:
        unchanged = replace(contact, last_domain=contact.domain) if contact.last_domain else contact
        yield from super().in_its_domain(world, unchanged)


REGISTERS_NOWHERE = fault(NetworkedQueueManager, "registers-nowhere", "6.6.2.1-01 6.6.2-04 6.6.2-06 5.1.2-01",
    "A queue manager makes no object of itself in the directory.",
    registered=lambda self, contact: contact)  # fmt: skip


@breaks("5.1.2-01")
class HidesItsObject(Network):
    """The directory has no objects of queue managers that are plain."""

    def shown_objects(self, system: System, event: events.ShowObjects) -> tuple[System, events.Objects]:
        after, answer = super().shown_objects(system, event)
        return after, events.Objects(frozenset(entry for entry in answer.objects if entry.routing or entry.directory))


KEEPS_ITS_IDENTIFIER = fault(NetworkedQueueManager, "keeps-its-identifier", "6.6.2.1-09",
    "A queue manager keeps the identifier that it had before the directory made its object.",
    registered=lambda self, contact: (
        replace(NetworkedQueueManager.registered(self, contact), identifier=contact.identifier)
    ))  # fmt: skip
REGISTERS_AT_EACH_START = fault(NetworkedQueueManager, "registers-at-each-start", "6.6.2-03 6.6.2.1-04 6.6.2-02",
    "A queue manager makes a new object of itself at each start.",
    in_its_domain=lambda self, world, contact: (
        iter([replace(world, contact=self.registered(replace(contact, last_domain=contact.domain)))])
    ))  # fmt: skip


@breaks("6.6.2.1-04", "6.6.2.1-05", "6.6.2.1-02")
class RegistersInEachNewDomain(NetworkedQueueManager):
    """A queue manager makes an object in a new domain whether that has one or not."""

    def in_its_domain(self, world: World, contact: Contact) -> Iterator[World]:
        if contact.domain == contact.last_domain:
            yield from super().in_its_domain(world, contact)
        else:
            yield replace(world, contact=self.registered(replace(contact, last_domain=contact.domain)))


@breaks("6.6.2.1-05", "6.6.2.1-02")
class TrustsEachNewDomain(NetworkedQueueManager):
    """A queue manager takes an object that a new domain has for its own."""

    def in_its_domain(self, world: World, contact: Contact) -> Iterator[World]:
        for after in super().in_its_domain(world, contact):
            met = after.contact
            trusts = met is not None and contact.domain != contact.last_domain
            yield replace(after, contact=replace(met, offline=False)) if trusts and met is not None else after


@breaks("6.6.2.1-03")
class TakesSilenceForNotFound(NetworkedQueueManager):
    """A queue manager that could not look for its object makes one at the next start."""

    def may_be_integrated(self, world: World, contact: Contact) -> Iterator[tuple[World, bool]]:
        if not contact.integrated and not contact.out and contact.domain != contact.last_domain:
            made = self.registered(replace(contact, last_domain=contact.domain))
            yield replace(world, contact=replace(made, integrated=True)), False
        else:
            yield from super().may_be_integrated(world, contact)


LOSES_ITS_OBJECT_IN_MOVING = fault(NetworkedQueueManager, "loses-its-object-in-moving", "6.6.2.1-07 6.6.2.1-02",
    "A queue manager takes its object out of the old domain and puts it into none.",
    object_moved=lambda self, contact, before: replace(contact, objects=contact.objects.without(before)))  # fmt: skip


@breaks("6.6.2.1-08", "6.6.2.1-07")
class MovesAnyObject(NetworkedQueueManager):
    """A queue manager moves any object of its name in the old domain."""

    def in_its_domain(self, world: World, contact: Contact) -> Iterator[World]:
        before = contact.objects.get(contact.last_domain)
        if contact.last_domain not in {"", contact.domain} and before is not None and not contact.own_in_last:
            objects = contact.objects.without(contact.last_domain).having(contact.domain, before)
            yield replace(world, contact=replace(contact, last_domain=contact.domain, objects=objects))
        else:
            yield from super().in_its_domain(world, contact)


SAYS_NOTHING_OF_ITS_ROLES = fault(Network, "says-nothing-of-its-roles", "6.6.1-07",
    "The directory has every queue manager as a plain one.",
    shown_roles=lambda self, contact: (False, False))  # fmt: skip


@breaks("6.6.1-02")
class TakesATypeForARole(Network):
    """A queue manager with a type of directory server is in the directory as a directory server."""

    def shown_roles(self, contact: Contact) -> tuple[bool, bool]:
        routing, directory = super().shown_roles(contact)
        return routing, directory or contact.roles.directory_type is not None


SHARES_ITS_IDENTIFIER = fault(Network, "shares-its-identifier", "6.6.1-04",
    "All queue managers have the same identifier when they are installed.",
    identifier=lambda self, machine, number: (machine, number) if number else (MachineName(""), 0))  # fmt: skip


@breaks("6.6.1-10", "6.6.1-09")
class IsProvisionedOnce(NetworkedQueueManager):
    """Provisioning that failed for want of the directory fails for ever."""

    def provisioned(self, world: World) -> Iterator[tuple[World, Answer]]:
        contact = world.contact
        if contact is not None and contact.lost:
            yield replace(world, damaged=True), Failed()
        elif world.damaged:
            yield world, Failed()
        else:
            yield from super().provisioned(world)


DOMAIN_FAULTS: Final = tuple(value for value in [*vars().values()] if isinstance(value, FaultTogether))
"""One for each rule of domains that can be seen to be broken."""
