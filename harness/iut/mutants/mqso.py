"""Mutants of queue managers: faults of the model and of what surrounds it, and what the text leaves open.

First those of one machine that follow another reading, then faulty ones, then those of several machines.
"""

import dataclasses
import random
from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from mqconform.harness.iut.interface import Json
from mqconform.harness.iut.mutants.mutant import Mutant, playing
from mqconform.harness.iut.reference_iut.choosers import Chooser, Result, least_convenient, most_usual, text_of
from mqconform.harness.iut.reference_iut.queue_manager import ONE_MACHINE, ReferenceQueueManager
from mqconform.harness.iut.reference_iut.queue_managers import ReferenceQueueManagers
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice
from mqconform.reference.fault import row, variant
from mqconform.reference.mqso import readings
from mqconform.reference.mqso.elements import HOUR, SECOND, Assurance, Cursor, MachineName, Queue, QueueName
from mqconform.reference.mqso.events import (
    Answer,
    At,
    Committed,
    Done,
    Event,
    Failed,
    Got,
    Move,
    NetworkBecomes,
    Provision,
    Receive,
    Stop,
)
from mqconform.reference.mqso.faults import FAULTS, Fault
from mqconform.reference.mqso.faults.network_fault import FaultTogether
from mqconform.reference.mqso.faults.network_faults import ALL_FAULTS_TOGETHER
from mqconform.reference.mqso.network import Network, cuts_off
from mqconform.reference.mqso.networked_queue_manager import is_far, is_public, parts_of
from mqconform.reference.mqso.queue_manager import QueueManager
from mqconform.reference.mqso.system import System
from mqconform.reference.mqso.transfers import Results
from mqconform.reference.mqso.world import World


def preferring(*preferred: Choice) -> Chooser:
    """Return a choice of results that follow some readings wherever their places are met."""

    def choose(results: list[Result]) -> Result:
        places = {type(choice) for choice in preferred}
        against = [
            (world, answer)
            for world, answer in results
            if not any(type(choice) in places and choice not in preferred for choice in world.followed)
        ]
        return most_usual(against or results)

    return choose


def _reading(name: str, says: str, *preferred: Choice, breaks: tuple[str, ...] = ()) -> Mutant:
    make = partial(ReferenceQueueManager, None, preferring(*preferred))
    return Mutant(f"queue-{name}", says, RoleName.QUEUE_MANAGER, make, breaks)


def _drawn(place: type[Choice]) -> Choice:
    """Return the reading that is drawn for a place, the same each time: a queue manager stays with one."""
    places: list[Choice] = [*place]
    permitted = [choice for choice in places if choice.reading.standing <= Standing.PERMITTED]
    return random.Random(place.__name__).choice(permitted or places)


def _by_chance(results: list[Result]) -> Result:
    stays = [result for result in results if all(followed is _drawn(type(followed)) for followed in result[0].followed)]
    return random.Random(repr(len(results))).choice(sorted(stays or results, key=text_of))


def _last_reader_first(results: list[Result]) -> Result:
    usual, answer = most_usual(results)
    alike = [result for result in results if (result[0].followed, result[1]) == (usual.followed, answer)]
    return max(alike, key=lambda result: (result[0].running, sorted(operation for operation, _ in result[0].ended)))


def _last_report_first(results: list[Result]) -> Result:
    usual, answer = most_usual(results)
    alike = [result for result in results if (result[0].followed, type(result[1])) == (usual.followed, type(answer))]
    return max(alike, key=lambda result: text_of(result[1])) if isinstance(answer, Got) else (usual, answer)


def _commits_fail(results: list[Result]) -> Result:
    ends = any(isinstance(answer, Committed) for _, answer in results)
    return most_usual([result for result in results if ends and result[1] == Failed()] or results)


class _RetriesAfter(QueueManager):
    """A queue manager that tries a failed start again by a schedule of its own."""

    def __init__(self, nanoseconds: int) -> None:
        self.nanoseconds = nanoseconds

    def retried(self, world: World) -> Iterator[World]:
        waits = world.retrying and world.now < world.repaired_at + self.nanoseconds
        later = [retry for retry in super().retried(world) if not (waits and retry.running)]
        yield later[0]


CONFORMING = (
    _reading("waits-no-time", "A receive without a wait ends like a receive that timed out.",
        readings.NothingToWaitFor.WAITS_NO_TIME),
    _reading("opens-what-is-missing", "A queue that is not there is opened to receive, and the receive fails.",
        readings.MissingToReceive.OPENED),
    _reading("time-to-reach-goes-on", "The time to reach its queue goes on for a message that is there.",
        readings.TimeToReach.GOES_ON),
    _reading("cursor-begins-at-the-first", "A new cursor that is moved on comes to the second message.",
        readings.NextOfNew.THE_SECOND),
    _reading("cursor-has-to-be-read", "A new cursor cannot be moved on before it was read.",
        readings.NextOfNew.REFUSED),
    _reading("cursor-at-the-following", "A cursor whose message is gone stands at what followed it.",
        readings.CursorOfGone.AT_THE_FOLLOWING),
    _reading("keeps-handles", "Handles are of use after a restart.", readings.HandlesAfterRestart.KEPT),
    _reading("forgets-readers", "Waiting readers get no answer at a stop.", readings.ReadersAtStop.FORGOTTEN),
    _reading("keeps-express-letters", "Copies and dead letters of express messages outlive a restart.",
        readings.ExpressLetters.KEPT),
    _reading("readers-wait-on", "Who waits at a stop waits on after the start.", readings.ReadersAtStop.GO_ON),
    _reading("refuses-later", "What a queue cannot take is refused after the send.",
        readings.WrongKindOfQueue.REFUSED_LATER, readings.NoRoom.REFUSED_LATER,
        readings.NoRoomWithin.REFUSED_LATER),
    _reading("refuses-at-the-commit", "What a queue cannot take of a transaction is refused when that commits.",
        readings.NoRoomWithin.REFUSED_LATER, readings.RefusalWithin.AT_COMMIT),
    _reading("looks-for-room-at-commits", "Whether there is room for what a transaction sends is seen at its commit.",
        readings.NoRoomWithin.ROOM_AT_COMMIT),
    _reading("waits-end-with-transaction", "The wait of who waits in a transaction ends with it.",
        readings.ReaderOfEnded.AT_ONCE),
    _reading("keeps-reports", "Acknowledgments outlive a restart.", readings.ReportsAtRestart.KEPT),
    _reading("purge-takes-locked", "A purge takes what transactions have received.", readings.Purging.TAKES_LOCKED),
    _reading("purge-spares-locked",
        "A purge keeps messages that transactions have received, and acknowledges the rest negatively on request.",
        readings.Purging.SPARES_LOCKED, readings.PurgeReports.NEGATIVE),
    _reading("removed-are-dead-letters",
        "What is purged or deleted with its queue is a dead letter, where its sender asked for that.",
        readings.PurgedLetters.KEPT, readings.DeletedLetters.KEPT),
    _reading("sees-own-sends", "A transaction receives what it has sent itself.", readings.OwnSends.SEEN),
    _reading("send-order", "Messages of transactions keep the order of their sends.", readings.Order.OF_SENDS),
    _reading("expires-when-touched", "A message whose time is up leaves when its queue is looked at.",
        readings.Expiry.WHEN_TOUCHED),
    _reading("deleted-in-time", "Readers of a deleted queue get their answer when their wait ends.",
        readings.ReaderOfDeleted.IN_ITS_TIME),
    _reading("deletion-aborts", "The deletion of a queue aborts the transactions that have messages there.",
        readings.TransactionOfDeleted.ABORTED),
    _reading("express-in-memory", "A full store does not matter to express messages.",
        readings.FullStore.TAKES_EXPRESS),
    _reading("keeps-unasked", "A transactional message that times out is a dead letter, asked or not.",
        readings.UnaskedDeadLetter.KEPT),
    _reading("dead-letters-by-timers", "What is refused after its send is not a dead letter, asked or not.",
        readings.DeadLetterCause.TIMERS_ONLY, readings.WrongKindOfQueue.REFUSED_LATER, readings.NoRoom.REFUSED_LATER,
        readings.NoRoomWithin.REFUSED_LATER),
    Mutant("queue-reports-of-commits-in-another-order",
        "Of what a commit tells of several queues the last comes first.",
        RoleName.QUEUE_MANAGER, partial(ReferenceQueueManager, None, _last_report_first)),
    _reading("timer-from-commit", "Time to be received runs from the commit.", readings.TimerOfUnseen.FROM_COMMIT),
    _reading("locked-expires", "What a transaction has received leaves its queue when its time is up.",
        readings.TimerOfLocked.GOES_ON),
    _reading("journals-on-send", "The journal has what was sent, also where the queue refuses it later.",
        readings.Journaling.ON_SEND, readings.WrongKindOfQueue.REFUSED_LATER, readings.NoRoom.REFUSED_LATER,
        readings.NoRoomWithin.REFUSED_LATER),
    _reading("journal-of-received", "The journal has what was received.", readings.Journaling.ON_RECEIVE),
    _reading("all-transactions-fail-without-coordinator",
        "Transactions of both kinds fail while the coordinator is lost.",
        readings.InternalWhileLost.FAIL),
    _reading("internal-aborted-when-lost", "The loss of the coordinator aborts internal transactions.",
        readings.PendingInternal.ABORTED),
    _reading("full-store-keeps", "Nothing stored is received from a full store.", readings.ReceivesWhileFull.FAIL),
    _reading("deletion-tells", "A deletion sends the requested negative acknowledgments.",
        readings.DeletionReports.NEGATIVE),
    _reading("throttled-blocks", "A send waits for the end of throttling.", readings.WhileThrottled.BLOCKS),
    _reading("rejects-senders-later", "What is rejected for its sender is refused after the send.",
        readings.RejectedSender.REFUSED_LATER),
    _reading("altered-unauthenticated",
        "A message that was altered after it was signed is delivered as unauthenticated.",
        readings.BrokenSignature.DELIVERED),
    _reading("delivers-in-spite", "A queue that wants authenticated senders has all messages.",
        readings.DemandedAuthentication.DELIVERED),
    Mutant("queue-last-reader-first", "Of several that wait the last gets a message.",
        RoleName.QUEUE_MANAGER, partial(ReferenceQueueManager, None, _last_reader_first)),
    Mutant("queue-commits-fail", "A commit fails without room, and where a queue of its transaction was deleted.",
        RoleName.QUEUE_MANAGER, partial(ReferenceQueueManager, None, _commits_fail)),
    Mutant("queue-retries-each-minute", "A start that failed is tried again each minute.",
        RoleName.QUEUE_MANAGER, partial(ReferenceQueueManager, _RetriesAfter(60 * SECOND))),
    Mutant("queue-retries-each-hour", "A start that failed is tried again each hour.",
        RoleName.QUEUE_MANAGER, partial(ReferenceQueueManager, _RetriesAfter(HOUR))),
    Mutant("queue-by-chance", "Every open choice is random, drawn once for each place.",
        RoleName.QUEUE_MANAGER, partial(ReferenceQueueManager, None, _by_chance)),
    Mutant("queue-least-convenient", "Every open choice is made in the least usual way.",
        RoleName.QUEUE_MANAGER, lambda: ReferenceQueueManager(choose=least_convenient(0))),
    _reading("first-timer-of-a-transaction", "All messages of a transaction have the time to be received of the first.",
        readings.TimersOfTransaction.OF_THE_FIRST, breaks=("MQSO-5.1.1.3-04",)),
    _reading("receives-outside-a-transaction", "A transactional queue is received from without a transaction.",
        readings.OutsideTransactions.RECEIVED, breaks=("MQSO-3.2.1-07",)),
    _reading("rejects-unsigned", "A message without signature or identity is rejected, wanted or not.",
        readings.UnverifiedSender.REFUSED),
    _reading("unknown-rejected", "A message of a sender whom the directory does not know is rejected, wanted or not.",
        readings.UnknownSender.REFUSED),
)  # fmt: skip


fault = partial(row, "MQSO")


class Stale(ReferenceQueueManager):
    """Calls of one kind that come together each work on the queues as they were before the others."""

    def __init__(self, method: str) -> None:
        super().__init__()
        self.method = method
        self._before = self.world

    def together(self, lanes: list[list[Json]]) -> Json:
        self._before = self.world
        return super().together(lanes)

    def call_of(self, method: str, params: Json) -> Json:
        if method == self.method:
            self.world = self._before
        return super().call_of(method, params)


class LastLaneFirst(ReferenceQueueManager):
    """Takes all calls of the last lane first."""

    def order_of(self, lengths: list[int]) -> list[int]:
        return [lane for lane in reversed(range(len(lengths))) for _ in range(lengths[lane])]


class _CursorsShowAll(QueueManager):
    """Shows by a cursor what is locked, or not yet committed."""

    def place_of(self, queue: Queue, cursor: Cursor, move: Move) -> int | None:
        visible = (replace(entry, locked_by=None, hidden_by=None) for entry in queue.entries)
        return super().place_of(replace(queue, entries=tuple(visible)), cursor, move)


class _ServesWhatWasOpen(QueueManager):
    """Goes on to receive while it is stopped."""

    def step(self, world: World, event: Event) -> frozenset[tuple[World, Answer]]:
        if world.running or not isinstance(event, Receive):
            return super().step(world, event)
        results = super().step(replace(world, running=True), event)
        return frozenset((replace(after, running=False), answer) for after, answer in results)


class HandsOutEncrypted(ReferenceQueueManager):
    """Hands out what was encrypted as it is."""

    def send(self, handle: int, message: str, assurance: str, **asked: Any) -> Json:
        """Send a message."""
        return super().send(handle, message[::-1] if asked.pop("encrypt", False) else message, assurance, **asked)


def _fault(broken: Fault) -> Mutant:
    make = partial(ReferenceQueueManager, broken.model)
    return Mutant(f"queue-{broken.name}", broken.says, RoleName.QUEUE_MANAGER, make, broken.breaks)


# Laid out as a table: name, what it breaks, what it does, the changed rule.
_AROUND_THE_MODEL = (
    fault("queue-one-message-to-two", "1.1-04 5.1.1.2-09 3.3.4.7-04",
        "Who receives at the same time gets the same message.", partial(Stale, "receive")),
    fault("queue-one-send-of-two", "3.3.4.3-07 3.3.4.8-01 5.1.1.2-09",
        "Of two who send at the same time one is lost, and what is received meanwhile stays.",
        partial(Stale, "send")),
    variant("queue-last-lane-first", "Of calls at the same time the last lane comes first.", LastLaneFirst),
    fault("queue-cursors-show-all", "3.3.4.4-01 5.1.1.3-13",
        "Who looks by a cursor is shown what transactions have locked, or have not committed.",
        partial(ReferenceQueueManager, _CursorsShowAll())),
    fault("queue-serves-what-was-open", "6.7.1-01 5.1.1.1-03 3.3.4.6-02",
        "Who had opened a queue before receives from it while the queue manager is stopped.",
        partial(ReferenceQueueManager, _ServesWhatWasOpen(), preferring(readings.HandlesAfterRestart.KEPT))),
    fault("queue-hands-out-encrypted", "5.1.1-03", "What was encrypted is handed out as it is.", HandsOutEncrypted),
)  # fmt: skip

_FAULTY = (*map(_fault, FAULTS), *playing(RoleName.QUEUE_MANAGER, _AROUND_THE_MODEL, lambda row: row.rule))


class RetriesEachMinute(ReferenceQueueManagers):
    """Tries to transfer once a minute only."""

    _tried: int

    def transfer(self) -> None:
        minute = 60 * SECOND
        if self.system is not None and self._now // minute != self._tried:
            self._tried = self._now // minute
            super().transfer()

    @property
    def _now(self) -> int:
        return 0 if self.system is None else next(iter(self.system.machines.values())).now

    def reset(self) -> None:
        super().reset()
        self._tried = 0


class AcknowledgedLate(ReferenceQueueManagers):
    """Hears of a transfer at the next call at the earliest, and not at all where that cuts it off."""

    def before(self, event: Event) -> None:
        cutting = event if cuts_off(event) else None
        while self.system is not None and (after := self.network.next_transfer(self.system, cutting)):
            best = max(map(self.rank, after))
            self.system, _ = self.choose([(system, Done()) for system in after if self.rank(system) == best])

    def rank(self, system: System) -> int:
        """Return how much of what may go wrong went wrong."""
        return len(system.unacknowledged)

    def transfer(self) -> None:
        """Let messages wait for the next call."""


class LostOnTheWay(AcknowledgedLate):
    """Loses what is on its way when its source ends."""

    def rank(self, system: System) -> int:
        return readings.SentAndUnacknowledged.LOST in system.followed


class ForgetsStreams(Network):
    """Forgets in a restart of the destination which messages of transactions it has taken."""

    def stopped(self, system: System, machine: MachineName, event: Stop) -> Results:
        to_me = {transfer for transfer in system.unacknowledged if parts_of(transfer[1])[0] == machine}
        yield from super().stopped(replace(system, unacknowledged=system.unacknowledged - to_me), machine, event)


class LosesInOutages(ReferenceQueueManagers):
    """Loses what need not be kept while the network is away."""

    def before(self, event: Event) -> None:
        if self.system is not None and isinstance(event, NetworkBecomes) and not event.cut:
            self.system = _without_what_may_be_lost(self.system)


def _without_what_may_be_lost(system: System) -> System:
    for machine, world in system.machines.items():
        left = system.at(machine)
        for name, queue in world.queues.items():
            if is_far(name) and not system.linked(machine, parts_of(name)[0]):
                transactional = [entry for entry in queue.entries if entry.message.assurance is Assurance.TRANSACTIONAL]
                left = left.with_entries(name, transactional)
        system = system.having(machine, left)
    return system


class DirectGoesOffline(Network):
    """Transfers messages with direct names while the directory is lost."""

    def has_to_transfer(self, system: System, machine: MachineName, name: QueueName) -> bool:
        return not is_public(name) or super().has_to_transfer(system, machine, name)


class GoesOnUntilItMeetsTheLoss(Network):
    """Transfers messages until it has met that the directory is lost."""

    def has_to_transfer(self, system: System, machine: MachineName, name: QueueName) -> bool:
        contact = system.machines[machine].contact
        if contact is not None and not contact.offline:
            system = self.knowing(system, machine, replace(contact, lost=False))
        return super().has_to_transfer(system, machine, name)


class GoesAroundADeadLink(Network):
    """Takes the next best way where a link of the best one is dead."""

    def next_machines(
        self, system: System, machine: MachineName, name: QueueName, *, forced: bool = False
    ) -> tuple[MachineName, ...]:
        best = super().next_machines(system, machine, name, forced=True)
        return best or super().next_machines(system, machine, name)


class TrustsAStrangeObjectLater(Network):
    """Works by the directory in the end although its object there is another's."""

    def meetings(self, system: System, *, forced: bool) -> Iterator[System]:
        yield from super().meetings(system, forced=False)


class ProvisionsWithDirectoryOnly(Network):
    """Does not provision a queue manager without directory, nor where that has another object of its name."""

    def happens(self, event: Event, system: System) -> Results:
        results = [*super().happens(event, system)]
        provisions = isinstance(event, At) and isinstance(event.event, Provision)
        failed = [result for result in results if provisions and isinstance(result[1], Failed)]
        yield from failed or results


def _faulty(fault: FaultTogether) -> Mutant:
    make = partial(ReferenceQueueManagers, fault.model)
    return Mutant(f"queues-{fault.name}", fault.says, RoleName.QUEUE_MANAGER, make, fault.breaks)


def _conforming(
    name: str,
    says: str,
    make: type[ReferenceQueueManagers] = ReferenceQueueManagers,
    *preferred: Choice,
    network: type[Network] = Network,
    breaks: tuple[str, ...] = (),
) -> Mutant:
    made = partial(make, network(), preferring(*preferred))
    return Mutant(f"queues-{name}", says, RoleName.QUEUE_MANAGER, made, breaks)


_TOGETHER = (
    *map(_faulty, ALL_FAULTS_TOGETHER),
    Mutant("queues-forgets-streams-at-restart",
        "After a restart a queue manager takes messages of transactions that it had taken before.",
        RoleName.QUEUE_MANAGER, partial(AcknowledgedLate, ForgetsStreams()), ("MQSO-3.2.1-04", "MQSO-1.1-02")),
    _conforming("retries-each-minute", "Messages are transferred once a minute.", RetriesEachMinute),
    _conforming("loses-in-outages", "What is not transactional is lost in an outage.", LosesInOutages),
    _conforming("dead-letters-where-held", "What its destination held or refused is a dead letter there.",
        ReferenceQueueManagers, readings.DeadLetterOfHeld.AT_THE_HOLDER),
    _conforming("recoverable-lost-after-sent", "What was sent and not acknowledged is lost in a restart.",
        LostOnTheWay, readings.SentAndUnacknowledged.LOST),
    _conforming("forgets-known-ids-at-restart", "After a restart a queue manager takes what it had taken before.",
        AcknowledgedLate, readings.KnownAfterRestart.FORGOTTEN),
    _conforming("direct-goes-offline", "Messages with direct names are transferred while the directory is lost.",
        network=DirectGoesOffline),
    _conforming("goes-on-until-it-meets-the-loss",
        "Messages are transferred until a queue manager has met that the directory is lost.",
        network=GoesOnUntilItMeetsTheLoss),
    _conforming("goes-around-a-dead-link", "Around a dead link a message takes another way.",
        network=GoesAroundADeadLink),
    _conforming("internal-sends-stay-here",
        "An internal transaction sends nothing to a queue of another queue manager.",
        ReferenceQueueManagers, readings.InternalSendAfar.FAILS),
    _conforming("outage-aborts-at-commit", "A commit of which a machine cannot be told is an abort.",
        ReferenceQueueManagers, readings.PartedTransaction.ABORTED_AT_COMMIT),
    _conforming("outage-aborts-at-once", "An outage aborts what reaches over it, and ends who waits beyond.",
        ReferenceQueueManagers, readings.PartedTransaction.ABORTED_AT_ONCE, readings.WaitAfar.FAILS),
    _conforming("changes-need-the-host", "A public queue cannot be changed while its host is unreachable.",
        ReferenceQueueManagers, readings.HostOutOfReach.REFUSED),
    _conforming("trusts-a-strange-object-later",
        "A queue manager whose object in the directory is another's works by the directory after a while.",
        network=TrustsAStrangeObjectLater),
    _conforming("takes-a-change-for-leaving", "A queue manager in another domain than before is in Workgroup mode.",
        ReferenceQueueManagers, readings.DomainChange.AS_LEFT),
    _conforming("waits-for-its-object", "The object of the old domain stays there until an administrator moves it.",
        ReferenceQueueManagers, readings.ObjectOfOldDomain.WAITS),
    _conforming("makes-another-object", "A queue manager that is moved makes another object of itself.",
        ReferenceQueueManagers, readings.DomainChange.MET, readings.ObjectOfOldDomain.CREATED,
        breaks=("MQSO-6.6.2.1-07",)),
    _conforming("stays-out-of-domains", "A queue manager that left its domain stays in Workgroup mode in another one.",
        ReferenceQueueManagers, readings.JoinedAgain.WORKGROUP),
    _conforming("runs-only-as-provisioned", "Provisioning without directory fails.",
        network=ProvisionsWithDirectoryOnly),
    _conforming("start-needs-the-directory", "A start without directory fails and is tried again.",
        ReferenceQueueManagers, readings.AbsentAtStart.START_FAILS),
)  # fmt: skip


_ALONE = (*_FAULTY, *CONFORMING)
"""Those that know of no other machine."""
MUTANTS = (*(dataclasses.replace(mutant, capabilities=tuple(ONE_MACHINE.offered)) for mutant in _ALONE), *_TOGETHER)
