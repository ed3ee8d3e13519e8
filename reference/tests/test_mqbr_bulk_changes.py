"""Routes of all pairs of sites in two versions: the same as walking every least-cost path of small enterprises."""

import random
from dataclasses import replace

from mqconform.reference.directory import Directory, directory_from_document
from mqconform.reference.mqbr.bulk_changes import RouteChange, RouteChanges, route_changes

Path = tuple[str, ...]


def enterprise(links: list[tuple[str, str, int]], sites: str = "ABCDEF", gateless: str = "") -> Directory:
    return directory_from_document(
        {
            "enterprise": {"name": "E"},
            "sites": [{"name": one, "site_gates": [] if one in gateless else [f"G{one}"]} for one in sites],
            "routing_links": [
                {"id": f"{one}{other}", "site1": one, "site2": other, "cost": cost} for one, other, cost in links
            ],
            "queue_managers": [{"name": f"G{one}", "sites": [one], "routing_server": True} for one in sites],
        }
    )


def least_paths(directory: Directory, source: str, destination: str) -> tuple[int | None, set[Path]]:
    """Return the least cost and all paths at that cost, by trying all simple paths."""
    names = {one.identifier: one.name for one in directory.sites}
    around: dict[str, dict[str, int]] = {name: {} for name in names.values()}
    for link in directory.routing_links:
        one, other = names[link.site1_identifier], names[link.site2_identifier]
        around[one][other] = around[other][one] = min(link.actual_cost, around[one].get(other, 10**9))
    best, found = None, set()
    waiting: list[tuple[Path, int]] = [((source,), 0)] if source in around else []
    while waiting:
        path, cost = waiting.pop()
        if path[-1] == destination:
            if best is None or cost < best:
                best, found = cost, set()
            found |= {path} if cost == best else set()
            continue
        waiting += [((*path, site), cost + more) for site, more in around[path[-1]].items() if site not in path]
    return best, found


def kinds(changes: RouteChanges, directory: Directory, other: Directory) -> dict[tuple[str, str], RouteChange]:
    names = {one.identifier: one.name for version in (directory, other) for one in version.sites}
    called = [names[site] for site in changes.sites]
    return {(called[a], called[b]): kind for kind, pairs in changes.by_kind.items() for a, b in pairs.tolist()}


def expected(before: Directory, after: Directory, names: str) -> dict[tuple[str, str], RouteChange]:
    found = {}
    for source in names:
        for destination in names.replace(source, ""):
            (cost, paths), (other_cost, others) = (least_paths(one, source, destination) for one in (before, after))
            if bool(paths) is not bool(others):
                found[source, destination] = RouteChange.LOST if paths else RouteChange.GAINED
            elif paths != others:
                found[source, destination] = RouteChange.REROUTED
            elif cost != other_cost:
                found[source, destination] = RouteChange.OTHER_COST
    return found


def test_small_enterprises_change_as_all_their_paths_do():
    sites = "ABCDEFG"
    pairs = [(one, other) for place, one in enumerate(sites) for other in sites[place + 1 :]]
    for seed in range(12):
        choices = random.Random(seed)
        links = [(*pair, choices.randint(1, 3)) for pair in pairs if choices.random() < 0.45]
        changed = [(a, b, choices.randint(1, 3) if choices.random() < 0.3 else cost) for a, b, cost in links]
        changed = [link for link in changed if choices.random() > 0.1]
        before, after = enterprise(links, sites), enterprise(changed, sites)
        assert kinds(route_changes(before, after), before, after) == expected(before, after, sites), f"seed {seed}"


def test_nothing_changes_between_equal_versions_in_any_order():
    before = enterprise([("A", "B", 1), ("B", "C", 1), ("A", "C", 2), ("D", "E", 0), ("E", "F", 0), ("D", "F", 0)])
    after = replace(before, sites=before.sites[::-1], routing_links=before.routing_links[::-1])
    assert kinds(route_changes(before, after), before, after) == {}


def test_a_path_is_one_of_the_routes_with_its_cost():
    before = enterprise([("A", "B", 1), ("B", "C", 1), ("A", "D", 1), ("D", "C", 1), ("C", "E", 4)])
    routes = route_changes(before, before).before
    path = [before.sites[site].name for site in routes.path(0, 4)]
    assert path in (["A", "B", "C", "E"], ["A", "D", "C", "E"])
    assert (int(routes.distance[0, 4]), len(routes.next_sites(0, 4))) == (6, 2)
    assert routes.path(0, 5) == ()


def test_sites_that_come_and_go_gain_and_lose_routes():
    before, after = enterprise([("A", "B", 1)], "ABX"), enterprise([("A", "B", 1), ("B", "C", 1)], "ABC")
    found = kinds(route_changes(before, after), before, after)
    assert found == dict.fromkeys((("A", "C"), ("C", "A"), ("B", "C"), ("C", "B")), RouteChange.GAINED)


def test_a_site_that_loses_its_gates_is_told_wherever_a_route_comes_by():
    links = [("A", "B", 1), ("B", "C", 1), ("D", "E", 1)]
    before, after = enterprise(links), enterprise(links, gateless="B")
    found = kinds(route_changes(before, after), before, after)
    assert found == dict.fromkeys(
        (("A", "B"), ("B", "A"), ("A", "C"), ("C", "A"), ("B", "C"), ("C", "B")), RouteChange.NO_GATE
    )
    back = kinds(route_changes(after, before), after, before)
    assert set(back.values()) == {RouteChange.OTHER_GATES}
