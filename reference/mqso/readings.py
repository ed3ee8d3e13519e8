"""Ambiguous places in what a queue manager does, as choices: what the register lets it do there.

A world notes what it follows when the place is met first, and follows it from then on. What may be otherwise each time
(which of several readers gets a message, QM-04) is no choice: there a step simply has several outcomes.
"""

from typing import Final

from mqconform.reference.allowed import Standing
from mqconform.reference.choice import Choice

_TEXT: Final = Standing.TEXT
_UNDECIDED: Final = Standing.UNDECIDED
_REFUSED: Final = Standing.REFUSED


class OutsideTransactions(Choice):
    """A receive from a transactional queue without a transaction (3.2.1)."""

    REFUSED = ("QM-01", "refused", _TEXT)
    RECEIVED = ("QM-01", "received", _UNDECIDED)


class NothingToWaitFor(Choice):
    """A receive with no time to wait, on a queue without messages (5.1.1.2, 3.3.4.6)."""

    FAILS_AT_ONCE = ("QM-03", "fails-at-once", _TEXT)
    WAITS_NO_TIME = ("QM-03", "waits-no-time", _TEXT)


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
    FORGOTTEN = ("QM-10", "readers-forgotten", _TEXT)


class WrongKindOfQueue(Choice):
    """What becomes of a message that was sent to a queue of the other kind, or to one without room (QM-19)."""

    SEND_FAILS = ("QM-12", "send-fails", _TEXT)
    REFUSED_LATER = ("QM-12", "refused-later", _TEXT)


class NoRoom(Choice):
    """What becomes of a message for which its queue has no room (5.1.1.2)."""

    SEND_FAILS = ("QM-19", "send-fails", _TEXT)
    REFUSED_LATER = ("QM-19", "refused-later", _TEXT)


class Purging(Choice):
    """Whether a purge takes messages that a transaction has received and not yet consumed (5.1.1.2)."""

    SPARES_LOCKED = ("QM-17", "spares-locked", _TEXT)
    TAKES_LOCKED = ("QM-17", "takes-locked", _TEXT)


class PurgeReports(Choice):
    """Whether a purge tells senders that asked for negative acknowledgments."""

    NONE = ("QM-17", "no-reports", _TEXT)
    NEGATIVE = ("QM-17", "negative-reports", _TEXT)


class Order(Choice):
    """The order of messages of different transactions, the same throughout (5.1.1.2)."""

    OF_COMMITS = ("QM-44", "commit-order", _TEXT)
    OF_SENDS = ("QM-44", "send-order", _TEXT)


class Expiry(Choice):
    """When a message whose time is up leaves its queue."""

    AT_ONCE = ("QM-45", "at-once", _TEXT)
    WHEN_TOUCHED = ("QM-45", "when-touched", _TEXT)


class TransactionalToPlain(Choice):
    """A message that a transaction sends to a queue which is not transactional (6.1.7)."""

    REFUSED = ("QM-46", "refused", _UNDECIDED)
    TAKEN = ("QM-46", "taken", _UNDECIDED)


class ReaderOfDeleted(Choice):
    """When an operation ends that waits at a queue which is deleted."""

    AT_ONCE = ("QM-43", "at-once", _TEXT)
    IN_ITS_TIME = ("QM-43", "in-its-time", _TEXT)


class FullStore(Choice):
    """Whether an express message is taken while the store is full (5.5.5)."""

    REFUSES_ALL = ("QM-41", "refuses-all", _TEXT)
    TAKES_EXPRESS = ("QM-41", "takes-express", _TEXT)


class UnaskedDeadLetter(Choice):
    """What becomes of a transactional message that times out and asked for nothing (4.3.1.2, 3.3.4.5, 5.1.1.3)."""

    LOST = ("QM-11", "lost", _TEXT)
    KEPT = ("QM-11", "kept", _TEXT)
