"""Which machines there are, in which sites, and where a message goes next between them (3.3.4.5, 4.3.1.3).

Machines of one site reach each other. Machines of different sites do so only where both are gates of their sites and a
routing link joins these; anything else goes from machine to machine, as MS-MQBR has it at each.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, Final

from mqconform.reference.allowed import Standing
from mqconform.reference.directory.document import directory_from_document, document_from_directory
from mqconform.reference.directory.elements import Directory, QueueManager, QueueManagerId, RoutingLink, SiteId
from mqconform.reference.directory.reading import DirectoryView
from mqconform.reference.mqbr.clock import RouterState, initialize
from mqconform.reference.mqbr.decision import NextHopsDecision, decide_next_hops
from mqconform.reference.mqbr.judgement import Outcome
from mqconform.reference.mqbr.next_hops_judgement import judge_next_hops
from mqconform.reference.mqso.elements import MachineName

NOWHERE: Final = ((),)
"""The answers of a router that knows no way."""


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


class Routes:
    """What the routers of an enterprise may answer, each question thought about once.

    Args:
        topology: its machines, and the networks between them.
    """

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self._states: dict[MachineName, RouterState] = {}
        self._decisions: dict[tuple[MachineName, MachineName], NextHopsDecision] = {}
        self._without: dict[tuple[MachineName, frozenset[MachineName]], Routes] = {}
        self._answers: dict[tuple[MachineName, MachineName], tuple[tuple[MachineName, ...], ...]] = {}

    def joined(self, machine: MachineName, other: MachineName) -> bool:
        """Return whether a network joins two machines while nothing fails."""
        return frozenset({machine, other}) in self.topology.neighbours

    def decision(self, at: MachineName, to: MachineName) -> NextHopsDecision:
        """Return what MS-MQBR 3.1.5 lets a machine answer when it is asked for the way to another."""
        if (at, to) not in self._decisions:
            identifiers = self.topology.identifiers
            if at not in self._states:
                self._states[at] = initialize(DirectoryView(self.topology.directory), QueueManagerId(identifiers[at]))
            self._decisions[at, to] = decide_next_hops(self._states[at], QueueManagerId(identifiers[to]))
        return self._decisions[at, to]

    def answers(self, at: MachineName, to: MachineName) -> tuple[tuple[MachineName, ...], ...]:
        """Return every permitted answer of a router, as the machines that it names."""
        if (at, to) not in self._answers:
            permitted = self.decision(at, to).allowed.outcomes(Standing.PERMITTED)
            names = self.topology.names
            answers = {
                tuple(names[hop.lower()] for hop in outcome or () if (hop or "").lower() in names)
                for outcome in permitted
            }
            self._answers[at, to] = tuple(sorted(answers)) or NOWHERE
        return self._answers[at, to]

    def without_links(self, machine: MachineName, others: frozenset[MachineName]) -> "Routes":
        """Return the ways without the routing links between the sites of a machine and those of others."""
        if (machine, others) not in self._without:
            directory = self.topology.directory
            sites = {MachineName(manager.name): {*manager.site_identifier_list} for manager in directory.queue_managers}
            far_sites = set().union(*(sites[other] for other in others)) - sites[machine]
            links = tuple(link for link in directory.routing_links if not _joins(link, sites[machine], far_sites))
            self._without[machine, others] = Routes(Topology(replace(directory, routing_links=links)))
        return self._without[machine, others]

    @cached_property
    def routers(self) -> tuple[MachineName, ...]:
        """The routing servers, in the directory's order."""
        machines = self.topology.directory.queue_managers
        return tuple(MachineName(machine.name) for machine in machines if machine.routing_server)


def _joins(link: RoutingLink, sites: set[SiteId], others: set[SiteId]) -> bool:
    ends = link.site1_identifier, link.site2_identifier
    return any(near in sites and far in others for near, far in (ends, ends[::-1]))


HOP_BY_HOP = ("MQSO-3.3.4.5-07", "MQSO-4.3.1.3-05")
MOST_NAMES: Final = 10

NextHops = tuple[str | None, ...]
"""Identifiers of machines, or Nothing, as a router answers."""


def strays_in(topology: Topology) -> Callable[[MachineName, MachineName, NextHops | None, MachineName], str]:
    """Return what says how a packet strays at a machine of an enterprise; it says nothing where a reading allows it.

    It takes the machine, the destination, what the router there answered, and the machine that the packet was handed
    to, empty where it stays. Where it was handed on and the answer is None, the hop alone is known and judged.
    """
    ways = Routes(topology)

    @cache
    def stray(at: MachineName, to: MachineName, answer: NextHops | None, hop: MachineName) -> str:
        permitted = ways.decision(at, to).allowed.outcomes(Standing.PERMITTED)
        if answer is None and hop:
            permitted_hops = {(machine or "").lower() for outcome in permitted for machine in outcome or ()}
            wrong = str(topology.identifiers[hop]).lower() not in permitted_hops
        else:
            wrong = judge_next_hops(ways.decision(at, to), answer).outcome is Outcome.NOT_ALLOWED
        if not wrong:
            return ""
        allowed = " or ".join(sorted({words(outcome) for outcome in permitted}))
        return f"{at} routes to {hop or words(answer)} what is for {to}, and should to {allowed}"

    def words(hops: NextHops | None) -> str:
        return " and ".join(_names_of(hops, topology)) or "nobody"

    return stray


def _names_of(hops: NextHops | None, topology: Topology) -> list[str]:
    """Return the machines that a router names, each once and no more than are worth reading."""
    names = dict.fromkeys(topology.names.get((hop or "").lower(), "nobody known") for hop in hops or ())
    return [*names][:MOST_NAMES]


def topology_of(document: object) -> Topology:
    """Return the topology of an enterprise document, in which names may stand for identifiers.

    Raises:
        UnreadableDocument: naming every place that cannot be understood.
    """
    return Topology(directory_from_document(document))
