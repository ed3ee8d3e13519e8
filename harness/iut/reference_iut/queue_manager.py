"""The reference of one queue manager as an implementation under test: role ``queue_manager`` of the IUT protocol."""

import random
from typing import Any, Final

from msgspec.structs import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.reference_iut.method_not_found import MethodNotFound
from mqconform.harness.iut.reference_iut.most_usual import Chooser, most_usual
from mqconform.harness.iut.reference_iut.queue_manager_fields import (
    FAILED,
    done_or_failed,
    nanoseconds_of,
    properties_of,
    seal_of,
    transaction_of,
)
from mqconform.reference.mqso import events
from mqconform.reference.mqso.acknowledgments import report_key
from mqconform.reference.mqso.elements import (
    SECOND,
    SYSTEM_QUEUES,
    Access,
    Asked,
    Assurance,
    CursorId,
    Handle,
    Key,
    Kind,
    Message,
    Operation,
    QueueName,
    Report,
    TransactionId,
    User,
)
from mqconform.reference.mqso.events import Answer, Committed, Counted, Ended, Event, Failed, Got, Pending, Shown
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World

SYSTEM: Final = {f"*{name}": name for name in ("dead_letter", "transactional_dead_letter", "journal")}
_POSITIVE, _NEGATIVE = (report_key(Report(Key(""), positive)) for positive in (True, False))


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
        self._sent: dict[Key, object] = {}
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
                events.JoinDomain(frozenset(User(user["name"]) for user in users or () if "certificate" in user))
            )
        return {}

    def start(self, machine: str) -> Json:
        """Start the queue manager."""
        self._check(machine)
        return {"started": not isinstance(self._step(events.Start()), Failed)}

    def stop(self, machine: str) -> Json:
        """End the queue manager in order."""
        self._check(machine)
        return done_or_failed(self._step(events.Stop()))

    def crash(self, machine: str) -> Json:
        """End the queue manager suddenly."""
        self._check(machine)
        return done_or_failed(self._step(events.Stop(suddenly=True)))

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
        answer = self._step(events.CreateQueue(QueueName(queue), properties_of(properties), public))
        return FAILED if isinstance(answer, Failed) else {"queue": queue}

    def set_queue(self, machine: str, queue: str, properties: Json, on: str = "", **_: object) -> Json:
        """Change the room of a queue."""
        self._about(machine, on)
        return done_or_failed(self._step(events.SetQueue(QueueName(queue), properties.get("room"))))

    def delete_queue(self, machine: str, queue: str, on: str = "", **_: object) -> Json:
        """Delete a queue."""
        self._about(machine, on)
        return done_or_failed(self._step(events.DeleteQueue(QueueName(queue))))

    def purge(self, machine: str, queue: str, on: str = "", **_: object) -> Json:
        """Remove all messages of a queue."""
        self._about(machine, on)
        return done_or_failed(self._step(events.Purge(QueueName(queue))))

    def queue_properties(self, machine: str, queue: str, on: str = "", **_: object) -> Json:
        """Show what a queue is like, and how many messages it has."""
        self._about(machine, on)
        answer = self._step(events.Count(QueueName(queue)))
        if not isinstance(answer, Counted):
            return FAILED
        properties = self.looked_at.queues[QueueName(queue)].properties
        fields: Json = {"transactional": properties.transactional}
        if properties.room is not None:
            fields |= {"room": properties.room, "room_unit": "kilobytes" if properties.in_kilobytes else "messages"}
        return {"properties": fields, "messages": answer.messages}

    def open(self, machine: str, address: Json, access: str, user: str | None = None, **_: object) -> Json:
        """Open a queue."""
        self._check(machine)
        handle = Handle(self._next())
        opened = events.Open(handle, self._queue(address), Access(access), None if user is None else User(user))
        answer = self._step(opened)
        return FAILED if isinstance(answer, Failed) else {"handle": handle}

    def close(self, handle: int) -> Json:
        """Close a queue."""
        return done_or_failed(self._step(events.Close(Handle(handle))))

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
        identity = Key(f"message-{self._next()}")
        sent = Message(
            identity,
            Assurance(assurance),
            nanoseconds_of(time_to_reach_queue),
            nanoseconds_of(time_to_be_received),
            dead_letter=dead_letter,
            journal=journal,
            asked=frozenset(Asked(kind) for kind in acknowledgments or ()),
            administration=None if administration_queue is None else self._queue(administration_queue),
            correlation=None if correlation is None else Key(correlation),
            response=None if response_queue is None else self.carried(response_queue),
            seal=seal_of(self.world, Handle(handle), asked),
        )
        answer = self._step(events.Send(Handle(handle), sent, transaction_of(transaction)))
        if isinstance(answer, Failed):
            return FAILED
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
        return done_or_failed(self._step(events.Cancel(Operation(operation))))

    def outcomes(self) -> Json:
        """Tell what became of operations that waited."""
        answer = self._step(events.Outcomes())
        assert isinstance(answer, Ended)
        ordered = sorted(answer.outcomes, key=lambda outcome: outcome[0])
        return {"outcomes": [{"operation": operation, **self._shown(outcome)} for operation, outcome in ordered]}

    def create_cursor(self, handle: int) -> Json:
        """Make a cursor."""
        cursor = CursorId(self._next())
        answer = self._step(events.CreateCursor(cursor, Handle(handle)))
        return FAILED if isinstance(answer, Failed) else {"cursor": cursor}

    def close_cursor(self, cursor: int) -> Json:
        """Give a cursor up."""
        return done_or_failed(self._step(events.CloseCursor(CursorId(cursor))))

    def begin(self, machine: str, kind: str) -> Json:
        """Begin a transaction."""
        self._check(machine)
        transaction = TransactionId(self._next())
        answer = self._step(events.Begin(transaction, Kind(kind)))
        return FAILED if isinstance(answer, Failed) else {"transaction": transaction}

    def commit(self, transaction: int) -> Json:
        """Commit a transaction."""
        answer = self._step(events.End(TransactionId(transaction), commit=True))
        return {"committed": answer.committed} if isinstance(answer, Committed) else FAILED

    def abort(self, transaction: int) -> Json:
        """Abort a transaction."""
        return done_or_failed(self._step(events.End(TransactionId(transaction), commit=False)))

    def advance_clock(self, seconds: float) -> Json:
        """Let virtual time pass."""
        return done_or_failed(self._step(events.TimePassed(round(seconds * SECOND))))

    def fail_store(self, machine: str, how: str | None) -> Json:
        """Let the store be full or inconsistent, or as it should be again."""
        self._check(machine)
        match how:
            case "full":
                return done_or_failed(self._step(events.StoreBecomes(full=True)))
            case None:
                return done_or_failed(self._step(events.StoreMended()))
            case _:
                return done_or_failed(self._step(events.StoreBreaks(beyond_repair=how == "beyond-repair")))

    def fail_coordinator(self, failing: bool, machine: str = "") -> Json:  # noqa: FBT001 - a field of the protocol
        """Let the external coordinator go away, or come back."""
        self._check(machine or self.machine)
        return done_or_failed(self._step(events.CoordinatorBecomes(lost=failing)))

    def throttle(self, machine: str, on: bool) -> Json:  # noqa: FBT001 - a field of the protocol
        """Let memory or storage be scarce, or sufficient again."""
        self._check(machine)
        return done_or_failed(self._step(events.Throttle(on=on)))

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
        operation = Operation(self._next())
        event = events.Receive(operation, Handle(handle), takes, nanoseconds_of(asked.get("wait")) or 0)
        event = replace(event, transaction=transaction_of(asked.get("transaction")))
        if asked.get("cursor") is not None:
            event = replace(event, cursor=CursorId(asked["cursor"]), move=events.Move(asked.get("move", "current")))
        if asked.get("id") is not None:
            event = replace(event, key=Key(asked["id"]))
        answer = self._step(event)
        return {"pending": operation} if isinstance(answer, Pending) else self._shown(answer)

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

    def carried(self, address: Json) -> QueueName:
        """Return the queue of an address that a message carries unchanged."""
        return self._queue(address)

    def address_of(self, name: QueueName) -> Json:
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

    def _queue(self, address: Json) -> QueueName:
        if "system" in address:
            name = QueueName(f"*{address['system']}")
            return name if name in SYSTEM_QUEUES else QueueName("*none")
        here = "direct" in address and address["direct"]["machine"] == self.machine
        return QueueName(address["direct"]["queue"] if here else "*none")
