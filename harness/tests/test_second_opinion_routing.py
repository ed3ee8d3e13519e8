"""The second routing oracle on small enterprises whose answers can be read off MS-MQBR 3.1.5 and 4 by hand."""

from typing import Any
from uuid import UUID

import pytest

from mqconform.harness.judge.independent.routing_opinion import (
    OracleDisagreement,
    allowed_next_hops,
    hold_against_second_opinion,
)

Document = dict[str, Any]


def guid(name: str) -> str:
    return str(UUID(int=int.from_bytes(name.encode(), "big")))


def machine(name: str, *sites: str, routes: bool = False, into: str = "", out: str = "", nets: str = "") -> Document:
    return {
        "id": guid(name),
        "sites": [guid(site) for site in sites],
        "routing_server": routes,
        "in_routing_servers": [guid(server) for server in into.split()],
        "out_routing_servers": [guid(server) for server in out.split()],
        "connected_networks": [guid(network) for network in nets.split()],
    }


def link(one: str, other: str, cost: int) -> Document:
    return {"id": guid(one + other), "site1": guid(one), "site2": guid(other), "cost": cost}


def enterprise(sites: dict[str, str], links: list[Document], machines: list[Document]) -> Document:
    return {
        "enterprise": {"id": guid("E")},
        "sites": [
            {"id": guid(site), "site_gates": [guid(gate) for gate in gates.split()]} for site, gates in sites.items()
        ],
        "routing_links": links,
        "queue_managers": machines,
    }


def four_sites(ab: int, bc: int, bd: int, cd: int) -> Document:
    """Figure 4: sites A, B, C, D, each with one gate and one client."""
    names = "ABCD"
    return enterprise(
        {name: f"g{name}" for name in names},
        [link("A", "B", ab), link("B", "C", bc), link("B", "D", bd), link("C", "D", cd)],
        [machine(f"g{name}", name, routes=True) for name in names] + [machine(f"q{name}", name) for name in names],
    )


def hops(document: Document, source: str, destination: str) -> set[frozenset[str]]:
    """The allowed sets, by name; the empty one is "no route"."""
    names = {guid(name): name for name in NAMES}
    sets = allowed_next_hops(document, guid(source), guid(destination))
    return {frozenset(names[hop] for hop in allowed) for allowed in sets}


NAMES = [
    *("g" + site for site in "ABCDMN"),
    *("q" + site for site in "ABCDMN"),
    "r1",
    "r2",
    "c1",
    "c2",
    "i1",
    "g2",
    "u",
]


def one(*names: str) -> set[frozenset[str]]:
    return {frozenset({name}) for name in names}


def test_a_cycle_of_cost_zero_back_through_the_root_is_no_path():
    document = four_sites(ab=0, bc=1, bd=9, cd=9)
    assert hops(document, "gB", "qC") == one("gC")


LISTS = enterprise(
    {"A": "gA", "B": "gB"},
    [link("A", "B", 1)],
    [
        machine("gA", "A", routes=True, out="r1"),
        machine("r1", "A", routes=True),
        machine("r2", "A", routes=True, out="r1"),
        machine("c1", "A", out="r1 r2"),
        machine("qA", "A"),
        machine("gB", "B", routes=True),
        machine("i1", "B", routes=True),
        machine("qB", "B", into="i1 r1"),
        machine("c2", "A", into="r1 r2"),
    ],
)


SEVERAL_SITES = enterprise(
    {"A": "gM", "B": "gB g2", "C": "gC", "D": "", "M": "gM"},
    [link("A", "B", 1), link("M", "C", 1), link("B", "C", 1), link("A", "M", 1)],
    [
        machine("gM", "A", "M", routes=True),
        machine("r1", "A", "D", routes=True),
        machine("gB", "B", routes=True),
        machine("g2", "B", routes=True),
        machine("gC", "C", routes=True),
        machine("qB", "B"),
        machine("qD", "D"),
        machine("qC", "B", "C"),
        machine("qN", "C", "D"),
    ],
)


def test_the_sets_of_next_hops(subtests: pytest.Subtests):
    for document, source, destination, expected in [
        (LISTS, "qA", "c2", [{"r1", "r2"}]),
        (LISTS, "qA", "qB", one("gA", "r1", "r2")),
        (LISTS, "r2", "qB", one("gA")),
        (SEVERAL_SITES, "gB", "qC", one("qC")),
        (SEVERAL_SITES, "g2", "qB", one("qB")),
        (SEVERAL_SITES, "gC", "qB", one("gB", "g2")),
        (SEVERAL_SITES, "gB", "qD", [set()]),
    ]:
        with subtests.test(source=source, destination=destination):
            assert hops(document, source, destination) == set(map(frozenset, expected))


PLAIN = four_sites(ab=1, bc=1, bd=5, cd=1)


def test_what_is_by_the_text_is_in_the_sets_and_they_are_permitted():
    ends = (PLAIN, guid("gA"), guid("qB"))
    route = [guid("gB").upper()]
    hold_against_second_opinion(*ends, [route], [route, []])
    with pytest.raises(OracleDisagreement, match=r"first .* alone allows no route, the second alone nothing"):
        hold_against_second_opinion(*ends, [route, []], [route, []])
    with pytest.raises(OracleDisagreement, match=f"alone allows nothing, the second alone .*{guid('gB')}"):
        hold_against_second_opinion(*ends, [], [[]])
