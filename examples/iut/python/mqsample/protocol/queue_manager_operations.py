"""The role `queue_manager`, of one machine."""

from itertools import zip_longest

from mqsample.protocol.jsonrpc import METHOD_NOT_FOUND, Method, MethodError
from mqsample.protocol.parameters import InvalidParameters, JsonObject, Key, Parameters
from mqsample.queue_manager import SYSTEM_QUEUES, Failure, Message, QueueManager, Request


class QueueManagerOperations:
    """One queue manager that takes orders."""

    def __init__(self) -> None:
        self.machine = ""
        self.manager = QueueManager()
        operations = (
            self.configure, self.start, self.stop, self.crash, self.state, self.create_queue, self.set_queue,
            self.delete_queue, self.purge, self.queue_properties, self.open, self.close, self.send, self.receive,
            self.peek, self.cancel, self.outcomes, self.create_cursor, self.close_cursor, self.begin, self.commit,
            self.abort, self.advance_clock, self.fail_store, self.fail_coordinator, self.throttle, self.together,
        )  # fmt: skip
        self.methods: dict[str, Method] = {
            f"queue_manager.{each.__name__}": _with_failures(each) for each in operations
        }

    def configure(self, params: Parameters) -> JsonObject:
        """Another machine, running and with nothing in it."""
        machines = params.list_of("machines")
        if not machines:
            raise InvalidParameters("params.machines has to name a machine")
        if len(machines) > 1:
            raise MethodError(METHOD_NOT_FOUND, "there is one machine, and not several")
        self.machine = machines[0].text("name")
        self.manager = QueueManager()
        self.manager.lose_coordinator(lost=not params.boolean("coordinator", default=True))
        return {}

    def start(self, params: Parameters) -> JsonObject:
        """Run again."""
        self._check(params)
        self.manager.start()
        return {"started": self.manager.running}

    def stop(self, params: Parameters) -> JsonObject:
        """End in order."""
        self._check(params)
        self.manager.stop()
        return {}

    def crash(self, params: Parameters) -> JsonObject:
        """End suddenly: nothing is stored late, so that nothing is different."""
        return self.stop(params)

    def state(self, params: Parameters) -> JsonObject:
        """What the queue manager shows of itself."""
        self._check(params)
        state = "running" if self.manager.running else "stopped"
        return {"state": state, "mode": "workgroup", "throttled": self.manager.throttled}

    def create_queue(self, params: Parameters) -> JsonObject:
        """Make a queue."""
        said = params.nested("properties")
        name = self._queue(params)
        if params.boolean("public", default=False):
            raise Failure("there is no directory for public queues")
        transactional = said.boolean("transactional", default=False)
        in_kilobytes = said.has("room_unit") and said.text("room_unit") == "kilobytes"
        self.manager.create_queue(name, transactional=transactional, room=_room(said), in_kilobytes=in_kilobytes)
        return {"queue": name}

    def set_queue(self, params: Parameters) -> JsonObject:
        """Change how much a queue takes."""
        self.manager.own_queue(self._queue(params)).room = _room(params.nested("properties"))
        return {}

    def delete_queue(self, params: Parameters) -> JsonObject:
        """Remove a queue."""
        self.manager.delete_queue(self._queue(params))
        return {}

    def purge(self, params: Parameters) -> JsonObject:
        """Empty a queue."""
        self.manager.purge(self._queue(params))
        return {}

    def queue_properties(self, params: Parameters) -> JsonObject:
        """What a queue is like, and how many messages it has."""
        name = self._queue(params)
        messages, queue = self.manager.count(name), self.manager.queue(name)
        return {"properties": {"transactional": queue.transactional, "room": queue.room}, "messages": messages}

    def open(self, params: Parameters) -> JsonObject:
        """Open a queue."""
        self._check(params)
        access = str(params.one_of("access", "send", "receive", "peek"))
        return {"handle": self.manager.open(self._address(params.nested("address")), access)}

    def close(self, params: Parameters) -> JsonObject:
        """Close a queue."""
        self.manager.close(params.key("handle"))
        return {}

    def send(self, params: Parameters) -> JsonObject:
        """Send a message."""
        message = Message(
            params.key("message"),
            f"message-{self.manager.next()}",
            recoverable=params.one_of("assurance", "express", "recoverable") == "recoverable",
            lasts=params.microseconds("time_to_be_received") if params.has("time_to_be_received") else None,
            dead_letter=params.boolean("dead_letter", default=False),
            journal=params.boolean("journal", default=False),
            acknowledgments=params.texts("acknowledgments") if params.has("acknowledgments") else (),
            correlation=_optional_key(params, "correlation"),
        )
        if params.has("response_queue"):
            message.response_queue = params.object("response_queue")
        if params.has("administration_queue"):
            message.administration = self._address(params.nested("administration_queue"))
        self.manager.send(params.key("handle"), message, _optional_key(params, "transaction"))
        return {"id": message.identity}

    def receive(self, params: Parameters) -> JsonObject:
        """Receive a message, or wait for one."""
        return self._receive(params, takes=True)

    def peek(self, params: Parameters) -> JsonObject:
        """Look at a message, or wait for one."""
        return self._receive(params, takes=False)

    def cancel(self, params: Parameters) -> JsonObject:
        """Wait no longer."""
        self.manager.cancel(params.key("operation"))
        return {}

    def outcomes(self, _params: Parameters) -> JsonObject:
        """How waits ended."""
        return {"outcomes": self.manager.outcomes()}

    def create_cursor(self, params: Parameters) -> JsonObject:
        """Make a cursor."""
        return {"cursor": self.manager.create_cursor(params.key("handle"))}

    def close_cursor(self, params: Parameters) -> JsonObject:
        """Give a cursor up."""
        self.manager.close_cursor(params.key("cursor"))
        return {}

    def begin(self, params: Parameters) -> JsonObject:
        """Begin a transaction."""
        self._check(params)
        return {"transaction": self.manager.begin(str(params.one_of("kind", "internal", "external")))}

    def commit(self, params: Parameters) -> JsonObject:
        """Let all of a transaction happen."""
        self.manager.end(params.key("transaction"), commit=True)
        return {"committed": True}

    def abort(self, params: Parameters) -> JsonObject:
        """Undo all of a transaction."""
        self.manager.end(params.key("transaction"), commit=False)
        return {}

    def advance_clock(self, params: Parameters) -> JsonObject:
        """Let time pass."""
        self.manager.advance(params.microseconds("seconds"))
        return {}

    def fail_store(self, params: Parameters) -> JsonObject:
        """Let the store fail, or be as it should be; what is inconsistent can always be repaired here."""
        self._check(params)
        match params.one_of("how", "full", "inconsistent", "beyond-repair", None):
            case "full":
                self.manager.full = True
            case "beyond-repair":
                self.manager.break_store()
            case None:
                self.manager.mend_store()
        return {}

    def fail_coordinator(self, params: Parameters) -> JsonObject:
        """Let the coordinator of external transactions go away, or come back."""
        self.manager.lose_coordinator(lost=params.boolean("failing"))
        return {}

    def throttle(self, params: Parameters) -> JsonObject:
        """Let memory be scarce, or sufficient again."""
        self._check(params)
        self.manager.throttled = params.boolean("on")
        return {}

    def together(self, params: Parameters) -> JsonObject:
        """Calls of several lanes at the same time: they take turns, as there is one thread."""
        lanes = params.lists_of("lanes")
        answered: list[list[JsonObject]] = [[] for _ in lanes]
        began = [0] * len(lanes)
        moment = 0
        for turn in zip_longest(*lanes):
            for lane, call in enumerate(turn):
                if call is None:
                    continue
                method = call.one_of("method", "send", "receive", "peek", "commit", "abort", "purge")
                result = self.methods[f"queue_manager.{method}"](call.nested("params"))
                moment += 1
                answered[lane].append({"began": began[lane], "ended": moment, "result": result})
                began[lane] = moment
        return {"lanes": answered}

    def _receive(self, params: Parameters, *, takes: bool) -> JsonObject:
        request = Request(
            params.key("handle"),
            takes=takes,
            wait=params.microseconds("wait") if params.has("wait") else 0,
            transaction=_optional_key(params, "transaction"),
            cursor=_optional_key(params, "cursor"),
            moves=params.has("move") and params.one_of("move", "current", "next") == "next",
            identity=_optional_key(params, "id"),
        )
        return self.manager.receive(request)

    def _check(self, params: Parameters) -> None:
        if params.text("machine") != self.machine:
            raise InvalidParameters("params.machine has to be the machine that was configured")

    def _queue(self, params: Parameters) -> str:
        """The queue that an operation names, on this machine."""
        self._check(params)
        if params.has("on") and params.text("on") != self.machine:
            raise Failure("another machine is not reached")
        return params.text("queue")

    def _address(self, address: Parameters) -> str:
        """The name behind an address; one that leads to another machine has none."""
        if address.has("system") and f"system:{address.text('system')}" in SYSTEM_QUEUES:
            return f"system:{address.text('system')}"
        if not address.has("direct") or address.nested("direct").text("machine") != self.machine:
            raise Failure("no queue of this machine is there")
        return address.nested("direct").text("queue")


def _with_failures(operation: Method) -> Method:
    """An operation of which a failure is an answer, not an error."""

    def call(params: Parameters) -> JsonObject:
        try:
            return operation(params)
        except Failure as failure:
            return {"failed": {"says": str(failure)}}

    return call


def _optional_key(params: Parameters, name: str) -> Key | None:
    return params.key(name) if params.has(name) else None


def _room(said: Parameters) -> int | None:
    """How much a queue takes, None for any number."""
    return None if said.is_null("room") or not said.has("room") else said.count("room")
