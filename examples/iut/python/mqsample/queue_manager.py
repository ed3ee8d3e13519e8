"""A queue manager in memory: queues, readers that wait, cursors, transactions, timers, and what outlives a restart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

JsonObject = dict[str, object]
Key = str | int
SYSTEM_QUEUES = ("system:dead_letter", "system:transactional_dead_letter", "system:journal")


RETRY = 300_000_000
"""Microseconds between two attempts to start."""


class Failure(Exception):
    """An operation cannot be done."""


@dataclass(eq=False)
class Message:
    """A message with what its sender asked for."""

    key: Key
    identity: Key
    recoverable: bool = False
    lasts: int | None = None
    """Microseconds for which it may be received."""
    dead_letter: bool = False
    journal: bool = False
    acknowledgments: tuple[str, ...] = ()
    administration: str | None = None
    correlation: Key | None = None
    response_queue: JsonObject | None = None
    about: JsonObject | None = None
    """Of an acknowledgment: the message that it is about, and whether it is good news."""
    transactional: bool = False
    expires: int | None = None
    sent_in: Key | None = None
    """The transaction that sent it and has not committed."""
    received_in: Key | None = None
    """The transaction that received it and has not ended."""

    @property
    def visible(self) -> bool:
        """Whether an application may receive it."""
        return self.sent_in is None and self.received_in is None


@dataclass
class Request:
    """What an application asks for: any message, that of a cursor, or the one of an identifier."""

    handle: Key
    takes: bool
    wait: int = 0
    transaction: Key | None = None
    cursor: Key | None = None
    moves: bool = False
    identity: Key | None = None


@dataclass
class Waiting:
    """An operation that waits for a message."""

    operation: int
    deadline: int
    takes: bool
    transaction: Key | None


@dataclass
class Cursor:
    """A place in a queue, and the messages that it has passed."""

    at: Message | None = None
    passed: list[Message] = field(default_factory=list)


def kilobytes(message: Message) -> int:
    """What a message takes of the room of a queue."""
    return len(str(message.key).encode()) // 1024 + 1


@dataclass
class Queue:
    """A queue in the order in which its messages came; `room` is how many it takes, or kilobytes of them."""

    transactional: bool = False
    room: int | None = None
    in_kilobytes: bool = False
    messages: list[Message] = field(default_factory=list)
    readers: list[Waiting] = field(default_factory=list)

    @property
    def visible(self) -> list[Message]:
        """The messages that an application may receive."""
        return [message for message in self.messages if message.visible]

    def takes(self, message: Message) -> bool:
        """Whether there is room for a message."""
        counted = [*self.messages, message]
        return self.room is None or self.room >= (sum(map(kilobytes, counted)) if self.in_kilobytes else len(counted))


class QueueManager:
    """One machine. Time is what `advance` says, in microseconds."""

    def __init__(self) -> None:
        self.now = 0
        self.running = True
        self.throttled = self.full = self.damaged = self.coordinator_lost = False
        self.retries: int | None = None
        self.queues = {name: Queue() for name in SYSTEM_QUEUES}
        self.handles: dict[Key, tuple[str, str]] = {}
        self.cursors: dict[Key, Cursor] = {}
        self.transactions: dict[Key, str] = {}
        self.ended: list[JsonObject] = []
        self.counter = 0

    def next(self) -> int:
        """A number that was not used before."""
        self.counter += 1
        return self.counter

    # Queues

    def create_queue(self, name: str, *, transactional: bool, room: int | None, in_kilobytes: bool) -> None:
        """Make a queue."""
        self._check_running()
        if name in self.queues:
            raise Failure("there is a queue of this name")
        self.queues[name] = Queue(transactional, room, in_kilobytes)

    def queue(self, name: str) -> Queue:
        """The queue of a name."""
        self._check_running()
        if name not in self.queues:
            raise Failure("there is no such queue")
        return self.queues[name]

    def own_queue(self, name: str) -> Queue:
        """The queue of a name that an application may change."""
        if name in SYSTEM_QUEUES:
            raise Failure("it is a queue of the queue manager's own")
        return self.queue(name)

    def delete_queue(self, name: str) -> None:
        """Remove a queue, and tell those who wait there."""
        readers = self.own_queue(name).readers
        del self.queues[name]
        self._fail(readers)

    def purge(self, name: str) -> None:
        """Remove all messages that can be seen; those who wait go on waiting."""
        queue = self.queue(name)
        queue.messages = [message for message in queue.messages if not message.visible]

    def count(self, name: str) -> int:
        """How many messages there are to receive."""
        queue = self.queue(name)
        self._expire()
        return len(queue.visible)

    def open(self, name: str, access: str) -> int:
        """A handle of a queue."""
        self.queue(name)
        if access == "send":
            self.own_queue(name)
        handle = self.next()
        self.handles[handle] = (name, access)
        return handle

    def close(self, handle: Key) -> None:
        """Give a handle up."""
        self.handles.pop(handle, None)

    def create_cursor(self, handle: Key) -> int:
        """A cursor at the beginning of an open queue."""
        self._opened(handle, "receive", "peek")
        cursor = self.next()
        self.cursors[cursor] = Cursor()
        return cursor

    def close_cursor(self, cursor: Key) -> None:
        """Give a cursor up."""
        self.cursors.pop(cursor, None)

    def _opened(self, handle: Key, *accesses: str) -> str:
        """The name of an open queue."""
        name, access = self.handles.get(handle, ("", ""))
        if access not in accesses:
            raise Failure("the handle is not open for that")
        self.queue(name)
        return name

    def _check_running(self) -> None:
        if not self.running:
            raise Failure("the queue manager is stopped")

    # Messages

    def send(self, handle: Key, message: Message, transaction: Key | None) -> None:
        """Take a message on."""
        name = self._opened(handle, "send")
        queue = self.queue(name)
        self._expire()
        if self.throttled or (self.full and (message.recoverable or transaction is not None)):
            raise Failure("no memory, or no room to store it")
        if queue.transactional != (transaction is not None):
            raise Failure("a transactional queue takes messages within transactions, and no other queue does")
        self._check_transaction(transaction)
        if not queue.takes(message):
            raise Failure("the queue is full")
        message.transactional, message.sent_in = queue.transactional, transaction
        message.expires = None if message.lasts is None else self.now + message.lasts
        queue.messages.append(message)
        if transaction is None:
            self._arrived(message)
            self._serve(name)

    def _arrived(self, message: Message) -> None:
        """A message shows in its queue."""
        if message.journal:
            self._put("system:journal", message)
        self._tell(message, "reach")

    def _put(self, name: str, message: Message) -> None:
        """A copy for a queue of the queue manager's own."""
        copy = replace(message, expires=None, dead_letter=False, journal=False, acknowledgments=())
        self.queues[name].messages.append(copy)
        self._serve(name)

    def _tell(self, message: Message, what: str) -> None:
        """Send the acknowledgment that was asked for."""
        name = message.administration
        if what not in message.acknowledgments or name is None or name not in self.queues:
            return
        about: JsonObject = {"of": message.identity, "positive": what != "negative"}
        report = Message("acknowledgment", f"acknowledgment-{self.next()}", about=about)
        self.queues[name].messages.append(report)
        self._serve(name)

    def receive(self, request: Request) -> JsonObject:
        """A message, or a wait for one."""
        name = self._opened(request.handle, *(("receive",) if request.takes else ("receive", "peek")))
        queue, transaction = self.queue(name), request.transaction
        self._expire()
        self._check_transaction(transaction)
        if queue.transactional and request.takes and transaction is None:
            raise Failure("messages of a transactional queue are received within transactions")
        if request.cursor is not None:
            message = self._at_cursor(queue, request.cursor, moves=request.moves)
        else:
            message = next((each for each in queue.visible if request.identity in {None, each.identity}), None)
        if message is not None:
            return self._hand_out(queue, message, transaction, takes=request.takes)
        if request.wait == 0 or request.cursor is not None or request.identity is not None:
            raise Failure("there is no message")
        operation = self.next()
        queue.readers.append(Waiting(operation, self.now + request.wait, request.takes, transaction))
        return {"pending": operation}

    def _at_cursor(self, queue: Queue, number: Key, *, moves: bool) -> Message | None:
        """The message at a cursor, or the next one after it."""
        if number not in self.cursors:
            raise Failure("there is no such cursor")
        cursor = self.cursors[number]
        if moves:
            candidates = (each for each in queue.visible if each not in cursor.passed)
        else:
            candidates = (each for each in queue.visible if cursor.at in {None, each})
        message = next(candidates, None)
        if message is not None:
            cursor.at = message
            cursor.passed += queue.messages[: queue.messages.index(message) + 1]
        return message

    def _hand_out(self, queue: Queue, message: Message, transaction: Key | None, *, takes: bool) -> JsonObject:
        """Give a message to a reader."""
        if takes and transaction is not None:
            message.received_in = transaction
        elif takes:
            queue.messages.remove(message)
            self._tell(message, "receive")
        shown: JsonObject = {"message": message.key, "id": message.identity, "correlation": message.correlation}
        shown |= {"response_queue": message.response_queue, "acknowledgment": message.about}
        return {"message": {name: value for name, value in shown.items() if value is not None}}

    def _serve(self, name: str) -> None:
        """Give messages to those who wait, the first first."""
        queue = self.queues[name]
        while queue.readers and queue.visible:
            reader = queue.readers.pop(0)
            answer = self._hand_out(queue, queue.visible[0], reader.transaction, takes=reader.takes)
            self.ended.append({"operation": reader.operation, **answer})

    def cancel(self, operation: Key) -> None:
        """End a wait."""
        self._end_waits(lambda reader: reader.operation == operation)

    def outcomes(self) -> list[JsonObject]:
        """How waits ended that were not told yet."""
        ended, self.ended = self.ended, []
        return ended

    def _end_waits(self, ends: Callable[[Waiting], bool]) -> None:
        for queue in self.queues.values():
            ending = [reader for reader in queue.readers if ends(reader)]
            queue.readers = [reader for reader in queue.readers if reader not in ending]
            self._fail(ending)

    def _fail(self, readers: list[Waiting]) -> None:
        self.ended += [{"operation": reader.operation, "failed": {}} for reader in readers]

    # Transactions

    def begin(self, kind: str) -> int:
        """A new transaction."""
        self._check_running()
        if kind == "external" and self.coordinator_lost:
            raise Failure("there is no coordinator")
        transaction = self.next()
        self.transactions[transaction] = kind
        return transaction

    def _check_transaction(self, transaction: Key | None) -> None:
        if transaction is not None and transaction not in self.transactions:
            raise Failure("there is no such transaction")

    def end(self, transaction: Key, *, commit: bool) -> None:
        """Let all of a transaction happen, or nothing of it."""
        self._check_transaction(transaction)
        del self.transactions[transaction]
        self._end_waits(lambda reader: reader.transaction == transaction)
        sent: list[Message] = []
        received: list[Message] = []
        for queue in self.queues.values():
            mine = [message for message in queue.messages if message.sent_in == transaction]
            taken = [message for message in queue.messages if message.received_in == transaction]
            gone = mine + taken if commit else mine
            queue.messages = [message for message in queue.messages if message not in gone]
            queue.messages += mine if commit else []
            sent += mine
            received += taken
        for message in sent + received:
            message.sent_in = message.received_in = None
        if commit:
            for message in sent:
                self._arrived(message)
            for message in received:
                self._tell(message, "receive")
        self._expire()
        for name in self.queues:
            self._serve(name)

    def lose_coordinator(self, *, lost: bool) -> None:
        """Without a coordinator external transactions are undone."""
        self.coordinator_lost = lost
        for transaction in [each for each, kind in self.transactions.items() if lost and kind == "external"]:
            self.end(transaction, commit=False)

    # Time and restarts

    def advance(self, microseconds: int) -> None:
        """Let time pass."""
        self.now += microseconds
        if self.retries is not None and self.retries <= self.now:
            self.start()
        if self.running:
            self._expire()
        self._end_waits(lambda reader: reader.deadline <= self.now)

    def _expire(self) -> None:
        """Remove messages whose time is up."""
        for queue in self.queues.values():
            late = [message for message in queue.visible if message.expires is not None and message.expires <= self.now]
            queue.messages = [message for message in queue.messages if message not in late]
            for message in late:
                self._tell(message, "negative")
                if message.dead_letter:
                    self._put(f"system:{'transactional_' * message.transactional}dead_letter", message)

    def stop(self) -> None:
        """Forget what is not stored."""
        self.running, self.retries = False, None
        self.handles, self.cursors, self.transactions = {}, {}, {}
        self._end_waits(lambda _: True)
        for queue in self.queues.values():
            stored = (message for message in queue.messages if message.sent_in is None)
            queue.messages = [message for message in stored if message.recoverable or message.transactional]
            for message in queue.messages:
                message.received_in = None

    def start(self) -> None:
        """Run again, or try it later where the store cannot be read."""
        self.running = not self.damaged
        self.retries = self.now + RETRY if self.damaged else None

    def break_store(self) -> None:
        """Nothing can go on with a store that cannot be repaired."""
        self.stop()
        self.damaged = True

    def mend_store(self) -> None:
        """The store is as it should be, and has room."""
        self.full = self.damaged = False
