"""RabbitMQ over AMQP 0-9-1: what of MSMQ is what there. README.md has the table."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import pika
from pika.adapters.blocking_connection import BlockingChannel, BlockingConnection
from pika.exceptions import AMQPError, NackError, UnroutableError

from brokers.broker import DEAD_LETTERS, TRANSACTIONAL_DEAD_LETTERS, Failure, Message, Queue, Transaction
from brokers.server import Server, free_ports

Delivery: TypeAlias = tuple[int, pika.BasicProperties, bytes]
PROGRAM = "/usr/lib/rabbitmq/bin/rabbitmq-server"
LETTERS = "dead-letters"
"""The exchange to which each queue sends what has expired; it passes on what asks for that in a header."""
ATTEMPTS = 3
PREFIX = "queue."
"""Before the names of applications: those that begin with ``amq.`` are the broker's."""


class RabbitMq:
    """A RabbitMQ server of one node."""

    name = "RabbitMQ"
    capabilities = ("real-clock", "restart", "transactions", "management")
    dead_letters = True

    def __init__(self) -> None:
        if not Path(PROGRAM).exists():
            raise Failure(f"{PROGRAM} is not there; install the package rabbitmq-server")
        self._server = Server("rabbitmq")
        self.link = self._server.link
        self._queues: dict[str, Queue] = {}
        self._connection: BlockingConnection | None = None
        self._plain: BlockingChannel | None = None
        self._version = "unknown"

    def version(self) -> str:
        """Return the version that the server told at the last connection."""
        return self._version

    def running(self) -> bool:
        """Return whether the server was started and not stopped."""
        return self._server.running

    def install(self) -> None:
        """Run, with no queues but those for dead letters."""
        if not self.running():
            self.start()
        else:
            self.reconnect()
        with translated():
            for name in [*self._queues, DEAD_LETTERS, TRANSACTIONAL_DEAD_LETTERS]:
                self._channel().queue_delete(PREFIX + name)
            self._queues.clear()
            self._channel().exchange_declare(LETTERS, "headers", durable=True)
            for kind, name in (("plain", DEAD_LETTERS), ("transactional", TRANSACTIONAL_DEAD_LETTERS)):
                self._queues[name] = Queue(name)
                self._channel().queue_declare(PREFIX + name, durable=True)
                self._channel().queue_bind(PREFIX + name, LETTERS, arguments={"x-match": "all", "dead-letter": kind})

    def start(self) -> None:
        """Start the node, at ports that are free now; another program may take one first, so that it is tried again."""
        for attempts_left in reversed(range(ATTEMPTS)):
            try:
                self._start_node()
            except Failure:
                self._server.crash()
                if not attempts_left:
                    raise
            else:
                return

    def _start_node(self) -> None:
        """Start the node with a directory of names of its own, all on loopback."""
        folder = self._server.folder
        port, distribution_port, names_port = free_ports(3)
        self.link.target = ("127.0.0.1", port)
        (folder / "rabbitmq.conf").write_text("disk_free_limit.absolute = 1MB\n")
        (folder / "enabled_plugins").write_text("[].\n")
        environment = {
            "HOME": str(folder),
            "ERL_EPMD_PORT": str(names_port),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": "mqconform@localhost",  # the store belongs to this name
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(port),
            "RABBITMQ_DIST_PORT": str(distribution_port),
            "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
            "RABBITMQ_LOG_BASE": str(folder),
            "RABBITMQ_LOGS": "-",
            "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq"),
            "RABBITMQ_CONF_ENV_FILE": "/dev/null",
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "enabled_plugins"),
            "RABBITMQ_ALLOW_INPUT": "1",  # the node itself, without a shell around it
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "-noinput -start_epmd false +S 1:1 "
            "-kernel inet_dist_use_interface {127,0,0,1}",
        }
        programs = [["epmd", "-port", str(names_port)], [PROGRAM]]
        self._connected(self._server.start(programs, environment, self._connect))

    def stop(self) -> None:
        """End the node in order."""
        self._server.stop()
        self._disconnect()

    def crash(self) -> None:
        """Kill the node."""
        self._server.crash()
        self._disconnect()

    def remove(self) -> None:
        """Kill the node and remove its folder."""
        self._server.remove()

    def reconnect(self) -> None:
        """Leave the connection, if it is still there, for another: what it has not finished is undone."""
        self._disconnect()
        with translated():
            self._connected(self._connect())

    def create(self, queue: Queue) -> None:
        """Declare a durable queue; one that is there is left alone."""
        arguments: dict[str, object] = {"x-dead-letter-exchange": LETTERS}
        if queue.room is not None:
            arguments |= {"x-max-length": queue.room, "x-overflow": "reject-publish"}
        with self._own_channel() as channel:
            channel.queue_declare(PREFIX + queue.name, durable=True, arguments=arguments)
        self._queues.setdefault(queue.name, queue)

    def find(self, name: str) -> Queue:
        """Ask the broker for a queue."""
        with self._own_channel() as channel:
            channel.queue_declare(PREFIX + name, passive=True)
        return self._queues.get(name, Queue(name))

    def delete(self, name: str) -> None:
        """Delete a queue; the broker says nothing of one that is not there."""
        with translated():
            self._channel().queue_delete(PREFIX + name)
        self._queues.pop(name, None)

    def purge(self, name: str) -> None:
        """Remove what no receiver holds."""
        with self._own_channel() as channel:
            channel.queue_purge(PREFIX + name)

    def count(self, name: str) -> int:
        """Return how many messages are ready."""
        with self._own_channel() as channel:
            return int(channel.queue_declare(PREFIX + name, passive=True).method.message_count)

    def send(self, queue: Queue, message: Message, transaction: Transaction | None) -> None:
        """Publish, and wait for the broker's confirmation outside of a transaction."""
        channel = transaction.channel if isinstance(transaction, AmqpTransaction) else self._channel()
        headers = {"dead-letter": "transactional" if transaction else "plain"} if message.dead_letter else None
        properties = pika.BasicProperties(
            message_id=message.identity,
            delivery_mode=2 if message.recoverable or transaction else 1,
            expiration=None if message.lasts is None else str(round(message.lasts * 1000)),
            correlation_id=message.correlation,
            reply_to=None if message.response_queue is None else json.dumps(message.response_queue),
            headers=headers,
        )
        with translated():
            channel.basic_publish("", PREFIX + queue.name, json.dumps(message.key).encode(), properties, mandatory=True)

    def get(self, queue: Queue, transaction: Transaction | None, *, takes: bool) -> Message | None:
        """Get a message; there is no peek, so that one that stays is given back to its place."""
        within = transaction if isinstance(transaction, AmqpTransaction) and takes else None
        channel = within.channel if within else self._channel()
        with translated():
            method, properties, body = channel.basic_get(PREFIX + queue.name, auto_ack=takes and within is None)
            if method is None:
                return None
            if within:
                within.received.append(method.delivery_tag)
            elif not takes:
                channel.basic_nack(method.delivery_tag, requeue=True)
        return read(properties, body)

    def wait(self, queue: Queue, transaction: Transaction | None, *, takes: bool) -> AmqpWait:
        """Subscribe for one message."""
        self.find(queue.name)
        within = transaction if isinstance(transaction, AmqpTransaction) else None
        with translated():
            channel = within.channel if within else self._open_channel()
            return AmqpWait(self, queue.name, channel, within, takes=takes)

    def begin(self) -> AmqpTransaction:
        """Begin a transaction on a channel of its own."""
        with translated():
            channel = self._open_channel()
            channel.tx_select()
        return AmqpTransaction(channel)

    def settle(self, name: str) -> None:
        """Return when the queue has done all that it was asked for until now."""
        with self._own_channel() as channel:
            channel.queue_declare(PREFIX + name, passive=True)

    def process(self) -> None:
        """Take in what the broker has sent."""
        with translated():
            if self._connection is None:
                raise Failure("the broker is not running")
            self._connection.process_data_events(0)

    def _connect(self) -> BlockingConnection:
        return BlockingConnection(pika.ConnectionParameters("127.0.0.1", self.link.port, heartbeat=0))

    def _connected(self, connection: BlockingConnection) -> None:
        self._connection = connection
        self._plain = connection.channel()
        self._plain.confirm_delivery()
        told = connection._impl.server_properties or {}  # noqa: SLF001 - pika shows it nowhere else
        self._version = str(told.get("version", "unknown"))

    def _disconnect(self) -> None:
        with suppress(AMQPError, OSError):
            if self._connection is not None:
                self._connection.close()
        self._connection = self._plain = None

    def _channel(self) -> BlockingChannel:
        """Return the channel for what is outside of transactions."""
        if self._plain is None:
            raise Failure("the broker is not running")
        return self._plain

    def _open_channel(self) -> BlockingChannel:
        if self._connection is None:
            raise Failure("the broker is not running")
        return self._connection.channel()

    @contextmanager
    def _own_channel(self) -> Iterator[BlockingChannel]:
        """Give a channel for what may fail: a failure closes the channel."""
        with translated():
            channel = self._open_channel()
            yield channel
            channel.close()


@dataclass
class AmqpTransaction:
    """A channel in transaction mode."""

    channel: BlockingChannel
    received: list[int] = field(default_factory=list)

    def commit(self) -> None:
        """Acknowledge what was received, and publish."""
        with translated():
            for tag in self.received:
                self.channel.basic_ack(tag)
            self.channel.tx_commit()
            self.channel.close()

    def abort(self) -> None:
        """Publish nothing, and give back what was received."""
        with translated():
            self.channel.tx_rollback()
            for tag in reversed(self.received):
                self.channel.basic_nack(tag, requeue=True)
            self.channel.tx_commit()
            self.channel.close()


class AmqpWait:
    """A subscription that ends with the first message."""

    def __init__(
        self, broker: RabbitMq, name: str, channel: BlockingChannel, within: AmqpTransaction | None, *, takes: bool
    ) -> None:
        self._broker, self._name, self._channel, self._within = broker, name, channel, within
        self._takes = takes
        self._deliveries: list[Delivery] = []
        self._cancelled = False
        channel.add_on_cancel_callback(self._on_cancel)
        channel.basic_qos(prefetch_count=1)
        self._tag = channel.basic_consume(PREFIX + name, self._on_message)

    def poll(self) -> Message | None:
        """Return the message that has come."""
        if not self._cancelled:
            with suppress(Failure):  # the queue is gone, which the broker tells
                self._broker.settle(self._name)
        with translated():
            self._channel.basic_qos(prefetch_count=1)  # an answer comes after all deliveries until then
        self._broker.process()
        if self._cancelled:
            self._close()
            raise Failure("the broker has ended the subscription")
        if not self._deliveries:
            return None
        return self._take(*self._deliveries[0])

    def end(self) -> None:
        """Unsubscribe; what has come meanwhile goes back."""
        with translated():
            self._channel.basic_cancel(self._tag)
            for tag, _, _ in self._deliveries:
                self._channel.basic_nack(tag, requeue=True)
            self._close()

    def _take(self, tag: int, properties: pika.BasicProperties, body: bytes) -> Message:
        with translated():
            self._channel.basic_cancel(self._tag)
            if not self._takes:
                self._channel.basic_nack(tag, requeue=True)
            elif self._within:
                self._within.received.append(tag)
            else:
                self._channel.basic_ack(tag)
            self._close()
        return read(properties, body)

    def _close(self) -> None:
        if self._within is None and self._channel.is_open:
            self._channel.close()

    def _on_message(self, _: object, method: object, properties: pika.BasicProperties, body: bytes) -> None:
        self._deliveries.append((method.delivery_tag, properties, body))

    def _on_cancel(self, _: object) -> None:
        self._cancelled = True


def read(properties: pika.BasicProperties, body: bytes) -> Message:
    """Return the message of a delivery."""
    return Message(
        json.loads(body),
        str(properties.message_id),
        correlation=properties.correlation_id,
        response_queue=json.loads(properties.reply_to) if properties.reply_to else None,
    )


@contextmanager
def translated() -> Iterator[None]:
    """Turn errors of AMQP into failures."""
    try:
        yield
    except UnroutableError as error:
        raise Failure("there is no such queue") from error
    except NackError as error:
        raise Failure("the broker has refused the message") from error
    except (AMQPError, OSError) as error:
        raise Failure(f"{type(error).__name__}: {error}") from error
