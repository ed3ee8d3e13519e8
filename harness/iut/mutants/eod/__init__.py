"""Mutants of exactly-once delivery: receivers, senders, transactional sends."""

from mqconform.harness.iut.mutants.eod import (
    conforming,
    receiver,
    receiver_over_time,
    resend_schedule,
    sender,
    transactional_sends,
)
from mqconform.harness.iut.mutants.mutant import playing
from mqconform.harness.records.requirement import RoleName

_RECEIVERS = (*receiver.FAULTS, *receiver_over_time.FAULTS, *conforming.RECEIVERS)
_SENDERS = (*sender.FAULTS, *resend_schedule.FAULTS, *conforming.SENDERS)
_TRANSACTIONS = (*transactional_sends.FAULTS, *conforming.TRANSACTIONS)

MUTANTS = (
    *playing(RoleName.ORDERED_RECEIVER, _RECEIVERS, lambda row: row.rule),
    *playing(RoleName.ORDERED_SENDER, _SENDERS, lambda row: row.rule),
    *playing(RoleName.TRANSACTION, _TRANSACTIONS, lambda row: row.rule),
)
