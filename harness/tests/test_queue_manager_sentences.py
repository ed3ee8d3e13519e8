"""What scenarios of queue managers say holds word for word, and odd queue managers are told rightly."""

import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from queue_manager_plays import cases, meaning, played

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.choosers import Result
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.records.verdict import Verdict
from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import SECOND, QueueName
from mqconform.reference.mqso.events import Answer, Counted, Event, TimePassed
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import Branches, World


def test_a_sentence_that_is_wrong_convicts_nobody_and_fails_here(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "3_3_4_use_cases: First in, first out "
    scenario = next(scenario for case, scenario in cases() if case.id == name)
    monkeypatch.setattr(scenario.steps[-1], "name", "inbox holds m2, m1 and m3, in this order")
    play = played(ReferenceQueueManager(), name)
    assert "m1, m2, m3; the specification permits this" in str(play.problems[name])
    assert play.verdicts.keys() == {Verdict.INCONCLUSIVE}
    meaning.cache_clear()


class CountsAll(QueueManager):
    def counted(self, world: World, name: QueueName) -> Branches:
        yield world, Counted(len(world.queues[name].entries))


class ServesTheLastReader(QueueManager):
    def served(self, world: World, name: QueueName) -> Iterator[World]:
        yield [*super().served(world, name)][-1]


class StartsWhenMended(ReferenceQueueManager):
    def fail_store(self, machine: str, how: str | None) -> Json:
        was = self.world.damaged
        answer = self.perform("fail_store", {"machine": machine, "how": how})
        if how is None and was:
            self.perform("start", {"machine": machine})
        return answer


class TellsMore(ReferenceQueueManager):
    def _shown(self, answer: Any) -> Json:
        shown = super()._shown(answer)
        if "message" not in shown:
            return {"failed": {"code": "0xC00E001B", "says": "timeout"}}
        return {"message": {"machine": "oslo", "correlation": "0" * 20, "authenticated": False} | shown["message"]}


def by_chance(seed: int) -> ReferenceQueueManager:
    rng = random.Random(seed)

    def choose(results: list[Result]) -> Result:
        return rng.choice(sorted((one for one in results if one[0].standing <= Standing.PERMITTED), key=repr))

    return ReferenceQueueManager(None, choose)


def test_what_the_text_leaves_open_fails_nobody(subtests: pytest.Subtests) -> None:
    for conforming in (ReferenceQueueManager(CountsAll()), StartsWhenMended(), TellsMore()):
        with subtests.test(conforming=conforming):
            play = played(conforming)
            assert (play.problems, play.violated) == ({}, set())


def test_who_reads_the_text_anew_each_time_has_mixed_readings() -> None:
    mixed = {one.ambiguity for one in played(by_chance(1)).readings.mixed()}
    assert "QM-19" in mixed
    assert "QM-04" not in mixed  # which reader is served may vary
    assert not played(ReferenceQueueManager(ServesTheLastReader())).readings.mixed()


class LivesByTheClock(ReferenceQueueManager):
    """The reference whose time is that of the world, times ``speed``."""

    def __init__(self, speed: float = 1.0, model: QueueManager | None = None) -> None:
        self.speed, self.at = speed, time.monotonic()
        super().__init__(model)

    def advance_clock(self, seconds: float) -> Json:  # noqa: ARG002 - time has passed already
        return {}

    def _step(self, event: Event) -> Answer:
        passed, self.at = time.monotonic() - self.at, time.monotonic()
        super()._step(TimePassed(round(passed * self.speed * SECOND)))
        return super()._step(event)


def test_a_queue_manager_may_live_by_the_real_clock() -> None:
    play = played(LivesByTheClock(), "A message whose time is not up is there", "real-clock")
    assert not play.problems
    assert play.verdicts.keys() == {Verdict.PASS}


def test_by_the_real_clock_half_a_second_is_tolerated_and_no_more() -> None:
    play = played(LivesByTheClock(speed=1.8), "A message whose time is not up is there", "real-clock")
    assert play.violated == {"MQSO-5.1.1.3-04"}
