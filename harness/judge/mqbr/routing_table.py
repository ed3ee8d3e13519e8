"""The routing table of a site gate (MS-MQBR 3.1.1.2, 3.1.3.1): initialisation, and the rows that a router shows.

Rows of the router's own sites do not count.
"""

from collections import Counter
from collections.abc import Callable, Sequence

from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqbr.named_enterprise import SITE, guid_of
from mqconform.harness.judge.mqbr.next_hops import Naming, weigh
from mqconform.harness.judge.mqbr.routing_scene import RoutingScene
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import then, when
from mqconform.reference.mqbr.clock import RouterState
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.table_check import judge_routing_table

Row = tuple[str, str | None]
"""Destination site and next-hop site, None where the row has no next hop."""
TableCheck = Callable[[Judge, RouterState, Sequence[Row], Naming], Judgement]


@when(r"(?P<source>\w+) starts")
def router_starts(routing: RoutingScene, source: str) -> None:
    routing.start(source)


@then("the routing table has the rows")
def table_has_rows(routing: RoutingScene, datatable: list[list[str]]) -> None:
    """Judge the next hops of an exposed table; the rows are the feature's own and the model has to agree."""
    rows = [(guid_of(SITE, destination), guid_of(SITE, hop)) for destination, hop in datatable[1:]]
    _require_agreement(routing, rows)
    judge_table(routing, rows_come_from_a_tree)


@then("the routing table is empty")
def table_is_empty(routing: RoutingScene) -> None:
    _require_agreement(routing, [])
    judge_table(routing, rows_come_from_a_tree)


def rows_come_from_a_tree(judge: Judge, state: RouterState, rows: Sequence[Row], naming: Naming) -> Judgement:
    """Judge the next hops: one least-cost spanning tree has to explain all rows (3.1.3.1)."""
    model = judge_routing_table(state, rows)
    expected = "the rows of one least-cost spanning tree"
    return weigh(judge, model, expected, f"{rows_text(rows, naming)} ({naming(model.explanation)})")


@then("each site has a row")
def table_is_complete(routing: RoutingScene) -> None:
    judge_table(routing, each_site_has_a_row)


def each_site_has_a_row(judge: Judge, state: RouterState, rows: Sequence[Row], naming: Naming) -> Judgement:
    """Judge that no site of the enterprise lacks a row (3.1.3.1); its own, and one out of reach, may (BR-36, BR-37)."""
    sites = {site.identifier for site in state.view.directory.sites}
    machines = state.view.directory.queue_managers_by_identifier.get(state.local, ())
    own = sites & {site for machine in machines for site in machine.site_identifier_list}
    missing = sites - {destination for destination, _ in rows}
    reachable = {site for _, tables in state.tables() for paths in tables.least_costs() for site in paths.costs}
    due = [site.identifier for site in state.view.directory.sites if site.identifier in reachable - own]
    expected, observed = f"a row for each of {naming(', '.join(due))}", rows_text(rows, naming)
    if missing.intersection(due):
        return judge.says(False, expected, observed)
    # Each site has a row, by the text the own one too, whose next hop is not defined (3.1.3.1; BR-37).
    own_row = "own-site-row-absent" if own & missing else "own-site-row-present"
    readings = {("BR-37", own_row)} | {
        ("BR-36", "row-absent" if site in missing else "row-without-next-hop") for site in sites - reachable - own
    }
    return max(
        (judge.reading(*reading, expected, observed) for reading in sorted(readings)),
        key=lambda judgement: judgement.verdict,
    )


@then("each row names its site")
def destinations_are_sites(routing: RoutingScene) -> None:
    judge_table(routing, rows_name_sites)


def rows_name_sites(judge: Judge, state: RouterState, rows: Sequence[Row], naming: Naming) -> Judgement:
    """Judge that each row names a site of the enterprise as destination, and none twice (3.1.1.2, 3.1.3.1)."""
    sites = {site.identifier for site in state.view.directory.sites}
    counted = Counter(destination for destination, _ in rows)
    strays = sorted(set(counted) - sites)
    twice = sorted(site for site, times in counted.items() if times > 1)
    expected = "one row at most for each site of the enterprise, and no other row"
    if not rows:
        return judge.says(False, expected, "an empty table")
    return judge.says(not strays and not twice, expected, rows_text(rows, naming))


def judge_table(routing: RoutingScene, check: TableCheck) -> None:
    """Judge one thing about the table that the router shows."""
    shown = routing.run.iut.call("router.routing_table", {})["rows"]
    rows = [(row["destination_site"].lower(), (row["next_hop_site"] or "").lower() or None) for row in shown]
    routing.witness(check(routing.judge, routing.started, rows, routing.naming))


def _require_agreement(routing: RoutingScene, rows: Sequence[Row]) -> None:
    model = judge_routing_table(routing.started, rows)
    disagreement = f"the feature disagrees with the model: {routing.naming(model.explanation)}"
    assert model.outcome is Outcome.ALLOWED, disagreement


def rows_text(rows: Sequence[Row], naming: Naming) -> str:
    """Return the rows in words, by name."""
    return naming("; ".join(f"{destination} by {hop or 'Nothing'}" for destination, hop in rows)) or "an empty table"
