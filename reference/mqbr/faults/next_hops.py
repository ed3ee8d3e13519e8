"""Faults of routers in what they do with source, destination and lists, and with no route (MS-MQBR 3.1.5.1-3)."""

from collections.abc import Callable
from dataclasses import replace

from mqconform.reference.directory.elements import QueueManager, QueueManagerId, Site, SiteId
from mqconform.reference.mqbr.faults.stepped_router import (
    Hops,
    SteppedRouter,
    View,
    answers,
    destination_in_one_site,
    fault,
    in_list,
    in_list_nearby,
    in_list_nearby_only,
    in_list_with_source,
    replaced,
    same_site_first,
    sees,
    source_in_one_site,
)

NIL = QueueManagerId("00000000-0000-0000-0000-000000000000")
NO_ROUTE = "MQBR-3.1.5 MQBR-3.1.3.1 MQBR-3.1.6.1-01"
"""Wherever a scenario ends without a route."""


def _unknown_destination(self: SteppedRouter, hops: Hops, source: str, destination: str) -> Hops:
    unknown = self.get_queue_manager(source) and not self.get_queue_manager(destination)
    return [QueueManagerId(destination)] if unknown else hops


def _as_if_elsewhere(self: SteppedRouter, hops: Hops, source: str, destination: str) -> Hops:
    machine = self.get_queue_manager(source)
    if machine is None or self.get_queue_manager(destination):
        return hops
    return [self.get_site_gate(source) if machine.routing_server else self.get_routing_server(source)]


def _gates_alone(self: SteppedRouter, source: QueueManager, destination: QueueManager) -> Hops:
    if self.is_site_gate(source.identifier):
        return self.get_next_hops_for_site_gate(source, destination)
    return self.get_next_hops_for_client(source, destination)


def _unknown_source(self: SteppedRouter, hops: Hops, source: str, destination: str) -> Hops:
    unknown = self.get_queue_manager(destination) and not self.get_queue_manager(source)
    return [QueueManagerId(destination)] if unknown else hops


def _any_router(self: SteppedRouter, source: str, destination: str) -> list[str]:
    servers: list[str] = [server.identifier for server in self.routing_servers if server.identifier != source]
    return servers[:1] or SteppedRouter.without_route(self, source, destination)


def _out_list(shape: Callable[[tuple[QueueManagerId, ...]], tuple[QueueManagerId, ...]]) -> View:
    def view(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
        servers = shape(source.out_routing_server_identifier_list)
        return replace(source, out_routing_server_identifier_list=servers), destination

    return view


def _out_list_of_destination(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
    return _out_list(lambda _: destination.out_routing_server_identifier_list)(source, destination)


def _out_list_nearby(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
    near = source.shares_a_site_with(destination)
    return (source, destination) if near else _out_list(lambda _: ())(source, destination)


def _in_list_first(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    listed = destination.in_routing_server_identifier_list
    return [*listed] if listed and source.shares_a_site_with(destination) else hops


def _sites_as_lists(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
    if source.site_identifier_list == destination.site_identifier_list:
        return source, destination
    others = tuple(site for site in destination.site_identifier_list if site not in source.site_identifier_list)
    return source, replace(destination, site_identifier_list=others)


def _destination_too(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    by_list = hops == [*destination.in_routing_server_identifier_list]
    return [*hops, destination.identifier] if by_list and not source.out_routing_server_identifier_list else hops


def _by_server(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    server = self.get_routing_server(source.identifier)
    return [server] if hops == [destination.identifier] and server != destination.identifier else hops


def _in_list_anywhere(self: SteppedRouter, source: QueueManager, destination: QueueManager) -> Hops:
    return [*destination.in_routing_server_identifier_list] or [self.get_routing_server(source.identifier)]


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


def _matches(self: SteppedRouter, destination: QueueManager) -> list[SiteId]:
    return [site for site in self.table if site in destination.site_identifier_list]


def _gate_by_server(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    if destination.in_routing_server_identifier_list or not source.shares_a_site_with(destination):
        return hops
    servers = [server.identifier for server in self.view.directory.routing_servers_sharing_a_site(source)]
    others = [server for server in servers if server not in (source.identifier, destination.identifier)]
    return [*others[:1]] or hops


def _any_gate_is_in_server(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    listed = any(map(self.is_site_gate, destination.in_routing_server_identifier_list))
    return [destination.identifier] if listed else hops


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


def _to(hop: Callable[[SteppedRouter, QueueManager, QueueManager], QueueManagerId | None]) -> Callable[..., Hops]:
    def get_next_hops(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
        here = source.shares_a_site_with(destination) or hops == [destination.identifier]
        return hops if here or not hops else [hop(self, source, destination)]

    return get_next_hops


def _last_router(self: SteppedRouter, site: str) -> QueueManagerId | None:
    servers = self.view.directory.routing_servers_by_site.get(SiteId(site), ())
    return servers[-1].identifier if servers else None


def _only_neighbours(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    beyond = [site for site in destination.site_identifier_list if self.table.get(site, site) != site]
    return [] if beyond and not source.shares_a_site_with(destination) else hops


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


# Laid out as a table: name, what it breaks, what it does, the changed rule.
OF_CLIENTS = (
    fault("nothing-beside-the-hop", "3.1.5.1-01", "Nothing follows the next hop in the list.",
        answers(get_next_hops=lambda self, hops, *_: [*hops, None])),
    fault("unknown-destination-answered", "3.1.5.1-B01",
        "A destination that the directory does not know is the next hop itself.",
        answers(between=_unknown_destination)),
    fault("unknown-destination-elsewhere", "3.1.5.1-B01",
        "A destination that the directory does not know is taken for one in another site.",
        answers(between=_as_if_elsewhere)),
    fault("unknown-source-served", "3.1.5.1-B01",
        "A source that the directory does not know is taken for a neighbour of the destination.",
        answers(between=_unknown_source)),
    fault("routers-are-clients", "3.1.5.1-B02 3.1.5.1-B03",
        "The flag RoutingServer is ignored: everybody is routed as a client.",
        replaced(get_next_hops_for_router=SteppedRouter.get_next_hops_for_client)),
    fault("plain-routers-are-clients", "3.1.5.1-B02 3.1.5.1-B03",
        "A routing server that is no gate is routed as a client.", replaced(get_next_hops_for_router=_gates_alone)),
    fault("clients-are-routers", "3.1.5.1-B02", "The flag RoutingServer is ignored: everybody is routed as a router.",
        replaced(get_next_hops_for_client=SteppedRouter.get_next_hops_for_router)),
    fault("out-list-ignored", "3.1.5.1-B04 3.1.5.1-B05", "Out lists are ignored.",
        sees(get_next_hops_for_client=_out_list(lambda _: ()))),
    fault("out-list-first", "3.1.5.1-B05", "A client sends to the first of its Out list.",
        sees(get_next_hops_for_client=_out_list(lambda ids: ids[:1]))),
    fault("out-list-first-three", "3.1.5.1-B05", "A client sends to no more than three of its Out list.",
        sees(get_next_hops_for_client=_out_list(lambda ids: ids[:3]))),
    fault("out-list-not-the-last", "3.1.5.1-B05", "A client leaves out the last of an Out list.",
        sees(get_next_hops_for_client=_out_list(lambda ids: ids[:-1] or ids))),
    fault("out-list-last", "3.1.5.1-B04 3.1.5.1-B05", "A client's Out list serves messages to other sites only.",
        answers(get_next_hops_for_client=same_site_first)),
    fault("out-list-within-the-site", "3.1.5.1-B04 3.1.5.1-B05",
        "A client's Out list serves messages within the site only.",
        sees(get_next_hops_for_client=_out_list_nearby)),
    fault("in-list-before-out-list", "3.1.5.1-B04 3.1.5.1-B05",
        "Within the site the destination's In list counts before the Out list.",
        answers(get_next_hops_for_client=_in_list_first)),
    fault("out-list-of-the-destination", "3.1.5.1-B04 3.1.5.1-B05",
        "The destination's Out list is taken for the client's.",
        sees(get_next_hops_for_client=_out_list_of_destination)),
    fault("client-by-its-first-site", "3.1.5.1-B06", "A client shares only its first site.",
        sees(get_next_hops_for_client=source_in_one_site)),
    fault("client-to-the-first-site", "3.1.5.1-B06", "A client shares only the first site of the destination.",
        sees(get_next_hops_for_client=destination_in_one_site)),
    fault("client-with-equal-sites", "3.1.5.1-B06",
        "A client shares a site only with destinations that have the same sites.",
        sees(get_next_hops_for_client=_sites_as_lists)),
    fault("client-ignores-in-list", "3.1.5.1-B07 3.1.5.1-B08", "A client ignores the destination's In list.",
        sees(get_next_hops_for_client=in_list(0))),
    fault("client-to-first-of-in-list", "3.1.5.1-B08", "A client sends to the first of an In list.",
        sees(get_next_hops_for_client=in_list(1))),
    fault("client-to-three-of-in-list", "3.1.5.1-B08", "A client sends to no more than three of an In list.",
        sees(get_next_hops_for_client=in_list(3))),
    fault("destination-beside-its-in-list", "3.1.5.1-B08",
        "A client sends to the destination as well as to its in-routing servers.",
        answers(get_next_hops_for_client=_destination_too)),
    fault("in-list-everywhere", "3.1.5.1-B10", "A client sends to the in-routing servers of a destination in any site.",
        replaced(leave_the_site_of_client=_in_list_anywhere)),
    fault("server-within-the-site", "3.1.5.1-B09",
        "A client sends to a destination in its site by way of a routing server.",
        answers(get_next_hops_for_client=_by_server)),
    fault("server-of-the-destination", "3.1.5.1-B10", "A client sends to a routing server of the destination's site.",
        replaced(leave_the_site_of_client=
            lambda self, _, destination: [self.get_routing_server(destination.identifier)])),
    fault("client-sends-directly", "3.1.5.1-B10", "A client sends to other sites directly.",
        replaced(leave_the_site_of_client=lambda self, source, destination: [destination.identifier])),
    fault("gate-for-a-client", "3.1.5.1-B10 3.1.5.1-B02", "A client sends to the gate of its site.",
        replaced(leave_the_site_of_client=lambda self, source, _: [self.get_site_gate(source.identifier)])),
    fault("no-route-is-source", "3.1.5.1-B11 3.1.5.1-B12", "Where there is no route the source itself is the next hop.",
        replaced(without_route=lambda self, source, destination: [source])),
    fault("no-route-is-nil", "3.1.5.1-B11 3.1.5.1-B12",
        "Where there is no route the next hop is an identifier of zeros.", replaced(without_route=lambda *_: [NIL])),
    fault("no-route-is-destination", "3.1.5.1-B01 3.1.5.4-02 3.1.5.9-B02 3.1.5.9-B06",
        "Where there is no route the destination itself is the next hop.",
        replaced(without_route=lambda self, source, destination: [destination])),
    fault("no-route-is-any-router", "3.1.5.1-B11 3.1.5.1-B12",
        "Where there is no route the first routing server of the enterprise is the next hop.",
        replaced(without_route=_any_router)),
    fault("source-in-the-list", "3.1.5.1-01", "Every answer holds the source as well.",
        answers(get_next_hops=lambda self, hops, source, _: [source, *hops])),
    fault("single-hops-fail", "3.1.5.1-B11", "A routing attempt with a single next hop fails.",
        answers(between=lambda self, hops, *_: hops if len(hops) > 1 else [])),
    fault("only-with-sites", "3.1.5.9-02", "No message is routed while no Site can be read.",
        answers(between=lambda self, hops, *_: hops if self.get_directory_data(Site) else [])),
)  # fmt: skip

OF_ROUTERS = (
    fault("gates-route-as-routers", "3.1.5.2-B01 3.1.5.2-B02", "A site gate is routed as any routing server.",
        replaced(get_next_hops_for_router=SteppedRouter.get_next_hops_for_plain_router)),
    fault("routers-route-as-gates", "3.1.5.2-B01 3.1.5.2-B09", "Every routing server is routed as a site gate.",
        replaced(get_next_hops_for_router=SteppedRouter.get_next_hops_for_site_gate)),
    fault("router-without-in-server-test", "3.1.5.2-B03 3.1.5.2-B04",
        "A router sees no In list of destinations that name it.",
        sees(get_next_hops_for_plain_router=in_list_with_source(0))),
    fault("router-looks-at-first-in-server", "3.1.5.2-B03 3.1.5.2-B04",
        "A router looks for itself in the first place of an In list only.",
        sees(get_next_hops_for_plain_router=in_list_with_source(1))),
    fault("router-in-server-test-last", "3.1.5.2-B03 3.1.5.2-B04",
        "A router compares sites before it looks for itself in the In list.",
        answers(get_next_hops_for_plain_router=same_site_first)),
    fault("router-in-server-within-the-site", "3.1.5.2-B03 3.1.5.2-B04",
        "A router looks for itself in the In list of destinations in its site only.",
        sees(get_next_hops_for_plain_router=in_list_nearby_only)),
    fault("any-server-is-an-in-server", "3.1.5.2-B03 3.1.5.2-B07",
        "Every router of the site takes itself for an in-routing server of a destination that has some.",
        answers(get_next_hops_for_plain_router=_any_in_server)),
    fault("in-server-passes-on", "3.1.5.2-B04",
        "An in-routing server of the destination sends to the other in-routing servers.",
        answers(get_next_hops_for_plain_router=_other_in_servers)),
    fault("router-by-its-first-site", "3.1.5.2-B05", "A router shares only its first site.",
        sees(get_next_hops_for_plain_router=source_in_one_site)),
    fault("router-to-the-first-site", "3.1.5.2-B05", "A router shares only the first site of the destination.",
        sees(get_next_hops_for_plain_router=destination_in_one_site)),
    fault("router-with-equal-sites", "3.1.5.2-B05",
        "A router shares a site only with destinations that have the same sites.",
        sees(get_next_hops_for_plain_router=_sites_as_lists)),
    fault("router-ignores-in-list", "3.1.5.2-B06 3.1.5.2-B07",
        "A router ignores the In list of a destination in the site.",
        sees(get_next_hops_for_plain_router=in_list_nearby(0))),
    fault("router-to-first-of-in-list", "3.1.5.2-B07", "A router sends to the first of an In list.",
        sees(get_next_hops_for_plain_router=in_list_nearby(1))),
    fault("router-to-three-of-in-list", "3.1.5.2-B07", "A router sends to no more than three of an In list.",
        sees(get_next_hops_for_plain_router=in_list_nearby(3))),
    fault("gate-within-the-site", "3.1.5.2-B08", "A router sends to a destination in its site by way of a gate.",
        answers(get_next_hops_for_plain_router=_by_gate)),
    fault("gate-of-the-destination", "3.1.5.2-B09", "A router sends to a gate of the destination's site.",
        replaced(leave_the_site_of_router=
            lambda self, source, destination: [self.get_site_gate(destination.identifier)])),
    fault("router-for-gate", "3.1.5.2-B09", "A router sends to another routing server of its site instead of a gate.",
        replaced(leave_the_site_of_router=
            lambda self, source, destination: [self.get_routing_server(source.identifier)])),
    fault("in-list-across-sites", "3.1.5.2-B09",
        "A router sends to the in-routing servers of a destination in another site.",
        replaced(leave_the_site_of_router=
            lambda self, source, destination: [*destination.in_routing_server_identifier_list]
            or [self.get_site_gate(source.identifier)])),
    fault("in-list-of-the-routers-site", "3.1.5.2-B09",
        "A router sends to the in-routing servers of a destination in another site that are of its own site.",
        replaced(leave_the_site_of_router=_by_in_server_nearby)),
    fault("gateless-router-keeps", "3.1.5.2-02", "A router that finds no gate is its own next hop.",
        replaced(leave_the_site_of_router=
            lambda self, source, destination: [self.get_site_gate(source.identifier) or source.identifier])),
    fault("never-a-gate-itself", "3.1.5.2-B08 3.1.5.2-01",
        "A router does not hand over to a destination that is a gate.",
        answers(get_next_hops_for_plain_router=_no_gate)),
)  # fmt: skip

OF_SITE_GATES = (
    fault("next-gate-by-its-first-site", "3.1.5.7-01 3.1.5.7-B03",
        "Only gates whose first site is the next site count.",
        answers(get_site_gate_for_site=_gate_at_home)),
    fault("gate-without-in-server-test", "3.1.5.3-B01 3.1.5.3-B02",
        "A gate sees no In list of destinations that name it.",
        sees(get_next_hops_for_site_gate=in_list_with_source(0))),
    fault("gate-looks-at-first-in-server", "3.1.5.3-B01 3.1.5.3-B02",
        "A gate looks for itself in the first place of an In list only.",
        sees(get_next_hops_for_site_gate=in_list_with_source(1))),
    fault("gate-in-server-test-last", "3.1.5.3-B01 3.1.5.3-B02",
        "A gate compares sites before it looks for itself in the In list.",
        answers(get_next_hops_for_site_gate=same_site_first)),
    fault("gate-in-server-within-the-site", "3.1.5.3-B01 3.1.5.3-B02",
        "A gate looks for itself in the In list of destinations in its site only.",
        sees(get_next_hops_for_site_gate=in_list_nearby_only)),
    fault("any-gate-is-an-in-server", "3.1.5.3-B01 3.1.5.3-B05",
        "A gate takes itself for an in-routing server of any destination that names a gate.",
        answers(get_next_hops_for_site_gate=_any_gate_is_in_server)),
    fault("gate-by-its-first-site", "3.1.5.3-B03", "A gate shares only its first site.",
        sees(get_next_hops_for_site_gate=source_in_one_site)),
    fault("gate-to-the-first-site", "3.1.5.3-B03 3.1.5.3-B07", "A gate sees only the first site of the destination.",
        sees(get_next_hops_for_site_gate=destination_in_one_site)),
    fault("gate-with-equal-sites", "3.1.5.3-B03",
        "A gate shares a site only with destinations that have the same sites.",
        sees(get_next_hops_for_site_gate=_sites_as_lists)),
    fault("gate-ignores-in-list", "3.1.5.3-B04 3.1.5.3-B05", "A gate ignores the In list of a destination in the site.",
        sees(get_next_hops_for_site_gate=in_list_nearby(0))),
    fault("gate-to-first-of-in-list", "3.1.5.3-B05", "A gate sends to the first of an In list.",
        sees(get_next_hops_for_site_gate=in_list_nearby(1))),
    fault("gate-to-three-of-in-list", "3.1.5.3-B05", "A gate sends to no more than three of an In list.",
        sees(get_next_hops_for_site_gate=in_list_nearby(3))),
    fault("server-beside-the-gate", "3.1.5.3-B06",
        "A gate sends to a destination in its site by way of a routing server.",
        answers(get_next_hops_for_site_gate=_gate_by_server)),
    fault("several-matches-none", "3.1.5.3-B08", "A gate gives up where several rows match.",
        answers(get_next_hops_for_site_gate=_no_second_match)),
    fault("unreachable-by-neighbour", "3.1.5.3-B09 3.1.5.3-02",
        "A gate that finds no row sends to the gate of a neighbour.",
        answers(get_next_hops_for_site_gate=_by_last_neighbour)),
    fault("no-way-is-own-gate", "3.1.5.3-B09 3.1.5.3-02",
        "A gate without a way hands over to the first gate of its site.",
        answers(get_next_hops_for_site_gate=
            lambda self, hops, source, _: hops or [self.get_site_gate(source.identifier)])),
    fault("gate-of-the-last-site", "3.1.5.3-B10",
        "A gate sends to the gate of the destination's site, skipping what lies between.",
        answers(get_next_hops_for_site_gate=_last_gate)),
    fault("gate-of-its-own-site", "3.1.5.3-B10", "A gate sends to the gate of its own site.",
        answers(get_next_hops_for_site_gate=_to(lambda self, source, _: self.get_site_gate(source.identifier)))),
    fault("gate-sends-directly", "3.1.5.3-B10", "A gate sends to a destination in another site directly.",
        answers(get_next_hops_for_site_gate=_to(lambda self, _, destination: destination.identifier))),
    fault("directly-next-door", "3.1.5.3-B10", "A gate sends to a destination in a neighbouring site directly.",
        answers(get_next_hops_for_site_gate=_directly)),
    fault("router-of-the-next-site", "3.1.5.3-B10",
        "A gate sends to the last routing server of the next site, gate or not.",
        replaced(get_site_gate_for_site=_last_router)),
    fault("far-away-fails", "3.1.5.3-01", "A gate finds no next hop to sites that are no neighbours.",
        answers(get_next_hops_for_site_gate=_only_neighbours)),
)  # fmt: skip
