"""The reference of one queue manager as an implementation under test: role ``queue_manager`` of the IUT protocol."""

import random
from typing import Any, Final

from msgspec.structs import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut import queue_manager_fields
from mqconform.harness.iut.reference_iut.method_not_found import MethodNotFound
from mqconform.harness.iut.reference_iut.most_usual import Chooser, most_usual
from mqconform.reference.mqso import elements, events
from mqconform.reference.mqso.acknowledgments import report_key
from mqconform.reference.mqso.events import Answer, Committed, Counted, Ended, Event, Failed, Got, Pending, Shown
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World

SYSTEM: Final = {f"*{name}": name for name in ("dead_letter", "transactional_dead_letter", "journal")}
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

    def start(self, machine: str) -> Json:
        """Start the queue manager."""
        self._check(machine)
        return {"started": not isinstance(self._step(events.Start()), Failed)}

    def stop(self, machine: str) -> Json:
        """End the queue manager in order."""
        self._check(machine)
        return queue_manager_fields.done_or_failed(self._step(events.Stop()))

    def crash(self, machine: str) -> Json:
        """End the queue manager suddenly."""
        self._check(machine)
        return queue_manager_fields.done_or_failed(self._step(events.Stop(suddenly=True)))

    def state(self, machine: str) -> Json:
        """Show what can be shown."""
        self._check(machine)
        answer = self._step(events.ShowState())
        assert isinstance(answer, Shown)
        mode = answer.mode or self.model.modes(self.looked_at)[0]
        return {"state": answer.state.value, "mode": mode, "throttled": self.looked_at.throttled}

    def create_queue(
        self, machine: str, queue: str, properties: Json, *, on: str = "", public: bool = False, **_: object
    ) -> Json:
        """Create a queue.

        Raises:
            MethodNotFound: it is for the directory of a domain, which has users only.
        """
        self._about(machine, on)
        if public and self.world.registered is not None:
            raise MethodNotFound("public queues in a domain")
        answer = self._step(
            events.CreateQueue(elements.QueueName(queue), queue_manager_fields.properties_of(properties), public)
        )
        return queue_manager_fields.FAILED if isinstance(answer, Failed) else {"queue": queue}

    def set_queue(self, machine: str, queue: str, properties: Json, on: str = "", **_: object) -> Json:
        """Change the room of a queue."""
        self._about(machine, on)
        return queue_manager_fields.done_or_failed(
            self._step(events.SetQueue(elements.QueueName(queue), properties.get("room")))
        )

    def delete_queue(self, machine: str, queue: str, on: str = "", **_: object) -> Json:
        """Delete a queue."""
        self._about(machine, on)
        return queue_manager_fields.done_or_failed(self._step(events.DeleteQueue(elements.QueueName(queue))))

    def purge(self, machine: str, queue: str, on: str = "", **_: object) -> Json:
        """Remove all messages of a queue."""
        self._about(machine, on)
        return queue_manager_fields.done_or_failed(self._step(events.Purge(elements.QueueName(queue))))

    def queue_properties(self, machine: str, queue: str, on: str = "", **_: object) -> Json:
        """Show what a queue is like, and how many messages it has."""
        self._about(machine, on)
        answer = self._step(events.Count(elements.QueueName(queue)))
        if not isinstance(answer, Counted):
            return queue_manager_fields.FAILED
        properties = self.looked_at.queues[elements.QueueName(queue)].properties
        fields: Json = {"transactional": properties.transactional}
        if properties.room is not None:
            fields |= {"room": properties.room, "room_unit": "kilobytes" if properties.in_kilobytes else "messages"}
        return {"properties": fields, "messages": answer.messages}

    def open(self, machine: str, address: Json, access: str, user: str | None = None, **_: object) -> Json:
        """Open a queue."""
        self._check(machine)
        handle = elements.Handle(self._next())
        opened = events.Open(
            handle, self._queue(address), elements.Access(access), None if user is None else elements.User(user)
        )
        answer = self._step(opened)
        return queue_manager_fields.FAILED if isinstance(answer, Failed) else {"handle": handle}

    def close(self, handle: int) -> Json:
        """Close a queue."""
        return queue_manager_fields.done_or_failed(self._step(events.Close(elements.Handle(handle))))

    def send(  # noqa: PLR0913 - the fields of the protocol
        self,
        handle: int,
        message: str,
        assurance: str,
        *,
        transaction: object = None,
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
            queue_manager_fields.nanoseconds_of(time_to_reach_queue),
            queue_manager_fields.nanoseconds_of(time_to_be_received),
            dead_letter=dead_letter,
            journal=journal,
            asked=frozenset(elements.Asked(kind) for kind in acknowledgments or ()),
            administration=None if administration_queue is None else self._queue(administration_queue),
            correlation=None if correlation is None else elements.Key(correlation),
            response=None if response_queue is None else self.carried(response_queue),
            seal=queue_manager_fields.seal_of(self.world, elements.Handle(handle), asked),
        )
        answer = self._step(
            events.Send(elements.Handle(handle), sent, queue_manager_fields.transaction_of(transaction))
        )
        if isinstance(answer, Failed):
            return queue_manager_fields.FAILED
        self._sent[identity] = message
        return {"pending": self._next()} if isinstance(answer, Pending) else {"id": identity}

    def receive(self, handle: int, **asked: object) -> Json:
        """Receive a message, or wait for one."""
        return self._receive(handle, takes=True, asked=asked)

    def peek(self, handle: int, **asked: object) -> Json:
        """Look at a message, or wait for one."""
        return self._receive(handle, takes=False, asked=asked)

    def cancel(self, operation: int) -> Json:
        """Wait no longer."""
        return queue_manager_fields.done_or_failed(self._step(events.Cancel(elements.Operation(operation))))

    def outcomes(self) -> Json:
        """Tell what became of operations that waited."""
        answer = self._step(events.Outcomes())
        assert isinstance(answer, Ended)
        ordered = sorted(answer.outcomes, key=lambda outcome: outcome[0])
        return {"outcomes": [{"operation": operation, **self._shown(outcome)} for operation, outcome in ordered]}

    def create_cursor(self, handle: int) -> Json:
        """Make a cursor."""
        cursor = elements.CursorId(self._next())
        answer = self._step(events.CreateCursor(cursor, elements.Handle(handle)))
        return queue_manager_fields.FAILED if isinstance(answer, Failed) else {"cursor": cursor}

    def close_cursor(self, cursor: int) -> Json:
        """Give a cursor up."""
        return queue_manager_fields.done_or_failed(self._step(events.CloseCursor(elements.CursorId(cursor))))

    def begin(self, machine: str, kind: str) -> Json:
        """Begin a transaction."""
        self._check(machine)
        transaction = elements.TransactionId(self._next())
        answer = self._step(events.Begin(transaction, elements.Kind(kind)))
        return queue_manager_fields.FAILED if isinstance(answer, Failed) else {"transaction": transaction}

    def commit(self, transaction: int) -> Json:
        """Commit a transaction."""
        answer = self._step(events.End(elements.TransactionId(transaction), commit=True))
        return {"committed": answer.committed} if isinstance(answer, Committed) else queue_manager_fields.FAILED

    def abort(self, transaction: int) -> Json:
        """Abort a transaction."""
        return queue_manager_fields.done_or_failed(
            self._step(events.End(elements.TransactionId(transaction), commit=False))
        )

    def advance_clock(self, seconds: float) -> Json:
        """Let virtual time pass."""
        return queue_manager_fields.done_or_failed(self._step(events.TimePassed(round(seconds * elements.SECOND))))

    def fail_store(self, machine: str, how: str | None) -> Json:
        """Let the store be full or inconsistent, or as it should be again."""
        self._check(machine)
        match how:
            case "full":
                return queue_manager_fields.done_or_failed(self._step(events.StoreBecomes(full=True)))
            case None:
                return queue_manager_fields.done_or_failed(self._step(events.StoreMended()))
            case _:
                return queue_manager_fields.done_or_failed(
                    self._step(events.StoreBreaks(beyond_repair=how == "beyond-repair"))
                )

    def fail_coordinator(self, failing: bool, machine: str = "") -> Json:  # noqa: FBT001 - a field of the protocol
        """Let the external coordinator go away, or come back."""
        self._check(machine or self.machine)
        return queue_manager_fields.done_or_failed(self._step(events.CoordinatorBecomes(lost=failing)))

    def throttle(self, machine: str, on: bool) -> Json:  # noqa: FBT001 - a field of the protocol
        """Let memory or storage be scarce, or sufficient again."""
        self._check(machine)
        return queue_manager_fields.done_or_failed(self._step(events.Throttle(on=on)))

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

    def _receive(self, handle: int, *, takes: bool, asked: Json) -> Json:
        operation = elements.Operation(self._next())
        event = events.Receive(
            operation, elements.Handle(handle), takes, queue_manager_fields.nanoseconds_of(asked.get("wait")) or 0
        )
        event = replace(event, transaction=queue_manager_fields.transaction_of(asked.get("transaction")))
        if asked.get("cursor") is not None:
            event = replace(
                event, cursor=elements.CursorId(asked["cursor"]), move=events.Move(asked.get("move", "current"))
            )
        if asked.get("id") is not None:
            event = replace(event, key=elements.Key(asked["id"]))
        answer = self._step(event)
        return {"pending": operation} if isinstance(answer, Pending) else self._shown(answer)

    def _shown(self, answer: Answer) -> Json:
        if not isinstance(answer, Got):
            return queue_manager_fields.FAILED
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
