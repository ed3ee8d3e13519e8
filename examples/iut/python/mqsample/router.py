"""The routing algorithm of MS-MQBR 3.1: each procedure of section 3.1.5 is one method here."""

from mqsample import routing_table
from mqsample.directory import Directory, QueueManager

QUERY_TIMER = 3_600_000_000  # microseconds, section 3.1.3


class NoRoute(Exception):
    """The routing attempt fails (section 3.1.5.1)."""


class Router:
    """A queue manager that finds next hops, by a directory that it reads anew for every question."""

    def __init__(self) -> None:
        self.directory = Directory()
        self.local: str | None = None
        self.routing_table: dict[str, str] = {}  # destination site: next site
        self._until_query = QUERY_TIMER

    def initialize(self, local: str) -> None:
        """Section 3.1.3."""
        self.local = local
        self._until_query = QUERY_TIMER
        self._initialize_routing_table(local)

    def advance_clock(self, microseconds: int) -> None:
        """Time passes; the routing table is made anew whenever the query timer ends (section 3.1.6.1)."""
        if self.local is None:
            return
        if microseconds >= self._until_query:
            self._initialize_routing_table(self.local)
        self._until_query = QUERY_TIMER - (QUERY_TIMER - self._until_query + microseconds) % QUERY_TIMER

    def _initialize_routing_table(self, local: str) -> None:
        """RoutingTable Initialization, section 3.1.3.1."""
        self.routing_table = {}
        machine = self.get_queue_manager(local)
        if machine is not None and self.is_site_gate(local):
            self.routing_table = routing_table.build(
                machine.sites, self.directory.get_sites(), self.directory.get_routing_links()
            )

    def get_next_hops(self, source_id: str, destination_id: str) -> list[str]:
        """GetNextHops, section 3.1.5.1; NoRoute where there is none."""
        hops: list[str | None] = []
        source = self.get_queue_manager(source_id)
        destination = self.get_queue_manager(destination_id)
        if source is not None and destination is not None:
            if source.routing_server:
                hops = self._get_next_hops_for_router(source, destination)
            elif source.out_routing_servers:
                hops = [*source.out_routing_servers]
            elif _share_a_site(source, destination):
                hops = [*(destination.in_routing_servers or [destination.id])]
            else:
                hops = [self.get_routing_server(source_id)]
        # A search that found nothing adds nothing that a message could be sent to.
        found = [hop for hop in hops if hop is not None]
        if not found:
            raise NoRoute(f"no route from {source_id} to {destination_id}")
        return found

    def _get_next_hops_for_router(self, source: QueueManager, destination: QueueManager) -> list[str | None]:
        """GetNextHopsForRouter and GetNextHopsForSiteGate, sections 3.1.5.2 and 3.1.5.3: they differ at the end."""
        if source.id in destination.in_routing_servers:
            return [destination.id]
        if _share_a_site(source, destination):
            return [*(destination.in_routing_servers or [destination.id])]
        if not self.is_site_gate(source.id):
            return [self.get_site_gate(source.id)]
        rows = [next_site for site, next_site in self.routing_table.items() if site in destination.sites]
        # The last row that fits is the one that counts.
        return [self.get_site_gate_for_site(rows[-1])] if rows else []

    def get_queue_manager(self, machine_id: str) -> QueueManager | None:
        """GetQueueManager, section 3.1.5.4."""
        return next(iter(self.directory.get_queue_managers(machine_id)), None)

    def get_routing_server(self, machine_id: str) -> str | None:
        """GetRoutingServer, section 3.1.5.5: the first routing server that shares a site."""
        source = self.get_queue_manager(machine_id)
        if source is None:
            return None
        for machine in self.directory.get_queue_managers():
            if machine.routing_server and _share_a_site(machine, source):
                return machine.id
        return None

    def get_site_gate(self, machine_id: str) -> str | None:
        """GetSiteGate, section 3.1.5.6: a gate of the first own site, whether or not it has any."""
        source = self.get_queue_manager(machine_id)
        if source is None:
            return None
        for site in self.directory.get_sites():
            if site.id in source.sites:
                return next(iter(site.site_gates), None)
        return None

    def get_site_gate_for_site(self, site_id: str) -> str | None:
        """GetSiteGateForSite, section 3.1.5.7."""
        for site in self.directory.get_sites(site_id):
            return next(iter(site.site_gates), None)
        return None

    def is_site_gate(self, machine_id: str) -> bool:
        """IsSiteGate, section 3.1.5.8."""
        machine = self.get_queue_manager(machine_id)
        if machine is None or not machine.routing_server:
            return False
        return any(machine_id in site.site_gates for site in self.directory.get_sites() if site.id in machine.sites)


def _share_a_site(one: QueueManager, other: QueueManager) -> bool:
    return not set(one.sites).isdisjoint(other.sites)
