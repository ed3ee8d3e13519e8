"""The search through the rows of the routing table for a destination's sites (the loop of MS-MQBR 3.1.5.3)."""

from collections.abc import Collection, Iterable

from mqconform.reference.allowed import Allowed, choice, one_of, settled
from mqconform.reference.directory.elements import SiteId
from mqconform.reference.mqbr import readings
from mqconform.reference.mqbr.least_cost import LeastCosts
from mqconform.reference.mqbr.lookups import step
from mqconform.reference.mqbr.routing_table import RoutingTables

_ROW = step(
    "GetNextHopsForSiteGate", "3.1.5.3", "a row for a site of the destination gives the next site", "B07", "B08"
)
_NO_ROW = step("GetNextHopsForSiteGate", "3.1.5.3", "no row for a site of the destination", "B07")
_NOTHING = step("GetNextHopsForSiteGate", "3.1.5.3", "the row that stands has no next hop", "B07", "B08")


def find_next_site(tables: RoutingTables, destinations: Collection[SiteId]) -> Allowed[SiteId | None]:
    """Return the next site that the last matching row gives, None where no row does (MS-MQBR 3.1.5.3).

    Args:
        tables: the tables that the source may have.
        destinations: SiteIdentifierList of the destination, which shares no site with the source.
    """
    nothing: Allowed[SiteId | None] = settled(None, tables.step, _NO_ROW)
    if not tables.may_be_filled:
        return nothing
    matching = sorted({site for site in destinations if site in tables.sites}, key=tables.sites.__getitem__)
    found = tables.over_trees(lambda paths: last_matching_row(paths, matching)).after(tables.step)
    if tables.empty:
        return choice([(readings.TABLE_EMPTY, nothing), (readings.TABLE_FILLED, found)])
    return found


def last_matching_row(paths: LeastCosts, matching: Iterable[SiteId]) -> Allowed[SiteId | None]:
    """Return the next sites that the row standing last may give.

    Args:
        paths: least-cost paths from the root.
        matching: sites of the destination in the order of the directory, which need not be that of the rows (BR-45).
    """
    sites = tuple(matching)
    rows = tuple(site for site in sites if site != paths.root)
    reachable = tuple(site for site in rows if site in paths.costs)
    found = _standing_last(paths, reachable)
    if reachable and len(reachable) < len(rows):
        with_nothing = _standing_last(paths, rows)
        found = choice([(readings.ROW_ABSENT, found), (readings.ROW_WITHOUT_NEXT_HOP, with_nothing)])
    return found.doubting("BR-37") if len(rows) < len(sites) else found


def _standing_last(paths: LeastCosts, rows: tuple[SiteId, ...]) -> Allowed[SiteId | None]:
    if not rows:
        return settled(None, _NO_ROW)
    last = len(rows) - 1
    return choice(
        (readings.LAST_ROW if place == last else readings.ANOTHER_ROW, _row(paths, site))
        for place, site in enumerate(rows)
    )


def _row(paths: LeastCosts, site: SiteId) -> Allowed[SiteId | None]:
    if site not in paths.costs:
        return settled(None, _NOTHING)
    return one_of(sorted(paths.first_hops[site]), readings.ANY_LEAST_COST_PATH, _ROW)
