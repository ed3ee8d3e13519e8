"""``brokers BROKER``: speak the IUT protocol on standard input and output, or ``--cut`` the connections to a broker."""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from typing import cast

from mqsample.protocol.jsonrpc import Method, serve
from mqsample.protocol.parameters import JsonObject, Parameters

from brokers import VERSION
from brokers.broker import Broker, Failure
from brokers.cuts import cut
from brokers.queue_manager import QueueManagerOperations

BROKERS = {
    "rabbitmq": ("brokers.rabbitmq", "RabbitMq"),
    "activemq": ("brokers.activemq", "ActiveMq"),
    "redis": ("brokers.redis_streams", "RedisStreams"),
}
WRONG_USAGE = 4


def main(arguments: list[str]) -> int:
    """Start the broker that is named, answer calls until there are no more, and remove it."""
    try:
        wishes = parser().parse_args(arguments)
    except SystemExit as end:
        return WRONG_USAGE if end.code else 0
    module, name = BROKERS[wishes.broker]
    try:
        broker = cast("Callable[[], Broker]", getattr(import_module(module), name))()
    except (ImportError, Failure) as error:
        print(f"{wishes.broker}: {error}; README.md says what to install", file=sys.stderr)
        return WRONG_USAGE
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        if wishes.cut is not None:
            return told(broker, wishes.cut, wishes.seed)
        serve(methods(broker), sys.stdin.buffer, sys.stdout.buffer)
    finally:
        broker.remove()
    return 0


def parser() -> argparse.ArgumentParser:
    """Return the reader of the command line."""
    made = argparse.ArgumentParser("brokers", description=__doc__)
    made.add_argument("broker", choices=BROKERS)
    made.add_argument("--cut", type=int, metavar="MESSAGES", help="send so many, and cut each connection somewhere")
    made.add_argument("--seed", type=int, default=0, help="where they are cut")
    return made


def told(broker: Broker, messages: int, seed: int) -> int:
    """Print what cut connections did to messages; 1 where one was lost, doubled or invented."""
    found = cut(broker, messages, seed)
    print(json.dumps({"broker": f"{broker.name} {broker.version()}", **found.found()}, indent=2))
    return int(bool(found.lost() or found.doubled() or found.invented()))


def methods(broker: Broker) -> dict[str, Method]:
    """Return all methods that the wrapper answers."""
    operations = QueueManagerOperations(broker)

    def initialize(_: Parameters) -> JsonObject:
        broker.install()
        return {
            "protocol": 1,
            "name": broker.name,
            "version": f"{broker.version()} (wrapper {VERSION})",
            "roles": ["queue_manager"],
            "capabilities": list(broker.capabilities),
            "specs": {"MQSO": "18.0"},
        }

    def nothing(_: Parameters) -> JsonObject:
        return {}

    return {"initialize": initialize, "reset": nothing, "shutdown": nothing, **operations.methods}
