"""Seeds whose drawn histories tell each fault apart, and soon: where tests begin to look for one that does."""

from collections.abc import Iterator
from typing import Final

from mqconform.reference.mqso.faults import FAULTS, Fault, restarts, waits_and_timers

MOST: Final = 60
"""So many seeds are tried at most."""
_TELLING: Final = {
    0: "commits-what-was-open expires-early locked-are-gone loses-transactional",
    1: "runs-after-the-wait-without-the-steps says-it-is-integrated",
    2: "never-retries repair-loses-messages says-it-initializes",
    3: "beyond-its-room",
    5: "ended-transactions-receive failed-change-is-there",
    7: "dead-letters-in-one-queue rejected-yet-told",
    8: (
        "abort-sends arrivals-vanish creates-nothing cursors-share-a-place "
        "empty-queues-go-away needs-a-directory never-waits peek-takes purge-ends-readers "
        "purge-leaves-the-last refuses-sends-in-transactions seen-before-commit shown-at-once"
    ),
    10: "reader-of-deleted-forgotten",
    11: "received-not-locked",
    12: "consumed-comes-back",
    14: (
        "acknowledges-another acknowledges-on-arrival-as-received any-handle-receives "
        "changes-nothing keeps-express messages-go-with-their-sender public-in-a-workgroup"
    ),
    15: "letters-last-first",
    16: "commit-keeps commits-in-part dead-letters-unasked two-readers-one-message wait-without-end",
    18: "needed-at-start",
    19: "forgets-what-is-answered",
    25: "full-store-half-a-transaction",
    30: "cursor-survives",
    31: "expiry-untold external-receives-nothing",
    32: "aborted-receive-told asked-and-lost forgets-where-to-answer",
    33: "created-again",
    34: "says-it-stops",
    40: "abort-keeps-locked abort-loses abort-puts-last",
    41: "counting-consumes expires-late never-expires time-begins-anew",
    42: (
        "commit-shows-nothing counts-nothing cursor-never-moves deaf-after-restart "
        "forgets-properties forgets-queues-at-stop full-store-takes-on hands-out-nothing "
        "loses-recoverable lost-in-a-crash purge-does-nothing readers-never-woken "
        "serves-while-stopped takes-any-kind"
    ),
    43: "receive-untold",
    45: "delete-keeps-messages system-queue-takes-sends",
    47: "copies-end-with-a-restart",
    50: "pending-outlive-it",
    51: (
        "coordinator-needs-restart internal-fails-where-no-coordinator-was-configured "
        "journals-all last-first stops-without-coordinator"
    ),
    53: "broken-store-goes-on repaired-store-is-empty runs-after-failed-start",
    55: (
        "deaf-to-throttling journals-failures-only journals-nothing receive-leaves-it sends-go-on-without-it "
        "serves-all-readers throttled-for-ever"
    ),
    57: "external-sends-at-once failed-create-leaves-a-queue refuses-silently",
}
"""Seeds, each with the faults that it tells apart; it may be written anew whenever drawn histories change."""

SHOWN_BY_A_HISTORY: Final = frozenset(
    value.name for module in (restarts, waits_and_timers) for value in vars(module).values() if isinstance(value, Fault)
)
"""Faults that drawn histories hardly show; each has a history of its own (``test_mqso_faults_shown``)."""
DRAWN: Final = tuple(fault for fault in FAULTS if fault.name not in SHOWN_BY_A_HISTORY)
"""All others."""


def seeds_for(fault: str) -> Iterator[int]:
    """Yield the seeds to try on a fault: first the one that is known to tell it apart, then all others."""
    yield from (seed for seed, faults in _TELLING.items() if fault in faults.split())
    yield from range(MOST)
