"""The check of enterprises: each mistake has its finding, at its place, with its severity."""

from typing import Any

from mqconform.reference.directory import check_directory, check_document, directory_from_document

SOUND: dict[str, Any] = {
    "enterprise": {"name": "E"},
    "sites": [{"name": "A", "site_gates": ["GA"]}, {"name": "B", "site_gates": ["GB"]}],
    "routing_links": [{"site1": "A", "site2": "B", "cost": 1}],
    "queue_managers": [
        {"name": "GA", "sites": ["A"], "routing_server": True},
        {"name": "GB", "sites": ["B"], "routing_server": True},
        {"name": "a", "sites": ["A"], "routing_server": False},
        {"name": "b", "sites": ["B"], "in_routing_servers": ["GB"], "out_routing_servers": ["GB"]},
    ],
}
NOBODY = "99999999-0000-4000-8000-000000000009"


def with_site(**keys: Any) -> dict[str, Any]:
    return SOUND | {"sites": [SOUND["sites"][0], {"name": "B", "site_gates": ["GB"]} | keys]}


def with_link(**keys: Any) -> dict[str, Any]:
    return SOUND | {"routing_links": [*SOUND["routing_links"], {"site1": "A", "site2": "B", "cost": 1} | keys]}


def with_machine(**keys: Any) -> dict[str, Any]:
    return SOUND | {"queue_managers": [*SOUND["queue_managers"], {"name": "x", "sites": ["A"]} | keys]}


def test_a_sound_enterprise_gives_no_finding():
    assert check_document(SOUND) == ()
    assert check_directory(directory_from_document(SOUND)) == ()


SITES, LINKS, MACHINES = (SOUND[key] for key in ("sites", "routing_links", "queue_managers"))
LINKED_TWICE = [{"id": f"to {site}", "site1": "F", "site2": site, "cost": 1} for site in "AB"]
WITH_C = SOUND | {"sites": [*SITES, {"name": "C"}]}
TWICE = [{"id": NOBODY, "site1": "A", "site2": "B", "cost": 1}] * 2
OF_TWO_SITES = {"name": "GA", "sites": ["A", "B"], "routing_server": True}
ROUTER = {"routing_server": True, "out_routing_servers": ["GA"]}
MISTAKES: list[tuple[object, str, str]] = [
    (with_site(site_gates=[]), "error sites[1].site_gates", "is empty"),
    (with_site(site_gates=[NOBODY]), "error sites[1].site_gates[0]", "an unknown queue manager"),
    (with_site(site_gates=["GB", "GA"]), "error sites[1].site_gates[1]", "GA is a gate but no member"),
    (with_site(site_gates=["GB", "b"]), "error sites[1].site_gates[1]", "b is not a routing server"),
    (with_site(site_gates=["GB", "GB"]), "warning sites[1].site_gates[1]", "repeats"),
    (WITH_C, "warning sites[2]", "cannot be reached from 2 of the sites"),
    (SOUND | {"routing_links": []}, "warning sites[1]", "cannot be reached from 1 of the sites"),
    (
        SOUND | {"sites": [*SITES, {"name": "B", "id": NOBODY, "site_gates": []}]},
        "error queue_managers[1].sites[0]",
        "2 objects of kind site have the name 'B'",
    ),
    (SOUND | {"sites": [*SITES, SITES[0]]}, "error sites[2].id", "duplicates that of sites[0]"),
    (SOUND | {"sites": [*SITES, SITES[0]]}, "error sites[2].name", "duplicates that of sites[0]"),
    (with_link(site2=NOBODY), "error routing_links[1].site2", "an unknown site"),
    (with_link(site2="A"), "warning routing_links[1]", "joins a site to itself"),
    (with_link(cost=0), "error routing_links[1].cost", "0 is outside 1 to 999999"),
    (with_link(cost=1_000_000), "error routing_links[1].cost", "1000000 is outside"),
    (with_link(cost=-3), "error routing_links[1].cost", "is -3; give an integer from 1 to 999999"),
    (with_link(), "warning routing_links[1]", "joins the same sites as routing_links[0]"),
    (with_link(site1="B", site2="A", cost=5), "warning routing_links[1]", "at another cost (1)"),
    (SOUND | {"routing_links": TWICE}, "error routing_links[1].id", "duplicates that of routing_links[0]"),
    (with_machine(sites=[]), "warning queue_managers[4].sites", "is empty"),
    (with_machine(sites=[NOBODY]), "error queue_managers[4].sites[0]", "an unknown site"),
    (with_machine(sites=["A", "A"]), "warning queue_managers[4].sites[1]", "repeats"),
    (with_machine(name="a", id=NOBODY), "warning queue_managers[4].name", "duplicates that of queue_managers[2]"),
    (with_machine(name="a"), "error queue_managers[4].id", "duplicates that of queue_managers[2]: a and a"),
    (with_machine(in_routing_servers=[]), "warning queue_managers[4].in_routing_servers", "is empty"),
    (with_machine(out_routing_servers=[]), "warning queue_managers[4].out_routing_servers", "is empty"),
    (with_machine(in_routing_servers=[NOBODY]), "error queue_managers[4].in_routing_servers[0]", "an unknown queue"),
    (with_machine(in_routing_servers=["a"]), "warning queue_managers[4].in_routing_servers[0]", "a is not a routing"),
    (with_machine(out_routing_servers=["GB"]), "warning queue_managers[4].out_routing_servers[0]", "shares no site"),
    (with_machine(out_routing_servers=["x"]), "warning queue_managers[4].out_routing_servers[0]", "names the machine"),
    (with_machine(**ROUTER), "warning queue_managers[4].out_routing_servers", "has no effect"),
    (
        SOUND | {"queue_managers": [OF_TWO_SITES, *MACHINES[1:]]},
        "warning queue_managers[0]",
        "is a gate and belongs to several sites",
    ),
    (
        WITH_C | {"queue_managers": [*MACHINES, {"name": "c", "sites": ["C"]}]},
        "warning queue_managers[4]",
        "shares no site with a routing server",
    ),
    (
        SOUND | {"sites": [*SITES, {"name": "F", "foreign_site": True}], "routing_links": [*LINKS, *LINKED_TWICE]},
        "warning sites[2]",
        "is foreign and between other sites",
    ),
    ({"sites": 1}, "error sites", "is 1; give a list"),
]


def test_a_mistake_is_found_at_its_place():
    for document, place, words in MISTAKES:
        told = [str(one) for one in check_document(document) if f"{one.severity} {one.path}" == place]
        assert any(words in one for one in told), (place, words, told)


def test_errors_come_first_and_read_as_one_line():
    found = check_document(with_link(cost=0))
    assert [one.severity for one in found] == ["error", "warning"]
    assert str(found[0]) == "error: routing_links[1].cost: 0 is outside 1 to 999999"
    assert found[0].register == "BR-40"
