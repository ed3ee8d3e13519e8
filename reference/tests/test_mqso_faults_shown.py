"""Faults of one queue manager that few histories show, each in the history of a scenario."""

from collections.abc import Sequence

import pytest
from mqso_histories import ACKS, MODEL, ORDERS, PLAIN, READ, SMALL, START, T1, T2, opened, receive, send
from mqso_seeds import SHOWN_BY_A_HISTORY

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    JOURNAL,
    SECOND,
    TRANSACTIONAL_DEAD_LETTERS,
    Asked,
    Assurance,
    CursorId,
    Key,
    Properties,
    QueueName,
)
from mqconform.reference.mqso.events import (
    Begin,
    CreateCursor,
    CreateQueue,
    DeleteQueue,
    End,
    Event,
    Move,
    Outcomes,
    SetQueue,
    Start,
    Stop,
    TimePassed,
)
from mqconform.reference.mqso.explanation import Seen, explain
from mqconform.reference.mqso.faults import FAULTS, Fault
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World

NEWS = QueueName("small")
RECOVERABLE = Assurance.RECOVERABLE
BRIEF = {"receive_within": 2 * SECOND, "dead_letter": True}
WAITS = [receive(1, wait=3 * SECOND), receive(2, wait=3 * SECOND)]


def after(seconds: int) -> Event:
    return TimePassed(seconds * SECOND)


def restarted(*, suddenly: bool = False) -> list[Event]:
    return [Stop(suddenly), Start(), *opened()]


def committed(event: Event) -> list[Event]:
    return [Begin(T1), event, End(T1, commit=True)]


HISTORIES: dict[str, list[Event]] = {
    "waiters-take-for-good": [
        Begin(T2), receive(1, ORDERS, 2, wait=60 * SECOND), *committed(send("a", ORDERS, 1)), End(T2, commit=False),
        Outcomes(), Begin(T1), receive(2, ORDERS, 1),
    ],
    "waits-get-longer": [*WAITS, after(2), send("a"), after(2), Outcomes()],
    "nobody-waits-for-letters": [
        receive(1, DEAD_LETTERS, wait=30 * SECOND, takes=False), send("a", **BRIEF), after(4), receive(2), Outcomes(),
    ],
    "letters-are-taken-for-good": [
        *committed(send("a", ORDERS, 1, **BRIEF)), after(4), receive(1, ORDERS, takes=False), Begin(T2),
        receive(2, TRANSACTIONAL_DEAD_LETTERS, 2), End(T2, commit=False),
        receive(3, TRANSACTIONAL_DEAD_LETTERS, takes=False),
    ],
    "copies-expire": [send("a", receive_within=2 * SECOND, journal=True), receive(1), after(4), receive(2, JOURNAL)],
    "lock-ends-timers": [
        *committed(send("a", ORDERS, 1, receive_within=4 * SECOND)), Begin(T2), receive(1, ORDERS, 2), after(2),
        End(T2, commit=False), after(3), receive(2, ORDERS, takes=False),
    ],
    "time-to-reach-goes-on": [send("a", reach_within=2 * SECOND), after(4), receive(1)],
    "cursor-counts-messages": [
        send("a"), send("b"), send("c"), CreateCursor(CursorId(1), READ[PLAIN]),
        *(receive(place, takes=False, cursor=CursorId(1), move=move) for place, move in enumerate(Move, 1)),
        receive(3), receive(4, takes=False, cursor=CursorId(1)),
    ],
    "one-administration-queue": [
        *(send(key, asked=frozenset({Asked.RECEIVE}), administration=name) for key, name in (("a", ACKS), ("b", NEWS))),
        receive(1), receive(2), receive(3, SMALL),
    ],
    "forgets-requests": [
        send("a", assurance=RECOVERABLE, asked=frozenset({Asked.RECEIVE}), administration=ACKS), *restarted(),
        receive(1), receive(2, ACKS),
    ],
    "forgets-answers": [
        send("a", assurance=RECOVERABLE, response=ACKS, correlation=Key("b")), *restarted(), receive(1),
    ],
    "forgets-changes": [
        SetQueue(SMALL, 2), *restarted(), send("a", SMALL), send("b", SMALL), receive(1, SMALL), receive(2, SMALL),
    ],
    "crash-undoes-deletions": [
        send("a", assurance=RECOVERABLE), DeleteQueue(PLAIN), *restarted(suddenly=True), CreateQueue(PLAIN), *opened(),
        receive(1),
    ],
    "loses-what-expires-meanwhile": [
        send("a", assurance=RECOVERABLE, **BRIEF), Stop(), after(4), Start(), *opened(), receive(1),
        receive(2, DEAD_LETTERS),
    ],
    "created-as-it-was": [
        DeleteQueue(SMALL), CreateQueue(SMALL, Properties()), *opened(), send("a", SMALL), send("b", SMALL),
        receive(1, SMALL), receive(2, SMALL),
    ],
}  # fmt: skip
HISTORIES["abort-begins-time-anew"] = HISTORIES["lock-ends-timers"]


def played(model: QueueManager, events: Sequence[Event]) -> list[Seen]:
    """Return what a queue manager answers that follows the text, and of its readings those that come first."""
    world = World()
    history: list[Seen] = []
    for event in [*START, *events]:
        results = [result for result in model.step(world, event) if result[0].standing is Standing.TEXT]
        world, answer = min(
            results, key=lambda result: sorted(f"{type(choice)}{choice.name}" for choice in result[0].followed)
        )
        history.append(Seen(event, answer))
    return history


def test_each_fault_of_this_kind_has_a_history() -> None:
    assert set(HISTORIES) == SHOWN_BY_A_HISTORY


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault.name in HISTORIES], ids=lambda fault: fault.name)
def test_a_fault_shows_in_its_history_and_the_text_explains_that(fault: Fault) -> None:
    assert explain(played(MODEL, HISTORIES[fault.name])).standing is Standing.TEXT
    standing = explain(played(fault.model, HISTORIES[fault.name])).standing
    assert standing is None or standing > Standing.PERMITTED
