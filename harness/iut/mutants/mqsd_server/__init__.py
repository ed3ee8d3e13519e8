"""Mutants of discovery servers (MS-MQSD 2.2.3, 3.2)."""

from mqconform.harness.iut.mutants.mqsd_server import (
    conforming,
    connected_networks,
    received_requests,
    reply_header,
    responding_site,
    server_list,
    server_names,
    service,
)

MUTANTS = (
    *reply_header.MUTANTS,
    *received_requests.MUTANTS,
    *connected_networks.MUTANTS,
    *responding_site.MUTANTS,
    *server_list.MUTANTS,
    *server_names.MUTANTS,
    *service.MUTANTS,
    *conforming.MUTANTS,
)
