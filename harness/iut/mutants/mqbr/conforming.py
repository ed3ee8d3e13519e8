"""Routers unlike the reference that conform all the same: what the text, or the register, leaves to a router."""

from collections.abc import Callable
from functools import partial
from typing import Any

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.router import ReferenceRouterRole
from mqconform.reference.directory.document import directory_from_document
from mqconform.reference.directory.elements import QueueManager, QueueManagerId, Site
from mqconform.reference.directory.reading import AttributeFilter, Operator, ReadEvent
from mqconform.reference.fault import altered, variant, with_answers
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


ROWS = (
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
