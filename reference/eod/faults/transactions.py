"""Queue managers that send wrongly to many destinations within a transaction (page, section 1)."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

from mqconform.reference.eod.elements import Answer
from mqconform.reference.eod.sender import Message
from mqconform.reference.eod.transaction import Network, Send, TransactionalSends, commit, deliver, mentions, targets
from mqconform.reference.fault import altered, row

fault = partial(row, "EOD")
replaced = partial(altered, TransactionalSends)

Committed = tuple[Network, bool]
Destination = tuple[str, ...]
SENDER = "sender"


def _with_commit(put: Callable[[Network, Iterable[Send]], Committed]) -> type[TransactionalSends]:
    """Return the queue manager with another commit."""
    return altered(TransactionalSends, put=lambda self, network, sends: put(network, sends))


def _with_delivery(arrive: Callable[[Network, Network], Network]) -> type[TransactionalSends]:
    """Return the queue manager with another delivery, made of the network before and after the right one."""
    return altered(TransactionalSends, arrive=lambda self, network: arrive(network, deliver(network)))


def _with_targets(reached: Callable[[Network, Destination], Iterable[str]]) -> type[TransactionalSends]:
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


def _latest_first(network: Network, sends: Iterable[Send]) -> Committed:
    after, committed = commit(replace(network, outgoing={}), sends)
    waiting = {**network.outgoing, **after.outgoing}
    outgoing = {name: (*after.outgoing.get(name, ()), *network.outgoing.get(name, ())) for name in waiting}
    return replace(after, outgoing=outgoing), committed


def _heals_every_queue(self: TransactionalSends, queue: str, failing: bool) -> Answer:  # noqa: FBT001 (a field of the protocol)
    failed = self.network.failing | {queue} if failing else frozenset[str]()
    self.network = replace(self.network, failing=frozenset(failed))
    return {}


def _with_refusal(refused: Callable[[set[bool]], bool]) -> type[TransactionalSends]:
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


def _to_what_works(
    self: TransactionalSends, transaction: int, message: Message, destination: list[str], *sent: Any, **more: Any
) -> Answer:
    working = [name for name in targets(self.network, destination) if name not in self.network.failing]
    return TransactionalSends.send(self, transaction, message, working, *sent, **more)


def _with_the_last(self: TransactionalSends, transaction: int, *sent: Any, **more: Any) -> Answer:
    return TransactionalSends.send(self, max(self.open), *sent, **more)


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


def _fails_the_first_alike(self: TransactionalSends, queue: str, failing: bool) -> Answer:  # noqa: FBT001
    alike = [name for name in self.network.queues if name[: len(name) // 2] == queue[: len(queue) // 2]]
    return TransactionalSends.fail_queue(self, alike[0], failing)


def _keeping(kept: slice) -> type[TransactionalSends]:
    """Return the queue manager whose dead-letter queues keep some copies."""
    return _with_delivery(
        lambda _, after: replace(after, dead_letters={place: some[kept] for place, some in after.dead_letters.items()})
    )


# Laid out as a table: name, what it breaks, what it does, the changed rule.
FAULTS = (
    fault("transaction-first-element-only", "1-01 1-02", "Only the first element of a format name is reached.",
        _with_targets(lambda network, destination: targets(network, destination[:1]))),
    fault("transaction-lists-ignored", "1-01", "Distribution lists lead nowhere.",
        _with_targets(lambda network, destination: [name for name in destination if name in network.queues])),
    fault("transaction-nested-lists-ignored", "1-01", "Lists within lists lead nowhere.", _with_targets(_opened_once)),
    fault("transaction-acknowledges-once", "1-08", "Of each queue an administration queue is told once.",
        _with_delivery(lambda before, after: replace(after, acknowledgments={
            place: tuple({told.queue: told for told in all_told}.values())
            for place, all_told in after.acknowledgments.items()}))),
    fault("transaction-transactional-only", "1-05 1-04", "Nontransactional targets are left out.",
        _with_targets(_transactional_alone)),
    fault("transaction-named-twice-left-out", "1-02", "A queue that is named twice gets no copy.",
        _with_targets(_named_once)),
    fault("transaction-keeps-to-the-send", "1-03", "A copy is missing whose queue took none when the message was sent.",
        replaced(send=_to_what_works)),
    fault("transaction-one-at-a-time", "1-03", "What is sent goes with the transaction that was begun last.",
        replaced(send=_with_the_last)),
    fault("transaction-refuses-mixed", "1-04", "A transaction with transactional and nontransactional targets aborts.",
        _with_refusal(lambda transactional: len(transactional) > 1)),
    fault("transaction-refuses-nontransactional", "1-05", "A transaction with a nontransactional target aborts.",
        _with_refusal(lambda transactional: False in transactional)),
    fault("transaction-sends-the-rest", "1-03", "If one copy cannot be sent the others are sent all the same.",
        _with_commit(_sends_the_rest)),
    fault("transaction-stops-halfway", "1-03", "A transaction that aborts leaves the copies that were sent before.",
        _with_commit(_stops_halfway)),
    fault("transaction-takes-everything-in", "1-06", "A nontransactional queue takes the copy in.",
        _with_delivery(_takes_everything_in)),
    fault("transaction-refused-goes-home", "1-07",
        "The refused copy goes to the dead-letter queue of the sender's computer.", _with_delivery(_refused_goes_home)),
    fault("transaction-refused-is-dropped", "1-07", "The refused copy is gone.",
        _with_delivery(lambda before, after: replace(after, dead_letters={}))),
    fault("transaction-refusal-not-told", "1-08", "Refusals are not acknowledged.",
        _with_delivery(lambda before, after: replace(after, acknowledgments={}))),
    fault("transaction-refusal-without-reason", "1-08", "The acknowledgment of a refusal does not name the reason.",
        _with_delivery(_names_other_reason)),
    fault("transaction-delivers-again", "1-02", "Delivered copies go on waiting in the outgoing queue.",
        _with_delivery(lambda before, after: replace(after, outgoing=before.outgoing))),
    fault("transaction-latest-first", "2-02", "What was committed last waits before what was committed earlier.",
        _with_commit(_latest_first)),
    fault("transaction-heals-every-queue", "1-03", "Once one queue works again all are taken to.",
        replaced(fail_queue=_heals_every_queue)),
    fault("transaction-last-first", "1-02", "The messages of a transaction go out with the last one first.",
        _with_commit(lambda network, sends: commit(network, [*sends][::-1]))),
    fault("transaction-sixteen-elements", "1-01 1-02",
        "A format name has sixteen elements; what is behind them is left out.",
        _with_targets(lambda network, destination: targets(network, destination[:16]))),
    fault("transaction-fails-the-first-alike", "1-03",
        "Of the queues whose names begin alike it is the first that takes no copies.",
        replaced(fail_queue=_fails_the_first_alike)),
    fault("transaction-sixteen-dead-letters", "1-07", "A dead-letter queue keeps sixteen copies.",
        _keeping(slice(16))),
    fault("transaction-one-dead-letter", "1-07", "A dead-letter queue keeps the last refused copy only.",
        _keeping(slice(-1, None))),
)  # fmt: skip
