"""Every way of a few messages between two queue managers: right for the text, wrong for faults."""

import pytest

from mqconform.reference.mqso.exploration import Bounds, Explored, explore
from mqconform.reference.mqso.faults import together
from mqconform.reference.mqso.faults.fault_together import FaultTogether


@pytest.mark.parametrize(("messages", "states"), [(1, 363), (2, 1_576), (3, 4_087)])
def test_every_state_of_the_text_is_right(messages: int, states: int) -> None:
    """A number that changes means that the model lets more or less happen than it did."""
    assert explore(Bounds(messages)) == Explored(states, "", ())


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        (together.TakesDuplicates, "m1 is received twice"),
        (together.LastOfWaitingFirst, "m1 is received after m2"),
        (together.LosesOutgoingTransactional, "m1 is lost"),
    ],
)
def test_a_fault_is_found_with_the_way_that_leads_to_it(fault: FaultTogether, problem: str) -> None:
    explored = explore(Bounds(messages=2), fault.model)
    assert explored.problem == problem
    assert explored.path[0] == "m1 is sent"
