"""What scenarios of queue managers say holds word for word, and odd queue managers are told rightly."""

import random
import time
from collections.abc import Iterator
from typing import Any

import pytest
from long_tier import LONG
from msgspec.structs import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.most_usual import Result
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.iut.reference_iut.queue_managers import ReferenceQueueManagers
from mqconform.harness.records.verdict import Verdict
from mqconform.harness.tests.queue_manager_plays import cases, meaning, played
from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import (
    SECOND,
    SYSTEM_QUEUES,
    Assurance,
    Entry,
    Message,
    Queue,
    QueueName,
    TransactionId,
)
from mqconform.reference.mqso.events import Answer, Counted, Event, TimePassed
from mqconform.reference.mqso.faults.letters import TimeBeginsAnew
from mqconform.reference.mqso.faults.lifecycle import LosesRecoverable
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import Branches, World


def test_the_reference_does_what_each_sentence_says() -> None:
    play = played(ReferenceQueueManagers())
    assert not play.problems
    assert set(play.verdicts) <= {Verdict.PASS, Verdict.FAIL}
    assert not play.violated


def test_a_sentence_that_is_wrong_convicts_nobody_and_fails_here(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "3_3_4_use_cases: First in, first out "
    scenario = next(scenario for case, scenario in cases() if case.id == name)
    monkeypatch.setattr(scenario.steps[-1], "name", "inbox holds m2, m1 and m3, in this order")
    play = played(ReferenceQueueManager(), name)
    assert "m1, m2, m3; the text allows that" in str(play.problems[name])
    assert play.verdicts.keys() == {Verdict.INCONCLUSIVE}
    meaning.cache_clear()


class LosesTheLast(QueueManager):
    def restored(self, queue: Queue) -> Queue:
        left = super().restored(queue)
        return replace(left, entries=left.entries[:-1]) if len(left.entries) > 1 else left


class CountsRoomFromZero(QueueManager):
    def has_room(self, queue: Queue, message: Message) -> bool:  # noqa: ARG002 - of no matter here
        return queue.properties.room is None or queue.used <= queue.properties.room


class GivesBackTheFirstOnly(QueueManager):
    def given_back(self, queue: Queue, transaction: TransactionId, *, last: bool) -> tuple[Entry, ...]:
        mine = [one.message.key for one in queue.entries if one.locked_by == transaction]
        kept = super().given_back(queue, transaction, last=last)
        return tuple(one for one in kept if one.message.key not in mine[1:])


class CommitsTwoAtMost(QueueManager):
    def shown(self, queue: Queue, transaction: TransactionId, *, last: bool) -> Queue:
        mine = [one.message.key for one in queue.entries if one.hidden_by == transaction]
        after = super().shown(queue, transaction, last=last)
        return replace(after, entries=tuple(one for one in after.entries if one.message.key not in mine[2:]))


class PurgeLeavesTheFirst(QueueManager):
    def purged(self, world: World, name: QueueName) -> Iterator[World]:
        yield world.with_entries(name, world.queues[name].entries[:1])


class ExpiresRecoverableOnly(QueueManager):
    def expires(self, entry: Entry) -> int | None:
        return None if entry.message.assurance is Assurance.EXPRESS else super().expires(entry)


class OneLetterOnly(QueueManager):
    def kept(self, world: World, queue: QueueName, message: Message) -> World:
        full = queue in SYSTEM_QUEUES and world.queues[queue].entries
        return world if full else super().kept(world, queue, message)


class LosesInTheSecondRestart(ReferenceQueueManager):
    starts = 0

    def reset(self) -> None:
        super().reset()
        self.starts = 0

    def start(self, machine: str) -> Json:
        self.starts += 1
        for name in self.world.queues if self.starts == 2 else ():
            self.world = self.world.with_entries(name, ())
        return super().start(machine)


class WaitsHalfTheTime(ReferenceQueueManager):
    def receive(self, handle: int, **asked: Any) -> Json:
        return super().receive(handle, **asked | {"wait": asked.get("wait", 0) / 2})


class HandsOutRubbish(ReferenceQueueManager):
    def receive(self, handle: int, **asked: Any) -> Json:
        answer = super().receive(handle, **asked)
        return {"message": answer["message"] | {"message": "<b>"}} if "message" in answer else answer


@pytest.mark.parametrize(
    ("wrong", "broken", "may_be_taken_for"),
    [
        pytest.param(LosesTheLast(), "5.5.1-07", "5.5.1-02 5.5.1-04 3.3.4.4-04", marks=LONG),
        pytest.param(CountsRoomFromZero(), "5.1.1.2-07", "5.5.1-02", marks=LONG),
        pytest.param(GivesBackTheFirstOnly(), "3.3.4.7-02", "5.5.1-04", marks=LONG),
        pytest.param(CommitsTwoAtMost(), "3.3.4.6-02", "5.1.1.2-01 5.5.1-04", marks=LONG),
        (PurgeLeavesTheFirst(), "5.1.1.2-12", ""),
        pytest.param(ExpiresRecoverableOnly(), "5.1.1.3-04", "5.1.1.3-05 4.3.1.2-16", marks=LONG),
        pytest.param(OneLetterOnly(), "5.1.1.2-26", "3.3.4.6-02 5.1.1.3-04 5.1.1.3-06", marks=LONG),
        pytest.param(
            LosesInTheSecondRestart(),
            "5.5.1-07",
            "5.5.1-01 5.5.1-04 1.1-02 3.2.1-04 5.1.1.1-03 5.5.5-02 5.5.5-03",
            marks=LONG,
        ),
        (WaitsHalfTheTime(), "3.3.4.6-04", "5.1.1.2-08 5.1.1.2-10"),
        (HandsOutRubbish(), "5.1.1-03", ""),
    ],
    ids=lambda one: type(one).__name__ if not isinstance(one, str) else "",
)
def test_what_is_wrong_at_times_only_is_convicted_of_that(
    wrong: QueueManager | ReferenceQueueManager, broken: str, may_be_taken_for: str
) -> None:
    play = played(wrong if isinstance(wrong, ReferenceQueueManager) else ReferenceQueueManager(wrong))
    assert f"MQSO-{broken}" in play.violated
    assert play.violated <= {f"MQSO-{one}" for one in (broken, *may_be_taken_for.split())}


class CountsAll(QueueManager):
    def counted(self, world: World, name: QueueName) -> Branches:
        yield world, Counted(len(world.queues[name].entries))


class ServesTheLastReader(QueueManager):
    def served(self, world: World, name: QueueName) -> Iterator[World]:
        yield [*super().served(world, name)][-1]


class RunsFast(ReferenceQueueManager):
    def advance_clock(self, seconds: float) -> Json:
        return super().advance_clock(seconds * 1.05)


class StartsWhenMended(ReferenceQueueManager):
    def fail_store(self, machine: str, how: str | None) -> Json:
        was = self.world.damaged
        answer = super().fail_store(machine, how)
        if how is None and was:
            self.start(machine)
        return answer


class ShowsLittle(ReferenceQueueManager):
    def state(self, machine: str) -> Json:
        return {name: value for name, value in super().state(machine).items() if name == "throttled"}


class TellsMore(ReferenceQueueManager):
    def _shown(self, answer: Any) -> Json:
        shown = super()._shown(answer)
        if "message" not in shown:
            return {"failed": {"code": "0xC00E001B", "says": "timeout"}}
        return {"message": {"machine": "oslo", "correlation": "0" * 20, "authenticated": False} | shown["message"]}


class NamesFromZero(ReferenceQueueManager):
    def reset(self) -> None:
        super().reset()
        self._named = -1


def by_chance(seed: int) -> ReferenceQueueManager:
    rng = random.Random(seed)

    def choose(results: list[Result]) -> Result:
        return rng.choice(sorted((one for one in results if one[0].standing <= Standing.PERMITTED), key=repr))

    return ReferenceQueueManager(None, choose)


@pytest.mark.parametrize(
    "conforming",
    [
        ReferenceQueueManager(CountsAll()),
        ReferenceQueueManager(ServesTheLastReader()),
        pytest.param(RunsFast(), marks=LONG),
        StartsWhenMended(),
        pytest.param(ShowsLittle(), marks=LONG),
        TellsMore(),
        pytest.param(NamesFromZero(), marks=LONG),
        by_chance(0),
        *(pytest.param(by_chance(seed), marks=LONG) for seed in range(1, 6)),
    ],
)
def test_what_the_text_leaves_open_convicts_nobody(conforming: ReferenceQueueManager) -> None:
    play = played(conforming)
    assert not play.problems
    assert not play.violated


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


@pytest.mark.parametrize(
    "only", ["A wait ends in its time", "A message whose time is not up is there", "Of two who receive one message"]
)
def test_a_queue_manager_may_live_by_the_real_clock(only: str) -> None:
    play = played(LivesByTheClock(), only, "real-clock")
    assert not play.problems
    assert play.verdicts.keys() == {Verdict.PASS}


def test_by_the_real_clock_half_a_second_is_tolerated_and_no_more() -> None:
    play = played(LivesByTheClock(speed=1.8), "A message whose time is not up is there", "real-clock")
    assert play.violated == {"MQSO-5.1.1.3-04"}


class StartsSlowly(LivesByTheClock):
    """Takes longer to start than a call may whose time is known."""

    def start(self, machine: str) -> Json:
        time.sleep(0.3)
        return super().start(machine)


@pytest.mark.parametrize(
    ("model", "only", "violated"),
    [
        (LosesRecoverable.model, "A crash is survived as a stop is", {"MQSO-5.5.1-07"}),
        (TimeBeginsAnew.model, "Time goes on while it is stopped", set()),
    ],
)
def test_a_slow_call_leaves_open_what_time_decides_and_nothing_else(
    model: QueueManager, only: str, violated: set[str]
) -> None:
    assert played(StartsSlowly(model=model), only, "real-clock").violated == violated
