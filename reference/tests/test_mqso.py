"""The queue manager as worlds: what histories it allows, and on which readings they rest."""

from mqso_histories import (
    ACKS,
    DONE,
    FAILED,
    NONE_ENDED,
    ORDERS,
    PENDING,
    START,
    T1,
    T2,
    allowed,
    got,
    receive,
    send,
    told,
)

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import SECOND, Asked, Operation, TransactionId
from mqconform.reference.mqso.events import (
    Answer,
    Begin,
    Cancel,
    Committed,
    End,
    Ended,
    Event,
    Outcomes,
    Stop,
    TimePassed,
)
from mqconform.reference.mqso.frozen_map import FrozenMap


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


def test_what_an_aborted_transaction_received_keeps_its_place() -> None:
    sent = [(Begin(T1), DONE), (send("a", ORDERS, 1), DONE), (send("b", ORDERS, 1), DONE)]
    sent += [(End(T1, commit=True), Committed(committed=True)), (Begin(T2), DONE), (receive(1, ORDERS, 2), got("a"))]
    looks = receive(9, ORDERS, takes=False)
    assert allowed(*sent, (looks, got("b")), (End(T2, commit=False), DONE), (looks, got("a")))
    last = told(*sent, (End(T2, commit=False), DONE), (looks, got("b")))
    assert last.standing is Standing.REFUSED
    assert {str(one) for one in last.readings} == {"QM-06/at-the-end"}


def test_a_receive_outside_of_transactions_is_refused_by_the_text() -> None:
    sent = [(Begin(T1), DONE), (send("a", ORDERS, 1), DONE), (End(T1, commit=True), Committed(committed=True))]
    assert allowed(*sent, (receive(1, ORDERS), FAILED))
    assert told(*sent, (receive(1, ORDERS), got("a"))).standing is Standing.REFUSED


def test_who_waits_for_an_acknowledgment_gets_it() -> None:
    asking = {"receive_within": 5 * SECOND, "asked": frozenset({Asked.NEGATIVE}), "administration": ACKS}
    report = got("negative acknowledgment of a")
    waiting = [(receive(1, ACKS, wait=60 * SECOND), PENDING), (send("a", **asking), DONE)]
    late = [*waiting, (TimePassed(10 * SECOND), DONE), (receive(2), FAILED)]
    assert allowed(*late, (Outcomes(), Ended(frozenset({(Operation(1), report)}))))
    assert not allowed(*late, (Outcomes(), NONE_ENDED))
    assert not allowed(*late, (receive(3, ACKS), report))


def test_maps_are_equal_by_content() -> None:
    one = FrozenMap({"a": 1}).having("b", 2)
    assert one == FrozenMap({"b": 2, "a": 1})
    assert hash(one) == hash(FrozenMap({"b": 2, "a": 1}))
    assert dict(one.without("a")) == {"b": 2}
