"""The reference of one queue manager as an implementation under test: role ``queue_manager`` of the IUT protocol."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from mqconform.harness.iut.interface import Json
from mqconform.reference.mqso import events
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
    Properties,
    QueueName,
    Report,
    TransactionId,
)
from mqconform.reference.mqso.events import Answer, Committed, Counted, Ended, Event, Failed, Got, Pending
from mqconform.reference.mqso.letters import report_key
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.world import World

OPERATIONS: Final = frozenset(
    {
        "configure", "start", "stop", "crash", "state", "create_queue", "set_queue", "delete_queue", "purge",
        "queue_properties", "open", "close", "send", "receive", "peek", "cancel", "outcomes", "create_cursor",
        "close_cursor", "begin", "commit", "abort", "advance_clock", "fail_store", "fail_coordinator", "throttle",
    }
)  # fmt: skip
"""Operations of the role, each a method of the same name."""
FAILED: Final[Json] = {"failed": {}}
SYSTEM: Final = {f"*{name}": name for name in ("dead_letter", "transactional_dead_letter", "journal")}
Result = tuple[World, Answer]
Chooser = Callable[[list[Result]], Result]


class UnknownMachine(Exception):
    """An operation names a machine that was not configured."""


def most_usual(results: list[Result]) -> Result:
    """Return the result that follows the first reading at each place, as the register lists them."""
    return min(results, key=_unusualness)


def _unusualness(result: Result) -> tuple[object, ...]:
    world, answer = result
    turns = sorted((type(one).__name__, [*type(one)].index(one)) for one in world.followed)
    return world.standing, sum(place for _, place in turns), turns, repr(answer)


class ReferenceQueueManager:
    """Role ``queue_manager`` for one machine: at each event one of the worlds that the model allows."""

    def __init__(self, model: QueueManager | None = None, choose: Chooser = most_usual) -> None:
        self.model = model or QueueManager()
        self.choose = choose
        self.reset()

    def reset(self) -> None:
        """Become as freshly started."""
        self.machine = ""
        self.world = World()
        self._named = 0
        self._keys: dict[str, Key] = {}
        self._transactions: dict[int, TransactionId] = {}

    def configure(self, machines: list[Json], coordinator: bool = True, **_: object) -> Json:  # noqa: FBT001, FBT002
        """Start afresh, running.

        Raises:
            UnknownMachine: there is more than one machine.
        """
        self.reset()
        if len(machines) != 1:
            raise UnknownMachine("configure: this is one machine; name one")
        self.machine = machines[0]["name"]
        self._step(events.CoordinatorBecomes(lost=not coordinator))
        return {}

    def start(self, machine: str) -> Json:
        """Start the queue manager."""
        self._check(machine)
        self._step(events.Start())
        return {"started": self.world.running}

    def stop(self, machine: str) -> Json:
        """End the queue manager in order."""
        self._check(machine)
        return _done(self._step(events.Stop()))

    def crash(self, machine: str) -> Json:
        """End the queue manager suddenly."""
        self._check(machine)
        return _done(self._step(events.Stop(suddenly=True)))

    def state(self, machine: str) -> Json:
        """Show what can be shown."""
        self._check(machine)
        return {"state": "running" if self.world.running else "stopped", "throttled": self.world.throttled}

    def create_queue(self, machine: str, queue: str, properties: Json, on: str = "", **_: object) -> Json:
        """Create a queue."""
        self._check(on or machine)
        answer = self._step(events.CreateQueue(QueueName(queue), _properties(properties)))
        return FAILED if isinstance(answer, Failed) else {"queue": queue}

    def set_queue(self, machine: str, queue: str, properties: Json, on: str = "", **_: object) -> Json:
        """Change the room of a queue."""
        self._check(on or machine)
        return _done(self._step(events.SetQueue(QueueName(queue), properties.get("room"))))

    def delete_queue(self, machine: str, queue: str, on: str = "", **_: object) -> Json:
        """Delete a queue."""
        self._check(on or machine)
        return _done(self._step(events.DeleteQueue(QueueName(queue))))

    def purge(self, machine: str, queue: str, on: str = "", **_: object) -> Json:
        """Remove all messages of a queue."""
        self._check(on or machine)
        return _done(self._step(events.Purge(QueueName(queue))))

    def queue_properties(self, machine: str, queue: str, on: str = "", **_: object) -> Json:
        """Show what a queue is like, and how many messages it has."""
        self._check(on or machine)
        answer = self._step(events.Count(QueueName(queue)))
        if not isinstance(answer, Counted):
            return FAILED
        said = self.world.queues[QueueName(queue)].properties
        shown: Json = {"transactional": said.transactional}
        if said.room is not None:
            shown |= {"room": said.room, "room_unit": "kilobytes" if said.in_kilobytes else "messages"}
        return {"properties": shown, "messages": answer.messages}

    def open(self, machine: str, address: Json, access: str, **_: object) -> Json:
        """Open a queue."""
        self._check(machine)
        handle = Handle(self._next())
        answer = self._step(events.Open(handle, self._queue(address), Access(access)))
        return FAILED if isinstance(answer, Failed) else {"handle": handle}

    def close(self, handle: int) -> Json:
        """Close a queue."""
        return _done(self._step(events.Close(Handle(handle))))

    def send(  # noqa: PLR0913 - the fields of the protocol
        self,
        handle: int,
        message: str,
        assurance: str,
        *,
        transaction: int | None = None,
        time_to_reach_queue: float | None = None,
        time_to_be_received: float | None = None,
        dead_letter: bool = False,
        journal: bool = False,
        acknowledgments: list[str] | None = None,
        administration_queue: Json | None = None,
        **_: object,
    ) -> Json:
        """Send a message."""
        sent = Message(
            Key(message),
            Assurance(assurance),
            _nanoseconds(time_to_reach_queue),
            _nanoseconds(time_to_be_received),
            dead_letter=dead_letter,
            journal=journal,
            asked=frozenset(Asked(one) for one in acknowledgments or ()),
            administration=None if administration_queue is None else self._queue(administration_queue),
        )
        answer = self._step(events.Send(Handle(handle), sent, _transaction(transaction)))
        if isinstance(answer, Failed):
            return FAILED
        identity = f"message-{self._next()}"
        self._keys[identity] = sent.key
        return {"id": identity}

    def receive(self, handle: int, **asked: object) -> Json:
        """Receive a message, or wait for one."""
        return self._receive(handle, takes=True, asked=asked)

    def peek(self, handle: int, **asked: object) -> Json:
        """Look at a message, or wait for one."""
        return self._receive(handle, takes=False, asked=asked)

    def cancel(self, operation: int) -> Json:
        """Wait no longer."""
        return _done(self._step(events.Cancel(Operation(operation))))

    def outcomes(self) -> Json:
        """Tell what became of operations that waited."""
        answer = self._step(events.Outcomes())
        assert isinstance(answer, Ended)
        told = sorted(answer.outcomes, key=lambda one: one[0])
        return {"outcomes": [{"operation": operation, **self._shown(outcome)} for operation, outcome in told]}

    def create_cursor(self, handle: int) -> Json:
        """Make a cursor."""
        cursor = CursorId(self._next())
        answer = self._step(events.CreateCursor(cursor, Handle(handle)))
        return FAILED if isinstance(answer, Failed) else {"cursor": cursor}

    def close_cursor(self, cursor: int) -> Json:
        """Give a cursor up."""
        return _done(self._step(events.CloseCursor(CursorId(cursor))))

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
        return _done(self._step(events.End(TransactionId(transaction), commit=False)))

    def advance_clock(self, seconds: float) -> Json:
        """Let virtual time pass."""
        return _done(self._step(events.TimePassed(round(seconds * SECOND))))

    def fail_store(self, machine: str, how: str | None) -> Json:
        """Let the store be full, or have room again."""
        self._check(machine)
        return _done(self._step(events.StoreBecomes(full=how is not None)))

    def fail_coordinator(self, failing: bool, machine: str = "") -> Json:  # noqa: FBT001 - a field of the protocol
        """Let the external coordinator go away, or come back."""
        self._check(machine or self.machine)
        return _done(self._step(events.CoordinatorBecomes(lost=failing)))

    def throttle(self, machine: str, on: bool) -> Json:  # noqa: FBT001 - a field of the protocol
        """Let memory or storage be scarce, or sufficient again."""
        self._check(machine)
        return _done(self._step(events.Throttle(on=on)))

    def _receive(self, handle: int, *, takes: bool, asked: Json) -> Json:
        operation = Operation(self._next())
        event = events.Receive(operation, Handle(handle), takes, _nanoseconds(asked.get("wait")) or 0)
        event = replace(event, transaction=_transaction(asked.get("transaction")))
        if asked.get("cursor") is not None:
            event = replace(event, cursor=CursorId(asked["cursor"]), move=events.Move(asked.get("move", "current")))
        if asked.get("id") is not None:
            event = replace(event, key=self._keys.get(asked["id"], Key(f"unknown {asked['id']}")))
        answer = self._step(event)
        return {"pending": operation} if isinstance(answer, Pending) else self._shown(answer)

    def _shown(self, answer: Answer) -> Json:
        if not isinstance(answer, Got):
            return FAILED
        identities = {key: identity for identity, key in self._keys.items()}
        reports = {
            report_key(Report(key, positive)): {"of": identity, "positive": positive}
            for key, identity in identities.items()
            for positive in (True, False)
        }
        if answer.key in reports:
            return {
                "message": {
                    "message": answer.key,
                    "id": f"report-{self._next()}",
                    "acknowledgment": reports[answer.key],
                }
            }
        return {"message": {"message": answer.key, "id": identities[answer.key]}}

    def _step(self, event: Event) -> Answer:
        self.world, answer = self.choose([*self.model.step(self.world, event)])
        return answer

    def _next(self) -> int:
        self._named += 1
        return self._named

    def _check(self, machine: str) -> None:
        if machine != self.machine:
            raise UnknownMachine(f"{machine}: is not configured; call queue_manager.configure with it")

    def _queue(self, address: Json) -> QueueName:
        if "system" in address:
            name = QueueName(f"*{address['system']}")
            return name if name in SYSTEM_QUEUES else QueueName("*none")
        return QueueName(address["direct"]["queue"]) if "direct" in address else QueueName("*none")


def _done(answer: Answer) -> Json:
    return FAILED if isinstance(answer, Failed) else {}


def _nanoseconds(seconds: object) -> int | None:
    return round(float(seconds) * SECOND) if isinstance(seconds, int | float) else None


def _transaction(named: object) -> TransactionId | None:
    return TransactionId(named) if isinstance(named, int) else None


def _properties(said: Json) -> Properties:
    return Properties(
        transactional=said.get("transactional", False),
        room=said.get("room"),
        in_kilobytes=said.get("room_unit") == "kilobytes",
    )
