"""Next hops (GetNextHops and its two helpers, MS-MQBR 3.1.5.1 to 3.1.5.3), each answering with all allowed outcomes.

Outcomes are normalised: a list, in order, without Nothing; the empty list is "no route", in whichever of the forms an
implementation reports it (BR-04 to BR-06).
"""

from collections.abc import Collection, Iterable
from functools import partial
from typing import TypeAlias

from mqconform.reference.allowed import Allowed, Step, any_of, choice, one_of, settled
from mqconform.reference.directory.elements import QueueManager, QueueManagerId, SiteId
from mqconform.reference.directory.reading import DirectoryView
from mqconform.reference.mqbr import readings
from mqconform.reference.mqbr.graph import LeastCosts
from mqconform.reference.mqbr.lookups import (
    get_queue_manager,
    get_routing_server,
    get_site_gate,
    get_site_gate_for_site,
    is_site_gate,
    step,
)
from mqconform.reference.mqbr.routing_table import RoutingTables

NextHops: TypeAlias = tuple[QueueManagerId, ...]
NO_ROUTE: NextHops = ()

_in_general = partial(step, "GetNextHops", "3.1.5.1")
_for_router = partial(step, "GetNextHopsForRouter", "3.1.5.2")
_for_site_gate = partial(step, "GetNextHopsForSiteGate", "3.1.5.3")

UNKNOWN = _in_general("source or destination is unknown: no hop", "B01")
ROUTER = _in_general("the source is a routing server", "B01", "B02", "B03")
OUT_LIST = _in_general("the source's out-routing servers", "B01", "B02", "B04", "B05")
CLIENT = _in_general("the source is neither router nor bound to an Out list", "B01", "B02", "B04")
CLIENT_IN_LIST = _in_general("a common site: the destination's in-routing servers", "B06", "B07", "B08")
CLIENT_DIRECT = _in_general("a common site: the destination itself", "B06", "B07", "B09")
VIA_SERVER = _in_general("no common site: a routing server", "B06", "B10")
NO_HOP = _in_general("no next hop was found: the routing attempt fails", "B11", "B12")

GATE = _for_router("the source is a site gate", "B01", "B02")
ROUTER_IS_IN_SERVER = _for_router("the source is an in-routing server: direct", "B03", "B04")
ROUTER_IN_LIST = _for_router("a common site: the in-routing servers", "B05", "B06", "B07")
ROUTER_DIRECT = _for_router("a common site: the destination itself", "B05", "B06", "B08")
VIA_GATE = _for_router("no common site: a gate of an own site", "B09")

GATE_IS_IN_SERVER = _for_site_gate("the source is an in-routing server: direct", "B01", "B02")
GATE_IN_LIST = _for_site_gate("a common site: the in-routing servers", "B03", "B04", "B05")
GATE_DIRECT = _for_site_gate("a common site: the destination itself", "B03", "B04", "B06")
VIA_NEXT_SITE = _for_site_gate("no common site: a gate of the next site", "B10")
NO_NEXT_SITE = _for_site_gate("no common site and no next site: no hop", "B09", "02")
_ROW = _for_site_gate("a row for a site of the destination gives the next site", "B07", "B08")
_NO_ROW = _for_site_gate("no row for a site of the destination", "B07")
_NOTHING = _for_site_gate("the row that stands has no next hop", "B07", "B08")


def get_next_hops(
    view: DirectoryView, tables: RoutingTables, source_id: QueueManagerId, destination_id: QueueManagerId
) -> Allowed[NextHops]:
    """Return the next hops on the way from the source to a destination (GetNextHops, MS-MQBR 3.1.5.1).

    Args:
        view: the directory, read live.
        tables: routing table of the source, as last initialised.
        source_id: the current queue manager.
        destination_id: where the message is to go in the end.
    """

    def with_source(source: QueueManager | None) -> Allowed[NextHops]:
        return get_queue_manager(view, destination_id).then(lambda destination: between(source, destination))

    def between(source: QueueManager | None, destination: QueueManager | None) -> Allowed[NextHops]:
        if source is None or destination is None:
            return settled(NO_ROUTE, UNKNOWN)
        if source.routing_server:
            return get_next_hops_for_router(view, tables, source, destination).after(ROUTER)
        return _get_next_hops_for_client(view, source, destination)

    return get_queue_manager(view, source_id).then(with_source).then(_found_or_failed)


def _found_or_failed(hops: NextHops) -> Allowed[NextHops]:
    # The list is made empty and tested for Nothing, which by the letter it never is (3.1.5.1; BR-04).
    return settled(hops) if hops else settled(NO_ROUTE, NO_HOP)


def _get_next_hops_for_client(
    view: DirectoryView, source: QueueManager, destination: QueueManager
) -> Allowed[NextHops]:
    """Return the next hops of a source that is no routing server (the ELSE of MS-MQBR 3.1.5.1)."""
    # Before any look at the sites: also where the destination is next door, or one of these servers (BR-55).
    if source.out_routing_server_identifier_list:
        return settled(source.out_routing_server_identifier_list, OUT_LIST)
    if source.shares_a_site_with(destination):
        return _within_the_site(destination, CLIENT_IN_LIST, CLIENT_DIRECT).after(CLIENT)
    return get_routing_server(view, source.identifier).map(_hop).after(CLIENT, VIA_SERVER)


def get_next_hops_for_router(
    view: DirectoryView, tables: RoutingTables, source: QueueManager, destination: QueueManager
) -> Allowed[NextHops]:
    """Return the next hops of a routing server (GetNextHopsForRouter, MS-MQBR 3.1.5.2)."""

    def as_gate_or_not(gate: int) -> Allowed[NextHops]:
        # The directory is asked anew for each message, the table of a gate is an hour old at most (3.1.5.2; BR-47).
        if gate:
            return get_next_hops_for_site_gate(view, tables, source, destination).after(GATE)
        if source.identifier in destination.in_routing_server_identifier_list:
            return _as_in_routing_server(source, destination, ROUTER_IS_IN_SERVER)
        if source.shares_a_site_with(destination):
            return _within_the_site(destination, ROUTER_IN_LIST, ROUTER_DIRECT)
        return get_site_gate(view, source.identifier).map(_hop).after(VIA_GATE)

    return is_site_gate(view, source.identifier).then(as_gate_or_not)


def get_next_hops_for_site_gate(
    view: DirectoryView, tables: RoutingTables, source: QueueManager, destination: QueueManager
) -> Allowed[NextHops]:
    """Return the next hops of a site gate (GetNextHopsForSiteGate, MS-MQBR 3.1.5.3)."""
    if source.identifier in destination.in_routing_server_identifier_list:
        return _as_in_routing_server(source, destination, GATE_IS_IN_SERVER)
    if source.shares_a_site_with(destination):
        return _within_the_site(destination, GATE_IN_LIST, GATE_DIRECT)

    def through(next_site: SiteId | None) -> Allowed[NextHops]:
        if next_site is None:
            return settled(NO_ROUTE, NO_NEXT_SITE)
        return get_site_gate_for_site(view, next_site).map(_hop).after(VIA_NEXT_SITE)

    return find_next_site(tables, destination.site_identifier_list).then(through)


def find_next_site(tables: RoutingTables, destinations: Collection[SiteId]) -> Allowed[SiteId | None]:
    """Return the next site that the last matching row gives, None where no row does (MS-MQBR 3.1.5.3).

    Args:
        tables: the tables that the source may have.
        destinations: SiteIdentifierList of the destination, which shares no site with the source.
    """
    nothing: Allowed[SiteId | None] = settled(None, tables.step, _NO_ROW)
    if not tables.may_be_filled:
        return nothing
    # No BREAK in this loop, unlike in 3.1.5.5 and 3.1.5.6: the last row stands, not the cheapest (BR-45).
    matching = sorted({site for site in destinations if site in tables.sites}, key=tables.sites.__getitem__)
    hops = tables.over_trees(lambda paths: last_matching_row(paths, matching)).after(tables.step)
    if tables.empty:
        return choice([(readings.TABLE_EMPTY, nothing), (readings.TABLE_FILLED, hops)])
    return hops


def last_matching_row(paths: LeastCosts, matching: Iterable[SiteId]) -> Allowed[SiteId | None]:
    """Return the next sites that the row standing last may give.

    Args:
        paths: least-cost paths from the root.
        matching: sites of the destination in the order of the directory, which need not be that of the rows (BR-45).
    """
    sites = tuple(matching)
    rows = tuple(site for site in sites if site != paths.root)
    reachable = tuple(site for site in rows if site in paths.costs)
    row_hops = _standing_last(paths, reachable)
    if reachable and len(reachable) < len(rows):
        with_nothing = _standing_last(paths, rows)
        row_hops = choice([(readings.ROW_ABSENT, row_hops), (readings.ROW_WITHOUT_NEXT_HOP, with_nothing)])
    if len(rows) == len(sites):
        return row_hops
    # Each site has a row (3.1.3.1), its own too, and a path without edges has no next hop: anything may stand there.
    hops: tuple[SiteId | None, ...] = (None, paths.root, *sorted(paths.graph.get(paths.root, ())))
    own_row = any_of(settled(hop, _NOTHING if hop is None else _ROW) for hop in hops)
    return any_of([row_hops, own_row.under(readings.OWN_ROW_DECIDES)])


def _standing_last(paths: LeastCosts, rows: tuple[SiteId, ...]) -> Allowed[SiteId | None]:
    if not rows:
        return settled(None, _NO_ROW)
    last = len(rows) - 1
    return choice(
        (readings.LAST_ROW if place == last else readings.ANOTHER_ROW, _row(paths, site))
        for place, site in enumerate(rows)
    )


def _row(paths: LeastCosts, site: SiteId) -> Allowed[SiteId | None]:
    if site not in paths.costs:
        return settled(None, _NOTHING)
    return one_of(sorted(paths.first_hops[site]), readings.ANY_LEAST_COST_PATH, _ROW)


def _within_the_site(destination: QueueManager, in_list: Step, direct: Step) -> Allowed[NextHops]:
    if destination.in_routing_server_identifier_list:
        return settled(destination.in_routing_server_identifier_list, in_list)
    return settled((destination.identifier,), direct)


def _as_in_routing_server(source: QueueManager, destination: QueueManager, reason: Step) -> Allowed[NextHops]:
    """Return the destination; across sites only because this test comes before that of the sites (BR-59)."""
    allowed: Allowed[NextHops] = settled((destination.identifier,), reason)
    return allowed if source.shares_a_site_with(destination) else allowed.under(readings.IN_SERVER_TEST_FIRST)


def _hop(hop: QueueManagerId | None) -> NextHops:
    """Return a list of one, or of none where Nothing was added (BR-05)."""
    return NO_ROUTE if hop is None else (hop,)
