"""How messages pass between queue managers (3.3.4.5, 4.3.1.2, 5.1.1.2).

Between two calls any message may pass that nothing hinders, or none: the text says that transfers happen and not when.
After ``SETTLED`` without hindrance all have passed. Where a message goes next (MS-MQBR at each machine) and who has a
copy of a multicast message are here too.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from mqconform.reference.mqso.elements import CONNECTOR, HOUR, Assurance, Entry, MachineName, Queue, QueueName
from mqconform.reference.mqso.events import Answer, At, Event, NetworkBecomes, Stop
from mqconform.reference.mqso.networked_queue_manager import far, is_far, is_multicast, is_public, parts_of
from mqconform.reference.mqso.readings import SentAndUnacknowledged
from mqconform.reference.mqso.system import (
    Ahead,
    System,
    Unacknowledged,
    is_ordered,
    meets,
    ordered_in,
    waits_for_directory,
    without,
)
from mqconform.reference.mqso.world import TooManyWorlds, decided

if TYPE_CHECKING:
    from mqconform.reference.mqso.network import Network

SETTLED: Final = 6 * HOUR
"""After so long without hindrance all is transferred: EOD waits no longer between two attempts (register QM-52)."""
MOST_STATES: Final = 4096
"""The most ways that transfers may have gone which are followed."""


Results = Iterator[tuple[System, Answer]]


def moves(network: "Network", system: System, *, forced: bool = False, before: Event | None = None) -> Iterator[System]:
    """Yield what one more transfer, notice or look at the directory may lead to.

    Args:
        network: the rules.
        system: before it.
        forced: only those that have to happen in the end.
        before: what happens next, as it may cut off acknowledgments, or messages on their way.
    """
    yield from network.multicasts(system)
    for machine, world in system.machines.items():
        for name, queue in world.queues.items():
            if not is_far(name) or not queue.entries:
                continue
            if _may_move(network, system, machine, name, forced=forced):
                yield from _moved(network, system, machine, name, before=before)
                yield from _sent_ahead(network, system, machine, name, forced=forced)
            elif not forced:
                yield from _lost_while_away(network, system, machine, name)
    for copy in system.ahead:
        yield from _brought_on(network, system, copy, forced=forced, before=before)
    yield from network.meetings(system, forced=forced)
    for notice in system.notices:
        yield from network.taken_over(system, notice, forced=forced)


def _may_move(network: "Network", system: System, machine: MachineName, name: QueueName, *, forced: bool) -> bool:
    if forced and machine in system.offline:  # whether it sends is open (register QM-21)
        return False
    if forced and not (
        network.has_to_transfer(system, machine, name) and network.next_machines(system, machine, name, forced=True)
    ):
        return False
    return network.may_transfer(system, machine, name) or (not forced and _by_itself(system, machine, name))


def _lost_while_away(network: "Network", system: System, machine: MachineName, name: QueueName) -> Iterator[System]:
    """Yield what is lost while the network is away, or for express messages the destination.

    Section 3.2.1 lets it happen (MQSO-3.2.1-01, MQSO-3.2.1-03).
    """
    hops = {hop for answer in network.onward(system, machine, name) for hop in answer if hop in system.machines}
    away = any(not system.linked(machine, hop) for hop in hops)
    stopped = any(not system.machines[hop].running for hop in hops)
    for entry in system.machines[machine].queues[name].entries:
        assurance = entry.message.assurance
        excused = away or (stopped and assurance is Assurance.EXPRESS)
        if excused and entry.available and assurance is not Assurance.TRANSACTIONAL:
            yield without(system, (machine, name, entry.message.key))


def _lost_on_the_way(
    system: System, transfer: Unacknowledged, entry: Entry, before: Event, hop: MachineName
) -> Iterator[System]:
    """Yield what may be lost as something happens while it is on its way (3.2.1, 5.5.1, register QM-07)."""
    machine = transfer[0]
    express = entry.message.assurance is Assurance.EXPRESS
    if entry.message.assurance is Assurance.TRANSACTIONAL:
        return
    match before:
        case NetworkBecomes(cut=True):
            yield without(system, transfer)
        case At(machine=ended, event=Stop()) if express and ended == hop:
            yield without(system, transfer)
        case At(machine=ended, event=Stop()) if not express and ended == machine:
            for world, choice in decided(system.at(machine), SentAndUnacknowledged):
                if choice is SentAndUnacknowledged.LOST:
                    yield without(system.having(machine, world), transfer)


def next_places(network: "Network", entries: tuple[Entry, ...]) -> Iterator[int]:
    """Yield which messages of an outgoing queue may pass next: of the transactional ones the first, of others any.

    Only transactional ones are promised to keep their order on the way (3.2.1, EOD-2-02).
    """
    first = True
    for place, entry in enumerate(entries):
        if not entry.available:
            continue
        ordered = entry.message.report is None and entry.series is None
        transactional = ordered and entry.message.assurance is Assurance.TRANSACTIONAL
        if first or not transactional:
            yield place
        first = first and not transactional


def _by_itself(system: System, machine: MachineName, name: QueueName) -> bool:
    """Return whether a dead letter for its source may be there already: its own timer told the source, no word."""
    to, queue = parts_of(name)
    return queue.startswith("*") and to in system.machines and system.machines[to].running and to != machine


def _moved(  # noqa: PLR0913
    network: "Network",
    system: System,
    machine: MachineName,
    name: QueueName,
    *,
    before: Event | None,
    places: int | None = None,
) -> Iterator[System]:
    rules = network.rules_at(machine)
    for world in rules.expired(system.at(machine), name, touched=True):
        left = system.having(machine, world)
        queue = left.machines[machine].queues.get(name)
        if world.queues[name] != system.machines[machine].queues[name]:
            yield left  # what had run out of time goes first
            continue
        for place in islice(network.next_places(queue.entries if queue else ()), places):
            yield from _passed(network, left, machine, name, place, before=before)


def _passed(  # noqa: PLR0913
    network: "Network", system: System, machine: MachineName, name: QueueName, place: int, *, before: Event | None
) -> Iterator[System]:
    """Yield what may come of the transfer of one message: it leaves its source when that is told so.

    Sections 4.3.1.2 and 3.3.4.5 (MQSO-4.3.1.2-08, MQSO-3.3.4.5-01, MQSO-3.3.4.5-06).
    """
    entry = system.machines[machine].queues[name].entries[place]
    transfer: Unacknowledged = (machine, name, entry.message.key)
    if transfer in system.unacknowledged:
        yield from network.known_again(system, transfer)
        return
    to = parts_of(name)[0]
    hops = network.next_machines(system, machine, name) or (to,)  # a dead letter may be there by itself
    for hop in hops:
        if hop != to and is_ordered(entry):
            continue  # it stays here until it is acknowledged
        arrivals = (
            network.arrivals(system, machine, entry) if hop == to else network.passed_on(system, transfer, entry, hop)
        )
        for arrived in arrivals:
            yield without(arrived, transfer)
            if before is not None:
                yield replace(arrived, unacknowledged=arrived.unacknowledged | {transfer})
        if before is not None:
            yield from _lost_on_the_way(system, transfer, entry, before, hop)


def passed_on(
    network: "Network", system: System, transfer: Unacknowledged, entry: Entry, hop: MachineName
) -> Iterator[System]:
    """Yield what comes of a message at a machine on its way: it waits in an outgoing queue (MQSO-5.1.1.3-07)."""
    machine, name, _ = transfer
    world = system.at(hop)
    queue = world.queues.get(name) or Queue()
    came = replace(entry, message=replace(entry.message, source=entry.message.source or machine))
    yield system.having(hop, world.with_queue(name, replace(queue, entries=(*queue.entries, came))))


def _sent_ahead(
    network: "Network", system: System, machine: MachineName, name: QueueName, *, forced: bool
) -> Iterator[System]:
    """Yield what comes of handing an ordered message to a machine on its way, which its source keeps (4.3.1.2)."""
    on_their_way = {transfer for transfer, _ in system.ahead}
    for entry in ordered_in(system.machines[machine].queues[name].entries):
        transfer: Unacknowledged = (machine, name, entry.message.key)
        if transfer in system.unacknowledged or (forced and transfer in on_their_way):
            continue
        yield from _handed_on(network, system, transfer, machine, forced=forced)


def _handed_on(
    network: "Network", system: System, transfer: Unacknowledged, at: MachineName, *, forced: bool
) -> Iterator[System]:
    for hop in network.next_machines(system, at, transfer[1], forced=forced):
        if hop != parts_of(transfer[1])[0] and (transfer, hop) not in system.ahead:
            yield replace(system, ahead=(system.ahead - {(transfer, at)}) | {(transfer, hop)})


def _brought_on(
    network: "Network", system: System, copy: Ahead, *, forced: bool, before: Event | None
) -> Iterator[System]:
    """Yield what may become of an ordered message at a machine on its way: it goes on, or arrives in its turn.

    That it arrived reaches the source at once where nothing hinders it, and in time otherwise.
    """
    transfer, at = copy
    machine, name, key = transfer
    if not _may_move(network, system, at, name, forced=forced):
        return
    yield from _handed_on(network, system, transfer, at, forced=forced)
    entries = system.machines[machine].queues[name].entries
    first = next(
        (entry for entry in ordered_in(entries) if (machine, name, entry.message.key) not in system.unacknowledged),
        None,
    )
    arrives = parts_of(name)[0] in network.next_machines(system, at, name, forced=forced)
    if not arrives or first is None or first.message.key != key:
        return
    for world in network.rules_at(machine).expired(system.at(machine), name, touched=True):
        left = system.having(machine, world)
        if world.queues.get(name) != system.machines[machine].queues[name]:
            yield left  # what had run out of time goes first
            continue
        for arrived in network.arrivals(left, machine, first):
            acknowledged = replace(arrived, ahead=arrived.ahead - {copy})
            yield without(acknowledged, transfer)
            if before is not None or not network.may_transfer(left, machine, name):
                yield replace(acknowledged, unacknowledged=arrived.unacknowledged | {transfer})


def known_again(network: "Network", system: System, transfer: Unacknowledged) -> Iterator[System]:
    """Yield what comes of a message that its destination knows: it is dropped there (MQSO-3.3.4.5-01)."""
    yield without(system, transfer)


def arrivals(network: "Network", system: System, machine: MachineName, entry: Entry) -> Iterator[System]:
    """Yield what may come of the arrival of a message from a machine (3.3.4.5, MQSO-3.3.4.5-02, MQSO-1.1-01)."""
    assert entry.message.to is not None
    to, queue = network.home(system, entry.message.to)
    message = replace(entry.message, to=None, source=entry.message.source or machine)
    came = Entry(message, entry.until, entry.reach_until)
    counted = system
    if entry.message.assurance is Assurance.TRANSACTIONAL:
        place = (machine, entry.message.to)
        counted = replace(system, transferred=system.transferred.having(place, system.transferred.get(place, 0) + 1))
    for world in network.rules_at(to).arrives(counted.at(to), queue, came):
        yield counted.having(to, world)


def home(network: "Network", system: System, name: QueueName) -> tuple[MachineName, QueueName]:
    """Return where a message for a queue ends: one for a foreign queue in the connector queue of its gateway.

    Sections 5.1.1.2 and 6.1.9.5 (MQSO-5.1.1.2-31, MQSO-6.1.9.5-01).
    """
    machine, queue = parts_of(name)
    entry = system.directory.get(far(machine, queue))
    return machine, CONNECTOR if entry is not None and entry.foreign else queue


def next_transfer(network: "Network", system: System, before: Event | None = None) -> tuple[System, ...]:
    """Return the possible results of the next transfer, notice or look where nothing is held back; empty without."""
    if (by_directory := network.next_by_directory(system)) is not None:
        return (by_directory,)
    if multicasts := tuple(network.multicasts(system)):
        return multicasts
    for machine, world in system.machines.items():
        for name, queue in world.queues.items():
            if not is_far(name) or not queue.entries:
                continue
            waits = any((machine, name, message.key) not in system.unacknowledged for message in queue.available)
            due = waits if before is not None else bool(queue.available)
            if due and _may_move(network, system, machine, name, forced=True):
                moved = tuple(_moved(network, system, machine, name, before=before, places=1))
                if after := moved or tuple(_sent_ahead(network, system, machine, name, forced=True)):
                    return after
    brought_on = (tuple(_brought_on(network, system, copy, forced=True, before=before)) for copy in system.ahead)
    return next(filter(None, brought_on), ())


def closure(network: "Network", systems: Iterable[System], *, before: Event | None = None) -> frozenset[System]:
    """Return all that transfers may lead to from any of some systems, none of them included.

    Raises:
        TooManyWorlds: there are more than are followed.
    """
    reached = {*systems}
    fresh = [*reached]
    while fresh:
        for after in network.moves(fresh.pop(), before=before):
            if after not in reached:
                reached.add(after)
                fresh.append(after)
        if len(reached) > MOST_STATES:
            raise TooManyWorlds
    return frozenset(reached)


def settled(network: "Network", systems: Iterable[System]) -> frozenset[System]:
    """Return what transfers lead to when all have happened that nothing hinders (MQSO-3.3.4.3-09)."""
    return frozenset(
        state for state in network.closure(systems) if next(network.moves(state, forced=True), None) is None
    )


Answers = tuple[tuple[MachineName, ...], ...]
"""What a router may answer: each the machines that it may name together."""


def may_transfer(network: "Network", system: System, machine: MachineName, name: QueueName) -> bool:
    """Return whether messages of an outgoing queue can pass now.

    Sections 5.1.1.1, 5.1.1.2, 5.2.1.2.2 and 5.5.2 (MQSO-5.1.1.1-11, MQSO-5.1.1.1-14, MQSO-5.1.1.1-17,
    MQSO-5.1.1.2-23, MQSO-5.2.1.2.2-01, MQSO-5.5.2-02).
    """
    stopped = not system.machines[machine].running or (machine, name) in system.paused
    hindered = stopped or waits_for_directory(system, machine, name)
    return not hindered and bool(network.next_machines(system, machine, name))


def onward(network: "Network", system: System, machine: MachineName, name: QueueName) -> Answers:
    """Return the answers that a router may give for a queue, as machines of which any may take the message.

    Direct names are not routed (MS-MQQB 3.1.5.8.1). Sections 3.3.4.5, 4.3.1.3 and 5.1.2 (MQSO-3.3.4.5-07,
    MQSO-4.3.1.3-05, MQSO-4.3.1.3-06, MQSO-4.3.1.3-08, MQSO-5.1.2-05, MQSO-5.1.2-07).
    """
    to = parts_of(name)[0]
    if system.ways is None or not is_public(name):
        return ((to,),)
    return system.ways.answers(machine, to)


def next_machines(
    network: "Network", system: System, machine: MachineName, name: QueueName, *, forced: bool = False
) -> tuple[MachineName, ...]:
    """Return the machines that may take a message for a queue now; around a dead link, the next best.

    Args:
        network: the rules.
        system: at this moment.
        machine: has the message.
        name: the queue.
        forced: none where a permitted answer of the router names nobody who can take it.
    """
    if parts_of(name)[0] not in system.machines:
        return ()
    answers = network.onward(system, machine, name)
    ready = [[hop for hop in answer if meets(system, machine, hop)] for answer in answers]
    if forced:
        return tuple(dict.fromkeys(hop for hops in ready for hop in hops)) if all(ready) else ()
    reached = [hop for hops in ready for hop in hops]
    others = () if len(reached) == sum(map(len, answers)) else network.around(system, machine, name, answers)
    return tuple(dict.fromkeys([*reached, *others]))


def around(
    network: "Network", system: System, machine: MachineName, name: QueueName, answers: Answers
) -> tuple[MachineName, ...]:
    """Return who may be tried around a machine that cannot be reached: those of the next best way.

    Section 6.1.5.5 (register QM-28). Two routers that hand a message to each other for want of another way drop it
    after some hops (MS-MQQB 3.1.5.8.2); that is not followed here, and no scenario leads there.
    """
    if system.ways is None or not is_public(name):
        return ()
    hops = {hop for answer in answers for hop in answer if hop in system.machines}
    dead = frozenset(hop for hop in hops if not meets(system, machine, hop))
    next_best = system.ways.without_links(machine, dead).answers(machine, parts_of(name)[0])
    return tuple(hop for answer in next_best for hop in answer if meets(system, machine, hop))


def multicasts(network: "Network", system: System) -> Iterator[System]:
    """Yield what comes of sending a multicast message: each queue of its address has a copy on its way.

    Section 6.1.8.5 (MQSO-6.1.8.5-01).
    """
    for machine, world in system.machines.items():
        for name, queue in world.queues.items():
            if not queue.entries or not is_multicast(name) or not queue.available or not world.running:
                continue
            entry = next(entry for entry in queue.entries if entry.available)
            sent = without(system, (machine, name, entry.message.key))
            for other, there in network.receivers(system, parts_of(name)[1]):
                sent = network.copied(sent, machine, entry, other, there)
            yield sent


def receivers(network: "Network", system: System, address: str) -> list[tuple[MachineName, QueueName]]:
    """Return the queues that a multicast address reaches (MQSO-6.1.8.5-01)."""
    return [
        (machine, name)
        for machine, world in system.machines.items()
        for name, queue in world.queues.items()
        if queue.properties.multicast == address
    ]


def copied(  # noqa: PLR0913, PLR0917
    network: "Network", system: System, machine: MachineName, entry: Entry, to: MachineName, queue: QueueName
) -> System:
    """Return a system where a copy of a message waits for a queue."""
    name = far(to, queue)
    world = system.at(machine)
    waiting = world.queues.get(name) or Queue()
    copy = replace(entry, message=replace(entry.message, to=name))
    return system.having(machine, world.with_queue(name, replace(waiting, entries=(*waiting.entries, copy))))
