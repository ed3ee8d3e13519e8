"""Faulty routers: the graph, its least-cost paths and the rows of the routing table (MS-MQBR 3.1.1.2, 3.1.3.1)."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from mqconform.harness.mutants.mqbr_mutant import RouterMutant, SteppedRouter, misreading, routing
from mqconform.reference.directory.elements import Element, RoutingLink, Site, SiteId

Edges: TypeAlias = dict[SiteId, dict[SiteId, int]]
Rows: TypeAlias = dict[SiteId, SiteId]
Row: TypeAlias = dict[str, Any]

PATHS = ("MQBR-3.1.1.2", "MQBR-3.1.3.1", "MQBR-3.1.5", "MQBR-3.1.2", "MQBR-3.1.3", "MQBR-3.1.6.1-01")
"""What is seen through the way that a gate sends."""
TABLES = ("MQBR-3.1.1.2", "MQBR-3.1.3.1")
"""What is seen in the rows."""


def weighing(change: Callable[[int], int]) -> type[SteppedRouter]:
    """Return a router that takes costs for other costs."""

    class Weighing(SteppedRouter):
        def graph(self, sites: Sequence[Site], links: Sequence[RoutingLink]) -> Edges:
            found = super().graph(sites, links)
            return {site: {other: change(cost) for other, cost in edges.items()} for site, edges in found.items()}

    return Weighing


def summing(add: Callable[[int, int], int], key: Callable[[int], Any] = int) -> type[SteppedRouter]:
    """Return a router that adds costs up, or compares sums, in a way of its own."""

    class Summing(SteppedRouter):
        def spanning_tree(self, graph: Mapping[SiteId, Mapping[SiteId, int]], root: SiteId) -> Rows:
            costs: dict[SiteId, int] = {}
            hops: Rows = {}
            for _ in graph:
                for site in graph:
                    for other, weight in graph[site].items():
                        if other == root or (site != root and site not in costs):
                            continue
                        cost = weight if site == root else add(costs[site], weight)
                        if other not in costs or key(cost) < key(costs[other]):
                            costs[other], hops[other] = cost, other if site == root else hops[site]
            return hops

    return Summing


def keeping(element: type[Element], kept: slice) -> type[SteppedRouter]:
    """Return a router that builds its table from some objects of a type only."""

    class Keeping(SteppedRouter):
        building: bool = False

        def initialize_routing_table(self, local: str) -> None:
            self.building = True
            super().initialize_routing_table(local)
            self.building = False

        def is_site_gate(self, machine: str) -> int:
            building, self.building = self.building, False
            answer = super().is_site_gate(machine)
            self.building = building
            return answer

        def get_directory_data(self, wanted: type[Any], *filters: Any) -> tuple[Any, ...] | None:
            found = super().get_directory_data(wanted, *filters)
            return found[kept] if found and self.building and wanted is element else found

    return Keeping


def showing(change: Callable[[SteppedRouter, Row], Row]) -> type[SteppedRouter]:
    """Return a router that shows other rows than it has."""

    class Showing(SteppedRouter):
        def routing_table(self) -> list[Row]:
            return [change(self, row) for row in super().routing_table()]

    return Showing


class OneWayLinks(SteppedRouter):
    """A routing link leads from Site1 to Site2 only."""

    def graph(self, sites: Sequence[Site], links: Sequence[RoutingLink]) -> Edges:
        """Drop the edges back."""
        there = {(link.site1_identifier, link.site2_identifier) for link in links}
        found = super().graph(sites, links)
        return {site: {to: cost for to, cost in edges.items() if (site, to) in there} for site, edges in found.items()}


class SitesWithoutClients(SteppedRouter):
    """A site without clients is no vertex."""

    def graph(self, sites: Sequence[Site], links: Sequence[RoutingLink]) -> Edges:
        """Leave such sites out."""
        clients = [one for one in self.view.directory.queue_managers if not one.routing_server]
        lived_in = {site for one in clients for site in one.site_identifier_list}
        own = {
            site
            for one in self.view.directory.queue_managers
            if one.identifier == self.local
            for site in one.site_identifier_list
        }
        return super().graph([site for site in sites if site.identifier in lived_in | own], links)


class EverybodyIsNext(SteppedRouter):
    """All sites are neighbours, those without a routing link at the greatest cost."""

    def graph(self, sites: Sequence[Site], links: Sequence[RoutingLink]) -> Edges:
        """Join them."""
        found = super().graph(sites, links)
        return {site: {to: found[site].get(to, 999_999) for to in found if to != site} for site in found}


class NeighboursByOrder(SteppedRouter):
    """Sites that follow each other in the directory are neighbours."""

    def graph(self, sites: Sequence[Site], links: Sequence[RoutingLink]) -> Edges:
        """Join them at cost 1."""
        found = super().graph(sites, links)
        for one, other in zip(list(found), list(found)[1:], strict=False):
            found[one][other] = found[other][one] = 1
        return found


class Greedy(SteppedRouter):
    """Whatever is no neighbour is reached by the nearest neighbour."""

    def spanning_tree(self, graph: Mapping[SiteId, Mapping[SiteId, int]], root: SiteId) -> Rows:
        """Follow the cheapest link."""
        nearest = min(graph[root], key=graph[root].__getitem__, default=root)
        found = super().spanning_tree(graph, root)
        return {site: site if site in graph[root] else nearest for site in found}


class LinkedIsNext(SteppedRouter):
    """A neighbour is reached by its own link, however dear."""

    def spanning_tree(self, graph: Mapping[SiteId, Mapping[SiteId, int]], root: SiteId) -> Rows:
        """Prefer the link."""
        return super().spanning_tree(graph, root) | {site: site for site in graph[root]}


class FirstFoundStays(SteppedRouter):
    """A path to a site is not replaced by a cheaper one that is found later."""

    def spanning_tree(self, graph: Mapping[SiteId, Mapping[SiteId, int]], root: SiteId) -> Rows:
        """Search in breadth."""
        hops: Rows = {}
        frontier = [root]
        while frontier:
            site = frontier.pop(0)
            for other in sorted(graph[site], key=graph[site].__getitem__):
                if other != root and other not in hops:
                    hops[other] = other if site == root else hops[site]
                    frontier.append(other)
        return hops


class LastSiteForNext(SteppedRouter):
    """The next hop is the last site before the destination."""

    def spanning_tree(self, graph: Mapping[SiteId, Mapping[SiteId, int]], root: SiteId) -> Rows:
        """Go back by one site only."""
        found = super().spanning_tree(graph, root)
        return {site: site if hop == site else self._before(graph, root, site) for site, hop in found.items()}

    def _before(self, graph: Mapping[SiteId, Mapping[SiteId, int]], root: SiteId, site: SiteId) -> SiteId:
        from_there = super().spanning_tree(graph, site)
        return from_there[root] if from_there[root] != root else site


class DestinationForNext(SteppedRouter):
    """The next hop is the destination's site."""

    def spanning_tree(self, graph: Mapping[SiteId, Mapping[SiteId, int]], root: SiteId) -> Rows:
        """Skip what lies between."""
        return {site: site for site in super().spanning_tree(graph, root)}


class NoWayOnATie(SteppedRouter):
    """Where two routes are equal none is taken."""

    def spanning_tree(self, graph: Mapping[SiteId, Mapping[SiteId, int]], root: SiteId) -> Rows:
        """Keep what every choice agrees on."""
        first = super().spanning_tree(graph, root)
        policy, self._policy = self._policy, lambda _choice, options: options - 1
        last = super().spanning_tree(graph, root)
        self._policy = policy
        return {site: hop for site, hop in first.items() if last[site] == hop}


class RowsOfNeighbours(SteppedRouter):
    """Sites that are no neighbours have no row."""

    def spanning_tree(self, graph: Mapping[SiteId, Mapping[SiteId, int]], root: SiteId) -> Rows:
        """Drop the far ones."""
        return {site: hop for site, hop in super().spanning_tree(graph, root).items() if site in graph[root]}


class TableOfAnyRouter(SteppedRouter):
    """A routing server that is no gate has a row for each site, its own site being the next."""

    def initialize_routing_table(self, local: str) -> None:
        """Fill what has to be empty."""
        super().initialize_routing_table(local)
        machine = self.get_queue_manager(local)
        if not self.is_site_gate(local) and machine and machine.routing_server:
            own = machine.site_identifier_list[0]
            self.table = {site.identifier: own for site in self.get_directory_data(Site) or ()}


class TableWithoutSites(SteppedRouter):
    """Without sites the table has a row for each end of a routing link."""

    def initialize_routing_table(self, local: str) -> None:
        """Make sites up."""
        super().initialize_routing_table(local)
        if self.get_directory_data(Site) is None:
            links = self.get_directory_data(RoutingLink) or ()
            self.table = {site: site for link in links for site in (link.site1_identifier, link.site2_identifier)}


class TableWithoutLinks(SteppedRouter):
    """Without routing links all sites are neighbours of a gate."""

    def initialize_routing_table(self, local: str) -> None:
        """Make links up."""
        super().initialize_routing_table(local)
        if self.get_directory_data(RoutingLink) is None and self.is_site_gate(local):
            self.table = {site.identifier: site.identifier for site in self.get_directory_data(Site) or ()}


class FiveSites(SteppedRouter):
    """The router has room for five sites and fails with the sixth."""

    def graph(self, sites: Sequence[Site], links: Sequence[RoutingLink]) -> Edges:
        """Fail beyond that."""
        if len(sites) > 5:
            raise IndexError(f"{len(sites)} sites")
        return super().graph(sites, links)


class RowsTwice(SteppedRouter):
    """The table shows each row twice."""

    def routing_table(self) -> list[Row]:
        """Repeat."""
        return super().routing_table() * 2


def _gate_for_site(router: SteppedRouter, row: Row) -> Row:
    return row | {"next_hop_site": router.get_site_gate_for_site(row["next_hop_site"])}


def _gate_for_destination(router: SteppedRouter, row: Row) -> Row:
    return row | {"destination_site": router.get_site_gate_for_site(row["destination_site"])}


def _swapped(_router: SteppedRouter, row: Row) -> Row:
    return {"destination_site": row["next_hop_site"], "next_hop_site": row["destination_site"]}


def _keyed_by_next_hop(_router: SteppedRouter, row: Row) -> Row:
    return row | {"destination_site": row["next_hop_site"]}


def _id(rule: str) -> str:
    return f"MQBR-3.1.3.1-{rule}"


def _path(name: str, says: str, base: type[SteppedRouter], *rules: str) -> RouterMutant:
    return misreading(name, says, base, tuple(_id(rule) for rule in rules), *PATHS)


MUTANTS = (
    _path("hop-count-for-cost", "Each link costs 1.", weighing(lambda _: 1), "10"),
    _path("costs-of-16-bits", "Costs lose what does not fit into 16 bits.", weighing(lambda cost: cost % 65_536), "10"),
    _path("costs-rounded", "Costs are rounded to hundreds.", weighing(lambda cost: (cost + 99) // 100), "10"),
    _path("costs-as-text", "Costs of paths are compared as text.", summing(lambda one, other: one + other, str), "10"),
    _path("costs-negated", "The dearest link is the cheapest.", weighing(lambda cost: 1_000_000 - cost), "10", "12"),
    _path("most-of-a-path", "A path costs as much as its dearest link.", summing(max), "11"),
    _path("least-of-a-path", "A path costs as much as its cheapest link.", summing(min), "11"),
    _path("first-of-a-path", "A path costs as much as its first link.", summing(lambda one, _: one), "11"),
    _path("last-of-a-path", "A path costs as much as its last link.", summing(lambda _, other: other), "11"),
    _path("mean-of-a-path", "Costs are averaged along a path.", summing(lambda one, other: (one + other) // 2), "11"),
    _path("not-the-last-link", "The last routing link is not read.", keeping(RoutingLink, slice(None, -1)), "03"),
    _path("not-the-first-link", "The first routing link is not read.", keeping(RoutingLink, slice(1, None)), "03"),
    _path("ten-links", "No more than ten routing links are read.", keeping(RoutingLink, slice(10)), "03"),
    _path("not-the-last-site", "The last site is not read.", keeping(Site, slice(None, -1)), "02"),
    _path("not-the-first-site", "The first site is not read.", keeping(Site, slice(1, None)), "02"),
    routing("sites-without-clients", SitesWithoutClients, (_id("07"),), PATHS),
    routing("one-way-links", OneWayLinks, (_id("08"),), PATHS),
    routing("everybody-is-next", EverybodyIsNext, (_id("09"),), PATHS),
    routing("neighbours-by-order", NeighboursByOrder, (_id("09"),), PATHS),
    routing("greedy", Greedy, (_id("12"), "MQBR-3.1.1.2-01"), PATHS),
    routing("linked-is-next", LinkedIsNext, (_id("12"),), PATHS),
    routing("first-found-stays", FirstFoundStays, (_id("12"),), PATHS),
    routing("last-site-for-next", LastSiteForNext, (_id("16"),), PATHS),
    routing("destination-for-next", DestinationForNext, (_id("16"), "MQBR-3.1.1.2-01"), PATHS),
    routing("no-way-on-a-tie", NoWayOnATie, (_id("17"),), PATHS),
    routing("rows-of-neighbours", RowsOfNeighbours, (_id("14"),), PATHS),
    routing("table-of-any-router", TableOfAnyRouter, (_id("01"),)),
    routing("table-without-sites", TableWithoutSites, (_id("04"),)),
    routing("table-without-links", TableWithoutLinks, (_id("05"),), ("MQBR-3.1.5.9", "MQBR-3.1.6.1-01")),
    misreading(
        "rows-name-gates",
        "Rows name gates as next hops.",
        showing(_gate_for_site),
        ("MQBR-3.1.1.2-03", _id("16")),
        *TABLES,
    ),
    misreading(
        "rows-for-gates",
        "Rows name gates as destinations.",
        showing(_gate_for_destination),
        ("MQBR-3.1.1.2-02", _id("15")),
        *TABLES,
    ),
    misreading(
        "rows-turned-round",
        "Rows show the next hop as destination and the other way round.",
        showing(_swapped),
        ("MQBR-3.1.1.2-02", _id("15")),
        *TABLES,
    ),
    misreading(
        "rows-by-next-hop",
        "Rows show the next hop as their destination.",
        showing(_keyed_by_next_hop),
        ("MQBR-3.1.1.2-02", _id("15")),
        *TABLES,
    ),
    routing("five-sites", FiveSites, (_id("14"), "MQBR-3.1.5.1-01"), PATHS),
    routing("rows-twice", RowsTwice, ("MQBR-3.1.1.2-02", _id("15")), TABLES),
)
