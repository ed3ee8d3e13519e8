"""What a fault of a router is made of: the reference router, cut where routers go wrong (MS-MQBR 3.1)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from mqconform.reference.directory.elements import QueueManager, QueueManagerId
from mqconform.reference.fault import altered, row, with_answers, with_arguments
from mqconform.reference.mqbr.procedures import RoutingAttemptFails
from mqconform.reference.mqbr.router import ReferenceRouter

Hops: TypeAlias = list[QueueManagerId | None]
View: TypeAlias = Callable[[QueueManager, QueueManager], tuple[QueueManager, QueueManager]]
"""What a procedure takes its source and its destination for."""


class SteppedRouter(ReferenceRouter):
    """The reference router, its procedures cut where mutants go wrong."""

    def get_next_hops(self, source: str, destination: str) -> list[str]:
        """Return the next hops, or fail for want of one (3.1.5.1)."""
        hops: list[str] = [hop for hop in self.between(source, destination) if hop is not None]
        return hops or self.without_route(source, destination)

    def between(self, source: str, destination: str) -> Hops:
        """Return the next hops, none where there is no way (3.1.5.1)."""
        source_machine, destination_machine = self.get_queue_manager(source), self.get_queue_manager(destination)
        if source_machine is None or destination_machine is None:
            return []
        if source_machine.routing_server:
            return self.get_next_hops_for_router(source_machine, destination_machine)
        return self.get_next_hops_for_client(source_machine, destination_machine)

    def without_route(self, source: str, destination: str) -> list[str]:
        """Fail (the end of 3.1.5.1)."""
        raise RoutingAttemptFails(f"there is no next hop from {source} to {destination}")

    def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Return the next hops of a client (the client's part of 3.1.5.1)."""
        if source.out_routing_server_identifier_list:
            return [*source.out_routing_server_identifier_list]
        if source.shares_a_site_with(destination):
            return self.within_the_site(destination)
        return self.leave_the_site_of_client(source, destination)

    def leave_the_site_of_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Return the next hop of a client to another site (the last branch of its part of 3.1.5.1)."""
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
        return self.leave_the_site_of_router(source, destination)

    def leave_the_site_of_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Return the next hop of a routing server that is no gate to another site (the last branch of 3.1.5.2)."""
        return [self.get_site_gate(source.identifier)]

    @property
    def routing_servers(self) -> list[QueueManager]:
        """All routing servers of the enterprise, even where a reading fails."""
        return [machine for machine in self.view.directory.queue_managers if machine.routing_server]


answers = partial(with_answers, SteppedRouter)
"""Other answers of procedures: functions of the router, of the right answer and of the arguments."""
replaced = partial(altered, SteppedRouter)
"""Other procedures, or other constants."""
sees = partial(with_arguments, SteppedRouter)
"""Procedures that take their arguments for others."""
fault = partial(row, "MQBR")
"""A row: name, ids without the specification, what it does, and what makes the router."""


def same_site_first(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    """Compare sites before any other test."""
    return self.within_the_site(destination) if source.shares_a_site_with(destination) else hops


def source_in_one_site(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
    """See only the first site of the source."""
    return replace(source, site_identifier_list=source.site_identifier_list[:1]), destination


def destination_in_one_site(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
    """See only the first site of the destination."""
    return source, replace(destination, site_identifier_list=destination.site_identifier_list[:1])


def in_list(size: int) -> View:
    """See no more of the destination's In list than its beginning."""

    def view(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
        servers = destination.in_routing_server_identifier_list[:size]
        return source, replace(destination, in_routing_server_identifier_list=servers)

    return view


def in_list_with_source(size: int) -> View:
    """See no more of an In list that the source is on than its beginning."""

    def view(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
        listed = source.identifier in destination.in_routing_server_identifier_list
        return in_list(size)(source, destination) if listed else (source, destination)

    return view


def in_list_nearby(size: int) -> View:
    """See no more of the In list of a destination in the site than its beginning, unless the source is on it."""

    def view(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
        listed = source.identifier in destination.in_routing_server_identifier_list
        neighbour = source.shares_a_site_with(destination) and not listed
        return in_list(size)(source, destination) if neighbour else (source, destination)

    return view


def in_list_nearby_only(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
    """See In lists of destinations in the site only."""
    return (source, destination) if source.shares_a_site_with(destination) else in_list(0)(source, destination)
