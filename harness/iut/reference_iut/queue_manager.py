"""The reference of one queue manager as an implementation under test: role ``queue_manager`` of the IUT protocol."""

import random
from typing import Any, Final

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.operations import queue_managers as operations
from mqconform.harness.iut.reference_iut.choosers import Chooser, most_usual
from mqconform.harness.iut.role import Capability, MethodNotFound, Role, offer
from mqconform.harness.iut.smoke_calls import Call
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.mqso import elements, events
from mqconform.reference.mqso.acknowledgments import report_key
from mqconform.reference.mqso.events import Answer, Committed, Counted, Ended, Event, Failed, Got, Pending, Shown
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World

FAILED: Final[Json] = {"failed": {}}
_POSITIVE, _NEGATIVE = (report_key(elements.Report(elements.Key(""), positive)) for positive in (True, False))


class UnknownMachine(Exception):
    """An operation names a machine that was not configured."""


class ReferenceQueueManager:
    """Role ``queue_manager`` for one machine: at each event one of the worlds that the model allows."""

    def __init__(self, model: QueueManager | None = None, choose: Chooser = most_usual) -> None:
        self.model = model or QueueManager()
        self.choose = choose
        self.reset()

    def reset(self) -> None:
        """Reset to the initial state."""
        self.machine = ""
        self.world = World()
        self._named = 0
        self._sent: dict[elements.Key, object] = {}
        """What the sender calls each message: the model knows it by its identifier, which no other message has."""

    def configure(
        self,
        machines: list[Json],
        coordinator: bool = True,  # noqa: FBT001, FBT002 - a field of the protocol
        users: list[Json] | None = None,
        **_: Any,  # fields that only several machines have
    ) -> Json:
        """Start afresh, running.

        Raises:
            UnknownMachine: there is more than one machine.
        """
        self.reset()
        if len(machines) != 1:
            raise UnknownMachine("configure: this is one machine; name one")
        self.machine = machines[0]["name"]
        if not coordinator:
            self._step(events.NoCoordinator())
        if machines[0]["mode"] == "integrated":
            self._step(
                events.JoinDomain(
                    frozenset(elements.User(user["name"]) for user in users or () if "certificate" in user)
                )
            )
        return {}

    def perform(self, name: str, params: Json) -> Json:
        """Perform an operation: ask the model, and pick one of the answers that it allows.

        Raises:
            MethodNotFound: it is for the directory of a domain, which has users only.
        """
        on = params.get("on", "")  # a machine, or whether something is on
        if "machine" in params:
            self._about(params["machine"], on if isinstance(on, str) else "")
        for machine in params.get("machines", ()):
            self._check(machine)
        event = operations.event_of(name, params, {"address": self._queue}, self._next)
        if isinstance(event, events.CreateQueue) and event.public and self.world.registered is not None:
            raise MethodNotFound("public queues in a domain")
        return self.result_of(event, self._step(event))

    def result_of(self, event: Event, answer: Answer) -> Json:  # noqa: PLR0911 - a table of answers
        """Return an answer of the model as the protocol has it."""
        match event, answer:
            case events.Start(), _:
                return {"started": not isinstance(answer, Failed)}
            case _, Got() | Failed():
                return self._shown(answer)
            case _, Ended(outcomes=outcomes):
                ordered = sorted(outcomes, key=lambda outcome: outcome[0])
                return {"outcomes": [{"operation": waited, **self._shown(outcome)} for waited, outcome in ordered]}
            case _, Shown(state=state, mode=mode):
                shown_mode = mode or self.model.modes(self.looked_at)[0]
                return {"state": state.value, "mode": shown_mode, "throttled": self.looked_at.throttled}
            case events.Count(queue=queue), Counted(messages=messages):
                return {
                    "properties": operations.said_of_queue(self.looked_at.queues[queue].properties),
                    "messages": messages,
                }
            case events.CreateQueue(queue=queue), _:
                return {"queue": queue}
            case events.Receive(operation=operation), Pending():
                return {"pending": operation}
            case _, Committed(committed=committed):
                return {"committed": committed}
        made = operations.shape_of(operations.name_of(event)).new
        return {made: getattr(event, made)} if made else {}

    def send(  # noqa: PLR0913 - the fields of the protocol
        self,
        handle: int,
        message: str,
        assurance: str,
        *,
        transaction: elements.TransactionId | None = None,
        time_to_reach_queue: float | None = None,
        time_to_be_received: float | None = None,
        dead_letter: bool = False,
        journal: bool = False,
        acknowledgments: list[str] | None = None,
        administration_queue: Json | None = None,
        correlation: str | None = None,
        response_queue: Json | None = None,
        **asked: object,
    ) -> Json:
        """Send a message."""
        identity = elements.Key(f"message-{self._next()}")
        sent = elements.Message(
            identity,
            elements.Assurance(assurance),
            None if time_to_reach_queue is None else operations.nanoseconds_of(time_to_reach_queue),
            None if time_to_be_received is None else operations.nanoseconds_of(time_to_be_received),
            dead_letter=dead_letter,
            journal=journal,
            asked=frozenset(elements.Asked(kind) for kind in acknowledgments or ()),
            administration=None if administration_queue is None else self._queue(administration_queue),
            correlation=None if correlation is None else elements.Key(correlation),
            response=None if response_queue is None else self.carried(response_queue),
            size=elements.kilobytes(message),
            seal=_seal_of(self.world, elements.Handle(handle), asked),
        )
        answer = self._step(events.Send(elements.Handle(handle), sent, transaction))
        if isinstance(answer, Failed):
            return FAILED
        self._sent[identity] = message
        return {"pending": self._next()} if isinstance(answer, Pending) else {"id": identity}

    def together(self, lanes: list[list[Json]]) -> Json:
        """Take calls that come at the same time, each in one step and in some order."""
        answered: list[list[Json]] = [[] for _ in lanes]
        for moment, lane in enumerate(self.order_of([len(calls) for calls in lanes])):
            before = answered[lane]
            call = lanes[lane][len(before)]
            result = self.call_of(call["method"], call["params"])
            before.append({"began": before[-1]["ended"] if before else 0, "ended": moment + 1, "result": result})
        return {"lanes": answered}

    def order_of(self, lengths: list[int]) -> list[int]:
        """Return whose turn it is, lane by lane; another order for another number of things named before."""
        turns = [lane for lane, length in enumerate(lengths) for _ in range(length)]
        random.Random(self._named).shuffle(turns)
        return turns

    def call_of(self, method: str, params: Json) -> Json:
        """Make one of several calls that come at the same time; the schema says which there are."""
        result: Json = getattr(self, method)(**params)
        return result

    def _shown(self, answer: Answer) -> Json:
        if not isinstance(answer, Got):
            return FAILED
        if answer.key in self._sent:
            message: Json = {"message": self._sent[answer.key], "id": answer.key}
            if answer.correlation is not None:
                message["correlation"] = answer.correlation
            if answer.authenticated is not None:
                message["authenticated"] = answer.authenticated
            if answer.response is not None:
                message["response_queue"] = self.address_of(answer.response)
            return {"message": message}
        positive = answer.key.startswith(_POSITIVE)
        about = answer.key.removeprefix(_POSITIVE if positive else _NEGATIVE)
        report = {"of": about, "positive": positive}
        return {"message": {"message": answer.key, "id": f"report-{self._next()}", "acknowledgment": report}}

    def carried(self, address: Json) -> elements.QueueName:
        """Return the queue of an address that a message carries unchanged."""
        return self._queue(address)

    def address_of(self, name: elements.QueueName) -> Json:
        """Return the address of a queue."""
        return {"direct": {"machine": self.machine, "queue": name}}

    def _step(self, event: Event) -> Answer:
        self.world, answer = self.choose([*self.model.step(self.world, event)])
        return answer

    def _next(self) -> int:
        self._named += 1
        return self._named

    @property
    def looked_at(self) -> World:
        """The machine that the last call was about."""
        return self.world

    def _about(self, machine: str, on: str) -> None:
        """Note which machine is called, and on which the queue is that the call is about."""
        self._check(on or machine)

    def _check(self, machine: str) -> None:
        if machine != self.machine:
            raise UnknownMachine(f"{machine}: is not configured; call queue_manager.configure with it")

    def _queue(self, address: Json) -> elements.QueueName:
        if "system" in address:
            name = elements.QueueName(f"*{address['system']}")
            return name if name in elements.SYSTEM_QUEUES else elements.QueueName("*none")
        here = "direct" in address and address["direct"]["machine"] == self.machine
        return elements.QueueName(address["direct"]["queue"] if here else "*none")


def _seal_of(world: World, handle: elements.Handle, asked: Json) -> elements.Seal | None:
    """Return what a message carries of its sender: the user who opened the queue, unless the send says otherwise.

    Args:
        world: in Workgroup mode there are no users.
        handle: by which it is sent.
        asked: what the send says.
    """
    user = world.handles[handle].user if handle in world.handles else None
    if world.registered is None or (user is None and not asked.keys() & {"sign", "identity"}):
        return None
    identity = asked.get("identity", user)
    signed = user if asked.get("sign") else None
    return elements.Seal(signed, None if identity is None else elements.User(identity), bool(asked.get("altered")))


OF_SEVERAL: Final = (
    events.NetworkBecomes, events.TakeOffline, events.Pause, events.CountOutgoing, events.DirectoryBecomes,
    events.ChangeDomain, events.PutObject, events.ShowObjects, events.EnterForeignQueue,
)  # fmt: skip
"""What happens to several machines, or to the directory that they have in common."""
_NOT_ALONE: Final = (*OF_SEVERAL, events.FindQueues, events.Provision)
offer(ReferenceQueueManager, (name for name, (event, _) in operations.OPERATIONS.items() if event not in _NOT_ALONE))


_HERE: Final[Json] = {"machine": "smoke"}
_QUEUE: Final[Json] = {**_HERE, "queue": "smoke"}
ONE_MACHINE: Final = Role(
    RoleName.QUEUE_MANAGER,
    "MQSO",
    "18.0",
    folder="mqso",
    reference=ReferenceQueueManager,
    capabilities=(
        Capability.VIRTUAL_CLOCK,
        Capability.REAL_CLOCK,
        Capability.RESTART,
        Capability.TRANSACTIONS,
        Capability.EXTERNAL_TRANSACTIONS,
        Capability.CURSORS,
        Capability.MANAGEMENT,
        Capability.STORE_FAULTS,
        Capability.COORDINATOR_FAULTS,
        Capability.THROTTLING,
        Capability.CONCURRENT,
        Capability.SECURITY,
    ),
    unoffered=(Capability.REAL_CLOCK,),
    cheap=(
        Call("configure", {"machines": [{"name": "smoke", "mode": "workgroup"}]}),
        Call("create_queue", {**_QUEUE, "properties": {}}),
        Call("open", {**_HERE, "address": {"direct": _QUEUE}, "access": "receive"}),
        Call("purge", _QUEUE),
        Call("outcomes"),
        Call("advance_clock", {"seconds": 0}, capability="virtual-clock"),
        Call("queue_properties", _QUEUE, capability="management"),
        Call("create_cursor", {"handle": 0}, capability="cursors"),
        Call("begin", {**_HERE, "kind": "internal"}, capability="transactions"),
        Call("begin", {**_HERE, "kind": "external"}, capability="external-transactions"),
        Call("fail_coordinator", {**_HERE, "failing": False}, capability="coordinator-faults"),
        Call("fail_store", {**_HERE, "how": None}, capability="store-faults"),
        Call("throttle", {**_HERE, "on": False}, capability="throttling"),
        Call("start", _HERE, capability="restart"),
        Call("together", {"lanes": [[{"method": "purge", "params": _QUEUE}]]}, capability="concurrent"),
        Call("delete_queue", _QUEUE),
    ),
)
"""The role as a queue manager has it that knows of no other."""
