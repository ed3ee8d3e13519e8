"""Several queue managers at one moment, as a value: the machines, and what is between them (5.1.1.2, 5.5.2)."""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice
from mqconform.reference.mqso.directory_contact import Contact
from mqconform.reference.mqso.elements import Assurance, Entry, Key, MachineName, Operation, Properties, QueueName
from mqconform.reference.mqso.events import Failed, Got
from mqconform.reference.mqso.immutable import FrozenMap, Value
from mqconform.reference.mqso.networked_queue_manager import is_far, is_public, parts_of
from mqconform.reference.mqso.routes import Routes
from mqconform.reference.mqso.world import World

Unacknowledged = tuple[MachineName, QueueName, Key]
"""A message in an outgoing queue that its destination has accepted without an acknowledgment so far."""
Ahead = tuple[Unacknowledged, MachineName]
"""A message of an ordered stream that waits at its source, and the machine on its way that has it."""
Notice = tuple[MachineName, QueueName]
"""Who has changed a public queue in the directory, and the queue, whose host is to take the change over."""


class System(Value, frozen=True):
    """Several queue managers and what is between them.

    Attributes:
        cut: pairs of machines without a network between them; a single one has none to any other.
        paused: outgoing queues; ``offline``: machines.
        unacknowledged: what was taken by its destination, and its source does not know.
        ahead: how far those have come that wait at their source until they are acknowledged.
        transferred: how many transactional messages have left each outgoing queue.
        directory: the public queues that the directory has, by their names at other machines.
        notices: changes of them that their hosts have not taken over.
        identifiers: those of queue managers that were shown, in that order.
        clients: computers without a queue manager, each with the machine that is its supporting server.
        ways: how messages are routed, None where any two machines reach each other; the same in all systems of a case.
        followed: the readings that all of them follow: they are of one kind.
    """

    machines: FrozenMap[MachineName, World]
    cut: frozenset[frozenset[MachineName]] = frozenset()
    paused: frozenset[tuple[MachineName, QueueName]] = frozenset()
    offline: frozenset[MachineName] = frozenset()
    unacknowledged: frozenset[Unacknowledged] = frozenset()
    ahead: frozenset[Ahead] = frozenset()
    transferred: FrozenMap[tuple[MachineName, QueueName], int] = FrozenMap()
    directory: FrozenMap[QueueName, Properties] = FrozenMap()
    notices: frozenset[Notice] = frozenset()
    identifiers: tuple[tuple[MachineName, int], ...] = ()
    clients: FrozenMap[MachineName, MachineName] = FrozenMap()
    ways: Routes | None = None
    followed: frozenset[Choice] = frozenset()

    @property
    def standing(self) -> Standing:
        """The worst standing among the readings that it follows."""
        return max((choice.reading.standing for choice in self.followed), default=Standing.TEXT)

    @property
    def running(self) -> bool:
        """Whether all machines run."""
        return all(world.running for world in self.machines.values())

    @property
    def ended(self) -> frozenset[tuple[Operation, Got | Failed]]:
        """What became of operations that waited, on all machines."""
        return frozenset().union(*(world.ended for world in self.machines.values()))

    def at(self, machine: MachineName) -> World:
        """Return one machine, with the readings that all follow."""
        world = self.machines[machine]
        return replace(world, followed=self.followed) if self.followed else world

    def having(self, machine: MachineName, world: World) -> "System":
        """Return the same with one machine changed; outgoing queues without messages are gone (MQSO-5.1.1.2-20)."""
        idle = [name for name, queue in world.queues.items() if is_far(name) and not queue.entries]
        for name in idle:
            world = replace(world, queues=world.queues.without(name))

        def waits(message: Unacknowledged) -> bool:
            at, name, key = message
            return at != machine or (name in world.queues and _has(world.queues[name].entries, key))

        plain = replace(world, followed=frozenset()) if world.followed else world
        return replace(
            self,
            machines=self.machines.having(machine, plain),
            unacknowledged=frozenset(filter(waits, self.unacknowledged)),
            ahead=frozenset(copy for copy in self.ahead if waits(copy[0])),
            followed=world.followed,
        )

    def linked(self, machine: MachineName, other: MachineName) -> bool:
        """Return whether there is a network between two machines."""
        if self.ways is not None and not self.ways.joined(machine, other):
            return False
        return not {frozenset({machine, other}), frozenset({machine}), frozenset({other})} & self.cut

    def reaches(self, machine: MachineName, other: MachineName) -> bool:
        """Return whether one machine can ask another for something at once (5.5.2)."""
        both = self.machines.get(other) is not None and self.machines[machine].running and self.machines[other].running
        return both and self.linked(machine, other) and not {machine, other} & self.offline


def system_of(
    machines: Iterable[str],
    integrated: Collection[str] = (),
    ways: Routes | None = None,
    clients: Mapping[str, str] = MappingProxyType({}),
    contacts: Mapping[str, Contact] = MappingProxyType({}),
) -> System:
    """Return machines as freshly installed and running, but for those that are to be provisioned.

    Args:
        machines: their names.
        integrated: those in Directory-Integrated mode, all of one directory.
        ways: how messages are routed between them, None where any two reach each other.
        clients: computers without a queue manager, each with its supporting server.
        contacts: what those in Directory-Integrated mode have of the directory, where that is anything special.
    """
    of_all = {**dict.fromkeys(integrated, Contact()), **contacts}
    worlds = {MachineName(name): _world(of_all.get(name)) for name in machines}
    servers = {MachineName(client): MachineName(server) for client, server in clients.items()}
    return System(FrozenMap(worlds), clients=FrozenMap(servers), ways=ways)


def _world(contact: Contact | None) -> World:
    """Return a machine that runs, unless its queue manager is to be provisioned."""
    return World(contact=contact, running=contact is None or contact.provisioned)


def _has(entries: tuple[Entry, ...], key: Key) -> bool:
    return any(entry.message.key == key for entry in entries)


def meets(system: System, machine: MachineName, other: MachineName) -> bool:
    """Return whether nothing hinders a machine from handing a message to another."""
    world = system.machines[other]
    takes = world.running and not world.throttled and not world.full and other not in system.offline
    return takes and system.linked(machine, other)


def waits_for_directory(system: System, machine: MachineName, name: QueueName) -> bool:
    """Return whether messages of an outgoing queue wait for the directory: those with its names do.

    Section 5.1.1.1 (MQSO-5.1.1.1-17), register QM-22.
    """
    contact = system.machines[machine].contact
    return is_public(name) and contact is not None and contact.offline


def is_ordered(entry: Entry) -> bool:
    """Return whether a message belongs to a stream: letters of queue managers do not."""
    message = entry.message
    for_system = message.to is not None and parts_of(message.to)[1].startswith("*")
    return message.assurance is Assurance.TRANSACTIONAL and message.report is None and not for_system


def ordered_in(entries: Iterable[Entry]) -> list[Entry]:
    """Return the messages of a stream among those that wait, in order."""
    return [entry for entry in entries if entry.available and is_ordered(entry)]


def system_without(system: System, machine: MachineName, name: QueueName, keys: set[Key]) -> System:
    """Return a system where messages have left an outgoing queue."""
    world = system.at(machine)
    if not keys or name not in world.queues:
        return system
    remaining = [entry for entry in world.queues[name].entries if entry.message.key not in keys]
    return system.having(machine, world.with_entries(name, remaining))


def without(system: System, transfer: Unacknowledged) -> System:
    """Return a system where one message has left an outgoing queue."""
    machine, name, key = transfer
    return system_without(system, machine, name, {key})
