"""Faults that show between queue managers: transfers, faulty networks, receives from afar, letters on their way."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import Asked, Assurance, Entry, MachineName, Message, Opened, Queue, QueueName
from mqconform.reference.mqso.events import At, Counted, Event, Failed, NetworkBecomes, Pause, Pending
from mqconform.reference.mqso.faults.network_fault import FaultTogether, breaks, fault
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import NetworkedQueueManager, is_far, parts_of
from mqconform.reference.mqso.system import System
from mqconform.reference.mqso.transfers import Results
from mqconform.reference.mqso.world import Branches, World

_BROKEN: Final = QueueName("*remote reads")
"""What stands among the paused queues of a machine that reads no more from others."""


TRANSFERS_NOTHING = fault(Network, "transfers-nothing", "3.3.4.3-09 3.3.4.5-02 5.2.1.2.2-01", "Nothing is transferred.",
    may_transfer=lambda self, system, machine, name: False)  # fmt: skip


@breaks("3.3.4.5-01", "1.1-01", "3.2.1-04")
class TakesDuplicates(Network):
    """A message that is transferred again is in its queue again, and each is."""

    def arrivals(self, system: System, machine: MachineName, entry: Entry) -> Iterator[System]:
        for once in super().arrivals(system, machine, entry):
            yield from super().arrivals(once, machine, entry)


@breaks("5.5.2-02", "3.3.4.5-06", "4.3.1.2-06", "5.5.2-01", "5.1.1.2-22")
class GivesUpAfterACut(Network):
    """What waits while the network is cut is never transferred."""

    def happens(self, event: Event, system: System) -> Results:
        stuck = [
            (machine, name)
            for machine, world in system.machines.items()
            for name, queue in world.queues.items()
            if is_far(name) and queue.entries and not system.linked(machine, parts_of(name)[0])
        ]
        reconnects = isinstance(event, NetworkBecomes) and not event.cut
        for after, answer in super().happens(event, system):
            yield (replace(after, paused=after.paused.union(stuck)) if reconnects else after), answer


@breaks("5.1.1.2-17")
class OneOutgoingQueueForAll(Network):
    """What cannot be transferred keeps everything else waiting."""

    def may_transfer(self, system: System, machine: MachineName, name: QueueName) -> bool:
        queues = system.machines[machine].queues
        waiting = [other for other in queues if is_far(other) and queues[other].available]
        passes = super().may_transfer
        return all(passes(system, machine, queue) for queue in (name, *waiting))


LAST_OF_WAITING_FIRST = fault(Network, "last-of-waiting-first", "5.1.1.2-01 3.2.1-04",
    "The last message that waits for another machine goes first.",
    next_places=lambda self, entries: (
        reversed([place for place, entry in enumerate(entries) if entry.available])
    ))  # fmt: skip
PAUSE_WITHOUT_EFFECT = fault(Network, "pause-without-effect", "5.1.1.2-23", "A paused outgoing queue goes on.",
    may_transfer=lambda self, system, machine, name: (
        Network.may_transfer(self, replace(system, paused=frozenset()), machine, name)
    ))  # fmt: skip


@breaks("5.1.1.2-24")
class ResumeWithoutEffect(Network):
    """A paused outgoing queue stays so."""

    def happens(self, event: Event, system: System) -> Results:
        for after, answer in super().happens(event, system):
            resumed = isinstance(event, Pause) and not event.on
            yield (replace(after, paused=system.paused) if resumed else after), answer


@breaks("5.1.1.1-14")
class OfflineStillReceives(Network):
    """A queue manager that is offline takes messages of others."""

    def next_machines(
        self, system: System, machine: MachineName, name: QueueName, *, forced: bool = False
    ) -> tuple[MachineName, ...]:
        return super().next_machines(replace(system, offline=frozenset()), machine, name, forced=forced)


@breaks("3.3.4.3-08", "3.3.4.3-05", "5.5.2-01")
class SendsNeedTheNetwork(Network):
    """A send to another machine's queue fails while that machine is out of reach."""

    def happens(self, event: Event, system: System) -> Results:
        if isinstance(event, At) and isinstance(event.event, events.Send):
            opened = system.machines[event.machine].handles.get(event.event.handle)
            away = opened is not None and is_far(opened.queue)
            if opened is not None and away and not system.reaches(event.machine, parts_of(opened.queue)[0]):
                yield system, Failed()
                return
        yield from super().happens(event, system)


@breaks("6.1.2.5-01", "3.3.4.3-08")
class MakesNoOutgoingQueue(Network):
    """What cannot be transferred at once is taken and kept nowhere."""

    def happens(self, event: Event, system: System) -> Results:
        for after, answer in super().happens(event, system):
            if isinstance(event, At) and isinstance(event.event, events.Send):
                world = after.at(event.machine)
                out_of_reach = [
                    name
                    for name in world.queues
                    if is_far(name) and not after.reaches(event.machine, parts_of(name)[0])
                ]
                for name in out_of_reach:
                    world = world.with_entries(name, ())
                yield after.having(event.machine, world), answer
            else:
                yield after, answer


@breaks("5.1.1.2-19", "3.3.4.3-05")
class JoinsNoQueueThatWaits(NetworkedQueueManager):
    """A send to a queue of another machine fails while another message waits for it."""

    def sent(self, world: World, event: events.Send) -> Branches:
        opened = world.handles.get(event.handle)
        if opened is not None and is_far(opened.queue) and world.queues.get(opened.queue, Queue()).entries:
            yield world, Failed()
        else:
            yield from super().sent(world, event)


@breaks("5.5.2-05", "5.5.2-04")
class RemoteReadHangsInOutage(Network):
    """A receive from another machine waits while that is out of reach, whether it was to wait or not."""

    def read_from_afar(self, system: System, machine: MachineName, opened: Opened, event: events.Receive) -> Results:
        if self.can_read(system, machine, parts_of(opened.queue)[0]):
            yield from super().read_from_afar(system, machine, opened, event)
        else:
            yield system, Pending()


@breaks("5.5.2-06")
class RemoteReadNeverAgain(Network):
    """After an outage nothing is received from another machine."""

    def happens(self, event: Event, system: System) -> Results:
        broken = [(machine, _BROKEN) for machine in system.machines] if isinstance(event, NetworkBecomes) else []
        for after, answer in super().happens(event, system):
            yield replace(after, paused=after.paused.union(broken)), answer

    def can_read(self, system: System, machine: MachineName, to: MachineName) -> bool:
        return super().can_read(system, machine, to) and (machine, _BROKEN) not in system.paused


REMOTE_READ_FAILS = fault(Network, "remote-read-fails", "5.2.1.2.3-01 6.1.2.5-02",
    "Nothing is received from another machine.",
    can_read=lambda self, system, machine, to: False)  # fmt: skip
INTERNAL_SPANS_MACHINES = fault(Network, "internal-spans-machines", "5.2.1.3-01",
    "Another machine takes part in an internal transaction.",
    keeps_to_itself=lambda self: False)  # fmt: skip


@breaks("6.1.2.5-02")
class RemoteReadLeavesItsTransaction(Network):
    """What is received from another machine in a transaction is gone at once."""

    def read_from_afar(self, system: System, machine: MachineName, opened: Opened, event: events.Receive) -> Results:
        to = parts_of(opened.queue)[0]
        before = system.machines[to].transactions
        for after, answer in super().read_from_afar(system, machine, opened, event):
            if event.transaction is None:
                yield after, answer
                continue
            for world in self.rules_at(to).committed(after.at(to), event.transaction):
                yield after.having(to, replace(world, transactions=before)), answer


MANAGES_NOTHING_FROM_AFAR = fault(Network, "manages-nothing-from-afar", "6.1.4.5-01",
    "Queues of another machine are neither created nor counted.",
    managed_from_afar=lambda self, system, event: iter([(system, Failed())]))  # fmt: skip


@breaks("6.1.4.5-01", "3.3.4.2-05")
class CountsFromAfarByTaking(Network):
    """Who counts the messages of another machine's queue takes them out."""

    def managed_from_afar(self, system: System, event: At) -> Results:
        for after, answer in super().managed_from_afar(system, event):
            if isinstance(event.event, events.Count) and isinstance(answer, Counted) and event.on is not None:
                emptied = after.at(event.on).with_entries(event.event.queue, ())
                yield after.having(event.on, emptied), answer
            else:
                yield after, answer


MANAGES_IN_OUTAGE = fault(Network, "manages-in-outage", "5.5.2-04 5.5.2-05",
    "Queues of another machine are created and counted while it is out of reach.",
    managed_from_afar=lambda self, system, event: (
        Network.managed_from_afar(self, replace(system, cut=frozenset()), event)
    ))  # fmt: skip
DROPS_PROPERTIES = fault(NetworkedQueueManager, "drops-properties", "5.1.1-03",
    "What a sender says of answers is lost on the way.",
    as_it_arrives=lambda self, message: replace(message, correlation=None, response=None))  # fmt: skip
REFUSES_SILENTLY = fault(NetworkedQueueManager, "refuses-silently", "3.3.4.5-04",
    "No report follows a message that a destination refuses.",
    refused_here=lambda self, world, message: iter([world]))  # fmt: skip


@breaks("3.2.1-07")
class TakesAnyKindFromAfar(NetworkedQueueManager):
    """A transactional queue takes other messages, if they come from another machine."""

    def refused_here(self, world: World, message: Message) -> Iterator[World]:
        queues = (name for name, queue in world.queues.items() if queue.properties.transactional)
        name = next(queues, None)
        yield from super().refused_here(world, message) if name is None else self.taken_in(world, name, Entry(message))


TIMER_SLEEPS_IN_TRANSIT = fault(NetworkedQueueManager, "timer-sleeps-in-transit", "5.1.1.3-05 5.1.1.3-04 6.1.1.5-02",
    "The timers of a message that waits for another machine are not counted.",
    expires=lambda self, entry: (
        None if entry.message.to is not None else NetworkedQueueManager.expires(self, entry)
    ))  # fmt: skip


@breaks("6.1.1.5-02", "5.1.1.3-06", "4.3.1.2-16")
class AskedAndLostInTransit(NetworkedQueueManager):
    """A message that times out on its way is lost although reports were asked for."""

    def undelivered(self, world: World, message: Message) -> Iterator[World]:
        yield from (world,) if message.to is not None else super().undelivered(world, message)


@breaks("5.5.1-05", "5.5.1-06")
class LosesOutgoing(NetworkedQueueManager):
    """A restart loses recoverable messages for other machines."""

    def outlives(self, entry: Entry) -> bool:
        lost = entry.message.to is not None and entry.message.assurance is Assurance.RECOVERABLE
        return not lost and super().outlives(entry)


@breaks("5.5.1-03", "4.3.1.2-06")
class LosesOutgoingTransactional(NetworkedQueueManager):
    """A restart loses transactional messages for other machines."""

    def outlives(self, entry: Entry) -> bool:
        lost = entry.message.to is not None and entry.message.assurance is Assurance.TRANSACTIONAL
        return not lost and super().outlives(entry)


KEEPS_EXPRESS_OUTGOING = fault(NetworkedQueueManager, "keeps-express-outgoing", "5.5.1-08 3.2.1-01",
    "Express messages for other machines outlive a restart.",
    outlives=lambda self, entry: (
        NetworkedQueueManager.outlives(self, entry) or (entry.message.to is not None and entry.hidden_by is None)
    ))  # fmt: skip


@breaks("6.1.6.5-01")
class AcknowledgesNothingFromAfar(NetworkedQueueManager):
    """Who sends to another machine is told nothing that went well."""

    def acknowledged(self, world: World, message: Message, what: Asked) -> World:
        silent = message.source and what is not Asked.NEGATIVE
        return world if silent else super().acknowledged(world, message, what)


@breaks("6.1.6.5-02", "3.3.4.5-04")
class TellsNoFailureFromAfar(NetworkedQueueManager):
    """Who sends to another machine is told nothing that went wrong there."""

    def acknowledged(self, world: World, message: Message, what: Asked) -> World:
        silent = message.source and what is Asked.NEGATIVE
        return world if silent else super().acknowledged(world, message, what)


TOGETHER_FAULTS: Final = tuple(value for value in [*vars().values()] if isinstance(value, FaultTogether))
"""One for each rule that several machines can be seen to break."""
