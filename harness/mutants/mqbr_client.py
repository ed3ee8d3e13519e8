"""Faulty routers: what becomes of source, destination and lists of a client, and of "no route" (MS-MQBR 3.1.5.1)."""

from dataclasses import replace

from mqconform.harness.mutants.mqbr_mutant import (
    Hops,
    SteppedRouter,
    client_sees,
    first_site_of_destination,
    first_site_of_source,
    in_list,
    misreading,
    out_list,
    routing,
)
from mqconform.reference.directory.elements import QueueManager, QueueManagerId, Site

NIL = QueueManagerId("00000000-0000-0000-0000-000000000000")
FROM_CLIENT = "MQBR-3.1.5.1"
EVERYTHING = ("MQBR-3.1.5", "MQBR-3.1.3.1", "MQBR-3.1.1.2", "MQBR-3.1.2", "MQBR-3.1.3", "MQBR-3.1.6")
"""What a router violates as well that gets hardly any answer right."""
NO_ROUTE = ("MQBR-3.1.5", "MQBR-3.1.3.1", "MQBR-3.1.6.1-01")
"""Wherever a scenario ends without a route."""


class UnknownDestinationAnswered(SteppedRouter):
    """A destination that the directory does not know is the next hop itself."""

    def get_next_hops(self, source: str, destination: str) -> list[str]:
        """Answer with the destination."""
        known = self.get_queue_manager(source) is not None
        if known and self.get_queue_manager(destination) is None:
            return [destination]
        return super().get_next_hops(source, destination)


class UnknownSourceServed(SteppedRouter):
    """A source that the directory does not know is taken for a neighbour of the destination."""

    def of_unknown(self, source: QueueManager | None, destination: QueueManager | None) -> Hops:
        """Answer with the destination."""
        return [destination.identifier] if source is None and destination is not None else []


class RoutersAreClients(SteppedRouter):
    """The flag RoutingServer is ignored: everybody is routed as a client."""

    def get_next_hops_for_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Route as a client."""
        return self.get_next_hops_for_client(source, destination)


class ClientsAreRouters(SteppedRouter):
    """The flag RoutingServer is ignored: everybody is routed as a router."""

    def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Route as a router."""
        return self.get_next_hops_for_router(source, destination)


class OutListLast(SteppedRouter):
    """A client's Out list serves messages to other sites only."""

    def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Compare sites first."""
        if source.shares_a_site_with(destination):
            return self.within_the_site(destination)
        return super().get_next_hops_for_client(source, destination)


class OutListOfTheDestination(SteppedRouter):
    """The destination's Out list is taken for the client's."""

    def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Send through the other list."""
        servers = destination.out_routing_server_identifier_list
        return super().get_next_hops_for_client(
            replace(source, out_routing_server_identifier_list=servers), destination
        )


class DestinationBesideItsInList(SteppedRouter):
    """A client sends to the destination as well as to its in-routing servers."""

    def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Add the destination."""
        hops = super().get_next_hops_for_client(source, destination)
        by_list = hops == [*destination.in_routing_server_identifier_list]
        return (
            [*hops, destination.identifier]
            if by_list and hops and not source.out_routing_server_identifier_list
            else hops
        )


class InListEverywhere(SteppedRouter):
    """A client sends to the in-routing servers of a destination in any site."""

    def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Ignore the sites."""
        if destination.in_routing_server_identifier_list and not source.out_routing_server_identifier_list:
            return [*destination.in_routing_server_identifier_list]
        return super().get_next_hops_for_client(source, destination)


class ServerEvenWithinTheSite(SteppedRouter):
    """A client sends to a destination in its site by way of a routing server."""

    def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Look for a routing server."""
        hops = super().get_next_hops_for_client(source, destination)
        server = self.get_routing_server(source.identifier)
        return [server] if hops == [destination.identifier] and server != destination.identifier else hops


class ServerOfTheDestination(SteppedRouter):
    """A client sends to a routing server of the destination's site."""

    def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Look on the other side."""
        if source.out_routing_server_identifier_list or source.shares_a_site_with(destination):
            return super().get_next_hops_for_client(source, destination)
        return [self.get_routing_server(destination.identifier)]


class ClientSendsDirectly(SteppedRouter):
    """A client sends to other sites directly."""

    def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Need no routing server."""
        if source.out_routing_server_identifier_list or source.shares_a_site_with(destination):
            return super().get_next_hops_for_client(source, destination)
        return [destination.identifier]


class ListedGateIsClientsServer(SteppedRouter):
    """A client sends to the gate of its site."""

    def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Take the first gate for the routing server."""
        if source.out_routing_server_identifier_list or source.shares_a_site_with(destination):
            return super().get_next_hops_for_client(source, destination)
        return [self.get_site_gate(source.identifier)]


class NoRouteIsSource(SteppedRouter):
    """Where there is no route the source itself is the next hop."""

    def without_route(self, source: str, destination: str) -> list[str]:
        """Keep the message."""
        del destination
        return [source]


class NoRouteIsNil(SteppedRouter):
    """Where there is no route the next hop is an identifier of zeros."""

    def without_route(self, source: str, destination: str) -> list[str]:
        """Answer with what Nothing may look like."""
        del source, destination
        return [NIL]


class NoRouteIsAnyRouter(SteppedRouter):
    """Where there is no route the first routing server of the enterprise is the next hop."""

    def without_route(self, source: str, destination: str) -> list[str]:
        """Fail only without any other routing server."""
        servers = [one.identifier for one in self.view.directory.queue_managers if one.routing_server]
        others = [server for server in servers if server != source]
        return [others[0]] if others else super().without_route(source, destination)


class SourceInTheList(SteppedRouter):
    """Every answer holds the source as well."""

    def answered(self, source: str, destination: str, hops: Hops) -> list[str]:
        """Put the source in front."""
        return [source, *super().answered(source, destination, hops)]


class SingleHopsFail(SteppedRouter):
    """A routing attempt with a single next hop fails."""

    def answered(self, source: str, destination: str, hops: Hops) -> list[str]:
        """Take one for none."""
        return super().answered(source, destination, hops if len(hops) > 1 else [])


class SitesComparedAsLists(SteppedRouter):
    """A client shares a site only with destinations that have the same sites."""

    def get_next_hops_for_client(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Compare the lists whole."""
        if source.site_identifier_list == destination.site_identifier_list:
            return super().get_next_hops_for_client(source, destination)
        nowhere = replace(destination, site_identifier_list=())
        return super().get_next_hops_for_client(source, nowhere)


class OnlyWithSites(SteppedRouter):
    """Nobody is routed while no Site can be read."""

    def get_next_hops(self, source: str, destination: str) -> list[str]:
        """Read the sites for nothing."""
        if self.get_directory_data(Site) is None:
            return self.without_route(source, destination)
        return super().get_next_hops(source, destination)


def _id(branch: str) -> str:
    return f"MQBR-3.1.5.1-{branch}"


_LONG_OUT, _LONG_IN = (_id("B05"),), (_id("B08"),)

MUTANTS = (
    routing(
        "unknown-destination-answered", UnknownDestinationAnswered, (_id("B01"),), ("MQBR-3.1.5.4", "MQBR-3.1.5.9")
    ),
    routing("unknown-source-served", UnknownSourceServed, (_id("B01"),), ("MQBR-3.1.5.4",)),
    routing("routers-are-clients", RoutersAreClients, (_id("B02"), _id("B03")), EVERYTHING),
    routing("clients-are-routers", ClientsAreRouters, (_id("B02"),), ("MQBR-3.1.5",)),
    misreading(
        "out-list-ignored",
        "Out lists are ignored.",
        client_sees(out_list(lambda _: ())),
        (_id("B04"), _id("B05")),
        _id("01"),
    ),
    misreading(
        "out-list-first",
        "A client sends to the first of its Out list.",
        client_sees(out_list(lambda one: one[:1])),
        _LONG_OUT,
        _id("B04"),
    ),
    misreading(
        "out-list-first-three",
        "A client sends to no more than three of its Out list.",
        client_sees(out_list(lambda one: one[:3])),
        _LONG_OUT,
    ),
    misreading(
        "out-list-not-the-last",
        "A client leaves out the last of an Out list.",
        client_sees(out_list(lambda one: one[:-1] or one)),
        _LONG_OUT,
        _id("B04"),
    ),
    routing("out-list-last", OutListLast, (_id("B04"),), (_id("B05"), _id("01"))),
    routing("out-list-of-the-destination", OutListOfTheDestination, (_id("B04"),), (_id("B05"), _id("01"))),
    misreading(
        "client-by-its-first-site",
        "A client shares only its first site.",
        client_sees(first_site_of_source),
        (_id("B06"),),
    ),
    misreading(
        "client-to-the-first-site",
        "A client shares only the first site of the destination.",
        client_sees(first_site_of_destination),
        (_id("B06"),),
    ),
    routing("client-with-equal-sites", SitesComparedAsLists, (_id("B06"),)),
    misreading(
        "client-ignores-in-list",
        "A client ignores the destination's In list.",
        client_sees(in_list(lambda _: ())),
        (_id("B07"), _id("B08")),
        "MQBR-3.1.5.4",
    ),
    misreading(
        "client-to-first-of-in-list",
        "A client sends to the first of an In list.",
        client_sees(in_list(lambda one: one[:1])),
        _LONG_IN,
        _id("B07"),
    ),
    misreading(
        "client-to-three-of-in-list",
        "A client sends to no more than three of an In list.",
        client_sees(in_list(lambda one: one[:3])),
        _LONG_IN,
    ),
    routing("destination-beside-its-in-list", DestinationBesideItsInList, (_id("B08"),), (_id("B07"), "MQBR-3.1.5.4")),
    routing("in-list-everywhere", InListEverywhere, (_id("B10"),)),
    routing(
        "server-within-the-site",
        ServerEvenWithinTheSite,
        (_id("B09"),),
        ("MQBR-3.1.5.1", "MQBR-3.1.5.4", "MQBR-3.1.5.9"),
    ),
    routing("server-of-the-destination", ServerOfTheDestination, (_id("B10"),), ("MQBR-3.1.5",)),
    routing("client-sends-directly", ClientSendsDirectly, (_id("B10"),), ("MQBR-3.1.5",)),
    routing("gate-for-a-client", ListedGateIsClientsServer, (_id("B02"),)),
    routing("no-route-is-source", NoRouteIsSource, (_id("B11"), _id("B12")), NO_ROUTE),
    routing("no-route-is-nil", NoRouteIsNil, (_id("B11"), _id("B12")), NO_ROUTE),
    routing("no-route-is-any-router", NoRouteIsAnyRouter, (_id("B11"), _id("B12")), NO_ROUTE),
    routing("source-in-the-list", SourceInTheList, (_id("01"),), EVERYTHING),
    routing("single-hops-fail", SingleHopsFail, (_id("B11"),), EVERYTHING),
    routing("only-with-sites", OnlyWithSites, ("MQBR-3.1.5.9-02",)),
)
