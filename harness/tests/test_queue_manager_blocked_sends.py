"""A send that waits for the end of throttling: what becomes of it shows in its queue, and may be told besides."""

from functools import partial
from typing import TYPE_CHECKING, cast

import pytest
from test_queue_managers_at_once import INBOX, scene

from mqconform.harness.iut.interface import IutFault, Json
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.judge.mqso.clock import Clock
from mqconform.harness.judge.mqso.messages import Messages
from mqconform.harness.judge.mqso.scenes import QueueManagerScene, calls_of
from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import Key, Message, Properties
from mqconform.reference.mqso.events import Done, Ended, Failed, Got, Throttle

if TYPE_CHECKING:
    from mqconform.harness.judge.judge import Judge
    from mqconform.harness.records.case import Case


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
