"""Mutants of discovery servers (MS-MQSD 2.2.3, 3.2)."""

from mqconform.harness.iut.mutants.mqsd_server import (
    conforming,
    over_udp,
    received_requests,
    reply_fields,
    server_list,
    service,
)

MUTANTS = (
    *reply_fields.MUTANTS,
    *received_requests.MUTANTS,
    *server_list.MUTANTS,
    *service.MUTANTS,
    *over_udp.MUTANTS,
    *conforming.MUTANTS,
)
