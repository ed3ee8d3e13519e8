"""Faults of routers in the query timer and in what a refresh replaces (MS-MQBR 3.1.2, 3.1.3, 3.1.6.1)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mqconform.reference.directory.elements import Directory, QueueManager, QueueManagerId, RoutingLink, SiteId
from mqconform.reference.mqbr.faults.stepped_router import SteppedRouter, fault, replaced


def _empty_at_expiry(self: SteppedRouter, seconds: float) -> None:
    before = self.clock
    SteppedRouter.advance_clock(self, seconds)
    if self.clock // self.QUERY_TIMER > before // self.QUERY_TIMER:
        self.table = {}


def _pass_over_first_expiry(self: SteppedRouter, seconds: float) -> None:
    table = dict(self.table)
    SteppedRouter.advance_clock(self, seconds)
    if self.clock < 2 * self.QUERY_TIMER:
        self.table = table


def _refresh_after_first_expiry(self: SteppedRouter, source: str, destination: str) -> list[str]:
    if self.local is not None and self.clock > self.QUERY_TIMER:
        self.initialize_routing_table(self.local)
    return SteppedRouter.get_next_hops(self, source, destination)


class RestartsOnChange(SteppedRouter):
    """A router whose timer each change of the directory puts off."""

    def initialize(self, local: str) -> None:
        self.waited = 0.0
        super().initialize(local)

    def change_directory(self, directory: object) -> None:
        super().change_directory(directory)
        self.waited = 0.0

    def advance_clock(self, seconds: float) -> None:
        self.waited += seconds
        if self.local is not None and self.waited >= self.QUERY_TIMER:
            self.waited %= self.QUERY_TIMER
            self.initialize_routing_table(self.local)


class RefreshesForSites(SteppedRouter):
    """A router that builds its table anew only where the sites are others than before."""

    sites: frozenset[SiteId] | None = None
    """Those that the table was built of."""

    def initialize(self, local: str) -> None:
        self.sites = None
        super().initialize(local)

    def initialize_routing_table(self, local: str) -> None:
        sites = frozenset(self.view.directory.sites_by_identifier)
        if sites != self.sites:
            self.sites = sites
            super().initialize_routing_table(local)


def _adds_rows(self: SteppedRouter, local: str) -> None:
    rows = self.table if self.clock else {}
    SteppedRouter.initialize_routing_table(self, local)
    self.table = rows | self.table


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


class _RoutingLinks(RemembersStart):
    def get_directory_data(self, element: type[Any], *filters: Any) -> tuple[Any, ...] | None:
        links = self.start.routing_links if self.start and element is RoutingLink else ()
        return links or super().get_directory_data(element, *filters)


class _Root(RemembersStart):
    root: SiteId | None = None

    def initialize(self, local: str) -> None:
        self.root = None
        super().initialize(local)

    def spanning_tree(self, graph: Mapping[SiteId, Mapping[SiteId, int]], root: SiteId) -> dict[SiteId, SiteId]:
        self.root = self.root if self.root in graph else root
        return super().spanning_tree(graph, self.root or root)


# Laid out as a table: name, what it breaks, what it does, the changed rule.
QUERY_TIMER = (
    fault("refresh-each-minute", "3.1.3-02", "The timer is set to 60 seconds.", replaced(QUERY_TIMER=60.0)),
    fault("refresh-after-58-minutes", "3.1.3-02", "The timer is set to 3,480 seconds.", replaced(QUERY_TIMER=3_480.0)),
    fault("refresh-after-62-minutes", "3.1.3-02 3.1.2.1-01 3.1.2.1-02 3.1.6.1-01", "The timer is set to 3,720 seconds.",
        replaced(QUERY_TIMER=3_720.0)),
    fault("refresh-after-two-hours", "3.1.3-02 3.1.2.1-01 3.1.2.1-02 3.1.6.1-01", "The timer is set to 7,200 seconds.",
        replaced(QUERY_TIMER=7_200.0)),
    fault("never-refreshes", "3.1.2-01 3.1.2.1-01 3.1.2.1-02 3.1.3-01 3.1.3-02 3.1.6.1-01", "The timer never fires.",
        replaced(QUERY_TIMER=1e12)),
    fault("expiry-empties", "3.1.2-01 3.1.2.1-01 3.1.2.1-02 3.1.3-01 3.1.3-02 3.1.6.1-01",
        "When the timer fires the table is emptied and not filled again.", replaced(advance_clock=_empty_at_expiry)),
    fault("timer-restarts-on-change", "3.1.2-01 3.1.2.1-01 3.1.2.1-02 3.1.3-01 3.1.3-02 3.1.6.1-01",
        "Each change of the directory starts the timer anew, so that under steady change it never fires.",
        RestartsOnChange),
    fault("refresh-for-other-sites", "3.1.6.1-01 3.1.2.1-02",
        "When the timer fires the table stays unless the sites are others.", RefreshesForSites),
    fault("refresh-adds", "3.1.6.1-01", "When the timer fires rows are added and replaced, and none is removed.",
        replaced(initialize_routing_table=_adds_rows)),
    fault("first-expiry-lost", "3.1.3-02 3.1.2.1-01 3.1.2.1-02 3.1.6.1-01",
        "The timer fires for the first time after two hours.", replaced(advance_clock=_pass_over_first_expiry)),
    fault("live-after-first-expiry", "3.1.3-02", "Once the timer has fired, every question builds the table anew.",
        replaced(get_next_hops=_refresh_after_first_expiry)),
)  # fmt: skip

KEPT_FROM_THE_START = (
    fault("own-record-of-the-start", "3.1.5.4-01", "The router's own record is read once.", _OwnRecord),
    fault("own-role-of-the-start", "3.1.5.4-01", "Whether the router is a routing server is read once.", _OwnRole),
    fault("out-lists-of-the-start", "3.1.5.4-01", "Out lists are read once.", _OutLists),
    fault("routing-servers-of-the-start", "3.1.5.5-01", "Which queue managers are routing servers is read once.",
        _RoutingServers),
    fault("gates-of-other-sites-of-the-start", "3.1.5.7-B01", "The gates of other sites are read once.",
        _GatesOfOtherSites),
    fault("links-of-the-start", "3.1.6.1-01", "Routing links are read once.", _RoutingLinks),
    fault("root-of-the-start", "3.1.6.1-01", "The tree keeps its root when the gate moves.", _Root),
)  # fmt: skip
