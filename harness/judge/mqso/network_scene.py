"""The queue managers of a scenario, and what their judgement needs."""

from dataclasses import dataclass

import pytest

from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.mqso.clock import clock_of
from mqconform.harness.judge.mqso.driven_network import DrivenNetwork
from mqconform.harness.judge.mqso.network_blame import broken_by_several
from mqconform.harness.judge.mqso.queue_manager_scene import calls_of
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case


@dataclass(slots=True, kw_only=True)
class NetworkScene(DrivenNetwork):
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
    run.patience.check_alive()
    run.iut.call("reset", {})
    judge = run.judge
    return NetworkScene(calls_of(run), clock_of(run), run=run, case=case, judge=judge)
