"""Enterprises and graphs to measure on, the same for the same seed."""

import numpy as np

from mqconform.reference.directory import Directory, Enterprise, QueueManager, RoutingLink, Site
from mqconform.reference.directory.elements import EnterpriseId, QueueManagerId, RoutingLinkId, SiteId
from mqconform.reference.mqbr.bulk_tables import SiteGraph, site_graph


def connected_graph(sites: int, greatest_cost: int, seed: int) -> SiteGraph:
    """Return a connected graph of about four links a site, costs from 1 up."""
    random = np.random.default_rng(seed)
    tree = [(here, int(random.integers(here))) for here in range(1, sites)]
    ends = np.array([*tree, *random.integers(sites, size=(3 * sites, 2)).tolist()], dtype=np.int32)
    return site_graph(sites, ends, random.integers(1, greatest_cost + 1, len(ends)).astype(np.int32))


def enterprise(sites: int, machines: int, greatest_cost: int, seed: int) -> Directory:
    """Return an enterprise of two gates a site and clients, some with In or Out lists."""
    random = np.random.default_rng(seed)
    own = [SiteId(_guid(1, site)) for site in range(sites)]
    gates = [(QueueManagerId(_guid(2, 2 * site)), QueueManagerId(_guid(2, 2 * site + 1))) for site in range(sites)]
    routers = [
        QueueManager(gate, site_identifier_list=(own[site],), routing_server=True)
        for site, pair in enumerate(gates)
        for gate in pair
    ]
    clients = [
        QueueManager(
            QueueManagerId(_guid(2, number)),
            site_identifier_list=(own[site],),
            in_routing_server_identifier_list=gates[site] if number % 20 == 0 else (),
            out_routing_server_identifier_list=gates[site][:1] if number % 20 == 1 else (),
        )
        for number, site in zip(
            range(2 * sites, machines), random.integers(sites, size=max(0, machines - 2 * sites)), strict=True
        )
    ]
    return Directory(
        Enterprise(EnterpriseId(_guid(0, 0))),
        tuple(Site(site, site_gate_collection=pair) for site, pair in zip(own, gates, strict=True)),
        tuple(_links(own, connected_graph(sites, greatest_cost, seed))),
        (*routers, *clients),
    )


def _links(own: list[SiteId], graph: SiteGraph) -> list[RoutingLink]:
    here = np.repeat(np.arange(graph.sites), np.diff(graph.offsets))
    return [
        RoutingLink(RoutingLinkId(_guid(3, number)), own[here[number]], own[there], int(graph.costs[number]))
        for number, there in enumerate(graph.neighbours.tolist())
        if here[number] < there
    ]


def _guid(kind: int, number: int) -> str:
    return f"{number * 2_654_435_761 % 2**32:08x}-{kind:04x}-4000-8000-{number:012x}"
