"""Which machines there are, in which sites, and between which of them a network can be (MS-MQBR 1.3; 4.3.1.3).

Machines of one site reach each other. Machines of different sites do so only where both are gates of their sites and a
routing link joins these; anything else goes from machine to machine.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from mqconform.reference.directory.document import directory_from_document, document_from_directory
from mqconform.reference.directory.elements import Directory, QueueManager, QueueManagerId, SiteId
from mqconform.reference.mqso.elements import MachineName


@dataclass(frozen=True)
class Topology:
    """An enterprise as queue managers with networks between them.

    Attributes:
        directory: the enterprise; each queue manager has a name, and no two of them the same.
    """

    directory: Directory

    @cached_property
    def document(self) -> dict[str, Any]:
        """The enterprise document of the IUT protocol."""
        return document_from_directory(self.directory)

    @cached_property
    def identifiers(self) -> Mapping[MachineName, QueueManagerId]:
        """Name of each machine -> its identifier."""
        return {MachineName(machine.name): machine.identifier for machine in self.directory.queue_managers}

    @cached_property
    def names(self) -> Mapping[str, MachineName]:
        """Identifier of each machine -> its name."""
        return {identifier: name for name, identifier in self.identifiers.items()}

    @cached_property
    def neighbours(self) -> frozenset[frozenset[MachineName]]:
        """Pairs of machines that a network joins while nothing fails."""
        machines = self.directory.queue_managers
        return frozenset(
            frozenset({MachineName(machine.name), MachineName(other.name)})
            for place, machine in enumerate(machines)
            for other in machines[:place]
            if machine.shares_a_site_with(other) or self._linked_gates(machine, other)
        )

    def _linked_gates(self, machine: QueueManager, other: QueueManager) -> bool:
        """Return whether two machines are gates of sites that a routing link joins."""
        ends = {frozenset({link.site1_identifier, link.site2_identifier}) for link in self.directory.routing_links}
        mine, others = self._sites_with_gate(machine), self._sites_with_gate(other)
        return any(frozenset({site, far_site}) in ends for site in mine for far_site in others)

    def _sites_with_gate(self, machine: QueueManager) -> list[SiteId]:
        """Return the sites of which a machine is a gate."""
        sites = self.directory.sites
        return [site.identifier for site in sites if machine.identifier in site.site_gate_collection]


def topology_of(document: object) -> Topology:
    """Return the topology of an enterprise document, in which names may stand for identifiers.

    Raises:
        UnreadableDocument: naming every place that cannot be understood.
    """
    return Topology(directory_from_document(document))


def _machine(name: str, *sites: str, router: bool = False, **servers: list[str]) -> dict[str, Any]:
    return {"name": name, "sites": [*sites], "routing_server": router, **servers}


def _site(name: str, *gates: str) -> dict[str, Any]:
    return {"name": name, "site_gates": [*gates]}


def _link(site: str, other: str, cost: int) -> dict[str, Any]:
    return {"id": f"{site}-{other}", "site1": site, "site2": other, "cost": cost}


TWO_SITES = topology_of(
    {
        "enterprise": {"name": "two-sites"},
        "sites": [_site("North", "c"), _site("South", "d")],
        "routing_links": [_link("North", "South", 1)],
        "queue_managers": [
            _machine("a", "North"),
            _machine("b", "South"),
            _machine("c", "North", router=True),
            _machine("d", "South", router=True),
        ],
    }
)
"""Two sites, each with a client and a gate."""
SIX_SITES = topology_of(
    {
        "enterprise": {"name": "six-sites"},
        "sites": [
            _site("North", "n"),
            _site("Far", "x"),
            _site("East", "e"),
            _site("South", "s", "t"),
            _site("West", "w"),
            _site("Edge", "z"),
        ],
        "routing_links": [
            _link("North", "East", 4),
            _link("East", "South", 4),
            _link("North", "South", 65_537),  # more than the way by East, and less for who counts in 16 bits
            _link("North", "West", 7),  # to Far less than by East, where each link costs less
            _link("East", "West", 5),
            _link("South", "Far", 4),
            _link("West", "Far", 4),
            _link("Far", "Edge", 2),
        ],
        "queue_managers": [
            _machine("a", "North", in_routing_servers=["n", "r"], out_routing_servers=["r", "n"]),
            _machine("b", "South", in_routing_servers=["h", "t"]),
            _machine("c", "West", "North"),
            _machine("m", "South", out_routing_servers=["k"]),
            _machine("z", "Edge", router=True),
            _machine("n", "North", router=True),
            _machine("r", "North", router=True),
            _machine("x", "Far", router=True),
            _machine("e", "East", router=True),
            _machine("w", "West", router=True),
            _machine("k", "East", "South", router=True),
            _machine("h", "South", router=True),
            _machine("s", "South", router=True),
            _machine("t", "South", router=True),
        ],
    }
)
"""Ways of equal and of unequal cost, several gates of one site, machines of two sites, lists of routing servers."""
TOPOLOGIES: Mapping[str, Topology] = {
    topology.directory.enterprise.name: topology for topology in (TWO_SITES, SIX_SITES)
}
"""The enterprises that come with the project, by name."""
