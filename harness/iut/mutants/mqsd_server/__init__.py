"""Mutants of discovery servers (MS-MQSD 2.2.3, 3.2)."""

from mqconform.harness.iut.mutants.mqsd_server import conforming, faulty, over_udp

MUTANTS = (*faulty.MUTANTS, *over_udp.MUTANTS, *conforming.MUTANTS)
