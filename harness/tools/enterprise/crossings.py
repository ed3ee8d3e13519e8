"""From hops between queue managers to the sites and routing links that they use, and what those cost."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import TypeAlias

from mqconform.reference.directory import Directory, QueueManager, QueueManagerId, RoutingLink, SiteId

SitePair: TypeAlias = tuple[SiteId, SiteId]


@dataclass(frozen=True, slots=True)
class Crossing:
    """One hop of a message, as the sites see it."""

    from_site: SiteId | None
    """None where the sender is in no site."""
    to_site: SiteId | None
    link: RoutingLink | None
    """The cheapest routing link between the two sites; None within a site and where none joins them."""

    @property
    def within_a_site(self) -> bool:
        """Whether the message stays in its site."""
        return self.from_site is not None and self.from_site == self.to_site

    @property
    def cost(self) -> int | None:
        """Cost of the hop; 0 within a site, None where it crosses without a link."""
        if self.within_a_site:
            return 0
        return self.link.actual_cost if self.link else None


@dataclass(frozen=True)
class Crossings:
    """The hops of one directory."""

    directory: Directory

    def between(self, source: QueueManagerId, destination: QueueManagerId) -> Crossing:
        """Return how a message crosses from one queue manager to another."""
        here, there = self._sites(source), self._sites(destination)
        common = next((site for site in here if site in there), None)
        if common is not None:
            return Crossing(common, common, None)
        linked = [(pair, self._cheapest[pair]) for pair in product(here, there) if pair in self._cheapest]
        if linked:
            pair, link = min(linked, key=lambda candidate: candidate[1].actual_cost)
            return Crossing(*pair, link)
        return Crossing(next(iter(here), None), next(iter(there), None), None)

    def _sites(self, identifier: QueueManagerId) -> tuple[SiteId, ...]:
        """Return the sites of a queue manager, those whose gate it is first."""
        queue_managers: tuple[QueueManager, ...] = self.directory.queue_managers_by_identifier.get(identifier, ())
        sites = [site for queue_manager in queue_managers[:1] for site in self.directory.sites_of(queue_manager)]
        ranked = sorted(sites, key=lambda site: identifier not in site.site_gate_collection)
        return tuple(dict.fromkeys(site.identifier for site in ranked))

    @cached_property
    def _cheapest(self) -> Mapping[SitePair, RoutingLink]:
        """The cheapest link of each pair of sites, in both directions."""
        cheapest: dict[SitePair, RoutingLink] = {}
        for link in self.directory.routing_links:
            ends = (link.site1_identifier, link.site2_identifier)
            for pair in (ends, ends[::-1]):
                if pair not in cheapest or link.actual_cost < cheapest[pair].actual_cost:
                    cheapest[pair] = link
        return cheapest


def total_cost(crossings: Iterable[Crossing]) -> int | None:
    """Return the sum of the costs of several hops, None if one of them has none."""
    costs = [crossing.cost for crossing in crossings]
    stated = [cost for cost in costs if cost is not None]
    return sum(stated) if len(stated) == len(costs) else None
