"""The reference of several queue managers together: role ``queue_manager`` for more machines than one."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.method_not_found import MethodNotFound
from mqconform.harness.iut.reference_iut.most_usual import Chooser, most_usual
from mqconform.harness.iut.reference_iut.one_machine import ONE_MACHINE
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager, UnknownMachine
from mqconform.harness.iut.reference_iut.queue_manager_fields import FAILED, contact_of, done_or_failed, guid_of
from mqconform.harness.iut.role import Capability
from mqconform.harness.iut.smoke_calls import Call, calls_of
from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import CONNECTOR, SYSTEM_QUEUES, MachineName, QueueName
from mqconform.reference.mqso.events import Answer, At, Done, Event, Found, Outgoing
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import far, is_far, is_public, multicast, parts_of
from mqconform.reference.mqso.networked_queue_manager import public as public_name
from mqconform.reference.mqso.routes import Routes, topology_of
from mqconform.reference.mqso.system import System, system_of
from mqconform.reference.mqso.world import World

_EVERYWHERE: Final = (events.TimePassed, events.Outcomes, events.NoCoordinator, events.CoordinatorBecomes)
"""What happens to all machines at once."""
_NAMES: Final = ("handle", "transaction", "operation", "cursor")


class ReferenceQueueManagers(ReferenceQueueManager):
    """Role ``queue_manager`` for one machine or several, each message transferred as soon as it can be."""

    def __init__(self, network: Network | None = None, choose: Chooser = most_usual) -> None:
        self.network = network or Network()
        super().__init__(None, choose)

    def reset(self) -> None:
        """Reset to the initial state."""
        super().reset()
        self.system: System | None = None
        self._asked, self._on = MachineName(""), MachineName("")
        self._homes: dict[object, MachineName] = {}
        """The machine of each handle, transaction, operation and cursor."""

    def configure(
        self,
        machines: list[Json],
        coordinator: bool = True,  # noqa: FBT001, FBT002 - a field of the protocol
        users: list[Json] | None = None,
        directory: object = None,
        clients: Sequence[Json] = (),
        **_: object,
    ) -> Json:
        """Start afresh, all machines running.

        Raises:
            MethodNotFound: several machines have users, of which there is no model.
            UnknownMachine: the directory does not know a machine, or a client's server is none of the machines.
        """
        if len(machines) == 1:
            return super().configure(machines, coordinator, users)
        if users:
            raise MethodNotFound("several machines with users")
        self.reset()
        self.machine = machines[0]["name"]
        integrated = {machine["name"] for machine in machines if machine["mode"] == "integrated"}
        names = [machine["name"] for machine in machines]
        servers = {client["name"]: client["server"] for client in clients}
        for client, server in servers.items():
            if server not in names:
                raise UnknownMachine(f"{server}: is the server of {client} and none of the machines")
        ways = None if directory is None else self.ways_in(directory, names)
        contacts = {machine["name"]: contact_of(machine) for machine in machines if machine["name"] in integrated}
        self.system = system_of(names, (), ways, servers, contacts)
        if not coordinator:
            self._step(events.NoCoordinator())
        return {}

    def ways_in(self, directory: object, machines: Iterable[str]) -> Routes:
        """Return how messages are routed between machines of an enterprise.

        Raises:
            UnknownMachine: the directory does not know a machine.
        """
        topology = topology_of(directory)
        for name in machines:
            if name not in topology.identifiers:
                raise UnknownMachine(f"{name}: the directory has no queue manager of this name")
        return Routes(topology)

    def state(self, machine: str) -> Json:
        """Show what can be shown."""
        state = super().state(machine)
        if self.system is not None:
            rules, world = self.network.rules_at(MachineName(machine)), self.looked_at
            state |= {"mode": rules.modes(world)[0], "directory_offline": rules.shows_offline(world)[0]}
            number = 0 if world.contact is None else world.contact.identifier
            state["id"] = guid_of(self.network.identifier(self._asked, number))
        return state

    def create_queue(
        self, machine: str, queue: str, properties: Json, *, on: str = "", public: bool = False, **asked: object
    ) -> Json:
        """Create a queue; a public one is known by its name in the directory."""
        answer = super().create_queue(machine, queue, properties, on=on, public=public, **asked)
        return answer if not public or "failed" in answer else {"queue": public_name(on or machine, queue)}

    def find_queues(self, machine: str, queue: str) -> Json:
        """Show the public queues of a name that the directory has."""
        self._check(machine)
        answer = self._step(events.FindQueues(QueueName(queue)))
        if not isinstance(answer, Found):
            return FAILED
        return {"queues": [_entry(name, room) for name, room in sorted(answer.queues)]}

    def fail_directory(self, failing: bool, machine: str = "") -> Json:  # noqa: FBT001 - a field of the protocol
        """Put the directory out of the reach of a machine, or of all, or bring it back."""
        self._check(machine or self.machine)
        named = [machine] if machine else [] if self.system is None else self.system.machines
        return done_or_failed(self._step(events.DirectoryBecomes(frozenset(map(MachineName, named)), failing)))

    def leave_domain(self, machine: str) -> Json:
        """Take a machine out of its domain."""
        return self.join_domain(machine, "")

    def join_domain(self, machine: str, domain: str) -> Json:
        """Take a machine into another domain."""
        self._check(machine)
        return done_or_failed(self._step(events.ChangeDomain(MachineName(machine), domain)))

    def replace_object(self, machine: str) -> Json:
        """Give the directory's object of a queue manager another identifier."""
        return self.put_object(machine, "", own=False)

    def put_object(self, machine: str, domain: str, *, own: bool) -> Json:
        """Let the directory have an object of a queue manager in a domain."""
        self._check(machine)
        return done_or_failed(self._step(events.PutObject(MachineName(machine), domain, own)))

    def provision(self, machine: str) -> Json:
        """Provision the queue manager of a machine."""
        self._check(machine)
        return done_or_failed(self._step(events.Provision()))

    def directory_objects(self) -> Json:
        """Show the directory's objects of queue managers."""
        if self.system is None:
            return {"objects": []}
        everywhere = frozenset(self.system.machines)
        answer = self._step(events.ShowObjects(everywhere, everywhere))
        assert isinstance(answer, events.Objects)
        identifiers = self.system.identifiers
        return {
            "objects": [
                {
                    "machine": entry.machine,
                    "domain": entry.domain,
                    "id": guid_of(identifiers[entry.number]),
                    "routing_server": entry.routing,
                    "directory_server": entry.directory,
                }
                for entry in answer.objects
            ]
        }

    def create_foreign_queue(self, machine: str, queue: str) -> Json:
        """Enter a foreign queue into the directory, for which a machine is the connector server."""
        self._check(machine)
        self._step(events.EnterForeignQueue(MachineName(machine), QueueName(queue)))
        return {"queue": public_name(machine, queue)}

    def send(self, handle: int, message: str, assurance: str, **asked: object) -> Json:
        """Send a message."""
        self._asked = self._homes.get(handle, self._asked)
        return super().send(handle, message, assurance, **asked)  # type: ignore[arg-type]  # the schema holds them

    def fail_network(self, machines: list[str], failing: bool) -> Json:  # noqa: FBT001 - a field of the protocol
        """Cut the network between two machines, or between one and all others, or restore it."""
        for machine in machines:
            self._check(machine)
        named = frozenset(map(MachineName, machines))
        return done_or_failed(self._step(events.NetworkBecomes(named, failing)))

    def fail_coordinator(self, failing: bool, machine: str = "") -> Json:  # noqa: FBT001 - a field of the protocol
        """Let the external coordinator go away or come back, for all machines unless one is named."""
        if self.system is None:
            return super().fail_coordinator(failing, machine)
        event = events.CoordinatorBecomes(lost=failing)
        if machine:
            self._check(machine)
        return done_or_failed(self._step(At(self._asked, event) if machine else event))

    def take_offline(self, machine: str, on: bool) -> Json:  # noqa: FBT001 - a field of the protocol
        """Take a queue manager offline, or online again."""
        self._check(machine)
        return done_or_failed(self._step(events.TakeOffline(MachineName(machine), on)))

    def pause(self, machine: str, address: Json, on: bool) -> Json:  # noqa: FBT001 - a field of the protocol
        """Pause the outgoing queue for an address, or resume it."""
        self._check(machine)
        return done_or_failed(self._step(events.Pause(MachineName(machine), self._queue(address), on)))

    def outgoing(self, machine: str) -> Json:
        """Show the outgoing queues that hold messages."""
        self._check(machine)
        answer = self._step(events.CountOutgoing(MachineName(machine))) if self.system else Outgoing(frozenset())
        if not isinstance(answer, Outgoing):
            return FAILED
        return {"queues": [{"address": self.address_of(name), "messages": count} for name, count in answer.messages]}

    def carried(self, address: Json) -> QueueName:
        """Return the queue of an address that a message carries unchanged, with the name of its machine."""
        name = self._queue(address)
        return name if self.system is None or is_far(name) else far(self._asked, name)

    def address_of(self, name: QueueName) -> Json:
        """Return the address of a queue."""
        if is_public(name):
            return {"public": name}
        machine, queue = parts_of(name) if is_far(name) else (self._asked or self.machine, name)
        return {"direct": {"machine": machine, "queue": queue}}

    @property
    def looked_at(self) -> World:
        """The machine that the last call was about."""
        if self.system is None:
            return self.world
        machine = self._on or self._asked
        return self.system.machines[self.system.clients.get(machine, machine)]

    def _step(self, event: Event) -> Answer:
        if self.system is None:
            return Done() if isinstance(event, _OF_SEVERAL) else super()._step(event)
        placed = self._placed(event)
        self.before(placed)
        self.system, answer = self.choose([*self.network.results(placed, self.system)])
        self.transfer()
        return answer

    def before(self, event: Event) -> None:
        """Do what is left to do before an event: nothing."""

    def transfer(self) -> None:
        """Transfer every message that can be transferred now."""
        while self.system is not None and (after := self.network.next_transfer(self.system)):
            self.system, _ = self.choose([(system, Done()) for system in after])

    def _placed(self, event: Event) -> Event:
        """Return an event with the machine at which it happens."""
        if isinstance(event, (At, *_EVERYWHERE, *_OF_SEVERAL)):
            return event
        homes = (self._homes.get(getattr(event, name, None)) for name in _NAMES)
        home = next((home for home in homes if home is not None), None)
        new = {getattr(event, name, None) for name in ("operation", "cursor")} - {None}
        if home is not None:  # when a new operation got its number, its machine was not known
            self._homes |= dict.fromkeys(new, home)
        # A call by a handle says no machine, whatever the call before it was about.
        return At(self._asked, event, self._on) if home is None else At(home, event)

    def _next(self) -> int:
        number = super()._next()
        self._homes[number] = self._asked
        return number

    def _about(self, machine: str, on: str) -> None:
        if on:
            self._check(on)
        self._check(machine)
        self._on = MachineName(on)

    def _check(self, machine: str) -> None:
        if self.system is None:
            super()._check(machine)
        elif machine not in self.system.machines and machine not in self.system.clients:
            raise UnknownMachine(f"{machine}: is not configured; call queue_manager.configure with it")
        self._asked, self._on = MachineName(machine), MachineName("")

    def _queue(self, address: Json) -> QueueName:
        if self.system is None:
            return super()._queue(address)
        if "public" in address:
            name = QueueName(str(address["public"]))
            return name if is_public(name) else QueueName("*none")
        if "multicast" in address:
            return multicast(address["multicast"])
        if "system" in address:
            name = QueueName(f"*{address['system']}")
            machine = address.get("machine", self._asked)
            queue = name if name in SYSTEM_QUEUES or name == CONNECTOR else QueueName("*none")
        else:
            machine, queue = address.get("direct", {}).get("machine"), address.get("direct", {}).get("queue", "*none")
        return queue if machine in {None, self._asked} else far(machine, queue)


def _entry(name: QueueName, room: int | None) -> Json:
    """Return what the directory has of a public queue."""
    machine, queue = parts_of(name)
    return {"machine": machine, "queue": queue, "id": public_name(machine, queue), "properties": {"room": room}}


_OF_SEVERAL: Final = (
    events.NetworkBecomes, events.TakeOffline, events.Pause, events.CountOutgoing, events.DirectoryBecomes,
    events.ChangeDomain,
    events.PutObject,
    events.ShowObjects,
    events.EnterForeignQueue,
)  # fmt: skip
_HERE: Final[Json] = {"machine": "smoke"}
_TWO: Final[Json] = {"machines": [{"name": name, "mode": "workgroup"} for name in ("smoke", "other")]}
ROLE = replace(
    ONE_MACHINE,
    reference=ReferenceQueueManagers,
    capabilities=(
        *ONE_MACHINE.capabilities,
        Capability.SEVERAL_MACHINES,
        Capability.OFFLINE,
        Capability.REMOTE_READ,
        Capability.DIRECTORY,
        Capability.PROVISIONING,
        Capability.ROUTING,
        Capability.MULTICAST,
        Capability.CONNECTOR,
        Capability.SUPPORTING_SERVER,
    ),
    smoke_calls=(
        *ONE_MACHINE.smoke_calls,
        *calls_of(
            ONE_MACHINE.name,
            Call("configure", _TWO, capability="several-machines"),
            Call("outgoing", _HERE, capability="several-machines"),
            Call("fail_network", {"machines": ["smoke", "other"], "failing": False}, capability="several-machines"),
            Call("take_offline", {**_HERE, "on": False}, capability="offline"),
            Call("fail_directory", {"failing": False}, capability="directory"),
            Call("find_queues", {**_HERE, "queue": "smoke"}, capability="directory"),
        ),
    ),
)
