"""Steps that put a sender or a receiver into a network that fails: fault schedules, generated or written out.

The other end is the reference. What breaks the promise is shrunk, told as a time line, and kept as a named case.
"""

from dataclasses import dataclass, field

import pytest
from pytest_bdd import given, parsers, then, when

from mqconform.harness.builtin.discovery_server import ReferenceIut
from mqconform.harness.eod.ends import Call, operations_of
from mqconform.harness.eod.saved_schedule import save_schedule
from mqconform.harness.eod.schedule_text import parse_schedule
from mqconform.harness.eod.search import Ends, Trouble, find_trouble
from mqconform.harness.oracle.eod_delivery import EXPECTED, violations
from mqconform.harness.oracle.judge import Judge
from mqconform.harness.running.session import Case, Session

SCHEDULES = 60
"""Tried while all is well; the usual mistakes show within thirty."""


@dataclass(slots=True)
class DeliveryScene:
    """Both ends of a scenario.

    Attributes:
        role: which of the two is the implementation.
        trouble: what went wrong, under the smallest schedule that was found.
        tried: how many schedules were run.
    """

    run: Session
    case: Case
    judge: Judge
    role: str = ""
    trouble: Trouble | None = None
    tried: int = 0
    reference: Call = field(default_factory=lambda: operations_of(ReferenceIut()))

    @property
    def ends(self) -> Ends:
        """The two ends; what is asked of the implementation goes through the session."""
        ours: Call = self.run.iut.call
        return Ends(ours, self.reference) if self.role == "ordered_sender" else Ends(self.reference, ours)

    def count(self) -> None:
        """Count a schedule."""
        self.tried += 1


@pytest.fixture
def delivery(run: Session, case: Case) -> DeliveryScene:
    """Give a scenario two ends as freshly started."""
    run.check_alive()
    run.iut.call("reset", {})
    return DeliveryScene(run, case, Judge(run.register, run.profile, run.readings))


@given(parsers.re(r"the (?P<role>sender|receiver) of streams at one end of a network that fails"))
def at_one_end(delivery: DeliveryScene, role: str) -> None:
    """Put the implementation at one end, the reference at the other."""
    delivery.role = f"ordered_{role}"


@when("generated fault schedules are run")
def generated_schedules_are_run(delivery: DeliveryScene) -> None:
    """Search for a schedule under which the promise is broken, and make it small."""
    seed = delivery.run.seed
    delivery.trouble = find_trouble(delivery.ends, schedules=SCHEDULES, seed=seed, each=delivery.count)
    if delivery.trouble:
        _keep(delivery, delivery.trouble)


@when(parsers.re(r'the fault schedule "(?P<schedule>[^"]+)" is run'))
def schedule_is_run(delivery: DeliveryScene, schedule: str) -> None:
    """Run one schedule."""
    delivery.count()
    delivery.trouble = delivery.ends.run(parse_schedule(schedule))


@then("every message is delivered once and in order")
def promise_is_kept(delivery: DeliveryScene) -> None:
    """Judge what happened."""
    if delivery.trouble is None:
        observed = f"nothing else in {delivery.tried} fault schedules"
        judgement = delivery.judge.says(True, EXPECTED, observed)
        delivery.run.witness(delivery.case, delivery.case.requirements, judgement)
        return
    found = [*violations(delivery.judge, delivery.role, delivery.trouble)]
    assert found, f"the history blames the reference alone: {delivery.trouble.violations}"
    for requirement, judgement in found:
        delivery.run.witness(delivery.case, (requirement,), judgement)


def _keep(delivery: DeliveryScene, trouble: Trouble) -> None:
    """Save the schedule as a scenario of its own, beside the results."""
    directory = delivery.run.writer.path.parent
    requirement = trouble.violations[0].requirement
    path = save_schedule(directory, requirement, delivery.role, trouble.schedule, delivery.run.seed)
    delivery.case.saved.append(path)
