"""Judgements on an exposed routing table (MS-MQBR 3.1.1.2, 3.1.3.1); rows of the router's own sites do not count."""

from collections import Counter
from collections.abc import Callable, Sequence

from mqconform.harness.oracle.judge import Judge
from mqconform.harness.oracle.mqbr_next_hops import Naming, weigh
from mqconform.harness.witness import Judgement
from mqconform.reference.mqbr.clock import RouterState
from mqconform.reference.mqbr.table_check import judge_routing_table

Row = tuple[str, str]
"""Destination site and next-hop site."""
TableCheck = Callable[[Judge, RouterState, Sequence[Row], Naming], Judgement]


def rows_come_from_a_tree(judge: Judge, state: RouterState, rows: Sequence[Row], naming: Naming) -> Judgement:
    """Judge the next hops: one least-cost spanning tree has to explain all rows (3.1.3.1)."""
    model = judge_routing_table(state, rows).judgement
    expected = "rows that one least-cost spanning tree gives"
    return weigh(judge, model, expected, f"{rows_text(rows, naming)} ({naming(model.explanation)})")


def each_site_has_a_row(judge: Judge, state: RouterState, rows: Sequence[Row], naming: Naming) -> Judgement:
    """Judge that no site of the enterprise lacks a row (3.1.3.1)."""
    own = _own_sites(state)
    wanted = [site.identifier for site in state.view.directory.sites if site.identifier not in own]
    missing = set(wanted) - {destination for destination, _ in rows}
    expected = f"a row for each of {naming(', '.join(wanted))}"
    return judge.says(not missing, expected, rows_text(rows, naming))


def rows_name_sites(judge: Judge, state: RouterState, rows: Sequence[Row], naming: Naming) -> Judgement:
    """Judge that each row names a site of the enterprise as destination, and none twice (3.1.1.2, 3.1.3.1)."""
    known = {site.identifier for site in state.view.directory.sites}
    counted = Counter(destination for destination, _ in rows)
    strays = sorted(set(counted) - known)
    twice = sorted(site for site, times in counted.items() if times > 1)
    expected = "rows whose destinations are sites of the enterprise, each once"
    if not rows:
        return judge.says(False, expected, "an empty table")
    return judge.says(not strays and not twice, expected, rows_text(rows, naming))


def rows_text(rows: Sequence[Row], naming: Naming) -> str:
    """Return the rows in words, by name."""
    return naming("; ".join(f"{destination} by {hop}" for destination, hop in rows)) or "an empty table"


def _own_sites(state: RouterState) -> frozenset[str]:
    machines = state.view.directory.queue_managers_by_identifier.get(state.local, ())
    return frozenset(site for one in machines for site in one.site_identifier_list)
