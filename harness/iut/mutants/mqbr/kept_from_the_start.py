"""Faulty routers that go on with a part of the directory as it was at their start (MS-MQBR 3.1.5, 3.1.6.1).

A refresh replaces what they know but for that part, so that each fault shows only where just this part changes.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from mqconform.harness.iut.mutants.mqbr.stepped_router import SteppedRouter, router
from mqconform.reference.directory.elements import Directory, QueueManager, QueueManagerId, SiteId


class RemembersStart(SteppedRouter):
    """A router that keeps the directory of its start."""

    start: Directory | None = None
    """None until the router is initialised."""

    def initialize(self, local: str) -> None:
        self.start = None
        super().initialize(local)
        self.start = self.view.directory

    def at_start(self, machine: str) -> QueueManager | None:
        """Return a queue manager's record of the start, None for a later one."""
        machines = self.start.queue_managers if self.start else ()
        return next((record for record in machines if record.identifier == machine), None)


class _OwnRecord(RemembersStart):
    def get_queue_manager(self, machine: str) -> QueueManager | None:
        record = super().get_queue_manager(machine)
        return (machine == self.local and self.at_start(machine)) or record


class _OwnRole(RemembersStart):
    def get_queue_manager(self, machine: str) -> QueueManager | None:
        record = super().get_queue_manager(machine)
        first = self.at_start(machine) if machine == self.local else None
        return replace(record, routing_server=first.routing_server) if record and first else record


class _OutLists(RemembersStart):
    def get_queue_manager(self, machine: str) -> QueueManager | None:
        record, first = super().get_queue_manager(machine), self.at_start(machine)
        if record is None or first is None:
            return record
        return replace(record, out_routing_server_identifier_list=first.out_routing_server_identifier_list)


class _RoutingServers(RemembersStart):
    def get_routing_server(self, machine: str) -> QueueManagerId | None:
        client = self.get_queue_manager(machine)
        if self.start is None or client is None:
            return super().get_routing_server(machine)
        servers = self.start.routing_servers_sharing_a_site(client)
        return servers[0].identifier if servers else None


class _GatesOfOtherSites(RemembersStart):
    def get_site_gate_for_site(self, site: str) -> QueueManagerId | None:
        first_sites = self.start.sites_by_identifier.get(SiteId(site), ()) if self.start else ()
        return self.one_gate_of(first_sites[0]) if first_sites else super().get_site_gate_for_site(site)


class _Root(RemembersStart):
    root: SiteId | None = None

    def initialize(self, local: str) -> None:
        self.root = None
        super().initialize(local)

    def spanning_tree(self, graph: Mapping[SiteId, Mapping[SiteId, int]], root: SiteId) -> dict[SiteId, SiteId]:
        self.root = self.root if self.root in graph else root
        return super().spanning_tree(graph, self.root or root)


_kept = partial(router, "3.1.5.4")

MUTANTS = (
    _kept("own-record-of-the-start", "The router's own record is read once.", _OwnRecord, "01"),
    _kept("own-role-of-the-start", "Whether the router is a routing server is read once.", _OwnRole, "01"),
    _kept("out-lists-of-the-start", "Out lists are read once.", _OutLists, "01"),
    _kept(
        "routing-servers-of-the-start",
        "Which queue managers are routing servers is read once.",
        _RoutingServers,
        "MQBR-3.1.5.5-01",
    ),
    _kept(
        "gates-of-other-sites-of-the-start",
        "The gates of other sites are read once.",
        _GatesOfOtherSites,
        "MQBR-3.1.5.7-B01",
    ),
    _kept("root-of-the-start", "The tree keeps its root when the gate moves.", _Root, "MQBR-3.1.6.1-01"),
)
