"""Next hops branch by branch (MS-MQBR 3.1.5.1 to 3.1.5.3), on enterprises written with names instead of GUIDs."""

from itertools import pairwise
from typing import Any

from mqconform.reference.allowed import Standing
from mqconform.reference.directory import Directory, DirectoryView, QueueManagerId, directory_from_document
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops


def enterprise(
    sites: dict[str, list[str]], links: dict[str, int], machines: dict[str, str | dict[str, Any]]
) -> Directory:
    """Sites with their gates, links such as {"A-B": 3}, machines with their sites; upper case means routing server."""
    return directory_from_document(
        {
            "enterprise": {"name": "E"},
            "sites": [{"name": site, "site_gates": gates} for site, gates in sites.items()],
            "routing_links": [
                {"site1": pair.split("-")[0], "site2": pair.split("-")[1], "cost": cost} for pair, cost in links.items()
            ],
            "queue_managers": [
                {"name": name, "sites": list(of), "routing_server": name.isupper()}
                if isinstance(of, str)
                else {"name": name, "routing_server": name.isupper()} | of
                for name, of in machines.items()
            ],
        }
    )


def decide(directory: Directory, source: str, destination: str) -> NextHopsDecision:
    ids = {one.name: one.identifier for one in directory.queue_managers}
    state = initialize(DirectoryView(directory), ids[source])
    return decide_next_hops(state, ids.get(destination, QueueManagerId("11111111-2222-4333-8444-555555555555")))


def hops(
    directory: Directory, source: str, destination: str, worst: Standing = Standing.PERMITTED
) -> set[tuple[str, ...]]:
    """The allowed lists, by name."""
    names = {one.identifier: one.name for one in directory.queue_managers}
    decision = decide(directory, source, destination)
    return {tuple(names[hop] for hop in outcome) for outcome in decision.allowed.outcomes(worst)}


def four_sites(a_b: int, b_c: int, b_d: int, c_d: int) -> Directory:
    """The enterprise of section 4: one gate and one client in each site."""
    return enterprise(
        {site: [f"G{site}"] for site in "ABCD"},
        {"A-B": a_b, "B-C": b_c, "B-D": b_d, "C-D": c_d},
        {f"G{site}": site for site in "ABCD"} | {f"c{site}": site for site in "ABCD"},
    )


def test_the_examples_of_section_4():
    by_b, by_b_and_d = ["cA", "GA", "GB", "GC", "cC"], ["cA", "GA", "GB", "GD", "GC", "cC"]
    for directory, way in ((four_sites(3, 1, 1, 1), by_b), (four_sites(3, 3, 1, 1), by_b_and_d)):
        for here, following in pairwise(way):
            assert hops(directory, here, "cC") == {(following,)}


BRANCHES = enterprise(
    {"A": ["GA"], "B": ["GB"]},
    {"A-B": 1},
    {
        "GA": "A",
        "RA": "A",
        "client": "A",
        "peer": "A",
        "bound": {"sites": ["A"], "out_routing_servers": ["RA", "GA"]},
        "served": {"sites": ["A"], "in_routing_servers": ["RA", "GA"]},
        "GB": "B",
        "RB": "B",
        "far": "B",
        "astray": {"sites": ["B"], "in_routing_servers": ["RA", "GA"]},
        "loner": {"sites": []},
    },
)


def test_each_branch_answers_what_the_text_says():
    for source, destination, expected, branches in (
        ("client", "peer", {("peer",)}, "MQBR-3.1.5.1-B09"),
        ("client", "served", {("RA", "GA")}, "MQBR-3.1.5.1-B08"),
        ("client", "far", {("GA",), ("RA",)}, "MQBR-3.1.5.1-B10"),
        ("bound", "peer", {("RA", "GA")}, "MQBR-3.1.5.1-B05"),
        ("bound", "far", {("RA", "GA")}, "MQBR-3.1.5.1-B05"),
        ("client", "nobody", {()}, "MQBR-3.1.5.1-B12"),
        ("loner", "peer", {()}, "MQBR-3.1.5.5-B05"),
        ("RB", "far", {("far",)}, "MQBR-3.1.5.2-B08"),
        ("RB", "client", {("GB",)}, "MQBR-3.1.5.2-B09"),
        ("RA", "served", {("served",)}, "MQBR-3.1.5.2-B04"),
        ("RA", "astray", {("astray",)}, "MQBR-3.1.5.2-B04"),
        ("GA", "astray", {("astray",)}, "MQBR-3.1.5.3-B02"),
        ("RB", "astray", {("RA", "GA")}, "MQBR-3.1.5.2-B07"),
        ("GB", "astray", {("RA", "GA")}, "MQBR-3.1.5.3-B05"),
        ("GA", "peer", {("peer",)}, "MQBR-3.1.5.3-B06"),
        ("GA", "far", {("GB",)}, "MQBR-3.1.5.3-B10"),
        ("GA", "loner", {()}, "MQBR-3.1.5.3-B09"),
    ):
        assert hops(BRANCHES, source, destination) == expected, (source, destination)
        derivations = [one.requirements for one in decide(BRANCHES, source, destination).allowed.alternatives]
        assert all(branches in derivation for derivation in derivations), (source, destination)


def test_any_gate_of_the_next_site_will_do():
    directory = enterprise({"A": ["GA"], "B": ["GB", "HB"]}, {"A-B": 1}, {"GA": "A", "GB": "B", "HB": "B"})
    assert hops(directory, "GA", "GB") == {("GB",), ("HB",)}
    assert decide(directory, "GA", "GB").ambiguities == {"BR-28"}
