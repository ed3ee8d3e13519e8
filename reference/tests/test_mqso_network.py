"""Queue managers together: what may happen to a message on its way, where the text does not say which."""

from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    Access,
    Asked,
    Assurance,
    Handle,
    Key,
    MachineName,
    Message,
    Operation,
    Properties,
    QueueName,
)
from mqconform.reference.mqso.events import (
    Answer,
    At,
    CreateQueue,
    Done,
    Event,
    Failed,
    Got,
    Open,
    Receive,
    Send,
    Start,
    Stop,
    TimePassed,
)
from mqconform.reference.mqso.explanation import Seen, explain
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import far
from mqconform.reference.mqso.system import system_of
from mqconform.reference.mqso.transfers import SETTLED

LAPTOP, OFFICE = MachineName("laptop"), MachineName("office")
ORDERS = QueueName("orders")
TO_ORDERS = far(OFFICE, ORDERS)
Step = tuple[Event, Answer]
SETTLES: Step = (TimePassed(SETTLED), Done())


def explained(*history: Step) -> bool:
    return bool(explain((Seen(*one) for one in history), Network(), system_of((LAPTOP, OFFICE))).worlds)


def orders(*, transactional: bool = False) -> list[Step]:
    """Queue ``orders`` at the office; handle 1 sends to it from the laptop, handle 2 receives from it at the office."""
    return [
        (At(OFFICE, CreateQueue(ORDERS, Properties(transactional))), Done()),
        (At(LAPTOP, Open(Handle(1), TO_ORDERS, Access.SEND)), Done()),
        (At(OFFICE, Open(Handle(2), ORDERS, Access.RECEIVE)), Done()),
    ]


def sends(message: Message) -> Step:
    return At(LAPTOP, Send(Handle(1), message)), Done()


def receives(answer: Answer, handle: int = 2, at: MachineName = OFFICE) -> Step:
    return At(at, Receive(Operation(0), Handle(handle))), answer


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
