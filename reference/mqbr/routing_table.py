"""Initialisation of the RoutingTable (MS-MQBR 3.1.1.2, 3.1.3.1), as the set of all tables that it allows.

A table follows from one least-cost spanning tree; this module holds the least-cost paths of all graphs and roots from
which such a tree may be taken. They are computed when first asked for.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import TypeVar

from mqconform.reference.allowed import Allowed, Reading, Step, any_of, choice, vary
from mqconform.reference.directory.elements import QueueManagerId, RoutingLink, Site, SiteId
from mqconform.reference.directory.reading import DirectoryView
from mqconform.reference.mqbr import readings
from mqconform.reference.mqbr.graph import EnterpriseGraphs, LeastCosts, PossibleCosts
from mqconform.reference.mqbr.lookups import get_directory_data, get_queue_manager, is_site_gate

T = TypeVar("T")


def _step(note: str, *branches: str) -> Step:
    return Step("RoutingTable Initialization", "3.1.3.1", tuple(f"MQBR-3.1.3.1-{branch}" for branch in branches), note)


NO_GATE = _step("the queue manager is not a site gate: the table is empty", "01")
NO_SITES = _step("no site could be read: the table is empty", "02", "04")
NO_LINKS = _step("no routing link could be read: the table is empty", "03", "05")
FILLED = _step(
    "the table holds the first sites on least-cost paths", "02", "03", "07", "08", "09", "10", "11", "12", "16", "17"
)


@dataclass(frozen=True)
class RoutingTables:
    """All routing tables that one queue manager may have after one initialisation."""

    step: Step
    """How the initialisation went: ``NO_GATE``, ``NO_SITES``, ``NO_LINKS`` or ``FILLED``."""
    graphs: EnterpriseGraphs
    """Sites and links as they were read."""
    roots: tuple[SiteId, ...]
    """Own sites of the queue manager that are vertices; which of them is the root is open (BR-38)."""

    @property
    def empty(self) -> bool:
        """Whether the text leaves the table without rows."""
        return self.step is not FILLED

    @property
    def may_be_filled(self) -> bool:
        """Whether a table with rows is allowed or permitted: by the text, or for a machine that is no gate (BR-46)."""
        return bool(self.roots and self.graphs.routing_links) and self.step in {FILLED, NO_GATE}

    @cached_property
    def sites(self) -> Mapping[SiteId, int]:
        """Sites of the enterprise with their place in the order of enumeration."""
        return {site.identifier: place for place, site in enumerate(self.graphs.sites)}

    def over_trees(self, outcome: Callable[[LeastCosts], Allowed[T]]) -> Allowed[T]:
        """Return what follows from the least-cost paths of each graph and root, under the readings that give them.

        Only for tables that may be filled: without any root there is nothing to choose from.
        """

        def of_graph(chosen: tuple[Reading, ...]) -> Allowed[T]:
            return choice((readings.SOME_ROOT, of_root(root, chosen)) for root in self.roots)

        def of_root(root: SiteId, chosen: tuple[Reading, ...]) -> Allowed[T]:
            cheapest, *others = (outcome(paths) for paths in self._paths[root, chosen])
            tried = [(readings.CHEAPEST_LINK, cheapest), *((readings.ANOTHER_LINK, other) for other in others)]
            possible = self._possible.get((root, chosen))
            if possible is None:
                return choice(tried)
            return any_of([choice(tried), outcome(possible).under(readings.SOME_COMBINATION)])

        return vary(self.graphs.dimensions, of_graph)

    def least_costs(self) -> Iterator[LeastCosts]:
        """Yield the least-cost paths of every graph and root."""
        for paths in self._paths.values():
            yield from paths
        yield from self._possible.values()

    @cached_property
    def _combinations(self) -> tuple[tuple[Reading, ...], ...]:
        return tuple(product(*self.graphs.dimensions))

    @cached_property
    def _paths(self) -> Mapping[tuple[SiteId, tuple[Reading, ...]], tuple[LeastCosts, ...]]:
        """Least-cost paths by root and combination of readings; the first takes the cheapest of parallel links."""
        graphs = {chosen: self.graphs.weightings(chosen) for chosen in self._combinations}
        return {
            (root, chosen): tuple(LeastCosts(graph, root) for graph in graphs[chosen])
            for root in self.roots
            for chosen in self._combinations
        }

    @cached_property
    def _possible(self) -> Mapping[tuple[SiteId, tuple[Reading, ...]], PossibleCosts]:
        """By root and combination, where not every choice among parallel links is followed: what some may give."""
        return {
            (root, chosen): PossibleCosts(paths[0].graph, root, paths[-1].graph)
            for (root, chosen), paths in self._paths.items()
            if not self.graphs.follows_every_choice(chosen)
        }


def initialize_routing_table(view: DirectoryView, local: QueueManagerId) -> RoutingTables:
    """Return the tables that a queue manager may have after initialisation (MS-MQBR 3.1.3.1).

    Args:
        view: the directory as it is now, with what fails in it.
        local: the queue manager; one that the directory does not hold is not a gate and gets an empty table.
    """
    sites = get_directory_data(view, Site).alternatives[0].outcome or ()
    links = get_directory_data(view, RoutingLink).alternatives[0].outcome or ()
    machine = get_queue_manager(view, local).alternatives[0].outcome
    site_ids = {site.identifier for site in sites}
    # "The" current site is one of several where the queue manager has several (3.1.3.1).
    roots = () if machine is None else tuple(dict.fromkeys(s for s in machine.site_identifier_list if s in site_ids))
    # The text leaves the table of other machines empty and fills it in the next sentence all the same (3.1.3.1; BR-46).
    if 1 not in {alternative.outcome for alternative in is_site_gate(view, local).alternatives}:
        step = NO_GATE
    elif not sites:
        step = NO_SITES
    else:
        step = FILLED if links else NO_LINKS
    return RoutingTables(step, _graphs(sites, links), roots)


@lru_cache(maxsize=8)
def _graphs(sites: tuple[Site, ...], links: tuple[RoutingLink, ...]) -> EnterpriseGraphs:
    """Return the graphs; routers of one directory share what is worked out of them."""
    return EnterpriseGraphs(sites, links)
