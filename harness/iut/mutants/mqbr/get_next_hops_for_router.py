"""Faulty routers: next hops of a routing server that is no gate (MS-MQBR 3.1.5.2)."""

from functools import partial

from mqconform.harness.iut.mutants.mqbr.stepped_router import (
    Hops,
    SteppedRouter,
    destination_in_one_site,
    in_list,
    in_list_nearby,
    in_list_nearby_only,
    procedure,
    same_site_first,
    source_in_one_site,
)
from mqconform.harness.iut.mutants.mutant import altered, with_answers, with_arguments
from mqconform.reference.directory.elements import QueueManager


def _any_in_server(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    listed = destination.in_routing_server_identifier_list and source.shares_a_site_with(destination)
    return [destination.identifier] if listed else hops


def _other_in_servers(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    servers = destination.in_routing_server_identifier_list
    others: Hops = [server for server in servers if server != source.identifier]
    return others if source.identifier in servers and others else hops


def _by_in_server_nearby(self: SteppedRouter, source: QueueManager, destination: QueueManager) -> Hops:
    servers = map(self.get_queue_manager, destination.in_routing_server_identifier_list)
    nearby: Hops = [server.identifier for server in servers if server and server.shares_a_site_with(source)]
    return nearby or [self.get_site_gate(source.identifier)]


def _by_gate(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    in_server = source.identifier in destination.in_routing_server_identifier_list
    return hops if in_server or hops != [destination.identifier] else [self.get_site_gate(source.identifier)]


def _no_gate(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    return [] if self.is_site_gate(destination.identifier) and source.shares_a_site_with(destination) else hops


_any_router = partial(procedure, "3.1.5.2", altered, "get_next_hops_for_router")
_router = partial(procedure, "3.1.5.2", with_answers, "get_next_hops_for_plain_router")
_router_sees = partial(procedure, "3.1.5.2", with_arguments, "get_next_hops_for_plain_router")
_router_leaves = partial(procedure, "3.1.5.2", altered, "leave_the_site_of_router")

MUTANTS = (
    _any_router(
        "gates-route-as-routers",
        "A site gate is routed as any routing server.",
        SteppedRouter.get_next_hops_for_plain_router,
        "B01 B02",
    ),
    _any_router(
        "routers-route-as-gates",
        "Every routing server is routed as a site gate.",
        SteppedRouter.get_next_hops_for_site_gate,
        "B01",
    ),
    _router_sees(
        "router-without-in-server-test", "A router sees no In list of destinations that name it.", in_list(0), "B03 B04"
    ),
    _router_sees(
        "router-looks-at-first-in-server",
        "A router looks for itself in the first place of an In list only.",
        in_list(1),
        "B03 B04",
    ),
    _router(
        "router-in-server-test-last",
        "A router compares sites before it looks for itself in the In list.",
        same_site_first,
        "B03 B04",
    ),
    _router_sees(
        "router-in-server-within-the-site",
        "A router looks for itself in the In list of destinations in its site only.",
        in_list_nearby_only,
        "B03 B04",
    ),
    _router(
        "any-server-is-an-in-server",
        "Every router of the site takes itself for an in-routing server of a destination that has some.",
        _any_in_server,
        "B03 B07",
    ),
    _router(
        "in-server-passes-on",
        "An in-routing server of the destination sends to the other in-routing servers.",
        _other_in_servers,
        "B04",
    ),
    _router_sees("router-by-its-first-site", "A router shares only its first site.", source_in_one_site, "B05"),
    _router_sees(
        "router-to-the-first-site",
        "A router shares only the first site of the destination.",
        destination_in_one_site,
        "B05",
    ),
    _router_sees(
        "router-ignores-in-list",
        "A router ignores the In list of a destination in the site.",
        in_list_nearby(0),
        "B06 B07",
    ),
    _router_sees("router-to-first-of-in-list", "A router sends to the first of an In list.", in_list_nearby(1), "B07"),
    _router_sees(
        "router-to-three-of-in-list", "A router sends to no more than three of an In list.", in_list_nearby(3), "B07"
    ),
    _router("gate-within-the-site", "A router sends to a destination in its site by way of a gate.", _by_gate, "B08"),
    _router_leaves(
        "gate-of-the-destination",
        "A router sends to a gate of the destination's site.",
        lambda self, source, destination: [self.get_site_gate(destination.identifier)],
        "B09",
    ),
    _router_leaves(
        "router-for-gate",
        "A router sends to another routing server of its site instead of a gate.",
        lambda self, source, destination: [self.get_routing_server(source.identifier)],
        "B09",
    ),
    _router_leaves(
        "in-list-across-sites",
        "A router sends to the in-routing servers of a destination in another site.",
        lambda self, source, destination: (
            [*destination.in_routing_server_identifier_list] or [self.get_site_gate(source.identifier)]
        ),
        "B09",
    ),
    _router_leaves(
        "in-list-of-the-routers-site",
        "A router sends to the in-routing servers of a destination in another site that are of its own site.",
        _by_in_server_nearby,
        "B09",
    ),
    _router_leaves(
        "gateless-router-keeps",
        "A router that finds no gate is its own next hop.",
        lambda self, source, destination: [self.get_site_gate(source.identifier) or source.identifier],
        "02",
    ),
    _router("never-a-gate-itself", "A router does not hand over to a destination that is a gate.", _no_gate, "01"),
)
