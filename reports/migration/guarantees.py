"""The guarantees that an application's owner asks for, and the scenarios that show each.

A scenario stands below one guarantee alone, that of its point. Scenarios are named as in case ids, without the folder
``mqso``; an asterisk stands for any text.
"""

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final

FOLDER: Final = "mqso/"


@dataclass(frozen=True, slots=True)
class Guarantee:
    """Something that an application may rely on.

    Attributes:
        id: short name.
        promise: what is relied on, in the words of an owner.
        scenarios: patterns of case ids, without the folder.
    """

    id: str
    promise: str
    scenarios: tuple[str, ...]

    def covers(self, case: str) -> bool:
        """Return whether a case shows this guarantee."""
        return any(fnmatchcase(case, FOLDER + pattern) for pattern in self.scenarios)


GUARANTEES: Final = (
    Guarantee(
        "order",
        "Messages are received in the order in which they were sent.",
        (
            "3_3_4_use_cases/first-in-first-out",
            "3_3_4_use_cases/a-dozen-messages-keep-their-order",
            "3_3_4_use_cases/order-is-kept-where-sends-and-receives-take-turns",
            "4_3_1_2_transactions/transactions-one-after-the-other-keep-their-order",
            "4_3_1_2_transactions/what-is-given-back-has-its-old-place",
            "5_1_1_open_places/the-order-of-transactions-that-overlap",
        ),
    ),
    Guarantee(
        "once",
        "A message that was received is not received again, while the service runs.",
        (
            "3_3_4_use_cases/a-message-is-received-once",
            "4_3_1_2_transactions/a-commit-consumes",
            "4_3_1_2_transactions/each-receive-of-a-transaction-gets-its-own-message",
            "5_1_1_2_queues/one-message-is-for-one-of-several-readers",
            "concurrency/of-two-who-receive-one-message-one-gets-it",
            "concurrency/who-receive-at-the-same-time-get-different-messages",
        ),
    ),
    Guarantee(
        "once-after-a-restart",
        "A message that was received does not come back with a restart or a crash.",
        (
            "4_3_1_2_transactions/exactly-once-whatever-happens",
            "5_5_1_restart/what-was-received-does-not-come-back/*",
            "5_5_1_restart/what-was-received-and-committed-is-gone-for-good",
            "5_5_1_restart/what-was-purged-does-not-come-back",
        ),
    ),
    Guarantee(
        "survival",
        "Recoverable and transactional messages are there after a restart or a crash.",
        (
            # Not "Recoverable messages are there, in order": it also fails where an express one is there with them.
            "5_5_1_restart/a-crash-is-survived-as-a-stop-is",
            "5_5_1_restart/one-restart-after-the-other",
            "5_5_1_restart/each-message-is-in-its-queue-again",
            "5_5_1_restart/transactional-messages-are-there/*",
            "5_5_1_restart/what-was-received-and-not-committed-is-there-again/*",
            "5_5_1_restart/a-commit-is-whole-when-a-crash-follows",
        ),
    ),
    Guarantee(
        "express",
        "Express messages are gone after a restart: nothing outdated is received.",
        ("5_5_1_restart/express-messages-are-gone/*",),
    ),
    Guarantee(
        "atomicity",
        "All of a transaction happens, or nothing of it.",
        (
            "4_3_1_2_transactions/all-shows-after-the-commit",
            "4_3_1_2_transactions/nothing-is-left-of-sends-that-were-aborted",
            "4_3_1_2_transactions/one-transaction-commits-the-other-does-not",
            "4_3_1_2_transactions/an-abort-gives-back*",
            "4_3_1_2_transactions/an-internal-transaction-receives-and-sends-all-or-nothing/*",
            "5_5_1_restart/what-was-not-committed-is-not-there/*",
            "5_5_1_restart/what-was-aborted-stays-undone",
        ),
    ),
    Guarantee(
        "visibility",
        "Nobody sees what a transaction has sent and not committed, or has received.",
        (
            "4_3_1_2_transactions/nothing-shows-before-the-commit",
            "4_3_1_2_transactions/who-waits-gets-nothing-before-the-commit",
            "4_3_1_2_transactions/another-transaction-sees-nothing-before-the-commit",
            "4_3_1_2_transactions/what-one-has-received-the-other-does-not-see",
            "4_3_1_2_transactions/who-looks-does-not-see-what-was-received",
            "concurrency/who-looks-while-a-transaction-commits-sees-all-of-it-or-nothing",
            "concurrency/transactions-that-receive-at-the-same-time-get-different-messages",
        ),
    ),
    Guarantee(
        "transactional-queues",
        "A transactional queue refuses what is sent outside of a transaction.",
        (
            "4_3_1_2_transactions/a-transactional-queue-takes-messages-within-transactions-only",
            "4_3_1_2_transactions/a-transactional-queue-hands-out-within-transactions-only",
            "5_5_1_restart/a-queue-is-transactional-as-it-was",
        ),
    ),
    Guarantee(
        "external-transactions",
        "A transaction may cover another resource, such as a database.",
        (
            "5_5_3_coordinator/an-external-transaction-receives-and-sends-all-or-nothing/*",
            "5_5_3_coordinator/nothing-of-an-external-transaction-shows-before-its-commit",
        ),
    ),
    Guarantee(
        "expiry",
        "An expired message is not received.",
        (
            "5_1_1_3_messages/a-message-whose-time-is-*",
            "5_1_1_3_messages/a-second-after-its-time-it-is-gone/*",
            "5_1_1_3_messages/each-message-has-a-time-of-its-own",
            "5_1_1_3_messages/time-runs-from-the-send",
            "5_1_1_3_messages/looking-does-not-prolong-the-time",
            "5_1_1_3_messages/time-goes-on-*",
            "4_3_1_2_transactions/a-transactional-message-whose-time-is-not-up-is-there",
        ),
    ),
    Guarantee(
        "dead-letters",
        "An expired message goes to a dead-letter queue on request.",
        (
            "5_1_1_3_messages/a-dead-letter-for-who-asks",
            "5_1_1_3_messages/no-dead-letter-*",
            "5_1_1_3_messages/dead-letters-are-in-order",
            "5_1_1_3_messages/a-recoverable-dead-letter-outlives-a-restart",
            "4_3_1_2_transactions/transactional-dead-letters-have-a-queue-of-their-own",
            "4_3_1_2_transactions/what-was-consumed-in-time-leaves-no-dead-letter",
        ),
    ),
    Guarantee(
        "journals",
        "The journal keeps a copy of each sent message.",
        (
            "5_1_1_3_messages/a-copy-for-who-asks-and-for-nobody-else",
            "5_1_1_3_messages/copies-are-in-order",
            "5_1_1_3_messages/a-copy-leaves-the-message-where-it-is",
            "4_3_1_2_transactions/only-what-was-sent-is-in-the-journal/*",
        ),
    ),
    Guarantee(
        "acknowledgments",
        "The sender receives acknowledgments in a queue.",
        (
            "5_1_1_3_messages/a-receive-is-acknowledged-*",
            "5_1_1_3_messages/each-receive-is-acknowledged-*",
            "5_1_1_3_messages/an-expiry-is-told-*",
            "4_3_1_2_transactions/only-a-receive-that-counts-is-acknowledged/*",
        ),
    ),
    Guarantee(
        "answers",
        "A response goes to the response queue and names its request.",
        ("3_3_4_use_cases/an-answer-comes-to-the-queue-that-was-named-and-says-what-it-answers",),
    ),
    Guarantee(
        "looking",
        "A reader can peek at messages, also one after the other.",
        ("3_3_4_use_cases/looking-takes-nothing", "5_1_1_2_cursors/*"),
    ),
    Guarantee(
        "waiting",
        "A reader can wait for a message with a timeout.",
        (
            "5_1_1_2_queues/who-waits-gets-what-arrives",
            "5_1_1_2_queues/as-many-messages-as-readers",
            "5_1_1_2_queues/a-wait-*",
            "5_1_1_2_queues/each-wait-has-a-time-of-its-own",
            "5_1_1_2_queues/what-comes-*",
            "5_1_1_2_queues/who-gives-up-*",
        ),
    ),
    Guarantee(
        "quotas",
        "A full queue takes no more messages and keeps those it has.",
        (
            "5_1_1_2_queues/a-full-queue-*",
            "5_1_1_2_queues/a-purged-queue-has-room-again",
            "4_3_1_2_transactions/what-was-aborted-takes-no-room",
            "5_5_1_restart/the-room-of-a-queue-is-what-it-was",
        ),
    ),
    Guarantee(
        "senders",
        "A receiver knows whether a sender is authenticated, and no sender can impersonate another.",
        (
            "7_4_security/who-signs-*",
            "7_4_security/whose-certificate-*",
            "7_4_security/a-name-from-the-directory-*",
            "7_4_security/with-less-than-signature-*",
            "7_4_security/each-message-is-looked-at-by-itself",
            "7_4_security/who-looks-is-told-*",
            "7_4_security/who-waits-is-told-*",
            "7_4_security/what-was-altered-*",
            "7_4_security/what-is-rejected-for-its-sender-*",
            "7_4_security/a-queue-that-wants-*",
        ),
    ),
    Guarantee(
        "access",
        "A queue has access lists for senders and for receivers.",
        (
            "7_4_security/a-queue-takes-messages-from-*",
            "7_4_security/a-list-is-*",
            "7_4_security/all-who-are-on-a-list-*",
            "7_4_security/who-names-a-user-*",
            "7_4_security/a-queue-hands-out-*",
            "7_4_security/who-may-*",
        ),
    ),
    Guarantee(
        "remote-read",
        "A reader receives from a queue of another machine.",
        (
            "3_3_4_several_machines/an-application-receives-from-*",
            "3_3_4_several_machines/a-receive-from-another-machine-is-*",
            "5_5_2_network/receives-from-another-machine-*",
        ),
    ),
    Guarantee(
        "remote-delivery",
        "A message for an unreachable machine is delivered after its return.",
        (
            "3_3_4_several_machines/a-message-for-another-machine-*",
            "3_3_4_several_machines/messages-of-transactions-arrive-*",
            "5_5_2_network/messages-sent-*",
            "5_5_2_network/two-outages-*",
            "5_5_2_network/a-message-is-taken-on-*",
            "5_5_2_network/an-outage-doubles-*",
            "5_5_2_network/a-transactional-message-*",
            "5_5_2_network/a-recoverable-message-that-could-not-be-sent-*",
        ),
    ),
)
