"""The procedures of MS-MQBR 3.1.5 and 3.1.3.1 carried out once, each open choice made by a policy.

They follow the pseudo-code line by line and share nothing with the set-valued model but the directory, so that each
can check the other. ``None`` stands for Nothing.
"""

from collections.abc import Callable, Mapping, Sequence
from heapq import heappop, heappush
from typing import Final, TypeAlias, TypeVar

from mqconform.reference.directory.elements import (
    Directory,
    Element,
    Enterprise,
    EnterpriseId,
    QueueManager,
    QueueManagerId,
    RoutingLink,
    Site,
    SiteId,
)
from mqconform.reference.directory.reading import (
    AttributeFilter,
    DirectoryOperationResult,
    DirectoryView,
    Operator,
    ReadEvent,
    read_directory,
)

T = TypeVar("T")
Policy: TypeAlias = Callable[[str, int], int]
"""Takes the open choice (id of its register entry) and the number of options, gives the index of one."""

_NO_DIRECTORY: Final = DirectoryView(Directory(Enterprise(EnterpriseId(""))))


class RoutingAttemptFails(Exception):
    """The exception that GetNextHops raises when there is no next hop (MS-MQBR 3.1.5.1)."""


class Procedures:
    """The procedures of one queue manager, with the directory that they read and the table that they use."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self.view = _NO_DIRECTORY
        self.table: dict[SiteId, SiteId] = {}

    def choose(self, choice: str, options: Sequence[T]) -> T:
        """Return the option that the policy picks, without asking it where there is only one."""
        return options[self._policy(choice, len(options))] if len(options) > 1 else options[0]

    def get_next_hops(self, source: str, destination: str) -> list[str]:
        """Return the next hops from the source to a destination (GetNextHops, MS-MQBR 3.1.5.1).

        Raises:
            RoutingAttemptFails: if there is none.
        """
        source_machine = self.get_queue_manager(source)
        destination_machine = self.get_queue_manager(destination)
        hops: list[QueueManagerId | None] = []
        if source_machine is not None and destination_machine is not None:
            if source_machine.routing_server:
                hops = self.get_next_hops_for_router(source_machine, destination_machine)
            elif source_machine.out_routing_server_identifier_list:
                hops = list(source_machine.out_routing_server_identifier_list)
            elif source_machine.shares_a_site_with(destination_machine):
                hops = self.within_the_site(destination_machine)
            else:
                hops = [self.get_routing_server(source)]
        # A branch adds what a look-up gave even where that is Nothing (3.1.5.1; BR-05).
        next_hops: list[str] = [hop for hop in hops if hop is not None]
        if not next_hops:
            raise RoutingAttemptFails(f"there is no next hop from {source} to {destination}")
        return next_hops

    def get_next_hops_for_router(self, source: QueueManager, destination: QueueManager) -> list[QueueManagerId | None]:
        """Return the next hops of a routing server (GetNextHopsForRouter, MS-MQBR 3.1.5.2)."""
        if self.is_site_gate(source.identifier) == 1:
            return self.get_next_hops_for_site_gate(source, destination)
        if source.identifier in destination.in_routing_server_identifier_list:
            return [destination.identifier]
        if source.shares_a_site_with(destination):
            return self.within_the_site(destination)
        return [self.get_site_gate(source.identifier)]

    def get_next_hops_for_site_gate(
        self, source: QueueManager, destination: QueueManager
    ) -> list[QueueManagerId | None]:
        """Return the next hops of a site gate (GetNextHopsForSiteGate, MS-MQBR 3.1.5.3)."""
        if source.identifier in destination.in_routing_server_identifier_list:
            return [destination.identifier]
        if source.shares_a_site_with(destination):
            return self.within_the_site(destination)
        rows = [hop for site, hop in self.table.items() if site in destination.site_identifier_list]
        if not rows:
            return []
        # The loop has no BREAK: the row that matches last stands, so the first option is the last row (3.1.5.3).
        return [self.get_site_gate_for_site(self.choose("BR-45", rows[::-1]))]

    def within_the_site(self, destination: QueueManager) -> list[QueueManagerId | None]:
        """Return the destination's in-routing servers, or itself without any (shared part of 3.1.5.1 to 3.1.5.3)."""
        return [*destination.in_routing_server_identifier_list] or [destination.identifier]

    def get_queue_manager(self, machine: str) -> QueueManager | None:
        """Return the queue manager record of an identifier (GetQueueManager, MS-MQBR 3.1.5.4)."""
        machines = self.get_directory_data(QueueManager, AttributeFilter("Identifier", Operator.EQUALS, machine))
        return None if machines is None else machines[0]

    def get_routing_server(self, machine: str) -> QueueManagerId | None:
        """Return a routing server that shares a site with a queue manager (GetRoutingServer, MS-MQBR 3.1.5.5)."""
        client = self.get_queue_manager(machine)
        machines = self.get_directory_data(QueueManager)
        if client is None or machines is None:
            return None
        servers = [
            server.identifier for server in machines if server.routing_server and server.shares_a_site_with(client)
        ]
        return self.choose("BR-23", servers) if servers else None

    def get_site_gate(self, machine: str) -> QueueManagerId | None:
        """Return a gate of the first own site found of a queue manager (GetSiteGate, MS-MQBR 3.1.5.6)."""
        member = self.get_queue_manager(machine)
        sites = self.get_directory_data(Site)
        if member is None or sites is None:
            return None
        own = [site for site in sites if site.identifier in member.site_identifier_list]
        return self.one_gate_of(self.choose("BR-30", own)) if own else None

    def get_site_gate_for_site(self, site: str) -> QueueManagerId | None:
        """Return one of the gates of a site (GetSiteGateForSite, MS-MQBR 3.1.5.7)."""
        sites = self.get_directory_data(Site, AttributeFilter("Identifier", Operator.EQUALS, site))
        return None if sites is None else self.one_gate_of(sites[0])

    def one_gate_of(self, site: Site) -> QueueManagerId | None:
        """Return one of the SiteGateCollection, Nothing of an empty one (shared part of 3.1.5.6 and 3.1.5.7)."""
        return self.choose("BR-28", site.site_gate_collection) if site.site_gate_collection else None

    def is_site_gate(self, machine: str) -> int:
        """Return 1 for a routing server among the gates of an own site, else 0 (IsSiteGate, MS-MQBR 3.1.5.8)."""
        candidate = self.get_queue_manager(machine)
        sites = self.get_directory_data(Site)
        if candidate is None or not candidate.routing_server or sites is None:
            return 0
        own = (site for site in sites if site.identifier in candidate.site_identifier_list)
        return int(any(candidate.identifier in site.site_gate_collection for site in own))

    def get_directory_data(self, element: type[Element], *filters: AttributeFilter) -> tuple[Element, ...] | None:
        """Return all objects of a type that satisfy the filters (GetDirectoryData, MS-MQBR 3.1.5.9)."""
        event, result, elements = read_directory(self.view, element, filters)
        if event is not ReadEvent.END and result is DirectoryOperationResult.GENERIC_ERROR:
            return None
        # RequestedData stays Nothing where no object is added to it (3.1.5.9).
        return elements or None

    def initialize_routing_table(self, local: str) -> None:
        """Build the routing table of a queue manager anew (MS-MQBR 3.1.3.1)."""
        self.table = {}
        if self.is_site_gate(local) == 0:
            return
        machine = self.get_queue_manager(local)
        sites = self.get_directory_data(Site)
        links = self.get_directory_data(RoutingLink)
        if machine is None or sites is None or links is None:
            return
        own = [site.identifier for site in sites if site.identifier in machine.site_identifier_list]
        root = self.choose("BR-38", own)
        # The own site gets a row as every site does; by the text it has no next hop (3.1.3.1; BR-37).
        next_hops = self.spanning_tree(self.graph(sites, links), root) | {root: root}
        self.table = {site.identifier: next_hops[site.identifier] for site in sites if site.identifier in next_hops}

    def graph(self, sites: Sequence[Site], links: Sequence[RoutingLink]) -> dict[SiteId, dict[SiteId, int]]:
        """Return the weight of each directed edge, by its two sites (the graph E of MS-MQBR 3.1.3.1)."""
        costs: dict[SiteId, dict[SiteId, set[int]]] = {site.identifier: {} for site in sites}
        for link in links:
            site1, site2 = link.site1_identifier, link.site2_identifier
            if site1 in costs and site2 in costs and site1 != site2:
                costs[site1].setdefault(site2, set()).add(link.actual_cost)
                costs[site2].setdefault(site1, set()).add(link.actual_cost)
        return {
            site: {neighbour: self.choose("BR-41", sorted(edge)) for neighbour, edge in edges.items()}
            for site, edges in costs.items()
        }

    def spanning_tree(self, graph: Mapping[SiteId, Mapping[SiteId, int]], root: SiteId) -> dict[SiteId, SiteId]:
        """Return the first site after the root on the tree path to each other site (Dijkstra, MS-MQBR 3.1.3.1).

        Among the edges that lead out of the tree at the lowest cost, any may be the next to join it (BR-39).
        """
        next_hops: dict[SiteId, SiteId] = {}
        ready: list[tuple[SiteId, SiteId]] = []
        waiting = sorted((weight, root, neighbour) for neighbour, weight in graph[root].items())
        while waiting or ready:
            if not ready:
                cost = waiting[0][0]
                while waiting and waiting[0][0] == cost:
                    ready.append(heappop(waiting)[1:])
            place = self.choose("BR-39", range(len(ready)))
            ready[place], ready[-1] = ready[-1], ready[place]
            parent, site = ready.pop()
            if site in next_hops:
                continue
            next_hops[site] = next_hops.get(parent, site)
            for neighbour, weight in graph[site].items():
                if neighbour == root or neighbour in next_hops:
                    continue
                if weight == 0:
                    ready.append((site, neighbour))
                else:
                    heappush(waiting, (cost + weight, site, neighbour))
        return next_hops
