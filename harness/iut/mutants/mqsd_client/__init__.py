"""Mutants of discovery clients (MS-MQSD 3.1)."""

from mqconform.harness.iut.mutants.mqsd_client import (
    conforming,
    get_directory_server_list,
    open_places,
    received_replies,
    sent_requests,
    waits_and_ends,
)

MUTANTS = (
    *sent_requests.MUTANTS,
    *get_directory_server_list.MUTANTS,
    *waits_and_ends.MUTANTS,
    *received_replies.MUTANTS,
    *conforming.MUTANTS,
    *open_places.MUTANTS,
)
