"""The concrete router against the set-valued model: each policy stays inside the set, all together fill it."""

from collections.abc import Callable
from random import Random
from typing import Any
from zlib import crc32

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconform.reference.directory import DirectoryView, QueueManagerId, directory_from_document
from mqconform.reference.errors import ModelError
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import decide_next_hops
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reference.mqbr.router import ReferenceRouter, RoutingAttemptFails, first, last, seeded
from mqconform.reference.mqbr.table_check import judge_routing_table

Document = dict[str, Any]


def guid(kind: int, number: int) -> str:
    return f"00000000-0000-4000-{kind:04x}-{number:012x}"


Question = tuple[Document, str, str]


def questions(sites: int = 4, machines: int = 7) -> st.SearchStrategy[Question]:
    """Enterprises with a source and a destination; from seeds, as Hypothesis' own draws prefer trivial enterprises."""
    return st.integers(0, 2**40).map(lambda seed: question(Random(crc32(b"%d" % seed)), sites, machines))


def question(rnd: Random, sites: int, machines: int) -> Question:
    document = enterprise(rnd, sites, machines)
    source, *others = rnd.sample(document["queue_managers"], len(document["queue_managers"]))
    elsewhere = [one for one in others if not set(one["sites"]) & set(source["sites"])]
    return document, source["id"], rnd.choice([*elsewhere * 3, source, *others])["id"]


def enterprise(rnd: Random, sites: int, machines: int) -> Document:
    """A small enterprise, mostly sound: gates outside their site, misplaced servers and costs of zero are rarer."""
    site_ids = [guid(2, n) for n in range(rnd.randint(min(2, sites), sites))]
    ids = [guid(3, n) for n in range(rnd.randint(max(2, len(site_ids)), machines))]
    homes = {one: {site_ids[n % len(site_ids)]} for n, one in enumerate(ids)}
    for one in ids:
        homes[one] |= {site for site in site_ids if rnd.random() < 0.12}

    def gates_of(site: str) -> list[str]:
        return [one for one in ids if rnd.random() < (0.7 if site in homes[one] else 0.03)]

    def servers(site: str, odds: float) -> list[str]:
        return (
            [one for one in ids if rnd.random() < (0.4 if site in homes[one] else 0.05)] if rnd.random() < odds else []
        )

    ends = [(a, b) for a in range(len(site_ids)) for b in range(a + 1)]
    links = [rnd.sample(ends[rnd.randrange(len(ends))], 2) for _ in range(rnd.randint(0, len(site_ids) + 2))]
    sited = {site: gates_of(site) for site in site_ids}
    gates = {gate for found in sited.values() for gate in found}
    return {
        "enterprise": {"id": guid(1, 0)},
        "sites": [{"id": site, "site_gates": found} for site, found in sited.items()],
        "routing_links": [
            {"id": guid(4, n), "site1": guid(2, a), "site2": guid(2, b), "cost": rnd.choice([0, 1, 1, 1, 2, 2, 3, 3])}
            for n, (a, b) in enumerate(links)
        ],
        "queue_managers": [
            {
                "id": one,
                "sites": sorted(homes[one]) if rnd.random() < 0.97 else [],
                "routing_server": rnd.random() < (0.9 if one in gates else 0.3),
                "in_routing_servers": servers(min(homes[one]), 0.15),
                "out_routing_servers": servers(min(homes[one]), 0.15),
            }
            for one in ids
        ],
    }


def router(document: Document, local: str, policy: Callable[[str, int], int] = first) -> ReferenceRouter:
    made = ReferenceRouter(policy)
    made.load_directory(document)
    made.initialize(local)
    return made


def answer(made: ReferenceRouter, destination: str) -> tuple[str, ...]:
    try:
        return tuple(made.get_next_hops(made.local or "", destination))
    except RoutingAttemptFails:
        return ()


@given(questions(), st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_every_answer_of_every_policy_is_allowed_or_undecided(asked: Question, seed: int):
    document, local, _ = asked
    machines = [one["id"] for one in document["queue_managers"]]
    state = initialize(DirectoryView(directory_from_document(document)), QueueManagerId(local))
    decisions = {one: decide_next_hops(state, QueueManagerId(one)) for one in machines}
    for policy in (first, last, seeded(seed)):
        made = router(document, local, policy)
        for destination, decision in decisions.items():
            judgement = judge_next_hops(decision, answer(made, destination) or None)
            assert judgement.outcome is not Outcome.NOT_ALLOWED, judgement.explanation
            assert judgement.matches, judgement.explanation
        rows = [(row["destination_site"], row["next_hop_site"]) for row in made.routing_table()]
        assert judge_routing_table(state, rows).judgement.matches


def test_misuse_is_refused_by_a_model_error():
    misuses: list[Callable[[ReferenceRouter], None]] = [
        lambda made: made.fail_directory("User", "begin"),
        lambda made: made.fail_directory("Site", "middle"),
        lambda made: made.advance_clock(1),
        lambda made: made.load_directory([]),
        lambda made: made.change_directory({"sites": 3}),
    ]
    for misuse in misuses:
        with pytest.raises(ModelError):
            misuse(ReferenceRouter())
