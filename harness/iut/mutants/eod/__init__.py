"""Mutants of exactly-once delivery: receivers, senders, transactional sends."""

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
