"""Faulty routers: the graph, its least-cost paths and the rows of the routing table (MS-MQBR 3.1.1.2, 3.1.3.1)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from operator import add
from struct import pack, unpack
from typing import Any, TypeAlias

from mqconform.harness.iut.mutants.mqbr.stepped_router import SteppedRouter, procedure, router
from mqconform.harness.iut.mutants.mutant import Mutant, altered, with_answers
from mqconform.reference.directory.elements import RoutingLink, Site, SiteId
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


def _single_precision(cost: float) -> int:
    return int(unpack("f", pack("f", cost))[0])


def _within_16_links(self: SteppedRouter, hops: Hops, graph: Graph, root: SiteId) -> Hops:
    near = {root}
    for _ in range(16):
        near.update(other for site in tuple(near) for other in graph[site])
    return {site: hop for site, hop in hops.items() if site in near}


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


_graph = partial(procedure, "3.1.3.1", with_answers, "graph")
_tree = partial(procedure, "3.1.3.1", altered, "spanning_tree")
_path = partial(procedure, "3.1.3.1", with_answers, "spanning_tree")
_table = partial(procedure, "3.1.3.1", with_answers, "initialize_routing_table")
_shown = partial(procedure, "3.1.3.1", with_answers, "routing_table")


def _reading(name: str, says: str, element: type[RoutingLink | Site], part: slice, breaks: str) -> Mutant:
    return router("3.1.3.1", name, says, altered(PartialReading, element=element, part=part), breaks)


MUTANTS = (
    _graph("hop-count-for-cost", "Each link costs 1.", _weighing(lambda _: 1), "10"),
    _graph(
        "costs-of-16-bits", "Costs lose what does not fit into 16 bits.", _weighing(lambda cost: cost % 65_536), "10"
    ),
    _graph("costs-rounded", "Costs are rounded to hundreds.", _weighing(lambda cost: (cost + 99) // 100), "10"),
    _tree("costs-as-text", "Costs of paths are compared as text.", _summing(add, str), "10"),
    _graph("costs-negated", "The dearest link is the cheapest.", _weighing(lambda cost: 1_000_000 - cost), "10 12"),
    _tree("most-of-a-path", "A path costs as much as its dearest link.", _summing(max), "11"),
    _tree("least-of-a-path", "A path costs as much as its cheapest link.", _summing(min), "11"),
    _tree("first-of-a-path", "A path costs as much as its first link.", _summing(lambda path, _: path), "11"),
    _tree("last-of-a-path", "A path costs as much as its last link.", _summing(lambda _, link: link), "11"),
    _tree("mean-of-a-path", "Costs are averaged along a path.", _summing(lambda path, link: (path + link) // 2), "11"),
    _tree(
        "sums-of-16-bits",
        "Sums of costs lose what does not fit into 16 bits.",
        _summing(lambda path, link: (path + link) % 65_536),
        "11",
    ),
    _tree(
        "sums-in-single-precision",
        "Sums of costs are rounded to 24 bits.",
        _summing(lambda path, link: _single_precision(path + link)),
        "11",
    ),
    _path("sixteen-links", "A site more than sixteen links away cannot be reached.", _within_16_links, "14 11"),
    _graph(
        "stray-link-fails", "A routing link to an unknown site ends the building of the table.", _no_stray_links, "09"
    ),
    _reading("sixty-four-sites", "No more than 64 sites are read.", Site, slice(64), "02"),
    _reading("not-the-last-link", "The last routing link is not read.", RoutingLink, slice(-1), "03"),
    _reading("not-the-first-link", "The first routing link is not read.", RoutingLink, slice(1, None), "03"),
    _reading("ten-links", "No more than ten routing links are read.", RoutingLink, slice(10), "03"),
    _reading("not-the-last-site", "The last site is not read.", Site, slice(-1), "02"),
    _reading("not-the-first-site", "The first site is not read.", Site, slice(1, None), "02"),
    _graph("sites-without-clients", "A site without clients is no vertex.", _only_with_clients, "07"),
    _graph("one-way-links", "A routing link leads from Site1 to Site2 only.", _one_way, "08"),
    _graph(
        "everybody-is-next",
        "All sites are neighbours, those without a routing link at the greatest cost.",
        _all_linked,
        "09",
    ),
    _graph(
        "neighbours-by-order", "Sites that follow each other in the directory are neighbours.", _linked_in_order, "09"
    ),
    _graph(
        "parallel-links-only",
        "Where more than six pairs of sites have several links, the pairs with one link are lost.",
        _parallel_only,
        "10",
    ),
    _path("greedy", "Whatever is no neighbour is reached by the nearest neighbour.", _by_nearest, "12 MQBR-3.1.1.2-01"),
    _path(
        "linked-is-next",
        "A neighbour is reached by its own link, however dear.",
        lambda self, hops, graph, root: hops | {site: site for site in graph[root]},
        "12",
    ),
    _tree(
        "first-found-stays", "A path to a site is not replaced by a cheaper one that is found later.", _in_breadth, "12"
    ),
    _path("last-site-for-next", "The next hop is the last site before the destination.", _last_site, "16"),
    _path(
        "destination-for-next",
        "The next hop is the destination's site.",
        lambda self, hops, *_: {site: site for site in hops},
        "16 MQBR-3.1.1.2-01",
    ),
    _path("no-way-on-a-tie", "Where two routes are equal none is taken.", _without_ties, "17"),
    _path(
        "rows-of-neighbours",
        "Sites that are no neighbours have no row.",
        lambda self, hops, graph, root: {site: hop for site, hop in hops.items() if site in graph[root]},
        "14",
    ),
    _table(
        "table-of-any-router",
        "A routing server that is no gate has a row for each site, its own site being the next.",
        _any_router,
        "01",
    ),
    _table(
        "table-without-sites", "Without sites the table has a row for each end of a routing link.", _ends_of_links, "04"
    ),
    _table("table-without-links", "Without routing links all sites are neighbours of a gate.", _all_sites, "05"),
    _shown("rows-name-gates", "Rows name gates as next hops.", _gates_shown("next_hop_site"), "MQBR-3.1.1.2-03 16"),
    _shown(
        "rows-for-gates", "Rows name gates as destinations.", _gates_shown("destination_site"), "MQBR-3.1.1.2-02 15"
    ),
    _shown(
        "rows-turned-round",
        "Rows show the next hop as destination and the other way round.",
        _turned_round,
        "MQBR-3.1.1.2-02 15",
    ),
    _shown(
        "rows-by-next-hop",
        "Rows show the next hop as their destination.",
        lambda self, rows: [row | {"destination_site": row["next_hop_site"]} for row in rows],
        "MQBR-3.1.1.2-02 15",
    ),
    _graph(
        "five-sites", "The router has room for five sites and fails with the sixth.", _five_sites, "14 MQBR-3.1.5.1-01"
    ),
    _shown(
        "rows-without-next-hops",
        "Rows of sites that are no neighbours have no next hop.",
        lambda self, rows: [
            row if row["next_hop_site"] == row["destination_site"] else row | {"next_hop_site": None} for row in rows
        ],
        "16",
    ),
    _shown("rows-twice", "The table shows each row twice.", lambda self, rows: rows * 2, "MQBR-3.1.1.2-02 15"),
)
