"""Routing tables over arrays: equal to the readable least-cost paths."""

import pytest

pytest.importorskip("numba")

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconform.reference.directory.elements import SiteId
from mqconform.reference.mqbr.bulk_tables import SiteGraph, UnusableGraph, allowed_table, site_graph
from mqconform.reference.mqbr.graph import LeastCosts

Link = tuple[int, int, int]


@st.composite
def graphs(draw: st.DrawFn) -> tuple[int, list[Link]]:
    sites = draw(st.integers(1, 12))
    greatest = draw(st.sampled_from([1, 2, 5, 300, 999_999]))
    link = st.tuples(st.integers(0, sites - 1), st.integers(0, sites - 1), st.integers(0, greatest))
    return sites, draw(st.lists(link, max_size=4 * sites))


def compiled_graph(case: tuple[int, list[Link]]) -> SiteGraph:
    sites, links = case
    held = np.array(links, dtype=np.int32).reshape(-1, 3)
    return site_graph(sites, held[:, :2], held[:, 2])


def readable_hops(case: tuple[int, list[Link]], root: int) -> dict[int, set[int]]:
    graph: dict[SiteId, dict[SiteId, int]] = {SiteId(str(site)): {} for site in range(case[0])}
    for one, other, cost in case[1]:
        if one != other:
            here, there = SiteId(str(one)), SiteId(str(other))
            graph[here][there] = graph[there][here] = min(cost, graph[here].get(there, cost))
    found = LeastCosts(graph, SiteId(str(root))).first_hops
    return {int(site): {int(hop) for hop in hops} for site, hops in found.items()}


def bulk_hops(graph: SiteGraph, root: int) -> dict[int, set[int]]:
    around = graph.neighbours[graph.offsets[root] : graph.offsets[root + 1]]
    bits = np.unpackbits(allowed_table(graph, root).view(np.uint8), axis=1, bitorder="little")[:, : len(around)]
    hops = {site: set(around[np.flatnonzero(bits[site])].tolist()) for site in range(graph.sites)}
    return {site: found for site, found in hops.items() if found}


@given(case=graphs())
@settings(max_examples=60, deadline=None)
def test_all_allowed_next_sites_are_those_of_the_readable_model(case: tuple[int, list[Link]]):
    graph = compiled_graph(case)
    for root in range(graph.sites):
        assert bulk_hops(graph, root) == readable_hops(case, root)


def test_a_root_of_more_than_64_neighbours_keeps_them_apart():
    """Site 0 leads over 150 neighbours at equal cost to site 151, and on to 152."""
    links = [(0, n, 1) for n in range(1, 151)] + [(n, 151, 1) for n in range(1, 151)] + [(151, 152, 0)]
    graph = compiled_graph((153, links))
    hops = bulk_hops(graph, 0)
    assert hops[151] == hops[152] == set(range(1, 151))
    assert hops[150] == {150}


def test_links_to_nowhere_and_negative_costs_are_refused():
    for ends, cost in (([0, 5], 1), ([-1, 0], 1), ([0, 1], -1)):
        with pytest.raises(UnusableGraph, match="sites 0 to 1"):
            site_graph(2, np.array([ends], dtype=np.int32), np.array([cost], dtype=np.int32))
