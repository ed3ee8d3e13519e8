"""Mutants of routers (MS-MQBR)."""

from mqconform.harness.iut.mutants.mqbr import (
    conforming,
    directory_reading,
    get_next_hops,
    get_next_hops_for_router,
    get_next_hops_for_site_gate,
    kept_from_the_start,
    lookups,
    open_places,
    query_timer,
    readings_over_time,
    routing_table,
)

MUTANTS = (
    *routing_table.MUTANTS,
    *query_timer.MUTANTS,
    *kept_from_the_start.MUTANTS,
    *get_next_hops.MUTANTS,
    *get_next_hops_for_router.MUTANTS,
    *get_next_hops_for_site_gate.MUTANTS,
    *lookups.MUTANTS,
    *directory_reading.MUTANTS,
    *conforming.MUTANTS,
    *readings_over_time.MUTANTS,
    *open_places.MUTANTS,
)
