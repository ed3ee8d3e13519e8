"""Several queue managers: each is driven as one alone is, and all have one history and one explanation."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from types import MappingProxyType

from msgspec.structs import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.operations.queue_managers import answer_of, call_of
from mqconform.harness.judge.mqso.clock import Clock
from mqconform.harness.judge.mqso.driven_queue_manager import Call, DrivenQueueManager
from mqconform.harness.judge.mqso.history_text import Names
from mqconform.harness.judge.mqso.messages import Messages, address_of
from mqconform.reference.choice import Choice
from mqconform.reference.mqso import elements, events
from mqconform.reference.mqso.directory_contact import DOMAIN, Contact
from mqconform.reference.mqso.elements import (
    SECOND,
    MachineName,
    QueueName,
)
from mqconform.reference.mqso.events import Answer, At, Done, Event, Failed, Found, Shown
from mqconform.reference.mqso.explanation import MOST_WORLDS, Explanation, Seen, explain
from mqconform.reference.mqso.network import Network
from mqconform.reference.mqso.networked_queue_manager import far, is_public, public
from mqconform.reference.mqso.routes import Routes, Topology
from mqconform.reference.mqso.system import System, system_of
from mqconform.reference.mqso.world import World

TOGETHER = Network()
"""The rules of the text for several queue managers."""


def machine_of(name: str, world: World) -> Json:
    """Return what ``configure`` says of a machine; of what only provisioning is about, no more than has to be said."""
    contact = world.contact
    machine: Json = {"name": name, "mode": "workgroup" if contact is None else "integrated"}
    if contact is not None:
        roles = contact.roles
        machine |= {"domain": contact.domain} if contact.domain != DOMAIN else {}
        machine |= {"routing_server": True} if roles.routing else {}
        machine |= {"directory_server": True} if roles.directory else {}
        machine |= {"directory_server_type": roles.directory_type} if roles.directory_type else {}
    return machine if world.running else machine | {"provisioned": False}


@dataclass(slots=True)
class DrivenMachine(DrivenQueueManager):
    """One of several queue managers, whose history is a part of that of all."""

    network: "DrivenNetwork | None" = None

    def moment(self) -> int:
        """Return how much has happened on all machines: a client's handles are those of its server."""
        return len(self.history) if self.network is None else len(self.network.history)

    def address(self, queue: elements.QueueName) -> Json | None:
        """Return the address of a queue; a public one has that which its creation gave, None where it gave none."""
        if not is_public(queue):
            return address_of(queue, self.machine)
        identifiers = {} if self.network is None else self.network.identifiers
        return {"public": identifiers[queue]} if queue in identifiers else None

    def creations(self) -> list[events.CreateQueue]:
        """Return the creations of its queues by all machines, in order, whether they succeeded or not."""
        events_of_all = [] if self.network is None else [exchange.event for exchange in self.network.history]
        placed = [(event.on or event.machine, event.event) for event in events_of_all if isinstance(event, At)]
        return [event for on, event in placed if on == self.machine and isinstance(event, events.CreateQueue)]

    def answer_to(self, event: Event, result: Json) -> Answer:
        """Return what a result says; of one machine among several also whether it has the directory."""
        answer = answer_of(event, result)
        return (
            replace(answer, directory_offline=result.get("directory_offline")) if isinstance(answer, Shown) else answer
        )

    def _take(self, exchange: Seen) -> None:
        self.history.append(exchange)
        if self.network is not None:
            # What waits for a message of another machine ends there, so that ends are asked of all machines.
            of_all = isinstance(exchange.event, events.Outcomes)
            event = exchange.event if of_all else At(elements.MachineName(self.machine), exchange.event)
            self.network.add(event, exchange.answer)


@dataclass(slots=True)
class DrivenNetwork:
    """Several queue managers, driven by the steps of a scenario or of a schedule.

    Attributes:
        call: performs an operation of queue managers, given its name and its parameters.
        history: all that happened and what was answered.
        explanation: whether the text and the register explain it.
        assumes: the explanation assumes readings of which nothing was seen yet; given up where it finds nothing.
        machines: each of them, by its name.
        start: the machines before it all.
        identifiers: what the implementation calls public queues.
        most_worlds: the most that are kept; a history that needs more is not decided.
    """

    call: Call
    clock: Clock
    history: list[Seen] = field(default_factory=list)
    explanation: Explanation = field(default_factory=lambda: Explanation(frozenset()))
    assumes: bool = False
    machines: dict[str, DrivenMachine] = field(default_factory=dict)
    start: System = field(default_factory=lambda: system_of(()))
    identifiers: dict[elements.QueueName, object] = field(default_factory=dict)
    most_worlds: int = MOST_WORLDS
    _shown_identifiers: dict[str, int] = field(default_factory=dict)
    _messages: Messages = field(default_factory=lambda: Messages(several=True))

    def begin(
        self,
        names: Iterable[str],
        integrated: Collection[str] = (),
        topology: Topology | None = None,
        clients: Mapping[str, str] = MappingProxyType({}),
        contacts: Mapping[str, Contact] = MappingProxyType({}),
    ) -> None:
        """Configure the machines, as freshly installed and running.

        Args:
            names: of the machines.
            integrated: those in Directory-Integrated mode.
            topology: the enterprise by which messages are routed, None where any two machines reach each other.
            clients: computers without a queue manager, each with its supporting server.
            contacts: what machines in Directory-Integrated mode have of the directory, where that is anything special.
        """
        queue_managers = [*names]
        transactions: dict[str, elements.TransactionId] = {}
        numbers = count()  # of operations: one that waits at another machine is not one of that
        waits: dict[object, tuple[elements.Operation, elements.QueueName]] = {}
        blocked = set[object]()
        self.machines = {
            name: DrivenMachine(
                self.call,
                self.clock,
                machine=name,
                network=self,
                _messages=self._messages,
                _transactions=transactions,
                _numbers=numbers,
                _waits=waits,
                _blocked=blocked,
            )
            for name in (*queue_managers, *clients)
        }
        self.history.clear()
        self.identifiers.clear()
        self._shown_identifiers.clear()
        routes = None if topology is None else Routes(topology)
        self.start = system_of(queue_managers, integrated, routes, clients, contacts)
        self.explanation = Explanation(frozenset({self.start}))
        machines = [machine_of(name, world) for name, world in self.start.machines.items()]
        directory = {} if topology is None else {"directory": topology.document}
        supported = [{"name": client, "server": server} for client, server in clients.items()]
        params: Json = {"machines": machines, "coordinator": True} | directory
        self.ask("configure", params | ({"clients": supported} if clients else {}))

    def at(self, machine: str) -> DrivenMachine:
        """Return a machine."""
        return self.machines[machine]

    def names(self) -> Names:
        """Return what the scenario calls the things of the history."""
        machines = {elements.MachineName(name): scene.names() for name, scene in self.machines.items()}
        return Names({}, {}, {}, {}, machines)

    @property
    def doubt(self) -> str:
        """Why a contradiction convicts no implementation; empty where it does."""
        return self._messages.doubt

    @property
    def exact(self) -> bool:
        """Whether time is what the harness says."""
        return not self.clock.real

    def add(self, event: Event, answer: Answer) -> None:
        """Take an event and its answer into the history."""
        exchange = Seen(event, answer)
        self.history.append(exchange)
        self.explanation = self.explanation.after(exchange, TOGETHER, self.most_worlds)
        if self.assumes and not self.explanation.is_permitted:
            self.assumes = False
            self.explanation = explain(self.history, TOGETHER, self.start, self.most_worlds)

    def assume(self, followed: frozenset[Choice]) -> None:
        """Explain what comes by readings of which nothing was seen yet, as far as they do."""
        self.assumes, self.explanation = bool(followed), self.explanation.assuming(followed)

    def ask(self, operation: str, params: Json) -> Json:
        """Call the implementation."""
        return self.call(operation, params)

    def perform(self, event: Event) -> Answer:
        """Make the call that an event of several machines is, take it into the history, and return its answer."""
        answer = answer_of(event, self.ask(*call_of(event, {"address": address_of}, "")))
        self.add(event, answer)
        return answer

    def advance(self, seconds: int) -> None:
        """Let time pass on all machines."""
        self.clock.wait(seconds)
        self.perform(events.TimePassed(seconds * SECOND))

    def manage(self, machine: str, event: Event, on: str, **more: object) -> Json:
        """Have a machine create, change or count a queue of its own or of another one, and return the result."""
        name, params = call_of(event, {}, machine, "" if on == machine else on)
        result = self.ask(name, params | more)
        answer = answer_of(event, result)
        if on == machine:
            self.at(machine).add(event, answer)
        else:
            self.add(At(MachineName(machine), event, MachineName(on)), answer)
        return result

    def publish(self, machine: str, queue: str, on: str, properties: elements.Properties) -> None:
        """Create a public queue by way of a machine, on that one or on another."""
        answer = self.manage(machine, events.CreateQueue(QueueName(queue), properties, public=True), on)
        if "queue" in answer:
            self.identifiers[public(on, queue)] = answer["queue"]

    def lose_directory(self, machine: str, *, lost: bool) -> None:
        """Put the directory out of the reach of one machine, or of ``all``, or bring it back."""
        of_one: Json = {} if machine == "all" else {"machine": machine}
        self.ask("fail_directory", {"failing": lost} | of_one)
        machines = self.machines if machine == "all" else [machine]
        self.add(events.DirectoryBecomes(frozenset(map(MachineName, machines)), lost), Done())

    def show_objects(self) -> None:
        """Look at the directory's objects of queue managers, and at the identifiers that these show.

        What the directory has of other machines is left out.
        """
        identifiers: dict[str, str] = {}
        for name in self.machines:
            identifier = self.ask("state", {"machine": name}).get("id")
            identifiers |= {} if identifier is None else {name: identifier.casefold()}
        entries = [entry for entry in self.ask("directory_objects", {})["objects"] if entry["machine"] in self.machines]
        event = events.ShowObjects(
            frozenset(map(elements.MachineName, identifiers)),
            frozenset(elements.MachineName(entry["machine"]) for entry in entries if "routing_server" in entry),
        )
        objects = set()
        for entry in sorted(entries, key=lambda entry: (entry["machine"], entry["domain"].casefold())):
            machine, identifier = entry["machine"], entry["id"].casefold()
            number = self._shown_identifiers.setdefault(identifier, len(self._shown_identifiers))
            own = identifier == identifiers[machine] if machine in identifiers else None
            shows_roles = machine in event.with_roles
            routing = entry["routing_server"] if shows_roles else None
            directory = bool(entry.get("directory_server")) if shows_roles else None
            domain = entry["domain"].casefold()
            objects.add(events.ShownObject(elements.MachineName(machine), domain, number, own, routing, directory))
        self.add(event, events.Objects(frozenset(objects)))

    def lose_coordinator_of(self, machine: str) -> None:
        """Let the coordinator of external transactions go away for one machine."""
        self.ask("fail_coordinator", {"failing": True, "machine": machine})
        self.at(machine).add(events.CoordinatorBecomes(lost=True), Done())

    def look_up(self, machine: str, queue: str) -> None:
        """Look for public queues of a name; those of machines that are not known here are left out."""
        answer = self.ask("find_queues", {"machine": machine, "queue": queue})
        outcome: Answer = Failed()
        if "failed" not in answer:
            entries: list[Json] = answer["queues"]
            entries_here = [entry for entry in entries if entry["machine"] in self.machines]
            rooms = frozenset(
                (far(entry["machine"], entry["queue"]), entry["properties"].get("room")) for entry in entries_here
            )
            outcome = Found(rooms)
        self.add(At(elements.MachineName(machine), events.FindQueues(elements.QueueName(queue))), outcome)
