"""Routers that do what no rule settles: a run on them ends inconclusive (MS-MQBR, ambiguity register)."""

from mqconform.harness.mutants.mqbr_mutant import Hops, SteppedRouter, routing
from mqconform.reference.directory.elements import QueueManager


class TriesDirectly(SteppedRouter):
    """Where there is no route to another site the destination is tried directly (register BR-53)."""

    def answered(self, source: str, destination: str, hops: Hops) -> list[str]:
        """Try if both are known."""
        known = self.get_queue_manager(source) and self.get_queue_manager(destination)
        direct: list[str] = [] if not known or any(hops) else [destination]
        return direct or super().answered(source, destination, hops)


class OwnOutListHonoured(SteppedRouter):
    """A routing server sends through its own Out list (register BR-54)."""

    def get_next_hops_for_router(self, source: QueueManager, destination: QueueManager) -> Hops:
        """Use it."""
        return [*source.out_routing_server_identifier_list] or super().get_next_hops_for_router(source, destination)


class RefreshesAtEveryQuestion(SteppedRouter):
    """Every question builds the table anew, so that no timer is seen (register BR-47)."""

    def get_next_hops(self, source: str, destination: str) -> list[str]:
        """Read the directory again."""
        if self.local is not None:
            self.initialize_routing_table(self.local)
        return super().get_next_hops(source, destination)


class RefreshesOnce(SteppedRouter):
    """The timer fires once (register BR-48)."""

    def advance_clock(self, seconds: float) -> None:
        """Keep the second table."""
        kept, before = dict(self.table), self.clock
        super().advance_clock(seconds)
        if before >= self.QUERY_TIMER:
            self.table = kept


class OldTableKept(SteppedRouter):
    """A refresh that cannot read the directory leaves the old table (register BR-17)."""

    def initialize_routing_table(self, local: str) -> None:
        """Put it back."""
        kept = dict(self.table)
        super().initialize_routing_table(local)
        if not self.view.sound and self.clock > 0:
            self.table = kept


class GateStatusKept(SteppedRouter):
    """Whether a queue manager is a gate is established once (register BR-49)."""

    def initialize(self, local: str) -> None:
        """Begin anew."""
        self.known: dict[str, int] = {}
        super().initialize(local)

    def is_site_gate(self, machine: str) -> int:
        """Remember."""
        if machine != self.local:
            return super().is_site_gate(machine)
        return self.known.setdefault(machine, super().is_site_gate(machine))


class TableBeforeItsTime(SteppedRouter):
    """A routing server builds the table of a gate before it is one (register BR-46)."""

    building: bool = False

    def initialize_routing_table(self, local: str) -> None:
        """Not ask whether it is a gate."""
        self.building = True
        super().initialize_routing_table(local)
        self.building = False

    def is_site_gate(self, machine: str) -> int:
        """Presume it while the table is built."""
        found = self.get_queue_manager(machine)
        return int(found is not None and found.routing_server) if self.building else super().is_site_gate(machine)


UNDECIDED = (
    routing("tries-directly", TriesDirectly),
    routing("own-out-list-honoured", OwnOutListHonoured),
    routing("refreshes-at-every-question", RefreshesAtEveryQuestion),
    routing("refreshes-once", RefreshesOnce),
    routing("old-table-kept", OldTableKept),
    routing("gate-status-kept", GateStatusKept),
    routing("table-before-its-time", TableBeforeItsTime),
)
