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
    Failed,
    Open,
    Outcomes,
    Send,
    Stop,
    TimePassed,
)
from mqconform.reference.mqso.explanation import TEXT
from mqconform.reference.mqso.immutable import FrozenMap
from mqconform.reference.mqso.world import World


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


def test_a_commit_in_a_dozen_queues_tells_in_few_orders() -> None:
    asking = frozenset({Asked.REACH})
    said: list[Event] = [CreateQueue(QueueName("acks"), Properties()), Begin(TransactionId(1))]
    for number in range(12):
        name = QueueName(f"q{number}")
        message = Message(Key(f"m{number}"), asked=asking, administration=QueueName("acks"))
        said += [CreateQueue(name, Properties(transactional=True)), Open(Handle(number), name, Access.SEND)]
        said += [Send(Handle(number), message, TransactionId(1))]
    worlds = {World()}
    for event in (*said, End(TransactionId(1), commit=True)):
        worlds = {after for world in worlds for after, answer in TEXT.step(world, event) if answer != Failed()}
    assert {len(world.queues[QueueName("acks")].entries) for world in worlds} == {12}
    assert 1 < len(worlds) < 10
