"""The enterprise document as sets and relations, and the graphs of sites that it can mean (MS-MQBR 3.1.1.1, 3.1.3.1).

Distances are by rustworkx. A neighbour y of the root s begins a least-cost path to t exactly if the link s-y and the
distance from y to t in the graph *without s* add up to the distance from s to t. Without s, for else a cycle of cost
zero back through s would pass for a path.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from types import ModuleType
from typing import Any, TypeAlias

from mqconform.harness.records.problem import ConfigurationError


@dataclass(frozen=True, slots=True)
class Machine:
    """A QueueManager, as far as MS-MQBR looks at it."""

    guid: str
    sites: frozenset[str]
    routes: bool
    in_servers: frozenset[str]
    out_servers: frozenset[str]


@dataclass(frozen=True)
class Enterprise:
    """Machines, gates and links; a machine's GUID names several records only in a faulty directory."""

    machines: Mapping[str, tuple[Machine, ...]]
    gates: Mapping[str, frozenset[str]]
    """Site -> its SiteGateCollection; its keys are all the sites there are."""
    links: Mapping[frozenset[str], frozenset[int]]
    """The two linked sites -> the costs of the links between them, known sites or not."""
    routers_of: Mapping[str, frozenset[str]]
    """Site -> machines there that are routing servers."""
    foreign: frozenset[str]
    """Sites marked with ``foreign_site``, which documents may do beyond the form of the protocol."""

    def routers_near(self, machine: Machine) -> frozenset[str]:
        """Return the routing servers that share a site with a machine."""
        return frozenset().union(*(self.routers_of.get(site, frozenset()) for site in machine.sites))


def read_enterprise(document: Mapping[str, Any]) -> Enterprise:
    """Index an enterprise document in the form of the IUT protocol, whose reader has judged its shape."""
    machines: defaultdict[str, list[Machine]] = defaultdict(list)
    routers: defaultdict[str, set[str]] = defaultdict(set)
    for row in document.get("queue_managers", ()):
        machine = _machine(row)
        machines[machine.guid].append(machine)
        for site in machine.sites if machine.routes else ():
            routers[site].add(machine.guid)
    gates: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for row in document.get("sites", ()):
        gates[row["id"].lower()] |= _guids(row, "site_gates")
    links: defaultdict[frozenset[str], frozenset[int]] = defaultdict(frozenset)
    for row in document.get("routing_links", ()):
        links[frozenset({row["site1"].lower(), row["site2"].lower()})] |= {row["cost"]}
    return Enterprise(
        {guid: tuple(records) for guid, records in machines.items()},
        dict(gates),
        dict(links),
        {site: frozenset(members) for site, members in routers.items()},
        frozenset(row["id"].lower() for row in document.get("sites", ()) if row.get("foreign_site")),
    )


def _machine(row: Mapping[str, Any]) -> Machine:
    return Machine(
        row["id"].lower(),
        _guids(row, "sites"),
        row.get("routing_server", False),
        _guids(row, "in_routing_servers"),
        _guids(row, "out_routing_servers"),
    )


def _guids(row: Mapping[str, Any], name: str) -> frozenset[str]:
    return frozenset(value.lower() for value in row.get(name) or ())


Links: TypeAlias = Mapping[frozenset[str], int]
"""The two linked sites -> cost of a direct transfer; one site alone is a loop, which no least-cost path needs."""

MOST_PAIRS = 6
"""Pairs of sites with parallel links of different cost for which every choice is tried."""

FOREIGN_PENALTY = 999_999
"""What a link costs more for each foreign end where cost stands for ActualCost."""


class SecondOpinionMissing(ConfigurationError):
    """The library under the second routing oracle is not installed."""


def rustworkx() -> ModuleType:
    """Import the shortest-path library when it is first needed; SecondOpinionMissing says how to get it."""
    try:
        import rustworkx as library  # noqa: PLC0415 - an extra: the rest of the harness works without it
    except ImportError as error:
        raise SecondOpinionMissing(
            "the second routing oracle needs rustworkx; run in a checkout of mqconform: pip install '.[second-opinion]'"
        ) from error
    return library


def checked_second_opinion(*, asked: bool) -> bool:
    """Return whether a second opinion is asked for, once it is sure that it can be had.

    Raises:
        ConfigurationError: its library is missing; the message names what to install.
    """
    if asked:
        try:
            rustworkx()
        except SecondOpinionMissing as error:
            raise ConfigurationError(f"--second-opinion: {error}") from error
    return asked


class SiteGraph:
    """The enterprise as a graph of sites; distances are computed once per root and kept."""

    def __init__(self, sites: frozenset[str], links: Links) -> None:
        self._library = rustworkx()
        self._graph = self._library.PyGraph(multigraph=False)
        self._sites = sorted(sites)
        self._node = dict(zip(self._sites, self._graph.add_nodes_from(self._sites), strict=True))
        self._cost: defaultdict[str, dict[str, int]] = defaultdict(dict)
        for ends, cost in links.items():
            if len(ends) == 2 and ends <= sites:
                first, second = sorted(ends)
                self._cost[first][second] = self._cost[second][first] = cost
                self._graph.add_edge(self._node[first], self._node[second], cost)
        self._next_sites: dict[str, Mapping[str, frozenset[str]]] = {}

    def next_sites(self, root: str, target: str) -> frozenset[str]:
        """Return every site that follows the root on some least-cost path to another site; none if unreachable."""
        if root not in self._next_sites:
            self._next_sites[root] = self._from(root)
        return self._next_sites[root].get(target, frozenset())

    def _from(self, root: str) -> Mapping[str, frozenset[str]]:
        if root not in self._node:
            return {}
        best = self._distances(self._graph, root)
        without_root = self._graph.copy()
        without_root.remove_node(self._node[root])
        next_sites: defaultdict[str, set[str]] = defaultdict(set)
        for neighbour, cost in self._cost.get(root, {}).items():
            for target, rest in self._distances(without_root, neighbour).items():
                if cost + rest == best[target]:
                    next_sites[target].add(neighbour)
        return {target: frozenset(neighbours) for target, neighbours in next_sites.items()}

    def _distances(self, graph: object, start: str) -> dict[str, float]:
        lengths = self._library.dijkstra_shortest_path_lengths(graph, self._node[start], float)
        return {start: 0.0} | {self._sites[node]: length for node, length in lengths.items()}


class Graphs:
    """Every weighted graph of sites that the links of one enterprise can mean (BR-41 to BR-43), built when needed."""

    def __init__(self, enterprise: Enterprise) -> None:
        self._enterprise = enterprise
        self._sites = frozenset(enterprise.gates)
        self._pairs = {ends: costs for ends, costs in enterprise.links.items() if len(ends) == 2}

    @cached_property
    def weighted(self) -> tuple[SiteGraph, ...]:
        """The graphs over the known sites; the first one has ActualCost and the cheapest of parallel links.

        Cheapest and dearest suffice: a path that is least-cost under some choice stays so where its own links cost
        the least and all others the most.
        """
        penalties = (0, FOREIGN_PENALTY) if self._enterprise.foreign else (0,)
        return tuple(
            SiteGraph(self._sites, self._weights(dear, penalty)) for penalty in penalties for dear in self._choices()
        )

    @cached_property
    def _open_pairs(self) -> list[frozenset[str]]:
        return [ends for ends, costs in self._pairs.items() if ends <= self._sites and len(costs) > 1]

    def _choices(self) -> Iterator[frozenset[frozenset[str]]]:
        """Yield the pairs of sites whose dearest link counts; of too many pairs none and all."""
        pairs = self._open_pairs
        if len(pairs) > MOST_PAIRS:
            yield from (frozenset(), frozenset(pairs))
            return
        for dear in product((False, True), repeat=len(pairs)):
            yield frozenset(ends for ends, is_dear in zip(pairs, dear, strict=True) if is_dear)

    def _weights(self, dear: frozenset[frozenset[str]], penalty: int) -> dict[frozenset[str], int]:
        foreign = self._enterprise.foreign
        return {
            ends: (max(costs) if ends in dear else min(costs)) + penalty * len(ends & foreign)
            for ends, costs in self._pairs.items()
        }
