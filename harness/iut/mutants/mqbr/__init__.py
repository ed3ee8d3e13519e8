"""Mutants of routers (MS-MQBR): the faults of the reference, and routers unlike it that conform."""

from functools import partial

from mqconform.harness.iut.mutants.mqbr import conforming, open_places
from mqconform.harness.iut.mutants.mutant import playing
from mqconform.harness.iut.reference_iut.router import ReferenceRouterRole
from mqconform.harness.records.requirement import RoleName
from mqconform.reference.mqbr.faults import FAULTS

_ROUTERS = (*FAULTS, *conforming.ROWS, *open_places.ROWS)

MUTANTS = (
    *playing(RoleName.ROUTER, _ROUTERS, lambda row: partial(ReferenceRouterRole, row.rule)),
    *playing(RoleName.ROUTER, conforming.ROLES, lambda row: row.rule),
)
