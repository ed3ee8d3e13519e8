"""Faults of what comes from afar: copies, letters and reports at the wrong place, and what keeps the rest away."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso.elements import (
    DEAD_LETTERS,
    HERE,
    JOURNAL,
    Asked,
    Assurance,
    Entry,
    Kind,
    MachineName,
    Message,
    Opened,
    Queue,
    QueueName,
    TransactionId,
)
from mqconform.reference.mqso.events import At, Close, CreateQueue, Event, Receive, TimePassed
from mqconform.reference.mqso.faults.network_fault import FaultTogether, breaks, fault
from mqconform.reference.mqso.immutable import FrozenMap
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import NetworkedQueueManager, far, is_far, parts_of
from mqconform.reference.mqso.system import System
from mqconform.reference.mqso.transfers import Results
from mqconform.reference.mqso.world import Branches, World


@breaks("6.1.6.5-01", "6.1.6.5-02")
class AcknowledgesToItsSource(NetworkedQueueManager):
    """An acknowledgment goes to the machine that its message came from, whichever was named."""

    def acknowledged(self, world: World, message: Message, what: Asked) -> World:
        if message.administration is not None and message.source and is_far(message.administration):
            at_source = far(message.source, parts_of(message.administration)[1])
            message = replace(message, administration=at_source)
        return super().acknowledged(world, message, what)


@breaks("6.1.6.5-01")
class RemoteReceiveUntold(Network):
    """A receive from another machine is not acknowledged."""

    def read_from_afar(self, system: System, machine: MachineName, opened: Opened, event: Receive) -> Results:
        to, name = parts_of(opened.queue)
        world = system.at(to)
        if event.takes and name in world.queues:
            unasked = (
                replace(entry, message=replace(entry.message, asked=frozenset()))
                for entry in world.queues[name].entries
            )
            system = system.having(to, world.with_entries(name, unasked))
        yield from super().read_from_afar(system, machine, opened, event)


JOURNALS_WHERE_IT_ARRIVES = fault(NetworkedQueueManager, "journals-where-it-arrives", "5.1.1.2-26",
    "The copy of a message for another machine is in the journal of that machine.",
    kept=lambda self, world, queue, message: (
        NetworkedQueueManager.kept(self, world, queue, replace(message, source=HERE) if queue == JOURNAL else message)
    ))  # fmt: skip
JOURNALS_NOTHING_SENT_AFAR = fault(NetworkedQueueManager, "journals-nothing-sent-afar", "5.1.1.2-26",
    "There is no copy of a message for another machine.",
    journaled=lambda self, world, message: (
        world if message.source or message.to is not None else NetworkedQueueManager.journaled(self, world, message)
    ))  # fmt: skip


@breaks("5.1.1.3-06", "5.1.1.2-27")
class PlainLettersLostInTransit(NetworkedQueueManager):
    """A message that is not transactional and times out on its way is not a dead letter."""

    def undelivered(self, world: World, message: Message) -> Iterator[World]:
        plain = message.assurance is not Assurance.TRANSACTIONAL
        lost = plain and message.to is not None
        yield from super().undelivered(world, replace(message, dead_letter=False) if lost else message)


@breaks("6.1.6.5-02")
class ExpiryInTransitUntold(NetworkedQueueManager):
    """Who asked for it is not told that a message timed out on its way."""

    def acknowledged(self, world: World, message: Message, what: Asked) -> World:
        in_transit = message.to is not None and what is Asked.NEGATIVE
        return world if in_transit else super().acknowledged(world, message, what)


@breaks("5.5.1-07", "1.1-05", "3.2.1-02")
class ArrivesAsExpress(NetworkedQueueManager):
    """A recoverable message of another machine does not outlive a restart."""

    def as_it_arrives(self, message: Message) -> Message:
        arrived = super().as_it_arrives(message)
        plain = message.assurance is not Assurance.TRANSACTIONAL
        return replace(arrived, assurance=Assurance.EXPRESS) if plain else arrived


@breaks("3.3.4.4-01", "5.5.1-02")
class SendsWhatWasOpen(NetworkedQueueManager):
    """What a transaction has sent to other machines and not committed is transferred after a restart."""

    def restored(self, queue: Queue) -> Queue:
        visible = (replace(entry, hidden_by=None) if entry.message.to is not None else entry for entry in queue.entries)
        return super().restored(replace(queue, entries=tuple(visible)))


@breaks("5.1.1.3-04", "5.5.1-03")
class TimersSleepWhileDown(Network):
    """The timers of what waits for other machines are not counted while their machine is down."""

    def happens(self, event: Event, system: System) -> Results:
        if isinstance(event, TimePassed):
            for machine, world in system.machines.items():
                for name in (name for name in world.queues if is_far(name) and not world.running):
                    world = world.with_entries(name, _later(world.queues[name], event.by))  # noqa: PLW2901
                system = system.having(machine, world)
        yield from super().happens(event, system)


@breaks("4.3.1.2-06", "5.5.2-02", "3.2.1-04")
class ExpiryStopsTheRest(Network):
    """What waits behind a message that times out is never transferred."""

    def happens(self, event: Event, system: System) -> Results:
        for after, answer in super().happens(event, system):
            stuck = {
                (machine, name)
                for machine, world in system.machines.items()
                for name, queue in world.queues.items()
                if is_far(name) and len(after.machines[machine].queues.get(name, queue).entries) < len(queue.entries)
            }
            yield (replace(after, paused=after.paused | stuck) if isinstance(event, TimePassed) else after), answer


@breaks("3.3.4.3-09", "3.2.1-04")
class RefusalStopsTheRest(Network):
    """What waits behind a message that its destination refuses is never transferred."""

    def arrivals(self, system: System, machine: MachineName, entry: Entry) -> Iterator[System]:
        assert entry.message.to is not None
        to, name = self.home(system, entry.message.to)
        queue = system.machines[to].queues.get(name)
        kinds = queue is not None and queue.properties.transactional, entry.message.assurance is Assurance.TRANSACTIONAL
        for after in super().arrivals(system, machine, entry):
            refused = queue is not None and kinds[0] is not kinds[1] and entry.message.report is None
            yield replace(after, paused=after.paused | {(machine, entry.message.to)}) if refused else after


class _TakesInAndLoses(Network):
    """Takes in what nobody may take in now, and loses it."""

    hindrance: str

    def next_machines(
        self, system: System, machine: MachineName, name: QueueName, *, forced: bool = False
    ) -> tuple[MachineName, ...]:
        at_ease = {other: replace(world, **{self.hindrance: False}) for other, world in system.machines.items()}
        return super().next_machines(replace(system, machines=FrozenMap(at_ease)), machine, name, forced=forced)

    def arrivals(self, system: System, machine: MachineName, entry: Entry) -> Iterator[System]:
        assert entry.message.to is not None
        lost = getattr(system.machines[parts_of(entry.message.to)[0]], self.hindrance)
        yield from (system,) if lost else super().arrivals(system, machine, entry)


@breaks("5.5.5-01", "3.2.1-04")
class FullStoreLosesArrivals(_TakesInAndLoses):
    """What comes from other machines while the store is full is lost."""

    hindrance = "full"


@breaks("5.1.1.1-13", "3.2.1-04")
class ThrottlingLosesArrivals(_TakesInAndLoses):
    """What comes from other machines during throttling is lost."""

    hindrance = "throttled"


@breaks("5.1.1.3-04")
class HasItsWholeTimeAtItsArrival(NetworkedQueueManager):
    """What comes from another machine has its whole time to be received again."""

    def taken_in(self, world: World, name: QueueName, entry: Entry) -> Iterator[World]:
        yield from super().taken_in(world, name, replace(entry, until=self.until(entry.message, world.now)))


REFUSALS_WITHIN_UNTOLD = fault(NetworkedQueueManager, "refusals-within-untold", "3.3.4.5-04 6.1.6.5-02",
    "Who has sent in a transaction is not told that another machine refuses the message.",
    refused_here=lambda self, world, message: NetworkedQueueManager.refused_here(
        self, world, replace(message, asked=frozenset()) if message.assurance is Assurance.TRANSACTIONAL else message
    ))  # fmt: skip
REFUSED_AMONG_OTHER_LETTERS = fault(NetworkedQueueManager, "refused-among-other-letters", "5.1.1.2-28",
    "What another machine has sent in a transaction is among the other dead letters.",
    dead_letter_queue=lambda self, message: (
        DEAD_LETTERS if message.source else NetworkedQueueManager.dead_letter_queue(self, message)
    ))  # fmt: skip


@breaks("5.1.1.2-17", "5.1.1.2-12")
class PurgesWhatHasItsName(NetworkedQueueManager):
    """To purge a queue removes what waits for queues of that name elsewhere."""

    def purged(self, world: World, name: QueueName) -> Iterator[World]:
        for other in world.queues:
            if is_far(other) and parts_of(other)[1] == name:
                world = world.with_entries(other, ())
        yield from super().purged(world, name)


@breaks("5.1.1.2-17", "5.1.1.2-22")
class CloseDropsWhatWaits(NetworkedQueueManager):
    """To close a queue of another machine drops what waits for it."""

    def happens(self, event: Event, world: World) -> Branches:
        opened = world.handles.get(event.handle) if isinstance(event, Close) else None
        if opened is not None and is_far(opened.queue) and opened.queue in world.queues:
            world = world.with_entries(opened.queue, ())
        yield from super().happens(event, world)


@breaks("4.3.1.2-01", "3.3.4.4-04")
class ExternalCommitsSendNothingAfar(NetworkedQueueManager):
    """What an external transaction has sent to other machines is gone at its commit."""

    def committed(self, world: World, transaction: TransactionId) -> Iterator[World]:
        if world.transactions.get(transaction) is Kind.EXTERNAL:
            for name, queue in world.queues.items():
                if is_far(name):
                    world = world.with_entries(
                        name, (entry for entry in queue.entries if entry.hidden_by != transaction)
                    )
        yield from super().committed(world, transaction)


@breaks("3.3.4.1-06")
class CreationFromAfarEmpties(Network):
    """A creation from afar of a queue that is there removes its messages."""

    def managed_from_afar(self, system: System, event: At) -> Results:
        assert event.on is not None
        there = system.machines[event.on].queues
        for after, answer in super().managed_from_afar(system, event):
            if isinstance(event.event, CreateQueue) and event.event.queue in there:
                world = after.at(event.on)
                yield after.having(event.on, world.with_entries(event.event.queue, ())), answer
            else:
                yield after, answer


def _later(queue: Queue, by: int) -> Iterator[Entry]:
    for entry in queue.entries:
        times = {"until": entry.until, "reach_until": entry.reach_until}
        yield replace(entry, **{name: time + by for name, time in times.items() if time is not None})


ON_THE_WAY_FAULTS: Final = tuple(value for value in [*vars().values()] if isinstance(value, FaultTogether))
"""One for each rule that messages of other machines can be seen to break."""
