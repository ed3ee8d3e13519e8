"""The queue manager of a scenario, or its several, and what their judgement needs. Steps and checks stand elsewhere."""

from dataclasses import dataclass

import pytest

from mqconform.harness.iut.interface import Json
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_scene import JudgedScene, fresh_judge
from mqconform.harness.judge.mqso.blame import broken_by
from mqconform.harness.judge.mqso.clock import clock_of
from mqconform.harness.judge.mqso.driven_network import DrivenNetwork
from mqconform.harness.judge.mqso.driven_queue_manager import Call, DrivenQueueManager
from mqconform.harness.judge.mqso.network_blame import broken_by_several
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case


@dataclass(slots=True, kw_only=True)
class QueueManagerScene(DrivenQueueManager, JudgedScene):
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
    return begun(run, case, fresh_judge(run))


def begun(run: Session, case: Case, judge: Judge) -> QueueManagerScene:
    """Return a queue manager as freshly installed and running."""
    scene = QueueManagerScene(calls_of(run), clock_of(run), run=run, case=case, judge=judge)
    scene.begin()
    return scene


def calls_of(run: Session) -> Call:
    """Return what calls the implementation of a run, whichever that is then: one that is lost is replaced."""

    def call(operation: str, params: Json) -> Json:
        return run.iut.call(f"queue_manager.{operation}", params)

    return call


@dataclass(slots=True, kw_only=True)
class NetworkScene(DrivenNetwork, JudgedScene):
    """Several queue managers, driven by the steps of a scenario and judged by them."""

    run: Session
    case: Case
    judge: Judge

    def broken(self) -> tuple[str, ...]:
        """Return the requirements that the history breaks."""
        return broken_by_several(self.history, self.case.requirements, self.start)


@pytest.fixture
def network(run: Session, case: Case) -> NetworkScene:
    """Give a scenario what it needs for several queue managers; their names come with its first step."""
    return NetworkScene(calls_of(run), clock_of(run), run=run, case=case, judge=fresh_judge(run))
