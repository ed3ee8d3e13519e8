"""Sending within transactions to several destinations, and the computers that host the target queues."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

Name = str | int


@dataclass(frozen=True)
class TargetQueue:
    """A queue that messages are sent to, and the computer that hosts it."""

    name: str
    machine: str
    transactional: bool


@dataclass(frozen=True)
class Sent:
    """A message and where the sender wants to hear of it."""

    message: Name
    administration_queue: str | None


@dataclass(frozen=True)
class NegativeAcknowledgment:
    """What an administration queue receives about a message that a queue refused."""

    message: Name
    queue: str


@dataclass
class Transaction:
    """Copies for outgoing queues that nobody sees before the commit."""

    copies: list[tuple[str, Sent]] = field(default_factory=list)
    doomed: bool = False


class QueueManager:
    """The sending queue manager together with its targets, so that what became of a message can be seen."""

    def __init__(self, queues: Iterable[TargetQueue] = (), lists: Mapping[str, Sequence[str]] | None = None) -> None:
        self.outgoing: dict[str, list[Sent]] = {}
        self.received: dict[str, list[Name]] = {}
        self.dead_letters: dict[str, list[Name]] = {}
        self.acknowledgments: dict[str, list[NegativeAcknowledgment]] = {}
        self._targets = {queue.name: queue for queue in queues}
        self._lists = dict(lists or {})
        self._failing: set[str] = set()
        self._transactions: dict[int, Transaction] = {}
        self._begun = 0

    def begin(self) -> int:
        """A new transaction."""
        self._begun += 1
        self._transactions[self._begun] = Transaction()
        return self._begun

    def send(
        self, transaction: int, message: Name, destination: Sequence[str], administration_queue: str | None
    ) -> None:
        """One copy for each outgoing queue that the destination leads to; one that fails dooms the transaction."""
        open_transaction = self._open(transaction)
        queues = self._queues_of(destination)
        open_transaction.doomed |= not self._failing.isdisjoint(queues)
        open_transaction.copies += [(queue, Sent(message, administration_queue)) for queue in queues]

    def commit(self, transaction: int) -> bool:
        """Whether the transaction committed: all copies go out, or none does."""
        ending = self._open(transaction)
        del self._transactions[transaction]
        if ending.doomed or any(queue in self._failing for queue, _sent in ending.copies):
            return False
        for queue, sent in ending.copies:
            self.outgoing.setdefault(queue, []).append(sent)
        return True

    def abort(self, transaction: int) -> None:
        """Forget the transaction and its copies."""
        self._open(transaction)
        del self._transactions[transaction]

    def fail_queue(self, queue: str, *, failing: bool) -> None:
        """Let an outgoing queue refuse copies, or heal it."""
        if failing:
            self._failing.add(queue)
        else:
            self._failing.discard(queue)

    def deliver(self) -> None:
        """Every waiting copy reaches its computer."""
        waiting, self.outgoing = self.outgoing, {}
        for queue, copies in waiting.items():
            for sent in copies:
                self._arrive(self._targets[queue], sent)

    def _arrive(self, target: TargetQueue, sent: Sent) -> None:
        """A transactional queue takes the message; any other rejects it, and the sender is told."""
        if target.transactional:
            self.received.setdefault(target.name, []).append(sent.message)
            return
        self.dead_letters.setdefault(target.machine, []).append(sent.message)
        if sent.administration_queue is not None:
            refusals = self.acknowledgments.setdefault(sent.administration_queue, [])
            refusals.append(NegativeAcknowledgment(sent.message, target.name))

    def _open(self, transaction: int) -> Transaction:
        if transaction not in self._transactions:
            raise ValueError(f"there is no open transaction {transaction}")
        return self._transactions[transaction]

    def _queues_of(self, destination: Sequence[str]) -> list[str]:
        """The queues behind names of queues and lists, each once, in the order in which they come up."""
        queues: dict[str, None] = {}
        seen: set[str] = set()
        names = list(reversed(destination))
        while names:
            name = names.pop()
            if name in seen:
                continue
            seen.add(name)
            if name in self._lists:
                names += reversed(self._lists[name])
            elif name in self._targets:
                queues[name] = None
            else:
                raise ValueError(f"there is neither a queue nor a list {name!r}")
        return list(queues)
