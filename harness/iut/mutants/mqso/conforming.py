"""Queue managers that conform otherwise: each follows another reading than the reference at one open place."""

import random
from collections.abc import Iterator
from functools import partial

from mqconform.harness.iut.mutants.mutant import Mutant
from mqconform.harness.iut.reference_iut.choosers import Chooser, Result, least_convenient, most_usual, text_of
from mqconform.harness.iut.reference_iut.queue_manager import ReferenceQueueManager
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice
from mqconform.reference.mqso import readings
from mqconform.reference.mqso.elements import HOUR, SECOND
from mqconform.reference.mqso.events import Committed, Failed, Got
from mqconform.reference.mqso.queue_manager import QueueManager
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


def _mutant(name: str, says: str, *preferred: Choice, breaks: tuple[str, ...] = ()) -> Mutant:
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


MUTANTS = (
    _mutant("waits-no-time", "A receive without a wait ends like a receive that timed out.",
        readings.NothingToWaitFor.WAITS_NO_TIME),
    _mutant("opens-what-is-missing", "A queue that is not there is opened to receive, and the receive fails.",
        readings.MissingToReceive.OPENED),
    _mutant("time-to-reach-goes-on", "The time to reach its queue goes on for a message that is there.",
        readings.TimeToReach.GOES_ON),
    _mutant("cursor-begins-at-the-first", "A new cursor that is moved on comes to the second message.",
        readings.NextOfNew.THE_SECOND),
    _mutant("cursor-has-to-be-read", "A new cursor cannot be moved on before it was read.", readings.NextOfNew.REFUSED),
    _mutant("cursor-at-the-following", "A cursor whose message is gone stands at what followed it.",
        readings.CursorOfGone.AT_THE_FOLLOWING),
    _mutant("keeps-handles", "Handles are of use after a restart.", readings.HandlesAfterRestart.KEPT),
    _mutant("forgets-readers", "Waiting readers get no answer at a stop.", readings.ReadersAtStop.FORGOTTEN),
    _mutant("keeps-express-letters", "Copies and dead letters of express messages outlive a restart.",
        readings.ExpressLetters.KEPT),
    _mutant("readers-wait-on", "Who waits at a stop waits on after the start.", readings.ReadersAtStop.GO_ON),
    _mutant("refuses-later", "What a queue cannot take is refused after the send.",
        readings.WrongKindOfQueue.REFUSED_LATER, readings.NoRoom.REFUSED_LATER,
        readings.NoRoomWithin.REFUSED_LATER),
    _mutant("refuses-at-the-commit", "What a queue cannot take of a transaction is refused when that commits.",
        readings.NoRoomWithin.REFUSED_LATER, readings.RefusalWithin.AT_COMMIT),
    _mutant("looks-for-room-at-commits", "Whether there is room for what a transaction sends is seen at its commit.",
        readings.NoRoomWithin.ROOM_AT_COMMIT),
    _mutant("waits-end-with-transaction", "The wait of who waits in a transaction ends with it.",
        readings.ReaderOfEnded.AT_ONCE),
    _mutant("keeps-reports", "Acknowledgments outlive a restart.", readings.ReportsAtRestart.KEPT),
    _mutant("purge-takes-locked", "A purge takes what transactions have received.", readings.Purging.TAKES_LOCKED),
    _mutant("purge-spares-locked",
        "A purge keeps messages that transactions have received, and acknowledges the rest negatively on request.",
        readings.Purging.SPARES_LOCKED, readings.PurgeReports.NEGATIVE),
    _mutant("removed-are-dead-letters",
        "What is purged or deleted with its queue is a dead letter, where its sender asked for that.",
        readings.PurgedLetters.KEPT, readings.DeletedLetters.KEPT),
    _mutant("sees-own-sends", "A transaction receives what it has sent itself.", readings.OwnSends.SEEN),
    _mutant("send-order", "Messages of transactions keep the order of their sends.", readings.Order.OF_SENDS),
    _mutant("expires-when-touched", "A message whose time is up leaves when its queue is looked at.",
        readings.Expiry.WHEN_TOUCHED),
    _mutant("deleted-in-time", "Readers of a deleted queue get their answer when their wait ends.",
        readings.ReaderOfDeleted.IN_ITS_TIME),
    _mutant("express-in-memory", "A full store does not matter to express messages.", readings.FullStore.TAKES_EXPRESS),
    _mutant("keeps-unasked", "A transactional message that times out is a dead letter, asked or not.",
        readings.UnaskedDeadLetter.KEPT),
    _mutant("dead-letters-by-timers", "What is refused after its send is not a dead letter, asked or not.",
        readings.DeadLetterCause.TIMERS_ONLY, readings.WrongKindOfQueue.REFUSED_LATER, readings.NoRoom.REFUSED_LATER,
        readings.NoRoomWithin.REFUSED_LATER),
    Mutant("queue-reports-of-commits-in-another-order",
        "Of what a commit tells of several queues the last comes first.",
        RoleName.QUEUE_MANAGER, partial(ReferenceQueueManager, None, _last_report_first)),
    _mutant("timer-from-commit", "Time to be received runs from the commit.", readings.TimerOfUnseen.FROM_COMMIT),
    _mutant("locked-expires", "What a transaction has received leaves its queue when its time is up.",
        readings.TimerOfLocked.GOES_ON),
    _mutant("journals-on-send", "The journal has what was sent, also where the queue refuses it later.",
        readings.Journaling.ON_SEND, readings.WrongKindOfQueue.REFUSED_LATER, readings.NoRoom.REFUSED_LATER,
        readings.NoRoomWithin.REFUSED_LATER),
    _mutant("journal-of-received", "The journal has what was received.", readings.Journaling.ON_RECEIVE),
    _mutant("all-transactions-fail-without-coordinator",
        "Transactions of both kinds fail while the coordinator is lost.",
        readings.InternalWhileLost.FAIL),
    _mutant("internal-aborted-when-lost", "The loss of the coordinator aborts internal transactions.",
        readings.PendingInternal.ABORTED),
    _mutant("full-store-keeps", "Nothing stored is received from a full store.", readings.ReceivesWhileFull.FAIL),
    _mutant("deletion-tells", "A deletion sends the requested negative acknowledgments.",
        readings.DeletionReports.NEGATIVE),
    _mutant("throttled-blocks", "A send waits for the end of throttling.", readings.WhileThrottled.BLOCKS),
    _mutant("rejects-senders-later", "What is rejected for its sender is refused after the send.",
        readings.RejectedSender.REFUSED_LATER),
    _mutant("altered-unauthenticated",
        "A message that was altered after it was signed is delivered as unauthenticated.",
        readings.BrokenSignature.DELIVERED),
    _mutant("delivers-in-spite", "A queue that wants authenticated senders has all messages.",
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
    _mutant("first-timer-of-a-transaction", "All messages of a transaction have the time to be received of the first.",
        readings.TimersOfTransaction.OF_THE_FIRST, breaks=("MQSO-5.1.1.3-04",)),
    _mutant("receives-outside-a-transaction", "A transactional queue is received from without a transaction.",
        readings.OutsideTransactions.RECEIVED, breaks=("MQSO-3.2.1-07",)),
    _mutant("rejects-unsigned", "A message without signature or identity is rejected, wanted or not.",
        readings.UnverifiedSender.REFUSED),
    _mutant("unknown-rejected", "A message of a sender whom the directory does not know is rejected, wanted or not.",
        readings.UnknownSender.REFUSED),
)  # fmt: skip
