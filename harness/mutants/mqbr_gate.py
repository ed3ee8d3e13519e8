"""Faulty routers: next hops of a site gate (MS-MQBR 3.1.5.3)."""

from dataclasses import replace

from mqconform.harness.mutants.mqbr_mutant import (
    Hops,
    SteppedRouter,
    first_site_of_destination,
    first_site_of_source,
    gate_sees,
    in_list,
    in_list_within_the_site,
    misreading,
    routing,
)
from mqconform.reference.directory.elements import QueueManager, QueueManagerId, SiteId

BEYOND = ("MQBR-3.1.3.1", "MQBR-3.1.1.2-01", "MQBR-3.1.5", "MQBR-3.1.2", "MQBR-3.1.3", "MQBR-3.1.6.1-01")
"""What is seen through the way that a gate sends."""


class InServerTestLast(SteppedRouter):
    """A gate compares sites before it looks for itself in the In list."""

    def get_next_hops_for_site_gate(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Test in the other order."""
        if source.shares_a_site_with(destination):
            return self.within_the_site(destination)
        return super().get_next_hops_for_site_gate(source, destination)


class InServerOnlyWithinTheSite(SteppedRouter):
    """A gate looks for itself in the In list of destinations in its site only."""

    def get_next_hops_for_site_gate(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Hide the list."""
        if not source.shares_a_site_with(destination):
            destination = replace(destination, in_routing_server_identifier_list=())
        return super().get_next_hops_for_site_gate(source, destination)


class AnyGateIsAnInServer(SteppedRouter):
    """A gate takes itself for an in-routing server of any destination that names a gate."""

    def get_next_hops_for_site_gate(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Send directly."""
        if any(self.is_site_gate(one) for one in destination.in_routing_server_identifier_list):
            return [destination.identifier]
        return super().get_next_hops_for_site_gate(source, destination)


class ServerEvenWithinTheSite(SteppedRouter):
    """A gate sends to a destination in its site by way of a routing server."""

    def get_next_hops_for_site_gate(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Look for another routing server."""
        hops = super().get_next_hops_for_site_gate(source, destination)
        listed = destination.in_routing_server_identifier_list
        if listed or not source.shares_a_site_with(destination):
            return hops
        machines = self.view.directory.routing_servers_sharing_a_site(source)
        others = [
            one.identifier for one in machines if one.identifier not in (source.identifier, destination.identifier)
        ]
        return [*others[:1]] or hops


class SeveralMatchesNone(SteppedRouter):
    """A gate gives up where several rows match."""

    def get_next_hops_for_site_gate(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Take several next sites for none."""
        hops = super().get_next_hops_for_site_gate(source, destination)
        matches = [site for site in self.table if site in destination.site_identifier_list]
        return hops if source.shares_a_site_with(destination) or len(matches) < 2 else []


class UnreachableByNeighbour(SteppedRouter):
    """A gate that finds no row sends to the gate of a neighbour."""

    def get_next_hops_for_site_gate(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Try the last row."""
        hops = super().get_next_hops_for_site_gate(source, destination)
        neighbours = [hop for hop in self.table.values() if hop not in source.site_identifier_list]
        return hops or [self.get_site_gate_for_site(neighbours[-1])] if neighbours else hops


class GateOfTheLastSite(SteppedRouter):
    """A gate sends to the gate of the destination's site, skipping what lies between."""

    def get_next_hops_for_site_gate(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Look for a gate there."""
        hops = super().get_next_hops_for_site_gate(source, destination)
        matches = [site for site in self.table if site in destination.site_identifier_list]
        through = matches and not source.shares_a_site_with(destination)
        in_server = source.identifier in destination.in_routing_server_identifier_list
        return [self.get_site_gate_for_site(matches[-1])] if through and not in_server else hops


class DirectlyNextDoor(SteppedRouter):
    """A gate sends to a destination in a neighbouring site directly."""

    def get_next_hops_for_site_gate(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Skip the gate."""
        if any(self.table.get(site) == site for site in destination.site_identifier_list):
            return [destination.identifier]
        return super().get_next_hops_for_site_gate(source, destination)


class RouterOfTheNextSite(SteppedRouter):
    """A gate sends to the last routing server of the next site, gate or not."""

    def get_site_gate_for_site(self, site: str) -> QueueManagerId | None:
        """Not ask for gates."""
        servers = self.view.directory.routing_servers_by_site.get(SiteId(site), ())
        return servers[-1].identifier if servers else None


class NoWayIsOwnGate(SteppedRouter):
    """A gate without a way hands over to the first gate of its site."""

    def get_next_hops_for_site_gate(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Keep the message at home."""
        return super().get_next_hops_for_site_gate(source, destination) or [self.get_site_gate(source.identifier)]


class FarAwayFails(SteppedRouter):
    """A gate finds no next hop to sites that are no neighbours."""

    def get_next_hops_for_site_gate(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Give up."""
        hops = super().get_next_hops_for_site_gate(source, destination)
        beyond = [site for site in destination.site_identifier_list if self.table.get(site, site) != site]
        return [] if beyond and not source.shares_a_site_with(destination) else hops


def _id(branch: str) -> str:
    return f"MQBR-3.1.5.3-{branch}"


_WHOLE = (_id("B05"),)

MUTANTS = (
    misreading(
        "gate-without-in-server-test",
        "A gate sees no In lists.",
        gate_sees(in_list(lambda _: ())),
        (_id("B01"), _id("B02")),
        "MQBR-3.1.5.3",
    ),
    misreading(
        "gate-looks-at-first-in-server",
        "A gate looks for itself in the first place of an In list only.",
        gate_sees(in_list(lambda one: one[:1])),
        (_id("B01"), _id("B02")),
        "MQBR-3.1.5.3",
    ),
    routing("gate-in-server-test-last", InServerTestLast, (_id("B01"), _id("B02"))),
    routing("gate-in-server-within-the-site", InServerOnlyWithinTheSite, (_id("B01"), _id("B02")), (_id("01"),)),
    routing("any-gate-is-an-in-server", AnyGateIsAnInServer, (_id("B01"),)),
    misreading(
        "gate-by-its-first-site", "A gate shares only its first site.", gate_sees(first_site_of_source), (_id("B03"),)
    ),
    misreading(
        "gate-to-the-first-site",
        "A gate sees only the first site of the destination.",
        gate_sees(first_site_of_destination),
        (_id("B03"), _id("B07")),
        _id("B08"),
    ),
    misreading(
        "gate-ignores-in-list",
        "A gate ignores the In list of a destination in the site.",
        gate_sees(in_list_within_the_site(lambda _: ())),
        (_id("B04"), _id("B05")),
    ),
    misreading(
        "gate-to-first-of-in-list",
        "A gate sends to the first of an In list.",
        gate_sees(in_list_within_the_site(lambda one: one[:1])),
        _WHOLE,
        _id("B04"),
    ),
    misreading(
        "gate-to-three-of-in-list",
        "A gate sends to no more than three of an In list.",
        gate_sees(in_list_within_the_site(lambda one: one[:3])),
        _WHOLE,
    ),
    routing("server-beside-the-gate", ServerEvenWithinTheSite, (_id("B06"),), ("MQBR-3.1.5",)),
    routing("several-matches-none", SeveralMatchesNone, (_id("B08"),)),
    routing(
        "unreachable-by-neighbour", UnreachableByNeighbour, (_id("B09"), _id("02")), ("MQBR-3.1.3.1", "MQBR-3.1.6.1-01")
    ),
    routing("no-way-is-own-gate", NoWayIsOwnGate, (_id("B09"), _id("02")), BEYOND),
    routing("gate-of-the-last-site", GateOfTheLastSite, (_id("B10"),), BEYOND),
    routing("directly-next-door", DirectlyNextDoor, (_id("B10"),), BEYOND),
    routing("router-of-the-next-site", RouterOfTheNextSite, (_id("B10"),), BEYOND),
    routing("far-away-fails", FarAwayFails, (_id("01"),), BEYOND),
)
