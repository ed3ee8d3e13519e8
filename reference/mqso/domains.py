"""How a queue manager begins in its domain, or meets that it is in another one, or in none (6.6.1, 6.6.2, 5.5.4)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mqconform.reference.mqso import readings
from mqconform.reference.mqso.directory_contact import Contact
from mqconform.reference.mqso.events import Answer, Done, Failed
from mqconform.reference.mqso.world import World, decided

if TYPE_CHECKING:
    from mqconform.reference.mqso.queue_manager import QueueManager


def provisioned(rules: "QueueManager", world: World) -> Iterator[tuple[World, Answer]]:
    """Yield what comes of provisioning a queue manager: it runs, or fails and can be tried again.

    Without the directory, and where that has an object of its name, it may fail or run (registers QM-23 and QM-55).
    What comes of provisioning one that runs is not said, so that it may fail as well.
    Section 6.6.1 (MQSO-6.6.1-03, MQSO-6.6.1-09, MQSO-6.6.1-10).
    """
    for after, starts in rules.initialized(world):
        if starts:
            yield replace(after, running=True), Done()
    contact = world.contact
    if world.running or (contact is not None and (contact.lost or not contact.own)):
        yield world, Failed()


def initialized(rules: "QueueManager", world: World) -> Iterator[tuple[World, bool]]:
    """Yield in which mode a queue manager starts, each with whether it does.

    Without the directory that is Workgroup mode, which lasts until it is started with the directory back (register
    QM-23), and so it is out of its domain; what becomes of one that was out and is in a domain again is open
    (register QM-54). Sections 5.5.4 (MQSO-5.5.4-02, MQSO-5.5.4-05), 6.6.2 (MQSO-6.6.2-02) and 6.6.2.2
    (MQSO-6.6.2.2-01, MQSO-6.6.2-05).
    """
    contact = world.contact
    if contact is None:
        yield world, True
    elif not contact.domain:
        yield replace(world, contact=rules.out_of_domains(contact)), True
    elif contact.lost:
        for after, absence in decided(world, readings.AbsentAtStart):
            starts = absence is readings.AbsentAtStart.WORKGROUP
            yield replace(after, contact=replace(contact, integrated=not starts, offline=False)), starts
    else:
        for after, again in rules.may_be_integrated(world, contact):
            met = rules.in_its_domain(after, replace(contact, integrated=True, out=False)) if again else (after,)
            yield from ((outcome, True) for outcome in met)


def may_be_integrated(rules: "QueueManager", world: World, contact: Contact) -> Iterator[tuple[World, bool]]:
    """Yield whether a queue manager that has the directory at its start is in Directory-Integrated mode then."""
    if contact.integrated:
        yield world, True
    elif contact.out:
        for after, choice in decided(world, readings.JoinedAgain):
            yield after, choice is readings.JoinedAgain.INTEGRATED
    else:
        for after, back in decided(world, readings.AfterAbsence):
            yield after, back is readings.AfterAbsence.INTEGRATED_AGAIN


def out_of_domains(rules: "QueueManager", contact: Contact) -> Contact:
    """Return what a queue manager has of the directory when it is in no domain (6.6.2.2, MQSO-6.6.2.2-01)."""
    return replace(contact, integrated=False, offline=False, last_domain="", out=True)


def in_its_domain(rules: "QueueManager", world: World, contact: Contact) -> Iterator[World]:
    """Yield the worlds of a queue manager that meets the domain of its machine with the directory in reach.

    The table's row on changed domains names another section than it means (register QM-57). Sections 6.6.2
    (MQSO-6.6.2-02, MQSO-6.6.2-03) and 6.6.2.1 (MQSO-6.6.2.1-01).
    """
    if contact.domain == contact.last_domain:
        yield replace(world, contact=rules.compared(contact))
    elif not contact.last_domain:
        yield from rules.in_new_domain(world, contact)
    else:
        for after, change in decided(world, readings.DomainChange):
            if change is readings.DomainChange.MET:
                yield from rules.in_new_domain(after, contact)
            else:
                yield replace(after, contact=rules.out_of_domains(contact))


def in_new_domain(rules: "QueueManager", world: World, contact: Contact) -> Iterator[World]:
    """Yield the worlds of a queue manager whose domain has an object of it, or gets one.

    What becomes of an object of the old domain that is its own is open (register QM-53); where it changes domains
    none has to be made (QM-56). Sections 6.6.2 (MQSO-6.6.2-04, MQSO-6.6.2-06) and 6.6.2.1 (MQSO-6.6.2.1-02,
    MQSO-6.6.2.1-04, MQSO-6.6.2.1-05, MQSO-6.6.2.1-07).
    """
    met = replace(contact, last_domain=contact.domain)
    if contact.domain in contact.objects:
        yield replace(world, contact=rules.compared(met))
    elif contact.own_in_last:
        for after, choice in decided(world, readings.ObjectOfOldDomain):
            if choice is readings.ObjectOfOldDomain.MOVED:
                yield replace(after, contact=rules.object_moved(met, contact.last_domain))
            else:
                stays = choice is readings.ObjectOfOldDomain.WAITS
                yield replace(after, contact=met if stays else rules.registered(met))
    elif contact.last_domain:
        for after, new in decided(world, readings.NewDomain):
            yield replace(after, contact=rules.registered(met) if new is readings.NewDomain.REGISTERED else met)
    else:
        yield replace(world, contact=rules.registered(met))


def object_moved(rules: "QueueManager", contact: Contact, before: str) -> Contact:
    """Return what a queue manager has of the directory once its object is in the new domain (MQSO-6.6.2.1-07)."""
    return replace(contact, objects=contact.objects.without(before)).with_object(contact.domain, own=True)


def registered(rules: "QueueManager", contact: Contact) -> Contact:
    """Return what a queue manager has of the directory that has made its object in its domain, and is named by it.

    Section 6.6.2.1 (MQSO-6.6.2.1-08, MQSO-6.6.2.1-09).
    """
    made = contact.with_object(contact.domain, own=False)
    return replace(made, identifier=made.objects[contact.domain], offline=False)


def compared(rules: "QueueManager", contact: Contact) -> Contact:
    """Return what a queue manager has of a directory at its start: nothing where its object is another's.

    Sections 5.5.6 (MQSO-5.5.6-02, MQSO-5.5.6-03) and 6.6.2.1 (MQSO-6.6.2.1-05).
    """
    return replace(contact, offline=not contact.own)
