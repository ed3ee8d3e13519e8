"""Calls at the same time: explained by any order that lanes and times allow, and by nothing else."""

from mqso_histories import ACKS, MODEL, START, History, receive, send

from mqconform.reference.history.queue_manager import check_history
from mqconform.reference.mqso.elements import Key
from mqconform.reference.mqso.events import Answer, Answers, Done, Event, Failed, Got, Purge, Stop, Together
from mqconform.reference.mqso.explanation import Seen, explain

DONE, FAILED = Done(), Failed()
A, B = Got(Key("a")), Got(Key("b"))
SENT = [(send("a"), DONE), (send("b"), DONE)]


def explained(*seen: tuple[Event, Answer]) -> bool:
    """Return whether the model explains it; the check of histories has to agree with it."""
    history = [*(Seen(event, DONE) for event in START), *(Seen(event, answer) for event, answer in seen)]
    explains = bool(explain(history).worlds)
    assert explains == (check_history(history) == ())
    return explains


def at_once(*lanes: list[tuple[Event, Answer]], before: tuple[tuple[int, int], ...] = ()) -> tuple[Together, Answers]:
    events = tuple(tuple(event for event, _ in lane) for lane in lanes)
    first_calls = frozenset(((first, 0), (later, 0)) for first, later in before)
    return Together(events, first_calls), Answers(tuple(tuple(answer for _, answer in lane) for lane in lanes))


def test_two_readers_get_what_one_after_the_other_would() -> None:
    assert explained(*SENT, at_once([(receive(1), A)], [(receive(2), B)]))
    assert explained(*SENT, at_once([(receive(1), B)], [(receive(2), A)]))
    assert not explained(*SENT, at_once([(receive(1), A)], [(receive(2), A)]))
    assert not explained(*SENT, at_once([(receive(1), A)], [(receive(2), FAILED)]))


def test_each_call_of_a_stopped_queue_manager_fails() -> None:
    assert explained((Stop(), DONE), at_once([(send("a"), FAILED)], [(Purge(ACKS), FAILED)]))
    assert not explained((Stop(), DONE), at_once([(send("a"), DONE)], [(Purge(ACKS), FAILED)]))


def test_both_oracles_agree_on_what_the_model_answers() -> None:
    for seed in range(6):
        history = History(MODEL, seed)
        history.does(send("a"))
        calls = ((send("b"), receive(1)), (receive(2), send("c")), (receive(3, takes=False), Purge(ACKS)))
        history.does(Together(calls))
        for number in range(4, 8):
            history.does(receive(number))
        assert check_history(history.seen) == ()
