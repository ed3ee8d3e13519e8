"""Judging a whole routing table (MS-MQBR 3.1.1.2, 3.1.3.1): does one least-cost spanning tree explain all its rows?

Each row may be allowed by itself and the table still be impossible, because all rows come from the same tree. The
question is decided in linear time: the sites whose rows name the hop y are explained exactly if each can be reached
from y along edges of least-cost paths without leaving them. Growing those groups from the root's neighbours either
covers every reachable site, and is then the tree, or stops short of a site that no tree with these rows can hold.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias

from mqconform.reference.allowed import Allowed, any_of, choice, settled
from mqconform.reference.directory.elements import SiteId
from mqconform.reference.mqbr import readings
from mqconform.reference.mqbr.clock import RouterState
from mqconform.reference.mqbr.graph import LeastCosts, PossibleCosts
from mqconform.reference.mqbr.judgement import Judgement, judged
from mqconform.reference.mqbr.routing_table import RoutingTables

Rows: TypeAlias = Mapping[SiteId, SiteId | None]
"""Next hop by destination; None where the row has none."""

EXPLAINED = ""


def judge_routing_table(state: RouterState, rows: Iterable[tuple[str, str | None]]) -> Judgement[str]:
    """Return what the model says about a routing table that an implementation exposes.

    Args:
        state: the queue manager whose table it is, with what it may know.
        rows: pairs of destination site and next-hop site, in either case and in their order. The row of the own
            site is not looked at (BR-37); of several rows for one destination the last counts, or the first.
    """
    ordered = [(SiteId(site.lower()), SiteId(hop.lower()) if hop is not None else None) for site, hop in rows]
    last, first = dict(ordered), dict(reversed(ordered))
    versions = tuple(state.tables())
    complaints = choice((reading, complaint_about(tables, last)) for reading, tables in versions)
    if first != last:
        of_first = choice((reading, complaint_about(tables, first)) for reading, tables in versions)
        complaints = any_of([complaints, of_first]).under(readings.ALTERNATE_ROUTES)
    by_itself = all(any(_row_allowed(tables, site, hop) for _, tables in versions) for site, hop in last.items())
    if by_itself and any(len(tables.roots) > 1 for _, tables in versions):
        mixed = settled(EXPLAINED, versions[0][1].step, readings=[readings.ROWS_OF_SEVERAL_ROOTS])
        complaints = any_of([complaints, mixed])
    matches = [alternative for alternative in complaints.alternatives if alternative.outcome == EXPLAINED]
    wrong = min(
        complaints.alternatives, key=lambda alternative: (alternative.outcome == EXPLAINED, alternative.standing)
    ).outcome
    return judged(matches, "the routing table", f"{wrong}.")


def complaint_about(tables: RoutingTables, rows: Rows) -> Allowed[str]:
    """Return what is wrong with the rows under each reading, ``EXPLAINED`` where nothing is."""
    # A row of the own site says nothing of the rest (BR-37).
    foreign = [site for site in rows if site not in tables.roots]
    complaint = f"the table must be empty but has a row for {foreign[0]}" if foreign else EXPLAINED
    empty = settled(complaint, tables.step)
    if not tables.may_be_filled:
        return empty
    filled = tables.over_trees(lambda paths: settled(_complaint(tables.sites, paths, rows), tables.step))
    return choice([(readings.TABLE_EMPTY, empty), (readings.TABLE_FILLED, filled)]) if tables.empty else filled


def unexplained_site(paths: LeastCosts, rows: Rows) -> SiteId | None:
    """Return a reachable site that no least-cost spanning tree with these rows holds, None if one tree has them all.

    Args:
        paths: least-cost paths from the root.
        rows: a row for each reachable site but the root; more do not matter.
    """
    reached = {
        site
        for site, weight in paths.graph.get(paths.root, {}).items()
        if rows.get(site) == site and paths.costs[site] == weight
    }
    frontier = list(reached)
    while frontier:
        site = frontier.pop()
        fresh = [
            neighbour
            for neighbour in paths.tight(site)
            if neighbour not in reached and rows.get(neighbour) == rows[site]
        ]
        reached.update(fresh)
        frontier += fresh
    return next((site for site in paths.costs if site != paths.root and site not in reached), None)


def _complaint(sites: Collection[SiteId], paths: LeastCosts, rows: Rows) -> str:
    """Return what keeps the rows from coming from a tree of these paths, ``EXPLAINED`` where one has them all."""
    all_sites = paths.costs.keys() | set(sites)
    for site, hop in rows.items():
        if site not in all_sites:
            return f"the row for {site} is for no site of the enterprise"
        if hop is not None and site not in paths.costs:
            return f"the row for {site} has a next hop to a site that cannot be reached"
    reachable = [site for site in paths.costs if site != paths.root]
    missing = [site for site in reachable if rows.get(site) is None]
    if missing and missing[0] in sites:
        return f"no row gives a next hop to {missing[0]}"
    by_rows = bool(missing) or isinstance(paths, PossibleCosts)
    wrong = _first_wrong_row(paths, rows) if by_rows else unexplained_site(paths, rows)
    return EXPLAINED if wrong is None else f"no least-cost spanning tree gives these rows: see that for {wrong}"


def _first_wrong_row(paths: LeastCosts, rows: Rows) -> SiteId | None:
    """Return a destination whose row no tree allows by itself.

    That has to do where no graph stands for all choices among parallel links (BR-41), and where stray links make
    vertices of sites that the enterprise does not have (BR-42): those need no row, so that nothing says which tree
    the rows would come from.
    """
    reachable = (site for site in paths.costs if site != paths.root and site in rows)
    return next((site for site in reachable if rows[site] not in paths.first_hops[site]), None)


def _row_allowed(tables: RoutingTables, site: SiteId, hop: SiteId | None) -> bool:
    if not tables.may_be_filled:
        return site in tables.roots
    return any(
        site == paths.root
        or (hop is None and site not in paths.costs and site in tables.sites)
        or hop in paths.first_hops.get(site, ())
        for paths in tables.least_costs()
    )
