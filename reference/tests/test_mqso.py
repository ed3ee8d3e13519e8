"""The queue manager as worlds: reports of one commit, which come in any order that each queue allows."""

from mqso_histories import (
    DONE,
    allowed,
)

from mqconform.reference.mqso.acknowledgments import report_key
from mqconform.reference.mqso.elements import (
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
    Committed,
    CreateQueue,
    End,
    Event,
    Got,
    Open,
    Receive,
    Send,
)

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
