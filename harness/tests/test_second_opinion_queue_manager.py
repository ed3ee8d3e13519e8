"""A run with a second opinion on queue managers: it agrees on every history, and a bug in it is an error of ours."""

from pathlib import Path

import pytest
from long_tier import mostly_long
from queue_manager_plays import played

from mqconform.harness.iut.interface import AdapterOptions
from mqconform.harness.iut.mutants.mqso import CONFORMING
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.judge.mqso import queue_manager_checks
from mqconform.harness.judge.mqso.queue_manager_checks import HistoryDisagreement
from mqconform.harness.records.profile import Profile
from mqconform.harness.run.execution import Outcome, Plan, execute
from mqconform.harness.suite.selection import Selection
from mqconform.reference.history.breach import breach


def judged(iut: str, out: Path, *requirements: str) -> Outcome:
    chosen = Selection(requirements)
    return execute(Plan(iut, AdapterOptions(), Profile.DEFAULT, 0, chosen, out, second_opinion=True))


_NAMES = [one.name for one in CONFORMING]
_SOON = ["queue-least-convenient", "queue-journal-of-received"]


@pytest.mark.parametrize("name", mostly_long(_NAMES, first=_SOON))
def test_it_agrees_with_the_model_on_every_scenario(name: str) -> None:
    part = next(one for one in CONFORMING if one.name == name).make()
    assert isinstance(part, ReferenceQueueManager)
    assert not played(part, second_opinion=True).problems


def test_a_disagreement_is_an_error_of_the_harness(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = breach("nothing is wrong", (0,), "5.1.1.2-01")
    monkeypatch.setattr(queue_manager_checks, "check_history", lambda _: (wrong,))
    outcome = judged("ref:", tmp_path / "out", "MQSO-5.1.1.2-12")
    assert outcome.exit_code == 3
    assert any(HistoryDisagreement.__name__ in case.error for case in outcome.cases)
