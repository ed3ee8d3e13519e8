"""Faults between queue managers: each shows in one of a few histories that the text explains without it."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace
from test_mqso_network import (
    CUT,
    EXPRESS,
    LAPTOP,
    M1,
    M2,
    MENDED,
    OFFICE,
    ORDERS,
    SETTLES,
    TO_ORDERS,
    Step,
    orders,
    received_in_transaction,
    receives,
    reopened,
    restarted,
    sends,
    sent_in_transaction,
)

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import (
    HOUR,
    SECOND,
    TRANSACTIONAL_DEAD_LETTERS,
    Access,
    Asked,
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
    At,
    Begin,
    CoordinatorBecomes,
    Count,
    CountOutgoing,
    CreateQueue,
    Done,
    End,
    Event,
    Failed,
    Got,
    Open,
    Pause,
    Receive,
    Send,
    Start,
    Stop,
    TakeOffline,
    Throttle,
    TimePassed,
)
from mqconform.reference.mqso.explanation import Seen, explain
from mqconform.reference.mqso.faults.fault_together import FaultTogether
from mqconform.reference.mqso.faults.multicast import MULTICAST_FAULTS
from mqconform.reference.mqso.faults.together import TOGETHER_FAULTS
from mqconform.reference.mqso.faults.transit import TRANSIT_FAULTS
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.station import far, multicast
from mqconform.reference.mqso.system import System, system_of

SHOP = MachineName("shop")
ANSWERS = far(LAPTOP, "answers")
LATE = Message(Key("m1"), reach_within=600 * SECOND, dead_letter=True)
TOLD = Message(Key("m1"), asked=frozenset(Asked), administration=far(LAPTOP, "acks"))
ACKS: list[Step] = [
    (At(LAPTOP, CreateQueue(QueueName("acks"))), Done()),
    (At(LAPTOP, Open(Handle(7), QueueName("acks"), Access.RECEIVE)), Done()),
]
AFAR: list[Step] = [(At(LAPTOP, Open(Handle(3), TO_ORDERS, Access.RECEIVE)), Done())]
DOWN, UP = At(OFFICE, Stop(suddenly=True)), At(OFFICE, Start())
TO_SHOP: list[Step] = [
    (At(SHOP, CreateQueue(ORDERS)), Done()),
    (At(LAPTOP, Open(Handle(8), far(SHOP, "orders"), Access.SEND)), Done()),
    (At(SHOP, Open(Handle(8), ORDERS, Access.RECEIVE)), Done()),
]
PAUSED, RESUMED = ((Pause(LAPTOP, TO_ORDERS, on), Done()) for on in (True, False))
SAFE = orders(transactional=True)
CREATES, COUNTS = At(LAPTOP, CreateQueue(QueueName("work")), OFFICE), At(LAPTOP, Count(QueueName("work")), OFFICE)


def within(kind: Kind) -> list[Step]:
    begun = At(LAPTOP, Begin(TransactionId(3), kind)), Done()
    ended = At(LAPTOP, End(TransactionId(3), commit=False)), Done()
    return [*AFAR, begun, receives(Failed(), 3, LAPTOP, within=3), ended, *received_in_transaction("m1")]


HISTORIES: list[list[Step]] = [
    [*orders(), sends(M1), SETTLES, receives(Failed()), receives(Failed())],
    [*SAFE, *sent_in_transaction(M1, M2), SETTLES, *received_in_transaction("m1", "m2")],
    [*SAFE, CUT, *sent_in_transaction(M1), *restarted(LAPTOP), MENDED, SETTLES, *received_in_transaction("m1")],
    [*orders(), *TO_SHOP, (DOWN, Done()), sends(M1), (At(LAPTOP, Send(Handle(8), M2)), Done()), SETTLES,
     receives(Failed(), 8, SHOP)],
    *(
        [*orders(), (DOWN, Done()), sends(message), *restarted(LAPTOP), (UP, Done()), SETTLES, reopened(),
         receives(Failed())]
        for message in (M1, EXPRESS)
    ),
    [*orders(), PAUSED, sends(M1), SETTLES, receives(Failed()), RESUMED, SETTLES, receives(Failed())],
    [*orders(), (TakeOffline(OFFICE, on=True), Done()), sends(M1), SETTLES, receives(Failed())],
    [*orders(), *AFAR, CUT, receives(Failed(), 3, LAPTOP), MENDED, (At(OFFICE, Open(Handle(4), ORDERS, Access.SEND)),
     Done()), (At(OFFICE, Send(Handle(4), M1)), Done()), receives(Failed(), 3, LAPTOP)],
    *([*SAFE, *sent_in_transaction(M1), SETTLES, *within(kind)] for kind in Kind),
    [(CREATES, Done()), CUT, (COUNTS, Done())],
    [*orders(), sends(M1), SETTLES, (At(LAPTOP, Count(ORDERS), OFFICE), Done()), receives(Failed())],
    [*orders(), sends(Message(Key("m1"), response=ANSWERS)), SETTLES, receives(Failed())],
    [*SAFE, *ACKS, sends(TOLD), SETTLES, receives(Failed(), 7, LAPTOP), *received_in_transaction("m1")],
    [*orders(), *ACKS, sends(TOLD), SETTLES, receives(Failed(), 7, LAPTOP)],
    [*SAFE, CUT, *sent_in_transaction(LATE), (At(LAPTOP, Open(Handle(5), TRANSACTIONAL_DEAD_LETTERS, Access.RECEIVE)),
     Done()), (TimePassed(601 * SECOND), Done()), (At(LAPTOP, Receive(Operation(0), Handle(5), takes=False)), Done()),
     MENDED, SETTLES, *received_in_transaction("m1")],
    [*SAFE, CUT, *sent_in_transaction(LATE), *restarted(LAPTOP), (TimePassed(601 * SECOND), Done()), MENDED, SETTLES,
     *received_in_transaction("m1")],
    [*SAFE, CUT, *sent_in_transaction(replace(LATE, receive_within=6 * HOUR)), (TimePassed(601 * SECOND), Done()),
     MENDED, SETTLES, *received_in_transaction("m1")],
    [*orders(), (DOWN, Done()), sends(EXPRESS), (At(LAPTOP, Stop()), Done()), (At(LAPTOP, Start()), Done()),
     (UP, Done()), SETTLES, reopened(), receives(Failed())],
    [*orders(), (At(LAPTOP, CoordinatorBecomes(lost=True)), Done()), sends(M1), SETTLES, receives(Failed())],
    [*orders(), (At(OFFICE, Throttle(on=True)), Done()), sends(M1), SETTLES, receives(Failed())],
    [(At(OFFICE, CreateQueue(ORDERS, Properties(room=1))), Done()), *orders()[1:], sends(M1), SETTLES, sends(M2),
     SETTLES, receives(Failed()), receives(Failed())],
    [*orders(), sends(Message(Key("m1"), correlation=Key("m0"))), SETTLES, receives(Failed())],
]  # fmt: skip
"""What is done; the answers are those that a system of such rules gives."""


def events_of(history: Sequence[Step]) -> list[Event]:
    counts = [CountOutgoing(LAPTOP)] if (CUT in history) else []
    return [*(event for event, _ in history), *counts]


def played(model: Network, events: Sequence[Event]) -> list[Seen]:
    """Return what a system answers that transfers at once, and follows the readings that come first."""
    system: System = system_of((LAPTOP, OFFICE, SHOP))
    history: list[Seen] = []
    for event in events:
        results = [one for one in model.happens(event, system) if one[0].standing is Standing.TEXT]
        system, answer = min(results, key=lambda one: sorted(f"{type(two)}{two.name}" for two in one[0].followed))
        history.append(Seen(event, answer))
        while after := model.next_transfer(system):
            system = after[0]
    return history


def contradicts(history: Sequence[Seen]) -> bool:
    return explain(history, Network(), system_of((LAPTOP, OFFICE, SHOP))).contradiction is not None


def test_the_rules_of_the_text_are_explained_by_it() -> None:
    assert not [place for place, one in enumerate(HISTORIES) if contradicts(played(Network(), events_of(one)))]


@pytest.mark.parametrize("fault", [*TOGETHER_FAULTS, *TRANSIT_FAULTS], ids=lambda fault: fault.name)
def test_each_fault_shows(fault: FaultTogether) -> None:
    assert any(contradicts(played(fault.model, events_of(one))) for one in HISTORIES)


ADDRESS = "234.1.1.1:8001"
PRICES, SPARE, OTHERS = map(QueueName, ("prices", "spare", "others"))
MULTICAST: list[Event] = [
    *(At(OFFICE, CreateQueue(name, Properties(multicast=ADDRESS))) for name in (PRICES, SPARE)),
    At(SHOP, CreateQueue(PRICES, Properties(multicast=ADDRESS))),
    At(SHOP, CreateQueue(OTHERS, Properties(multicast="234.1.1.2:8001"))),
    At(LAPTOP, Open(Handle(1), multicast(ADDRESS), Access.SEND)),
    At(LAPTOP, Send(Handle(1), EXPRESS)),
    SETTLES[0],
    *(
        event
        for handle, (machine, name) in enumerate([(OFFICE, PRICES), (OFFICE, SPARE), (SHOP, PRICES), (SHOP, OTHERS)], 2)
        for event in (
            At(machine, Open(Handle(handle), name, Access.RECEIVE)),
            At(machine, Receive(Operation(handle), Handle(handle))),
            At(machine, Receive(Operation(handle), Handle(handle))),
        )
    ),
]


def test_a_multicast_message_is_once_in_each_queue_of_its_address() -> None:
    history = played(Network(), MULTICAST)
    got = [place for place, seen in enumerate(history) if isinstance(seen.answer, Got)]
    assert len(got) == 3
    assert not contradicts(history)
    for place in got:
        assert contradicts([*history[:place], Seen(history[place].event, Failed())])
        again = Seen(history[place + 1].event, history[place].answer)
        assert contradicts([*history[: place + 1], again])


def test_a_queue_that_comes_between_a_send_and_its_transfer_may_have_the_message() -> None:
    later = QueueName("later")
    events: list[Event] = [
        *MULTICAST[:6],
        At(LAPTOP, CreateQueue(later, Properties(multicast=ADDRESS))),
        SETTLES[0],
        At(LAPTOP, Open(Handle(9), later, Access.RECEIVE)),
        At(LAPTOP, Receive(Operation(9), Handle(9))),
    ]
    history = played(Network(), events)
    for answer in (Failed(), Got(EXPRESS.key)):
        assert not contradicts([*history[:-1], Seen(events[-1], answer)])


@pytest.mark.parametrize("fault", MULTICAST_FAULTS, ids=lambda fault: fault.name)
def test_each_fault_of_multicast_shows(fault: FaultTogether) -> None:
    assert contradicts(played(fault.model, MULTICAST))
