"""Faulty routers: what becomes of source, destination and lists of a client, and of "no route" (MS-MQBR 3.1.5.1)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from mqconform.harness.iut.mutants.mqbr.stepped_router import (
    Hops,
    SteppedRouter,
    View,
    destination_in_one_site,
    in_list,
    procedure,
    same_site_first,
    source_in_one_site,
)
from mqconform.harness.iut.mutants.mutant import altered, with_answers, with_arguments
from mqconform.reference.directory.elements import QueueManager, QueueManagerId, Site

NIL = QueueManagerId("00000000-0000-0000-0000-000000000000")
NO_ROUTE = "MQBR-3.1.5 MQBR-3.1.3.1 MQBR-3.1.6.1-01"
"""Wherever a scenario ends without a route."""


def _unknown_destination(self: SteppedRouter, hops: Hops, source: str, destination: str) -> Hops:
    unknown = self.get_queue_manager(source) and not self.get_queue_manager(destination)
    return [QueueManagerId(destination)] if unknown else hops


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


def _sites_as_lists(source: QueueManager, destination: QueueManager) -> tuple[QueueManager, QueueManager]:
    equal = source.site_identifier_list == destination.site_identifier_list
    return source, destination if equal else replace(destination, site_identifier_list=())


def _destination_too(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    by_list = hops == [*destination.in_routing_server_identifier_list]
    return [*hops, destination.identifier] if by_list and not source.out_routing_server_identifier_list else hops


def _by_server(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    server = self.get_routing_server(source.identifier)
    return [server] if hops == [destination.identifier] and server != destination.identifier else hops


def _in_list_anywhere(self: SteppedRouter, source: QueueManager, destination: QueueManager) -> Hops:
    return [*destination.in_routing_server_identifier_list] or [self.get_routing_server(source.identifier)]


_get_next_hops = partial(procedure, "3.1.5.1", with_answers, "get_next_hops")
_between = partial(procedure, "3.1.5.1", with_answers, "between")
_without_route = partial(procedure, "3.1.5.1", altered, "without_route")
_routed_otherwise = partial(procedure, "3.1.5.1", altered)
_client = partial(procedure, "3.1.5.1", with_answers, "get_next_hops_for_client")
_client_sees = partial(procedure, "3.1.5.1", with_arguments, "get_next_hops_for_client")
_client_leaves = partial(procedure, "3.1.5.1", altered, "leave_the_site_of_client")

MUTANTS = (
    _get_next_hops(
        "nothing-beside-the-hop",
        "Nothing follows the next hop in the list.",
        lambda self, hops, *_: [*hops, None],
        "01",
    ),
    _between(
        "unknown-destination-answered",
        "A destination that the directory does not know is the next hop itself.",
        _unknown_destination,
        "B01",
    ),
    _between(
        "unknown-source-served",
        "A source that the directory does not know is taken for a neighbour of the destination.",
        _unknown_source,
        "B01",
    ),
    _routed_otherwise(
        "get_next_hops_for_router",
        "routers-are-clients",
        "The flag RoutingServer is ignored: everybody is routed as a client.",
        SteppedRouter.get_next_hops_for_client,
        "B02 B03",
    ),
    _routed_otherwise(
        "get_next_hops_for_client",
        "clients-are-routers",
        "The flag RoutingServer is ignored: everybody is routed as a router.",
        SteppedRouter.get_next_hops_for_router,
        "B02",
    ),
    _client_sees("out-list-ignored", "Out lists are ignored.", _out_list(lambda _: ()), "B04 B05"),
    _client_sees(
        "out-list-first", "A client sends to the first of its Out list.", _out_list(lambda ids: ids[:1]), "B05"
    ),
    _client_sees(
        "out-list-first-three",
        "A client sends to no more than three of its Out list.",
        _out_list(lambda ids: ids[:3]),
        "B05",
    ),
    _client_sees(
        "out-list-not-the-last",
        "A client leaves out the last of an Out list.",
        _out_list(lambda ids: ids[:-1] or ids),
        "B05",
    ),
    _client("out-list-last", "A client's Out list serves messages to other sites only.", same_site_first, "B04"),
    _client_sees(
        "out-list-of-the-destination",
        "The destination's Out list is taken for the client's.",
        _out_list_of_destination,
        "B04",
    ),
    _client_sees("client-by-its-first-site", "A client shares only its first site.", source_in_one_site, "B06"),
    _client_sees(
        "client-to-the-first-site",
        "A client shares only the first site of the destination.",
        destination_in_one_site,
        "B06",
    ),
    _client_sees(
        "client-with-equal-sites",
        "A client shares a site only with destinations that have the same sites.",
        _sites_as_lists,
        "B06",
    ),
    _client_sees("client-ignores-in-list", "A client ignores the destination's In list.", in_list(0), "B07 B08"),
    _client_sees("client-to-first-of-in-list", "A client sends to the first of an In list.", in_list(1), "B08"),
    _client_sees(
        "client-to-three-of-in-list", "A client sends to no more than three of an In list.", in_list(3), "B08"
    ),
    _client(
        "destination-beside-its-in-list",
        "A client sends to the destination as well as to its in-routing servers.",
        _destination_too,
        "B08",
    ),
    _client_leaves(
        "in-list-everywhere",
        "A client sends to the in-routing servers of a destination in any site.",
        _in_list_anywhere,
        "B10",
    ),
    _client(
        "server-within-the-site",
        "A client sends to a destination in its site by way of a routing server.",
        _by_server,
        "B09",
    ),
    _client_leaves(
        "server-of-the-destination",
        "A client sends to a routing server of the destination's site.",
        lambda self, _, destination: [self.get_routing_server(destination.identifier)],
        "B10",
    ),
    _client_leaves(
        "client-sends-directly",
        "A client sends to other sites directly.",
        lambda self, source, destination: [destination.identifier],
        "B10",
    ),
    _client_leaves(
        "gate-for-a-client",
        "A client sends to the gate of its site.",
        lambda self, source, _: [self.get_site_gate(source.identifier)],
        "B02",
    ),
    _without_route(
        "no-route-is-source",
        "Where there is no route the source itself is the next hop.",
        lambda self, source, destination: [source],
        "B11 B12",
    ),
    _without_route(
        "no-route-is-nil",
        "Where there is no route the next hop is an identifier of zeros.",
        lambda *_: [NIL],
        "B11 B12",
    ),
    _without_route(
        "no-route-is-any-router",
        "Where there is no route the first routing server of the enterprise is the next hop.",
        _any_router,
        "B11 B12",
    ),
    _get_next_hops(
        "source-in-the-list",
        "Every answer holds the source as well.",
        lambda self, hops, source, _: [source, *hops],
        "01",
    ),
    _between(
        "single-hops-fail",
        "A routing attempt with a single next hop fails.",
        lambda self, hops, *_: hops if len(hops) > 1 else [],
        "B11",
    ),
    _between(
        "only-with-sites",
        "Nobody is routed while no Site can be read.",
        lambda self, hops, *_: hops if self.get_directory_data(Site) else [],
        "MQBR-3.1.5.9-02",
    ),
)
