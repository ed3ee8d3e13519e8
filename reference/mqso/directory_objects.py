"""What the directory has of queue managers themselves: their objects, with identifiers and roles (5.1.2, 6.6.2)."""

from msgspec.structs import replace

from mqconform.reference.mqso import events
from mqconform.reference.mqso.directory_contact import Contact
from mqconform.reference.mqso.elements import MachineName
from mqconform.reference.mqso.publishing import Publishing
from mqconform.reference.mqso.system import System


class DirectoryObjects(Publishing):
    """Rules of the objects of queue managers; each is a method, so that a faulty system differs in one of them."""

    def changes_domain(self, system: System, machine: MachineName, domain: str) -> System:
        """Return the system where a machine is in another domain or in none; its objects stay (MQSO-6.6.2.2-02)."""
        contact = system.machines[machine].contact
        return system if contact is None else self.knowing(system, machine, replace(contact, domain=domain))

    def put_object(self, system: System, event: events.PutObject) -> System:
        """Return the system where the directory has an object of a queue manager in a domain (5.5.6, 6.6.2.1)."""
        contact = system.machines[event.machine].contact
        if contact is None:
            return system
        return self.knowing(system, event.machine, contact.with_object(event.domain or contact.domain, own=event.own))

    def shown_objects(self, system: System, event: events.ShowObjects) -> tuple[System, events.Objects]:
        """Return the directory's objects of queue managers, and the system where their identifiers were shown.

        Section 5.1.2 (MQSO-5.1.2-01).
        """
        identifiers, objects = list(system.identifiers), set()
        contacts = {machine: world.contact for machine, world in system.machines.items() if world.contact is not None}
        for machine, contact in sorted(contacts.items(), key=lambda item: item[0]):
            for domain, number in sorted(contact.objects.items()):
                identifier = self.identifier(machine, number)
                if identifier not in identifiers:
                    identifiers.append(identifier)
                own = number == contact.identifier if machine in event.identified else None
                roles = self.shown_roles(contact) if machine in event.with_roles else (None, None)
                objects.add(events.ShownObject(machine, domain, identifiers.index(identifier), own, *roles))
        return replace(system, identifiers=tuple(identifiers)), events.Objects(frozenset(objects))

    def identifier(self, machine: MachineName, number: int) -> tuple[MachineName, int]:
        """Return what tells an identifier apart from all others, also of other machines (6.6.1, MQSO-6.6.1-04)."""
        return machine, number

    def shown_roles(self, contact: Contact) -> tuple[bool, bool]:
        """Return whether the directory says that this is a routing server, and a directory server.

        Section 6.6.1 (MQSO-6.6.1-02, MQSO-6.6.1-07).
        """
        return contact.roles.routing, contact.roles.directory
