"""Calls at the same time and sends that wait: what an implementation may answer, and what is a fault of it."""

from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from mqconform.harness.iut.interface import AdapterOptions, IutFault, Json
from mqconform.harness.iut.protocol import check_params, check_result
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.judge.mqso.clock import Clock
from mqconform.harness.judge.mqso.messages import Messages
from mqconform.harness.judge.mqso.scenes import QueueManagerScene, calls_of
from mqconform.harness.judge.mqso.simultaneous_calls import together
from mqconform.harness.judge.session import JudgingPlan, Session
from mqconform.harness.records.profile import Profile
from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import Access, Key, Message, Properties, QueueName
from mqconform.reference.mqso.events import Answers, Done, Ended, Failed, Got, Throttle, Together

if TYPE_CHECKING:
    from mqconform.harness.judge.judge import Judge
    from mqconform.harness.records.case import Case
if TYPE_CHECKING:
    from mqconform.harness.judge.judge import Judge
    from mqconform.harness.records.case import Case

INBOX = QueueName("inbox")
FAILED: Json = {"failed": {}}


class Scripted:
    """The reference, but for what it answers to calls at the same time."""

    def __init__(self, answer: Json | None = None) -> None:
        self.part, self.answer = ReferenceQueueManager(), answer
        self.description = SimpleNamespace(capabilities=frozenset({"virtual-clock"}))

    def call(self, method: str, params: Json) -> Json:
        check_params(method, params)
        name = method.removeprefix("queue_manager.")
        if name == "together" and self.answer is not None:
            return check_result(method, self.answer)
        return check_result(method, getattr(self.part, name)(**params))


class Run:
    """What a scene needs of a run."""

    def __init__(self, answer: Json | None) -> None:
        self.iut = Scripted(answer)
        self.plan = JudgingPlan("ref:", AdapterOptions(), Profile.DEFAULT, 0, second_opinion=True)


def scene(answer: Json | None = None) -> QueueManagerScene:
    run = cast("Session", Run(answer))
    made = QueueManagerScene(
        calls_of(run), Clock(real=False), run=run, case=cast("Case", None), judge=cast("Judge", None)
    )
    made.begin()
    made.create("inbox", Properties())
    made.opened(INBOX, Access.RECEIVE)
    return made


def receives(made: QueueManagerScene) -> object:
    return made.receive("inbox")


def one(began: int, ended: int, result: Json | None = None) -> Json:
    return {"began": began, "ended": ended, "result": result or FAILED}


def test_calls_and_answers_are_one_event_of_the_history() -> None:
    made = scene({"lanes": [[one(1, 5)], [one(1, 2), one(6, 7)]]})
    together(made, [[receives], [receives, receives]])
    seen = made.history[-1]
    assert isinstance(seen.event, Together)
    assert [len(lane) for lane in seen.event.lanes] == [1, 2]
    assert seen.event.before == {((0, 0), (1, 1))}
    assert seen.answer == Answers(((Failed(),), (Failed(), Failed())))


def test_the_reference_takes_each_call_in_one_step() -> None:
    made = scene()
    made.opened(INBOX, Access.SEND)
    together(
        made,
        [
            [partial(QueueManagerScene.send, message=message, name="inbox")]
            for message in (Message(Key("m1")), Message(Key("m2")))
        ],
    )
    together(made, [[receives], [receives]])
    answers = made.history[-1].answer
    assert isinstance(answers, Answers)
    assert {lane[0] for lane in answers.lanes} == {Got(Key("m1")), Got(Key("m2"))}
    assert made.explanation.worlds


def test_what_is_no_answer_to_the_calls_is_a_fault(subtests: pytest.Subtests) -> None:
    for answer, wrong in [
        ({"lanes": [[one(1, 2)]]}, r"has lanes of \[1\] answers; expected \[1, 2\]"),
        ({"lanes": [[one(1, 2)], [one(1, 2)]]}, "has lanes of"),
        ({"lanes": [[one(2, 1)], [one(1, 2), one(3, 4)]]}, "ends before it begins"),
        ({"lanes": [[one(1, 2)], [one(1, 3), one(2, 4)]]}, "begins before the one before it"),
        ({"lanes": [[one(1, 2)], [one(1, 2), one(3, 4, {"message": "m1"})]]}, r"queue_manager\.receive: result"),
        ({"lanes": [[{"began": "now"}]]}, "result"),
        ({"lanes": [[]] * 70}, "result"),
    ]:
        with subtests.test(answer=answer), pytest.raises(IutFault, match=wrong):
            together(scene(answer), [[receives], [receives, receives]])


class Blocking(ReferenceQueueManager):
    """Keeps sends until throttling ends."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[tuple[int, partial[Json]]] = []
        self.done: list[Json] = []

    def send(self, handle: int, message: str, assurance: str, **asked: object) -> Json:
        """Send a message, or keep it."""
        sends = partial(super().send, handle, message, assurance, **asked)  # type: ignore[arg-type]
        if not self.world.throttled:
            return sends()
        self.kept.append((100 + len(self.kept), sends))
        return {"pending": self.kept[-1][0]}

    def throttle(self, machine: str, on: bool) -> Json:  # noqa: FBT001 - a field of the protocol
        """End throttling and do what was kept."""
        self.perform("throttle", {"machine": machine, "on": on})
        self.done += [{"operation": number, **sends()} for number, sends in self.kept]
        return {}

    def outcomes(self) -> Json:
        """Tell of sends as well."""
        return {"outcomes": [*self.perform("outcomes", {})["outcomes"], *self.done]}


def test_a_receive_does_not_end_with_an_identifier() -> None:
    with pytest.raises(IutFault, match="a receive ends with a message or with failed"):
        Messages().handed_out({"operation": 1, "id": "m1"}, INBOX)


def test_what_was_blocked_shows_after_throttling() -> None:
    run = scene().run
    run.iut.part = Blocking()  # type: ignore[attr-defined]
    made = QueueManagerScene(
        calls_of(run), Clock(real=False), run=run, case=cast("Case", None), judge=cast("Judge", None)
    )
    made.begin()
    made.create(INBOX, Properties())
    made.perform(Throttle(on=True))
    made.send(Message(Key("m1")), INBOX)
    assert isinstance(made.receive(INBOX), Failed)
    made.perform(Throttle(on=False))
    made.outcomes()
    assert made.history[-1].answer == Ended(frozenset())
    assert made.receive(INBOX) == Got(Key("m1"))
    made.send(Message(Key("m2")), INBOX)
    assert made.history[-1].answer == Done()
    assert made.explanation.standing is Standing.TEXT
