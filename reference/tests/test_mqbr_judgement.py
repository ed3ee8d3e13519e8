"""Judging answers to GetNextHops: what is allowed, what only the register tolerates, what stays undecided."""

from typing import Any

from mqconform.reference.directory import Directory, DirectoryView, directory_from_document
from mqconform.reference.mqbr import readings
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import decide_next_hops
from mqconform.reference.mqbr.judgement import Judgement, Outcome
from mqconform.reference.mqbr.next_hops import NextHops
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reference.mqbr.table_check import judge_routing_table

MACHINES: dict[str, dict[str, Any]] = {
    "GA": {"sites": ["A"]},
    "RA": {"sites": ["A"], "out_routing_servers": ["GA"]},
    "client": {"sites": ["A"], "connected_networks": ["one"]},
    "peer": {"sites": ["A"], "connected_networks": ["two"]},
    "bound": {"sites": ["A"], "out_routing_servers": ["RA", "peer", "GA"]},
    "selfish": {"sites": ["A"], "out_routing_servers": ["selfish", "RA"]},
    "served": {"sites": ["A"], "in_routing_servers": ["client", "RA", "GA"]},
    "GB": {"sites": ["B"]},
    "HB": {"sites": ["B"]},
    "far": {"sites": ["B"]},
    "GC": {"sites": ["C"]},
    "GD": {"sites": ["D"]},
    "adrift": {"sites": ["D"]},
    "loner": {"sites": []},
}
DIRECTORY = directory_from_document(
    {
        "enterprise": {"name": "E"},
        "sites": [
            {"name": "A", "site_gates": ["GA"]},
            {"name": "B", "site_gates": ["GB", "HB"]},
            {"name": "C", "site_gates": ["GC"]},
            {"name": "D", "site_gates": ["GD"]},
        ],
        "routing_links": [
            {"site1": "A", "site2": "B", "cost": 1},
            {"site1": "A", "site2": "C", "cost": 2},
            {"site1": "C", "site2": "B", "cost": 2},
        ],
        "queue_managers": [{"name": name, "routing_server": name.isupper()} | of for name, of in MACHINES.items()],
    }
)
IDS = {one.name: one.identifier for one in DIRECTORY.queue_managers}
SITES = {one.name: one.identifier for one in DIRECTORY.sites}


def judged(source: str, destination: str, answer: list[str | None] | None) -> Judgement[NextHops]:
    decision = decide_next_hops(initialize(DirectoryView(DIRECTORY), IDS[source]), IDS[destination])
    return judge_next_hops(decision, answer if answer is None else [IDS[hop] if hop else None for hop in answer])


def test_an_answer_is_judged_by_text_and_register():
    for source, destination, answer, outcome, register in (
        ("GA", "far", ["GB"], Outcome.ALLOWED, "BR-28"),
        ("GA", "far", ["HB", "GB"], Outcome.BY_REGISTER, "BR-34"),
        ("GA", "far", ["GB", "GC"], Outcome.BY_REGISTER, "BR-71"),
        ("GA", "far", ["GC", "GB"], Outcome.NOT_ALLOWED, ""),
        ("GA", "far", ["GC"], Outcome.NOT_ALLOWED, ""),
        ("GA", "far", ["GB", "GD"], Outcome.NOT_ALLOWED, ""),
        ("GA", "far", ["far"], Outcome.NOT_ALLOWED, ""),
        ("GA", "far", None, Outcome.NOT_ALLOWED, ""),
        ("GA", "adrift", None, Outcome.ALLOWED, "BR-04"),
        ("GA", "adrift", [], Outcome.BY_REGISTER, "BR-04"),
        ("GA", "adrift", ["adrift"], Outcome.BY_REGISTER, "BR-53"),
        ("GA", "adrift", ["GB"], Outcome.NOT_ALLOWED, ""),
        ("loner", "far", [None], Outcome.ALLOWED, "BR-05"),
        ("loner", "far", [], Outcome.ALLOWED, "BR-05"),
        ("loner", "far", None, Outcome.ALLOWED, "BR-05"),
        ("loner", "far", ["GA"], Outcome.BY_REGISTER, "BR-65"),
        ("client", "far", ["GA"], Outcome.ALLOWED, "BR-23"),
        ("client", "far", ["GA", None], Outcome.NOT_ALLOWED, ""),
        ("client", "far", ["RA"], Outcome.BY_REGISTER, "BR-23"),
        ("client", "far", ["RA", "GA"], Outcome.BY_REGISTER, "BR-62"),
        ("client", "far", ["GB"], Outcome.NOT_ALLOWED, ""),
        ("client", "peer", ["peer", "RA"], Outcome.BY_REGISTER, "BR-52"),
        ("client", "peer", ["RA", "peer"], Outcome.NOT_ALLOWED, ""),
        ("client", "peer", ["RA"], Outcome.BY_REGISTER, "BR-51"),
        ("client", "bound", ["RA"], Outcome.NOT_ALLOWED, ""),
        ("RA", "far", ["GA"], Outcome.ALLOWED, ""),
        ("RA", "peer", ["GA"], Outcome.BY_REGISTER, "BR-54"),
        ("bound", "far", ["RA", "peer", "GA"], Outcome.ALLOWED, "BR-61"),
        ("bound", "far", ["GA", "RA", "peer", "GA"], Outcome.BY_REGISTER, "BR-61"),
        ("bound", "far", ["RA", "GA"], Outcome.BY_REGISTER, "BR-13"),
        ("bound", "far", ["RA", "peer"], Outcome.NOT_ALLOWED, ""),
        ("bound", "far", ["RA"], Outcome.NOT_ALLOWED, ""),
        ("selfish", "far", ["selfish", "RA"], Outcome.BY_REGISTER, "BR-56"),
        ("selfish", "far", ["RA"], Outcome.BY_REGISTER, "BR-56"),
        ("client", "served", ["client", "RA", "GA"], Outcome.BY_REGISTER, "BR-57"),
        ("client", "served", ["RA", "GA"], Outcome.BY_REGISTER, "BR-57"),
        ("client", "served", ["served"], Outcome.BY_REGISTER, "BR-57"),
        ("peer", "served", ["client", "RA", "GA"], Outcome.ALLOWED, "BR-61"),
        ("peer", "served", ["GA", "RA"], Outcome.BY_REGISTER, "BR-58"),
        ("peer", "served", ["served"], Outcome.NOT_ALLOWED, ""),
        ("client", "client", ["client"], Outcome.ALLOWED, ""),
        ("client", "client", ["RA"], Outcome.BY_REGISTER, "BR-64"),
        ("client", "client", ["GB"], Outcome.NOT_ALLOWED, ""),
        ("loner", "far", ["client"], Outcome.NOT_ALLOWED, ""),
    ):
        judgement = judged(source, destination, answer)
        assert judgement.outcome is outcome, judgement.explanation
        assert not register or register in judgement.ambiguities, (source, destination)
        assert judgement.requirements or outcome in {Outcome.NOT_ALLOWED, Outcome.BY_REGISTER}, (source, destination)


def test_hostile_answers_are_not_allowed_and_break_nothing():
    decision = decide_next_hops(initialize(DirectoryView(DIRECTORY), IDS["GA"]), IDS["far"])
    for answer in (["x" * 10_000], [""], [IDS["GB"], "\x00"], ["GB"] * 5_000):
        assert judge_next_hops(decision, answer).outcome is Outcome.NOT_ALLOWED


def rows(**hops: str | None) -> list[tuple[str, str | None]]:
    return [(SITES[site], SITES[hop] if hop else None) for site, hop in hops.items()]


def test_a_whole_table_is_judged():
    for local, table, outcome in (
        ("GA", rows(A="A", B="B", C="C"), Outcome.ALLOWED),
        ("GA", rows(B="B", C="C"), Outcome.ALLOWED),
        ("GA", rows(A="D", B="B", C="C", D=None), Outcome.ALLOWED),
        ("GA", rows(B="B"), Outcome.NOT_ALLOWED),
        ("GA", rows(B="B", C=None), Outcome.NOT_ALLOWED),
        ("GA", rows(B="C", C="C"), Outcome.NOT_ALLOWED),
        ("GA", rows(B="B", C="C", D="B"), Outcome.NOT_ALLOWED),
        ("GA", [*rows(B="B", C="C"), ("nowhere", None)], Outcome.NOT_ALLOWED),
        ("GA", [*rows(B="B", C="C"), *rows(B="C")], Outcome.BY_REGISTER),
        ("GA", [], Outcome.NOT_ALLOWED),
        ("RA", [], Outcome.ALLOWED),
        ("RA", rows(B="B", C="C"), Outcome.BY_REGISTER),
        ("RA", rows(B="C", C="C"), Outcome.NOT_ALLOWED),
        ("client", rows(B="B"), Outcome.NOT_ALLOWED),
    ):
        result = judge_routing_table(initialize(DirectoryView(DIRECTORY), IDS[local]), table)
        assert result.outcome is outcome, result.explanation


def test_rows_allowed_one_by_one_are_refused_where_no_tree_has_them_all():
    diamond: Directory = directory_from_document(
        {
            "enterprise": {"name": "E"},
            "sites": [{"name": site, "site_gates": [f"G{site}"]} for site in "ABCDE"],
            "routing_links": [
                {"site1": pair[0], "site2": pair[1], "cost": 1} for pair in ("AB", "AC", "BD", "CD", "DE")
            ],
            "queue_managers": [{"name": f"G{site}", "sites": [site], "routing_server": True} for site in "ABCDE"],
        }
    )
    state = initialize(DirectoryView(diamond), diamond.queue_managers[0].identifier)
    sites = {one.name: one.identifier for one in diamond.sites}

    def table(**hops: str) -> list[tuple[str, str | None]]:
        return [(sites[site], sites[hop]) for site, hop in hops.items()]

    of_no_tree = judge_routing_table(state, table(B="B", C="C", D="B", E="C"))
    assert of_no_tree.outcome is Outcome.NOT_ALLOWED
    wrong = judge_routing_table(state, table(B="B", C="C", D="D", E="C"))
    assert wrong.outcome is Outcome.NOT_ALLOWED
    assert judge_routing_table(state, table(B="B", C="C", D="C", E="C")).outcome is Outcome.ALLOWED


def test_many_parallel_links_open_no_way_that_is_dearer_whichever_of_them_count():
    pairs = [(one, other) for one in "DEFG" for other in "DEFG" if one < other] + [("A", "D")]
    parallel = [{"site1": one, "site2": other, "cost": cost} for one, other in pairs for cost in (2, 5)]
    plain = [{"site1": pair[0], "site2": pair[1], "cost": 1} for pair in ("AB", "BC", "GC")]
    directory = directory_from_document(
        {
            "enterprise": {"name": "E"},
            "sites": [{"name": site, "site_gates": [f"G{site}"]} for site in "ABCDEFG"],
            "routing_links": [*plain, *parallel],
            "queue_managers": [{"name": f"G{site}", "sites": [site], "routing_server": True} for site in "ABCDEFG"],
        }
    )
    ids = {one.name: one.identifier for one in directory.queue_managers}
    decision = decide_next_hops(initialize(DirectoryView(directory), ids["GA"]), ids["GC"])
    assert judge_next_hops(decision, [ids["GB"]]).outcome is Outcome.ALLOWED
    assert judge_next_hops(decision, [ids["GD"]]).outcome is Outcome.NOT_ALLOWED
    near = decide_next_hops(initialize(DirectoryView(directory), ids["GD"]), ids["GG"])
    assert judge_next_hops(near, [ids["GG"]]).outcome is Outcome.ALLOWED
    assert readings.SOME_COMBINATION in judge_next_hops(near, [ids["GE"]]).readings
    assert judge_next_hops(near, [ids["GB"]]).outcome is Outcome.NOT_ALLOWED
