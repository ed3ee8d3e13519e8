"""Faults of routers in the graph, its least-cost paths and the rows of the table (MS-MQBR 3.1.1.2, 3.1.3.1)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise, product
from operator import add
from struct import pack, unpack
from typing import Any, TypeAlias

from mqconform.reference.directory.elements import GREATEST_COST, RoutingLink, Site, SiteId
from mqconform.reference.fault import altered
from mqconform.reference.mqbr.faults.stepped_router import SteppedRouter, answers, fault, replaced
from mqconform.reference.mqbr.router import last

Graph: TypeAlias = Mapping[SiteId, Mapping[SiteId, int]]
Hops: TypeAlias = dict[SiteId, SiteId]
"""The first site on the way to each site."""


class PartialReading(SteppedRouter):
    """A router that builds its table from some objects of a type only."""

    element: type[RoutingLink | Site]
    part: slice
    building: bool = False

    def initialize_routing_table(self, local: str) -> None:
        self.building = True
        with suppress(IndexError):  # Where the own site is not read there is no root.
            super().initialize_routing_table(local)
        self.building = False

    def is_site_gate(self, machine: str) -> int:
        building, self.building = self.building, False
        answer = super().is_site_gate(machine)
        self.building = building
        return answer

    def get_directory_data(self, element: type[Any], *filters: Any) -> tuple[Any, ...] | None:
        objects = super().get_directory_data(element, *filters)
        return objects[self.part] if objects and self.building and element is self.element else objects


def _weighing(weight: Callable[[int], int]) -> Callable[..., Graph]:
    return lambda self, graph, *_: {
        site: {other: weight(cost) for other, cost in edges.items()} for site, edges in graph.items()
    }


def _summing(plus: Callable[[int, int], int], key: Callable[[int], Any] = int) -> Callable[..., Hops]:
    def spanning_tree(self: SteppedRouter, graph: Graph, root: SiteId) -> Hops:
        costs: dict[SiteId, int] = {}
        hops: Hops = {}
        for _ in graph:
            for site in graph:
                for other, weight in graph[site].items():
                    if other == root or (site != root and site not in costs):
                        continue
                    cost = weight if site == root else plus(costs[site], weight)
                    if other not in costs or key(cost) < key(costs[other]):
                        costs[other], hops[other] = cost, other if site == root else hops[site]
        return hops

    return spanning_tree


def _only_with_clients(self: SteppedRouter, graph: Graph, *_: object) -> Graph:
    machines = self.view.directory.queue_managers
    lived_in = {
        site
        for machine in machines
        if not machine.routing_server or machine.identifier == self.local
        for site in machine.site_identifier_list
    }
    return {
        site: {other: cost for other, cost in edges.items() if other in lived_in}
        for site, edges in graph.items()
        if site in lived_in
    }


def _one_way(self: SteppedRouter, graph: Graph, sites: Sequence[Site], links: Sequence[RoutingLink]) -> Graph:
    there = {(link.site1_identifier, link.site2_identifier) for link in links}
    return {site: {to: cost for to, cost in edges.items() if (site, to) in there} for site, edges in graph.items()}


def _the_other_way(self: SteppedRouter, graph: Graph, sites: Sequence[Site], links: Sequence[RoutingLink]) -> Graph:
    there = {(link.site2_identifier, link.site1_identifier) for link in links}
    return {site: {to: cost for to, cost in edges.items() if (site, to) in there} for site, edges in graph.items()}


def _of_own_site(self: SteppedRouter, graph: Graph, *_: object) -> Graph:
    machine = self.get_queue_manager(self.local or "")
    own = machine.site_identifier_list if machine else ()
    return {site: {to: cost for to, cost in edges.items() if site in own or to in own} for site, edges in graph.items()}


def _all_linked(self: SteppedRouter, graph: Graph, *_: object) -> Graph:
    return {site: {to: graph[site].get(to, 999_999) for to in graph if to != site} for site in graph}


def _linked_in_order(self: SteppedRouter, graph: Graph, *_: object) -> Graph:
    edges = {site: dict(graph[site]) for site in graph}
    for site, other in pairwise(graph):
        edges[site][other] = edges[other][site] = 1
    return edges


def _five_sites(self: SteppedRouter, graph: Graph, sites: Sequence[Site], *_: object) -> Graph:
    if len(sites) > 5:
        raise IndexError(f"{len(sites)} sites")
    return graph


def _parallel_only(self: SteppedRouter, graph: Graph, sites: Sequence[Site], links: Sequence[RoutingLink]) -> Graph:
    joined = Counter(frozenset((link.site1_identifier, link.site2_identifier)) for link in links)
    if sum(times > 1 for times in joined.values()) <= 6:
        return graph
    return {
        site: {to: cost for to, cost in edges.items() if joined[frozenset((site, to))] > 1}
        for site, edges in graph.items()
    }


def _by_nearest(self: SteppedRouter, hops: Hops, graph: Graph, root: SiteId) -> Hops:
    nearest = min(graph[root], key=graph[root].__getitem__, default=root)
    return {site: site if site in graph[root] else nearest for site in hops}


def _in_breadth(self: SteppedRouter, graph: Graph, root: SiteId) -> Hops:
    hops: Hops = {}
    frontier = [root]
    while frontier:
        site = frontier.pop(0)
        for other in sorted(graph[site], key=graph[site].__getitem__):
            if other != root and other not in hops:
                hops[other] = other if site == root else hops[site]
                frontier.append(other)
    return hops


def _middle_innermost(self: SteppedRouter, graph: Graph, root: SiteId) -> Hops:
    costs = {site: dict(edges) for site, edges in graph.items()}
    hops = {site: {to: to for to in edges} for site, edges in graph.items()}
    for site, to, middle in product(graph, repeat=3):
        if site != to and middle in costs[site] and to in costs[middle]:
            cost = costs[site][middle] + costs[middle][to]
            if to not in costs[site] or cost < costs[site][to]:
                costs[site][to], hops[site][to] = cost, hops[site][middle]
    return hops[root]


def _single_precision(cost: float) -> int:
    return int(unpack("f", pack("f", cost))[0])


def _within(links: int) -> Callable[..., Hops]:
    def spanning_tree(self: SteppedRouter, hops: Hops, graph: Graph, root: SiteId) -> Hops:
        near = {root}
        for _ in range(links):
            near.update(other for site in tuple(near) for other in graph[site])
        return {site: hop for site, hop in hops.items() if site in near}

    return spanning_tree


def _no_stray_links(self: SteppedRouter, graph: Graph, sites: Sequence[Site], links: Sequence[RoutingLink]) -> Graph:
    for link in links:
        if link.site1_identifier not in graph or link.site2_identifier not in graph:
            raise LookupError(f"{link.identifier} joins no two sites")
    return graph


def _last_site(self: SteppedRouter, hops: Hops, graph: Graph, root: SiteId) -> Hops:
    def before(site: SiteId) -> SiteId:
        hop = SteppedRouter.spanning_tree(self, graph, site)[root]
        return hop if hop != root else site

    return {site: site if hop == site else before(site) for site, hop in hops.items()}


def _without_ties(self: SteppedRouter, hops: Hops, graph: Graph, root: SiteId) -> Hops:
    other_hops = SteppedRouter(last).spanning_tree(graph, root)
    return {site: hop for site, hop in hops.items() if other_hops[site] == hop}


def _any_router(self: SteppedRouter, answer: None, local: str) -> None:
    machine = self.get_queue_manager(local)
    if machine and machine.routing_server and not self.is_site_gate(local):
        own = machine.site_identifier_list[0]
        self.table = {site.identifier: own for site in self.get_directory_data(Site) or ()}


def _ends_of_links(self: SteppedRouter, answer: None, local: str) -> None:
    if self.get_directory_data(Site) is None:
        links = self.get_directory_data(RoutingLink) or ()
        self.table = {site: site for link in links for site in (link.site1_identifier, link.site2_identifier)}


def _all_sites(self: SteppedRouter, answer: None, local: str) -> None:
    if self.get_directory_data(RoutingLink) is None and self.is_site_gate(local):
        self.table = {site.identifier: site.identifier for site in self.get_directory_data(Site) or ()}


def _gates_shown(column: str) -> Callable[..., list[dict[str, Any]]]:
    return lambda self, rows: [row | {column: self.get_site_gate_for_site(row[column])} for row in rows]


def _turned_round(self: SteppedRouter, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"destination_site": row["next_hop_site"], "next_hop_site": row["destination_site"]} for row in rows]


# Laid out as a table: name, what it breaks, what it does, the changed rule.
ROUTING_TABLE = (
    fault("hop-count-for-cost", "3.1.3.1-10", "Each link costs 1.", answers(graph=_weighing(lambda _: 1))),
    fault("costs-of-16-bits", "3.1.3.1-10", "Costs lose what does not fit into 16 bits.",
        answers(graph=_weighing(lambda cost: cost % 65_536))),
    fault("costs-rounded", "3.1.3.1-10", "Costs are rounded to hundreds.",
        answers(graph=_weighing(lambda cost: (cost + 99) // 100))),
    fault("costs-as-text", "3.1.3.1-12", "Costs of paths are compared as text.",
        replaced(spanning_tree=_summing(add, str))),
    fault("costs-negated", "3.1.3.1-10 3.1.3.1-12", "The dearest link is the cheapest.",
        answers(graph=_weighing(lambda cost: 1_000_000 - cost))),
    fault("most-of-a-path", "3.1.3.1-11", "A path costs as much as its dearest link.",
        replaced(spanning_tree=_summing(max))),
    fault("least-of-a-path", "3.1.3.1-11", "A path costs as much as its cheapest link.",
        replaced(spanning_tree=_summing(min))),
    fault("first-of-a-path", "3.1.3.1-11", "A path costs as much as its first link.",
        replaced(spanning_tree=_summing(lambda path, _: path))),
    fault("last-of-a-path", "3.1.3.1-11", "A path costs as much as its last link.",
        replaced(spanning_tree=_summing(lambda _, link: link))),
    fault("mean-of-a-path", "3.1.3.1-11", "Costs are averaged along a path.",
        replaced(spanning_tree=_summing(lambda path, link: (path + link) // 2))),
    fault("sums-to-the-greatest-cost", "3.1.3.1-11", "Sums of costs are no greater than the greatest cost of a link.",
        replaced(spanning_tree=_summing(lambda path, link: min(path + link, GREATEST_COST)))),
    fault("sums-of-16-bits", "3.1.3.1-11", "Sums of costs lose what does not fit into 16 bits.",
        replaced(spanning_tree=_summing(lambda path, link: (path + link) % 65_536))),
    fault("sums-in-single-precision", "3.1.3.1-11", "Sums of costs are rounded to 24 bits.",
        replaced(spanning_tree=_summing(lambda path, link: _single_precision(path + link)))),
    fault("price-of-a-link", "3.1.3.1-11 3.1.3.1-12", "Each link adds 10 to the costs of a path.",
        replaced(spanning_tree=_summing(lambda path, link: path + link + 10))),
    fault("sixteen-links", "3.1.3.1-14 3.1.3.1-11", "A site more than sixteen links away cannot be reached.",
        answers(spanning_tree=_within(16))),
    fault("two-links", "3.1.3.1-14", "A site more than two links away cannot be reached.",
        answers(spanning_tree=_within(2))),
    fault("stray-link-fails", "3.1.3.1-09", "A routing link to an unknown site ends the building of the table.",
        answers(graph=_no_stray_links)),
    fault("sixty-four-sites", "3.1.3.1-02", "No more than 64 sites are read.",
        altered(PartialReading, element=Site, part=slice(64))),
    fault("not-the-last-link", "3.1.3.1-03", "The last routing link is not read.",
        altered(PartialReading, element=RoutingLink, part=slice(-1))),
    fault("not-the-first-link", "3.1.3.1-03", "The first routing link is not read.",
        altered(PartialReading, element=RoutingLink, part=slice(1, None))),
    fault("ten-links", "3.1.3.1-03", "No more than ten routing links are read.",
        altered(PartialReading, element=RoutingLink, part=slice(10))),
    fault("links-of-own-site", "3.1.3.1-03", "Only the routing links of the router's own sites are read.",
        answers(graph=_of_own_site)),
    fault("not-the-last-site", "3.1.3.1-02", "The last site is not read.",
        altered(PartialReading, element=Site, part=slice(-1))),
    fault("not-the-first-site", "3.1.3.1-02", "The first site is not read.",
        altered(PartialReading, element=Site, part=slice(1, None))),
    fault("sites-without-clients", "3.1.3.1-07", "A site without clients is not a vertex.",
        answers(graph=_only_with_clients)),
    fault("links-the-other-way", "3.1.3.1-08", "A routing link leads from Site2 to Site1 only.",
        answers(graph=_the_other_way)),
    fault("one-way-links", "3.1.3.1-08", "A routing link leads from Site1 to Site2 only.", answers(graph=_one_way)),
    fault("everybody-is-next", "3.1.3.1-09",
        "All sites are neighbours, those without a routing link at the greatest cost.", answers(graph=_all_linked)),
    fault("neighbours-by-order", "3.1.3.1-09", "Sites that follow each other in the directory are neighbours.",
        answers(graph=_linked_in_order)),
    fault("parallel-links-only", "3.1.3.1-10",
        "Where more than six pairs of sites have several links, the pairs with one link are lost.",
        answers(graph=_parallel_only)),
    fault("greedy", "3.1.3.1-12 3.1.1.2-01", "Every other site is reached by the nearest neighbour.",
        answers(spanning_tree=_by_nearest)),
    fault("linked-is-next", "3.1.3.1-12", "A neighbour is reached by its own link, however dear.",
        answers(spanning_tree=lambda self, hops, graph, root: hops | {site: site for site in graph[root]})),
    fault("first-found-stays", "3.1.3.1-12", "A cheaper path found later does not replace the path to a site.",
        replaced(spanning_tree=_in_breadth)),
    fault("middle-innermost", "3.1.3.1-12",
        "Paths are joined by Floyd's algorithm with the site in the middle in the innermost loop.",
        replaced(spanning_tree=_middle_innermost)),
    fault("own-site-for-next", "3.1.3.1-16 3.1.1.2-01", "The next hop of every row is the router's own site.",
        answers(spanning_tree=lambda self, hops, graph, root: dict.fromkeys(hops, root))),
    fault("last-site-for-next", "3.1.3.1-16 3.1.1.2-01", "The next hop is the last site before the destination.",
        answers(spanning_tree=_last_site)),
    fault("destination-for-next", "3.1.3.1-16 3.1.1.2-01", "The next hop is the destination's site.",
        answers(spanning_tree=lambda self, hops, *_: {site: site for site in hops})),
    fault("no-way-on-a-tie", "3.1.3.1-17", "Where two routes are equal none is taken.",
        answers(spanning_tree=_without_ties)),
    fault("rows-of-neighbours", "3.1.3.1-14", "Sites that are no neighbours have no row.",
        answers(spanning_tree=
            lambda self, hops, graph, root: {site: hop for site, hop in hops.items() if site in graph[root]})),
    fault("table-of-any-router", "3.1.3.1-01",
        "A routing server that is no gate has a row for each site, its own site being the next.",
        answers(initialize_routing_table=_any_router)),
    fault("table-without-sites", "3.1.3.1-04", "Without sites the table has a row for each end of a routing link.",
        answers(initialize_routing_table=_ends_of_links)),
    fault("table-without-links", "3.1.3.1-05", "Without routing links all sites are neighbours of a gate.",
        answers(initialize_routing_table=_all_sites)),
    fault("rows-name-gates", "3.1.1.2-03 3.1.3.1-16", "Rows name gates as next hops.",
        answers(routing_table=_gates_shown("next_hop_site"))),
    fault("rows-for-gates", "3.1.1.2-02 3.1.3.1-15", "Rows name gates as destinations.",
        answers(routing_table=_gates_shown("destination_site"))),
    fault("rows-turned-round", "3.1.1.2-02 3.1.3.1-15",
        "Rows show the next hop as destination and the other way round.", answers(routing_table=_turned_round)),
    fault("rows-by-next-hop", "3.1.1.2-02 3.1.3.1-15", "Rows show the next hop as their destination.",
        answers(routing_table=lambda self, rows: [row | {"destination_site": row["next_hop_site"]} for row in rows])),
    fault("five-sites", "3.1.3.1-14 3.1.5.1-01", "The router has room for five sites and fails with the sixth.",
        answers(graph=_five_sites)),
    fault("rows-without-next-hops", "3.1.3.1-16 3.1.1.2-03", "Rows of sites that are no neighbours have no next hop.",
        answers(routing_table=
            lambda self, rows: [row
            if row["next_hop_site"] == row["destination_site"] else row | {"next_hop_site": None} for row in rows])),
    fault("rows-twice", "3.1.1.2-02 3.1.3.1-15", "The table shows each row twice.",
        answers(routing_table=lambda self, rows: rows * 2)),
)  # fmt: skip
