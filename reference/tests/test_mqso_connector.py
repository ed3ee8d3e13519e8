"""Queues of other messaging systems, and applications without a queue manager, in the model (6.1.7, 6.1.9)."""

from collections.abc import Sequence

from mqso_played import played

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import (
    CONNECTOR,
    SECOND,
    Access,
    Assurance,
    Handle,
    Key,
    MachineName,
    Message,
    Operation,
    Properties,
    QueueName,
    TransactionId,
)
from mqconform.reference.mqso.events import (
    At,
    Begin,
    CreateQueue,
    Done,
    End,
    EnterForeignQueue,
    Event,
    Failed,
    Got,
    Open,
    Receive,
    Send,
    TimePassed,
)
from mqconform.reference.mqso.explanation import Seen, explain
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import far, public
from mqconform.reference.mqso.system import System, system_of

CUSTOMER, GATEWAY = map(MachineName, ("customer", "gateway"))
AGENT, MIDDLE, WORKER, HELPER = map(MachineName, ("agent", "middle", "worker", "helper"))
STATUS, ANSWERS, QUOTES, PRICES = map(QueueName, ("status", "answers", "quotes", "prices"))
SETTLES = TimePassed(6 * 3600 * SECOND)
ASKED, ANSWER = (Message(Key(key), Assurance.RECOVERABLE) for key in ("m1", "m2"))
FIRST, SECOND_ONE = TransactionId(1), TransactionId(2)


def domain() -> System:
    return system_of((CUSTOMER, GATEWAY), {CUSTOMER, GATEWAY})


def farm() -> System:
    return system_of((AGENT, MIDDLE), clients={WORKER: MIDDLE, HELPER: MIDDLE})


def explained(history: Sequence[Seen], start: System) -> bool:
    standing = explain(history, Network(), start).standing
    return standing is not None and standing <= Standing.PERMITTED


FOREIGN: list[Event] = [
    EnterForeignQueue(GATEWAY, STATUS),
    At(CUSTOMER, CreateQueue(ANSWERS)),
    At(CUSTOMER, Open(Handle(1), public(GATEWAY, STATUS), Access.SEND)),
    At(CUSTOMER, Send(Handle(1), ASKED)),
    SETTLES,
    At(GATEWAY, Open(Handle(2), CONNECTOR, Access.RECEIVE)),
    At(GATEWAY, Receive(Operation(1), Handle(2))),
    At(GATEWAY, Open(Handle(3), far(CUSTOMER, ANSWERS), Access.SEND)),
    At(GATEWAY, Send(Handle(3), ANSWER)),
    SETTLES,
    At(CUSTOMER, Open(Handle(4), ANSWERS, Access.RECEIVE)),
    At(CUSTOMER, Receive(Operation(2), Handle(4))),
    At(GATEWAY, Receive(Operation(3), Handle(2))),
]


def test_a_message_for_a_foreign_queue_is_in_the_connector_queue_of_its_gateway() -> None:
    history = played(FOREIGN, domain())
    assert [exchange.answer for exchange in history[-3:]] == [Done(), Got(ANSWER.key), Failed()]
    assert history[6].answer == Got(ASKED.key)
    assert explained(history, domain())
    for place in (6, 11):
        assert not explained([*history[:place], Seen(history[place].event, Failed())], domain())


def test_no_application_sends_to_a_connector_queue() -> None:
    system = next(iter(Network().happens(FOREIGN[0], domain())))[0]
    opened = At(GATEWAY, Open(Handle(1), CONNECTOR, Access.SEND))
    sent = At(GATEWAY, Send(Handle(1), ASKED))
    assert explained([Seen(opened, Done()), Seen(sent, Failed())], system)
    assert not explained([Seen(opened, Done()), Seen(sent, Done())], system)


def farm_with(*events: Event) -> list[Event]:
    return [
        At(MIDDLE, CreateQueue(QUOTES, Properties(transactional=True))),
        At(AGENT, CreateQueue(PRICES, Properties(transactional=True))),
        At(MIDDLE, Open(Handle(1), QUOTES, Access.SEND)),
        At(MIDDLE, Begin(TransactionId(0))),
        At(MIDDLE, Send(Handle(1), ASKED, TransactionId(0))),
        At(MIDDLE, End(TransactionId(0), commit=True)),
        At(WORKER, Begin(FIRST)),
        At(WORKER, Open(Handle(2), far(MIDDLE, QUOTES), Access.RECEIVE)),
        At(WORKER, Open(Handle(3), far(AGENT, PRICES), Access.SEND)),
        At(WORKER, Receive(Operation(1), Handle(2), transaction=FIRST)),
        At(WORKER, Send(Handle(3), ANSWER, FIRST)),
        *events,
    ]


ANSWERED: list[Event] = [
    SETTLES,
    At(AGENT, Open(Handle(4), PRICES, Access.RECEIVE)),
    At(AGENT, Begin(SECOND_ONE)),
    At(AGENT, Receive(Operation(2), Handle(4), transaction=SECOND_ONE)),
]
BACK: list[Event] = [
    At(HELPER, Begin(SECOND_ONE)),
    At(HELPER, Open(Handle(5), far(MIDDLE, QUOTES), Access.RECEIVE)),
    At(HELPER, Receive(Operation(3), Handle(5), transaction=SECOND_ONE)),
]


def test_a_client_receives_and_sends_in_one_transaction() -> None:
    for commit in (True, False):
        ended = At(WORKER, End(FIRST, commit))
        for looks, there in ((ANSWERED, commit), (BACK, not commit)):
            history = played(farm_with(ended, *looks), farm())
            assert isinstance(history[-1].answer, Got) == there, commit
            assert explained(history, farm()), commit
            other = Failed() if there else Got(ASKED.key if looks is BACK else ANSWER.key)
            assert not explained([*history[:-1], Seen(history[-1].event, other)], farm()), commit
