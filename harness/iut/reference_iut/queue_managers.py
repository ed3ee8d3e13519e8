"""The reference of several queue managers together: role ``queue_manager`` for more machines than one."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final
from uuid import NAMESPACE_OID, uuid5

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.operations.queue_managers import OPERATIONS
from mqconform.harness.iut.reference_iut.choosers import Chooser, most_usual
from mqconform.harness.iut.reference_iut.queue_manager import (
    OF_SEVERAL,
    ONE_MACHINE,
    ReferenceQueueManager,
    UnknownMachine,
)
from mqconform.harness.iut.role import Capability, MethodNotFound, offer
from mqconform.harness.iut.smoke_calls import Call
from mqconform.reference.mqso import events
from mqconform.reference.mqso.directory_contact import DOMAIN, Contact, Roles, contact_before, contact_in
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
        contacts = {machine["name"]: _contact_of(machine) for machine in machines if machine["name"] in integrated}
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

    def result_of(self, event: Event, answer: Answer) -> Json:
        """Return an answer of the model as the protocol has it; public queues are known by their names."""
        machine = self._on or self._asked
        match event, answer:
            case events.ShowState(), _ if self.system is not None:
                rules, world = self.network.rules_at(self._asked), self.looked_at
                number = 0 if world.contact is None else world.contact.identifier
                return super().result_of(event, answer) | {
                    "mode": rules.modes(world)[0],
                    "directory_offline": rules.shows_offline(world)[0],
                    "id": _guid_of(self.network.identifier(self._asked, number)),
                }
            case events.EnterForeignQueue(queue=queue) | events.CreateQueue(queue=queue, public=True), Done():
                return {"queue": public_name(machine, queue)}
            case _, Found(queues=queues):
                return {"queues": [_entry(name, room) for name, room in sorted(queues)]}
            case events.CountOutgoing(), Done():
                return {"queues": []}
            case _, Outgoing(messages=messages):
                return {"queues": [{"address": self.address_of(name), "messages": count} for name, count in messages]}
        return super().result_of(event, answer)

    def fail_directory(self, failing: bool, machine: str = "") -> Json:  # noqa: FBT001 - a field of the protocol
        """Put the directory out of the reach of a machine, or of all, or bring it back."""
        self._check(machine or self.machine)
        named = [machine] if machine else [] if self.system is None else self.system.machines
        event = events.DirectoryBecomes(frozenset(map(MachineName, named)), failing)
        return self.result_of(event, self._step(event))

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
                    "id": _guid_of(identifiers[entry.number]),
                    "routing_server": entry.routing,
                    "directory_server": entry.directory,
                }
                for entry in answer.objects
            ]
        }

    def send(self, handle: int, message: str, assurance: str, **asked: object) -> Json:
        """Send a message."""
        self._asked = self._homes.get(handle, self._asked)
        return super().send(handle, message, assurance, **asked)  # type: ignore[arg-type]  # the schema holds them

    def fail_coordinator(self, failing: bool, machine: str = "") -> Json:  # noqa: FBT001 - a field of the protocol
        """Let the external coordinator go away or come back, for all machines unless one is named."""
        if machine:
            self._check(machine)
        event = events.CoordinatorBecomes(lost=failing)
        return self.result_of(event, self._step(At(self._asked, event) if machine and self.system else event))

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
            return Done() if isinstance(event, OF_SEVERAL) else super()._step(event)
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
        if isinstance(event, (At, *_EVERYWHERE, *OF_SEVERAL)):
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


def _contact_of(machine: Json) -> Contact:
    """Return what a machine of ``configure`` has of the directory."""
    roles = Roles(
        machine.get("routing_server", False),
        machine.get("directory_server", False),
        machine.get("directory_server_type"),
    )
    make = contact_in if machine.get("provisioned", True) else contact_before
    return make(machine.get("domain", DOMAIN), roles)


def _guid_of(identifier: tuple[MachineName, int]) -> str:
    """Return an identifier of a queue manager as text."""
    return str(uuid5(NAMESPACE_OID, "/".join(map(str, identifier))))


offer(ReferenceQueueManagers, (name for name in OPERATIONS if not hasattr(ReferenceQueueManager, name)))
_HERE: Final[Json] = {"machine": "smoke"}
_TWO: Final[Json] = {"machines": [{"name": name, "mode": "workgroup"} for name in ("smoke", "other")]}
BETWEEN_MACHINES: Final = (
    Capability.SEVERAL_MACHINES,
    Capability.OFFLINE,
    Capability.REMOTE_READ,
    Capability.DIRECTORY,
    Capability.PROVISIONING,
    Capability.ROUTING,
    Capability.MULTICAST,
    Capability.CONNECTOR,
    Capability.SUPPORTING_SERVER,
)
"""What is tried of several machines alone."""
ROLE = replace(
    ONE_MACHINE,
    reference=ReferenceQueueManagers,
    capabilities=(*ONE_MACHINE.capabilities, *BETWEEN_MACHINES),
    cheap=(
        *ONE_MACHINE.cheap,
        Call("configure", _TWO, capability="several-machines"),
        Call("outgoing", _HERE, capability="several-machines"),
        Call("fail_network", {"machines": ["smoke", "other"], "failing": False}, capability="several-machines"),
        Call("take_offline", {**_HERE, "on": False}, capability="offline"),
        Call("fail_directory", {"failing": False}, capability="directory"),
        Call("find_queues", {**_HERE, "queue": "smoke"}, capability="directory"),
    ),
)
