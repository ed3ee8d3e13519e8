"""A history that more worlds explain than are kept: it ends undecided, soon, and nothing that follows decides it."""

from mqso_histories import START, receive, send

from mqconform.reference.mqso.elements import (
    SECOND,
    Access,
    Asked,
    Handle,
    Key,
    MachineName,
    Message,
    Operation,
    QueueName,
)
from mqconform.reference.mqso.events import (
    At,
    CreateQueue,
    Done,
    Ended,
    Failed,
    Got,
    Open,
    Outcomes,
    Pending,
    Send,
    TimePassed,
)
from mqconform.reference.mqso.explanation import MOST_WORLDS, Explanation, Seen, explain
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import far
from mqconform.reference.mqso.system import system_of
from mqconform.reference.mqso.transfers import SETTLED

DONE = Done()
OPENED = [Seen(event, DONE) for event in START]


def waits_that_end_near_now(number: int) -> list[Seen]:
    """Return messages and waits of which each may have ended or not, so that the worlds double with every pair."""
    seen = [Seen(receive(place, wait=5 * SECOND), Pending()) for place in range(number)]
    return [*OPENED, *seen, *(Seen(send(f"m{place}"), DONE) for place in range(number))]


def test_a_history_within_the_limit_is_decided() -> None:
    history = waits_that_end_near_now(4)
    explanation = explain(history)
    assert 1 < len(explanation.worlds) <= MOST_WORLDS
    got = frozenset((Operation(place), Got(Key(f"m{place}"))) for place in range(4))
    assert len(explain([*history, Seen(Outcomes(), Ended(got))]).worlds) == 1


def test_more_worlds_than_are_kept_are_undecided_and_what_follows_is_neither_a_breach_nor_a_pass() -> None:
    history = waits_that_end_near_now(8)  # who got which of 8 messages: 8! worlds
    wrong = [Seen(receive(99), Got(Key("never sent"))), Seen(TimePassed(SECOND), Failed())]
    explanation = explain([*history, *wrong])
    assert explanation == Explanation(frozenset(), explanation.events, undecided=True)
    assert explanation.events < len(history)
    assert explanation.contradiction is None
    assert explanation.standing is None


def test_so_do_too_many_ways_of_reports_between_machines() -> None:
    orders, acks, office = QueueName("orders"), QueueName("acks"), MachineName("office")
    three = [MachineName(f"m{number}") for number in range(3)]
    history = [At(office, CreateQueue(orders))]
    for machine in three:
        history += [At(machine, CreateQueue(acks)), At(machine, Open(Handle(1), far(office, orders), Access.SEND))]
        for number in range(4):
            message = Message(Key(f"{machine}-{number}"), asked=frozenset(Asked), administration=acks)
            history.append(At(machine, Send(Handle(1), message)))
    done = (Seen(event, DONE) for event in [*history, TimePassed(SETTLED)])
    explanation = explain(done, Network(), system_of((office, *three)))
    assert explanation.undecided
    assert explanation.contradiction is None
