"""What the text gives no time for may come some seconds later: no scenario convicts a queue manager of that."""

from typing import TYPE_CHECKING

import pytest
from queue_manager_plays import played

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.reference.mqso.events import Answer, Event, TimePassed

if TYPE_CHECKING:
    from mqconform.reference.mqso.elements import Entry, QueueName


class AcknowledgesLater(ReferenceQueueManager):
    """An acknowledgment arrives when time passes, not with what it is about."""

    def reset(self) -> None:
        super().reset()
        self._late: list[tuple[QueueName, Entry]] = []

    def _step(self, event: Event) -> Answer:
        time_passes = isinstance(event, TimePassed)
        if time_passes:
            self._arrive()
        before = {entry.message.key for queue in self.world.queues.values() for entry in queue.entries}
        answer = super()._step(event)
        for name, queue in self.world.queues.items():
            new = [entry for entry in queue.entries if entry.message.report and entry.message.key not in before]
            if new and not time_passes:
                self._late += [(name, entry) for entry in new]
                self.world = self.world.with_entries(name, tuple(entry for entry in queue.entries if entry not in new))
        return answer

    def _arrive(self) -> None:
        for name, entry in self._late:
            if name in self.world.queues:
                arrived = self.world.with_entries(name, (*self.world.queues[name].entries, entry))
                self.world = next(iter(self.model.served(arrived, name)))
        self._late = []


class LearnsOutcomesLater(ReferenceQueueManager):
    """The coordinator answers who commits, and tells the queue manager when time passes."""

    def reset(self) -> None:
        super().reset()
        self._decided: list[int] = []

    def commit(self, transaction: int) -> Json:
        kind = self.world.transactions.get(transaction)
        if kind is None or kind.value != "external" or self.world.coordinator_lost:
            return self.perform("commit", {"transaction": transaction})
        self._decided.append(transaction)
        return {"committed": True}

    def advance_clock(self, seconds: float) -> Json:
        for transaction in self._decided:
            self.perform("commit", {"transaction": transaction})
        self._decided = []
        return self.perform("advance_clock", {"seconds": seconds})


@pytest.mark.parametrize("make", [AcknowledgesLater, LearnsOutcomesLater])
def test_what_comes_some_seconds_later_violates_nothing(make: type[ReferenceQueueManager]) -> None:
    play = played(make())
    assert (play.problems, play.violated) == ({}, set())
