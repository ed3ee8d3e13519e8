"""Faulty routers: next hops of a site gate (MS-MQBR 3.1.5.3)."""

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
from mqconform.reference.directory.elements import QueueManager, QueueManagerId, SiteId


def _matches(self: SteppedRouter, destination: QueueManager) -> list[SiteId]:
    return [site for site in self.table if site in destination.site_identifier_list]


def _by_server(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    if destination.in_routing_server_identifier_list or not source.shares_a_site_with(destination):
        return hops
    servers = [server.identifier for server in self.view.directory.routing_servers_sharing_a_site(source)]
    others = [server for server in servers if server not in (source.identifier, destination.identifier)]
    return [*others[:1]] or hops


def _no_second_match(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    return hops if source.shares_a_site_with(destination) or len(_matches(self, destination)) < 2 else []


def _by_last_neighbour(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    neighbours = [site for site in self.table.values() if site not in source.site_identifier_list]
    return hops or [self.get_site_gate_for_site(site) for site in neighbours[-1:]]


def _last_gate(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    matches = _matches(self, destination)
    in_server = source.identifier in destination.in_routing_server_identifier_list
    direct = in_server or source.shares_a_site_with(destination)
    return hops if direct or not matches else [self.get_site_gate_for_site(matches[-1])]


def _directly(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    neighbour = any(self.table.get(site) == site for site in destination.site_identifier_list)
    return [destination.identifier] if neighbour else hops


def _last_router(self: SteppedRouter, site: str) -> QueueManagerId | None:
    servers = self.view.directory.routing_servers_by_site.get(SiteId(site), ())
    return servers[-1].identifier if servers else None


def _only_neighbours(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    beyond = [site for site in destination.site_identifier_list if self.table.get(site, site) != site]
    return [] if beyond and not source.shares_a_site_with(destination) else hops


_gate = partial(procedure, "3.1.5.3", with_answers, "get_next_hops_for_site_gate")
_gate_sees = partial(procedure, "3.1.5.3", with_arguments, "get_next_hops_for_site_gate")


def _gate_at_home(self: SteppedRouter, gate: QueueManagerId | None, site: SiteId) -> QueueManagerId | None:
    listed = (
        entry
        for record in self.view.directory.sites_by_identifier.get(site, ())
        for entry in record.site_gate_collection
    )
    machines = map(self.get_queue_manager, listed if gate else ())
    return next(
        (machine.identifier for machine in machines if machine and site in machine.site_identifier_list[:1]), None
    )


MUTANTS = (
    procedure(
        "3.1.5.7",
        with_answers,
        "get_site_gate_for_site",
        "next-gate-by-its-first-site",
        "Of the gates of a next site those count of which it is the first site.",
        _gate_at_home,
        "01 B03",
    ),
    _gate_sees("gate-without-in-server-test", "A gate sees no In lists.", in_list(0), "B01 B02"),
    _gate_sees(
        "gate-looks-at-first-in-server",
        "A gate looks for itself in the first place of an In list only.",
        in_list(1),
        "B01 B02",
    ),
    _gate(
        "gate-in-server-test-last",
        "A gate compares sites before it looks for itself in the In list.",
        same_site_first,
        "B01 B02",
    ),
    _gate_sees(
        "gate-in-server-within-the-site",
        "A gate looks for itself in the In list of destinations in its site only.",
        in_list_nearby_only,
        "B01 B02",
    ),
    _gate(
        "any-gate-is-an-in-server",
        "A gate takes itself for an in-routing server of any destination that names a gate.",
        lambda self, hops, source, destination: (
            [destination.identifier]
            if any(self.is_site_gate(server) for server in destination.in_routing_server_identifier_list)
            else hops
        ),
        "B01",
    ),
    _gate_sees("gate-by-its-first-site", "A gate shares only its first site.", source_in_one_site, "B03"),
    _gate_sees(
        "gate-to-the-first-site",
        "A gate sees only the first site of the destination.",
        destination_in_one_site,
        "B03 B07",
    ),
    _gate_sees(
        "gate-ignores-in-list", "A gate ignores the In list of a destination in the site.", in_list_nearby(0), "B04 B05"
    ),
    _gate_sees("gate-to-first-of-in-list", "A gate sends to the first of an In list.", in_list_nearby(1), "B05"),
    _gate_sees(
        "gate-to-three-of-in-list", "A gate sends to no more than three of an In list.", in_list_nearby(3), "B05"
    ),
    _gate(
        "server-beside-the-gate",
        "A gate sends to a destination in its site by way of a routing server.",
        _by_server,
        "B06",
    ),
    _gate("several-matches-none", "A gate gives up where several rows match.", _no_second_match, "B08"),
    _gate(
        "unreachable-by-neighbour",
        "A gate that finds no row sends to the gate of a neighbour.",
        _by_last_neighbour,
        "B09 02",
    ),
    _gate(
        "no-way-is-own-gate",
        "A gate without a way hands over to the first gate of its site.",
        lambda self, hops, source, _: hops or [self.get_site_gate(source.identifier)],
        "B09 02",
    ),
    _gate(
        "gate-of-the-last-site",
        "A gate sends to the gate of the destination's site, skipping what lies between.",
        _last_gate,
        "B10",
    ),
    _gate("directly-next-door", "A gate sends to a destination in a neighbouring site directly.", _directly, "B10"),
    procedure(
        "3.1.5.3",
        altered,
        "get_site_gate_for_site",
        "router-of-the-next-site",
        "A gate sends to the last routing server of the next site, gate or not.",
        _last_router,
        "B10",
    ),
    _gate("far-away-fails", "A gate finds no next hop to sites that are no neighbours.", _only_neighbours, "01"),
)
