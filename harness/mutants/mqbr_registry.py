"""All router mutants: faulty ones, conforming ones, and those that do what no rule settles (MS-MQBR)."""

from mqconform.harness.mutants import (
    mqbr_client,
    mqbr_conforming,
    mqbr_gate,
    mqbr_lookups,
    mqbr_reading,
    mqbr_router,
    mqbr_table,
    mqbr_timer,
    mqbr_undecided,
)
from mqconform.harness.mutants.mqbr_mutant import RouterMutant

FAULTY: tuple[RouterMutant, ...] = (
    *mqbr_table.MUTANTS,
    *mqbr_timer.MUTANTS,
    *mqbr_client.MUTANTS,
    *mqbr_router.MUTANTS,
    *mqbr_gate.MUTANTS,
    *mqbr_lookups.MUTANTS,
    *mqbr_reading.MUTANTS,
)
VARIANTS: tuple[RouterMutant, ...] = mqbr_conforming.VARIANTS
UNDECIDED: tuple[RouterMutant, ...] = mqbr_undecided.UNDECIDED
ROUTERS: tuple[RouterMutant, ...] = FAULTY + VARIANTS + UNDECIDED
