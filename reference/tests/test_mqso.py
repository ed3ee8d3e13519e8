"""The queue manager as worlds: what histories it allows, and that each fault is told from what the text allows."""

import random
from collections.abc import Iterator

import pytest

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    JOURNAL,
    SECOND,
    TRANSACTIONAL_DEAD_LETTERS,
    Access,
    Asked,
    Assurance,
    CursorId,
    Handle,
    Key,
    Kind,
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
    CoordinatorBecomes,
    Count,
    Counted,
    CreateCursor,
    CreateQueue,
    DeleteQueue,
    Done,
    End,
    Ended,
    Event,
    Failed,
    Got,
    Move,
    Open,
    Outcomes,
    Pending,
    Purge,
    Receive,
    Send,
    Start,
    Stop,
    StoreBecomes,
    Throttle,
    TimePassed,
)
from mqconform.reference.mqso.explanation import Explanation, Seen, explain
from mqconform.reference.mqso.faults import FAULTS, Fault
from mqconform.reference.mqso.frozen_map import FrozenMap
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World

PLAIN, ORDERS, SMALL, ACKS = (QueueName(name) for name in ("plain", "orders", "small", "acks"))
SEND = {name: Handle(place) for place, name in enumerate((PLAIN, ORDERS, SMALL), start=1)}
READ = {
    name: Handle(place)
    for place, name in enumerate(
        (PLAIN, ORDERS, SMALL, ACKS, DEAD_LETTERS, TRANSACTIONAL_DEAD_LETTERS, JOURNAL), start=11
    )
}
WRITES_TO_SYSTEM = Handle(30)


def opened() -> list[Event]:
    """Return the events that open every queue; done again after a restart they harm nobody."""
    return [
        *(Open(handle, name, Access.SEND) for name, handle in SEND.items()),
        *(Open(handle, name, Access.RECEIVE) for name, handle in READ.items()),
    ]


START = [
    CreateQueue(PLAIN),
    CreateQueue(ORDERS, Properties(transactional=True)),
    CreateQueue(SMALL, Properties(room=1)),
    CreateQueue(ACKS),
    *opened(),
]
MODEL = QueueManager()


class History:
    """A history in the making: events with the answers that somebody gives."""

    def __init__(self, model: QueueManager = MODEL, seed: int = 0) -> None:
        self.model, self.random = model, random.Random(seed)
        self.worlds = frozenset({World()})
        self.seen: list[Seen] = []
        for event in START:
            self.does(event)

    def does(self, event: Event) -> Answer:
        """Let the model answer an event in any way that it allows."""
        results = {result for world in self.worlds for result in self.model.step(world, event)}
        answer = self.random.choice(sorted({answer for _, answer in results}, key=repr))
        self.worlds = frozenset(world for world, one in results if one == answer)
        self.seen.append(Seen(event, answer))
        return answer


def told(*history: tuple[Event, Answer]) -> Explanation:
    return explain([*(Seen(event, Done()) for event in START), *(Seen(event, answer) for event, answer in history)])


def allowed(*history: tuple[Event, Answer]) -> bool:
    explanation = told(*history)
    return explanation.standing is not None and explanation.standing <= Standing.PERMITTED


def send(key: str, queue: QueueName = PLAIN, transaction: int | None = None, **properties: object) -> Send:
    message = Message(Key(key), **properties)  # type: ignore[arg-type]
    return Send(SEND[queue], message, None if transaction is None else TransactionId(transaction))


def receive(operation: int, queue: QueueName = PLAIN, transaction: int | None = None, **more: object) -> Receive:
    within = None if transaction is None else TransactionId(transaction)
    return Receive(Operation(operation), READ[queue], transaction=within, **more)  # type: ignore[arg-type]


def got(key: str) -> Got:
    return Got(Key(key))


DONE, FAILED, PENDING, NONE_ENDED = Done(), Failed(), Pending(), Ended(frozenset())
T1, T2 = TransactionId(1), TransactionId(2)


def test_first_in_is_first_out() -> None:
    sent = [(send("a"), DONE), (send("b"), DONE)]
    assert allowed(*sent, (receive(1), got("a")), (receive(2), got("b")), (receive(3), FAILED))
    assert not allowed(*sent, (receive(1), got("b")))


def test_a_contradiction_names_the_answer_and_what_was_allowed() -> None:
    contradiction = told((send("a"), DONE), (receive(1), FAILED)).contradiction
    assert contradiction is not None
    assert contradiction.place == len(START) + 1
    assert contradiction.allowed == {got("a")}


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


def test_a_receive_outside_of_transactions_is_not_decided() -> None:
    sent = [(Begin(T1), DONE), (send("a", ORDERS, 1), DONE), (End(T1, commit=True), Committed(committed=True))]
    assert allowed(*sent, (receive(1, ORDERS), FAILED))
    assert told(*sent, (receive(1, ORDERS), got("a"))).standing is Standing.UNDECIDED


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


# Histories drawn by chance: the text's own are allowed, and no fault hides behind what the text leaves open.


def drawn(history: History) -> Iterator[Event]:
    """Yield events by chance, of all kinds."""
    rng = history.random
    open_: list[TransactionId] = []
    cursors = [CursorId(1), CursorId(2)]
    for number in range(1, 41):
        kind = rng.choices(_KINDS, _WEIGHTS)[0]
        queue = rng.choice([PLAIN, PLAIN, ORDERS, ORDERS, SMALL])
        within = rng.choice(open_) if open_ and queue is ORDERS and rng.random() < 0.9 else None
        match kind:
            case "send":
                yield send(f"m{number}", queue, within, **_drawn_properties(rng))
            case "receive":
                source = rng.choice([queue, queue, *READ])
                yield receive(
                    number, source, within if source is ORDERS else None, wait=rng.choice([0, 5]) * SECOND,
                    takes=rng.random() < 0.8,
                )  # fmt: skip
            case "cursor":
                cursor, move = rng.choice(cursors), rng.choice([*Move])
                yield receive(number, PLAIN, takes=False, cursor=cursor, move=move)
            case "begin":
                open_.append(TransactionId(number))
                yield Begin(TransactionId(number), rng.choice([*Kind]))
            case "end" if open_:
                yield End(open_.pop(rng.randrange(len(open_))), commit=rng.random() < 0.6)
            case "restart":
                yield Stop(rng.random() < 0.5)
                yield receive(1000 + number)
                yield Start()
                yield from opened()
                open_.clear()
            case "rest":
                yield from _drawn_rest(rng, number)
        yield Outcomes()


_KINDS = ("send", "receive", "cursor", "begin", "end", "restart", "rest")
_WEIGHTS = (12, 14, 2, 3, 4, 1, 5)


def _drawn_properties(rng: random.Random) -> dict[str, object]:
    return {
        "assurance": rng.choice([Assurance.EXPRESS, Assurance.RECOVERABLE]),
        "receive_within": rng.choice([None, 3 * SECOND]),
        "dead_letter": rng.random() < 0.5,
        "journal": rng.random() < 0.2,
        "asked": frozenset(rng.sample([*Asked], rng.choice([0, 1, 3]))),
        "administration": ACKS,
    }


def _drawn_rest(rng: random.Random, number: int) -> Iterator[Event]:
    match rng.randrange(9):
        case 0 | 1:
            yield TimePassed(rng.choice([1, 2, 4, 6]) * SECOND)
        case 2:
            yield Purge(rng.choice([PLAIN, ORDERS]))
        case 3:
            yield Count(rng.choice([PLAIN, ORDERS, SMALL]))
        case 4:
            yield from (CreateCursor(cursor, READ[PLAIN]) for cursor in (CursorId(1), CursorId(2)))
        case 5:
            yield from (Throttle(on=True), send(f"t{number}"), Throttle(on=False), send(f"u{number}"))
        case 6:
            yield from (StoreBecomes(full=True), send(f"f{number}", assurance=Assurance.RECOVERABLE))
            yield StoreBecomes(full=False)
        case 7:
            yield from (CoordinatorBecomes(lost=True), CoordinatorBecomes(lost=False))
        case 8:
            again = QueueName("again")
            yield from (CreateQueue(again), Open(Handle(40), again, Access.RECEIVE))
            yield Receive(Operation(2000 + number), Handle(40), wait=2 * SECOND)
            yield from (DeleteQueue(again), TimePassed(3 * SECOND))
            yield Open(WRITES_TO_SYSTEM, DEAD_LETTERS, Access.SEND)
            yield Send(WRITES_TO_SYSTEM, Message(Key(f"s{number}")))


def history_of(model: QueueManager, seed: int) -> list[Seen]:
    history = History(model, seed)
    for event in drawn(history):
        history.does(event)
    return history.seen


@pytest.mark.parametrize("seed", range(20))
def test_what_the_text_allows_is_explained(seed: int) -> None:
    explanation = explain(history_of(MODEL, seed))
    assert explanation.worlds, explanation.contradiction


def told_apart(fault: Fault, seeds: range) -> int | None:
    """Return the first seed by which a fault is told from what the text and the register allow, None without."""
    for seed in seeds:
        explanation = explain(history_of(fault.model, seed))
        if explanation.standing is None or explanation.standing > Standing.PERMITTED:
            return seed
    return None


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_is_told_apart(fault: Fault) -> None:
    assert told_apart(fault, range(60)) is not None
