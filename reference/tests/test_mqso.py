"""The queue manager as worlds: what histories it allows, and on which readings they rest."""

from mqso_histories import (
    DONE,
    FAILED,
    NONE_ENDED,
    ORDERS,
    PENDING,
    PLAIN,
    SMALL,
    START,
    allowed,
    got,
    receive,
    send,
    told,
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
from mqconform.reference.mqso.immutable import FrozenMap


def test_a_contradiction_names_the_answer_and_what_was_allowed() -> None:
    contradiction = told((send("a"), DONE), (receive(1), FAILED)).contradiction
    assert contradiction is not None
    assert contradiction.place == len(START) + 1
    assert set(contradiction.allowed) == {got("a")}


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


def test_what_was_cancelled_ends_with_an_error() -> None:
    ended = Ended(frozenset({(Operation(1), FAILED)}))
    assert allowed((receive(1, wait=5 * SECOND), PENDING), (Cancel(Operation(1)), DONE), (Outcomes(), ended))


def test_the_order_of_transactions_is_that_of_sends_or_of_commits_throughout() -> None:
    def round_of(first: str, second: str, then: tuple[str, str]) -> list[tuple[Event, Answer]]:
        a, b = TransactionId(len(first) * 10 + 1), TransactionId(len(first) * 10 + 2)
        reads = TransactionId(len(first) * 10 + 3)
        return [
            (Begin(a), DONE), (Begin(b), DONE), (send(first, ORDERS, a), DONE), (send(second, ORDERS, b), DONE),
            (End(b, commit=True), Committed(committed=True)), (End(a, commit=True), Committed(committed=True)),
            (Begin(reads), DONE), (receive(len(first), ORDERS, reads), got(then[0])),
            (receive(len(first) + 50, ORDERS, reads), got(then[1])),
            (End(reads, commit=True), Committed(committed=True)),
        ]  # fmt: skip

    sends, commits = ("a", "b"), ("b", "a")
    assert allowed(*round_of("a", "b", sends), *round_of("aa", "bb", ("aa", "bb")))
    assert allowed(*round_of("a", "b", commits), *round_of("aa", "bb", ("bb", "aa")))
    assert not allowed(*round_of("a", "b", sends), *round_of("aa", "bb", ("bb", "aa")))


def test_maps_are_equal_by_content() -> None:
    one = FrozenMap({"a": 1}).having("b", 2)
    assert one == FrozenMap({"b": 2, "a": 1})
    assert hash(one) == hash(FrozenMap({"b": 2, "a": 1}))
    assert dict(one.without("a")) == {"b": 2}


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
