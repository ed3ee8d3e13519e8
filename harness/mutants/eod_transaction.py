"""Queue managers that send wrongly to many destinations within a transaction (page, section 1)."""

from collections.abc import Iterable
from dataclasses import replace

from mqconform.harness.builtin.transaction import ReferenceTransaction
from mqconform.harness.mutants.eod_mutant import transacting
from mqconform.reference.eod import transaction
from mqconform.reference.eod.transaction import Copy, Network, Send, targets

Committed = tuple[Network, bool]
SENDER = "sender"


class Reaching(ReferenceTransaction):
    """Copies go to other queues than they should."""

    def put(self, network: Network, sends: Iterable[Send]) -> Committed:
        """Send to what is reached."""
        return super().put(network, [replace(one, destination=self.reached(network, one)) for one in sends])

    def reached(self, network: Network, send: Send) -> tuple[str, ...]:
        """Return the queues that a send leads to."""
        return targets(network, send.destination)


class FirstElementOnly(Reaching):
    """Only the first element of a format name is reached."""

    def reached(self, network: Network, send: Send) -> tuple[str, ...]:
        """Leave the others out."""
        return targets(network, send.destination[:1])


class ListsIgnored(Reaching):
    """Distribution lists lead nowhere."""

    def reached(self, network: Network, send: Send) -> tuple[str, ...]:
        """Leave lists out."""
        return tuple(one for one in send.destination if one in network.queues)


class NestedListsIgnored(Reaching):
    """Lists within lists lead nowhere."""

    def reached(self, network: Network, send: Send) -> tuple[str, ...]:
        """Open lists once."""
        opened = [inner for name in send.destination for inner in network.lists.get(name, (name,))]
        return tuple(dict.fromkeys(one for one in opened if one in network.queues))


class TransactionalOnly(Reaching):
    """Nontransactional targets are left out."""

    def reached(self, network: Network, send: Send) -> tuple[str, ...]:
        """Leave them out."""
        return tuple(name for name in targets(network, send.destination) if network.queues[name].transactional)


class OneCopyPerMention(ReferenceTransaction):
    """A queue that is named twice gets two copies."""

    def put(self, network: Network, sends: Iterable[Send]) -> Committed:
        """Send each element by itself."""
        several = [replace(one, destination=(name,)) for one in sends for name in one.destination]
        return super().put(network, several)


class RefusesMixed(ReferenceTransaction):
    """A transaction with transactional and nontransactional targets aborts."""

    def put(self, network: Network, sends: Iterable[Send]) -> Committed:
        """Abort."""
        sends = [*sends]
        for one in sends:
            kinds = {network.queues[name].transactional for name in targets(network, one.destination)}
            if len(kinds) > 1:
                return network, False
        return super().put(network, sends)


class RefusesNontransactional(ReferenceTransaction):
    """A transaction with a nontransactional target aborts."""

    def put(self, network: Network, sends: Iterable[Send]) -> Committed:
        """Abort."""
        sends = [*sends]
        reached = {name for one in sends for name in targets(network, one.destination)}
        if not all(network.queues[name].transactional for name in reached):
            return network, False
        return super().put(network, sends)


class SendsTheRest(ReferenceTransaction):
    """If one copy cannot be sent the others are sent all the same."""

    def put(self, network: Network, sends: Iterable[Send]) -> Committed:
        """Leave out what fails."""
        working = [
            replace(one, destination=tuple(set(targets(network, one.destination)) - network.failing)) for one in sends
        ]
        return super().put(network, [one for one in working if one.destination])


class StopsHalfway(ReferenceTransaction):
    """A transaction that aborts leaves the copies that were sent before."""

    def put(self, network: Network, sends: Iterable[Send]) -> Committed:
        """Send one copy after the other, and leave off at the first that fails."""
        for one in sends:
            for name in targets(network, one.destination):
                network, committed = super().put(network, [replace(one, destination=(name,))])
                if not committed:
                    return network, False
        return network, True


class TakesEverythingIn(ReferenceTransaction):
    """A nontransactional queue takes the copy in."""

    def arrive(self, network: Network) -> Network:
        """Take every queue for a transactional one."""
        transactional = {name: replace(one, transactional=True) for name, one in network.queues.items()}
        return replace(super().arrive(replace(network, queues=transactional)), queues=network.queues)


class RefusedGoesHome(ReferenceTransaction):
    """The refused copy goes to the dead-letter queue of the sender's computer."""

    def arrive(self, network: Network) -> Network:
        """Gather all dead letters there."""
        after = super().arrive(network)
        gathered = tuple(copy for copies in after.dead_letters.values() for copy in copies)
        return replace(after, dead_letters={SENDER: gathered} if gathered else {})


class RefusedIsDropped(ReferenceTransaction):
    """The refused copy is gone."""

    def arrive(self, network: Network) -> Network:
        """Keep no dead letter."""
        return replace(super().arrive(network), dead_letters={})


class RefusalIsNotTold(ReferenceTransaction):
    """Nobody is told of a refusal."""

    def arrive(self, network: Network) -> Network:
        """Send no acknowledgment."""
        return replace(super().arrive(network), acknowledgments={})


class RefusalWithoutReason(ReferenceTransaction):
    """The acknowledgment of a refusal does not name the reason."""

    def arrive(self, network: Network) -> Network:
        """Name another."""
        after = super().arrive(network)
        told = {
            place: tuple(replace(one, reason="refused") for one in several)
            for place, several in after.acknowledgments.items()
        }
        return replace(after, acknowledgments=told)


class DeliversAgain(ReferenceTransaction):
    """Delivered copies go on waiting in the outgoing queue."""

    def arrive(self, network: Network) -> Network:
        """Keep them."""
        return replace(super().arrive(network), outgoing=network.outgoing)


class AbortSends(ReferenceTransaction):
    """A transaction that is aborted sends its messages all the same."""

    def abort(self, transaction: int) -> dict[str, object]:
        """Commit it."""
        self.commit(transaction)
        return {}


class LastFirst(ReferenceTransaction):
    """The messages of a transaction go out with the last one first."""

    def put(self, network: Network, sends: Iterable[Send]) -> Committed:
        """Turn them round."""
        return transaction.commit(network, [*sends][::-1])


class OneDeadLetter(ReferenceTransaction):
    """A dead-letter queue keeps the last refused copy only."""

    def arrive(self, network: Network) -> Network:
        """Drop the others."""
        after = super().arrive(network)
        last: dict[str, tuple[Copy, ...]] = {place: copies[-1:] for place, copies in after.dead_letters.items()}
        return replace(after, dead_letters=last)


MUTANTS = (
    transacting("transaction-first-element-only", FirstElementOnly, "EOD-1-01", "EOD-1-02"),
    transacting("transaction-lists-ignored", ListsIgnored, "EOD-1-01"),
    transacting("transaction-nested-lists-ignored", NestedListsIgnored, "EOD-1-01"),
    transacting("transaction-transactional-only", TransactionalOnly, "EOD-1-05", "EOD-1-04"),
    transacting("transaction-one-copy-per-mention", OneCopyPerMention, "EOD-1-02"),
    transacting("transaction-refuses-mixed", RefusesMixed, "EOD-1-04"),
    transacting("transaction-refuses-nontransactional", RefusesNontransactional, "EOD-1-05"),
    transacting("transaction-sends-the-rest", SendsTheRest, "EOD-1-03"),
    transacting("transaction-stops-halfway", StopsHalfway, "EOD-1-03"),
    transacting("transaction-takes-everything-in", TakesEverythingIn, "EOD-1-06"),
    transacting("transaction-refused-goes-home", RefusedGoesHome, "EOD-1-07"),
    transacting("transaction-refused-is-dropped", RefusedIsDropped, "EOD-1-07"),
    transacting("transaction-refusal-not-told", RefusalIsNotTold, "EOD-1-08"),
    transacting("transaction-refusal-without-reason", RefusalWithoutReason, "EOD-1-08"),
    transacting("transaction-delivers-again", DeliversAgain, "EOD-1-02"),
    transacting("transaction-abort-sends", AbortSends, "EOD-1-03"),
    transacting("transaction-last-first", LastFirst, "EOD-1-02"),
    transacting("transaction-one-dead-letter", OneDeadLetter, "EOD-1-07"),
)
