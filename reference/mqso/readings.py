"""Ambiguous places in what a queue manager does, as choices: what the register lets it do there.

A world notes what it follows when the place is met first, and follows it from then on. What may be otherwise each time
(which of several readers gets a message, QM-04) is no choice: there a step simply has several outcomes.
"""

from typing import Final

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice

_TEXT: Final = Standing.TEXT
_PERMITTED: Final = Standing.PERMITTED
_REFUSED: Final = Standing.REFUSED


class OutsideTransactions(Choice):
    """A receive from a transactional queue without a transaction (3.2.1)."""

    REFUSED = ("QM-01", "refused", _TEXT)
    RECEIVED = ("QM-01", "received", _REFUSED)


class DeadLettersOutside(Choice):
    """A receive from the transactional dead-letter queue without a transaction (3.2.1, 6.1.1)."""

    RECEIVED = ("QM-01", "dead-letter-received", _TEXT)
    REFUSED = ("QM-01", "dead-letter-refused", _TEXT)


class NothingToWaitFor(Choice):
    """A receive with no time to wait, on a queue without messages (5.1.1.2, 3.3.4.6)."""

    FAILS_AT_ONCE = ("QM-03", "fails-at-once", _TEXT)
    WAITS_NO_TIME = ("QM-03", "waits-no-time", _TEXT)


class MissingToReceive(Choice):
    """Opening a queue to receive that is not there: no text speaks of opening (3.3.4.6)."""

    NOT_OPENED = ("QM-61", "not-opened", _TEXT)
    OPENED = ("QM-61", "opened", _TEXT)


class NextOfNew(Choice):
    """To which message a cursor comes that is moved on before it was read; no text says how it is moved (5.1.1)."""

    THE_FIRST = ("QM-62", "the-first", _TEXT)
    THE_SECOND = ("QM-62", "the-second", _TEXT)
    REFUSED = ("QM-62", "refused", _TEXT)


class CursorOfGone(Choice):
    """Where a cursor stands whose message has left its queue (5.1.1, 5.1.1.2)."""

    BEFORE_THE_FOLLOWING = ("QM-59", "before-the-following", _TEXT)
    AT_THE_FOLLOWING = ("QM-59", "at-the-following", _TEXT)


class AfterAbort(Choice):
    """Where a message is that an aborted transaction had received (3.3.4.7)."""

    AT_ITS_PLACE = ("QM-06", "at-its-place", _TEXT)
    AT_THE_END = ("QM-06", "at-the-end", _REFUSED)


class HandlesAfterRestart(Choice):
    """Whether what was opened before a restart is of use after it (5.5.1)."""

    CLOSED = ("QM-10", "handles-closed", _TEXT)
    KEPT = ("QM-10", "handles-kept", _TEXT)


class ReadersAtStop(Choice):
    """What an operation that waits is told when its queue manager stops."""

    FAIL = ("QM-10", "readers-fail", _TEXT)
    GO_ON = ("QM-10", "readers-go-on", _TEXT)
    FORGOTTEN = ("QM-10", "readers-forgotten", _TEXT)


class Retries(Choice):
    """Whether a start that failed is tried again by itself (5.1.1.1, 6.4.4.1)."""

    RETRIED = ("QM-58", "retried", _TEXT)
    UNTRIED = ("QM-58", "untried", _REFUSED)


class ReportsAtRestart(Choice):
    """Whether an acknowledgment that stands in a queue of an application is there after a restart (5.5.1, 6.1.6)."""

    LOST = ("QM-50", "lost", _TEXT)
    LIKE_THEIR_MESSAGE = ("QM-50", "kept", _TEXT, "like the message that it is about")
    KEPT = ("QM-50", "kept", _TEXT)


class ExpressLetters(Choice):
    """Whether dead letters and copies of express messages are there after a restart (5.1.1.3, 5.5.1)."""

    DISCARDED = ("QM-09", "letters-discarded", _TEXT)
    KEPT = ("QM-09", "letters-kept", _TEXT)


class ReaderOfEnded(Choice):
    """When an operation ends that waits in a transaction which ends (3.3.4.6, 3.3.4.7)."""

    GOES_ON = ("QM-49", "goes-on", _TEXT)
    AT_ONCE = ("QM-49", "ends-with-it", _TEXT)


class WrongKindOfQueue(Choice):
    """What becomes of a message that is sent to a transactional queue without a transaction (3.3.4.3)."""

    SEND_FAILS = ("QM-12", "send-fails", _TEXT)
    REFUSED_LATER = ("QM-12", "refused-later", _TEXT)


class SentAndUnacknowledged(Choice):
    """Whether a recoverable message that was sent and not acknowledged outlives a restart of its source (5.5.1)."""

    SENT_AGAIN = ("QM-07", "sent-again", _TEXT)
    LOST = ("QM-07", "lost", _TEXT)


class KnownAfterRestart(Choice):
    """Whether a queue manager knows after a restart which messages it had taken before (3.3.4.5)."""

    KNOWN = ("QM-08", "still-known", _TEXT)
    FORGOTTEN = ("QM-08", "forgotten", _TEXT)


class InternalSendAfar(Choice):
    """Whether an internal transaction sends to a queue of another queue manager (4.3.1.2, 5.2.1.3, 6.1.1)."""

    WORKS = ("QM-27", "remote-send-works", _TEXT)
    FAILS = ("QM-27", "remote-send-fails", _PERMITTED)


class DeadLetterOfHeld(Choice):
    """Whose dead-letter queue takes a message that its destination held or refused (6.1.6, 5.1.1.3)."""

    AT_THE_SOURCE = ("QM-14", "at-the-source", _TEXT)
    AT_THE_HOLDER = ("QM-14", "at-the-holder", _TEXT)


class DeadLetterCause(Choice):
    """Whether a message that asked for a dead letter and is refused, not timed out, becomes one (4.3.1.2, 5.1.1.3)."""

    ANY = ("QM-13", "any-cause", _TEXT)
    TIMERS_ONLY = ("QM-13", "timers-only", _TEXT)


class TimerOfUnseen(Choice):
    """From when a message that waits for its sender's commit has its time to be received (5.1.1.3)."""

    FROM_SEND = ("QM-15", "from-the-send", _TEXT)
    FROM_COMMIT = ("QM-15", "from-the-commit", _TEXT)


class TimerOfLocked(Choice):
    """Whether a message whose time is up leaves while a transaction has received it (5.1.1.3)."""

    LEFT_TO_TRANSACTION = ("QM-15", "locked-stays", _TEXT)
    GOES_ON = ("QM-15", "locked-expires", _TEXT)


class TimersOfTransaction(Choice):
    """Whose time to be received holds for the messages of one transaction (5.1.1.3)."""

    THEIR_OWN = ("QM-64", "their-own", _TEXT)
    OF_THE_FIRST = ("QM-64", "of-the-first", _REFUSED)


class AbsentAtStart(Choice):
    """What becomes of a start without the directory (5.5.4, 5.1.1.1, 6.6.2)."""

    WORKGROUP = ("QM-23", "workgroup", _TEXT)
    START_FAILS = ("QM-23", "start-fails", _PERMITTED)


class AfterAbsence(Choice):
    """The mode of a queue manager that was in Workgroup mode for want of the directory and is started with it."""

    INTEGRATED_AGAIN = ("QM-23", "integrated-again", _TEXT)
    WORKGROUP_FOR_GOOD = ("QM-23", "workgroup-for-good", _REFUSED)


class NewDomain(Choice):
    """Whether a queue manager has an object made in a domain that is another than before (6.6.2)."""

    REGISTERED = ("QM-56", "registered", _TEXT)
    SKIPPED = ("QM-56", "skipped", _REFUSED)


class DomainChange(Choice):
    """What a change of domains is taken for at a start (6.6.2)."""

    MET = ("QM-57", "met", _TEXT)
    AS_LEFT = ("QM-57", "as-left", _PERMITTED)


class ObjectOfOldDomain(Choice):
    """What becomes of the object of a queue manager whose machine has changed domains (6.6.2.1)."""

    MOVED = ("QM-53", "moved", _TEXT)
    WAITS = ("QM-53", "waits", _TEXT)
    CREATED = ("QM-53", "created-anew", _REFUSED)


class JoinedAgain(Choice):
    """The mode of a queue manager that had left its domain, when its machine is in one again (6.6.2)."""

    INTEGRATED = ("QM-54", "integrated", _TEXT)
    WORKGROUP = ("QM-54", "workgroup", _TEXT)


class StrangeObject(Choice):
    """How long a queue manager is without directory whose object there has another identifier (5.5.6, 6.6.2.1)."""

    UNTIL_REPAIRED = ("QM-31", "until-repaired", _TEXT)
    BY_ITSELF = ("QM-31", "by-itself", _PERMITTED)


class HostOutOfReach(Choice):
    """A public queue is created or changed while its host cannot be told (3.3.4.1, 5.5.2)."""

    DONE = ("QM-33", "host-away-done", _TEXT)
    REFUSED = ("QM-33", "host-away-refused", _TEXT)


class Journaling(Choice):
    """When a copy of a message goes to the source journal (5.1.1.2)."""

    ON_ARRIVAL = ("QM-18", "before-the-receive", _TEXT, "on arrival")
    ON_SEND = ("QM-18", "before-the-receive", _TEXT, "on send")
    ON_RECEIVE = ("QM-18", "on-receive", _TEXT)


class NoRoom(Choice):
    """What becomes of a message for which its queue has no room (5.1.1.2)."""

    SEND_FAILS = ("QM-19", "send-fails", _TEXT)
    REFUSED_LATER = ("QM-19", "refused-later", _TEXT)


class NoRoomWithin(Choice):
    """The same of one that is sent in a transaction, at whose commit it is seen first."""

    SEND_FAILS = ("QM-19", "send-fails", _TEXT, "in a transaction")
    REFUSED_LATER = ("QM-19", "refused-later", _TEXT, "in a transaction")
    ROOM_AT_COMMIT = ("QM-19", "refused-later", _TEXT, "by the room that there is at the commit")


class RefusalWithin(Choice):
    """When the sender is told of a message that is refused after its send in a transaction (3.3.4.4).

    An abort undoes the send, so that it is no occasion to tell of it.
    """

    AT_ONCE = ("QM-19", "refused-later", _TEXT, "at once")
    AT_COMMIT = ("QM-19", "refused-later", _TEXT, "at the commit")


class Purging(Choice):
    """Whether a purge takes messages that a transaction has received and not yet consumed (5.1.1.2)."""

    SPARES_LOCKED = ("QM-17", "spares-locked", _TEXT)
    TAKES_LOCKED = ("QM-17", "takes-locked", _TEXT)


class PurgeReports(Choice):
    """Whether a purge tells senders that asked for negative acknowledgments."""

    NONE = ("QM-17", "no-reports", _TEXT)
    NEGATIVE = ("QM-17", "negative-reports", _TEXT)


class PurgedLetters(Choice):
    """Whether a purge makes dead letters of the messages that asked to become one (5.1.1.2, 5.1.1.3)."""

    NONE = ("QM-17", "no-dead-letters", _TEXT)
    KEPT = ("QM-17", "dead-letters", _TEXT)


class OwnSends(Choice):
    """Whether a transaction that receives gets what it has sent itself and not committed (3.3.4.4, 4.3.1.2)."""

    UNSEEN = ("QM-60", "unseen", _TEXT)
    SEEN = ("QM-60", "seen", _TEXT)


class WhileThrottled(Choice):
    """What becomes of a send while the queue manager is throttled (5.1.1.1)."""

    REFUSED = ("QM-20", "send-refused", _TEXT)
    BLOCKS = ("QM-20", "send-blocks", _TEXT)


class BrokenSignature(Choice):
    """What becomes of a message whose signature does not fit (7.4.1.4.1)."""

    REFUSED = ("QM-37", "broken-refused", _TEXT)
    DELIVERED = ("QM-37", "broken-unauthenticated", _TEXT)


class UnknownSender(Choice):
    """What becomes of a message that is signed with a certificate of no user (7.4.1.4.2)."""

    DELIVERED = ("QM-37", "stranger-delivered", _TEXT)
    REFUSED = ("QM-37", "stranger-refused", _PERMITTED)


class UnverifiedSender(Choice):
    """What becomes of a message without signature, certificate or identity (7.4.1.4.2)."""

    DELIVERED = ("QM-38", "delivered", _TEXT)
    REFUSED = ("QM-38", "refused-unasked", _PERMITTED)


class DemandedAuthentication(Choice):
    """What becomes of an unauthenticated message where its queue wants authenticated ones (6.1.7, 7.4.1.4.2)."""

    REFUSED = ("QM-38", "refused-on-demand", _TEXT)
    DELIVERED = ("QM-38", "delivered-in-spite", _TEXT)


class RejectedSender(Choice):
    """When a message is rejected for its sender (7.3, 7.4.1.4.2)."""

    SEND_FAILS = ("QM-51", "send-fails", _TEXT)
    REFUSED_LATER = ("QM-51", "refused-later", _TEXT)


class InternalWhileLost(Choice):
    """Whether internal transactions work while the coordinator is lost (4.3.3, 5.5.3)."""

    WORK = ("QM-25", "internal-work", _TEXT)
    FAIL = ("QM-25", "internal-fail", _TEXT)


class PendingInternal(Choice):
    """What becomes of pending internal transactions when the coordinator is lost (5.5.3)."""

    KEPT = ("QM-26", "internal-kept", _TEXT)
    ABORTED = ("QM-26", "internal-aborted", _TEXT)


class Order(Choice):
    """The order of messages of different transactions, the same throughout (5.1.1.2)."""

    OF_COMMITS = ("QM-44", "commit-order", _TEXT)
    OF_SENDS = ("QM-44", "send-order", _TEXT)


class Expiry(Choice):
    """When a message whose time is up leaves its queue."""

    AT_ONCE = ("QM-45", "at-once", _TEXT)
    WHEN_TOUCHED = ("QM-45", "when-touched", _TEXT)


class TimeToReach(Choice):
    """Whether the time to reach its queue goes on for a message that is there (5.1.1.3)."""

    ENDS = ("QM-63", "ends-there", _TEXT)
    GOES_ON = ("QM-63", "goes-on", _TEXT)


class TransactionalToPlain(Choice):
    """A message that a transaction sends to a queue which is not transactional (6.1.7)."""

    REFUSED = ("QM-46", "refused", _PERMITTED)
    TAKEN = ("QM-46", "taken", _PERMITTED)


class TransactionalFromPlain(Choice):
    """A receive in a transaction from a queue that is not transactional (5.1.1.3)."""

    LOCKED = ("QM-46", "locked", _PERMITTED)
    CONSUMED = ("QM-46", "consumed", _PERMITTED)
    REFUSED = ("QM-46", "receive-refused", _PERMITTED)


class ReaderOfDeleted(Choice):
    """When an operation ends that waits at a queue which is deleted."""

    AT_ONCE = ("QM-43", "at-once", _TEXT)
    IN_ITS_TIME = ("QM-43", "in-its-time", _TEXT)


class TransactionOfDeleted(Choice):
    """What becomes of an open transaction of which a queue is deleted with what it has there (4.3.1.2, 5.1.1.2)."""

    GOES_ON = ("QM-43", "transaction-goes-on", _TEXT)
    ABORTED = ("QM-43", "transaction-aborted", _TEXT)


class PartedTransaction(Choice):
    """What becomes of a transaction that has received from a machine which is cut off or ends (4.3.1.2, 5.5.2)."""

    GOES_ON = ("QM-66", "goes-on", _TEXT)
    ABORTED_AT_COMMIT = ("QM-66", "aborted-at-commit", _TEXT)
    ABORTED_AT_ONCE = ("QM-66", "aborted-at-once", _TEXT)


class WaitAfar(Choice):
    """Whether an operation that waits at another machine outlives the loss of the network to that (3.3.4.6, 5.5.2)."""

    GOES_ON = ("QM-66", "wait-goes-on", _TEXT)
    FAILS = ("QM-66", "wait-fails", _TEXT)


class DeletionReports(Choice):
    """Whether a deletion tells senders that asked for negative acknowledgments."""

    NONE = ("QM-43", "no-reports", _TEXT)
    NEGATIVE = ("QM-43", "negative-reports", _TEXT)


class DeletedLetters(Choice):
    """Whether a deletion makes dead letters of the messages that asked to become one."""

    NONE = ("QM-43", "no-dead-letters", _TEXT)
    KEPT = ("QM-43", "dead-letters", _TEXT)


class FullStore(Choice):
    """Whether an express message is taken while the store is full (5.5.5)."""

    REFUSES_ALL = ("QM-41", "refuses-all", _TEXT)
    TAKES_EXPRESS = ("QM-41", "takes-express", _TEXT)


class ReceivesWhileFull(Choice):
    """Whether a message that is stored can be received while the store is full (5.5.5)."""

    WORK = ("QM-41", "receives-work", _TEXT)
    FAIL = ("QM-41", "receives-fail", _TEXT)


class QueuesWhileFull(Choice):
    """Whether a queue can be created or changed while the store is full (5.5.5)."""

    REFUSED = ("QM-41", "creation-refused", _TEXT)
    TAKEN = ("QM-41", "creation-taken", _TEXT)


class UnaskedDeadLetter(Choice):
    """What becomes of a transactional message that times out and asked for nothing (4.3.1.2, 3.3.4.5, 5.1.1.3)."""

    LOST = ("QM-11", "lost", _TEXT)
    KEPT = ("QM-11", "kept", _TEXT)
