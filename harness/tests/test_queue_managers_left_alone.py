"""Queue managers that the text allows.

Most of them behave like the reference in every scenario, so they are not mutants: trials refuse those.
"""

from collections.abc import Iterator

from queue_manager_plays import played

from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.records.verdict import Verdict
from mqconform.reference.mqso.elements import Assurance, CursorId
from mqconform.reference.mqso.events import Answer, Close, Done, Event, Move, Open, Send, StoreBreaks, TimePassed
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World


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
