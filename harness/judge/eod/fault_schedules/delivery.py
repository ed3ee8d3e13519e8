"""Delivery through a network that fails: the promise of both ends, under schedules generated or written out.

The other end is the reference. What breaks the promise is shrunk, told as a time line, and kept as a named case.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import pytest

from mqconform.harness.iut.all_roles import ReferenceIut
from mqconform.harness.iut.drivers.ordered_delivery.ends import Call, operations_of
from mqconform.harness.iut.drivers.ordered_delivery.schedule import parse_schedule, written
from mqconform.harness.judge.eod.fault_schedules.schedule_search import Ends, Trouble, find_trouble, story
from mqconform.harness.judge.judge import Judge
from mqconform.harness.judge.judged_scene import JudgedScene, fresh_judge
from mqconform.harness.judge.marks import from_seed
from mqconform.harness.judge.session import Session
from mqconform.harness.records.case import Case
from mqconform.harness.records.witness import Judgement
from mqconform.harness.suite.steps import given, then, when
from mqconform.reference.eod.readings_of_receivers import TooEarly

SCHEDULES: Final = 45
"""Tried while all is well; the usual mistakes show within thirty."""
EXPECTED: Final = "every message delivered once and in order, by the rules of both ends"


@dataclass(slots=True)
class DeliveryScene(JudgedScene):
    """Both ends of a scenario.

    Attributes:
        role: which of the two is the implementation.
        trouble: what went wrong, under the smallest schedule that was found.
        tried: how many schedules were run.
        left_open: what would be trouble if the receiver did not keep early messages.
    """

    run: Session
    case: Case
    judge: Judge
    role: str = ""
    trouble: Trouble | None = None
    schedules_tried: int = 0
    left_open: list[Trouble] = field(default_factory=list)
    reference: Call = field(default_factory=lambda: operations_of(ReferenceIut()))

    @property
    def ends(self) -> Ends:
        """The two ends; what is asked of the implementation goes through the session."""
        ours: Call = self.run.iut.call
        if self.role == "ordered_sender":
            return Ends(ours, self.reference)
        return Ends(self.reference, ours, self.left_open)

    def count(self) -> None:
        """Count a schedule."""
        self.schedules_tried += 1


@pytest.fixture
def delivery(run: Session, case: Case) -> DeliveryScene:
    """Give a scenario two ends as freshly started."""
    return DeliveryScene(run, case, fresh_judge(run))


@given(r"the (?P<role>sender|receiver) of streams at one end of a network that fails")
def at_one_end(delivery: DeliveryScene, role: str) -> None:
    delivery.role = f"ordered_{role}"


@when("generated fault schedules are run")
@from_seed
def generated_schedules_are_run(delivery: DeliveryScene) -> None:
    run = delivery.run
    schedules = SCHEDULES * run.plan.thorough
    delivery.trouble = find_trouble(delivery.ends, schedules=schedules, seed=run.plan.seed, each=delivery.count)
    if delivery.trouble:
        _save(delivery, delivery.trouble)


@when(r'the fault schedule "(?P<schedule>[^"]+)" is run')
def schedule_is_run(delivery: DeliveryScene, schedule: str) -> None:
    delivery.count()
    delivery.trouble = delivery.ends.run(parse_schedule(schedule))


@then("every message is delivered once and in order")
def promise_is_kept(delivery: DeliveryScene) -> None:
    if delivery.trouble is None and delivery.left_open:
        reading = TooEarly.KEPT.reading
        judgement = delivery.judge.reading(reading.register, reading.name, EXPECTED, story(delivery.left_open[0]))
        delivery.witness(judgement)
        return
    if delivery.trouble is None:
        observed = f"no violation in {delivery.schedules_tried} fault schedules"
        judgement = delivery.judge.says(True, EXPECTED, observed)
        delivery.witness(judgement)
        return
    broken = [*violations(delivery.judge, delivery.role, delivery.trouble)]
    assert broken, f"only the reference is at fault: {delivery.trouble.violations}"
    for requirement, judgement in broken:
        delivery.run.witness(delivery.case, (requirement,), judgement)


def violations(judge: Judge, role: str, trouble: Trouble) -> Iterator[tuple[str, Judgement]]:
    """Yield each requirement that is violated, with a judgement that tells the whole story (page, section 2).

    The other end is the reference, so that what the history blames on neither end is the fault of this one.
    """
    ours = (violation for violation in trouble.violations if violation.finding.role in ("", role))
    says = {violation.finding.requirement: violation.finding.says for violation in trouble.violations}
    for requirement in dict.fromkeys(violation.finding.requirement for violation in ours):
        yield requirement, judge.says(False, EXPECTED, f"{says[requirement]}\n{story(trouble)}")


def _save(delivery: DeliveryScene, trouble: Trouble) -> None:
    """Save the schedule as a scenario of its own, beside the results."""
    steps = [
        f"Given the {delivery.role.removeprefix('ordered_')} of streams at one end of a network that fails",
        f'When the fault schedule "{written(trouble.schedule)}" is run',
        "Then every message is delivered once and in order",
    ]
    requirement, title = trouble.violations[0].finding.requirement, "A fault schedule that breaks the promise"
    delivery.save_case(steps, tags=f"@role:{delivery.role}", requirement=requirement, title=title)
