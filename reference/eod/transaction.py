"""Transactional sends to many destinations (page, section 1).

A queue manager holds outgoing queues, one for each target; computers hold queues. Everything is a value: a step
takes the whole network and returns the next one.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice
from mqconform.reference.eod.elements import Answer
from mqconform.reference.eod.sender import Message
from mqconform.reference.errors import ModelError

NOT_TRANSACTIONAL_QUEUE: Final = "not_transactional_queue"
"""Class of the negative acknowledgment for a transactional message that reached a nontransactional queue."""


@dataclass(frozen=True, slots=True)
class Queue:
    """A target queue."""

    name: str
    machine: str
    """Computer that hosts it."""
    transactional: bool


@dataclass(frozen=True, slots=True)
class Copy:
    """One copy of a transactional message."""

    message: Message
    administration_queue: str | None = None
    """Where acknowledgments go, None where the sender wants none."""


@dataclass(frozen=True, slots=True)
class NegativeAcknowledgment:
    """What an administration queue gets for a refused copy (EOD-1-08)."""

    message: Message
    queue: str
    """The queue that refused."""
    reason: str = NOT_TRANSACTIONAL_QUEUE


Contents = Mapping[str, tuple[Copy, ...]]


@dataclass(frozen=True)
class Network:
    """Queues, lists of queues, and where copies are."""

    queues: Mapping[str, Queue]
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Distribution lists: name -> names of queues or of other lists."""
    failing: frozenset[str] = frozenset()
    """Queues whose outgoing queue takes no copy."""
    outgoing: Contents = field(default_factory=dict)
    """Target queue -> copies that wait for it, in order."""
    delivered: Contents = field(default_factory=dict)
    """Queue -> copies it took in, in order."""
    dead_letters: Contents = field(default_factory=dict)
    """Computer -> contents of its transactional dead-letter queue."""
    acknowledgments: Mapping[str, tuple[NegativeAcknowledgment, ...]] = field(default_factory=dict)
    """Administration queue -> what it got."""


@dataclass(frozen=True, slots=True)
class Send:
    """One send within a transaction."""

    message: Message
    destination: tuple[str, ...]
    """Elements of the format name: names of queues and of distribution lists."""
    administration_queue: str | None = None


class UnknownDestination(ModelError):
    """A destination names neither a queue nor a distribution list."""


class Mentions(Choice):
    """What a queue gets that a destination names more than once."""

    ONE_COPY = ("EOD-31", "one-copy-for-each-queue", Standing.TEXT)
    SEVERAL = ("EOD-31", "copies-for-mentions", Standing.PERMITTED)


class Abort(Choice):
    """What a transaction sends that its user aborts."""

    NOTHING = ("EOD-32", "nothing-sent", Standing.TEXT)
    SOMETHING = ("EOD-32", "sent-all-the-same", Standing.REFUSED)


def targets(network: Network, destination: Iterable[str]) -> tuple[str, ...]:
    """Return the queues that a destination leads to, each once, in order of first mention (EOD-1-01, EOD-1-02).

    Raises:
        UnknownDestination: a name is neither a queue nor a list.
    """
    queue_names: dict[str, None] = {}
    opened_lists: set[str] = set()
    waiting = [*destination][::-1]
    while waiting:
        name = waiting.pop()
        if name in network.queues:
            queue_names[name] = None
        elif name not in network.lists:
            raise UnknownDestination(f"{name!r} is not a queue and no distribution list; declare it as one of them")
        elif name not in opened_lists:  # a list may hold itself
            opened_lists.add(name)
            waiting += network.lists[name][::-1]
    return tuple(queue_names)


def mentions(network: Network, destination: Iterable[str], within: frozenset[str] = frozenset()) -> Counter[str]:
    """Return how often a destination names each queue, itself and through its lists (register EOD-31).

    Args:
        network: knows queues and lists.
        destination: elements of the format name.
        within: lists that are being opened; a list may hold itself, and is opened once on each way to it.
    """
    named: Counter[str] = Counter()
    for name in destination:
        if name in network.queues:
            named[name] += 1
        elif name not in within:
            named += mentions(network, network.lists[name], within | {name})
    return named


def commit(network: Network, sends: Iterable[Send]) -> tuple[Network, bool]:
    """Put the copies of a whole transaction into the outgoing queues, or none of them (EOD-1-02, EOD-1-03).

    Returns:
        The network afterwards, and whether the transaction committed.
    """
    outgoing = dict(network.outgoing)
    for send in sends:
        for name in targets(network, send.destination):
            # One queue takes back what all sends of the transaction have put anywhere (page, section 1).
            if name in network.failing:
                return network, False
            outgoing[name] = (*outgoing.get(name, ()), Copy(send.message, send.administration_queue))
    return replace(network, outgoing=outgoing), True


def deliver(network: Network) -> Network:
    """Let every waiting copy reach its computer (EOD-1-05 to EOD-1-08)."""
    for name, copies in network.outgoing.items():
        for copy in copies:
            network = _arrived(network, network.queues[name], copy)
    return replace(network, outgoing={})


def _arrived(network: Network, queue: Queue, copy: Copy) -> Network:
    if queue.transactional:
        return replace(network, delivered=_with(network.delivered, queue.name, copy))
    # In the dead-letter queue of the computer that refused it, not of the sender (page, section 1).
    refused = replace(network, dead_letters=_with(network.dead_letters, queue.machine, copy))
    if copy.administration_queue is None:
        return refused
    acknowledgment = NegativeAcknowledgment(copy.message, queue.name)
    already = network.acknowledgments.get(copy.administration_queue, ())
    return replace(
        refused, acknowledgments={**network.acknowledgments, copy.administration_queue: (*already, acknowledgment)}
    )


def _with(contents: Contents, place: str, copy: Copy) -> Contents:
    return {**contents, place: (*contents.get(place, ()), copy)}


EMPTY = Network(queues={})


class UnknownTransaction(Exception):
    """An operation names a transaction that was not begun or is over."""


class TransactionalSends:
    """Sends to many destinations, one method for each operation of role ``transaction``."""

    def __init__(self) -> None:
        self.network = EMPTY
        self.open: dict[int, list[Send]] = {}
        """What each transaction has sent that is not over."""
        self._begun = 0
        self.memory: set[Any] = set()
        """What changed rules remember besides; by the rules of the text there is nothing."""

    def configure(self, queues: list[Answer], lists: list[Answer] | None = None) -> Answer:
        """Start afresh with target queues and distribution lists."""
        self.reset()
        self.network = Network(
            {queue["name"]: Queue(queue["name"], queue["machine"], queue["transactional"]) for queue in queues},
            {listing["name"]: tuple(listing["elements"]) for listing in lists or ()},
        )
        return {}

    def begin(self) -> Answer:
        """Begin a transaction."""
        self._begun += 1
        self.open[self._begun] = []
        return {"transaction": self._begun}

    def send(
        self, transaction: int, message: str | int, destination: list[str], administration_queue: str | None = None
    ) -> Answer:
        """Send within a transaction; nothing goes out before it commits."""
        self._sends(transaction).append(Send(message, tuple(destination), administration_queue))
        return {}

    def commit(self, transaction: int) -> Answer:
        """End a transaction: all its copies go out, or none (page, section 1)."""
        sends = self._sends(transaction)
        del self.open[transaction]
        self.network, committed = self.put(self.network, sends)
        return {"committed": committed}

    def abort(self, transaction: int) -> Answer:
        """End a transaction with nothing sent."""
        self._sends(transaction)
        del self.open[transaction]
        return {}

    def fail_queue(self, queue: str, failing: bool) -> Answer:  # noqa: FBT001 (a field of the protocol)
        """Let an outgoing queue take no copies, or heal it."""
        failed = self.network.failing - {queue} | ({queue} if failing else set())
        self.network = replace(self.network, failing=frozenset(failed))
        return {}

    def deliver(self) -> Answer:
        """Let every waiting copy reach its computer (page, section 1)."""
        self.network = self.arrive(self.network)
        return {}

    def state(self) -> Answer:
        """Show where the copies are."""
        acknowledgments_by_place = {
            place: [
                {"message": acknowledgment.message, "queue": acknowledgment.queue, "class": acknowledgment.reason}
                for acknowledgment in acknowledgments
            ]
            for place, acknowledgments in self.network.acknowledgments.items()
        }
        return {
            "outgoing": _messages_by_place(self.network.outgoing),
            "queues": _messages_by_place(self.network.delivered),
            "dead_letters": _messages_by_place(self.network.dead_letters),
            "acknowledgments": acknowledgments_by_place,
        }

    def reset(self) -> None:
        """Reset to the initial state."""
        self.network = EMPTY
        self.open = {}
        self._begun = 0
        self.memory = set()

    # What follows is what faults change.

    def put(self, network: Network, sends: Iterable[Send]) -> tuple[Network, bool]:
        """Return the network after the commit of a transaction, and whether it committed."""
        return commit(network, sends)

    def arrive(self, network: Network) -> Network:
        """Return the network after every waiting copy arrived."""
        return deliver(network)

    def _sends(self, name: int) -> list[Send]:
        try:
            return self.open[name]
        except KeyError:
            raise UnknownTransaction(f"transaction {name} is not open; call transaction.begin first") from None


def _messages_by_place(contents: Contents) -> Answer:
    return {place: [copy.message for copy in copies] for place, copies in contents.items() if copies}
