"""Redis Streams: a log with a consumer group, which is another thing than a queue. README.md has the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from brokers.broker import Failure, Message, NotOffered, Queue, Transaction
from brokers.server import Server

if TYPE_CHECKING:
    Client = redis.Redis[bytes]

PROGRAM = "/usr/bin/redis-server"
GROUP = "applications"
PREFIX = "queue."
ROOMS = "rooms"
ADD = """
local room = redis.call("HGET", KEYS[2], KEYS[1])
if room and redis.call("XLEN", KEYS[1]) >= tonumber(room) then return false end
return redis.call("XADD", KEYS[1], "NOMKSTREAM", "*", "message", ARGV[1])
"""
"""Add an entry where there is room: MAXLEN drops the oldest entries and refuses none, so that a script has to look."""


class RedisStreams:
    """A Redis server that writes each command to its log before it answers."""

    name = "Redis Streams"
    capabilities = ("real-clock", "restart", "transactions", "management")
    dead_letters = False

    def __init__(self) -> None:
        if not Path(PROGRAM).exists():
            raise Failure(f"{PROGRAM} is not there; install the package redis-server")
        self._server = Server("redis")
        self.link = self._server.link
        self._client: Client | None = None

    def version(self) -> str:
        """Return the version that the server tells."""
        with translated():
            return str(self._connected().info("server")["redis_version"])

    def running(self) -> bool:
        """Return whether the server was started and not stopped."""
        return self._server.running

    def install(self) -> None:
        """Run, with nothing stored."""
        if not self.running():
            self.start()
        with translated():
            self._connected().flushall()

    def start(self) -> None:
        """Start the server, which listens at a socket in its folder alone."""
        folder = self._server.folder
        self.link.target = str(folder / "socket")
        options = ["--port", "0", "--unixsocket", str(folder / "socket"), "--dir", str(folder), "--save", ""]
        durable = ["--appendonly", "yes", "--appendfsync", "always"]
        self._client = self._server.start([[PROGRAM, *options, *durable]], {}, self._connect)
        self._claim()

    def stop(self) -> None:
        """End the server in order."""
        self._server.stop()
        self._client = None

    def crash(self) -> None:
        """Kill the server."""
        self._server.crash()
        self._client = None

    def remove(self) -> None:
        """Kill the server and remove its folder."""
        self._server.remove()

    def reconnect(self) -> None:
        """Leave the connection for another, and take over what its transactions held."""
        with translated():
            self._client = self._connect()
        self._claim()

    def create(self, queue: Queue) -> None:
        """Make a stream with a group that reads it from the beginning, and note its room."""
        with translated():
            self._connected().xgroup_create(PREFIX + queue.name, GROUP, id="0", mkstream=True)
            if queue.room is not None:
                self._connected().hset(ROOMS, PREFIX + queue.name, queue.room)

    def find(self, name: str) -> Queue:
        """Look for a stream."""
        with translated():
            if not self._connected().exists(PREFIX + name):
                raise Failure("there is no such stream")
        return Queue(name)

    def delete(self, name: str) -> None:
        """Delete a stream."""
        with translated():
            self._connected().hdel(ROOMS, PREFIX + name)
            if not self._connected().delete(PREFIX + name):
                raise Failure("there is no such stream")

    def purge(self, name: str) -> None:
        """Delete the entries that no consumer holds."""
        self.find(name)
        with translated():
            waiting = [entry for entry, _ in self._visible(name)]
            if waiting:
                self._connected().xdel(PREFIX + name, *waiting)

    def count(self, name: str) -> int:
        """Return how many entries no consumer holds."""
        self.find(name)
        with translated():
            return len(self._visible(name))

    def send(self, queue: Queue, message: Message, transaction: Transaction | None) -> None:
        """Add an entry, unless the stream is gone or full."""
        for wish in ("lasts", "dead_letter"):
            if getattr(message, wish):
                raise NotOffered(wish)
        if isinstance(transaction, RedisTransaction):
            transaction.sends.append((queue.name, message))
            return
        with translated():
            if self._connected().eval(ADD, 2, PREFIX + queue.name, ROOMS, written(message)) is None:
                raise Failure("there is no such stream, or no room")

    def get(self, queue: Queue, transaction: Transaction | None, *, takes: bool) -> Message | None:
        """Read the first entry that no consumer holds; one that is taken outside of a transaction is deleted."""
        within = transaction if isinstance(transaction, RedisTransaction) else None
        self.find(queue.name)
        with translated():
            if not takes:
                visible = self._visible(queue.name)
                return read(visible[0][1]) if visible else None
            return self._take(queue.name, within)

    def wait(self, queue: Queue, transaction: Transaction | None, *, takes: bool) -> RedisWait:
        """Ask again and again: a read that blocks would block the whole connection."""
        return RedisWait(self, queue, transaction, takes=takes)

    def begin(self) -> RedisTransaction:
        """Begin to collect: MULTI takes only what is known beforehand."""
        self._connected()
        return RedisTransaction(self)

    def commit(self, transaction: RedisTransaction) -> None:
        """Add and delete in one MULTI."""
        with translated(), self._connected().pipeline(transaction=True) as pipeline:
            for name, message in transaction.sends:
                pipeline.eval(ADD, 2, PREFIX + name, ROOMS, written(message))
            for name, entry in transaction.received:
                pipeline.xack(PREFIX + name, GROUP, entry)
                pipeline.xdel(PREFIX + name, entry)
            pipeline.execute()

    def give_back(self, transaction: RedisTransaction) -> None:
        """Hand the entries of a transaction to the consumer that stands for all: nothing puts them back as unread."""
        with translated():
            for name, entry in transaction.received:
                self._connected().xclaim(PREFIX + name, GROUP, "nobody", 0, [entry])

    def _claim(self) -> None:
        """Take over what consumers held when the server ended: Redis leaves that to its applications."""
        with translated():
            for stream in self._connected().keys(PREFIX + "*"):
                held = self._pending(stream.decode().removeprefix(PREFIX))
                if held:
                    self._connected().xclaim(stream, GROUP, "nobody", 0, list(held))

    def _take(self, name: str, within: RedisTransaction | None) -> Message | None:
        """Take an entry that was given back, or else the next that is new; of both the older."""
        client, stream = self._connected(), PREFIX + name
        waiting = self._visible(name)
        if not waiting:
            return None
        entry, said = waiting[0]
        consumer = f"transaction-{id(within)}" if within else "reader"
        if entry in self._pending(name):
            client.xclaim(stream, GROUP, consumer, 0, [entry])
        else:
            client.xreadgroup(GROUP, consumer, {stream: ">"}, count=1)
        if within:
            within.received.append((name, entry))
        else:
            with client.pipeline(transaction=True) as pipeline:
                pipeline.xack(stream, GROUP, entry)
                pipeline.xdel(stream, entry)
                pipeline.execute()
        return read(said)

    def _pending(self, name: str) -> dict[bytes, bytes]:
        """Return the entries that were read, with their consumers."""
        told = self._connected().xpending_range(PREFIX + name, GROUP, "-", "+", 10_000)
        return {each["message_id"]: each["consumer"] for each in told}

    def _visible(self, name: str) -> list[tuple[bytes, dict[bytes, bytes]]]:
        held = {entry for entry, consumer in self._pending(name).items() if consumer != b"nobody"}
        return [(entry, said) for entry, said in self._connected().xrange(PREFIX + name) if entry not in held]

    def _connect(self) -> Client:
        # What was cut may have happened: the client library would send it a second time.
        client = redis.Redis(port=self.link.port, socket_timeout=10, retry=Retry(NoBackoff(), 0))
        client.ping()
        return client

    def _connected(self) -> Client:
        if self._client is None:
            raise Failure("the server is not running")
        return self._client


@dataclass(eq=False)
class RedisTransaction:
    """What is to be added and deleted at once."""

    broker: RedisStreams
    sends: list[tuple[str, Message]] = field(default_factory=list)
    received: list[tuple[str, bytes]] = field(default_factory=list)

    def commit(self) -> None:
        """Do all of it in one MULTI."""
        self.broker.commit(self)

    def abort(self) -> None:
        """Give back what was received."""
        self.broker.give_back(self)


@dataclass
class RedisWait:
    """A reader that asks each time it is looked after."""

    broker: RedisStreams
    queue: Queue
    transaction: Transaction | None
    takes: bool

    def poll(self) -> Message | None:
        """Ask once."""
        return self.broker.get(self.queue, self.transaction, takes=self.takes)

    def end(self) -> None:
        """Nothing: nobody waits at the server."""


def written(message: Message) -> str:
    """Return a message as an entry has it."""
    return json.dumps(asdict(message))


def read(said: dict[bytes, bytes]) -> Message:
    """Return the message of an entry."""
    return Message(**json.loads(said[b"message"]))


@contextmanager
def translated() -> Iterator[None]:
    """Turn errors of Redis into failures."""
    try:
        yield
    except redis.RedisError as error:
        raise Failure(f"{type(error).__name__}: {error}") from error
