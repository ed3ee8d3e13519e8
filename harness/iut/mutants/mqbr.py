"""Mutants of routers (MS-MQBR): the faults of the reference, and routers unlike it that conform.

Those of the second table follow another reading of the ambiguity register than the reference. Each does what its entry
describes and nothing else, so that the verdict of its run is the register's on the reading.
"""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import playing
from mqconform.harness.iut.reference_iut.router import ReferenceRouterRole
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.directory.document import directory_from_document
from mqconform.reference.directory.elements import QueueManager, QueueManagerId, Site, SiteId
from mqconform.reference.directory.reading import AttributeFilter, Operator, ReadEvent
from mqconform.reference.fault import altered, variant, with_answers
from mqconform.reference.mqbr.faults import FAULTS
from mqconform.reference.mqbr.faults.lookups import despite
from mqconform.reference.mqbr.faults.stepped_router import Hops, SteppedRouter, answers, replaced
from mqconform.reference.mqbr.procedures import Policy, RoutingAttemptFails
from mqconform.reference.mqbr.router import ReferenceRouter, last, seeded


class RefusesWithAnotherCode(Exception):
    """There is no next hop, said in a way of its own."""

    code = -32050


def _empty_list(self: ReferenceRouterRole, source: str, destination: str) -> Json:
    try:
        return {"next_hops": self.router.get_next_hops(source.lower(), destination.lower())}
    except RoutingAttemptFails:
        return {"next_hops": []}


def _list_of_nothing(self: ReferenceRouterRole, source: str, destination: str) -> Json:
    try:
        return {"next_hops": self.router.get_next_hops(source.lower(), destination.lower())}
    except RoutingAttemptFails:
        return {"next_hops": [None]}


def _own_rows_without_next_hop(self: SteppedRouter, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    machine = self.get_queue_manager(self.local or "")
    own = machine.site_identifier_list if machine else ()
    return [row | {"next_hop_site": None} if row["destination_site"] in own[:1] else row for row in rows]


def _row_for_every_site(self: SteppedRouter, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    rest = (site.identifier for site in self.get_directory_data(Site) or () if site.identifier not in self.table)
    return rows and [*rows, *({"destination_site": site, "next_hop_site": None} for site in rest)]


def _last_record(self: SteppedRouter, record: QueueManager | None, machine: str) -> QueueManager | None:
    by_identifier = AttributeFilter("Identifier", Operator.EQUALS, machine)
    return (self.get_directory_data(QueueManager, by_identifier) or (record,))[-1]


def _other_code(self: ReferenceRouterRole, source: str, destination: str) -> Json:
    try:
        return {"next_hops": self.router.get_next_hops(source.lower(), destination.lower())}
    except RoutingAttemptFails as error:
        raise RefusesWithAnotherCode(str(error)) from error


def _upper(value: Any) -> Any:
    match value:
        case str():
            return value.upper()
        case list():
            return [_upper(entry) for entry in value]
        case dict():
            return {key: _upper(entry) for key, entry in value.items()}
    return value


def _upper_answer(self: ReferenceRouterRole, answer: Json, **_params: str) -> Any:
    return _upper(answer)


def _no_own_row(self: SteppedRouter, answer: None, local: str) -> None:
    machine = self.get_queue_manager(local)
    for site in machine.site_identifier_list if machine else ():
        self.table.pop(site, None)


def _all_gates(self: SteppedRouter, hops: Hops, source: QueueManager, destination: QueueManager) -> Hops:
    direct = source.identifier in destination.in_routing_server_identifier_list
    if direct or source.shares_a_site_with(destination) or not hops:
        return hops
    gates = [site.site_gate_collection for site in self.view.directory.sites if hops[0] in site.site_gate_collection]
    return [*gates[0]] if gates else hops


def _all_servers(self: SteppedRouter, source: QueueManager, destination: QueueManager) -> Hops:
    return [server.identifier for server in self.view.directory.routing_servers_sharing_a_site(source)]


def _gate_of_site_with_gates(self: SteppedRouter, machine: str) -> QueueManagerId | None:
    member, sites = self.get_queue_manager(machine), self.get_directory_data(Site) or ()
    own = member.site_identifier_list if member else ()
    return next((gate for site in sites if site.identifier in own for gate in site.site_gate_collection), None)


class TableAtFirstQuestion(SteppedRouter):
    """A router that builds its first table when it needs it."""

    def initialize(self, local: str) -> None:
        self.local, self.clock, self.built = local, 0.0, False

    def initialize_routing_table(self, local: str) -> None:
        super().initialize_routing_table(local)
        self.built = True

    def _build(self) -> None:
        if self.local is not None and not self.built:
            self.initialize_routing_table(self.local)

    def get_next_hops(self, source: str, destination: str) -> list[str]:
        self._build()
        return super().get_next_hops(source, destination)

    def routing_table(self) -> list[dict[str, Any]]:
        self._build()
        return super().routing_table()


class TimerAfterTheTable(SteppedRouter):
    """A router whose timer starts again when the table is there, two seconds after it fired."""

    def initialize(self, local: str) -> None:
        self.due = self.QUERY_TIMER
        super().initialize(local)

    def advance_clock(self, seconds: float) -> None:
        self.clock += seconds
        while self.local is not None and self.clock >= self.due:
            self.due += self.QUERY_TIMER + 2
            self.initialize_routing_table(self.local)


class DirectoryCopied(SteppedRouter):
    """A router that reads the directory once for each table and uses the copy until the next."""

    def load_directory(self, directory: object) -> None:
        super().load_directory(directory)
        self.live = self.view

    def change_directory(self, directory: object) -> None:
        self.live = self.live.holding(directory_from_document(directory))

    def fail_directory(self, object_type: str, at: str | None) -> None:
        self.live = self.live.failing(object_type, None if at is None else ReadEvent(at))

    def initialize_routing_table(self, local: str) -> None:
        self.view = self.live
        super().initialize_routing_table(local)


def _choosing(*entries: str, of: Policy = last) -> Callable[[], ReferenceRouter]:
    def policy(choice: str, options: int) -> int:
        return of(choice, options) if choice in entries or not entries else 0

    return partial(ReferenceRouter, policy)


_CONFORMING = (
    variant("last-gate", "The last gate of a site is chosen.", _choosing("BR-28")),
    variant("other-routing-server", "The last routing server of a site is chosen.", _choosing("BR-23")),
    variant("other-own-site", "The last own site supplies the gate.", _choosing("BR-30")),
    variant("other-tie", "Of equal routes another one is taken.", _choosing("BR-39")),
    variant("other-match", "Of several matching rows the first stands.", _choosing("BR-45")),
    variant("dearer-of-parallel-links", "Of parallel links the dearest counts.", _choosing("BR-41")),
    variant("other-root", "A gate of several sites takes the last for its root.", _choosing("BR-38")),
    variant("last-of-everything", "Every open choice takes the last candidate.", _choosing()),
    variant("seeded-gate", "Gates are spread by chance.", _choosing("BR-28", of=seeded(8))),
    variant("seeded-choices", "Every open choice is random.", _choosing(of=seeded(11))),
    variant("lists-reversed", "Lists of routing servers are answered in the opposite order.",
        answers(between=lambda self, hops, *_: hops[::-1])),
    variant("no-own-row", "The table has no row for the router's own site.",
        answers(initialize_routing_table=_no_own_row)),
    variant("all-gates", "All gates of a site are answered, not one.",
        answers(get_next_hops_for_plain_router=_all_gates, get_next_hops_for_site_gate=_all_gates)),
    variant("all-routing-servers", "All routing servers of a client's site are answered, not one.",
        replaced(leave_the_site_of_client=_all_servers)),
    variant("gate-of-a-site-with-gates", "A router of several sites prefers a site with gates.",
        replaced(get_site_gate=_gate_of_site_with_gates)),
    variant("refresh-two-seconds-early", "The timer is set to 3,598 seconds, which a SHOULD allows.",
        replaced(QUERY_TIMER=3_598.0)),
    variant("refresh-two-seconds-late", "The timer is set to 3,602 seconds, which a SHOULD allows.",
        replaced(QUERY_TIMER=3_602.0)),
    variant("timer-after-the-table", "The timer is started again two seconds after it fired.", TimerAfterTheTable),
    variant("last-record-of-two", "Of two records with one identifier the last is used (register BR-25).",
        answers(get_queue_manager=_last_record)),
    variant("table-at-first-question", "The first table is built at the first question.", TableAtFirstQuestion),
    variant("directory-copied",
        "The directory is read once for each table and used as a copy in between (register BR-49).",
        DirectoryCopied),
    variant("own-row-without-next-hop", "The row of the own site has no next hop (register BR-37).",
        answers(routing_table=_own_rows_without_next_hop)),
    variant("rows-of-unreachable-sites", "A site that cannot be reached has a row without next hop (register BR-36).",
        answers(routing_table=_row_for_every_site)),
)  # fmt: skip

ROLES = (
    variant("guids-in-upper-case",
        "GUIDs are answered in upper case.",
        with_answers(ReferenceRouterRole, get_next_hops=_upper_answer, routing_table=_upper_answer,
            get_routing_server=_upper_answer, get_site_gate=_upper_answer, get_site_gate_for_site=_upper_answer)),
    variant("no-route-is-an-empty-list", "No route is an empty list.",
        altered(ReferenceRouterRole, get_next_hops=_empty_list)),
    variant("no-route-is-a-list-of-nothing", "No route is a list that holds Nothing (register BR-05).",
        altered(ReferenceRouterRole, get_next_hops=_list_of_nothing)),
    variant("no-route-is-another-error", "No route is an error of another code.",
        altered(ReferenceRouterRole, get_next_hops=_other_code)),
)  # fmt: skip
"""What the role does with an answer of the router."""


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


_OPEN_PLACES = (
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


_ROUTERS = (*FAULTS, *_CONFORMING, *_OPEN_PLACES)

MUTANTS = (
    *playing(RoleName.ROUTER, _ROUTERS, lambda row: partial(ReferenceRouterRole, row.rule)),
    *playing(RoleName.ROUTER, ROLES, lambda row: row.rule),
)
