"""The ways behind a gate's decision, for showing: root, first hop, cost and one path for each (MS-MQBR 3.1.3.1)."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from mqconform.reference.directory.elements import SiteId
from mqconform.reference.mqbr.routing_table import RoutingTables


@dataclass(frozen=True, slots=True)
class Route:
    """One least-cost way from the root of a routing table to a site of the destination."""

    cost: int
    """Sum of the costs of its links."""
    path: tuple[SiteId, ...]
    """The sites on it, root and destination included; others of the same cost and first hop may exist."""

    @property
    def first_hop(self) -> SiteId:
        """The site after the root, which is the next hop of the row."""
        return self.path[1]


def least_cost_routes(tables: RoutingTables, destinations: Collection[SiteId]) -> Iterator[Route]:
    """Yield one route for each root, each site of a destination, and each first hop that a spanning tree can give.

    Ambiguous links are taken by the text: at their own cost, without penalty, stray ones not at all, and of parallel
    ones the cheapest.

    Args:
        tables: the tables of the gate; none that may be filled gives no route.
        destinations: SiteIdentifierList of the destination.
    """
    if not tables.may_be_filled:
        return
    for paths in tables.literal_least_costs():
        for site in destinations:
            for hop in sorted(paths.first_hops.get(site, ())):
                path = paths.path(site, hop)
                if path is not None:
                    yield Route(paths.costs[site], path)
