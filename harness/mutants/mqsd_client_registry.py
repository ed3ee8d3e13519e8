"""All discovery-client mutants; an attribute by the name of a mutant, with underscores, is its factory."""

from collections.abc import Callable

from mqconform.harness.mutants import (
    mqsd_client_replies,
    mqsd_client_requests,
    mqsd_client_steps,
    mqsd_client_timing,
)
from mqconform.harness.mutants.mqsd_client_conforming import UNDECIDED, VARIANTS
from mqconform.harness.mutants.mqsd_client_mutant import ClientMutant, ClientMutantIut

FAULTY = (
    mqsd_client_requests.MUTANTS + mqsd_client_timing.MUTANTS + mqsd_client_replies.MUTANTS + mqsd_client_steps.MUTANTS
)
CLIENTS: tuple[ClientMutant, ...] = FAULTY + VARIANTS + UNDECIDED

_BY_NAME = {one.name: one for one in CLIENTS}
assert len(_BY_NAME) == len(CLIENTS), "two mutants have one name"


def __getattr__(attribute: str) -> Callable[[], ClientMutantIut]:
    """Return the factory of a mutant."""
    mutant = _BY_NAME.get(attribute.replace("_", "-"))
    if mutant is None:
        raise AttributeError(f"no client mutant is named {attribute.replace('_', '-')}")
    return mutant.iut
