"""The queue manager of a scenario, and what its judgement needs."""

from dataclasses import dataclass

import pytest

from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqso.blame import broken_by
from mqconform.harness.judge.mqso.clock import clock_of
from mqconform.harness.judge.mqso.driven_queue_manager import Call, DrivenQueueManager
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case


@dataclass(slots=True, kw_only=True)
class QueueManagerScene(DrivenQueueManager):
    """A queue manager, driven by the steps of a scenario and judged by them."""

    run: Session
    case: Case
    judge: Judge

    def broken(self) -> tuple[str, ...]:
        """Return the requirements that the history breaks."""
        return broken_by(self.history, self.case.requirements)


@pytest.fixture
def queue_manager(run: Session, case: Case) -> QueueManagerScene:
    """Give a scenario a queue manager as freshly installed."""
    run.patience.check_alive()
    run.iut.call("reset", {})
    return begun(run, case)


def begun(run: Session, case: Case) -> QueueManagerScene:
    """Return a queue manager as freshly installed and running."""
    judge = run.judge
    scene = QueueManagerScene(calls_of(run), clock_of(run), run=run, case=case, judge=judge)
    scene.begin()
    return scene


def calls_of(run: Session) -> Call:
    """Return what calls the implementation of a run, whichever that is then: one that is lost is replaced."""

    def call(operation: str, params: Json) -> Json:
        return run.iut.call(f"queue_manager.{operation}", params)

    return call
