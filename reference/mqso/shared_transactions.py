"""Transactions and waits of one queue manager at another: their ends, and the loss of one of both (6.1.2, 5.5.2)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import MachineName, Reader, TransactionId
from mqconform.reference.mqso.events import At, Committed, Failed
from mqconform.reference.mqso.queues import failed
from mqconform.reference.mqso.readings import PartedTransaction, WaitAfar
from mqconform.reference.mqso.system import System
from mqconform.reference.mqso.timers import without
from mqconform.reference.mqso.transfers import Results
from mqconform.reference.mqso.world import C, decided

if TYPE_CHECKING:
    from mqconform.reference.mqso.network import Network


def ended(network: "Network", system: System, event: At) -> Results:
    """Yield what comes of the end of a transaction, the same on all machines that took part (6.1.2).

    A commit of which a machine cannot be told may be an abort (4.3.1.2, 5.5.2, register QM-66).
    """
    assert isinstance(event.event, events.End)
    transaction = event.event.transaction
    others = _others_in(system, event.machine, transaction)
    if event.event.commit and any(not system.reaches(event.machine, name) for name in others):
        for following, parted in _decided(system, event.machine, PartedTransaction):
            if parted is PartedTransaction.GOES_ON:
                yield from network.ended_everywhere(following, event.machine, event.event, others)
            else:
                undone = network.aborted_everywhere(following, event.machine, transaction)
                answers = (Committed(committed=False), Failed())
                yield from ((after, answer) for after in undone for answer in answers)
    else:
        yield from network.ended_everywhere(system, event.machine, event.event, others)


def ended_everywhere(
    network: "Network", system: System, machine: MachineName, event: events.End, others: list[MachineName]
) -> Results:
    """Yield what comes of the end of a transaction, of which all that took part are told."""
    for first, answer in network.at(system, machine, event):
        committed = isinstance(answer, Committed) and answer.committed
        results = [first]
        for name in others:
            end = replace(event, commit=committed)
            results = [
                after
                for state in results
                for after, reply in network.at(state, name, end)
                if not committed or reply == answer
            ]
        yield from ((state, answer) for state in results)


def aborted_everywhere(
    network: "Network", system: System, machine: MachineName, transaction: TransactionId
) -> Iterator[System]:
    """Yield the systems where a transaction of a machine was aborted on all that took part."""
    for after, _ in network.at(system, machine, events.End(transaction, commit=False)):
        results = [after]
        for name in _others_in(system, machine, transaction):
            end = events.End(transaction, commit=False)
            results = [undone for state in results for undone, _ in network.at(state, name, end)]
        yield from results


def after_outage(network: "Network", system: System) -> Iterator[System]:
    """Yield what may come of an outage at once (register QM-66).

    Who waits at a machine out of reach may fail, as what needs the network has to (5.5.2, MQSO-5.5.2-05), and a
    transaction that received from there may be aborted.
    """
    systems = [system]
    for machine, world in system.machines.items():
        waiting = (reader for queue in world.queues.values() for reader in queue.readers if reader.caller)
        lost = tuple(reader for reader in waiting if not system.linked(reader.caller, machine))
        systems = [after for state in systems for after in _without_readers(state, machine, lost)]
    for machine, transaction in _parted(system):
        systems = [after for state in systems for after in network.parted(state, machine, transaction)]
    yield from systems


def parted(network: "Network", system: System, machine: MachineName, transaction: TransactionId) -> Iterator[System]:
    """Yield what becomes of a transaction between whose machines the network fails."""
    for following, choice in _decided(system, machine, PartedTransaction):
        if choice is PartedTransaction.ABORTED_AT_ONCE:
            yield from network.aborted_everywhere(following, machine, transaction)
        else:
            yield following


def bereft_by(network: "Network", system: System, machine: MachineName) -> Iterator[System]:
    """Yield what becomes of the transactions that a machine which ends has had with others (register QM-66).

    They may be aborted on these at once, or at their commits.
    """
    systems = [system]
    for name, world in system.machines.items():
        shared = sorted({*world.transactions} & {*system.machines[machine].transactions})
        for transaction in shared if name != machine else ():
            systems = [after for state in systems for after in network.bereft(state, name, transaction)]
    yield from systems


def bereft(network: "Network", system: System, machine: MachineName, transaction: TransactionId) -> Iterator[System]:
    """Yield what becomes of a transaction at a machine when another one that took part has ended."""
    for following, choice in _decided(system, machine, PartedTransaction):
        if choice is PartedTransaction.ABORTED_AT_ONCE:
            yield from (after for after, _ in network.at(following, machine, events.End(transaction, commit=False)))
        else:
            world = following.at(machine)
            yield following.having(machine, replace(world, curtailed=world.curtailed | {transaction}))


def _decided(system: System, machine: MachineName, place: type[C]) -> Iterator[tuple[System, C]]:
    """Yield a system with the reading that it follows at a place; where it follows none yet, with each there is."""
    for world, choice in decided(system.at(machine), place):
        yield system.having(machine, world), choice


def _without_readers(system: System, machine: MachineName, lost: tuple[Reader, ...]) -> Iterator[System]:
    """Yield the systems where operations of other machines that are out of reach wait on, or have failed."""
    for following, choice in _decided(system, machine, WaitAfar) if lost else [(system, WaitAfar.GOES_ON)]:
        world = following.at(machine)
        fails = choice is WaitAfar.FAILS
        yield following.having(machine, failed(without(world, lost), lost)) if fails else following


def _others_in(system: System, machine: MachineName, transaction: TransactionId) -> list[MachineName]:
    """Return the other machines that take part in a transaction of a machine."""
    return [name for name, world in system.machines.items() if name != machine and transaction in world.transactions]


def _parted(system: System) -> Iterator[tuple[MachineName, TransactionId]]:
    """Yield the transactions between whose machines there is no network, each with one of its machines."""
    for machine, world in system.machines.items():
        for transaction in world.transactions:
            others = _others_in(system, machine, transaction)
            if any(machine < name and not system.linked(machine, name) for name in others):
                yield machine, transaction
