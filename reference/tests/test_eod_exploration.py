from dataclasses import replace

from mqconform.reference.eod.exploration import Bounds, explore
from mqconform.reference.eod.readings_of_receivers import ReceiverReadings, Window
from mqconform.reference.eod.readings_of_senders import FirstOfQueue, Relinking, SenderReadings


def test_every_interleaving_of_a_few_messages_keeps_the_promise():
    for bounds, states in ((Bounds(1, 1, 1), 84), (Bounds(2, 1, 1), 1_746)):
        explored = explore(bounds)
        assert (explored.problem, explored.path) == ("", ()), bounds
        assert explored.states == states, bounds


def test_so_does_every_way_of_linking_that_the_register_permits():
    late = SenderReadings(relinking=Relinking.ON_RESENDS)
    for readings in (late, replace(late, first_of_queue=FirstOfQueue.ZERO_ON_RESENDS)):
        assert explore(Bounds(2, 1, 1), readings).problem == "", readings


def test_a_window_that_rejected_messages_move_lets_one_in_twice():
    explored = explore(Bounds(2), receiving=ReceiverReadings(window=Window.MOVES_ON_ARRIVAL))
    assert explored.problem == "without further faults, 2 is delivered twice"
    assert explored.path == ("queue 1", "queue 2", "transmit", "1 arrives, 1 after 0", "2 arrives, 2 after 1")


def test_a_first_message_without_zero_gets_stuck_when_the_receiver_lost_its_numbers():
    explored = explore(Bounds(2), SenderReadings(first_of_queue=FirstOfQueue.NEVER_ZERO))
    assert explored.problem == "without further faults, 2 gets stuck"
    assert explored.path[-1] == "the receiver loses its numbers"
    assert len(explored.path) == 7
