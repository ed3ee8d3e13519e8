"""Routers that follow other readings than the reference where something is read or built (ambiguity register)."""

from mqconform.reference.directory.elements import QueueManager, QueueManagerId
from mqconform.reference.directory.reading import ReadEvent
from mqconform.reference.fault import variant
from mqconform.reference.mqbr.faults.lookups import despite
from mqconform.reference.mqbr.faults.stepped_router import Hops, SteppedRouter, answers, replaced


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
