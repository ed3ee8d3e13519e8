"""Mutants of exactly-once delivery: the faults of the reference, and ends of streams unlike it that conform."""

from mqconform.harness.iut.mutants.eod import conforming
from mqconform.harness.iut.mutants.mutant import playing
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.eod.faults import receivers, senders, transactions

_RECEIVERS = (*receivers.FAULTS, *conforming.RECEIVERS)
_SENDERS = (*senders.FAULTS, *conforming.SENDERS)
_TRANSACTIONS = (*transactions.FAULTS, *conforming.TRANSACTIONS)

MUTANTS = (
    *playing(RoleName.ORDERED_RECEIVER, _RECEIVERS, lambda row: row.rule),
    *playing(RoleName.ORDERED_SENDER, _SENDERS, lambda row: row.rule),
    *playing(RoleName.TRANSACTION, _TRANSACTIONS, lambda row: row.rule),
)
