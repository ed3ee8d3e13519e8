"""Every weighted graph of sites that the links of one enterprise can mean (MS-MQBR 3.1.3.1, BR-41 to BR-43)."""

from collections.abc import Iterator
from functools import cached_property
from itertools import product

from mqconform.harness.second_opinion.routing_enterprise import Enterprise
from mqconform.harness.second_opinion.routing_graph import SiteGraph

MOST_PAIRS = 6
"""Pairs of sites with parallel links of different cost for which every choice is tried."""

FOREIGN_PENALTY = 999_999
"""What a link costs more for each foreign end where cost stands for ActualCost."""


class Graphs:
    """The graphs of one enterprise, built when first asked for."""

    def __init__(self, enterprise: Enterprise) -> None:
        self._enterprise = enterprise
        self._sites = frozenset(enterprise.gates)
        self._pairs = {ends: costs for ends, costs in enterprise.links.items() if len(ends) == 2}

    @property
    def every_choice(self) -> bool:
        """Whether ``weighted`` holds a graph for every choice among parallel links."""
        return len(self._open_pairs) <= MOST_PAIRS

    @cached_property
    def weighted(self) -> tuple[SiteGraph, ...]:
        """The graphs over the known sites; the first one has ActualCost and the cheapest of parallel links.

        Cheapest and dearest suffice: a path that is least-cost under some choice stays so where its own links cost
        the least and all others the most.
        """
        penalties = (0, FOREIGN_PENALTY) if self._enterprise.foreign else (0,)
        return tuple(
            SiteGraph(self._sites, self._weights(dear, penalty)) for penalty in penalties for dear in self._choices()
        )

    @cached_property
    def with_unknown_sites(self) -> SiteGraph:
        """The graph that takes sites in which only links name (BR-42)."""
        named = self._sites.union(*self._pairs)
        return self.weighted[0] if named == self._sites else SiteGraph(named, self._weights(frozenset(), 0))

    @cached_property
    def _open_pairs(self) -> list[frozenset[str]]:
        return [ends for ends, costs in self._pairs.items() if ends <= self._sites and len(costs) > 1]

    def _choices(self) -> Iterator[frozenset[frozenset[str]]]:
        """Yield the pairs of sites whose dearest link counts."""
        pairs = self._open_pairs if self.every_choice else []
        for dear in product((False, True), repeat=len(pairs)):
            yield frozenset(ends for ends, is_dear in zip(pairs, dear, strict=True) if is_dear)

    def _weights(self, dear: frozenset[frozenset[str]], penalty: int) -> dict[frozenset[str], int]:
        foreign = self._enterprise.foreign
        return {
            ends: (max(costs) if ends in dear else min(costs)) + penalty * len(ends & foreign)
            for ends, costs in self._pairs.items()
        }
