"""Judges of exactly-once delivery: receivers, senders, transactions, and both ends of a network that fails.

Each feature in ``features/eod`` has modules of the same subject here, with their steps and the checks that these make:

- ``1_transactions``: ``transactions`` and ``copies``;
- ``3_sender``: ``sending``, ``numbering``, ``linking`` and ``transmission``;
- ``3_1_6_5_resends``: ``sending`` and ``resends``;
- ``4_receiver``: ``receiving`` and ``acceptance``;
- ``4_order_acknowledgments``: ``receiving`` and ``order_acknowledgments``;
- ``fault_schedules``: ``fault_schedules.delivery``.
"""

STEP_MODULES: tuple[str, ...] = (
    "mqconform.harness.judge.eod.transactions",
    "mqconform.harness.judge.eod.copies",
    "mqconform.harness.judge.eod.sending",
    "mqconform.harness.judge.eod.numbering",
    "mqconform.harness.judge.eod.linking",
    "mqconform.harness.judge.eod.transmission",
    "mqconform.harness.judge.eod.resends",
    "mqconform.harness.judge.eod.receiving",
    "mqconform.harness.judge.eod.acceptance",
    "mqconform.harness.judge.eod.order_acknowledgments",
    "mqconform.harness.judge.eod.fault_schedules.delivery",
)
"""Modules with step definitions; the rest is what they judge with."""
