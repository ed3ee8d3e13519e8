"""Faulty routers: the QueueManager Query Timer and what its expiry does (MS-MQBR 3.1.2, 3.1.3, 3.1.6.1)."""

from mqconform.harness.mutants.mqbr_mutant import SteppedRouter, misreading, routing

TIMER = ("MQBR-3.1.2-01", "MQBR-3.1.2.1-01", "MQBR-3.1.2.1-02", "MQBR-3.1.3-01", "MQBR-3.1.3-02", "MQBR-3.1.6.1-01")
EARLY = ("MQBR-3.1.3-02",)
LATE = ("MQBR-3.1.3-02", "MQBR-3.1.2.1-01", "MQBR-3.1.2.1-02", "MQBR-3.1.6.1-01")


def set_to(seconds: float) -> type[SteppedRouter]:
    """Return a router whose timer has another period."""

    class Timed(SteppedRouter):
        QUERY_TIMER = seconds

    return Timed


class ExpiryEmpties(SteppedRouter):
    """When the timer fires the table is emptied and not filled again."""

    def advance_clock(self, seconds: float) -> None:
        """Forget the rest."""
        before = self.clock
        super().advance_clock(seconds)
        if self.clock // self.QUERY_TIMER > before // self.QUERY_TIMER:
            self.table = {}


class FirstExpiryLost(SteppedRouter):
    """The timer fires for the first time after two hours."""

    def advance_clock(self, seconds: float) -> None:
        """Pass over the first expiry."""
        kept = dict(self.table)
        super().advance_clock(seconds)
        if self.clock < 2 * self.QUERY_TIMER:
            self.table = kept


class LiveAfterFirstExpiry(SteppedRouter):
    """Once the timer has fired, every question builds the table anew."""

    def get_next_hops(self, source: str, destination: str) -> list[str]:
        """Read the directory again."""
        if self.local is not None and self.clock > self.QUERY_TIMER:
            self.initialize_routing_table(self.local)
        return super().get_next_hops(source, destination)


MUTANTS = (
    misreading("refresh-each-minute", "The timer is set to 60 seconds.", set_to(60.0), EARLY),
    misreading("refresh-each-half-hour", "The timer is set to 1,800 seconds.", set_to(1_800.0), EARLY),
    misreading("refresh-two-seconds-early", "The timer is set to 3,598 seconds.", set_to(3_598.0), EARLY),
    misreading("refresh-a-second-late", "The timer is set to 3,601 seconds.", set_to(3_601.0), LATE),
    misreading("refresh-two-seconds-late", "The timer is set to 3,602 seconds.", set_to(3_602.0), LATE),
    misreading("refresh-after-90-minutes", "The timer is set to 5,400 seconds.", set_to(5_400.0), LATE),
    misreading("refresh-after-two-hours", "The timer is set to 7,200 seconds.", set_to(7_200.0), LATE),
    misreading("never-refreshes", "The timer never fires.", set_to(1e12), TIMER),
    routing("expiry-empties", ExpiryEmpties, TIMER),
    routing("first-expiry-lost", FirstExpiryLost, LATE),
    routing("live-after-first-expiry", LiveAfterFirstExpiry, EARLY),
)
