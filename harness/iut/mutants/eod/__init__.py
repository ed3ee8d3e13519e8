"""Mutants of exactly-once delivery: receivers, senders, transactional sends.

In ``also``, promises of the whole (EOD-2) recur because most faults break them, and timing requirements because what
comes at the wrong time comes wrong in every scenario that looks at the time. A run that convicts a mutant beyond its
``breaks`` and ``also`` shows a mistake in a scenario.
"""

from mqconform.harness.iut.mutants.eod import (
    conforming,
    receiver,
    receiver_over_time,
    resend_schedule,
    sender,
    transactional_sends,
)

MUTANTS = (
    *receiver.MUTANTS,
    *receiver_over_time.MUTANTS,
    *sender.MUTANTS,
    *resend_schedule.MUTANTS,
    *transactional_sends.MUTANTS,
    *conforming.MUTANTS,
)
