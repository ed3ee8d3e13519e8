"""Queue managers that the text allows: no scenario convicts them.

Most of them behave like the reference in every scenario, so they are not mutants: trials refuse those. What the text
gives no time for may come some seconds later.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from queue_manager_plays import played

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.records.verdict import Verdict
from mqconform.reference.mqso.elements import Assurance, CursorId
from mqconform.reference.mqso.events import Answer, Close, Done, Event, Move, Open, Send, StoreBreaks, TimePassed
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World

if TYPE_CHECKING:
    from mqconform.reference.mqso.elements import Entry, QueueName


class MeetsDamageLater(ReferenceQueueManager):
    """Meets that its store is damaged when it uses it next; express messages are in memory (5.5.5 names no moment)."""

    damage = False

    def reset(self) -> None:
        super().reset()
        self.damage = False

    def _step(self, event: Event) -> Answer:
        if self.world.running and event == StoreBreaks(beyond_repair=True):
            self.damage = True
            return Done()
        in_memory = isinstance(event, Send) and event.message.assurance is Assurance.EXPRESS
        if self.damage and not in_memory and not isinstance(event, (Open, Close, TimePassed)):
            self.damage = False
            super()._step(StoreBreaks(beyond_repair=True))
        return super()._step(event)


class CursorsAreNumbers(QueueManager):
    """Counts how far a cursor has come: where its message is gone, the next one has its place (register QM-59)."""

    def places_of(self, world: World, cursor: CursorId, move: Move) -> Iterator[tuple[World, int | None]]:
        position = world.cursors[cursor]
        entries = world.queues[position.queue].entries
        ahead = [place for place, entry in enumerate(entries) if entry.message.key not in position.passed]
        gone = position.at is not None and all(entry.message.key != position.at for entry in entries)
        steps = int(gone and move is Move.NEXT)
        if gone:
            yield world, ahead[steps] if len(ahead) > steps else None
        else:
            yield world, self.place_of(world.queues[position.queue], position, move)


def test_damage_may_be_met_when_the_store_is_used_next() -> None:
    play = played(MeetsDamageLater(), "5_1_1_1_states")
    assert play.verdicts[Verdict.PASS].keys() >= {"MQSO-5.5.5-03", "MQSO-5.1.1.1-10"}
    assert (play.problems, play.violated) == ({}, set())


def test_a_cursor_may_stand_at_what_followed_its_message() -> None:
    play = played(ReferenceQueueManager(CursorsAreNumbers()), "5_1_1_2_cursors")
    assert "MQSO-5.1.1-04" in play.verdicts[Verdict.PASS]
    assert (play.problems, play.violated) == ({}, set())


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
