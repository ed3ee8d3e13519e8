"""Faulty routers: next hops of a routing server that is no gate (MS-MQBR 3.1.5.2)."""

from mqconform.harness.mutants.mqbr_mutant import (
    Hops,
    SteppedRouter,
    first_site_of_destination,
    first_site_of_source,
    in_list,
    in_list_within_the_site,
    misreading,
    router_sees,
    routing,
)
from mqconform.reference.directory.elements import QueueManager

REFRESHED = "MQBR-3.1.2.1-01"
"""That the table is built anew: its scenario asks a former gate, which then routes as others do."""
ELSEWHERE = ("MQBR-3.1.5", "MQBR-3.1.3.1-01", "MQBR-3.1.3.1-04")
"""Where the way out of a site is what shows something else."""


class GatesRouteAsRouters(SteppedRouter):
    """A site gate is routed as any routing server."""

    def get_next_hops_for_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Not ask for gates."""
        return self.get_next_hops_for_plain_router(source, destination)


class RoutersRouteAsGates(SteppedRouter):
    """Every routing server is routed as a site gate."""

    def get_next_hops_for_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Not ask for gates."""
        return self.get_next_hops_for_site_gate(source, destination)


class InServerTestLast(SteppedRouter):
    """A router compares sites before it looks for itself in the In list."""

    def get_next_hops_for_plain_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Test in the other order."""
        if source.shares_a_site_with(destination):
            return self.within_the_site(destination)
        return super().get_next_hops_for_plain_router(source, destination)


class InServerOnlyWithinTheSite(SteppedRouter):
    """A router looks for itself in the In list of destinations in its site only."""

    def get_next_hops_for_plain_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Send across sites by a gate."""
        if source.shares_a_site_with(destination):
            return super().get_next_hops_for_plain_router(source, destination)
        return [self.get_site_gate(source.identifier)]


class AnyServerIsAnInServer(SteppedRouter):
    """Every router of the site takes itself for an in-routing server of a destination that has some."""

    def get_next_hops_for_plain_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Send directly."""
        servers = destination.in_routing_server_identifier_list
        if servers and source.shares_a_site_with(destination):
            return [destination.identifier]
        return super().get_next_hops_for_plain_router(source, destination)


class InServerPassesOn(SteppedRouter):
    """An in-routing server of the destination sends to the other in-routing servers."""

    def get_next_hops_for_plain_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Leave itself out."""
        servers = destination.in_routing_server_identifier_list
        others = [server for server in servers if server != source.identifier]
        if others and len(others) < len(servers):
            return [*others]
        return super().get_next_hops_for_plain_router(source, destination)


class GateEvenWithinTheSite(SteppedRouter):
    """A router sends to a destination in its site by way of a gate."""

    def get_next_hops_for_plain_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Look for a gate."""
        hops = super().get_next_hops_for_plain_router(source, destination)
        in_server = source.identifier in destination.in_routing_server_identifier_list
        if hops != [destination.identifier] or in_server:
            return hops
        return [self.get_site_gate(source.identifier)]


class GateOfTheDestination(SteppedRouter):
    """A router sends to a gate of the destination's site."""

    def get_next_hops_for_plain_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Look on the other side."""
        hops = super().get_next_hops_for_plain_router(source, destination)
        through = hops == [self.get_site_gate(source.identifier)] and not source.shares_a_site_with(destination)
        return [self.get_site_gate(destination.identifier)] if through else hops


class RouterForGate(SteppedRouter):
    """A router sends to another routing server of its site instead of a gate."""

    def get_next_hops_for_plain_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Look for a routing server."""
        hops = super().get_next_hops_for_plain_router(source, destination)
        through = hops == [self.get_site_gate(source.identifier)] and not source.shares_a_site_with(destination)
        return [self.get_routing_server(source.identifier)] if through else hops


class InListAcrossSites(SteppedRouter):
    """A router sends to the in-routing servers of a destination in another site."""

    def get_next_hops_for_plain_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Ignore the sites."""
        servers = destination.in_routing_server_identifier_list
        if servers and source.identifier not in servers:
            return [*servers]
        return super().get_next_hops_for_plain_router(source, destination)


class GatelessRouterKeeps(SteppedRouter):
    """A router that finds no gate is its own next hop."""

    def get_next_hops_for_plain_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Keep the message."""
        hops = super().get_next_hops_for_plain_router(source, destination)
        return [source.identifier] if hops == [None] else hops


class NeverAGateItself(SteppedRouter):
    """A router does not hand over to a destination that is a gate."""

    def get_next_hops_for_plain_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Fail there."""
        if self.is_site_gate(destination.identifier) and source.shares_a_site_with(destination):
            return []
        return super().get_next_hops_for_plain_router(source, destination)


def _id(branch: str) -> str:
    return f"MQBR-3.1.5.2-{branch}"


_WHOLE = (_id("B07"),)

MUTANTS = (
    routing("gates-route-as-routers", GatesRouteAsRouters, (_id("B01"), _id("B02")), ("MQBR-3",)),
    routing("routers-route-as-gates", RoutersRouteAsGates, (_id("B01"),), ELSEWHERE),
    misreading(
        "router-without-in-server-test",
        "A router sees no In list of destinations that name it.",
        router_sees(in_list(lambda _: ())),
        (_id("B03"), _id("B04")),
        "MQBR-3.1.5.2",
    ),
    misreading(
        "router-looks-at-first-in-server",
        "A router looks for itself in the first place of an In list only.",
        router_sees(in_list(lambda one: one[:1])),
        (_id("B03"), _id("B04")),
        _id("B07"),
        _id("01"),
        _id("B06"),
    ),
    routing("router-in-server-test-last", InServerTestLast, (_id("B03"), _id("B04")), (_id("01"),)),
    routing("router-in-server-within-the-site", InServerOnlyWithinTheSite, (_id("B03"), _id("B04"))),
    routing("any-server-is-an-in-server", AnyServerIsAnInServer, (_id("B03"), _id("B07")), (_id("B06"),)),
    routing("in-server-passes-on", InServerPassesOn, (_id("B04"),), (_id("B03"), _id("01"))),
    misreading(
        "router-by-its-first-site",
        "A router shares only its first site.",
        router_sees(first_site_of_source),
        (_id("B05"),),
    ),
    misreading(
        "router-to-the-first-site",
        "A router shares only the first site of the destination.",
        router_sees(first_site_of_destination),
        (_id("B05"),),
    ),
    misreading(
        "router-ignores-in-list",
        "A router ignores the In list of a destination in the site.",
        router_sees(in_list_within_the_site(lambda _: ())),
        (_id("B06"), _id("B07")),
        _id("B03"),
    ),
    misreading(
        "router-to-first-of-in-list",
        "A router sends to the first of an In list.",
        router_sees(in_list_within_the_site(lambda one: one[:1])),
        _WHOLE,
        _id("B06"),
        _id("B03"),
    ),
    misreading(
        "router-to-three-of-in-list",
        "A router sends to no more than three of an In list.",
        router_sees(in_list_within_the_site(lambda one: one[:3])),
        _WHOLE,
    ),
    routing("gate-within-the-site", GateEvenWithinTheSite, (_id("B08"),), ("MQBR-3.1.5",)),
    routing("gate-of-the-destination", GateOfTheDestination, (_id("B09"),), (*ELSEWHERE, REFRESHED)),
    routing("router-for-gate", RouterForGate, (_id("B09"),), (*ELSEWHERE, REFRESHED)),
    routing("in-list-across-sites", InListAcrossSites, (_id("B09"),)),
    routing(
        "gateless-router-keeps",
        GatelessRouterKeeps,
        (_id("02"),),
        ("MQBR-3.1.5.6", "MQBR-3.1.5.8", "MQBR-3.1.5.9", "MQBR-3.1.3.1-04"),
    ),
    routing("never-a-gate-itself", NeverAGateItself, (_id("01"),)),
)
