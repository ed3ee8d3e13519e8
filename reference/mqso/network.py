"""What happens to several queue managers: calls at one of them, faults between them, time (3.3.4, 5.5.2)."""

from collections import Counter
from collections.abc import Iterator
from functools import singledispatch
from itertools import product
from typing import Final

from msgspec.structs import replace

from mqconform.reference.mqso import events, publishing, shared_transactions, transfers
from mqconform.reference.mqso.elements import Assurance, Handle, Kind, MachineName, Opened, Operation, QueueName
from mqconform.reference.mqso.events import Answer, At, Done, Ended, Event, Failed
from mqconform.reference.mqso.networked_queue_manager import NetworkedQueueManager, is_far, parts_of
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.readings import KnownAfterRestart, SentAndUnacknowledged
from mqconform.reference.mqso.system import System, Unacknowledged
from mqconform.reference.mqso.transfers import SETTLED, Results
from mqconform.reference.mqso.world import World, decided

_BORROWED: Final = Handle(-1)
"""The handle by which another machine looks into a queue, for the time of a call."""
_UNMOVED: Final = (events.CreateQueue, events.Open, events.Close, events.Begin, events.CloseCursor)
"""Calls whose outcome no transfer of other messages changes; a send to another machine is one as well."""


class Network:
    """What may come of an event at several queue managers, transfers before it included.

    Each rule can be changed by name: a faulty network differs in one of them.
    """

    # transfers
    moves = transfers.moves
    next_places = transfers.next_places
    passed_on = transfers.passed_on
    known_again = transfers.known_again
    arrivals = transfers.arrivals
    home = transfers.home
    next_transfer = transfers.next_transfer
    closure = transfers.closure
    settled = transfers.settled
    may_transfer = transfers.may_transfer
    onward = transfers.onward
    next_machines = transfers.next_machines
    around = transfers.around
    multicasts = transfers.multicasts
    receivers = transfers.receivers
    copied = transfers.copied
    # public queues and the directory
    is_of_directory = publishing.is_of_directory
    by_directory = publishing.by_directory
    is_in_no_domain = publishing.is_in_no_domain
    asked_directory = publishing.asked_directory
    found = publishing.found
    published_here = publishing.published_here
    published_from_afar = publishing.published_from_afar
    entered = publishing.entered
    entered_foreign = publishing.entered_foreign
    noticed = publishing.noticed
    opened_by_name = publishing.opened_by_name
    opened = publishing.opened
    sent_by_name = publishing.sent_by_name
    knowing = publishing.knowing
    may_regain = publishing.may_regain
    regained = publishing.regained
    directory_becomes = publishing.directory_becomes
    meetings = publishing.meetings
    taken_over = publishing.taken_over
    synchronized = publishing.synchronized
    has_to_transfer = publishing.has_to_transfer
    next_by_directory = publishing.next_by_directory
    changes_domain = publishing.changes_domain
    put_object = publishing.put_object
    shown_objects = publishing.shown_objects
    identifier = publishing.identifier
    shown_roles = publishing.shown_roles
    # transactions and waits at other machines
    ended = shared_transactions.ended
    ended_everywhere = shared_transactions.ended_everywhere
    aborted_everywhere = shared_transactions.aborted_everywhere
    after_outage = shared_transactions.after_outage
    parted = shared_transactions.parted
    bereft_by = shared_transactions.bereft_by
    bereft = shared_transactions.bereft

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
        self._machines: dict[MachineName, NetworkedQueueManager] = {}

    def rules_at(self, machine: MachineName) -> NetworkedQueueManager:
        """Return the rules of one machine."""
        if machine not in self._machines:
            self._machines[machine] = self.rules(machine)
        return self._machines[machine]

    def at(self, system: System, machine: MachineName, event: Event) -> Results:
        """Yield what comes of an event at one machine."""
        for world, answer in self.rules_at(machine).step(system.at(machine), event):
            yield system.having(machine, world), answer

    def step(self, system: System, event: Event) -> frozenset[tuple[System, Answer]]:
        """Return all that may come of an event.

        Raises:
            TooManyWorlds: there is more than is followed.
        """
        due = bool(system.notices) or next(self.multicasts(system), None) is not None
        if not due and _is_unmoved(system, event):
            return frozenset(self.results(event, system))
        before = self.closure([system], before=event if cuts_off(event) else None)
        results = frozenset(result for state in before for result in self.results(event, state))
        if not isinstance(event, events.TimePassed) or event.by < SETTLED:
            return results
        answers = {answer for _, answer in results}
        return frozenset(
            (state, answer)
            for answer in answers
            for state in self.settled([after for after, its_answer in results if its_answer == answer])
        )

    def results(self, event: Event, system: System) -> Results:
        """Yield what may come of an event, at a machine or for a client of one, without transfers before it."""
        if isinstance(event, At) and event.machine in system.clients:
            yield from self.for_client(system, event)
        else:
            yield from self.happens(event, system)

    def for_client(self, system: System, event: At) -> Results:
        """Yield what comes of a call of an application without a queue manager: its supporting server does it.

        Section 6.1.7.5 (MQSO-6.1.7.5-01).
        """
        server, inner = system.clients[event.machine], event.event
        if isinstance(inner, events.Open) and is_far(inner.queue) and parts_of(inner.queue)[0] == server:
            inner = replace(inner, queue=parts_of(inner.queue)[1])
        yield from self.happens(At(server, inner, event.on), system)

    def happens(self, event: Event, system: System) -> Results:
        """Yield what may come of an event itself."""
        return _happens(event, self, system)

    def managed_from_afar(self, system: System, event: At) -> Results:
        """Yield what comes of a call about a queue of another machine: it needs the network at once.

        Sections 5.5.2 and 6.1.4 (MQSO-5.5.2-04 to -06, MQSO-6.1.4.5-01).
        """
        if system.reaches(event.machine, event.on):
            yield from self.at(system, event.on, event.event)
        else:
            yield system, Failed()

    def read_from_afar(self, system: System, machine: MachineName, opened: Opened, event: events.Receive) -> Results:
        """Yield what comes of a receive from another machine's queue: both are there, or it fails.

        An internal transaction is of one queue manager alone. Sections 5.2.1.2.3, 5.2.1.3, 5.5.2 and 6.1.2
        (MQSO-5.2.1.2.3-01, MQSO-5.2.1.3-01, MQSO-5.5.2-05, MQSO-6.1.2.5-02).
        """
        to, queue = parts_of(opened.queue)
        kind = None if event.transaction is None else system.machines[machine].transactions.get(event.transaction)
        internal = event.transaction is not None and kind is not Kind.EXTERNAL
        if not self.can_read(system, machine, to) or (internal and self.keeps_to_itself()):
            yield system, Failed()
            return
        world = system.at(to)
        lent = replace(world, handles=world.handles.having(_BORROWED, Opened(queue, opened.access)))
        if event.transaction is not None:
            lent = replace(lent, transactions=lent.transactions.having(event.transaction, kind or Kind.INTERNAL))
        for after, answer in self.rules_at(to).step(lent, replace(event, handle=_BORROWED)):
            known = _with_caller(after, queue, event.operation, machine) if answer == events.Pending() else after
            yield system.having(to, replace(known, handles=after.handles.without(_BORROWED))), answer

    def can_read(self, system: System, machine: MachineName, to: MachineName) -> bool:
        """Return whether one machine can receive from another (5.5.2, MQSO-5.5.2-05)."""
        return system.reaches(machine, to)

    def keeps_to_itself(self) -> bool:
        """Return whether an internal transaction is of one queue manager alone (5.2.1.3, MQSO-5.2.1.3-01)."""
        return True

    def stopped(self, system: System, machine: MachineName, event: events.Stop) -> Results:
        """Yield what comes of an end, for the machine and for the transactions that it has with others."""
        for left in self.bereft_by(system, machine):
            yield from self.alone_stopped(left, machine, event)

    def alone_stopped(self, system: System, machine: MachineName, event: events.Stop) -> Results:
        """Yield what comes of an end: what was sent and not acknowledged is open (register QM-07, QM-08)."""
        mine = {transfer for transfer in system.unacknowledged if transfer[0] == machine}
        to_me = {transfer for transfer in system.unacknowledged if parts_of(transfer[1])[0] == machine}
        for following in _forgetting(system, to_me):
            for left in _losing(following, machine, mine):
                yield from self.at(left, machine, event)


@singledispatch
def _happens(event: Event, network: Network, system: System) -> Results:
    """Yield what may come of an event itself."""
    yield from _everywhere(network, system, event)


@_happens.register
def _(event: At, network: Network, system: System) -> Results:
    inner, machine = event.event, event.machine
    handle = getattr(inner, "handle", None)
    opened = None if handle is None else system.machines[machine].handles.get(handle)
    if not system.machines[machine].running:
        yield from network.at(system, machine, inner)
    elif network.is_of_directory(system, event):
        yield from network.by_directory(system, event)
    elif event.on and event.on != machine:
        yield from network.managed_from_afar(system, event)
    elif isinstance(inner, events.Open) and is_far(inner.queue):
        yield from network.opened(system, machine, inner)
    elif isinstance(inner, events.Receive) and opened is not None and is_far(opened.queue):
        yield from network.read_from_afar(system, machine, opened, inner)
    elif isinstance(inner, events.Cancel):
        yield from network.at(system, _where_it_waits(system, inner.operation, machine), inner)
    elif isinstance(inner, events.End):
        yield from network.ended(system, event)
    elif isinstance(inner, events.Stop):
        yield from network.stopped(system, machine, inner)
    else:
        yield from network.at(system, machine, inner)


@_happens.register
def _(event: events.NetworkBecomes, network: Network, system: System) -> Results:
    if not event.cut:
        yield replace(system, cut=system.cut - {event.machines}), Done()
        return
    yield from ((after, Done()) for after in network.after_outage(replace(system, cut=system.cut | {event.machines})))


@_happens.register
def _(event: events.DirectoryBecomes, network: Network, system: System) -> Results:
    yield network.directory_becomes(system, event), Done()


@_happens.register
def _(event: events.ChangeDomain, network: Network, system: System) -> Results:
    yield network.changes_domain(system, event.machine, event.domain), Done()


@_happens.register
def _(event: events.PutObject, network: Network, system: System) -> Results:
    yield network.put_object(system, event), Done()


@_happens.register
def _(event: events.ShowObjects, network: Network, system: System) -> Results:
    yield network.shown_objects(system, event)


@_happens.register
def _(event: events.EnterForeignQueue, network: Network, system: System) -> Results:
    yield network.entered_foreign(system, event.machine, event.queue), Done()


@_happens.register
def _(event: events.Pause, network: Network, system: System) -> Results:
    place = (event.machine, event.address)
    yield replace(system, paused=system.paused | {place} if event.on else system.paused - {place}), Done()


@_happens.register
def _(event: events.TakeOffline, network: Network, system: System) -> Results:
    offline = system.offline | {event.machine} if event.on else system.offline - {event.machine}
    yield replace(system, offline=offline), Done()


@_happens.register
def _(event: events.CountOutgoing, network: Network, system: System) -> Results:
    if not system.machines[event.machine].running:
        yield system, Failed()
        return
    for counts in product(*_counts(system, event.machine)):
        yield system, events.Outgoing(frozenset(pair for pair in counts if pair[1]))


def _is_unmoved(system: System, event: Event) -> bool:
    """Return whether no transfer before an event makes a difference to what comes of it."""
    if not isinstance(event, At):
        return False
    inner, world = event.event, system.machines.get(event.machine)
    if not isinstance(inner, events.Send) or world is None:
        return isinstance(inner, _UNMOVED)
    opened = world.handles.get(inner.handle)  # in a queue of its own, what arrives before it is ahead of it
    return opened is None or is_far(opened.queue)


def cuts_off(event: Event) -> bool:
    """Return whether an event may cut off the acknowledgment of what was transferred just before it."""
    return isinstance(event, events.NetworkBecomes) or (isinstance(event, At) and isinstance(event.event, events.Stop))


def _is_transactional(system: System, transfer: Unacknowledged) -> bool:
    machine, name, key = transfer
    entries = system.machines[machine].queues[name].entries
    return any(entry.message.key == key and entry.message.assurance is Assurance.TRANSACTIONAL for entry in entries)


def _where_it_waits(system: System, operation: Operation, caller: MachineName) -> MachineName:
    """Return the machine whose queue a receive waits at: a receive from afar waits there, not at its caller."""
    for machine, world in system.machines.items():
        if any(reader.operation == operation for queue in world.queues.values() for reader in queue.readers):
            return machine
    return caller


def _forgetting(system: System, to_me: set[Unacknowledged]) -> Iterator[System]:
    if not to_me:
        yield system
        return
    world = next(iter(system.machines.values()))
    for after, choice in decided(replace(world, followed=system.followed), KnownAfterRestart):
        following = replace(system, followed=after.followed)
        if choice is KnownAfterRestart.FORGOTTEN:
            forgotten = {transfer for transfer in to_me if not _is_transactional(system, transfer)}
            following = replace(following, unacknowledged=following.unacknowledged - forgotten)
        yield following


def _losing(system: System, machine: MachineName, mine: set[Unacknowledged]) -> Iterator[System]:
    lost = {transfer for transfer in mine if not _is_transactional(system, transfer)}
    if not lost:
        yield system
        return
    for after, choice in decided(system.at(machine), SentAndUnacknowledged):
        world = after
        for _, name, key in lost if choice is SentAndUnacknowledged.LOST else ():
            world = world.with_entries(
                name, (entry for entry in world.queues[name].entries if entry.message.key != key)
            )
        yield system.having(machine, world)


def _with_caller(world: World, name: QueueName, operation: Operation, caller: MachineName) -> World:
    """Return a world where it is noted of which machine an operation is that waits."""
    queue = world.queues[name]
    readers = (replace(reader, caller=caller) if reader.operation == operation else reader for reader in queue.readers)
    return world.with_queue(name, replace(queue, readers=tuple(readers)))


def _everywhere(network: Network, system: System, event: Event) -> Results:
    """Yield what comes of what happens to all machines: time, coordinators, and what became of those who wait."""
    results: list[tuple[System, tuple[Answer, ...]]] = [(system, ())]
    for machine in system.machines:
        results = [
            (after, (*answers, answer))
            for state, answers in results
            for after, answer in network.at(state, machine, event)
        ]
    for after, answers in dict.fromkeys(results):
        if isinstance(event, events.Outcomes):
            outcomes = [answer.outcomes for answer in answers if isinstance(answer, Ended)]
            yield after, Ended(frozenset().union(*outcomes))
        else:
            yield after, answers[0]


def _counts(system: System, machine: MachineName) -> Iterator[list[tuple[QueueName, int]]]:
    """Yield how many messages may be said to wait in each outgoing queue.

    Transactional messages that were transferred may stay until their receive is known (register QM-16).
    """
    queues = system.machines[machine].queues
    sent = {name for at, name in system.transferred if at == machine}
    on_their_way = Counter(name for (_, name, _), at in system.ahead if at == machine)
    for name in sorted(sent | {name for name in queues if is_far(name)} | {*on_their_way}):
        queue = queues.get(name)
        least, most = (len(queue.available), len(queue.entries)) if queue else (0, 0)
        most += system.transferred.get((machine, name), 0) + on_their_way[name]
        yield [(name, count) for count in range(least, most + 1)]
