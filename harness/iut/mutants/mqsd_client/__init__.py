"""Mutants of discovery clients (MS-MQSD 3.1)."""

from mqconform.harness.iut.mutants.mqsd_client import conforming, faulty

MUTANTS = (*faulty.MUTANTS, *conforming.MUTANTS)
