"""Every way of a few messages between two queue managers: right for the text, wrong for faults."""

from mqconform.reference.mqso.exploration import Bounds, Explored, explore
from mqconform.reference.mqso.faults import transfers


def test_every_state_of_the_text_is_right() -> None:
    """A number that changes means that the model lets more or less happen than it did."""
    for messages, states in ((1, 363), (2, 1_576)):
        assert explore(Bounds(messages)) == Explored(states, "", ()), (messages, states)


def test_a_fault_is_found_with_the_way_that_leads_to_it() -> None:
    for fault, problem in (
        (transfers.TakesDuplicates, "m1 is received twice"),
        (transfers.LAST_OF_WAITING_FIRST, "m1 is received after m2"),
        (transfers.LosesOutgoingTransactional, "m1 is lost"),
    ):
        explored = explore(Bounds(messages=2), fault.model)
        assert explored.problem == problem, (fault, problem)
        assert explored.path[0] == "m1 is sent", (fault, problem)
