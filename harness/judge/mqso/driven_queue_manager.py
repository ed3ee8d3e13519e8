"""A queue manager that is driven: every operation goes to the implementation and, with its answer, into a history.

What an implementation calls handles, messages, operations, cursors and transactions is translated to the names of the
history, so that the model of MS-MQSO can explain it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from typing import Final, Self, TypeVar

from msgspec.structs import replace as altered

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.operations.queue_managers import Translate, answer_of, call_of, shape_of
from mqconform.harness.judge.mqso.clock import Clock
from mqconform.harness.judge.mqso.history_text import Names
from mqconform.harness.judge.mqso.messages import MACHINE, Messages, address_of, sender_of
from mqconform.reference.choice import Choice
from mqconform.reference.mqso import events
from mqconform.reference.mqso.elements import (
    SECOND,
    TRANSACTIONAL_DEAD_LETTERS,
    Access,
    CursorId,
    Handle,
    Key,
    Kind,
    Message,
    Operation,
    Properties,
    QueueName,
    TransactionId,
    User,
)
from mqconform.reference.mqso.events import Answer, Committed, Done, Ended, Event, Failed, Got, Pending
from mqconform.reference.mqso.explanation import NOTHING_SEEN, Explanation, Seen, explain

A = TypeVar("A", bound=Answer)
Call = Callable[[str, Json], Json]
"""Performs an operation of queue managers, given its name and its parameters, and returns the result."""
_UNKNOWN: Final = Operation(-1)
"""An operation that was never begun, or has ended before."""


@dataclass(slots=True)
class DrivenQueueManager:
    """A queue manager, driven by the steps of a scenario or of a schedule.

    Attributes:
        call: performs an operation of queue managers, given its name and its parameters.
        clock: how much time has passed for it.
        history: all that happened and what was answered.
        explanation: whether the text and the register explain it.
        assumes: the explanation assumes readings of which nothing was seen yet; given up where it finds nothing.
        operations: those that wait or have waited, by the name of their reader.
        ended: what became of them, as far as it was asked for.
        _blocked: what it calls sends that wait for the end of throttling: what became of them shows in their queues.
        _named: what the implementation calls a thing of the history, by the kind and number of the thing.
    """

    call: Call
    clock: Clock
    history: list[Seen] = field(default_factory=list)
    explanation: Explanation = NOTHING_SEEN
    assumes: bool = False
    operations: dict[str, Operation] = field(default_factory=dict)
    ended: dict[Operation, Got | Failed] = field(default_factory=dict)
    _named: dict[tuple[str, int], object] = field(default_factory=dict)
    _messages: Messages = field(default_factory=Messages)
    _handles: dict[tuple[QueueName, Access, User | None], Handle] = field(default_factory=dict)
    _earlier: dict[tuple[QueueName, Access, User | None], Handle] = field(default_factory=dict)
    _transactions: dict[str, TransactionId] = field(default_factory=dict)
    _cursors: dict[str, CursorId] = field(default_factory=dict)
    _readers: dict[Operation, str] = field(default_factory=dict)
    _waits: dict[object, tuple[Operation, QueueName]] = field(default_factory=dict)
    _blocked: set[object] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=count)
    machine: str = MACHINE

    def names(self) -> Names:
        """Return what the scenario calls the things of the history."""
        return Names.of(self.history, self._readers, self._transactions, self._cursors)

    @property
    def doubt(self) -> str:
        """Why a contradiction convicts no implementation: its cause is unknown; empty where it is known."""
        if self.clock.late and any(_depends_on_time(exchange.event) for exchange in self.history):
            return "a call took so long that its time is unknown"
        return self._messages.doubt

    @property
    def exact(self) -> bool:
        """Whether time is what the harness says, so that nothing may be sooner or later."""
        return not self.clock.real

    def moment(self) -> int:
        """Return how much has happened, which tells look-ups, handles and cursors apart."""
        return len(self.history)

    def number_of(self, transaction: str) -> TransactionId | None:
        """Return the number of a transaction in the history, None where none was begun under that name."""
        return self._transactions.get(transaction)

    def begin(self, *, coordinator: bool = True) -> None:
        """Configure the machine, as freshly installed and running."""
        self._call("configure", {"machines": [{"name": self.machine, "mode": "workgroup"}], "coordinator": coordinator})

    def begin_without_coordinator(self) -> None:
        """Configure the machine anew, as one that never had an external coordinator, and create its queues again."""
        queues = self.creations()
        self.history.clear()
        self.explanation = NOTHING_SEEN
        self._handles.clear()
        self.begin(coordinator=False)
        self._append(events.NoCoordinator(), Done())
        for queue in queues:
            self.create(queue.queue, queue.properties)

    def create(self, name: str, properties: Properties, *, public: bool = False) -> None:
        """Create a queue."""
        self.perform(events.CreateQueue(QueueName(name), properties, public))

    def messages_sent(self) -> int:
        """Return how many messages were sent, each once."""
        return sum(isinstance(exchange.event, events.Send) for exchange in self.history)

    def is_transactional(self, queue: QueueName) -> bool:
        """Return whether a queue was created for transactions, or has the dead letters of such."""
        if queue == TRANSACTIONAL_DEAD_LETTERS:
            return True
        return any(creation.properties.transactional for creation in self.creations() if creation.queue == queue)

    def creations(self) -> list[events.CreateQueue]:
        """Return the creations of its queues, in order, whether they succeeded or not."""
        return [exchange.event for exchange in self.history if isinstance(exchange.event, events.CreateQueue)]

    def delete(self, name: str) -> None:
        """Delete a queue; what it was opened by is of no use any more."""
        self.perform(events.DeleteQueue(QueueName(name)))
        self._handles = {key: handle for key, handle in self._handles.items() if key[0] != name}

    def write(self, key: Key, body: str) -> None:
        """Give a message a body other than its name, before it is sent."""
        self._messages.bodies[key] = body

    def send(
        self, message: Message, name: str, transaction: str | None = None, access: Access = Access.SEND
    ) -> Failed | Done | Pending | None:
        """Send a message, within a transaction where one is named; return what was answered, as ``receive`` does."""
        handle = None if self._never_begun(transaction) else self.opened(QueueName(name), access, sender_of(message))
        if handle is None:
            return None
        if message.correlation is not None and self._messages.identifier_of(message.correlation) is None:
            message = altered(message, correlation=None)  # what was never taken on cannot be answered
        params = {"handle": self._named["handle", handle], **self._messages.asked_of(message)}
        within = None if transaction is None else self._transactions[transaction]
        if within is not None:
            params["transaction"] = self._named["transaction", within]
        answer = self._call("send", params)
        self._messages.note(message, answer.get("id"))
        if "pending" in answer:
            self._blocked.add(answer["pending"])
            return self._append(events.Send(handle, message, within), Pending())
        return self._append(events.Send(handle, message, within), Failed() if "failed" in answer else Done())

    def receive(  # noqa: PLR0913 - what a receive may ask for
        self,
        name: str,
        *,
        takes: bool = True,
        wait: float = 0,
        transaction: str | None = None,
        cursor: str | None = None,
        move: str = "current",
        message: str = "",
        label: str = "",
        access: Access = Access.RECEIVE,
        user: User | None = None,
    ) -> Got | Failed | Pending | None:
        """Receive or peek, and return what was answered; None where there is nothing to ask it with.

        With ``message`` that one is asked for, by the identifier that its send gave.
        """
        identifier = self._messages.identifier_of(Key(message))
        if self._never_begun(transaction) or self._never_made(cursor) or (message and identifier is None):
            return None
        handle = self.opened(QueueName(name), access, user)
        if handle is None:
            return None
        operation = Operation(next(self._numbers))
        within = None if transaction is None else self._transactions[transaction]
        if label:
            self._readers[operation] = label
        place = None if cursor is None else self._cursors[cursor]
        key = Key(message) if message else None
        event = events.Receive(operation, handle, takes, round(wait * SECOND), within, place, events.Move(move), key)
        method, params = call_of(event, self._translate, self.machine)
        answer = self._call(method, params if place is None else params | {"move": move})
        if "pending" in answer:
            self._named["operation", operation] = answer["pending"]
            self._waits[answer["pending"]] = operation, QueueName(name)
            if label:
                self.operations[label] = operation
            return self._append(event, Pending())
        return self._append(event, self._messages.handed_out(answer, QueueName(name)))

    def receive_all(self, name: QueueName, transaction: str | None, user: User | None = None) -> None:
        """Receive until there is nothing more, or something that no history explains."""
        answer: object = None
        for _ in range(3 * self.messages_sent() + 1):  # each may have told of its arrival and its end
            answer = self.receive(name, transaction=transaction, user=user)
            if not isinstance(answer, Got) or self.explanation.contradiction is not None:
                break
        if isinstance(answer, Pending):
            self.outcomes()  # it has no time to wait; as long as its end is not seen, each world is two

    def cancel(self, label: str) -> None:
        """End a wait."""
        operation = self.operations.get(label)
        if operation is None:
            return
        self.perform(events.Cancel(operation))

    def outcomes(self) -> Mapping[Operation, Got | Failed]:
        """Ask for the outcomes of pending receives."""
        ends: list[tuple[Operation, Got | Failed]] = []
        ended = self._call("outcomes", {})["outcomes"]
        for entry in (entry for entry in ended if entry["operation"] not in self._blocked):
            operation, queue = self._waits.get(entry["operation"], (_UNKNOWN, None))
            ends.append((operation, self._messages.handed_out(entry, queue)))
        if len({operation for operation, _ in ends}) < len(ends):
            ends.append((_UNKNOWN, Failed()))  # an operation ends once
        self.ended |= dict(ends)
        self._append(events.Outcomes(), Ended(frozenset(ends)))
        return dict(ends)

    def create_cursor(self, label: str, name: str, user: User | None = None) -> None:
        """Make a cursor."""
        handle = self.opened(QueueName(name), Access.RECEIVE, user)
        if handle is None:
            return
        cursor = self._cursors[label] = CursorId(self.moment())
        self.perform(events.CreateCursor(cursor, handle))

    def close_cursor(self, label: str) -> None:
        """Close a cursor that was made."""
        if not self._never_made(label):
            self.perform(events.CloseCursor(self._cursors[label]))

    def begin_transaction(self, label: str, kind: Kind = Kind.INTERNAL) -> None:
        """Begin a transaction."""
        transaction = self._transactions[label] = TransactionId(max(self._transactions.values(), default=0) + 1)
        self.perform(events.Begin(transaction, kind))

    def _never_begun(self, transaction: str | None) -> bool:
        return transaction is not None and ("transaction", self._transactions[transaction]) not in self._named

    def _never_made(self, cursor: str | None) -> bool:
        return cursor is not None and ("cursor", self._cursors.get(cursor)) not in self._named

    def end(self, label: str, *, commit: bool) -> bool:
        """Commit or abort a transaction, if it could be begun; return whether it has committed."""
        if self._never_begun(label):
            return False
        answer = self.perform(events.End(self._transactions[label], commit))
        return isinstance(answer, Committed) and answer.committed

    def advance(self, seconds: float) -> None:
        """Let time pass; an implementation that lives by the real clock catches up when it is over."""
        self.clock.wait(seconds)
        self._call("advance_clock", {"seconds": seconds})
        if not self.clock.real:
            self._append(events.TimePassed(round(seconds * SECOND)), Done())

    def stop(self, *, suddenly: bool) -> None:
        """End the queue manager."""
        self.perform(events.Stop(suddenly))

    def start(self) -> bool:
        """Start the queue manager, and return whether it did; queues are opened anew when they are needed."""
        answer = self.perform(events.Start())
        self._earlier = dict(self._handles)
        self._handles.clear()
        return isinstance(answer, Done)

    def close(self, queue: QueueName, access: Access) -> None:
        """Close a queue, as an application does that ends."""
        handle = self._handles.pop((queue, access, None), None)
        if handle is not None:
            self.perform(events.Close(handle))

    def use_earlier_handles(self) -> None:
        """Go on with the handles from before the last start."""
        self._handles |= self._earlier

    def address(self, queue: QueueName) -> Json | None:
        """Return the address of a queue, None where it has none."""
        return address_of(queue, self.machine)

    def opened(self, queue: QueueName, access: Access, user: User | None = None) -> Handle | None:
        """Return a handle of a queue, opened when it is needed first; None where it cannot be opened."""
        if (queue, access, user) in self._handles:
            return self._handles[queue, access, user]
        if self.address(queue) is None:
            return None
        handle = Handle(self.moment() + 1)
        self.perform(events.Open(handle, queue, access, user))
        if ("handle", handle) not in self._named:
            return None
        self._handles[queue, access, user] = handle
        return handle

    def perform(self, event: Event) -> Answer:
        """Make the call that an event is, take it into the history with its answer, and return that."""
        name, params = call_of(event, self._translate, self.machine)
        result = self._call(name, params)
        made = shape_of(name).new
        if made in result:
            self._named[made, getattr(event, made)] = result[made]
        return self._append(event, self.answer_to(event, result))

    def answer_to(self, event: Event, result: Json) -> Answer:
        """Return what a result says."""
        return answer_of(event, result)

    @property
    def _translate(self) -> Translate:
        names = {kind: partial(self._name, kind) for kind in ("handle", "transaction", "cursor", "operation")}
        return {**names, "address": self.address, "id": self._messages.identifier_of}

    def _name(self, kind: str, number: int) -> object:
        return self._named[kind, number]

    def _append(self, event: Event, answer: A) -> A:
        passed = self.clock.passed()
        if passed:
            self._take(Seen(events.TimePassed(passed), Done()))
        self._take(Seen(event, answer))
        return answer

    def _take(self, exchange: Seen) -> None:
        self.history.append(exchange)
        self.explanation = self.explanation.after(exchange)
        if self.assumes and not self.explanation.is_permitted:
            self.assumes, self.explanation = False, explain(self.history)

    def assume(self, followed: frozenset[Choice]) -> None:
        """Explain what comes by readings of which nothing was seen yet, as far as they do: fewer worlds are sooner.

        Whatever they explain is explained without them as well.
        """
        self.assumes, self.explanation = bool(followed), self.explanation.assuming(followed)

    def seen_by(self, call: Call) -> Self:
        """Return the same with a history of its own, whose calls go to ``call`` instead of the implementation."""
        # The calls that it sees are made later, or were made before.
        return replace(self, history=[], explanation=NOTHING_SEEN, clock=Clock(real=False), call=call)

    def add(self, event: Event, answer: Answer) -> None:
        """Take an event and its answer into the history."""
        if isinstance(event, events.JoinDomain):
            self._messages.registered = event.registered
        self._append(event, answer)

    def ask(self, operation: str, params: Json) -> Json:
        """Call the implementation."""
        return self._call(operation, params)

    def _call(self, operation: str, params: Json) -> Json:
        with self.clock.watching():
            return self.call(operation, params)


def _depends_on_time(event: Event) -> bool:
    """Return whether what comes of an event depends on when it happens: a wait, a timer, a start that is retried."""
    match event:
        case events.Receive(wait=wait):
            return wait > 0
        case events.Send(message=message):
            return message.receive_within is not None
        case events.Together(lanes=lanes):
            return any(_depends_on_time(call) for lane in lanes for call in lane)
        case _:
            return isinstance(event, events.StoreBreaks)
