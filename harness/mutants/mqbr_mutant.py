"""What a router mutant is: the reference router with one procedure carried out wrongly on purpose (MS-MQBR 3.1)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from mqconform.harness.builtin.discovery_server import ReferenceIut
from mqconform.harness.builtin.router import ReferenceRouterRole
from mqconform.harness.iut import Json
from mqconform.reference.directory.elements import QueueManager, QueueManagerId
from mqconform.reference.mqbr.procedures import RoutingAttemptFails
from mqconform.reference.mqbr.router import ReferenceRouter

Hops: TypeAlias = list[QueueManagerId | None]
Seen: TypeAlias = Callable[[QueueManager, QueueManager], tuple[QueueManager, QueueManager]]
"""What a procedure takes its source and its destination for."""
Shape: TypeAlias = Callable[[tuple[QueueManagerId, ...]], tuple[QueueManagerId, ...]]
"""What becomes of a list of routing servers."""


@dataclass(frozen=True, slots=True)
class RouterMutant:
    """A router under test with one known peculiarity.

    Attributes:
        name: after ``mutant:`` on the command line.
        says: what is peculiar, in one sentence.
        role: makes its role ``router``.
        breaks: requirements of which at least one has to be found violated; none where it conforms.
        also: requirements, or prefixes of ids, that the same defect violates inevitably.
    """

    name: str
    says: str
    role: Callable[[], ReferenceRouterRole]
    breaks: tuple[str, ...] = ()
    also: tuple[str, ...] = ()

    def iut(self) -> "RouterMutantIut":
        """Return the implementation, freshly started."""
        return RouterMutantIut(self)


class RouterMutantIut(ReferenceIut):
    """The reference with another router, and no other role."""

    def __init__(self, mutant: RouterMutant) -> None:
        self.name = f"mutant {mutant.name}"
        self._role = mutant.role
        super().__init__()

    def description(self) -> Json:
        """Return the reference's description with the one role that is changed: the others need not be judged again."""
        return super().description() | {
            "roles": ["router"],
            "capabilities": ["virtual-clock", "procedures", "directory-faults"],
            "specs": {"MQBR": "18.0"},
        }

    def make_router(self) -> ReferenceRouterRole:
        """Return the mutant's router."""
        return self._role()


def routing(
    name: str, router: Callable[[], ReferenceRouter], breaks: tuple[str, ...] = (), also: tuple[str, ...] = ()
) -> RouterMutant:
    """Return the mutant of a router class, which says in its docstring what is peculiar about it."""
    says = (router.__doc__ or "").strip().partition("\n")[0]
    return RouterMutant(name, says, lambda: ReferenceRouterRole(router), breaks, also)


def misreading(name: str, says: str, base: type["SteppedRouter"], breaks: tuple[str, ...], *also: str) -> RouterMutant:
    """Return the mutant of a router that is described where it is registered."""
    return RouterMutant(name, says, lambda: ReferenceRouterRole(base), breaks, also)


class SteppedRouter(ReferenceRouter):
    """The reference router, its procedures cut where mutants go wrong."""

    def get_next_hops(self, source: str, destination: str) -> list[str]:
        """Return the next hops (3.1.5.1).

        Raises:
            RoutingAttemptFails: there is none.
        """
        found = self.between(self.get_queue_manager(source), self.get_queue_manager(destination))
        return self.answered(source, destination, found)

    def between(self, source: QueueManager | None, destination: QueueManager | None) -> Hops:
        """Return the next hops, none where there is no way (3.1.5.1)."""
        if source is None or destination is None:
            return self.of_unknown(source, destination)
        if source.routing_server:
            return self.get_next_hops_for_router(source, destination)
        return self.get_next_hops_for_client(source, destination)

    def of_unknown(self, source: QueueManager | None, destination: QueueManager | None) -> Hops:
        """Return the next hops where one of the two is not known: none."""
        del source, destination
        return []

    def answered(self, source: str, destination: str, hops: Hops) -> list[str]:
        """Return the answer, or fail for want of one (the end of 3.1.5.1)."""
        found: list[str] = [hop for hop in hops if hop is not None]
        return found or self.without_route(source, destination)

    def without_route(self, source: str, destination: str) -> list[str]:
        """Fail."""
        raise RoutingAttemptFails(f"there is no next hop from {source} to {destination}")

    def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Return the next hops of a client (the client's part of 3.1.5.1)."""
        if source.out_routing_server_identifier_list:
            return [*source.out_routing_server_identifier_list]
        if source.shares_a_site_with(destination):
            return self.within_the_site(destination)
        return [self.get_routing_server(source.identifier)]

    def get_next_hops_for_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Return the next hops of a routing server (3.1.5.2)."""
        if self.is_site_gate(source.identifier) == 1:
            return self.get_next_hops_for_site_gate(source, destination)
        return self.get_next_hops_for_plain_router(source, destination)

    def get_next_hops_for_plain_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Return the next hops of a routing server that is no gate (the rest of 3.1.5.2)."""
        if source.identifier in destination.in_routing_server_identifier_list:
            return [destination.identifier]
        if source.shares_a_site_with(destination):
            return self.within_the_site(destination)
        return [self.get_site_gate(source.identifier)]


def client_sees(seen: Seen) -> type[SteppedRouter]:
    """Return a router whose client part takes source and destination for something else."""

    class Client(SteppedRouter):
        def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
            return super().get_next_hops_for_client(*seen(source, destination))

    return Client


def router_sees(seen: Seen) -> type[SteppedRouter]:
    """Return a router whose GetNextHopsForRouter takes source and destination for something else."""

    class Router(SteppedRouter):
        def get_next_hops_for_plain_router(self, source: QueueManager, destination: QueueManager) -> Hops:
            return super().get_next_hops_for_plain_router(*seen(source, destination))

    return Router


def gate_sees(seen: Seen) -> type[SteppedRouter]:
    """Return a router whose GetNextHopsForSiteGate takes source and destination for something else."""

    class Gate(SteppedRouter):
        def get_next_hops_for_site_gate(self, source: QueueManager, destination: QueueManager) -> Hops:
            return super().get_next_hops_for_site_gate(*seen(source, destination))

    return Gate


def first_site_of_source(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
    """See only the first site of the source."""
    return replace(source, site_identifier_list=source.site_identifier_list[:1]), destination


def first_site_of_destination(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
    """See only the first site of the destination."""
    return source, replace(destination, site_identifier_list=destination.site_identifier_list[:1])


def in_list(shape: Shape) -> Seen:
    """See another In list of the destination."""

    def seen(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
        servers = shape(destination.in_routing_server_identifier_list)
        return source, replace(destination, in_routing_server_identifier_list=servers)

    return seen


def in_list_within_the_site(shape: Shape) -> Seen:
    """See another In list of a destination in the site, unless the source is on it."""

    def seen(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
        servers = destination.in_routing_server_identifier_list
        if source.identifier in servers or not source.shares_a_site_with(destination):
            return source, destination
        return in_list(shape)(source, destination)

    return seen


def out_list(shape: Shape) -> Seen:
    """See another Out list of the source."""

    def seen(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
        servers = shape(source.out_routing_server_identifier_list)
        return replace(source, out_routing_server_identifier_list=servers), destination

    return seen
