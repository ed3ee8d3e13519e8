"""Faulty queue managers: those of ``reference.mqso.faults``, and faults of calls at once, cursors and encryption."""

from functools import partial
from typing import Any

from msgspec.structs import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mqso.conforming import preferring
from mqconform.harness.iut.mutants.mutant import Mutant, playing
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.fault import row, variant
from mqconform.reference.mqso.elements import Cursor, Queue
from mqconform.reference.mqso.events import Answer, Event, Move, Receive
from mqconform.reference.mqso.faults import FAULTS, Fault
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.readings import HandlesAfterRestart
from mqconform.reference.mqso.world import World

fault = partial(row, "MQSO")


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


class _CursorsShowAll(QueueManager):
    """Shows by a cursor what is locked, or not yet committed."""

    def place_of(self, queue: Queue, cursor: Cursor, move: Move) -> int | None:
        visible = (replace(entry, locked_by=None, hidden_by=None) for entry in queue.entries)
        return super().place_of(replace(queue, entries=tuple(visible)), cursor, move)


class _ServesWhatWasOpen(QueueManager):
    """Goes on to receive while it is stopped."""

    def step(self, world: World, event: Event) -> frozenset[tuple[World, Answer]]:
        if world.running or not isinstance(event, Receive):
            return super().step(world, event)
        results = super().step(replace(world, running=True), event)
        return frozenset((replace(after, running=False), answer) for after, answer in results)


class HandsOutEncrypted(ReferenceQueueManager):
    """Hands out what was encrypted as it is."""

    def send(self, handle: int, message: str, assurance: str, **asked: Any) -> Json:
        """Send a message."""
        return super().send(handle, message[::-1] if asked.pop("encrypt", False) else message, assurance, **asked)


def _mutant(broken: Fault) -> Mutant:
    make = partial(ReferenceQueueManager, broken.model)
    return Mutant(f"queue-{broken.name}", broken.says, RoleName.QUEUE_MANAGER, make, broken.breaks)


# Laid out as a table: name, what it breaks, what it does, the changed rule.
ROWS = (
    fault("queue-one-message-to-two", "1.1-04 5.1.1.2-09 3.3.4.7-04",
        "Who receives at the same time gets the same message.", partial(Stale, "receive")),
    fault("queue-one-send-of-two", "3.3.4.3-07 3.3.4.8-01 5.1.1.2-09",
        "Of two who send at the same time one is lost, and what is received meanwhile stays.",
        partial(Stale, "send")),
    variant("queue-last-lane-first", "Of calls at the same time the last lane comes first.", LastLaneFirst),
    fault("queue-cursors-show-all", "3.3.4.4-01 5.1.1.3-13",
        "Who looks by a cursor is shown what transactions have locked, or have not committed.",
        partial(ReferenceQueueManager, _CursorsShowAll())),
    fault("queue-serves-what-was-open", "6.7.1-01 5.1.1.1-03 3.3.4.6-02",
        "Who had opened a queue before receives from it while the queue manager is stopped.",
        partial(ReferenceQueueManager, _ServesWhatWasOpen(), preferring(HandlesAfterRestart.KEPT))),
    fault("queue-hands-out-encrypted", "5.1.1-03", "What was encrypted is handed out as it is.", HandsOutEncrypted),
)  # fmt: skip

MUTANTS = (*map(_mutant, FAULTS), *playing(RoleName.QUEUE_MANAGER, ROWS, lambda row: row.rule))
