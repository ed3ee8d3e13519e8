"""Routes: what a message may pass on its way, each allowed next hop asked for its own next hops in turn.

Every queue manager on the way is asked as the specification has it: with a routing table of its own, freshly
initialised, and itself as the source (MS-MQBR 3.1.5.1). From hops follow sites, links and costs.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import pairwise, product
from typing import TypeAlias

from mqconform.reference.allowed import Standing
from mqconform.reference.directory import Directory, DirectoryView, QueueManager, QueueManagerId, RoutingLink, SiteId
from mqconform.reference.mqbr.clock import initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops

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


MOST_MACHINES = 200
"""Queue managers that are asked for one message; each gate among them looks at the whole enterprise."""

MOST_PATHS = 50
"""Paths that are listed one by one; equal costs multiply without end."""


class Ending(StrEnum):
    """How a path ends."""

    DELIVERED = "delivered"
    NO_ROUTE = "no-route"
    LOOP = "loop"
    """The message comes back to a queue manager that it has passed."""
    UNEXPLORED = "unexplored"
    """The way on was not looked at; see ``MOST_MACHINES``."""


@dataclass(frozen=True, slots=True)
class Path:
    """One way that a message may take."""

    queue_managers: tuple[QueueManagerId, ...]
    """From the source on; the last one is the destination if the path is delivered."""
    crossings: tuple[Crossing, ...]
    """One for each hop."""
    ending: Ending

    @property
    def sites(self) -> tuple[SiteId, ...]:
        """The sites that it passes, in its order; a stay within a site counts once."""
        sites = [self.crossings[0].from_site] if self.crossings else []
        sites += [crossing.to_site for crossing in self.crossings if not crossing.within_a_site]
        return tuple(site for site in sites if site is not None)

    @property
    def cost(self) -> int | None:
        """Sum of the costs of the routing links used; None where a hop crosses without a link."""
        return total_cost(self.crossings)


@dataclass(frozen=True)
class Routes:
    """All allowed ways from a source to a destination."""

    source: QueueManagerId
    destination: QueueManagerId
    decision: NextHopsDecision
    """What the source may answer with."""
    next_hops: Mapping[QueueManagerId, tuple[QueueManagerId | None, ...]]
    """Allowed next hops of each queue manager that was asked; None among them for no route."""
    crossings: Crossings

    @property
    def complete(self) -> bool:
        """Whether every queue manager on the way was asked."""
        reached = {hop for hops in self.next_hops.values() for hop in hops if hop is not None}
        return reached <= self.next_hops.keys() | {self.destination}

    def hops(self) -> Iterator[tuple[QueueManagerId, QueueManagerId]]:
        """Yield every hop on some way, each once."""
        for machine, following in self.next_hops.items():
            yield from ((machine, hop) for hop in following if hop is not None)

    def paths(self) -> Iterator[Path]:
        """Yield the ways one by one; there may be very many."""
        waiting: list[tuple[QueueManagerId, ...]] = [(self.source,)]
        while waiting:
            passed = waiting.pop()
            here = passed[-1]
            if here == self.destination and (len(passed) > 1 or here not in self.next_hops):
                yield self._path(passed, Ending.DELIVERED)
            elif here in passed[:-1]:
                yield self._path(passed, Ending.LOOP)
            elif here not in self.next_hops:
                yield self._path(passed, Ending.UNEXPLORED)
            else:
                following = self.next_hops[here]
                if None in following:
                    yield self._path(passed, Ending.NO_ROUTE)
                waiting += [(*passed, hop) for hop in reversed(following) if hop is not None]

    def _path(self, passed: tuple[QueueManagerId, ...], ending: Ending) -> Path:
        crossed = tuple(self.crossings.between(*hop) for hop in pairwise(passed))
        return Path(passed, crossed, ending)


def find_routes(
    directory: Directory,
    source: QueueManagerId,
    destination: QueueManagerId,
) -> Routes:
    """Return the ways that a message may take.

    Args:
        directory: the enterprise.
        source: where the message is; it may be unknown to the directory.
        destination: where it is to go.
    """
    view = DirectoryView(directory)
    first = decide_next_hops(initialize(view, source), destination)
    next_hops = {source: _hops(first)}
    waiting = [hop for hop in next_hops[source] if hop is not None]
    for machine in waiting:
        if machine == destination or machine in next_hops:
            continue
        if len(next_hops) == MOST_MACHINES:
            break
        next_hops[machine] = _hops(decide_next_hops(initialize(view, machine), destination))
        waiting += [hop for hop in next_hops[machine] if hop is not None]
    return Routes(source, destination, first, next_hops, Crossings(directory))


def _hops(decision: NextHopsDecision) -> tuple[QueueManagerId | None, ...]:
    """Return the next hops of all outcomes, each once, those of the best standing first."""
    outcomes = [allowed.outcome or (None,) for allowed in decision.allowed if allowed.standing < Standing.REFUSED]
    return tuple(dict.fromkeys(hop for outcome in outcomes for hop in outcome))
