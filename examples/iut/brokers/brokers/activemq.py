"""ActiveMQ Classic over STOMP 1.2: what of MSMQ is what there. README.md has the table."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from string import Template
from urllib.parse import quote

import stomp

from brokers.broker import DEAD_LETTERS, TRANSACTIONAL_DEAD_LETTERS, Failure, Message, NotOffered, Queue, Transaction
from brokers.server import Server, free_ports
from brokers.stomp_connection import StompConnection, Subscription

HOME = Path("/usr/share/activemq")
LOADER = HOME / "bin" / "activemq.jar"
CONFIGURATION = Path(__file__).with_name("activemq.xml")
LOG = """log4j.rootLogger=WARN, console
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.layout=org.apache.log4j.SimpleLayout
"""
LETTERS = "ActiveMQ.DLQ"
SELECTORS = {
    DEAD_LETTERS: "dead_letter = 'plain'",
    TRANSACTIONAL_DEAD_LETTERS: "dead_letter = 'transactional'",
}
"""The broker keeps all that has expired in one queue: who opens it asks for what wanted that."""
LARGEST_ROOM = 20
PADDING = 20_000
OVERHEAD = 1_024
"""Room is memory there: messages of so many octets, which headers hardly change, are counted by it."""
SECONDS_TO_COME = 5
ROOM = """
<policyEntry queue="queue.{room}.&gt;" memoryLimit="{octets}" optimizedDispatch="true" strictOrderDispatch="true"
             expireMessagesPeriod="500">
  <deadLetterStrategy><sharedDeadLetterStrategy processNonPersistent="true"/></deadLetterStrategy>
  <pendingQueuePolicy><vmQueueCursor/></pendingQueuePolicy>
</policyEntry>"""


class ActiveMq:
    """An ActiveMQ server with its default store, KahaDB."""

    name = "ActiveMQ Classic"
    capabilities = ("real-clock", "restart", "transactions", "management")
    dead_letters = True

    def __init__(self) -> None:
        if not LOADER.exists():
            raise Failure(f"{LOADER} is not there; install the package activemq")
        self._server = Server("activemq")
        self.link = self._server.link
        self._queues: dict[str, Queue] = {}
        self._used: set[str] = set()
        self._begun: list[StompTransaction] = []
        self._connection: StompConnection | None = None
        self._version = "unknown"
        self.numbers = count(1)

    def version(self) -> str:
        """Return the version that the server told at the last connection."""
        return self._version

    def running(self) -> bool:
        """Return whether the server was started and not stopped."""
        return self._server.running

    def install(self) -> None:
        """Run, with empty queues: over STOMP none can be deleted."""
        if self.running():
            self.reconnect()
        else:
            self.start()
        self._queues = {name: Queue(name) for name in SELECTORS}
        for place in self._used | {LETTERS}:
            self._create(place)
            while self.visible(place, None):
                self._drop_first(place)
        self._used.clear()

    def start(self) -> None:
        """Start the server in its folder."""
        folder = self._server.folder
        (port,) = free_ports(1)
        rooms = [ROOM.format(room=room, octets=octets(room)) for room in range(1, LARGEST_ROOM + 1)]
        queues = "".join(f'<queue physicalName="{place}"/>' for place in sorted(self._used | {LETTERS}))
        configuration = Template(CONFIGURATION.read_text())
        written = configuration.substitute(folder=folder, port=port, rooms="".join(rooms), queues=queues)
        (folder / "activemq.xml").write_text(written)
        (folder / "log4j.properties").write_text(LOG)
        places = {"home": HOME, "base": folder, "conf": folder, "data": folder / "data"}
        options = [
            *(f"-Dactivemq.{name}={place}" for name, place in places.items()),
            f"-Djava.io.tmpdir={folder}",
            *("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"),
        ]
        command = ["java", *options, "-jar", str(LOADER), "start", f"xbean:file:{folder}/activemq.xml"]
        self.link.target = ("127.0.0.1", port)
        self._connected(self._server.start([command], {}, self._connect))

    def stop(self) -> None:
        """End the server in order."""
        self._server.stop()
        self._connection = None

    def crash(self) -> None:
        """Kill the server."""
        self._server.crash()
        self._connection = None

    def remove(self) -> None:
        """Kill the server and remove its folder."""
        self._server.remove()

    def reconnect(self) -> None:
        """Leave the connection, if it is still there, for another: what it has not finished is undone."""
        if self._connection is not None:
            self._connection.close()
        self._connected(self._connect())

    def create(self, queue: Queue) -> None:
        """Have an administrator name the queue."""
        if queue.room is not None and not 0 < queue.room <= LARGEST_ROOM:
            raise NotOffered(f"room for {queue.room} messages")
        if queue.name not in self._queues:
            self._create(destination(queue))
            self._used.add(destination(queue))
            self._queues[queue.name] = queue

    def find(self, name: str) -> Queue:
        """Ask the broker for a queue that was created."""
        queue = self._queues.get(name)
        if queue is None:
            raise Failure("there is no such queue")
        self.visible(destination(queue), None)
        return queue

    def delete(self, name: str) -> None:
        """Refuse: STOMP has no deletion."""
        raise NotOffered(f"deleting {name}: STOMP deletes no queues")

    def purge(self, name: str) -> None:
        """Receive all."""
        queue = self.find(name)
        while self.get(queue, None, takes=True):
            pass

    def count(self, name: str) -> int:
        """Return how many messages no consumer holds."""
        return len(self.visible(destination(self.find(name)), SELECTORS.get(name)))

    def send(self, queue: Queue, message: Message, transaction: Transaction | None) -> None:
        """Send, and wait for the receipt."""
        headers = {"persistent": str(message.recoverable or transaction is not None).lower()}
        headers["identity"] = message.identity
        if message.lasts is not None:
            headers["expires"] = str(round((time.time() + message.lasts) * 1000))
        if message.dead_letter:
            headers["dead_letter"] = "transactional" if transaction else "plain"
        if message.correlation is not None:
            headers["correlation-id"] = message.correlation
        if message.response_queue is not None:
            headers["response_queue"] = json.dumps(message.response_queue)
        if isinstance(transaction, StompTransaction):
            headers["transaction"] = transaction.number
        body = json.dumps(message.key)
        padded = body.ljust(PADDING) if queue.room is not None else body
        self.connected().ask("SEND", padded, destination=f"/queue/{destination(queue)}", **headers)

    def get(self, queue: Queue, transaction: Transaction | None, *, takes: bool) -> Message | None:
        """Browse, and subscribe where there is a message to take."""
        first = self.first(queue)
        if first is None or not takes:
            return None if first is None else read(first)
        self._can_be_given_back(queue, transaction)
        subscription = self.subscribe(queue)
        if not self.connected().arrives(subscription, SECONDS_TO_COME):
            self.connected().end(subscription)
            return None  # it has expired, or another consumer was faster
        return self.take(subscription, transaction)

    def take(self, subscription: Subscription, transaction: Transaction | None) -> Message:
        """Take the message of a subscription, or hold it for a transaction."""
        if isinstance(transaction, StompTransaction):
            transaction.received.append(subscription)
        else:
            self.connected().acknowledge(subscription)
            self.connected().end(subscription)
        return read(subscription.deliveries[0])

    def first(self, queue: Queue) -> stomp.utils.Frame | None:
        """Return the first message that no consumer holds."""
        frames = self.visible(destination(queue), SELECTORS.get(queue.name))
        return frames[0] if frames else None

    def subscribe(self, queue: Queue) -> Subscription:
        """Ask for the next message of a queue."""
        return self.connected().subscribe(f"/queue/{destination(queue)}", SELECTORS.get(queue.name))

    def visible(self, place: str, selector: str | None) -> list[stomp.utils.Frame]:
        """Browse."""
        return self.connected().browse(f"/queue/{place}", selector)

    def wait(self, queue: Queue, transaction: Transaction | None, *, takes: bool) -> StompWait | BrowsingWait:
        """Subscribe, and stay; who only looks browses again and again."""
        self.find(queue.name)
        self._can_be_given_back(queue, transaction)
        return StompWait(self, queue, transaction) if takes else BrowsingWait(self, queue)

    def begin(self) -> StompTransaction:
        """Begin a transaction."""
        transaction = StompTransaction(self, f"transaction-{next(self.numbers)}")
        self.connected().ask("BEGIN", transaction=transaction.number)
        self._begun.append(transaction)
        return transaction

    def connected(self) -> StompConnection:
        """Return the connection of applications."""
        if self._connection is None:
            raise Failure("the server is not running")
        return self._connection

    def _can_be_given_back(self, queue: Queue, transaction: Transaction | None) -> None:
        """Refuse what an abort could not put back in its order.

        STOMP gives a consumer one message here, so that each message of a transaction goes back by itself; the broker
        keeps the order of what one consumer gives back, and not between those of two transactions.
        """
        if not isinstance(transaction, StompTransaction):
            return
        others = [other.holds(queue) for other in self._begun if other is not transaction]
        if any(others) and max(*others, transaction.holds(queue) + 1) > 1:
            raise NotOffered("transactions that receive several messages of one queue beside another")

    def _create(self, place: str) -> None:
        self.connected()
        administrator = StompConnection(self.link.port, "administrator")
        administrator.browse(f"/queue/{place}", None)
        administrator.close()

    def _drop_first(self, place: str) -> None:
        subscription = self.connected().subscribe(f"/queue/{place}", None)
        if self.connected().arrives(subscription, SECONDS_TO_COME):
            self.connected().acknowledge(subscription)
        self.connected().end(subscription)

    def _connect(self) -> StompConnection:
        return StompConnection(self.link.port, "application")

    def _connected(self, connection: StompConnection) -> None:
        self._connection = connection
        self._begun.clear()
        self._version = connection.server.removeprefix("ActiveMQ/")


@dataclass(eq=False)
class StompTransaction:
    """A transaction by its name, and what was received for it: nobody else gets that meanwhile."""

    broker: ActiveMq
    number: str
    received: list[Subscription] = field(default_factory=list)

    def holds(self, queue: Queue) -> int:
        """Return how many messages of a queue it has received and not finished."""
        place = f"/queue/{destination(queue)}"
        return sum(subscription.destination == place for subscription in self.received)

    def commit(self) -> None:
        """Acknowledge what was received, and send."""
        connection = self.broker.connected()
        for subscription in self.received:
            connection.acknowledge(subscription, self.number)
        connection.ask("COMMIT", transaction=self.number)
        connection.give_back(self.received)
        self.received.clear()

    def abort(self) -> None:
        """Send nothing, and give back what was received."""
        self.broker.connected().ask("ABORT", transaction=self.number)
        self.broker.connected().give_back(self.received)
        self.received.clear()


class StompWait:
    """A subscription that ends with the first message."""

    def __init__(self, broker: ActiveMq, queue: Queue, transaction: Transaction | None) -> None:
        self._broker, self._queue, self._transaction = broker, queue, transaction
        self._subscription = broker.subscribe(queue)

    def poll(self) -> Message | None:
        """Return the message that has come, or that the broker is about to hand out."""
        comes = self._broker.first(self._queue)
        if not self._broker.connected().arrives(self._subscription, 1 if comes else 0):
            return None
        return self._broker.take(self._subscription, self._transaction)

    def end(self) -> None:
        """Unsubscribe; what has come meanwhile goes back."""
        self._broker.connected().end(self._subscription)


@dataclass
class BrowsingWait:
    """A browser that asks each time it is looked after."""

    broker: ActiveMq
    queue: Queue

    def poll(self) -> Message | None:
        """Ask once."""
        return self.broker.get(self.queue, None, takes=False)

    def end(self) -> None:
        """Nothing: nobody waits at the server."""


def destination(queue: Queue) -> str:
    """Return the broker's name of a queue: its room is in it, as rooms belong to patterns of names."""
    if queue.name in SELECTORS:
        return LETTERS
    return f"queue.{queue.room or 'any'}.{quote(queue.name, safe='')}"


def octets(room: int) -> int:
    """Return so much memory that a queue is full with so many messages, and not with one less."""
    return room * (PADDING + OVERHEAD)


def read(frame: stomp.utils.Frame) -> Message:
    """Return a message as it was sent."""
    response_queue = frame.headers.get("response_queue")
    return Message(
        json.loads(frame.body),
        frame.headers["identity"],
        correlation=frame.headers.get("correlation-id"),
        response_queue=json.loads(response_queue) if response_queue else None,
    )
