"""First hops and whole tables against brute force over every spanning tree of small graphs."""

from collections.abc import Iterator
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from mqconform.reference.directory.elements import RoutingLink, RoutingLinkId, Site, SiteId
from mqconform.reference.mqbr import readings
from mqconform.reference.mqbr.graph import EnterpriseGraphs, LeastCosts
from mqconform.reference.mqbr.table_check import unexplained_site

Link = tuple[int, int, int]
ROOT = SiteId("s0")


def site(number: int) -> SiteId:
    return SiteId(f"s{number}")


def graphs_of(count: int, links: list[Link]) -> EnterpriseGraphs:
    sites = tuple(Site(site(number)) for number in range(count))
    return EnterpriseGraphs(
        sites, tuple(RoutingLink(RoutingLinkId(f"l{n}"), site(a), site(b), c) for n, (a, b, c) in enumerate(links))
    )


def every_weighting(links: list[Link]) -> Iterator[dict[tuple[int, int], int]]:
    """Every way to give each directed edge the cost of one of its links, in each direction on its own."""
    costs: dict[tuple[int, int], set[int]] = {}
    for a, b, cost in links:
        if a != b:
            costs.setdefault((a, b), set()).add(cost)
            costs.setdefault((b, a), set()).add(cost)
    for chosen in product(*(sorted(found) for found in costs.values())):
        yield dict(zip(costs, chosen, strict=True))


def every_table(count: int, weights: dict[tuple[int, int], int]) -> set[tuple[tuple[int, int], ...]]:
    """The (destination, first hop) rows of every least-cost spanning tree rooted in site 0, tree by tree."""
    least = {0: 0}
    for _ in range(count):
        for (a, b), weight in weights.items():
            if a in least:
                least[b] = min(least.get(b, weight + least[a]), weight + least[a])
    others = sorted(set(least) - {0})
    parents = [[a for a, b in weights if b == other and a in least] for other in others]
    tables = set()
    for chosen in product(*parents):
        rows = rows_of_tree(dict(zip(others, chosen, strict=True)), weights, least)
        if rows is not None:
            tables.add(rows)
    return tables


def rows_of_tree(
    parent: dict[int, int], weights: dict[tuple[int, int], int], least: dict[int, int]
) -> tuple[tuple[int, int], ...] | None:
    """The rows of one choice of parents, None where it has a cycle or a path that costs too much."""
    rows = []
    for other in parent:
        cost, here, steps = 0, other, 0
        while parent[here] != 0 and steps <= len(parent):
            cost, here, steps = cost + weights[parent[here], here], parent[here], steps + 1
        if steps > len(parent) or cost + weights[0, here] != least[other]:
            return None
        rows.append((other, here))
    return tuple(rows)


@st.composite
def small_graphs(draw: st.DrawFn, *, parallel: bool) -> tuple[int, list[Link]]:
    count = draw(st.integers(2, 5))
    pairs = [(a, b) for a in range(count) for b in range(a)]
    if parallel:
        picked = draw(st.lists(st.sampled_from(pairs), max_size=6))
    else:
        picked = draw(st.lists(st.sampled_from(pairs), max_size=8, unique=True))
    costs = draw(st.lists(st.integers(0, 3), min_size=len(picked), max_size=len(picked)))
    turned = draw(st.integers(0, 2 ** len(picked) - 1))
    return count, [
        (b, a, c) if turned >> n & 1 else (a, b, c) for n, ((a, b), c) in enumerate(zip(picked, costs, strict=True))
    ]


@given(small_graphs(parallel=False))
@settings(max_examples=100, deadline=None)
def test_first_hops_and_tables_are_those_of_all_least_cost_spanning_trees(case: tuple[int, list[Link]]):
    count, links = case
    (weights,) = every_weighting(links)
    (graph,) = graphs_of(count, links).weightings(())
    paths = LeastCosts(graph, ROOT)
    possible = {tuple((site(d), site(h)) for d, h in table) for table in every_table(count, weights)}
    expected: dict[SiteId, set[SiteId]] = {}
    for table in possible:
        for destination, hop in table:
            expected.setdefault(destination, set()).add(hop)
    assert paths.first_hops == expected
    destinations = sorted(paths.costs.keys() - {ROOT})
    for hops in product(graph[ROOT], repeat=len(destinations)):
        rows = tuple(zip(destinations, hops, strict=True))
        assert (unexplained_site(paths, dict(rows)) is None) is (rows in possible)


def test_costs_follow_the_readings_of_foreign_sites_stray_links_and_costs_out_of_range():
    sites = (Site(site(0)), Site(site(1), foreign_site=True))
    links = (RoutingLink(RoutingLinkId("a"), site(0), site(1), 0), RoutingLink(RoutingLinkId("b"), site(1), site(9), 5))
    graphs = EnterpriseGraphs(sites, links)
    assert graphs.dimensions == (
        (readings.STRAY_LINK_IGNORED, readings.STRAY_LINK_COUNTS),
        (readings.COST_AS_GIVEN, readings.COSTLY_LINK_LEFT_OUT, readings.COST_FORCED),
        (readings.WITHOUT_PENALTY, readings.WITH_PENALTY),
    )
    literal = (readings.STRAY_LINK_IGNORED, readings.COST_AS_GIVEN, readings.WITHOUT_PENALTY)
    assert graphs.weightings(literal) == ({site(0): {site(1): 0}, site(1): {site(0): 0}},)
    other = (readings.STRAY_LINK_COUNTS, readings.COST_FORCED, readings.WITH_PENALTY)
    (graph,) = graphs.weightings(other)
    assert graph == {
        site(0): {site(1): 1_000_000},
        site(1): {site(0): 1_000_000, site(9): 1_000_004},
        site(9): {site(1): 1_000_004},
    }
    (graph,) = graphs.weightings((readings.COSTLY_LINK_LEFT_OUT,))
    assert graph == {site(0): {}, site(1): {}}
