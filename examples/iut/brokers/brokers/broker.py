"""What a broker has to offer to the operations of a queue manager."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from brokers.link import Link

Key = str | int
JsonObject = dict[str, object]
DEAD_LETTERS, TRANSACTIONAL_DEAD_LETTERS = "system.dead_letter", "system.transactional_dead_letter"


class Failure(Exception):
    """The broker refuses, or is not there."""


class NotOffered(Exception):
    """The broker has nothing of the kind, or the wrapper does not use it."""


@dataclass(frozen=True)
class Message:
    """A message with what its sender asked for."""

    key: Key
    identity: str
    recoverable: bool = False
    lasts: float | None = None
    """Seconds for which it may be received."""
    dead_letter: bool = False
    correlation: str | None = None
    response_queue: JsonObject | None = None


@dataclass(frozen=True)
class Queue:
    """A queue as it was created."""

    name: str
    transactional: bool = False
    room: int | None = None


class Transaction(Protocol):
    """A transaction of the broker."""

    def commit(self) -> None:
        """Let all of it happen.

        Raises:
            Failure: it did not commit.
        """

    def abort(self) -> None:
        """Undo all of it."""


class Wait(Protocol):
    """A receive or peek that waits at the broker."""

    def poll(self) -> Message | None:
        """Return the message that has come, None as long as there is none.

        Raises:
            Failure: the queue is gone.
        """

    def end(self) -> None:
        """Wait no longer."""


class Broker(Protocol):
    """A real server. Every operation raises Failure where it is not running."""

    name: str
    capabilities: tuple[str, ...]
    dead_letters: bool
    """Whether there are queues for what has expired."""
    link: Link
    """The way to the server, which can be cut."""

    def version(self) -> str:
        """Return the version that the server tells."""

    def install(self) -> None:
        """Run, with no queues."""

    def start(self) -> None:
        """Start the server again with what it has stored."""

    def stop(self) -> None:
        """End the server in order."""

    def crash(self) -> None:
        """Kill the server."""

    def remove(self) -> None:
        """Stop the server and remove its folder."""

    def running(self) -> bool:
        """Return whether it was started and not stopped."""

    def reconnect(self) -> None:
        """Connect anew: what the last connection has not finished is undone."""

    def create(self, queue: Queue) -> None:
        """Create a queue."""

    def find(self, name: str) -> Queue:
        """Return a queue, as far as the broker or the wrapper knows it.

        Raises:
            Failure: there is no such queue.
        """

    def delete(self, name: str) -> None:
        """Delete a queue."""

    def purge(self, name: str) -> None:
        """Empty a queue."""

    def count(self, name: str) -> int:
        """Return how many messages there are to receive."""

    def send(self, queue: Queue, message: Message, transaction: Transaction | None) -> None:
        """Send a message, and return when the broker is responsible for it."""

    def get(self, queue: Queue, transaction: Transaction | None, *, takes: bool) -> Message | None:
        """Return the first message, which goes where it is taken."""

    def wait(self, queue: Queue, transaction: Transaction | None, *, takes: bool) -> Wait:
        """Begin to wait for a message."""

    def begin(self) -> Transaction:
        """Begin a transaction."""
