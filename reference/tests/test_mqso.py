"""The queue manager as worlds: what histories it allows, and that each fault is told from what the text allows."""

import pytest
from mqso_histories import (
    ACKS,
    DONE,
    FAILED,
    NONE_ENDED,
    ORDERS,
    PENDING,
    PLAIN,
    READ,
    SMALL,
    START,
    T1,
    T2,
    allowed,
    got,
    opened,
    receive,
    send,
    told,
)

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    SECOND,
    TRANSACTIONAL_DEAD_LETTERS,
    Asked,
    Assurance,
    CursorId,
    Kind,
    Operation,
    TransactionId,
)
from mqconform.reference.mqso.events import (
    Answer,
    Begin,
    Cancel,
    Committed,
    CoordinatorBecomes,
    Count,
    Counted,
    CreateCursor,
    End,
    Ended,
    Event,
    Move,
    Outcomes,
    Receive,
    Start,
    Stop,
    TimePassed,
)
from mqconform.reference.mqso.frozen_map import FrozenMap


def test_first_in_is_first_out() -> None:
    sent = [(send("a"), DONE), (send("b"), DONE)]
    assert allowed(*sent, (receive(1), got("a")), (receive(2), got("b")), (receive(3), FAILED))
    assert not allowed(*sent, (receive(1), got("b")))


def test_a_contradiction_names_the_answer_and_what_was_allowed() -> None:
    contradiction = told((send("a"), DONE), (receive(1), FAILED)).contradiction
    assert contradiction is not None
    assert contradiction.place == len(START) + 1
    assert set(contradiction.allowed) == {got("a")}


def test_any_of_several_readers_gets_a_message() -> None:
    waiting = [(receive(1, wait=5 * SECOND), PENDING), (receive(2, wait=5 * SECOND), PENDING), (send("a"), DONE)]
    for operation in (1, 2):
        assert allowed(*waiting, (Outcomes(), Ended(frozenset({(Operation(operation), got("a"))}))))
    assert not allowed(*waiting, (Outcomes(), NONE_ENDED))


def test_a_wait_ends_near_its_time() -> None:
    for seconds, ends in ((4.0, False), (4.8, None), (5.2, None), (6.0, True)):
        waiting = [(receive(1, wait=5 * SECOND), PENDING), (TimePassed(round(seconds * SECOND)), DONE)]
        failing = allowed(*waiting, (Outcomes(), Ended(frozenset({(Operation(1), FAILED)}))))
        silent = allowed(*waiting, (Outcomes(), NONE_ENDED))
        assert (failing, silent) == ((True, True) if ends is None else (ends, not ends))


def test_what_was_cancelled_ends_with_an_error() -> None:
    ended = Ended(frozenset({(Operation(1), FAILED)}))
    assert allowed((receive(1, wait=5 * SECOND), PENDING), (Cancel(Operation(1)), DONE), (Outcomes(), ended))


def test_a_transaction_shows_when_it_commits() -> None:
    begun = [(Begin(T1), DONE), (send("a", ORDERS, 1), DONE)]
    looks = receive(9, ORDERS, takes=False)
    assert allowed(*begun, (looks, FAILED), (End(T1, commit=True), Committed(committed=True)), (looks, got("a")))
    assert not allowed(*begun, (looks, got("a")))
    assert not allowed(*begun, (End(T1, commit=False), DONE), (looks, got("a")))


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


def test_what_an_aborted_transaction_received_keeps_its_place() -> None:
    sent = [(Begin(T1), DONE), (send("a", ORDERS, 1), DONE), (send("b", ORDERS, 1), DONE)]
    sent += [(End(T1, commit=True), Committed(committed=True)), (Begin(T2), DONE), (receive(1, ORDERS, 2), got("a"))]
    looks = receive(9, ORDERS, takes=False)
    assert allowed(*sent, (looks, got("b")), (End(T2, commit=False), DONE), (looks, got("a")))
    last = told(*sent, (End(T2, commit=False), DONE), (looks, got("b")))
    assert last.standing is Standing.REFUSED
    assert {str(one) for one in last.readings} == {"QM-06/at-the-end"}


def test_a_receive_outside_of_transactions_is_refused() -> None:
    sent = [(Begin(T1), DONE), (send("a", ORDERS, 1), DONE), (End(T1, commit=True), Committed(committed=True))]
    assert allowed(*sent, (receive(1, ORDERS), FAILED))
    assert told(*sent, (receive(1, ORDERS), got("a"))).standing is Standing.REFUSED


@pytest.mark.parametrize("suddenly", [False, True])
def test_a_restart_keeps_what_is_recoverable(suddenly: bool) -> None:  # noqa: FBT001
    sent = [(send("x"), DONE), (send("r", assurance=Assurance.RECOVERABLE), DONE), (Stop(suddenly), DONE)]
    stopped = [(receive(1), FAILED), (Start(), DONE), *((event, DONE) for event in opened())]
    assert allowed(*sent, *stopped, (receive(2), got("r")), (receive(3), FAILED))
    assert not allowed(*sent, *stopped, (receive(2), got("x")))


def test_dead_letters_are_those_that_asked() -> None:
    within = {"receive_within": 10 * SECOND}
    sent = [(send("a", dead_letter=True, **within), DONE), (send("b", **within), DONE), (TimePassed(11 * SECOND), DONE)]
    gone = [*sent, (receive(1), FAILED)]
    assert allowed(*gone, (receive(2, DEAD_LETTERS), got("a")), (receive(3, DEAD_LETTERS), FAILED))
    assert not allowed(*gone, (receive(2, DEAD_LETTERS), got("b")))
    assert not allowed(*gone, (receive(2, TRANSACTIONAL_DEAD_LETTERS), got("a")))


def test_acknowledgments_name_their_message() -> None:
    asked = {"asked": frozenset({Asked.RECEIVE}), "administration": ACKS}
    sent = [(send("a", **asked), DONE), (receive(1, ACKS), FAILED), (receive(2), got("a"))]
    assert allowed(*sent, (receive(3, ACKS), got("positive acknowledgment of a")))
    assert not allowed(*sent, (receive(3, ACKS), got("negative acknowledgment of a")))


def test_who_waits_for_an_acknowledgment_gets_it() -> None:
    asking = {"receive_within": 5 * SECOND, "asked": frozenset({Asked.NEGATIVE}), "administration": ACKS}
    report = got("negative acknowledgment of a")
    waiting = [(receive(1, ACKS, wait=60 * SECOND), PENDING), (send("a", **asking), DONE)]
    late = [*waiting, (TimePassed(10 * SECOND), DONE), (receive(2), FAILED)]
    assert allowed(*late, (Outcomes(), Ended(frozenset({(Operation(1), report)}))))
    assert not allowed(*late, (Outcomes(), NONE_ENDED))
    assert not allowed(*late, (receive(3, ACKS), report))


def test_a_dead_letter_that_is_read_was_not_received() -> None:
    asking = {"asked": frozenset({Asked.RECEIVE}), "administration": ACKS}
    sent = [(send("a", receive_within=5 * SECOND, dead_letter=True, **asking), DONE), (TimePassed(10 * SECOND), DONE)]
    read = [*sent, (receive(1), FAILED), (receive(2, DEAD_LETTERS), got("a"))]
    assert allowed(*read, (receive(3, ACKS), FAILED))
    assert not allowed(*read, (receive(3, ACKS), got("positive acknowledgment of a")))


def test_the_loss_of_the_coordinator_ends_external_transactions_only() -> None:
    begun = [
        (Begin(T1, Kind.EXTERNAL), DONE),
        (Begin(T2), DONE),
        (send("a", ORDERS, 1), DONE),
        (send("b", ORDERS, 2), DONE),
    ]
    lost = [*begun, (CoordinatorBecomes(lost=True), DONE), (End(T2, commit=True), Committed(committed=True))]
    assert allowed(*lost, (receive(1, ORDERS, takes=False), got("b")), (Begin(TransactionId(3), Kind.EXTERNAL), FAILED))
    assert not allowed(*begun, (CoordinatorBecomes(lost=True), DONE), (End(T1, commit=True), Committed(committed=True)))


def test_no_room_no_message() -> None:
    full = [(send("a", SMALL), DONE)]
    assert allowed(*full, (send("b", SMALL), FAILED), (receive(1, SMALL), got("a")), (send("c", SMALL), DONE))
    assert not allowed(*full, (send("b", SMALL), DONE), (Count(SMALL), Counted(2)))


def test_cursors_have_a_place_each() -> None:
    one, two = CursorId(1), CursorId(2)
    made = [(send(key), DONE) for key in "abc"] + [
        (CreateCursor(one, READ[PLAIN]), DONE),
        (CreateCursor(two, READ[PLAIN]), DONE),
    ]

    def looks(operation: int, cursor: CursorId, move: Move) -> Receive:
        return receive(operation, takes=False, cursor=cursor, move=move)

    moved = [*made, (looks(1, one, Move.CURRENT), got("a")), (looks(2, one, Move.NEXT), got("b"))]
    assert allowed(*moved, (looks(3, two, Move.CURRENT), got("a")))
    assert not allowed(*moved, (looks(3, two, Move.CURRENT), got("b")))
    assert not allowed(*moved, (Stop(), DONE), (Start(), DONE), (looks(3, one, Move.CURRENT), got("b")))


def test_maps_are_equal_by_content() -> None:
    one = FrozenMap({"a": 1}).having("b", 2)
    assert one == FrozenMap({"b": 2, "a": 1})
    assert hash(one) == hash(FrozenMap({"b": 2, "a": 1}))
    assert dict(one.without("a")) == {"b": 2}
