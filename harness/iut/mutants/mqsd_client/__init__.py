"""Mutants of discovery clients (MS-MQSD 3.1)."""

from mqconform.harness.iut.mutants.mqsd_client import conforming, faulty
from mqconform.harness.iut.mutants.mutant import playing
from mqconform.harness.records.requirement import RoleName

MUTANTS = (*faulty.MUTANTS, *playing(RoleName.DISCOVERY_CLIENT, conforming.ROWS, lambda row: row.rule))
