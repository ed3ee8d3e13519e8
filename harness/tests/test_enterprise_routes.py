"""Routes follow the reference from hop to hop, over every allowed choice, to the end."""

from pathlib import Path
from typing import Any

import pytest

from mqconform.harness.tools.enterprise import routes as routes_module
from mqconform.harness.tools.enterprise.file import read_enterprise
from mqconform.harness.tools.enterprise.machine_names import UnknownMachine, find_machine
from mqconform.harness.tools.enterprise.routes import Ending, Routes, find_routes
from mqconform.reference.directory import Directory, directory_from_document

EXAMPLES = Path(__file__).parents[2] / "examples" / "enterprises"


def example(name: str) -> Directory:
    return read_enterprise(str(EXAMPLES / name)).directory


def routes(directory: Directory, source: str, destination: str) -> Routes:
    return find_routes(directory, find_machine(directory, source), find_machine(directory, destination))


def told(directory: Directory, found: Routes) -> list[tuple[str, int | None, Ending]]:
    names = {one.identifier: one.name for one in directory.queue_managers}
    return [(" ".join(names[one] for one in path.queue_managers), path.cost, path.ending) for path in found.paths()]


def enterprise(sites: str, links: list[tuple[str, str, int]], **more: dict[str, Any]) -> Directory:
    """Return an enterprise of one-letter sites, each with a gate of its name in lower case; ``more`` machines."""
    machines = [{"name": site.lower(), "sites": [site], "routing_server": True} for site in sites]
    return directory_from_document(
        {
            "enterprise": {"name": "E"},
            "sites": [{"name": site, "site_gates": [site.lower()]} for site in sites],
            "routing_links": [{"site1": one, "site2": other, "cost": cost} for one, other, cost in links],
            "queue_managers": machines + [{"name": name, **held} for name, held in more.items()],
        }
    )


def test_the_examples_of_section_4_travel_as_it_says(subtests: pytest.Subtests):
    for file, passed, sites, cost in [
        ("section_4_first_costs.yaml", "client-a gate-a gate-b gate-c client-c", "ABC", 4),
        ("section_4_second_costs.yaml", "client-a gate-a gate-b gate-d gate-c client-c", "ABDC", 5),
    ]:
        with subtests.test(file=file):
            directory = example(file)
            found = routes(directory, "client-a", "client-c")
            assert told(directory, found) == [(passed, cost, Ending.DELIVERED)]
            (path,) = found.paths()
            assert "".join(directory.sites_by_identifier[site][0].name for site in path.sites) == sites
            assert found.complete


def test_a_hop_within_a_site_costs_nothing():
    directory = enterprise("A", [], m={"sites": ["A"], "in_routing_servers": ["a"]}, n={"sites": ["A"]})
    assert told(directory, routes(directory, "n", "m")) == [("n a m", 0, Ending.DELIVERED)]


def test_a_way_without_a_link_ends_where_no_route_is():
    directory = enterprise("AB", [], m={"sites": ["A"]})
    assert told(directory, routes(directory, "m", "b")) == [("m a", 0, Ending.NO_ROUTE)]


def test_an_in_routing_server_of_another_site_crosses_without_a_link():
    directory = enterprise("AB", [], m={"sites": ["B"], "in_routing_servers": ["a"]})
    assert told(directory, routes(directory, "a", "m")) == [("a m", None, Ending.DELIVERED)]


def test_machines_that_send_to_each_other_are_a_loop():
    directory = enterprise(
        "A", [], m={"sites": ["A"], "out_routing_servers": ["n"]}, n={"sites": ["A"], "out_routing_servers": ["m"]}
    )
    assert told(directory, routes(directory, "m", "a")) == [("m n m", 0, Ending.LOOP)]


def test_the_cheaper_of_parallel_links_counts():
    directory = enterprise("AB", [("A", "B", 7), ("B", "A", 4)])
    (path,) = routes(directory, "a", "b").paths()
    assert (path.cost, path.crossings[0].link) == (4, directory.routing_links[1])


def test_a_search_that_is_cut_off_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(routes_module, "MOST_MACHINES", 2)
    directory = example("section_4_second_costs.yaml")
    found = routes(directory, "client-a", "client-c")
    assert told(directory, found) == [("client-a gate-a gate-b", 3, Ending.UNEXPLORED)]
    assert not found.complete


def test_an_unknown_name_is_told_with_what_comes_close():
    directory = example("section_4_first_costs.yaml")
    assert find_machine(directory, "GATE-A") == find_machine(directory, "29211266-9606-5696-9731-72e2f6384dd9")
    for named, message in [
        ("gate-x", "did you mean gate-"),
        ("nothing like it", "there are gate-a, gate-b, gate-c, gate-d, client-a and others"),
        ("\x1b[2J", r"no queue manager has the name \\u001b\[2J"),
    ]:
        with pytest.raises(UnknownMachine, match=message):
            find_machine(directory, named)


def test_a_name_of_several_queue_managers_asks_for_the_guid():
    ids = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"]
    machines = [{"id": one, "name": "twin"} for one in ids]
    document = {"enterprise": {"name": "E"}, "sites": [], "routing_links": [], "queue_managers": machines}
    with pytest.raises(UnknownMachine, match=f"give a GUID: {ids[0]}, {ids[1]}"):
        find_machine(directory_from_document(document), "twin")
