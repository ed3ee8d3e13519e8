"""Mutants of discovery clients (MS-MQSD 3.1)."""

from mqconform.harness.iut.mutants.mqsd_client import conforming, event_steps, received_replies, sent_requests, timing

MUTANTS = (
    *sent_requests.MUTANTS,
    *timing.MUTANTS,
    *received_replies.MUTANTS,
    *event_steps.MUTANTS,
    *conforming.MUTANTS,
)
