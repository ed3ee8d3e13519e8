"""Faulty routers: the QueueManager Query Timer and what its expiry does (MS-MQBR 3.1.2, 3.1.3, 3.1.6.1)."""

from functools import partial

from mqconform.harness.iut.mutants.mqbr.stepped_router import SteppedRouter, procedure, router
from mqconform.harness.iut.mutants.mutant import altered

TIMER = "MQBR-3.1.2-01 MQBR-3.1.2.1-01 MQBR-3.1.2.1-02 MQBR-3.1.3-01 MQBR-3.1.3-02 MQBR-3.1.6.1-01"
EARLY = "MQBR-3.1.3-02"
LATE = "MQBR-3.1.3-02 MQBR-3.1.2.1-01 MQBR-3.1.2.1-02 MQBR-3.1.6.1-01"


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


_timer = partial(procedure, "3.1.3", altered, "QUERY_TIMER")
_clock = partial(procedure, "3.1.3", altered, "advance_clock")
_get_next_hops = partial(procedure, "3.1.3", altered, "get_next_hops")

MUTANTS = (
    _timer("refresh-each-minute", "The timer is set to 60 seconds.", 60.0, EARLY),
    _timer("refresh-each-half-hour", "The timer is set to 1,800 seconds.", 1_800.0, EARLY),
    _timer("refresh-after-58-minutes", "The timer is set to 3,480 seconds.", 3_480.0, EARLY),
    _timer("refresh-after-62-minutes", "The timer is set to 3,720 seconds.", 3_720.0, LATE),
    _timer("refresh-after-90-minutes", "The timer is set to 5,400 seconds.", 5_400.0, LATE),
    _timer("refresh-after-two-hours", "The timer is set to 7,200 seconds.", 7_200.0, LATE),
    _timer("never-refreshes", "The timer never fires.", 1e12, TIMER),
    _clock(
        "expiry-empties", "When the timer fires the table is emptied and not filled again.", _empty_at_expiry, TIMER
    ),
    router(
        "3.1.3",
        "timer-restarts-on-change",
        "Each change of the directory starts the timer anew, so that under steady change it never fires.",
        RestartsOnChange,
        TIMER,
    ),
    _clock("first-expiry-lost", "The timer fires for the first time after two hours.", _pass_over_first_expiry, LATE),
    _get_next_hops(
        "live-after-first-expiry",
        "Once the timer has fired, every question builds the table anew.",
        _refresh_after_first_expiry,
        EARLY,
    ),
)
