"""Queue managers that differ in calls at the same time alone: two that lose their head, and one of another order."""

from functools import partial

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.records.requirement import RoleName


class Stale(ReferenceQueueManager):
    """Calls of one kind that come together each work on the queues as they were before the others."""

    def __init__(self, method: str) -> None:
        super().__init__()
        self.method = method
        self._before = self.world

    def together(self, lanes: list[list[Json]]) -> Json:
        self._before = self.world
        return super().together(lanes)

    def call_of(self, method: str, params: Json) -> Json:
        if method == self.method:
            self.world = self._before
        return super().call_of(method, params)


class LastLaneFirst(ReferenceQueueManager):
    """Takes all calls of the last lane first."""

    def order_of(self, lengths: list[int]) -> list[int]:
        return [lane for lane in reversed(range(len(lengths))) for _ in range(lengths[lane])]


MUTANTS = (
    Mutant(
        "queue-one-message-to-two",
        "Who receives at the same time gets the same message.",
        RoleName.QUEUE_MANAGER,
        partial(Stale, "receive"),
        ("MQSO-1.1-04", "MQSO-5.1.1.2-09", "MQSO-3.3.4.7-04"),
    ),
    Mutant(
        "queue-one-send-of-two",
        "Of two who send at the same time one is lost, and what is received meanwhile stays.",
        RoleName.QUEUE_MANAGER,
        partial(Stale, "send"),
        ("MQSO-3.3.4.3-07", "MQSO-3.3.4.8-01", "MQSO-5.1.1.2-09"),
    ),
    Mutant(
        "queue-last-lane-first",
        "Of calls at the same time the last lane comes first.",
        RoleName.QUEUE_MANAGER,
        LastLaneFirst,
    ),
)
