"""Mutants of the queue manager: faults of the model and of what surrounds it, and what the text leaves open."""

from dataclasses import replace

from mqconform.harness.iut.mutants.mqso import conforming, faulty, network
from mqconform.harness.iut.reference_iut.queue_manager import ONE_MACHINE

_ALONE = (*faulty.MUTANTS, *conforming.MUTANTS)
"""Those that know of no other machine."""
MUTANTS = (*(replace(mutant, capabilities=tuple(ONE_MACHINE.offered)) for mutant in _ALONE), *network.MUTANTS)
