"""Queue managers together: what waits, passes, arrives once, and is told."""

from mqso_played import contradicts, played
from msgspec.structs import replace

from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    HOUR,
    SECOND,
    Access,
    Asked,
    Assurance,
    Handle,
    Key,
    Kind,
    MachineName,
    Message,
    Operation,
    Properties,
    QueueName,
    TransactionId,
)
from mqconform.reference.mqso.events import (
    Answer,
    At,
    Begin,
    Committed,
    Count,
    Counted,
    CreateQueue,
    Done,
    End,
    Event,
    Failed,
    Got,
    NetworkBecomes,
    Open,
    Pause,
    Receive,
    Send,
    Start,
    Stop,
    TimePassed,
)
from mqconform.reference.mqso.explanation import Explanation, Seen, explain
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import far
from mqconform.reference.mqso.system import system_of
from mqconform.reference.mqso.transfers import SETTLED

LAPTOP, OFFICE = MachineName("laptop"), MachineName("office")
ORDERS = QueueName("orders")
TO_ORDERS = far(OFFICE, ORDERS)
Step = tuple[Event, Answer]
SETTLES: Step = (TimePassed(SETTLED), Done())
CUT: Step = (NetworkBecomes(frozenset({LAPTOP, OFFICE}), cut=True), Done())
MENDED: Step = (NetworkBecomes(frozenset({LAPTOP, OFFICE}), cut=False), Done())


def told(*history: Step) -> Explanation:
    return explain((Seen(*one) for one in history), Network(), system_of((LAPTOP, OFFICE)))


def explained(*history: Step) -> bool:
    return bool(told(*history).worlds)


def orders(*, transactional: bool = False) -> list[Step]:
    """Queue ``orders`` at the office; handle 1 sends to it from the laptop, handle 2 receives from it at the office."""
    return [
        (At(OFFICE, CreateQueue(ORDERS, Properties(transactional))), Done()),
        (At(LAPTOP, Open(Handle(1), TO_ORDERS, Access.SEND)), Done()),
        (At(OFFICE, Open(Handle(2), ORDERS, Access.RECEIVE)), Done()),
    ]


def sends(message: Message, within: int | None = None) -> Step:
    return At(LAPTOP, Send(Handle(1), message, within and TransactionId(within))), Done()


def sent_in_transaction(*messages: Message) -> list[Step]:
    begun: list[Step] = [(At(LAPTOP, Begin(TransactionId(1))), Done())]
    ended: list[Step] = [(At(LAPTOP, End(TransactionId(1), commit=True)), Committed(committed=True))]
    return [*begun, *(sends(one, 1) for one in messages), *ended]


def receives(answer: Answer, handle: int = 2, at: MachineName = OFFICE, within: int | None = None) -> Step:
    event = Receive(Operation(0), Handle(handle), transaction=within and TransactionId(within))
    return At(at, event), answer


def received_in_transaction(*keys: str) -> list[Step]:
    within: list[Step] = [(At(OFFICE, Begin(TransactionId(2))), Done())]
    within += [receives(Got(Key(key)), within=2) for key in keys]
    return [*within, receives(Failed(), within=2)]


def restarted(machine: MachineName) -> list[Step]:
    return [(At(machine, Stop(suddenly=True)), Done()), (At(machine, Start()), Done())]


M1 = Message(Key("m1"), Assurance.RECOVERABLE)


def test_what_was_sent_before_a_restart_may_be_lost_with_it_and_never_comes_twice() -> None:
    for end in (Got(M1.key), Failed()):
        assert explained(*orders(), sends(M1), *restarted(LAPTOP), SETTLES, receives(end))
    assert not explained(*orders(), sends(M1), *restarted(LAPTOP), receives(Got(M1.key)), receives(Got(M1.key)))


def test_a_message_that_its_destination_refuses_is_told_to_its_sender() -> None:
    message = Message(Key("m1"), dead_letter=True, asked=frozenset({Asked.NEGATIVE}), administration=QueueName("acks"))
    acks: list[Step] = [
        (At(LAPTOP, CreateQueue(QueueName("acks"))), Done()),
        (At(LAPTOP, Open(Handle(3), QueueName("acks"), Access.RECEIVE)), Done()),
        (At(LAPTOP, Open(Handle(4), DEAD_LETTERS, Access.RECEIVE)), Done()),
        (At(OFFICE, Open(Handle(5), DEAD_LETTERS, Access.RECEIVE)), Done()),
    ]
    refused = [*orders(transactional=True), *acks, sends(message), SETTLES]
    report = Got(Key("negative acknowledgment of m1"))
    assert explained(*refused, receives(report, 3, LAPTOP))
    assert not explained(*refused, receives(Failed(), 3, LAPTOP))
    for here, there in ((Got(message.key), Failed()), (Failed(), Got(message.key)), (Failed(), Failed())):
        assert explained(*refused, receives(here, 4, LAPTOP), receives(there, 5))
    assert not explained(*refused, receives(Got(message.key), 4, LAPTOP), receives(Got(message.key), 5))


def test_a_paused_queue_keeps_its_messages_and_others_pass() -> None:
    paused = [*orders(), (Pause(LAPTOP, TO_ORDERS, on=True), Done()), sends(M1), SETTLES]
    assert explained(*paused, receives(Failed()))
    assert not explained(*paused, receives(Got(M1.key)))
    resumed = [*paused, (Pause(LAPTOP, TO_ORDERS, on=False), Done()), SETTLES]
    assert explained(*resumed, receives(Got(M1.key)))


def test_a_receive_from_afar_needs_the_network() -> None:
    opened = At(LAPTOP, Open(Handle(3), TO_ORDERS, Access.RECEIVE)), Done()
    there = [*orders(), sends(M1), SETTLES, opened]
    assert explained(*there, receives(Got(M1.key), 3, LAPTOP), receives(Failed()))
    assert explained(*there, CUT, receives(Failed(), 3, LAPTOP), MENDED, receives(Got(M1.key), 3, LAPTOP))
    assert not explained(*there, CUT, receives(Got(M1.key), 3, LAPTOP))


def test_only_an_external_transaction_receives_from_afar() -> None:
    for kind in Kind:
        opened = At(LAPTOP, Open(Handle(3), TO_ORDERS, Access.RECEIVE)), Done()
        begun = At(LAPTOP, Begin(TransactionId(3), kind)), Done()
        there = [*orders(transactional=True), *sent_in_transaction(M1), SETTLES, opened, begun]
        received = [*there, receives(Got(M1.key), 3, LAPTOP, within=3)]
        assert explained(*received) == (kind is Kind.EXTERNAL), kind
        assert explained(*there, receives(Failed(), 3, LAPTOP, within=3)) == (kind is Kind.INTERNAL), kind
        if kind is Kind.EXTERNAL:
            aborted = At(LAPTOP, End(TransactionId(3), commit=False)), Done()
            assert explained(*received, *received_in_transaction(), aborted), kind
            assert explained(*received, aborted, *received_in_transaction("m1")), kind


def test_a_queue_is_created_and_counted_from_another_machine() -> None:
    created = At(LAPTOP, CreateQueue(QueueName("work")), on=OFFICE)
    counted = At(LAPTOP, Count(QueueName("work")), on=OFFICE)
    assert explained((created, Done()), (counted, Counted(0)), CUT, (counted, Failed()), (created, Failed()))
    assert not explained(CUT, (created, Done()))


def test_too_many_ways_are_told_as_such() -> None:
    three = [MachineName(f"m{number}") for number in range(3)]
    asked = {"asked": frozenset(Asked), "administration": QueueName("acks")}
    history: list[Step] = [(At(OFFICE, CreateQueue(ORDERS)), Done())]
    for machine in three:
        history.append((At(machine, CreateQueue(QueueName("acks"))), Done()))
        history.append((At(machine, Open(Handle(1), TO_ORDERS, Access.SEND)), Done()))
        history += [
            (At(machine, Send(Handle(1), Message(Key(f"{machine}-{number}"), **asked))), Done()) for number in range(4)
        ]
    explanation = explain((Seen(*one) for one in [*history, SETTLES]), Network(), system_of((OFFICE, *three)))
    assert explanation.undecided
    assert explanation.contradiction is None


SHOP = MachineName("shop")
LATE: Step = (TimePassed(601 * SECOND), Done())
BRIEF = Message(Key("m1"), Assurance.RECOVERABLE, reach_within=600 * SECOND, receive_within=6 * HOUR, dead_letter=True)
ASKING = Message(Key("m1"), asked=frozenset(Asked))
ON_THE_WAY: list[list[Step]] = [
    [*orders(), sends(replace(ASKING, administration=far(LAPTOP, "acks"))), SETTLES, receives(Failed()), SETTLES],
    [*orders(), sends(replace(ASKING, administration=far(SHOP, "acks"))), SETTLES, receives(Failed()), SETTLES],
    [*orders(), sends(replace(ASKING, administration=far(OFFICE, "acks"))), SETTLES, receives(Failed()), SETTLES],
    [*orders(transactional=True), CUT, *sent_in_transaction(BRIEF), LATE, MENDED, SETTLES, *received_in_transaction()],
    [*orders(), sends(BRIEF), SETTLES, LATE, receives(Failed())],
    [(At(OFFICE, CreateQueue(ORDERS, Properties(room=1))), Done()), *orders()[1:], sends(M1), SETTLES,
     sends(replace(M1, key=Key("m2"))), SETTLES, receives(Failed()), receives(Failed())],
]  # fmt: skip
"""What is done with a message on its way; the answers are those that a system of such rules gives."""


def test_what_the_rules_of_the_text_do_on_the_way_is_explained() -> None:
    start = system_of((LAPTOP, OFFICE, SHOP))
    for place, steps in enumerate(ON_THE_WAY):
        assert not contradicts(played([event for event, _ in steps], start), start), place
