"""How messages pass between queue managers (3.3.4.5, 4.3.1.2, 5.1.1.2).

Between two calls any message may pass that nothing hinders, or none: the text says that transfers happen and not when.
After ``SETTLED`` without hindrance all have passed.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso.elements import CONNECTOR, HOUR, Assurance, Entry, MachineName, Queue, QueueName
from mqconform.reference.mqso.events import Answer, At, Event, NetworkBecomes, Stop
from mqconform.reference.mqso.hops import Hops
from mqconform.reference.mqso.multicast import Multicast
from mqconform.reference.mqso.networked_queue_manager import NetworkedQueueManager, far, is_far, parts_of
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.readings import SentAndUnacknowledged
from mqconform.reference.mqso.system import Ahead, System, Unacknowledged, is_ordered, ordered_in, without
from mqconform.reference.mqso.world import TooManyWorlds, decided

SETTLED: Final = 6 * HOUR
"""After so long without hindrance all is transferred: EOD waits no longer between two attempts (register QM-52)."""
MOST_STATES: Final = 4096
"""The most ways that transfers may have gone which are followed."""


Results = Iterator[tuple[System, Answer]]


class Transfers(Hops, Multicast):
    """Which messages may pass between machines, and what becomes of them."""

    def __init__(self, rules: type[QueueManager] = NetworkedQueueManager) -> None:
        """Make the rules of a system.

        Args:
            rules: those of each machine; what they say of one machine alone is joined with those of several.
        """
        self.rules = (
            rules
            if issubclass(rules, NetworkedQueueManager)
            else type(rules.__name__, (rules, NetworkedQueueManager), {})
        )
        self._stations: dict[MachineName, NetworkedQueueManager] = {}

    def station(self, machine: MachineName) -> NetworkedQueueManager:
        """Return the rules of one machine."""
        if machine not in self._stations:
            self._stations[machine] = self.rules(machine)
        return self._stations[machine]

    def _at(self, system: System, machine: MachineName, event: Event) -> Results:
        """Yield what comes of an event at one machine."""
        for world, answer in self.station(machine).step(system.at(machine), event):
            yield system.having(machine, world), answer

    def moves(self, system: System, *, forced: bool = False, before: Event | None = None) -> Iterator[System]:
        """Yield what one more transfer may lead to.

        Args:
            system: before it.
            forced: only those that have to happen in the end.
            before: what happens next, as it may cut off acknowledgments, or messages on their way.
        """
        yield from self.multicasts(system)
        for machine, world in system.machines.items():
            for name, queue in world.queues.items():
                if not is_far(name) or not queue.entries:
                    continue
                if self._may_move(system, machine, name, forced=forced):
                    yield from self._moved(system, machine, name, before=before)
                    yield from self._sent_ahead(system, machine, name, forced=forced)
                elif not forced:
                    yield from self._lost_while_away(system, machine, name)
        for copy in system.ahead:
            yield from self._brought_on(system, copy, forced=forced, before=before)

    def _may_move(self, system: System, machine: MachineName, name: QueueName, *, forced: bool) -> bool:
        if forced and machine in system.offline:  # whether it sends is open (register QM-21)
            return False
        if forced and not self.next_machines(system, machine, name, forced=True):
            return False
        return self.may_transfer(system, machine, name) or (not forced and self._by_itself(system, machine, name))

    def _lost_while_away(self, system: System, machine: MachineName, name: QueueName) -> Iterator[System]:
        """Yield what is lost while the network is away, or for express messages the destination.

        Section 3.2.1 lets it happen (MQSO-3.2.1-01, MQSO-3.2.1-03).
        """
        hops = {hop for answer in self.onward(system, machine, name) for hop in answer if hop in system.machines}
        network = any(not system.linked(machine, hop) for hop in hops)
        stopped = any(not system.machines[hop].running for hop in hops)
        for entry in system.machines[machine].queues[name].entries:
            assurance = entry.message.assurance
            excused = network or (stopped and assurance is Assurance.EXPRESS)
            if excused and entry.available and assurance is not Assurance.TRANSACTIONAL:
                yield without(system, (machine, name, entry.message.key))

    def _lost_on_the_way(
        self, system: System, transfer: Unacknowledged, entry: Entry, before: Event, hop: MachineName
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

    def next_places(self, entries: tuple[Entry, ...]) -> Iterator[int]:
        """Yield which messages of an outgoing queue may pass next: of the transactional ones the first, of others any.

        Only transactional ones are promised to keep their order on the way (3.2.1, EOD-2-02).
        """
        first = True
        for place, entry in enumerate(entries):
            if not entry.available:
                continue
            transactional = entry.message.assurance is Assurance.TRANSACTIONAL and entry.message.report is None
            if first or not transactional:
                yield place
            first = first and not transactional

    def _by_itself(self, system: System, machine: MachineName, name: QueueName) -> bool:
        """Return whether a dead letter for its source may be there already: its own timer told the source, no word."""
        to, queue = parts_of(name)
        return queue.startswith("*") and to in system.machines and system.machines[to].running and to != machine

    def _moved(
        self, system: System, machine: MachineName, name: QueueName, *, before: Event | None, places: int | None = None
    ) -> Iterator[System]:
        station = self.station(machine)
        for world in station.expired(system.at(machine), name, touched=True):
            left = system.having(machine, world)
            queue = left.machines[machine].queues.get(name)
            if world.queues[name] != system.machines[machine].queues[name]:
                yield left  # what had run out of time goes first
                continue
            for place in islice(self.next_places(queue.entries if queue else ()), places):
                yield from self._passed(left, machine, name, place, before=before)

    def _passed(
        self, system: System, machine: MachineName, name: QueueName, place: int, *, before: Event | None
    ) -> Iterator[System]:
        """Yield what may come of the transfer of one message: it leaves its source when that is told so.

        Sections 4.3.1.2 and 3.3.4.5 (MQSO-4.3.1.2-08, MQSO-3.3.4.5-01, MQSO-3.3.4.5-06).
        """
        entry = system.machines[machine].queues[name].entries[place]
        transfer: Unacknowledged = (machine, name, entry.message.key)
        if transfer in system.unacknowledged:
            yield from self.known_again(system, transfer)
            return
        to = parts_of(name)[0]
        hops = self.next_machines(system, machine, name) or (to,)  # a dead letter may be there by itself
        for hop in hops:
            if hop != to and is_ordered(entry):
                continue  # it stays here until it is acknowledged
            arrivals = (
                self.arrivals(system, machine, entry) if hop == to else self.passed_on(system, transfer, entry, hop)
            )
            for arrived in arrivals:
                yield without(arrived, transfer)
                if before is not None:
                    yield replace(arrived, unacknowledged=arrived.unacknowledged | {transfer})
            if before is not None:
                yield from self._lost_on_the_way(system, transfer, entry, before, hop)

    def passed_on(self, system: System, transfer: Unacknowledged, entry: Entry, hop: MachineName) -> Iterator[System]:
        """Yield what comes of a message at a machine on its way: it waits in an outgoing queue (MQSO-5.1.1.3-07)."""
        machine, name, _ = transfer
        world = system.at(hop)
        queue = world.queues.get(name) or Queue()
        came = replace(entry, message=replace(entry.message, source=entry.message.source or machine))
        yield system.having(hop, world.with_queue(name, replace(queue, entries=(*queue.entries, came))))

    def _sent_ahead(self, system: System, machine: MachineName, name: QueueName, *, forced: bool) -> Iterator[System]:
        """Yield what comes of handing an ordered message to a machine on its way, which its source keeps (4.3.1.2)."""
        on_their_way = {transfer for transfer, _ in system.ahead}
        for entry in ordered_in(system.machines[machine].queues[name].entries):
            transfer: Unacknowledged = (machine, name, entry.message.key)
            if transfer in system.unacknowledged or (forced and transfer in on_their_way):
                continue
            yield from self._handed_on(system, transfer, machine, forced=forced)

    def _handed_on(
        self, system: System, transfer: Unacknowledged, at: MachineName, *, forced: bool
    ) -> Iterator[System]:
        for hop in self.next_machines(system, at, transfer[1], forced=forced):
            if hop != parts_of(transfer[1])[0] and (transfer, hop) not in system.ahead:
                yield replace(system, ahead=(system.ahead - {(transfer, at)}) | {(transfer, hop)})

    def _brought_on(self, system: System, copy: Ahead, *, forced: bool, before: Event | None) -> Iterator[System]:
        """Yield what may become of an ordered message at a machine on its way: it goes on, or arrives in its turn.

        That it arrived reaches the source at once where nothing hinders it, and in time otherwise.
        """
        transfer, at = copy
        machine, name, key = transfer
        if not self._may_move(system, at, name, forced=forced):
            return
        yield from self._handed_on(system, transfer, at, forced=forced)
        entries = system.machines[machine].queues[name].entries
        first = next(
            (entry for entry in ordered_in(entries) if (machine, name, entry.message.key) not in system.unacknowledged),
            None,
        )
        arrives = parts_of(name)[0] in self.next_machines(system, at, name, forced=forced)
        if not arrives or first is None or first.message.key != key:
            return
        for world in self.station(machine).expired(system.at(machine), name, touched=True):
            left = system.having(machine, world)
            if world.queues.get(name) != system.machines[machine].queues[name]:
                yield left  # what had run out of time goes first
                continue
            for arrived in self.arrivals(left, machine, first):
                acknowledged = replace(arrived, ahead=arrived.ahead - {copy})
                yield without(acknowledged, transfer)
                if before is not None or not self.may_transfer(left, machine, name):
                    yield replace(acknowledged, unacknowledged=arrived.unacknowledged | {transfer})

    def known_again(self, system: System, transfer: Unacknowledged) -> Iterator[System]:
        """Yield what comes of a message that its destination knows: it is dropped there (MQSO-3.3.4.5-01)."""
        yield without(system, transfer)

    def arrivals(self, system: System, machine: MachineName, entry: Entry) -> Iterator[System]:
        """Yield what may come of the arrival of a message from a machine (3.3.4.5, MQSO-3.3.4.5-02, MQSO-1.1-01)."""
        assert entry.message.to is not None
        to, queue = self.home(system, entry.message.to)
        message = replace(entry.message, to=None, source=entry.message.source or machine)
        came = Entry(message, entry.until, entry.reach_until)
        counted = system
        if entry.message.assurance is Assurance.TRANSACTIONAL:
            place = (machine, entry.message.to)
            counted = replace(
                system, transferred=system.transferred.having(place, system.transferred.get(place, 0) + 1)
            )
        for world in self.station(to).arrives(counted.at(to), queue, came):
            yield counted.having(to, world)

    def home(self, system: System, name: QueueName) -> tuple[MachineName, QueueName]:
        """Return where a message for a queue ends: one for a foreign queue in the connector queue of its gateway.

        Sections 5.1.1.2 and 6.1.9.5 (MQSO-5.1.1.2-31, MQSO-6.1.9.5-01).
        """
        machine, queue = parts_of(name)
        entry = system.directory.get(far(machine, queue))
        return machine, CONNECTOR if entry is not None and entry.foreign else queue

    def next_transfer(self, system: System, before: Event | None = None) -> tuple[System, ...]:
        """Return the possible results of the next transfer where no message is held back; empty if none is due."""
        if multicasts := tuple(self.multicasts(system)):
            return multicasts
        for machine, world in system.machines.items():
            for name, queue in world.queues.items():
                waits = any((machine, name, message.key) not in system.unacknowledged for message in queue.available)
                due = waits if before is not None else bool(queue.available)
                if is_far(name) and due and self._may_move(system, machine, name, forced=True):
                    moved = tuple(self._moved(system, machine, name, before=before, places=1))
                    if after := moved or tuple(self._sent_ahead(system, machine, name, forced=True)):
                        return after
        brought_on = (tuple(self._brought_on(system, copy, forced=True, before=before)) for copy in system.ahead)
        return next(filter(None, brought_on), ())

    def closure(self, systems: Iterable[System], *, before: Event | None = None) -> frozenset[System]:
        """Return all that transfers may lead to from any of some systems, none of them included.

        Raises:
            TooManyWorlds: there are more than are followed.
        """
        reached = {*systems}
        fresh = [*reached]
        while fresh:
            for after in self.moves(fresh.pop(), before=before):
                if after not in reached:
                    reached.add(after)
                    fresh.append(after)
            if len(reached) > MOST_STATES:
                raise TooManyWorlds
        return frozenset(reached)

    def settled(self, systems: Iterable[System]) -> frozenset[System]:
        """Return what transfers lead to when all have happened that nothing hinders (MQSO-3.3.4.3-09)."""
        return frozenset(state for state in self.closure(systems) if next(self.moves(state, forced=True), None) is None)
