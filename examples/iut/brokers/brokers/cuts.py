"""Cut the way to a broker in the middle of sends and commits, and count what is lost and what is doubled."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from brokers.broker import Broker, Failure, Message, Queue

QUEUE = Queue("cut")


@dataclass
class Tally:
    """What an application knows of its recoverable messages, by their keys."""

    confirmed: set[str] = field(default_factory=set)
    """The broker has said that it has them."""
    unanswered: set[str] = field(default_factory=set)
    """The connection was cut before it said so; they are not sent again."""
    received: Counter[str] = field(default_factory=Counter)
    """In transactions that have committed."""
    left_open: Counter[str] = field(default_factory=Counter)
    """In transactions that were cut before the broker said whether they committed."""
    cuts: Counter[str] = field(default_factory=Counter)
    """How often an operation failed."""

    def lost(self) -> list[str]:
        """Return confirmed messages that nobody has received, not even perhaps."""
        return sorted(self.confirmed - set(self.received) - set(self.left_open))

    def doubled(self) -> list[str]:
        """Return messages that were received in two transactions that have committed."""
        return sorted(key for key, times in self.received.items() if times > 1)

    def invented(self) -> list[str]:
        """Return messages that were received and not sent."""
        return sorted(set(self.received) - self.confirmed - self.unanswered)

    def found(self) -> dict[str, object]:
        """Return all of it as JSON has it."""
        numbers = {"confirmed": len(self.confirmed), "unanswered": len(self.unanswered)}
        arrived = len(self.unanswered & (set(self.received) | set(self.left_open)))
        committed = len(set(self.left_open) - set(self.received))
        return {
            **numbers,
            "unanswered_and_arrived": arrived,
            "received": len(self.received),
            "commits_unanswered": self.left_open.total(),
            "commits_unanswered_and_done": committed,
            "failed": dict(sorted(self.cuts.items())),
            "lost": self.lost(),
            "doubled": self.doubled(),
            "invented": self.invented(),
        }


def cut(broker: Broker, messages: int, seed: int) -> Tally:
    """Send so many recoverable messages and receive them in transactions, over connections that are cut.

    Raises:
        Failure: the broker does not answer over a connection that is not cut.
    """
    rng, tally = random.Random(seed), Tally()
    broker.install()
    broker.create(QUEUE)
    to_send = octets(broker, lambda: send(broker, "first", tally))
    to_receive = octets(broker, lambda: receive(broker, tally))
    for number in range(messages):
        # Twice as many octets as it takes: half of the operations are cut, at any place.
        with cut_within(broker, rng.randrange(1, 2 * to_send)):
            send(broker, f"m{number}", tally)
        with cut_within(broker, rng.randrange(1, 2 * to_receive)):
            receive(broker, tally)
        while receive(broker, tally):
            pass
    return tally


def octets(broker: Broker, operation: Callable[[], object]) -> int:
    """Return how many octets pass in an operation that is not cut."""
    before = broker.link.passed
    operation()
    return broker.link.passed - before


@contextmanager
def cut_within(broker: Broker, after: int) -> Iterator[None]:
    """Cut the connection so many octets later, and connect anew."""
    broker.link.cut(after)
    yield
    broker.link.mend()
    broker.reconnect()


def send(broker: Broker, key: str, tally: Tally) -> None:
    """Send a message once."""
    try:
        broker.send(QUEUE, Message(key, key, recoverable=True), None)
    except Failure:
        tally.cuts["send"] += 1
        tally.unanswered.add(key)
    else:
        tally.confirmed.add(key)


def receive(broker: Broker, tally: Tally) -> bool:
    """Receive a message in a transaction; return whether there was one."""
    try:
        transaction = broker.begin()
        message = broker.get(QUEUE, transaction, takes=True)
    except Failure:
        tally.cuts["receive"] += 1
        return True
    if message is None:
        return False
    try:
        transaction.commit()
    except Failure:
        tally.cuts["commit"] += 1
        tally.left_open[str(message.key)] += 1
    else:
        tally.received[str(message.key)] += 1
    return True
