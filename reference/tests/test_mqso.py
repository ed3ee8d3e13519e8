"""The queue manager as worlds: what it leaves open although no reading is noted for it."""

from mqso_histories import (
    DONE,
    FAILED,
    NONE_ENDED,
    PENDING,
    PLAIN,
    SMALL,
    allowed,
    got,
    receive,
    send,
)

from mqconform.reference.mqso.acknowledgments import report_key
from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    SECOND,
    Access,
    Asked,
    Handle,
    Key,
    Message,
    Operation,
    Properties,
    QueueName,
    Report,
    TransactionId,
)
from mqconform.reference.mqso.events import (
    Answer,
    Begin,
    Cancel,
    Committed,
    CreateQueue,
    End,
    Ended,
    Event,
    Got,
    Open,
    Outcomes,
    Receive,
    Send,
    Stop,
    TimePassed,
)


def test_a_wait_ends_near_its_time() -> None:
    for seconds, ends in ((4.0, False), (4.8, None), (5.2, None), (6.0, True)):
        waiting = [(receive(1, wait=5 * SECOND), PENDING), (TimePassed(round(seconds * SECOND)), DONE)]
        failing = allowed(*waiting, (Outcomes(), Ended(frozenset({(Operation(1), FAILED)}))))
        silent = allowed(*waiting, (Outcomes(), NONE_ENDED))
        assert (failing, silent) == ((True, True) if ends is None else (ends, not ends))


def test_dead_letters_come_queue_by_queue_or_in_the_order_of_their_times() -> None:
    late = send("late", PLAIN, receive_within=12 * SECOND, dead_letter=True)
    soon = send("soon", SMALL, receive_within=5 * SECOND, dead_letter=True)
    for first in ("late", "soon"):
        passed = [(late, DONE), (soon, DONE), (TimePassed(20 * SECOND), DONE)]
        assert allowed(*passed, (receive(1, DEAD_LETTERS), got(first))), first


def test_a_stop_of_what_is_stopped_may_succeed_or_fail() -> None:
    for answer in (DONE, FAILED):
        assert allowed((Stop(), DONE), (Stop(), answer)), answer


def test_a_receive_without_time_may_have_ended_when_its_outcome_is_asked_for() -> None:
    ended = Ended(frozenset({(Operation(1), FAILED)}))
    assert allowed((receive(1), PENDING), (Outcomes(), ended))
    assert not allowed((receive(1, wait=5 * SECOND), PENDING), (Outcomes(), ended))


def test_what_was_cancelled_ends_with_an_error() -> None:
    ended = Ended(frozenset({(Operation(1), FAILED)}))
    assert allowed((receive(1, wait=5 * SECOND), PENDING), (Cancel(Operation(1)), DONE), (Outcomes(), ended))


ACKS = QueueName("acks")


def reports_of_a_commit(queues: int, order: str) -> bool:
    """Return whether reports may be received in an order: of two messages to each queue, named by the queue's letter.

    The transaction of ``x``, which is in the first queue, commits after that.
    """
    handle, asking = Handle(99), frozenset({Asked.REACH})
    first, second = TransactionId(1), TransactionId(2)
    history: list[tuple[Event, Answer]] = [
        (CreateQueue(ACKS, Properties()), DONE),
        (Begin(first), DONE),
        (Begin(second), DONE),
    ]
    for letter in "abcdefghijkl"[:queues]:
        name, place = QueueName(letter), Handle(ord(letter))
        history += [(CreateQueue(name, Properties(transactional=True)), DONE), (Open(place, name, Access.SEND), DONE)]
        for key in (f"{letter}1", f"{letter}2"):
            history.append((Send(place, Message(Key(key), asked=asking, administration=ACKS), first), DONE))
    after = Message(Key("x"), asked=asking, administration=ACKS)
    history.append((Send(Handle(ord("a")), after, second), DONE))
    history += [(End(ender, commit=True), Committed(committed=True)) for ender in (first, second)]
    history.append((Open(handle, ACKS, Access.RECEIVE), DONE))
    for number, key in enumerate(order.split()):
        looked = Got(report_key(Report(Key(key), positive=True)))
        history += [(Receive(Operation(number), handle, takes=takes), looked) for takes in (False, True)]
    return allowed(*history)


def test_what_one_commit_tells_of_several_queues_comes_in_any_order() -> None:
    for order in ("a1 a2 b1 b2 c1 c2 x", "a1 b1 c1 a2 b2 c2 x", "c1 b1 b2 a1 c2 a2 x"):
        assert reports_of_a_commit(3, order), order
    for order in ("a2 a1", "b2", "x", "a1 b1 c1 a2 b2 x"):  # messages keep their order in a queue (5.1.1.2)
        assert not reports_of_a_commit(3, order), order


def test_what_a_commit_tells_of_a_dozen_queues_is_soon_followed() -> None:
    turns = "lkjihgfedcba"
    assert reports_of_a_commit(
        12, " ".join((*(f"{letter}1" for letter in turns), *(f"{letter}2" for letter in turns), "x"))
    )
