"""What a queue manager of a domain has of the directory, and the directory of it (5.1.1.1, 5.1.2, 5.5.4, 6.6.2)."""

from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso.immutable import FrozenMap, Value

DOMAIN: Final = "domain"
"""The domain of machines of which nothing else is said."""


class Roles(Value, frozen=True):
    """What a queue manager was provisioned as (6.6.1).

    Attributes:
        routing: it is a routing server; ``directory``: it is a directory server.
        directory_type: of what type, which counts for directory servers only.
    """

    routing: bool = False
    directory: bool = False
    directory_type: str | None = None


USUAL_ROLES: Final = Roles()


class Contact(Value, frozen=True):
    """What a queue manager of a domain has of the directory, and the directory of it.

    Attributes:
        integrated: it is in Directory-Integrated mode; after a start without directory it is not.
        lost: the directory is out of its reach.
        offline: DirectoryOffline, by which it knows that.
        domain: that of its machine, empty where that is in none; it meets a change of it when it starts.
        last_domain: LastDomain, the one in which it has met itself, empty before the first and after the last.
        out: it has left a domain, and so is in Workgroup mode.
        identifier: its own, as a number among those that it had.
        identifiers: how many the directory's objects of it had.
        objects: the directory's objects of it: domain -> identifier.
        roles: what it was provisioned as.
    """

    integrated: bool = True
    lost: bool = False
    offline: bool = False
    domain: str = DOMAIN
    last_domain: str = DOMAIN
    out: bool = False
    identifier: int = 0
    identifiers: int = 1
    objects: FrozenMap[str, int] = FrozenMap({DOMAIN: 0})
    roles: Roles = USUAL_ROLES

    @property
    def usable(self) -> bool:
        """Whether operations on the directory have to work."""
        return self.integrated and not self.lost and not self.offline

    @property
    def provisioned(self) -> bool:
        """Whether the queue manager was provisioned: it has met a domain."""
        return bool(self.last_domain) or self.out

    @property
    def own(self) -> bool:
        """Whether an object of its domain that is called by its name has its identifier."""
        return self.objects.get(self.domain, self.identifier) == self.identifier

    @property
    def own_in_last(self) -> bool:
        """Whether the object of the last domain has its identifier."""
        return self.objects.get(self.last_domain) == self.identifier

    def with_object(self, domain: str, *, own: bool) -> "Contact":
        """Return the same with an object in a domain, in place of any there: with its identifier, or with a new one."""
        identifier = self.identifier if own else self.identifiers
        return replace(self, objects=self.objects.having(domain, identifier), identifiers=self.identifiers + (not own))


def contact_in(domain: str, roles: Roles = USUAL_ROLES) -> Contact:
    """Return the contact of a queue manager that was provisioned in a domain, and has its object there."""
    return Contact(domain=domain, last_domain=domain, objects=FrozenMap({domain: 0}), roles=roles)


def contact_before(domain: str, roles: Roles = USUAL_ROLES) -> Contact:
    """Return the contact of a queue manager that is to be provisioned in a domain (6.6.1)."""
    return Contact(domain=domain, last_domain="", objects=FrozenMap(), roles=roles)
