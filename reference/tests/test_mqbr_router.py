"""The concrete router against the set-valued model: each policy stays inside the set."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_mqbr_bulk import odd

from mqconform.reference.directory import (
    DirectoryView,
    QueueManagerId,
    directory_from_document,
    document_from_directory,
)
from mqconform.reference.errors import ModelError
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import decide_next_hops
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reference.mqbr.router import ReferenceRouter, RoutingAttemptFails, first, last, seeded
from mqconform.reference.mqbr.table_check import judge_routing_table

Document = dict[str, Any]


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


@given(st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_every_answer_of_every_policy_is_allowed_or_undecided(seed: int):
    document = document_from_directory(odd(seed))
    machines = [one["id"] for one in document["queue_managers"]]
    local = machines[seed % len(machines)]
    state = initialize(DirectoryView(directory_from_document(document)), QueueManagerId(local))
    decisions = {one: decide_next_hops(state, QueueManagerId(one)) for one in machines}
    for policy in (first, last, seeded(seed)):
        made = router(document, local, policy)
        for destination, decision in decisions.items():
            judgement = judge_next_hops(decision, answer(made, destination) or None)
            assert judgement.outcome is not Outcome.NOT_ALLOWED, judgement.explanation
            assert judgement.matches, judgement.explanation
        rows = [(row["destination_site"], row["next_hop_site"]) for row in made.routing_table()]
        assert judge_routing_table(state, rows).matches


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
