"""Implementations that are wrong on purpose, to test the tests; ``mutant:NAME`` on the command line.

``FAULTY`` ones have to be convicted of what they break, ``VARIANTS`` conform although they differ from the reference,
``UNDECIDED`` ones do what no rule settles.
"""

from collections.abc import Callable

from mqconform.harness.mutants import (
    eod_registry,
    mqbr_registry,
    mqsd_client_registry,
    mqsd_conforming,
    mqsd_header,
    mqsd_list,
    mqsd_names,
    mqsd_networks,
    mqsd_requests,
    mqsd_service,
    mqsd_sites,
    mqsd_sockets,
    mqsd_undecided,
)
from mqconform.harness.mutants.eod_mutant import EndMutant, EndMutantIut
from mqconform.harness.mutants.mqbr_mutant import RouterMutant, RouterMutantIut
from mqconform.harness.mutants.mqsd_client_mutant import ClientMutant, ClientMutantIut
from mqconform.harness.mutants.mutant import Mutant, MutantIut

_FAULTY = (mqsd_header, mqsd_requests, mqsd_networks, mqsd_sites, mqsd_list, mqsd_names, mqsd_service, mqsd_sockets)


def _by_name(
    *families: tuple[Mutant | RouterMutant | ClientMutant | EndMutant, ...],
) -> dict[str, Mutant | RouterMutant | ClientMutant | EndMutant]:
    """Return mutants by name, each name once."""
    mutants = [mutant for family in families for mutant in family]
    found = {mutant.name: mutant for mutant in mutants}
    assert len(found) == len(mutants), "two mutants have one name"
    return found


MUTANTS = _by_name(
    *(module.MUTANTS for module in _FAULTY),
    mqsd_conforming.VARIANTS,
    mqsd_undecided.UNDECIDED,
    mqbr_registry.ROUTERS,
    mqsd_client_registry.CLIENTS,
    eod_registry.ENDS,
)
FAULTY: tuple[str, ...] = tuple(one.name for module in _FAULTY for one in module.MUTANTS)
VARIANTS: tuple[str, ...] = tuple(one.name for one in mqsd_conforming.VARIANTS)
UNDECIDED: tuple[str, ...] = tuple(one.name for one in mqsd_undecided.UNDECIDED)
ROUTERS: tuple[str, ...] = tuple(one.name for one in mqbr_registry.ROUTERS)
"""Names of all router mutants; the three tuples above are of discovery servers."""
CLIENTS: tuple[str, ...] = tuple(one.name for one in mqsd_client_registry.CLIENTS)
"""Names of all discovery-client mutants."""
ENDS: tuple[str, ...] = tuple(one.name for one in eod_registry.ENDS)
"""Names of all mutants of exactly-once delivery, whichever role they have."""
NAMES: tuple[str, ...] = FAULTY + VARIANTS + UNDECIDED + ROUTERS + CLIENTS + ENDS
BREAKS: dict[str, tuple[str, ...]] = {name: one.breaks for name, one in MUTANTS.items() if one.breaks}
"""Ids of which at least one has to be found violated."""
ALSO: dict[str, tuple[str, ...]] = {name: MUTANTS[name].also for name in BREAKS}
"""Ids, or prefixes of ids, that the same defect violates inevitably."""


def __getattr__(attribute: str) -> Callable[[], MutantIut | RouterMutantIut | ClientMutantIut | EndMutantIut]:
    """Return the factory of a mutant, its name with underscores: what ``mutant:NAME`` is resolved to."""
    mutant = MUTANTS.get(attribute.replace("_", "-"))
    if mutant is None:
        raise AttributeError(f"no mutant is named {attribute.replace('_', '-')}")
    return mutant.iut
