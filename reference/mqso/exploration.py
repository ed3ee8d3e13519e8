"""Every way in which a few transactional messages can go between two queue managers, through outages and crashes.

All states that can be reached are gone through, the near ones first, so that what is found is as short as can be. Time
is left out: transfers, losses of acknowledgments, ends and outages come at any moment between two steps.
"""

from collections import deque
from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from mqconform.reference.allowed import Standing
from mqconform.reference.mqso.elements import (
    Access,
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
    Answer,
    At,
    Begin,
    CreateQueue,
    End,
    Event,
    Failed,
    Got,
    NetworkBecomes,
    Open,
    Receive,
    Send,
    Start,
    Stop,
)
from mqconform.reference.mqso.immutable import Value
from mqconform.reference.mqso.network import Network, cuts_off
from mqconform.reference.mqso.networked_queue_manager import far
from mqconform.reference.mqso.system import System, system_of

SOURCE, DESTINATION = MachineName("source"), MachineName("destination")
_QUEUE: Final = QueueName("queue")
_TO: Final = far(DESTINATION, _QUEUE)
_SENDS, _READS = Handle(1), Handle(2)
_BOTH: Final = frozenset({SOURCE, DESTINATION})


class Bounds(Value, frozen=True):
    """How far to go: messages, and how often the network fails, a machine crashes, and a receive is undone."""

    messages: int = 3
    cuts: int = 1
    crashes: int = 1
    aborts: int = 1


class Moment(Value, frozen=True):
    """The machines, what was sent and received, and which faults are left."""

    system: System
    left: Bounds
    sent: int = 0
    received: tuple[Key, ...] = ()


class Explored(Value, frozen=True):
    """What an exploration found.

    Attributes:
        states: how many were gone through.
        problem: what is wrong in the last state of the path, empty where every state is right.
        path: what leads there, as few steps as possible.
    """

    states: int
    problem: str
    path: tuple[str, ...]


def explore(bounds: Bounds, network: Network | None = None) -> Explored:
    """Go through every state within the bounds, or up to the first that breaks exactly-once delivery in order."""
    rules = network or Network()
    start = Moment(_prepared(rules), bounds)
    origin: dict[Moment, tuple[Moment, str] | None] = {start: None}
    waiting = deque(origin)
    while waiting:
        moment = waiting.popleft()
        for step, following in _steps(moment, rules, bounds):
            if following in origin:
                continue
            origin[following] = (moment, step)
            problem = wrong(following)
            if problem:
                return Explored(len(origin), problem, _path(origin, following))
            waiting.append(following)
    return Explored(len(origin), "", ())


def wrong(moment: Moment) -> str:
    """Return what is wrong with a state: a message that came twice, out of its order, or is nowhere (1.1, 3.2.1)."""
    keys = [Key(f"m{number + 1}") for number in range(moment.sent)]
    for place, key in enumerate(moment.received):
        if key in moment.received[:place]:
            return f"{key} is received twice"
        if key in keys[: keys.index(moment.received[place - 1])] and place:
            return f"{key} is received after {moment.received[place - 1]}"
    there = [
        entry.message.key
        for machine, name in ((SOURCE, _TO), (DESTINATION, _QUEUE))
        if name in moment.system.machines[machine].queues
        for entry in moment.system.machines[machine].queues[name].entries
    ]
    lost = [key for key in keys if key not in moment.received and key not in there]
    return f"{lost[0]} is lost" if lost else ""


def _prepared(network: Network) -> System:
    system = system_of((SOURCE, DESTINATION))
    for event in (
        At(DESTINATION, CreateQueue(_QUEUE, Properties(transactional=True))),
        At(SOURCE, Open(_SENDS, _TO, Access.SEND)),
    ):
        system, _ = next(iter(_after(network, system, event)))
    return system


def _after(network: Network, system: System, event: Event) -> Iterator[tuple[System, Answer]]:
    """Yield what may come of an event by permitted readings; a send that fails leaves no message to follow."""
    for after, answer in network.happens(event, system):
        if after.standing <= Standing.PERMITTED and not (_sends(event) and isinstance(answer, Failed)):
            yield after, answer


def _sends(event: Event) -> bool:
    return isinstance(event, At) and isinstance(event.event, Send)


def _steps(moment: Moment, network: Network, bounds: Bounds) -> Iterator[tuple[str, Moment]]:
    system, left = moment.system, moment.left
    for following in network.moves(system):
        yield "a message passes", replace(moment, system=following)
    if moment.sent < bounds.messages and system.machines[SOURCE].running:
        yield from _sent(moment, network)
    if system.machines[DESTINATION].running:
        yield from _received(moment, network)
    if system.cut:
        yield from _fault(moment, network, NetworkBecomes(_BOTH, cut=False), "the network is back", left)
    elif left.cuts:
        fewer = replace(left, cuts=left.cuts - 1)
        yield from _fault(moment, network, NetworkBecomes(_BOTH, cut=True), "the network fails", fewer)
    for machine in (SOURCE, DESTINATION):
        if not system.machines[machine].running:
            yield from _fault(moment, network, At(machine, Start()), f"the {machine} starts", left)
        elif left.crashes:
            fewer = replace(left, crashes=left.crashes - 1)
            yield from _fault(moment, network, At(machine, Stop(suddenly=True)), f"the {machine} crashes", fewer)


def _fault(moment: Moment, network: Network, event: Event, says: str, left: Bounds) -> Iterator[tuple[str, Moment]]:
    """Yield what a fault may lead to, also where a message passes just before it and its acknowledgment is cut off."""
    before = {moment.system, *(network.moves(moment.system, before=event) if cuts_off(event) else ())}
    for system in before:
        for after, _ in _after(network, system, event):
            yield says, replace(moment, system=after, left=left)


def _sent(moment: Moment, network: Network) -> Iterator[tuple[str, Moment]]:
    key = Key(f"m{moment.sent + 1}")
    transaction = TransactionId(1)
    events = (
        At(SOURCE, Open(_SENDS, _TO, Access.SEND)),
        At(SOURCE, Begin(transaction)),
        At(SOURCE, Send(_SENDS, Message(key), transaction)),
        At(SOURCE, End(transaction, commit=True)),
    )
    for system, _ in _one_after_another(network, moment.system, events):
        yield f"{key} is sent", replace(moment, system=system, sent=moment.sent + 1)


def _received(moment: Moment, network: Network) -> Iterator[tuple[str, Moment]]:
    transaction = TransactionId(2)
    begun = (
        At(DESTINATION, Open(_READS, _QUEUE, Access.RECEIVE)),
        At(DESTINATION, Begin(transaction)),
        At(DESTINATION, Receive(Operation(0), _READS, transaction=transaction)),
    )
    for system, answer in _one_after_another(network, moment.system, begun):
        if not isinstance(answer, Got):
            continue
        for after, _ in _after(network, system, At(DESTINATION, End(transaction, commit=True))):
            received = (*moment.received, answer.key)
            yield f"{answer.key} is received", replace(moment, system=after, received=received)
        if moment.left.aborts:
            left = replace(moment.left, aborts=moment.left.aborts - 1)
            for after, _ in _after(network, system, At(DESTINATION, End(transaction, commit=False))):
                yield f"{answer.key} is received, and that undone", replace(moment, system=after, left=left)


def _one_after_another(
    network: Network, system: System, events: tuple[Event, ...]
) -> Iterator[tuple[System, Answer | None]]:
    results: list[tuple[System, Answer | None]] = [(system, None)]
    for event in events:
        results = [result for before, _ in results for result in _after(network, before, event)]
    yield from results


def _path(origin: dict[Moment, tuple[Moment, str] | None], moment: Moment) -> tuple[str, ...]:
    steps: list[str] = []
    before = origin[moment]
    while before is not None:
        steps.append(before[1])
        before = origin[before[0]]
    return tuple(reversed(steps))
