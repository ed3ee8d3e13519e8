"""Queue managers that the text allows, and that no scenario tells from the reference.

They are no mutants, since the trials of mutants refuse one that answers as the reference does.
"""

from pathlib import Path

from mqconform.harness.cli import run_command
from mqconform.harness.iut.all_roles import MutantIut
from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.iut.reference_iut.queue_managers import ReferenceQueueManagers
from mqconform.harness.records.requirement import RoleName
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.tests.queue_manager_plays import played
from mqconform.reference.mqso.elements import Assurance, MachineName
from mqconform.reference.mqso.events import Answer, Close, Done, Event, Open, Send, StoreBreaks, TimePassed


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


class PausesWhatIsThere(ReferenceQueueManagers):
    """Makes an outgoing queue for the first message of it, and pauses none before (5.1.1.2)."""

    def pause(self, machine: str, address: Json, on: bool) -> Json:  # noqa: FBT001 - a field of the protocol
        world = None if self.system is None else self.system.machines.get(MachineName(machine))
        queue = None if world is None else world.queues.get(self._queue(address))
        return {} if on and (queue is None or not queue.entries) else super().pause(machine, address, on)


def pauses_what_is_there() -> MutantIut:
    return MutantIut(Mutant("pauses", "", RoleName.QUEUE_MANAGER, PausesWhatIsThere))


def test_damage_may_be_met_when_the_store_is_used_next() -> None:
    play = played(MeetsDamageLater(), "5_1_1_1_states")
    assert play.verdicts[Verdict.PASS].keys() >= {"MQSO-5.5.5-03", "MQSO-5.1.1.1-10"}
    assert (play.problems, play.violated) == ({}, set())


def test_an_outgoing_queue_without_a_message_need_not_be_paused(tmp_path: Path) -> None:
    asked = ["--req", "MQSO-5.1.1.2-23", "--req", "MQSO-5.1.1.2-24", "--out", str(tmp_path)]
    assert run_command(["run", "--iut", f"api:{__name__}:pauses_what_is_there", *asked]) == 0
