"""Histories of queue managers for tests: written with few words, or drawn by chance and answered by a model."""

import random
from collections.abc import Iterator
from functools import cache

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    HOUR,
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
    Seal,
    TransactionId,
    User,
)
from mqconform.reference.mqso.events import (
    Answer,
    Begin,
    Close,
    CoordinatorBecomes,
    Count,
    CreateCursor,
    CreateQueue,
    DeleteQueue,
    Done,
    End,
    Ended,
    Event,
    Failed,
    Got,
    JoinDomain,
    Move,
    NoCoordinator,
    Open,
    Outcomes,
    Pending,
    Purge,
    Receive,
    Send,
    SetQueue,
    ShowState,
    Start,
    Stop,
    StoreBecomes,
    StoreBreaks,
    StoreMended,
    Throttle,
    TimePassed,
)
from mqconform.reference.mqso.explanation import Explanation, Seen, explain, without_needless
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
ANN, BOB, EVE = (User(name) for name in ("ann", "bob", "eve"))
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
EVENTS = 26
"""So many events, and rounds of events that belong together, are in a history that is drawn."""


class History:
    """A history in the making: events with the answers that somebody gives."""

    def __init__(self, model: QueueManager = MODEL, seed: int = 0) -> None:
        self.model, self.random = model, random.Random(seed)
        self.worlds = frozenset({World()})
        self.seen: list[Seen] = []
        for event in START:
            self.does(event)

    def does(self, event: Event) -> Answer:
        """Let the model answer an event in any way that the text or the register permits, if there is one."""
        results = {result for before in self.worlds for result in self.model.step(before, event)}
        results = {one for one in results if one[0].standing <= Standing.PERMITTED} or results
        answer = self.random.choice(sorted({answer for _, answer in results}, key=repr))
        self.worlds = without_needless(frozenset(world for world, one in results if one == answer))
        self.seen.append(Seen(event, answer))
        return answer


def send(key: str, queue: QueueName = PLAIN, transaction: int | None = None, **properties: object) -> Send:
    message = Message(Key(key), **properties)  # type: ignore[arg-type]
    return Send(SEND[queue], message, None if transaction is None else TransactionId(transaction))


def receive(operation: int, queue: QueueName = PLAIN, transaction: int | None = None, **more: object) -> Receive:
    within = None if transaction is None else TransactionId(transaction)
    return Receive(Operation(operation), READ[queue], transaction=within, **more)  # type: ignore[arg-type]


def told(*history: tuple[Event, Answer]) -> Explanation:
    return explain([*(Seen(event, Done()) for event in START), *(Seen(event, answer) for event, answer in history)])


def allowed(*history: tuple[Event, Answer]) -> bool:
    explanation = told(*history)
    return explanation.standing is not None and explanation.standing <= Standing.PERMITTED


def got(key: str) -> Got:
    return Got(Key(key))


DONE, FAILED, PENDING, NONE_ENDED = Done(), Failed(), Pending(), Ended(frozenset())
T1, T2 = TransactionId(1), TransactionId(2)


def drawn(history: History) -> Iterator[Event]:
    """Yield events by chance, of all kinds."""
    rng = history.random
    open_: list[TransactionId] = []
    cursors = [CursorId(1), CursorId(2)]
    yield from [NoCoordinator()] * (rng.random() < 0.3)
    for number in range(1, EVENTS):
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
                yield receive(3000 + number, ORDERS, rng.choice([None, *open_]), takes=False)
            case "restart":
                yield from [Purge(ACKS)] * (rng.random() < 0.6)
                yield Stop(rng.random() < 0.5)
                yield receive(1000 + number)
                yield Start()
                yield from opened()
                open_.clear()
            case "rest":
                yield from _drawn_rest(rng, number)
            case "round":
                yield from rng.choice(_ROUNDS)(rng, 10_000 + 100 * number)
        yield Outcomes()
    yield from rng.choice(_LAST_ROUNDS)(rng, 90_000)


_KINDS = ("send", "receive", "cursor", "begin", "end", "restart", "rest", "round")
_WEIGHTS = (12, 14, 2, 3, 4, 1, 5, 5)


def _transactions(rng: random.Random, number: int) -> Iterator[Event]:
    """Yield a transaction that sends, one that receives and ends somehow, and one that receives what is left."""
    sends, receives, later = (TransactionId(number + place) for place in range(3))
    yield from (Begin(sends), *(send(f"{letter}{number}", ORDERS, sends) for letter in "cd"), End(sends, commit=True))
    yield from (Begin(receives, rng.choice([*Kind])), receive(number, ORDERS, receives))
    match rng.randrange(3):
        case 0:
            yield End(receives, commit=False)
        case 1:
            yield End(receives, commit=True)
        case 2:
            yield from (Stop(rng.random() < 0.5), Start(), *opened())
    yield from (Begin(later), *(receive(number + place, ORDERS, later) for place in (1, 2)), End(later, commit=True))


def _cursors(rng: random.Random, number: int) -> Iterator[Event]:
    one, two = CursorId(1), CursorId(2)
    yield from (send(f"{letter}{number}") for letter in "ef")
    yield from (CreateCursor(one, READ[PLAIN]), CreateCursor(two, READ[PLAIN]))
    for place, cursor in enumerate((one, two)):
        for step, move in enumerate((Move.CURRENT, rng.choice([*Move]), Move.NEXT)):
            yield receive(number + 10 * place + step, takes=False, cursor=cursor, move=move)


def _purged(rng: random.Random, number: int) -> Iterator[Event]:
    yield from (Purge(PLAIN), receive(number, wait=rng.choice([2, 5]) * SECOND), Purge(PLAIN), Outcomes())
    yield from (send(f"g{number}"), send(f"h{number}"), Purge(PLAIN), receive(number + 1, takes=False))


def _stores(rng: random.Random, number: int) -> Iterator[Event]:
    yield from (
        send(f"{letter}{number}", assurance=Assurance.RECOVERABLE, receive_within=9 * SECOND) for letter in "ij"
    )
    yield from (StoreBreaks(beyond_repair=rng.random() < 0.7), ShowState(), receive(number, takes=False), Start())
    yield from (ShowState(), StoreMended(), TimePassed(rng.choice([2, 21600]) * SECOND), ShowState(), Start())
    yield from (ShowState(), *opened(), receive(number + 1), TimePassed(5 * SECOND), receive(number + 2))
    yield from (CoordinatorBecomes(lost=True), Stop(), ShowState(), TimePassed(6 * HOUR), ShowState(), Start())
    yield from (ShowState(), *opened(), send(f"k{number}"), CoordinatorBecomes(lost=False))


def _restarted_in_time(rng: random.Random, number: int) -> Iterator[Event]:
    yield Purge(PLAIN)
    yield send(f"n{number}", assurance=Assurance.RECOVERABLE, receive_within=4 * SECOND)
    yield from (TimePassed(2 * SECOND), Stop(rng.random() < 0.5), Start(), *opened(), Count(PLAIN))
    yield from (receive(number + 1, takes=False), TimePassed(3 * SECOND))
    yield receive(number, takes=False)


def _letters(rng: random.Random, number: int) -> Iterator[Event]:
    queue = rng.choice([JOURNAL, DEAD_LETTERS])
    yield from (Purge(queue), Purge(ACKS), Purge(PLAIN))
    wanted = frozenset({Asked.RECEIVE, Asked.NEGATIVE})
    asked = {"asked": wanted, "administration": ACKS, "correlation": Key("q"), "response": ACKS}
    for letter in "op":
        yield send(f"{letter}{number}", receive_within=SECOND, dead_letter=True, journal=True, **asked)
    yield from (receive(number, takes=False), TimePassed(3 * SECOND), Count(PLAIN))
    yield from (receive(number + place, queue) for place in (1, 2))
    sends, receives = TransactionId(number), TransactionId(number + 1)
    yield from (Begin(sends), send(f"q{number}", ORDERS, sends, **asked), End(sends, commit=True))
    yield from (Begin(receives), receive(number + 3, ORDERS, receives), End(receives, commit=False))
    yield from (receive(number + place, ACKS) for place in (4, 5, 6))


def _queues(rng: random.Random, number: int) -> Iterator[Event]:
    name, handle = QueueName(f"new{number}"), Handle(number)
    yield from (CreateQueue(QueueName(f"public{number}"), public=True), StoreBecomes(full=True), CreateQueue(name))
    yield from (
        Open(handle, name, Access.SEND),
        Count(name),
        StoreBecomes(full=False),
        SetQueue(SMALL, rng.choice([0, 3])),
    )
    yield from (Purge(SMALL), Purge(JOURNAL), *(send(f"{letter}{number}", SMALL, journal=True) for letter in "rs"))
    yield from (SetQueue(SMALL, 1), *(receive(number + place, JOURNAL) for place in (3, 4)))
    yield from (Purge(SMALL), StoreBecomes(full=True), SetQueue(SMALL, 0), StoreBecomes(full=False))
    yield send(f"u{number}", SMALL)
    peeks = Handle(number + 1)
    yield from (Open(peeks, PLAIN, Access.PEEK), send(f"t{number}"), Close(SEND[PLAIN]))
    yield from (Receive(Operation(number), peeks), receive(number + 1, takes=False), *opened())
    yield Receive(Operation(number + 2), SEND[PLAIN])


def _filled(rng: random.Random, number: int) -> Iterator[Event]:
    transaction, reads = TransactionId(number), TransactionId(number + 1)
    yield from (Purge(ORDERS), Begin(transaction))
    yield from (send(f"{letter}{number}", ORDERS, transaction) for letter in "vw")
    yield from (StoreBecomes(full=True), send(f"x{number}", ORDERS, transaction), End(transaction, commit=True))
    yield from (StoreBecomes(full=rng.random() < 0.1), Begin(reads), receive(number, ORDERS, reads))
    yield from (receive(number + 1, ORDERS, reads), End(reads, commit=True), StoreBecomes(full=False))


def _coordinators(rng: random.Random, number: int) -> Iterator[Event]:
    """Yield transactions that are open when the coordinator goes away, and one that receives what they sent."""
    outside, inside, later = (TransactionId(number + place) for place in range(3))
    yield from (Begin(outside, Kind.EXTERNAL), send(f"l{number}", ORDERS, outside), Begin(inside))
    yield from (send(f"m{number}", ORDERS, inside), CoordinatorBecomes(lost=True), CoordinatorBecomes(lost=False))
    yield from (End(outside, commit=rng.random() < 0.7), End(inside, commit=True), Begin(later, Kind.EXTERNAL))
    yield from (*(receive(number + place, ORDERS, later) for place in (1, 2)), End(later, commit=True))


def _exchange(rng: random.Random, number: int) -> Iterator[Event]:
    """Yield a transaction that sends and others that receive, of which one may not end."""
    sender, receiver, other, last = (TransactionId(number + place) for place in range(4))
    yield Begin(sender, rng.choice([*Kind]))
    for key in "xyz":
        within = rng.choice([None, None, 3 * SECOND])
        yield send(f"{key}{number}", ORDERS, sender, receive_within=within, dead_letter=True)
    yield from (End(sender, commit=True), Begin(receiver), receive(number, ORDERS, receiver))
    yield from (Begin(other), receive(number + 1, ORDERS, other), End(other, commit=rng.random() < 0.5))
    if rng.random() < 0.7:
        yield End(receiver, commit=rng.random() < 0.5)
    yield from (Begin(last), TimePassed(rng.choice([1, 4]) * SECOND))
    yield from (receive(number + place, ORDERS, last) for place in (2, 3, 4))
    yield End(last, commit=True)
    yield from (receive(number + 5, TRANSACTIONAL_DEAD_LETTERS), receive(number + 6, DEAD_LETTERS))


_ROUNDS = (
    _exchange,
    _coordinators,
    _transactions,
    _cursors,
    _purged,
    _stores,
    _restarted_in_time,
    _letters,
    _queues,
    _filled,
)


def _damaged(_: random.Random, number: int) -> Iterator[Event]:
    """Yield a start that fails for as long as the store is damaged, whatever time passes."""
    yield from (StoreBreaks(beyond_repair=True), Start(), TimePassed(130 * SECOND), ShowState(), receive(number))
    yield from (StoreMended(), Start(), *opened(), receive(number + 1))


def _secured(_: random.Random, number: int) -> Iterator[Event]:
    """Yield messages of all kinds of senders, and a queue that one user alone may use."""
    yield from (JoinDomain(frozenset({ANN, BOB})), Purge(PLAIN))
    seals = (Seal(ANN, ANN), Seal(ANN, BOB), Seal(EVE, EVE), Seal(None, ANN), Seal(ANN), Seal(ANN, ANN, altered=True))
    for place, seal in enumerate(seals):
        yield from (send(f"s{number + place}", seal=seal), receive(number + place))
    own = QueueName("own")
    yield CreateQueue(own, Properties(writers=frozenset({ANN}), readers=frozenset({ANN})))
    for place, user in enumerate((ANN, BOB)):
        yield Open(Handle(number + place), own, Access.SEND, user)
        yield Send(Handle(number + place), Message(Key(f"o{number + place}"), seal=Seal(user, user)))
    for place, user in enumerate((BOB, ANN, ANN)):
        yield Open(Handle(number + 10 + place), own, Access.RECEIVE, user)
        yield Receive(Operation(number + 10 + place), Handle(number + 10 + place))


_LAST_ROUNDS = (_damaged, _secured)
"""One of them ends each history."""


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
            inside, outside = TransactionId(4000 + number), TransactionId(5000 + number)
            yield from (CoordinatorBecomes(lost=True), Begin(inside), Begin(outside, Kind.EXTERNAL))
            yield from (End(inside, commit=True), End(outside, commit=True), CoordinatorBecomes(lost=False))
        case 8:
            again = QueueName("again")
            yield from (CreateQueue(again), Open(Handle(40), again, Access.RECEIVE))
            yield Receive(Operation(2000 + number), Handle(40), wait=2 * SECOND)
            yield from (Open(Handle(41), again, Access.SEND), Send(Handle(41), Message(Key(f"a{number}"))))
            yield from (Send(Handle(41), Message(Key(f"b{number}"))), DeleteQueue(again), TimePassed(3 * SECOND))
            yield from (CreateQueue(again), Open(Handle(40), again, Access.RECEIVE), CreateQueue(PLAIN))
            yield from (Receive(Operation(6000 + number), Handle(40)), DeleteQueue(again))
            yield Open(WRITES_TO_SYSTEM, DEAD_LETTERS, Access.SEND)
            yield Send(WRITES_TO_SYSTEM, Message(Key(f"s{number}")))


@cache
def history_of(model: QueueManager, seed: int) -> tuple[Seen, ...]:
    """Return a history that a model answers, the same for a seed."""
    history = History(model, seed)
    for event in drawn(history):
        history.does(event)
    return tuple(history.seen)
