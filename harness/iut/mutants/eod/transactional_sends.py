"""Queue managers that send wrongly to many destinations within a transaction (page, section 1)."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import Mutant, altered
from mqconform.harness.iut.reference_iut.transaction import ReferenceTransaction
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod.transaction import Network, Send, commit, deliver, mentions, targets

Committed = tuple[Network, bool]
Destination = tuple[str, ...]
SENDER = "sender"

_transaction = partial(Mutant, role=RoleName.TRANSACTION)


def _with_commit(put: Callable[[Network, Iterable[Send]], Committed]) -> type[ReferenceTransaction]:
    """Return the queue manager with another commit."""
    return altered(ReferenceTransaction, put=lambda self, network, sends: put(network, sends))


def _with_delivery(arrive: Callable[[Network, Network], Network]) -> type[ReferenceTransaction]:
    """Return the queue manager with another delivery, made of the network before and after the right one."""
    return altered(ReferenceTransaction, arrive=lambda self, network: arrive(network, deliver(network)))


def _with_targets(reached: Callable[[Network, Destination], Iterable[str]]) -> type[ReferenceTransaction]:
    """Return the queue manager for which a destination leads to other queues."""
    return _with_commit(
        lambda network, sends: commit(
            network, [replace(send, destination=tuple(reached(network, send.destination))) for send in sends]
        )
    )


def _opened_once(network: Network, destination: Destination) -> Iterable[str]:
    elements = [element for name in destination for element in network.lists.get(name, (name,))]
    return dict.fromkeys(element for element in elements if element in network.queues)


def _transactional_alone(network: Network, destination: Destination) -> Iterable[str]:
    return [name for name in targets(network, destination) if network.queues[name].transactional]


def _with_refusal(refused: Callable[[set[bool]], bool]) -> type[ReferenceTransaction]:
    """Return the queue manager that aborts by whether the targets of a send are transactional."""

    def put(network: Network, sends: Iterable[Send]) -> Committed:
        sends = [*sends]
        for send in sends:
            if refused({network.queues[name].transactional for name in targets(network, send.destination)}):
                return network, False
        return commit(network, sends)

    return _with_commit(put)


def _named_once(network: Network, destination: Destination) -> Iterable[str]:
    return [name for name, count in mentions(network, destination).items() if count == 1]


class _LosesWhatFailed(ReferenceTransaction):
    def send(
        self, transaction: int, message: str | int, destination: list[str], administration_queue: str | None = None
    ) -> Json:
        working = [name for name in targets(self.network, destination) if name not in self.network.failing]
        return super().send(transaction, message, working, administration_queue)


def _sends_with_the_last(
    self: ReferenceTransaction,
    transaction: int,
    message: str | int,
    destination: list[str],
    administration_queue: str | None = None,
) -> Json:
    return ReferenceTransaction.send(self, max(self.open), message, destination, administration_queue)


def _sends_the_rest(network: Network, sends: Iterable[Send]) -> Committed:
    working = [
        replace(send, destination=tuple(set(targets(network, send.destination)) - network.failing)) for send in sends
    ]
    return commit(network, [send for send in working if send.destination])


def _stops_halfway(network: Network, sends: Iterable[Send]) -> Committed:
    for send in sends:
        for name in targets(network, send.destination):
            network, committed = commit(network, [replace(send, destination=(name,))])
            if not committed:
                return network, False
    return network, True


def _takes_everything_in(before: Network, after: Network) -> Network:
    transactional = {name: replace(queue, transactional=True) for name, queue in before.queues.items()}
    return replace(deliver(replace(before, queues=transactional)), queues=before.queues)


def _refused_goes_home(before: Network, after: Network) -> Network:
    refused = tuple(copy for copies in after.dead_letters.values() for copy in copies)
    return replace(after, dead_letters={SENDER: refused} if refused else {})


def _names_other_reason(before: Network, after: Network) -> Network:
    other = {
        place: tuple(replace(acknowledgment, reason="refused") for acknowledgment in acknowledgments)
        for place, acknowledgments in after.acknowledgments.items()
    }
    return replace(after, acknowledgments=other)


def _keeps_last_dead_letter(before: Network, after: Network) -> Network:
    return replace(after, dead_letters={place: copies[-1:] for place, copies in after.dead_letters.items()})


def _fails_the_first_alike(self: ReferenceTransaction, queue: str, failing: bool) -> Json:  # noqa: FBT001
    alike = [name for name in self.network.queues if name[: len(name) // 2] == queue[: len(queue) // 2]]
    return ReferenceTransaction.fail_queue(self, alike[0], failing)


def _keeps_sixteen_dead_letters(before: Network, after: Network) -> Network:
    del before
    return replace(after, dead_letters={machine: copies[:16] for machine, copies in after.dead_letters.items()})


# Laid out by hand, as a table: name and sentence, what is different, what it violates.
MUTANTS = (
    _transaction("transaction-first-element-only", "Only the first element of a format name is reached.",
        make=_with_targets(lambda network, destination: targets(network, destination[:1])),
        breaks=("EOD-1-01", "EOD-1-02")),
    _transaction("transaction-lists-ignored", "Distribution lists lead nowhere.",
        make=_with_targets(lambda network, destination: [name for name in destination if name in network.queues]),
        breaks=("EOD-1-01",)),
    _transaction("transaction-nested-lists-ignored", "Lists within lists lead nowhere.",
        make=_with_targets(_opened_once),
        breaks=("EOD-1-01",)),
    _transaction("transaction-transactional-only", "Nontransactional targets are left out.",
        make=_with_targets(_transactional_alone),
        breaks=("EOD-1-05", "EOD-1-04")),
    _transaction("transaction-named-twice-left-out", "A queue that is named twice gets no copy.",
        make=_with_targets(_named_once),
        breaks=("EOD-1-02",)),
    _transaction("transaction-keeps-to-the-send", "A copy is missing whose queue took none when the message was sent.",
        make=_LosesWhatFailed,
        breaks=("EOD-1-03",)),
    _transaction("transaction-one-at-a-time", "What is sent goes with the transaction that was begun last.",
        make=altered(ReferenceTransaction, send=_sends_with_the_last),
        breaks=("EOD-1-03",)),
    _transaction("transaction-refuses-mixed", "A transaction with transactional and nontransactional targets aborts.",
        make=_with_refusal(lambda transactional: len(transactional) > 1),
        breaks=("EOD-1-04",)),
    _transaction("transaction-refuses-nontransactional", "A transaction with a nontransactional target aborts.",
        make=_with_refusal(lambda transactional: False in transactional),
        breaks=("EOD-1-05",)),
    _transaction("transaction-sends-the-rest", "If one copy cannot be sent the others are sent all the same.",
        make=_with_commit(_sends_the_rest),
        breaks=("EOD-1-03",)),
    _transaction("transaction-stops-halfway", "A transaction that aborts leaves the copies that were sent before.",
        make=_with_commit(_stops_halfway),
        breaks=("EOD-1-03",)),
    _transaction("transaction-takes-everything-in", "A nontransactional queue takes the copy in.",
        make=_with_delivery(_takes_everything_in),
        breaks=("EOD-1-06",)),
    _transaction("transaction-refused-goes-home",
        "The refused copy goes to the dead-letter queue of the sender's computer.",
        make=_with_delivery(_refused_goes_home),
        breaks=("EOD-1-07",)),
    _transaction("transaction-refused-is-dropped", "The refused copy is gone.",
        make=_with_delivery(lambda before, after: replace(after, dead_letters={})),
        breaks=("EOD-1-07",)),
    _transaction("transaction-refusal-not-told", "Nobody is told of a refusal.",
        make=_with_delivery(lambda before, after: replace(after, acknowledgments={})),
        breaks=("EOD-1-08",)),
    _transaction("transaction-refusal-without-reason", "The acknowledgment of a refusal does not name the reason.",
        make=_with_delivery(_names_other_reason),
        breaks=("EOD-1-08",)),
    _transaction("transaction-delivers-again", "Delivered copies go on waiting in the outgoing queue.",
        make=_with_delivery(lambda before, after: replace(after, outgoing=before.outgoing)),
        breaks=("EOD-1-02",)),
    _transaction("transaction-last-first", "The messages of a transaction go out with the last one first.",
        make=_with_commit(lambda network, sends: commit(network, [*sends][::-1])),
        breaks=("EOD-1-02",)),
    _transaction("transaction-sixteen-elements", "A format name has sixteen elements; what is behind them is left out.",
        make=_with_targets(lambda network, destination: targets(network, destination[:16])),
        breaks=("EOD-1-01", "EOD-1-02")),
    _transaction("transaction-fails-the-first-alike",
        "Of the queues whose names begin alike it is the first that takes no copies.",
        make=altered(ReferenceTransaction, fail_queue=_fails_the_first_alike),
        breaks=("EOD-1-03",)),
    _transaction("transaction-sixteen-dead-letters", "A dead-letter queue keeps sixteen copies.",
        make=_with_delivery(_keeps_sixteen_dead_letters),
        breaks=("EOD-1-07",)),
    _transaction("transaction-one-dead-letter", "A dead-letter queue keeps the last refused copy only.",
        make=_with_delivery(_keeps_last_dead_letter),
        breaks=("EOD-1-07",)),
)  # fmt: skip
