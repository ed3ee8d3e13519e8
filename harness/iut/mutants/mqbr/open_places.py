"""Routers that follow another reading of the ambiguity register than the reference does (MS-MQBR).

Each does what its entry describes and nothing else, so that the verdict of its run is the register's on the reading.
"""

from collections.abc import Mapping
from types import MappingProxyType

from mqconform.reference.directory.elements import QueueManager, QueueManagerId, SiteId
from mqconform.reference.directory.reading import ReadEvent
from mqconform.reference.fault import variant
from mqconform.reference.mqbr.faults.lookups import despite
from mqconform.reference.mqbr.faults.stepped_router import Hops, SteppedRouter, answers, replaced


def _servers_beside(self: SteppedRouter, machine: QueueManager) -> list[QueueManagerId]:
    return [server.identifier for server in self.routing_servers if server.shares_a_site_with(machine)]


def _usable_alone(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    usable = {*_servers_beside(self, source), *_servers_beside(self, destination)}
    listed = {*source.out_routing_server_identifier_list, *destination.in_routing_server_identifier_list}
    return [hop for hop in hops if hop not in listed or hop in usable] or hops


def _servers_after(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    direct = hops == [destination.identifier] and not source.out_routing_server_identifier_list
    others = [
        server for server in _servers_beside(self, source) if server not in {source.identifier, destination.identifier}
    ]
    return [*hops, *others] if direct else hops


def _common_network(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    source_networks = set(source.connected_network_identifier_list)
    destination_networks = set(destination.connected_network_identifier_list)
    apart = source_networks and destination_networks and source_networks.isdisjoint(destination_networks)
    return [*_servers_beside(self, source)] if apart and hops == [destination.identifier] else hops


def _not_to_itself(self: SteppedRouter, hops: Hops, source: str, destination: str) -> Hops:
    return [self.get_routing_server(source)] if source == destination else hops


def _serves_workgroups(self: SteppedRouter, hops: Hops, source: str, destination: str) -> Hops:
    machines = self.get_queue_manager(source), self.get_queue_manager(destination)
    without_site = any(record is not None and not record.site_identifier_list for record in machines)
    all_listed = all(record is not None for record in machines)
    servers = [server.identifier for server in self.routing_servers if server.identifier != source]
    return [*servers[:1]] if all_listed and without_site and not any(hops) else hops


def _around(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    sites = self.view.directory.sites
    gates = {site.identifier: site.site_gate_collection for site in sites}
    gateless = source.site_identifier_list and not any(gates.get(site) for site in source.site_identifier_list)
    others = [server for server in _servers_beside(self, source) if server != source.identifier]
    return [*others[:1]] if gateless and len(sites) > 1 and others and not any(hops) else hops


def _listed_routers(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    routers = {server.identifier for server in self.routing_servers}
    listed = source.identifier in destination.in_routing_server_identifier_list
    if listed or source.shares_a_site_with(destination) or not any(hops) or routers.issuperset(hops):
        return hops
    gates = next(
        site.site_gate_collection for site in self.view.directory.sites if hops[0] in site.site_gate_collection
    )
    return next(([gate] for gate in gates if gate in routers), [])


class _Alternating(SteppedRouter):
    """Names a gate of another neighbour on the way behind the hop, from what the table was built from."""

    neighbours: Mapping[SiteId, Mapping[SiteId, int]] = MappingProxyType({})

    def initialize_routing_table(self, local: str) -> None:
        """Keep the graph beside the table."""
        super().initialize_routing_table(local)
        directory = self.view.directory
        self.neighbours = self.graph([*directory.sites], [*directory.routing_links])

    def get_next_hops_for_site_gate(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Return the hop with an alternate."""
        hops = super().get_next_hops_for_site_gate(source, destination)
        if source.shares_a_site_with(destination) or not any(hops) or destination.identifier in hops:
            return hops
        own = set(source.site_identifier_list)
        beside = sorted(
            {neighbour for site in own for neighbour in self.neighbours.get(site, ()) if neighbour not in own}
        )
        on_the_way = [
            neighbour
            for neighbour in beside
            if not self._reached(neighbour, own).isdisjoint(destination.site_identifier_list)
        ]
        sites = self.view.directory.sites_by_identifier
        gates = [
            gate for neighbour in on_the_way for site in sites.get(neighbour, ()) for gate in site.site_gate_collection
        ]
        return [*hops, *[gate for gate in gates if gate not in hops][:1]]

    def _reached(self, start: SiteId, own: set[SiteId]) -> set[SiteId]:
        reached, frontier = {start}, [start]
        while frontier:
            fresh = [neighbour for neighbour in self.neighbours[frontier.pop()] if neighbour not in reached | own]
            reached.update(fresh)
            frontier += fresh
        return reached


def _a_gate(self: SteppedRouter, source: QueueManager, destination: QueueManager) -> Hops:
    return _preferring(self, source, gates=True)


def _no_gate(self: SteppedRouter, source: QueueManager, destination: QueueManager) -> Hops:
    return _preferring(self, source, gates=False)


def _preferring(self: SteppedRouter, source: QueueManager, *, gates: bool) -> Hops:
    servers = _servers_beside(self, source)
    return [*sorted(servers, key=lambda server: bool(self.is_site_gate(server)) is not gates)[:1]]


def _tries_directly(self: SteppedRouter, hops: Hops, source: str, destination: str) -> Hops:
    both_listed = self.get_queue_manager(source) and self.get_queue_manager(destination)
    return [QueueManagerId(destination)] if both_listed and not any(hops) else hops


def _own_out_list(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    return [*source.out_routing_server_identifier_list] or hops


def _refresh_first(self: SteppedRouter, source: str, destination: str) -> list[str]:
    if self.local is not None:
        self.initialize_routing_table(self.local)
    return SteppedRouter.get_next_hops(self, source, destination)


def _refresh_once(self: SteppedRouter, seconds: float) -> None:
    table, refreshed = dict(self.table), self.clock >= self.QUERY_TIMER
    SteppedRouter.advance_clock(self, seconds)
    if refreshed:
        self.table = table


def _keep_old_table(self: SteppedRouter, local: str) -> None:
    table = dict(self.table)
    SteppedRouter.initialize_routing_table(self, local)
    if not self.view.sound and self.clock > 0:
        self.table = table


class GateStatusKept(SteppedRouter):
    """A router that asks IsSiteGate of itself once."""

    def initialize(self, local: str) -> None:
        self.own_status: int | None = None
        super().initialize(local)

    def is_site_gate(self, machine: str) -> int:
        if machine != self.local:
            return super().is_site_gate(machine)
        if self.own_status is None:
            self.own_status = super().is_site_gate(machine)
        return self.own_status


class TableBeforeItsTime(SteppedRouter):
    """A router that takes any routing server for a gate while it builds the table."""

    building: bool = False

    def initialize_routing_table(self, local: str) -> None:
        self.building = True
        super().initialize_routing_table(local)
        self.building = False

    def is_site_gate(self, machine: str) -> int:
        record = self.get_queue_manager(machine)
        return int(record is not None and record.routing_server) if self.building else super().is_site_gate(machine)


ROWS = (
    variant("unusable-servers-left-out",
        "Listed servers that cannot serve are left out (registers BR-13, BR-56, BR-58).",
        answers(get_next_hops_for_client=_usable_alone, get_next_hops_for_plain_router=_usable_alone)),
    variant("servers-after-the-destination",
        "Routing servers follow a destination that is sent to directly (register BR-52).",
        answers(get_next_hops_for_client=_servers_after)),
    variant("common-network-wanted",
        "Without a common network a client sends through routing servers (register BR-51).",
        answers(get_next_hops_for_client=_common_network)),
    variant("not-to-itself", "A message to the source itself goes to a routing server (register BR-64).",
        answers(between=_not_to_itself)),
    variant("serves-workgroups",
        "Where there is no route from or to a machine without sites, a routing server is tried (register BR-65).",
        answers(between=_serves_workgroups)),
    variant("around-a-site-without-gate",
        "A router whose site has no gate sends to another router of the site (register BR-69).",
        answers(get_next_hops_for_plain_router=_around)),
    variant("gates-that-are-routers", "Listed gates that are no routing servers are not chosen (register BR-31).",
        answers(get_next_hops_for_plain_router=_listed_routers, get_next_hops_for_site_gate=_listed_routers)),
    variant("alternates-behind-the-hop",
        "A gate of another neighbouring site on the way follows the hop (register BR-71).",
        _Alternating),
    variant("gate-for-routing-server", "A client's routing server is a gate where there is one (register BR-63).",
        replaced(leave_the_site_of_client=_a_gate)),
    variant("routing-server-that-is-no-gate",
        "A client's routing server is not a gate where another is there (register BR-63).",
        replaced(leave_the_site_of_client=_no_gate)),
    variant("tries-directly",
        "Where there is no route to another site the destination is tried directly (register BR-53).",
        answers(between=_tries_directly)),
    variant("own-out-list-honoured", "A routing server sends through its own Out list (register BR-54).",
        answers(get_next_hops_for_router=_own_out_list)),
    variant("refreshes-at-every-question",
        "Every question builds the table anew, so that no timer is seen (register BR-47).",
        replaced(get_next_hops=_refresh_first)),
    variant("refreshes-once", "The timer fires once (register BR-48).", replaced(advance_clock=_refresh_once)),
    variant("bad-object-skipped", "A reading that breaks off yields all objects that can be read (register BR-18).",
        answers(get_directory_data=despite(ReadEvent.NEXT))),
    variant("bad-last-object-skipped", "A reading that breaks off yields all objects but the last (register BR-18).",
        answers(get_directory_data=despite(ReadEvent.NEXT, slice(-1)))),
    variant("old-table-kept", "A refresh that cannot read the directory leaves the old table (register BR-17).",
        replaced(initialize_routing_table=_keep_old_table)),
    variant("gate-status-kept", "Whether a queue manager is a gate is established once (register BR-49).",
        GateStatusKept),
    variant("table-before-its-time", "A routing server builds the table of a gate before it is one (register BR-46).",
        TableBeforeItsTime),
)  # fmt: skip
