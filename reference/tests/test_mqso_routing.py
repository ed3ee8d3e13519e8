"""Messages that go over several machines of a domain: what the text allows, and what not."""

from collections.abc import Sequence
from typing import Final

from mqso_played import contradicts, played

from mqconform.reference.mqso.elements import (
    HOUR,
    Access,
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
    CountOutgoing,
    CreateQueue,
    End,
    Event,
    Failed,
    Got,
    NetworkBecomes,
    Open,
    Outgoing,
    Receive,
    Send,
    Start,
    Stop,
    TakeOffline,
    TimePassed,
)
from mqconform.reference.mqso.explanation import Seen
from mqconform.reference.mqso.networked_queue_manager import public
from mqconform.reference.mqso.routes import Routes, topology_of
from mqconform.reference.mqso.system import system_of

CLERK, NORTH, MIDDLE, SOUTH, STOCK = map(MachineName, ("clerk", "north", "middle", "south", "stock"))
SITES: Final = {CLERK: "N", NORTH: "N", MIDDLE: "M", SOUTH: "S", STOCK: "S"}
GATES: Final = {"N": NORTH, "M": MIDDLE, "S": SOUTH}
WAYS: Final = Routes(
    topology_of(
        {
            "enterprise": {"name": "domain"},
            "sites": [{"name": site, "site_gates": [gate]} for site, gate in GATES.items()],
            "routing_links": [
                {"id": f"{one}{other}", "site1": one, "site2": other, "cost": cost}
                for one, other, cost in (("N", "M", 1), ("M", "S", 1), ("N", "S", 5))
            ],
            "queue_managers": [
                {"name": name, "sites": [site], "routing_server": name in GATES.values()}
                for name, site in SITES.items()
            ],
        }
    )
)
START: Final = system_of(SITES, SITES, WAYS)
ORDERS, SAFE, NOTES = map(QueueName, ("orders", "safe", "notes"))
RECOVERABLE: Final = Message(Key("m1"), Assurance.RECOVERABLE)
ORDERED: Final = tuple(Message(Key(f"m{number}"), Assurance.TRANSACTIONAL) for number in (1, 2))
SETTLES: Final = TimePassed(6 * HOUR)
QUEUES: Final[tuple[Event, ...]] = (
    At(STOCK, CreateQueue(ORDERS, public=True)),
    At(STOCK, CreateQueue(SAFE, Properties(transactional=True), public=True)),
    At(NORTH, CreateQueue(NOTES, public=True)),
    At(STOCK, Open(Handle(1), ORDERS, Access.RECEIVE)),
    At(STOCK, Open(Handle(2), SAFE, Access.RECEIVE)),
    At(NORTH, Open(Handle(3), NOTES, Access.RECEIVE)),
)


def sent(machine: MachineName, to: MachineName, queue: QueueName, message: Message = RECOVERABLE) -> list[Event]:
    return [At(machine, Open(Handle(9), public(to, queue), Access.SEND)), At(machine, Send(Handle(9), message))]


def sent_in_transaction(*messages: Message) -> list[Event]:
    transaction = TransactionId(1)
    return [
        At(CLERK, Open(Handle(9), public(STOCK, SAFE), Access.SEND)),
        At(CLERK, Begin(transaction, Kind.INTERNAL)),
        *(At(CLERK, Send(Handle(9), message, transaction)) for message in messages),
        At(CLERK, End(transaction, commit=True)),
    ]


def received(machine: MachineName = STOCK, handle: int = 1) -> Event:
    return At(machine, Receive(Operation(handle), Handle(handle)))


def received_in_transaction(times: int) -> list[Event]:
    transaction = TransactionId(2)
    looks = [At(STOCK, Receive(Operation(2), Handle(2), transaction=transaction)) for _ in range(times)]
    return [At(STOCK, Begin(transaction, Kind.INTERNAL)), *looks, At(STOCK, End(transaction, commit=True))]


def between(one: MachineName, other: MachineName, *, cut: bool) -> Event:
    return NetworkBecomes(frozenset({one, other}), cut)


AWAY, BACK = (TakeOffline(STOCK, on) for on in (True, False))
HISTORIES: Final[list[list[Event]]] = [
    [*sent(CLERK, STOCK, ORDERS), SETTLES, received(), received()],
    [*sent_in_transaction(*ORDERED), SETTLES, *received_in_transaction(3)],
    [between(NORTH, SOUTH, cut=True), *sent(CLERK, STOCK, ORDERS), SETTLES, received()],
    [AWAY, *sent(CLERK, STOCK, ORDERS), SETTLES, between(CLERK, NORTH, cut=True), BACK, SETTLES, received()],
    [AWAY, *sent_in_transaction(*ORDERED), SETTLES, between(CLERK, NORTH, cut=True), BACK, SETTLES,
     *received_in_transaction(2), between(CLERK, NORTH, cut=False), SETTLES, *received_in_transaction(1)],
    [*sent(CLERK, NORTH, NOTES), SETTLES, received(NORTH, 3)],
    [*sent(NORTH, STOCK, ORDERS), SETTLES, received()],
    [between(MIDDLE, SOUTH, cut=True), *sent_in_transaction(*ORDERED), SETTLES, between(MIDDLE, SOUTH, cut=False),
     SETTLES, *received_in_transaction(3)],
    [At(MIDDLE, Stop(suddenly=True)), *sent(CLERK, STOCK, ORDERS), SETTLES, At(MIDDLE, Start()), SETTLES, received()],
]  # fmt: skip
"""What is done; the answers are those that a system of such rules gives."""


def with_last(events: Sequence[Event], *answers: Answer) -> list[Seen]:
    """Return a history as the text has it, with other answers at its end."""
    history = played([*QUEUES, *events], START)
    return [
        *history[: -len(answers)],
        *(Seen(seen.event, answer) for seen, answer in zip(history[-len(answers) :], answers, strict=True)),
    ]


def test_each_machine_is_told_the_next_one_of_the_cheapest_way() -> None:
    assert [WAYS.answers(at, STOCK) for at in (CLERK, NORTH, MIDDLE, SOUTH)] == [
        ((NORTH,),), ((MIDDLE,),), ((SOUTH,),), ((STOCK,),)
    ]  # fmt: skip
    assert WAYS.without_links(NORTH, frozenset({MIDDLE})).answers(NORTH, STOCK) == ((SOUTH,),)


def test_what_the_rules_of_the_text_do_is_explained_and_everything_arrives() -> None:
    for place, events in enumerate(HISTORIES):
        history = played([*QUEUES, *events], START)
        assert not contradicts(history, START), place
        keys = [seen.answer.key for seen in history if isinstance(seen.answer, Got)]
        calls = [seen.event.event for seen in history if isinstance(seen.event, At)]
        assert keys == [call.message.key for call in calls if isinstance(call, Send)], place


def test_a_message_is_said_to_wait_where_it_is() -> None:
    for at, numbers in ((CLERK, {0}), (SOUTH, {1}), (MIDDLE, {0})):
        counted = [AWAY, *sent(CLERK, STOCK, ORDERS), SETTLES, CountOutgoing(at)]
        waits = {number: Outgoing(frozenset({(public(STOCK, ORDERS), number)} if number else ())) for number in (0, 1)}
        assert {
            number for number, answer in waits.items() if not contradicts(with_last(counted, answer), START)
        } == numbers


def test_direct_names_are_not_routed() -> None:
    direct = [
        At(CLERK, Open(Handle(9), QueueName("stock/orders"), Access.SEND)),
        At(CLERK, Send(Handle(9), RECOVERABLE)),
    ]
    assert not contradicts(with_last([*direct, SETTLES, received()], Failed()), START)
    assert contradicts(with_last([*direct, SETTLES, received()], Got(Key("m1"))), START)
