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
