"""Thens of the router features: what the next hops are, by the feature's own words and by the model.

The words are checked against the model first. Where they disagree one of the two is wrong, and neither is the
implementation's fault.
"""

import re

from pytest_bdd import parsers, then

from mqconform.harness.mqbr.enterprise import SITE, guid_of
from mqconform.harness.mqbr.gherkin import named
from mqconform.harness.oracle import mqbr_refresh as refresh
from mqconform.harness.oracle import mqbr_table as table
from mqconform.harness.oracle.mqbr_next_hops import judge_answer, text_level
from mqconform.harness.steps.routing_scene import RoutingScene, outcome
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.table_check import judge_routing_table

NO_ROUTE: frozenset[str] = frozenset()
_OR = re.compile(r"\s+or\s+")


@then(parsers.re(r"the next hop is (?P<name>\w+)"))
def next_hop_is(routing: RoutingScene, name: str) -> None:
    """Want one hop, and no other."""
    judge_last(routing, frozenset({outcome([name])}))


@then(parsers.re(r"the next hop is one of (?P<names>.+)"))
def next_hop_is_one_of(routing: RoutingScene, names: str) -> None:
    """Want one hop out of several."""
    judge_last(routing, frozenset(outcome([name]) for name in named(names)))


@then(parsers.re(r"the next hops are (?P<names>.+)"))
def next_hops_are(routing: RoutingScene, names: str) -> None:
    """Want a list of several hops."""
    judge_last(routing, frozenset({outcome(named(names))}))


@then("there is no route")
def no_route(routing: RoutingScene) -> None:
    """Want a failed routing attempt, in whichever form it is reported."""
    judge_last(routing, frozenset({NO_ROUTE}))


@then(parsers.re(r"the answer is (?P<outcomes>.+ or .+)"))
def answer_is_either(routing: RoutingScene, outcomes: str) -> None:
    """Want one of several outcomes, ``no route`` among them."""
    wanted = (NO_ROUTE if one == "no route" else outcome(named(one)) for one in _OR.split(outcomes))
    judge_last(routing, frozenset(wanted))


@then("the next hop is one that the algorithm allows")
def next_hop_allowed(routing: RoutingScene) -> None:
    """Judge by the model alone, as the scenarios that a run found do."""
    judge_last(routing, None)


def judge_last(routing: RoutingScene, wanted: frozenset[frozenset[str]] | None) -> None:
    """Judge the last answer; ``wanted`` is what the feature says the text or the register gives."""
    asked = routing.last
    plain, permitted = text_level(asked.decision.allowed)
    told = f"the feature disagrees with the model about {asked.source} to {asked.destination}"
    assert wanted is None or wanted in (plain, permitted), f"{told}: {wanted} against {plain} and at most {permitted}"
    routing.witness(judge_answer(routing.judge, asked.decision, asked.hops, routing.naming))


def exposed(routing: RoutingScene) -> list[tuple[str, str]]:
    """Return the rows of the router's table, GUIDs in lower case."""
    rows = routing.run.iut.call("router.routing_table", {})["rows"]
    return [(row["destination_site"].lower(), row["next_hop_site"].lower()) for row in rows]


def judge_table(routing: RoutingScene, check: table.TableCheck) -> None:
    """Judge one thing about the table that the router shows."""
    routing.witness(check(routing.judge, routing.started, exposed(routing), routing.naming))


@then("the routing table has the rows")
def table_has_rows(routing: RoutingScene, datatable: list[list[str]]) -> None:
    """Judge the next hops of an exposed table; the rows are the feature's own and the model has to agree."""
    rows = [(guid_of(SITE, destination), guid_of(SITE, hop)) for destination, hop in datatable[1:]]
    agreed = judge_routing_table(routing.started, rows).judgement
    assert agreed.outcome is Outcome.ALLOWED, (
        f"the feature disagrees with the model: {routing.naming(agreed.explanation)}"
    )
    judge_table(routing, table.rows_come_from_a_tree)


@then("the routing table is empty")
def table_is_empty(routing: RoutingScene) -> None:
    """Judge that an exposed table has no row."""
    agreed = judge_routing_table(routing.started, []).judgement
    assert agreed.outcome is Outcome.ALLOWED, (
        f"the feature disagrees with the model: {routing.naming(agreed.explanation)}"
    )
    judge_table(routing, table.rows_come_from_a_tree)


@then("each site has a row")
def table_is_complete(routing: RoutingScene) -> None:
    """Judge that no site is missing from an exposed table."""
    judge_table(routing, table.each_site_has_a_row)


@then("each row names its site")
def rows_name_sites(routing: RoutingScene) -> None:
    """Judge the destinations of an exposed table."""
    judge_table(routing, table.rows_name_sites)


@then("a timer keeps the table up to date")
def timer_is_kept(routing: RoutingScene) -> None:
    """Judge from a series of answers that there is a timer."""
    routing.witness(refresh.timer_is_kept(routing.judge, routing.series))


@then("the timer is set to 3600 seconds")
def timer_is_set(routing: RoutingScene) -> None:
    """Judge from a series of answers how long the timer runs."""
    routing.witness(refresh.timer_is_set(routing.judge, routing.series))


@then("the table stands until the timer fires")
def table_stands(routing: RoutingScene) -> None:
    """Judge from a series of answers how long the table stands."""
    routing.witness(refresh.table_stands(routing.judge, routing.series))


@then("the table is built anew whenever the timer fires")
def table_is_rebuilt(routing: RoutingScene) -> None:
    """Judge from a series of answers that the timer's expiry renews the table."""
    routing.witness(refresh.table_is_rebuilt(routing.judge, routing.series))
