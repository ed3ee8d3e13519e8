"""Judges of exactly-once delivery: receivers, senders, transactions, and both ends of a network that fails.

Each feature in ``features/eod`` has modules of the same subject here, with their steps and the checks that these make:

- ``1_transactions``: ``transactions`` and ``copies``;
- ``3_sender``: ``sending`` and ``sender_checks``;
- ``3_1_6_5_resends``: ``sending`` and ``resends``;
- ``4_receiver``: ``receiving`` and ``receiver_checks``;
- ``4_order_acknowledgments``: ``receiving`` and ``receiver_checks``;
- ``generated_streams``: ``generated_streams`` and ``generated_transactions``;
- ``fault_schedules``: ``fault_schedules.delivery``.
"""

STEP_MODULES: tuple[str, ...] = (
    "mqconform.harness.judge.eod.transactions",
    "mqconform.harness.judge.eod.copies",
    "mqconform.harness.judge.eod.sending",
    "mqconform.harness.judge.eod.sender_checks",
    "mqconform.harness.judge.eod.resends",
    "mqconform.harness.judge.eod.receiving",
    "mqconform.harness.judge.eod.receiver_checks",
    "mqconform.harness.judge.eod.generated_streams",
    "mqconform.harness.judge.eod.generated_transactions",
    "mqconform.harness.judge.eod.fault_schedules.delivery",
)
"""Modules with step definitions; the rest is what they judge with."""
