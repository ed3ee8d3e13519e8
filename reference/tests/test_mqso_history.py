"""The check of histories of queue managers: silent where the model allows, and it finds each fault by itself."""

import pytest
from long_tier import LONG
from mqso_histories import ACKS, DEAD_LETTERS, MODEL, ORDERS, PLAIN, START, history_of, receive, send
from mqso_seeds import DRAWN, seeds_for

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import SECOND, Asked, Key, Operation, TransactionId
from mqconform.reference.mqso.events import (
    Answer,
    Begin,
    Committed,
    Done,
    End,
    Ended,
    Event,
    Failed,
    Got,
    Outcomes,
    Pending,
    Purge,
    Stop,
    TimePassed,
)
from mqconform.reference.mqso.explanation import Seen, explain
from mqconform.reference.mqso.faults.fault import Fault
from mqconform.reference.mqso_history.check import check_history
from mqconform.reference.mqso_history.findings import Property

DONE, FAILED, PENDING = Done(), Failed(), Pending()
COMMITTED = Committed(committed=True)
T1, T2, T3 = TransactionId(1), TransactionId(2), TransactionId(3)
HERE = len(START)


def got(key: str) -> Got:
    return Got(Key(key))


def history(*seen: tuple[Event, Answer]) -> list[Seen]:
    return [*(Seen(event, DONE) for event in START), *(Seen(event, answer) for event, answer in seen)]


SENT_IN_ORDERS = [(Begin(T1), DONE), (send("a", ORDERS, 1), DONE), (send("b", ORDERS, 1), DONE)]
COMMITTED_IN_ORDERS = [*SENT_IN_ORDERS, (End(T1, commit=True), COMMITTED), (Begin(T2), DONE), (Begin(T3), DONE)]
BROKEN = {
    "received twice": (
        [(send("a"), DONE), (receive(1), got("a")), (receive(2), got("a"))],
        Property.ONCE, (0, 1, 2), "MQSO-3.3.4.6-02",
    ),
    "not the first": (
        [(send("a"), DONE), (send("b"), DONE), (receive(1), got("b"))],
        Property.ORDER, (0, 1, 2), "MQSO-5.1.1.2-01",
    ),
    "not committed": (
        [*SENT_IN_ORDERS, (receive(1, ORDERS, takes=False), got("a"))],
        Property.VISIBLE, (1, 3), "MQSO-3.3.4.4-01",
    ),
    "with another": (
        [*COMMITTED_IN_ORDERS, (receive(1, ORDERS, 2), got("a")), (receive(2, ORDERS, 3), got("a"))],
        Property.VISIBLE, (1, 6, 7), "MQSO-3.3.4.7-04",
    ),
    "not in its old place after an abort": (
        [*COMMITTED_IN_ORDERS, (receive(1, ORDERS, 2), got("a")), (End(T2, commit=False), DONE),
         (receive(2, ORDERS, 3), got("b"))],
        Property.ORDER, (1, 2, 8), "MQSO-5.1.1.2-01",
    ),
    "nowhere": ([(send("a"), DONE), (receive(1), FAILED)], Property.FATE, (0, 1), "MQSO-3.3.4.6-02"),
    "there after a purge": (
        [(send("a"), DONE), (Purge(PLAIN), DONE), (receive(1), got("a"))],
        Property.FATE, (0, 1, 2), "MQSO-5.1.1.2-12",
    ),
    "answered while stopped": ([(Stop(), DONE), (send("a"), DONE)], Property.ANSWERS, (0, 1), "MQSO-6.7.1-01"),
    "a wait without end": (
        [(receive(1, wait=SECOND), PENDING), (TimePassed(3 * SECOND), DONE), (Outcomes(), Ended(frozenset()))],
        Property.WAITS, (0, 2), "MQSO-3.3.4.6-05",
    ),
    "a wait beside a message": (
        [(receive(1, wait=SECOND), PENDING), (send("a"), DONE), (Outcomes(), Ended(frozenset()))],
        Property.WAITS, (0, 1, 2), "MQSO-5.1.1.2-08",
    ),
    "a dead letter that nobody wanted": (
        [(send("a", receive_within=SECOND), DONE), (TimePassed(3 * SECOND), DONE),
         (receive(1, DEAD_LETTERS), got("a"))],
        Property.TOLD, (0, 2), "MQSO-5.1.1.3-18",
    ),
}  # fmt: skip
"""What is broken, as a history -> the property, the events that show it, and the first requirement."""


@pytest.mark.parametrize("broken", BROKEN)
def test_a_breach_names_property_events_and_requirement(broken: str) -> None:
    seen, property_, events, requirement = BROKEN[broken]
    first = check_history(history(*seen))[0]
    assert (first.broken, first.requirements[0]) == (property_, requirement)
    assert first.events == tuple(HERE + one for one in events)


def test_two_who_waited_and_got_the_same_message() -> None:
    waiting = [(receive(1, wait=5 * SECOND), PENDING), (receive(2, wait=5 * SECOND), PENDING), (send("a"), DONE)]
    both = Ended(frozenset({(Operation(1), got("a")), (Operation(2), got("a"))}))
    assert Property.ONCE in {one.broken for one in check_history(history(*waiting, (Outcomes(), both)))}
    alone = Ended(frozenset({(Operation(2), got("a"))}))
    assert not check_history(history(*waiting, (Outcomes(), alone)))


@pytest.mark.parametrize("seed", [*range(100, 110), *(pytest.param(seed, marks=LONG) for seed in range(110, 250))])
def test_it_never_complains_of_what_the_model_allows(seed: int) -> None:
    seen = history_of(MODEL, seed)
    assert check_history(seen) == ()  # the model draws nothing that the register does not permit


@pytest.mark.parametrize("fault", DRAWN, ids=lambda fault: fault.name)
def test_it_finds_each_fault_by_itself(fault: Fault) -> None:
    assert any(check_history(history_of(fault.model, seed)) for seed in seeds_for(fault.name))


# Two mistakes of the model that this check has found.


def test_who_takes_a_dead_letter_out_does_not_acknowledge_a_receive() -> None:
    asked = {"asked": frozenset({Asked.RECEIVE}), "administration": ACKS, "dead_letter": True}
    expired = [(send("a", receive_within=SECOND, **asked), DONE), (TimePassed(3 * SECOND), DONE), (receive(1), FAILED)]
    seen = history(*expired, (receive(2, DEAD_LETTERS), got("a")), (receive(3, ACKS), FAILED))
    assert explain(seen).standing is Standing.TEXT
    assert check_history(seen) == ()


def test_a_commit_brings_its_acknowledgments_to_whatever_queue() -> None:
    asked = {"asked": frozenset({Asked.REACH}), "administration": ACKS}
    sent = [(Begin(T1), DONE), (send("a", ORDERS, 1, **asked), DONE), (End(T1, commit=True), COMMITTED)]
    arrived = history(*sent, (receive(1, ACKS), got("positive acknowledgment of a")))
    assert explain(arrived).standing is Standing.TEXT
    assert check_history(arrived) == ()
