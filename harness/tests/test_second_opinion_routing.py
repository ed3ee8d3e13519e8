"""The second routing oracle on small enterprises whose answers can be read off MS-MQBR 3.1.5 and 4 by hand."""

from typing import Any
from uuid import UUID

import pytest

from mqconform.harness.judge.independent.routing_opinion import OracleDisagreement, allowed_next_hops, compare, vote

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
    sets = allowed_next_hops(document, guid(source), guid(destination)).sets
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
    opinion = allowed_next_hops(document, guid("gB"), guid("qC"))
    assert (opinion.plain, opinion.because) == (False, ("BR-40",))


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


def test_the_vote_on_observed_hops(subtests: pytest.Subtests):
    for document, source, destination, observed, expected in [
        (LISTS, "qA", "c2", "r2 r1", "allowed"),
        (LISTS, "qA", "c2", "r2", "not allowed"),
        (LISTS, "qA", "qB", "r1 r2", "allowed"),
        (LISTS, "qA", "qB", "gB", "not allowed"),
        (LISTS, "qA", "qB", "", "not allowed"),
        (SEVERAL_SITES, "gB", "qC", "qC", "allowed"),
        (SEVERAL_SITES, "g2", "qB", "qB gB", "open"),
        (SEVERAL_SITES, "gC", "qB", "qB", "not allowed"),
        (SEVERAL_SITES, "gB", "qD", "qD", "open"),
        (SEVERAL_SITES, "gM", "qB", "gM", "open"),
        (LISTS, "r2", "qB", "r1", "open"),
        (SEVERAL_SITES, "gC", "qB", "gB gM", "open"),
        (SEVERAL_SITES, "gC", "qB", "gM", "not allowed"),
    ]:
        with subtests.test(source=source, destination=destination, observed=observed):
            assert (
                vote(document, guid(source), guid(destination), [guid(name) for name in observed.split()]) == expected
            )


def changed(document: Document, kind: str, index: int, **fields: object) -> Document:
    rows = [dict(row) for row in document[kind]]
    rows[index].update(fields)
    return {**document, kind: rows}


PLAIN = four_sites(ab=1, bc=1, bd=5, cd=1)
"""queue_managers: 0 gA, 1 gB, 2 gC, 3 gD, 4 qA, 5 qB, 6 qC, 7 qD"""


OWN_SITE_ON_THE_WAY = enterprise(
    {"A": "gM", "M": "gM", "C": "gM"},
    [link("A", "M", 1), link("M", "C", 1)],
    [machine("gM", "A", "M", routes=True), machine("qC", "C")],
)
"""Whatever the root, the gate of the next site is the source itself."""


def test_the_register_opens_a_question(subtests: pytest.Subtests):
    for register_id, document, source, destination in [
        ("BR-25", {**PLAIN, "queue_managers": [*PLAIN["queue_managers"], machine("gA", "B", routes=True)]}, "gA", "qB"),
        ("BR-32", changed(PLAIN, "queue_managers", 1, sites=[guid("C")]), "gA", "qC"),
        ("BR-32", changed(PLAIN, "sites", 1, site_gates=[guid("u")]), "gA", "qC"),
        ("BR-40", changed(PLAIN, "routing_links", 3, cost=1_000_000), "gA", "qC"),
        ("BR-38", OWN_SITE_ON_THE_WAY, "gM", "qC"),
        (
            "BR-42",
            {**PLAIN, "routing_links": [*PLAIN["routing_links"], link("A", "u", 1), link("u", "C", 1)]},
            "gA",
            "qC",
        ),
        ("BR-51", changed(PLAIN, "queue_managers", 4, connected_networks=[guid("net")]), "gA", "qA"),
        ("BR-56", changed(PLAIN, "queue_managers", 4, out_routing_servers=[guid("gB")]), "qA", "qB"),
        ("BR-57", changed(PLAIN, "queue_managers", 4, in_routing_servers=[guid("qA")]), "qA", "qA"),
        ("BR-58", changed(PLAIN, "queue_managers", 4, in_routing_servers=[guid("qB")]), "gA", "qA"),
    ]:
        with subtests.test(register_id=register_id):
            opinion = allowed_next_hops(document, guid(source), guid(destination))
            assert register_id in opinion.because
            assert not opinion.plain
            assert vote(document, guid(source), guid(destination), [guid("stranger")]) == "open"


def test_the_same_outcomes_compare_silently_and_others_are_named():
    opinion = allowed_next_hops(PLAIN, guid("gA"), guid("qB"))
    compare([([guid("gB").upper()], ["BR-28/any-member"])], opinion)
    compare([([guid("gB")], []), ([], ["BR-46/table-filled"])], opinion)
    with pytest.raises(OracleDisagreement, match=f"first routing oracle alone allows no route.*alone .*{guid('gB')}"):
        compare([([], [])], opinion)
