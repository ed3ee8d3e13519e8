"""The role `queue_manager` over a broker: handles, waits and transactions by number, and what is not offered."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count

from mqsample.protocol.jsonrpc import METHOD_NOT_FOUND, Method, MethodError
from mqsample.protocol.parameters import InvalidParameters, Parameters

from brokers.broker import (
    DEAD_LETTERS,
    TRANSACTIONAL_DEAD_LETTERS,
    Broker,
    Failure,
    JsonObject,
    Key,
    Message,
    NotOffered,
    Queue,
    Transaction,
    Wait,
)

SYSTEM = {"dead_letter": DEAD_LETTERS, "transactional_dead_letter": TRANSACTIONAL_DEAD_LETTERS}


class QueueManagerOperations:
    """One broker that takes orders. Handles are the wrapper's, as brokers have none."""

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.machine = ""
        self.handles: dict[Key, tuple[Queue, str]] = {}
        self.waits: dict[int, tuple[Wait, float, int | None]] = {}
        self.transactions: dict[int, Transaction] = {}
        self.ended: list[JsonObject] = []
        self.numbers = count(1)
        operations = (
            self.configure, self.start, self.stop, self.crash, self.state, self.create_queue, self.delete_queue,
            self.purge, self.queue_properties, self.open, self.close, self.send, self.receive, self.peek, self.cancel,
            self.outcomes, self.begin, self.commit, self.abort, self.advance_clock,
        )  # fmt: skip
        self.methods: dict[str, Method] = {
            f"queue_manager.{each.__name__}": self._answering(each) for each in operations
        }

    def configure(self, params: Parameters) -> JsonObject:
        """Have a broker that runs and has no queues."""
        machines = params.list_of("machines")
        if not machines:
            raise InvalidParameters("params.machines has to be a list of at least one machine")
        if len(machines) > 1:
            raise NotOffered("more than one machine")
        self.machine = machines[0].text("name")
        self._forget()
        self.ended.clear()
        with must_start():
            self.broker.install()
        return {}

    def start(self, params: Parameters) -> JsonObject:
        """Start the broker again, unless it runs."""
        self._check(params)
        if not self.broker.running():
            with must_start():
                self.broker.start()
        return {"started": True}

    def stop(self, params: Parameters) -> JsonObject:
        """Stop the broker; who waits is told."""
        self._check(params)
        self.broker.stop()
        self._forget()
        return {}

    def crash(self, params: Parameters) -> JsonObject:
        """Kill the broker; who waits is told."""
        self._check(params)
        self.broker.crash()
        self._forget()
        return {}

    def state(self, params: Parameters) -> JsonObject:
        """Tell whether the broker runs."""
        self._check(params)
        return {"state": "running" if self.broker.running() else "stopped"}

    def create_queue(self, params: Parameters) -> JsonObject:
        """Create a queue."""
        self._check(params)
        if params.boolean("public", default=False):
            raise NotOffered("public queues")
        said = params.nested("properties")
        room = None if said.is_null("room") or not said.has("room") else said.count("room")
        if room is not None and said.has("room_unit") and said.text("room_unit") != "messages":
            raise NotOffered("room in kilobytes")
        transactional = said.boolean("transactional", default=False)
        self.broker.create(Queue(params.text("queue"), transactional, room))
        return {"queue": params.text("queue")}

    def delete_queue(self, params: Parameters) -> JsonObject:
        """Delete a queue."""
        self._check(params)
        self.broker.delete(params.text("queue"))
        return {}

    def purge(self, params: Parameters) -> JsonObject:
        """Empty a queue."""
        self._check(params)
        self.broker.purge(params.text("queue"))
        return {}

    def queue_properties(self, params: Parameters) -> JsonObject:
        """Tell how many messages a queue has."""
        self._check(params)
        return {"properties": {}, "messages": self.broker.count(params.text("queue"))}

    def open(self, params: Parameters) -> JsonObject:
        """Keep the address of a queue that is there."""
        self._check(params)
        access = str(params.one_of("access", "send", "receive", "peek"))
        queue = self.broker.find(self._name(params.nested("address")))
        if access == "send" and queue.name in SYSTEM.values():
            raise Failure("the wrapper sends nothing to the queues for dead letters")
        handle = next(self.numbers)
        self.handles[handle] = (queue, access)
        return {"handle": handle}

    def close(self, params: Parameters) -> JsonObject:
        """Forget a handle."""
        self.handles.pop(params.key("handle"), None)
        return {}

    def send(self, params: Parameters) -> JsonObject:
        """Send a message."""
        for wish in ("journal", "acknowledgments", "time_to_reach_queue"):
            if params.has(wish):
                raise NotOffered(wish)
        message = Message(
            params.key("message"),
            f"message-{next(self.numbers)}",
            recoverable=params.one_of("assurance", "express", "recoverable") == "recoverable",
            lasts=params.microseconds("time_to_be_received") / 1e6 if params.has("time_to_be_received") else None,
            dead_letter=params.boolean("dead_letter", default=False),
            correlation=str(params.key("correlation")) if params.has("correlation") else None,
            response_queue=params.object("response_queue") if params.has("response_queue") else None,
        )
        self.broker.send(self._opened(params, "send"), message, self._transaction(params))
        return {"id": message.identity}

    def receive(self, params: Parameters) -> JsonObject:
        """Receive a message, or wait for one."""
        return self._receive(params, takes=True)

    def peek(self, params: Parameters) -> JsonObject:
        """Look at a message, or wait for one."""
        return self._receive(params, takes=False)

    def cancel(self, params: Parameters) -> JsonObject:
        """Wait no longer."""
        operation = params.integer("operation")
        if operation in self.waits:
            self._end_wait(operation)
        return {}

    def outcomes(self, _params: Parameters) -> JsonObject:
        """Tell how waits ended."""
        ended, self.ended = self.ended, []
        return {"outcomes": ended}

    def begin(self, params: Parameters) -> JsonObject:
        """Begin a transaction."""
        self._check(params)
        if params.text("kind") != "internal":
            raise NotOffered("external transactions")
        transaction = self.broker.begin()
        number = next(self.numbers)
        self.transactions[number] = transaction
        return {"transaction": number}

    def commit(self, params: Parameters) -> JsonObject:
        """Commit."""
        self._ending(params).commit()
        return {"committed": True}

    def abort(self, params: Parameters) -> JsonObject:
        """Roll back."""
        self._ending(params).abort()
        return {}

    def advance_clock(self, _params: Parameters) -> JsonObject:
        """Nothing: the clock is real, and the time has passed already."""
        return {}

    def _receive(self, params: Parameters, *, takes: bool) -> JsonObject:
        for wish in ("id", "cursor"):
            if params.has(wish):
                raise NotOffered(f"receiving by {wish}")
        queue = self._opened(params, *(("receive",) if takes else ("receive", "peek")))
        transaction = self._transaction(params)
        message = self.broker.get(queue, transaction, takes=takes)
        if message is not None:
            return {"message": shown(message)}
        seconds = params.microseconds("wait") / 1e6 if params.has("wait") else 0
        if not seconds:
            raise Failure("there is no message")
        operation = next(self.numbers)
        within = params.integer("transaction") if params.has("transaction") else None
        wait = self.broker.wait(queue, transaction, takes=takes)
        self.waits[operation] = (wait, time.monotonic() + seconds, within)
        return {"pending": operation}

    def _look_after_waits(self) -> None:
        """Take what has come, again as long as something has, and end the waits whose time is up."""
        again = True
        while again:
            again = False
            for operation, (wait, _, _) in list(self.waits.items()):
                try:
                    message = wait.poll()
                except Failure:
                    self._fail(operation)
                    continue
                if message is not None:
                    del self.waits[operation]
                    self.ended.append({"operation": operation, "message": shown(message)})
                    again = True
        for operation, (_, until, _) in list(self.waits.items()):
            if until <= time.monotonic():
                self._end_wait(operation)

    def _end_wait(self, operation: int) -> None:
        self.waits[operation][0].end()
        self._fail(operation)

    def _fail(self, operation: int) -> None:
        del self.waits[operation]
        self.ended.append({"operation": operation, "failed": {}})

    def _forget(self) -> None:
        """Nothing that an application holds outlives its connection."""
        for operation in list(self.waits):
            self._fail(operation)
        self.handles.clear()
        self.transactions.clear()

    def _ending(self, params: Parameters) -> Transaction:
        number = params.integer("transaction")
        if number not in self.transactions:
            raise Failure("there is no such transaction")
        for operation, (_, _, within) in list(self.waits.items()):
            if within == number:
                self._end_wait(operation)
        return self.transactions.pop(number)

    def _transaction(self, params: Parameters) -> Transaction | None:
        if not params.has("transaction"):
            return None
        if params.integer("transaction") not in self.transactions:
            raise Failure("there is no such transaction")
        return self.transactions[params.integer("transaction")]

    def _opened(self, params: Parameters, *accesses: str) -> Queue:
        queue, access = self.handles.get(params.key("handle"), (Queue(""), ""))
        if access not in accesses:
            raise Failure("the handle is not open for that")
        return queue

    def _check(self, params: Parameters) -> None:
        if params.text("machine") != self.machine:
            raise InvalidParameters("params.machine has to be the machine that was configured")

    def _name(self, address: Parameters) -> str:
        if address.has("system"):
            if address.text("system") not in SYSTEM or not self.broker.dead_letters:
                raise NotOffered(f"the system queue {address.text('system')}")
            return SYSTEM[address.text("system")]
        if not address.has("direct") or address.nested("direct").text("machine") != self.machine:
            raise Failure("no queue of this machine is there")
        return address.nested("direct").text("queue")

    def _answering(self, operation: Callable[[Parameters], JsonObject]) -> Method:
        """Return an operation before which waits are looked after, and of which a failure is an answer."""

        def call(params: Parameters) -> JsonObject:
            try:
                self._look_after_waits()
                answer = operation(params)
            except Failure as failure:
                answer = {"failed": {"says": str(failure)}}
            except NotOffered as missing:
                raise MethodError(METHOD_NOT_FOUND, f"not offered: {missing}") from missing
            return answer

        return call


@contextmanager
def must_start() -> Iterator[None]:
    """Make an error of a server that does not start: nothing is known of the broker then."""
    try:
        yield
    except Failure as failure:
        raise RuntimeError(f"the broker cannot be started: {failure}") from failure


def shown(message: Message) -> JsonObject:
    """Return a message as the protocol has it."""
    fields: JsonObject = {"message": message.key, "id": message.identity, "correlation": message.correlation}
    fields["response_queue"] = message.response_queue
    return {name: value for name, value in fields.items() if value is not None}
