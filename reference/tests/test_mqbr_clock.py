"""The routing table under the virtual clock (MS-MQBR 3.1.6.1) with the tolerance of BR-17 and BR-46 to BR-49."""

from typing import Any

import pytest

from mqconform.reference.directory import Directory, DirectoryView, ReadEvent, directory_from_document
from mqconform.reference.mqbr.clock import (
    ClockRunsBackwards,
    RouterState,
    advance_clock,
    change_directory,
    fail_directory,
    initialize,
)
from mqconform.reference.mqbr.decision import decide_next_hops
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops

BASE: dict[str, Any] = {
    "enterprise": {"name": "E"},
    "sites": [{"name": site, "site_gates": [f"G{site}"]} for site in "ABC"],
    "routing_links": [
        {"site1": "A", "site2": "B", "cost": 1},
        {"site1": "B", "site2": "C", "cost": 1},
        {"site1": "A", "site2": "C", "cost": 3},
    ],
    "queue_managers": [{"name": f"G{site}", "sites": [site], "routing_server": True} for site in "ABC"]
    + [{"name": "HB", "sites": ["B"], "routing_server": True}],
}


def directory(**changed: Any) -> Directory:
    return directory_from_document(BASE | changed)


def cheap(cost: int) -> Directory:
    """The enterprise with another cost of A-C: from 3 the way from A to C leads over B, below 2 directly."""
    return directory(routing_links=[*BASE["routing_links"][:2], {"site1": "A", "site2": "C", "cost": cost}])


IDS = {one.name: one.identifier for one in directory().queue_managers}
START = initialize(DirectoryView(directory()), IDS["GA"])


def outcome(state: RouterState, *answer: str, destination: str = "GC") -> tuple[Outcome, set[str]]:
    decision = decide_next_hops(state, IDS[destination])
    judgement = judge_next_hops(decision, [IDS[hop] for hop in answer] or None)
    return judgement.outcome, {str(reading) for reading in judgement.readings}


def test_once_the_timer_has_fired_only_the_new_table_will_do():
    """The timer is a SHOULD: what the initial table gives is refused, by a reading for lenient profiles (BR-48)."""
    refreshed = advance_clock(change_directory(START, cheap(1)), 3_600)
    assert outcome(refreshed, "GC") == (Outcome.ALLOWED, {"BR-48/periodic-refresh"})
    assert outcome(refreshed, "GB") == (Outcome.NOT_ALLOWED, {"BR-48/never-refreshed"})


def test_a_table_of_no_refresh_that_could_have_been_is_not_allowed():
    """Between initialisation and the second refresh the direct way was cheapest, and only the third saw it so."""
    twice = advance_clock(advance_clock(START, 3_600), 3_600)
    third = advance_clock(change_directory(twice, cheap(1)), 3_600)
    fourth = advance_clock(change_directory(third, cheap(9)), 3_700)
    assert outcome(third, "GC")[0] is Outcome.ALLOWED
    assert outcome(fourth, "GC")[0] is Outcome.NOT_ALLOWED


def test_a_copy_of_sites_and_queue_managers_lasts_until_the_next_refresh():
    sites = [site | ({"site_gates": ["HB"]} if site["name"] == "B" else {}) for site in BASE["sites"]]
    gated = advance_clock(change_directory(START, directory(sites=sites)), 100)
    assert outcome(gated, "HB")[0] is Outcome.ALLOWED
    assert outcome(gated, "GB") == (Outcome.BY_REGISTER, {"BR-49/copy-of-the-last-refresh"})


def test_time_does_not_run_backwards():
    for seconds in (-1, float("nan"), float("-inf")):
        with pytest.raises(ClockRunsBackwards):
            advance_clock(START, seconds)


def test_no_route_stays_explained_while_the_table_of_the_outage_may_be_in_use():
    failed = advance_clock(fail_directory(START, "RoutingLink", ReadEvent.NEXT), 3_600)
    healed = fail_directory(failed, "RoutingLink", None)
    assert outcome(healed)[0] is Outcome.ALLOWED
    assert outcome(healed, "GB")[0] is Outcome.BY_REGISTER


@pytest.mark.parametrize("at", [ReadEvent.BEGIN, ReadEvent.NEXT])
@pytest.mark.parametrize("object_type", ["QueueManager", "Site"])
def test_look_ups_that_fail_leave_no_route_but_for_a_copy_of_the_last_refresh(object_type: str, at: ReadEvent):
    failed = fail_directory(START, object_type, at)
    assert outcome(failed)[0] in {Outcome.ALLOWED, Outcome.BY_REGISTER}
    copied, resting = outcome(failed, "GB")
    assert copied is Outcome.BY_REGISTER
    copies = {"BR-49/copy-of-the-last-refresh", "BR-47/old-table-until-the-timer"}
    assert resting <= {*copies, "BR-18/bad-object-skipped"}
    skipped = Outcome.BY_REGISTER if at is ReadEvent.NEXT else Outcome.NOT_ALLOWED
    assert outcome(advance_clock(failed, 7_300), "GB")[0] is skipped
    assert outcome(fail_directory(failed, object_type, None), "GB")[0] is Outcome.ALLOWED


def test_a_failing_end_changes_nothing():
    failed = fail_directory(START, "QueueManager", ReadEvent.END)
    assert outcome(failed, "GB")[0] is Outcome.ALLOWED
